/**
 * Damaged and hostile files through the public Engine: mutants of all readers, and bombs.
 *
 * A mutant is a sound file with bits turned over, a part copied elsewhere, its end cut off, its numbers replaced, or a
 * part of it repeated. The sound ones are written by code, and taken from `../shared/data` where that is there. Bombs
 * are files of some bytes to some megabytes that ask for gigabytes or hours. They are put one at a time, with the
 * default limits, after the mutants; `--count 0` puts them alone, and a run of N mutants, fewer than 1,000, at most N
 * of those that end at once. Each file is put with its thumbnails. All bounds on time are of processor time.
 *
 * Asked: 30,000 mutants and 150 bombs; 0 crashes of the host, 0 errors without a code, 0 reading processes that failed,
 * `TIMEOUT` for at most .2 % of all files, and memory of the host flat within 150 MiB. `--only N` runs mutant N alone,
 * `--only NAME` a bomb; `--from N` goes on at mutant N where a run was stopped.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { figure } from './frame.mjs';
import { mutantOf } from './support/changes.mjs';
import { corpus } from './support/corpus.mjs';
import { ChildrenUsage, residentBytes } from './support/usage.mjs';

export const DEFAULTS = { seed: 1, from: 0, count: 30_000 };

/** Mutants put at the same time: enough for every core. */
const AT_ONCE = Math.max(4, availableParallelism());
/** Files after which the host's memory counts as that of a warm process: so many, or a third of a smaller run; a single
 * file is measured from before it. */
const WARM_FILES = 100;
/** Processor time for a mutant, ms: a tenth of the default, because they are small. */
const TIMEOUT_MS = 12_000;
/** Time between two looks at the host's memory, ms: what it takes for one answer counts, not only what it keeps. */
const LOOK_MS = 20;
const MIB = 2 ** 20;
const FULL_RUN = 1_000;
/** Bombs of a full run, at least. */
const FULL_BOMBS = 150;
/** A bomb is listed if its process took more than so many MiB, or so many seconds of processor. */
const LARGE_MIB = 1_024,
  LONG_S = 20;

export async function run(options) {
  const { from, count, only, folder } = options;
  const isFull = only === undefined && (count === 0 || count >= FULL_RUN);
  const isMutant = only === undefined || !Number.isNaN(Number(only));
  const wanted = only === undefined ? (isFull ? ['all'] : ['mild', String(count)]) : [only];
  const bombs = await writtenBombs(join(folder, 'bombs'), ...wanted);
  const inTurn = Array.from({ length: count }, (_, i) => from + i);
  const numbers = only === undefined ? inTurn : isMutant ? [Number(only)] : [];
  const total = numbers.length + bombs.length;
  const tally = new Tally(options.seed, Math.min(WARM_FILES, Math.floor(total / 3)));
  const looking = setInterval(() => tally.look(), LOOK_MS);
  await putMutants(numbers, tally, total, options);
  await putBombs(bombs, tally, total, options);
  clearInterval(looking);
  const figures = [
    ...(only === undefined ? [figure('mutants read', tally.mutants, { least: count })] : []),
    ...(isFull ? [figure('bombs read', tally.bombs, { least: FULL_BOMBS })] : []),
    ...tally.figures(),
  ];
  return { figures, rows: tally.rows(), findings: tally.findings, notes: tally.notes };
}

async function putMutants(numbers, tally, total, { seed, folder, signal, progress, report }) {
  if (numbers.length === 0) return;
  const sound = await corpus();
  await withCompany(join(folder, 'library'), { timeoutMs: TIMEOUT_MS }, async (company) => {
    const next = numbers[Symbol.iterator]();
    const work = async () => {
      for (let step = next.next(); !step.done && !signal.aborted; step = next.next()) {
        const file = mutantOf(sound, seed, step.value);
        tally.begin(file.name);
        tally.count(file, step.value, await endOf(company, file), report);
        progress(tally.done, total, `${tally.findings.length} findings`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });
}

async function putBombs(bombs, tally, total, { folder, signal, progress, report }) {
  if (bombs.length === 0) return;
  const usage = new ChildrenUsage();
  await withCompany(join(folder, 'bombs-library'), {}, async (company) => {
    usage.start();
    for (const path of bombs) {
      if (signal.aborted) break;
      const name = path.split('/').at(-1);
      const file = { name, bytes: path, change: 'bomb' };
      usage.take();
      tally.begin(name);
      const code = await endOf(company, file);
      const { peakBytes, processorMs } = usage.take();
      tally.count(file, name, code, report);
      if (peakBytes > LARGE_MIB * MIB || processorMs > 1_000 * LONG_S)
        tally.notes.push(
          `${name}: ${code}, ${Math.round(peakBytes / MIB)} MiB, ${(processorMs / 1_000).toFixed(1)} s of processor`,
        );
      progress(tally.done, total, `${tally.findings.length} findings`);
    }
  });
  usage.stop();
}

async function withCompany(folder, limits, work) {
  const { Engine } = await import('../../dist/index.js');
  const engine = await Engine.open(folder, { limits });
  try {
    await work(await engine.company('campaign'));
  } finally {
    await engine.close();
  }
}

/**
 * How a file that is put and removed again ends: `indexed`, a code, or `UNCODED` and what was thrown. Its bytes may be
 * a path.
 */
async function endOf(company, { name, bytes }) {
  try {
    const record = await company.put(name, bytes);
    const code = record.state === 'indexed' ? 'indexed' : (record.error?.code ?? 'UNCODED');
    await company.delete(record.uid);
    return code;
  } catch (cause) {
    return cause.name === 'EngineError' ? cause.code : `UNCODED ${cause.message}`;
  }
}

/** Paths of the bombs in their order. @param {string} wanted `all`, `mild` or a name @param {string} [most] of them */
async function writtenBombs(folder, wanted, most = 'Infinity') {
  if (!['all', 'mild'].includes(wanted) && extname(wanted) === '') return [];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const script = fileURLToPath(new URL('bombs/write.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder, wanted, most], {
    maxBuffer: 2 ** 24,
  });
  const names = stdout.trim().split('\n').filter(Boolean);
  if (names.length === 0) throw new Error(`there is no bomb '${wanted}'`);
  return names.map((name) => `${folder}/${name}`);
}

/** What became of the files, and how large the host was. */
class Tally {
  mutants = 0;
  bombs = 0;
  findings = [];
  notes = [];
  #seed;
  #warmFiles;
  #codes = new Map();
  /** Files that ended in TIMEOUT, by extension. */
  #timeouts = new Map();
  #failed = 0;
  #warmBytes = 0;
  #mostBytes = 0;
  #lastBegun = '';
  /** The file that was begun last when the host was at its largest. */
  #largestAt = '';

  constructor(seed, warmFiles) {
    this.#seed = seed;
    this.#warmFiles = warmFiles;
  }

  get done() {
    return this.mutants + this.bombs;
  }

  count({ name, change }, number, code, report) {
    if (change === 'bomb') this.bombs++;
    else this.mutants++;
    this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1);
    this.look();
    if (this.done === this.#warmFiles) this.#warmBytes = this.#mostBytes = residentBytes();
    const hasFailed = code.startsWith('UNCODED') || code === 'WORKER_FAILED';
    if (hasFailed) this.#failed++;
    const extension = extname(name).slice(1);
    if (code === 'TIMEOUT') this.#timeouts.set(extension, (this.#timeouts.get(extension) ?? 0) + 1);
    if (!hasFailed && code !== 'TIMEOUT') return;
    const what = `${name} (${change}): ${code}`;
    this.findings.push({ what, repeat: `--seed ${this.#seed} --only ${number}` });
    report(what);
  }

  /** A file is to be put. */
  begin(name) {
    if (this.done === 0 && this.#warmFiles === 0 && this.#warmBytes === 0)
      this.#warmBytes = this.#mostBytes = residentBytes();
    this.#lastBegun = name;
  }

  /** Looks at the host's memory. */
  look() {
    const bytes = residentBytes();
    if (bytes <= this.#mostBytes) return;
    this.#mostBytes = bytes;
    this.#largestAt = this.#lastBegun;
  }

  figures() {
    const timeouts = [...this.#timeouts.values()].reduce((sum, count) => sum + count, 0);
    return [
      figure('errors without a code, processes that failed', this.#failed),
      figure('files that end in TIMEOUT', (100 * timeouts) / Math.max(1, this.done), { most: 0.2, unit: ' %' }),
      figure(`growth of the host, at its largest, after the first ${this.#warmFiles} files`, this.#grownMiB(), {
        most: 150,
        unit: ' MiB',
      }),
    ];
  }

  #grownMiB() {
    return (this.#mostBytes - this.#warmBytes) / MIB;
  }

  rows() {
    const sorted = (counts) => [...counts].sort((a, b) => b[1] - a[1]);
    return [
      { what: 'mutants', count: this.mutants },
      { what: 'bombs', count: this.bombs },
      { what: 'MiB of the host at its largest', count: Math.round(this.#mostBytes / MIB), note: this.#largestAt },
      ...sorted(this.#codes).map(([code, count]) => ({ what: `ended ${code}`, count })),
      ...sorted(this.#timeouts).map(([extension, count]) => ({ what: `TIMEOUT of ${extension}`, count })),
    ];
  }
}
