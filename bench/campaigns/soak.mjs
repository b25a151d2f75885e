/**
 * A mixed load for an hour, by the API and over HTTP: does the host grow, and does anything fail?
 *
 * Clients put files of some 20 kinds (parts of both kits as STEP and meshes, drawings, pictures, documents, archives),
 * one in four of them damaged; replace and delete them, so that the library stays at some LIBRARY_FILES files; search
 * by shape, words and attributes; ask for pictures, pages, texts, annotations, models, deviations and conversions. What
 * is drawn follows from the seed. Every SAMPLE_MS the resident memory of the host (from /proc, so Linux), its heap,
 * open files, threads, and number and memory of its reading processes are noted.
 *
 * Asked: the slope of the host's resident memory after the first ten minutes below 2 MiB a minute; 0 errors: an error
 * without a code, a status from 500 on, a code that the call has no reason for, a sound file that fails, a host that
 * ends. A run of less than 40 minutes asks for no errors alone: a host beside much other work still fills up after ten
 * minutes (9 MiB a minute from 10 to 20, with 8,600 calls; in an hour with 25,000 calls 1).
 */
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mulberry32 } from '../parts/reference/kit.mjs';
import { figure } from './frame.mjs';
import { makeCorpus } from './support/soak-corpus.mjs';
import { courseOf, slopeOf } from './support/course.mjs';
import { HostProcess, childrenOf } from './support/host-process.mjs';
import { SoakClient } from './support/soak-client.mjs';

export const DEFAULTS = { seed: 1, minutes: 60 };

const SAMPLE_MS = 10_000;
const LIBRARY_FILES = 300;
const CLIENTS = ['api', 'api', 'http'];
const WARM_MINUTES = 10;
/** Shortest run whose slope says anything, minutes. */
const LEAST_MINUTES = 40;
const MIB = 1024 ** 2;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

export async function run({ seed, minutes, folder, progress, report, signal }) {
  const long = minutes >= LEAST_MINUTES;
  const corpus = await makeCorpus(join(folder, 'corpus'), { seed, samples: long ? 60 : 4, each: long ? 10 : 1 });
  mkdirSync(join(folder, 'damaged'), { recursive: true });
  const host = new HostProcess(join(folder, 'library'), { workers: 2 });
  const { url } = await host.ready;
  const shared = {
    files: new Map(),
    counts: new Map(),
    errors: [],
    codes: new Map(),
    most: LIBRARY_FILES,
    found: undefined,
  };
  shared.found = (what) => {
    shared.errors.push({ what });
    report(what);
  };
  const started = performance.now();
  const end = started + minutes * MINUTE_MS;
  const over = () => performance.now() >= end || signal.aborted || host.gone;
  const clients = CLIENTS.map((kind, i) => {
    const random = mulberry32(1_000 * seed + i);
    return new SoakClient({ name: `${kind}${i}`, http: kind === 'http', host, url, corpus, folder, random, shared });
  });
  const samples = [];
  const sampling = sampled({ host, samples, started, over, clients, shared, minutes, progress, folder });
  await Promise.all(clients.map((client) => client.run(over)));
  await sampling;
  if (host.gone) shared.found(`the host ended: ${JSON.stringify(await host.ended)}`);
  else {
    await host.ask('idle');
    const { problems } = await host.ask('verify');
    for (const { code, message } of problems) shared.found(`verify: ${code}: ${message}`);
    await host.ask('close').catch(() => undefined);
  }
  host.kill();
  return summaryOf({ samples, shared, minutes, long });
}

async function sampled({ host, samples, started, over, clients, shared, minutes, progress, folder }) {
  const log = join(folder, 'samples.csv');
  writeFileSync(log, 'minutes,rssMiB,heapMiB,externalMiB,files,threads,readers,readersMiB\n');
  for (let next = started; ; next += SAMPLE_MS) {
    const sample = await sampleOf(host);
    if (sample !== undefined) {
      samples.push({ minutes: (performance.now() - started) / MINUTE_MS, ...sample });
      writeFileSync(
        log,
        `${Object.values(samples.at(-1))
          .map((value) => value.toFixed(2))
          .join(',')}\n`,
        { flag: 'a' },
      );
    }
    const note = `${clients.reduce((sum, { done }) => sum + done, 0)} calls, ${shared.errors.length} errors`;
    progress((performance.now() - started) / MINUTE_MS, minutes, `min; ${sample?.rss.toFixed(0)} MiB, ${note}`);
    while (performance.now() < next + SAMPLE_MS) {
      if (over()) return;
      await sleep(Math.min(SECOND_MS, next + SAMPLE_MS - performance.now()));
    }
  }
}

async function sampleOf(host) {
  try {
    const { heapUsed, external } = await host.ask('memory');
    const readers = childrenOf(host.pid);
    return {
      rss: statusOf(host.pid).rss,
      heap: heapUsed / MIB,
      external: external / MIB,
      files: readdirSync(`/proc/${host.pid}/fd`).length,
      threads: statusOf(host.pid).threads,
      readers: readers.length,
      readersRss: readers.reduce((sum, pid) => sum + statusOf(pid).rss, 0),
    };
  } catch {
    // The host has just ended, which the driver tells.
    return undefined;
  }
}

/** Resident memory, MiB, and threads of a process; 0 when it has ended. */
function statusOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    const number = (key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
    return { rss: number('VmRSS') / 1024, threads: number('Threads') };
  } catch {
    return { rss: 0, threads: 0 };
  }
}

function summaryOf({ samples, shared, minutes, long }) {
  const warm = samples.filter((sample) => sample.minutes >= Math.min(WARM_MINUTES, minutes / 2));
  const slope = (key) => slopeOf(warm.map((sample) => [sample.minutes, sample[key]]));
  const rows = [...shared.counts].sort(([a], [b]) => (a < b ? -1 : 1));
  const names = {
    rss: 'resident, MiB',
    heap: 'heap, MiB',
    external: 'external, MiB',
    files: 'open files',
    threads: 'threads',
  };
  const courses = { ...names, readers: 'reading processes', readersRss: 'their memory, MiB' };
  const cells = Object.entries(courses).map(([key, what]) => {
    const values = samples.map((sample) => sample[key]);
    const at = (value) => (value ?? Number.NaN).toFixed(0).padStart(7);
    const line = [values[0], warm[0]?.[key], values.at(-1), Math.max(...values)].map(at).join('');
    return `${what.padEnd(20)}${line}${slope(key).toFixed(2).padStart(9)}`;
  });
  return {
    figures: [
      ...(long ? [figure('slope of resident memory after 10 min', slope('rss'), { most: 2, unit: ' MiB/min' })] : []),
      figure('errors', shared.errors.length),
    ],
    rows: rows.map(([what, { count, ms }]) => ({ what, count, note: `${(ms / count).toFixed(0)} ms each` })),
    findings: shared.errors,
    notes: [
      `codes of damaged files and of calls on them: ${JSON.stringify(Object.fromEntries(shared.codes))}`,
      '',
      `${'of the host'.padEnd(20)}  start   warm    end   most   a min`,
      ...cells,
      '',
      ...courseOf(
        samples.map((sample) => [sample.minutes, sample.rss]),
        { unitX: 'min', unitY: 'MiB' },
      ),
    ],
  };
}
