/**
 * Every n-th system call of four scripted workloads on files of the library fails, for every n and every error.
 *
 * Calls are counted by kind over all threads and processes: write, sync, rename, open, read, truncate, unlink, mkdir
 * and the listing of a folder (scandir, opendir, readdir), by a library before the C library (support/faults.c; Linux
 * with a C compiler). Of EIO, ENOSPC and EMFILE each call gives every one that it can give, each in a case of its own.
 * ENOSPC of a write lasts from there on, as on a full disk; every second EIO of a write is torn: its first half is
 * written.
 *
 * The scripts (support/fault-workload.mjs): `make` makes a library; `put` puts and replaces files; `read` puts a folder
 * and reads what waits, while the library is open; `edit` opens one that was killed, renames, deletes, sets attributes,
 * settings, categories and users, removes them, searches, verifies, backs up and purges (a company is never removed).
 * The library is closed, opened without faults and compared with what was acknowledged, and so is the backup.
 *
 * Asked: 0 lost, 0 wrong or ghosts, 0 errors without a code, 0 crashes or hangs, nothing stuck, a report of each
 * `verify`, which is clean after. `--count N` takes N cases, drawn from the seed; without, all. `--only SCRIPT` takes
 * one script, `--only SCRIPT:CALL:ERROR:N` one case. With `--folder DIR` a run of the same seed goes on where it was
 * stopped: what each case came to is kept there. A folder in memory (/dev/shm) loses nothing, because calls fail before
 * they reach the kernel, and is quicker.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { figure } from './frame.mjs';
import { compileFaults, faultEnvironment, TO_THE_END } from './support/faults.mjs';
import { LineWorker } from './support/workers.mjs';

export const DEFAULTS = { seed: 1, count: Number.POSITIVE_INFINITY };

const SCRIPTS = ['make', 'put', 'edit', 'read'];

/** Kind of call -> errors that it can give. */
const ERRORS = {
  write: ['EIO', 'ENOSPC'],
  sync: ['EIO', 'ENOSPC'],
  rename: ['EIO', 'ENOSPC'],
  open: ['EMFILE', 'EIO', 'ENOSPC'],
  read: ['EIO'],
  truncate: ['EIO'],
  unlink: ['EIO'],
  mkdir: ['ENOSPC', 'EIO'],
  list: ['EMFILE', 'EIO'],
};

/** Longest time for one case, ms: nothing in it waits longer than the queue does for the disk (5 s). */
const HANG_MS = 90_000;
/** A case uses a processor and a half: while one process reads a file, its host waits. */
const PROCESSES = Math.max(1, Math.floor(availableParallelism() / 2));

export async function run({ seed, count, only, folder, progress, report, signal }) {
  const { file, missing } = compileFaults(folder);
  if (file === undefined) return { notes: [`not run: ${missing}`] };
  const workers = Array.from({ length: PROCESSES }, (_, i) => {
    const root = join(folder, `libraries-${i}`);
    mkdirSync(root, { recursive: true });
    const env = faultEnvironment(file, { root, state: join(folder, `state-${i}`) });
    return new LineWorker(new URL('support/fault-workload.mjs', import.meta.url), { env, timeoutMs: HANG_MS });
  });
  const isOne = only?.includes(':') ?? false;
  const scripts = only === undefined ? SCRIPTS : SCRIPTS.filter((script) => script === only);
  const cases = isOne ? [caseNamed(only)] : chosen(await allCases(workers[0], scripts), count, seed);
  const kept = join(folder, `results-${seed}.jsonl`);
  const results = isOne ? [] : resultsIn(kept);
  const done = new Set(results.map(({ one }) => nameOf(one)));
  let next = 0;
  const turn = async (worker) => {
    for (let own = next++; own < cases.length && !signal.aborted; own = next++) {
      const one = cases[own];
      if (done.has(nameOf(one))) continue;
      const result = { one, ...(await worker.ask({ number: own, ...faultOf(one) })) };
      results.push(result);
      if (!isOne) appendFileSync(kept, `${JSON.stringify(result)}\n`);
      for (const { kind, what } of findingsOf(result)) report(`${kind}: ${what} (${nameOf(one)})`);
      progress(results.length, cases.length, `${nameOf(one)}, ${results.flatMap(findingsOf).length} findings`);
    }
  };
  await Promise.all(workers.map(turn));
  for (const worker of workers) worker.close();
  return summaryOf(results, seed, cases.length);
}

/** Counts the calls of each script without a fault. */
async function allCases(worker, scripts) {
  if (scripts.length === 0) throw new Error(`--only must be one of ${SCRIPTS.join(', ')}, or SCRIPT:CALL:ERROR:N`);
  const cases = [];
  for (const script of scripts) {
    const fault = { number: 0, script, call: 'write', error: 'EIO', at: 0, length: 0 };
    const { counts, findings = [], ...rest } = await worker.ask(fault);
    if (counts === undefined || findings.length > 0)
      throw new Error(`the script '${script}' fails without a fault: ${JSON.stringify([rest, findings])}`);
    for (const [call, errors] of Object.entries(ERRORS))
      for (let n = 1; n <= counts[call]; n++) for (const error of errors) cases.push({ script, call, error, n });
  }
  return cases;
}

/** Results of the run that was stopped. */
function resultsIn(file) {
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
}

/**
 * In an order drawn from the seed, writes last: they are two thirds, and a run that is ended early has all others. The
 * place of a case does not depend on how many there are: some scripts make a call more or less from run to run.
 */
function chosen(cases, count, seed) {
  const drawOf = (one) =>
    createHash('sha1')
      .update(`${seed} ${nameOf(one)}`)
      .digest('hex');
  const drawn = cases.map((one) => ({ one, at: drawOf(one) })).sort((a, b) => (a.at < b.at ? -1 : 1));
  const taken = drawn.slice(0, count).map(({ one }) => one);
  const late = ({ call }) => Number(call === 'write');
  return taken.sort((a, b) => late(a) - late(b));
}

function faultOf({ script, call, error, n }) {
  const torn = call === 'write' && error === 'EIO' && n % 2 === 0;
  const length = call === 'write' && error === 'ENOSPC' ? TO_THE_END : 1;
  return { script, call, error, at: n, length, torn };
}

function nameOf({ script, call, error, n }) {
  return `${script}:${call}:${error}:${n}`;
}

function caseNamed(only) {
  const [script, call, error, n] = only.split(':');
  if (!SCRIPTS.includes(script) || !ERRORS[call]?.includes(error) || !(Number(n) > 0))
    throw new Error(`--only must be SCRIPT:CALL:ERROR:N, such as work:write:EIO:17, received '${only}'`);
  return { script, call, error, n: Number(n) };
}

function findingsOf({ hung, ended, errors, findings = [] }) {
  if (hung !== undefined) return [{ kind: 'hang', what: `no answer for ${hung} ms ${errors}` }];
  if (ended !== undefined) return [{ kind: 'crash', what: `the process ended with ${ended}: ${errors}` }];
  return findings;
}

function summaryOf(results, seed, most) {
  const all = results.flatMap((result) =>
    findingsOf(result).map((finding) => ({ ...finding, one: result.one, path: result.path, failed: result.failed })),
  );
  const of = (...kinds) => all.filter(({ kind }) => kinds.includes(kind)).length;
  const sum = (values) => values.reduce((total, value) => total + value, 0);
  const hit = results.filter(({ failed }) => failed > 0);
  const codes = {};
  for (const { refusals = [] } of results)
    for (const refusal of refusals) {
      const code = refusal.slice(refusal.lastIndexOf(' ') + 1);
      codes[code] = (codes[code] ?? 0) + 1;
    }
  const failedGood = results.flatMap((result) => (result.failedGood ?? []).map(() => nameOf(result.one)));
  return {
    figures: [
      figure('cases in which the fault happened', hit.length, { least: Math.floor(0.9 * results.length) }),
      figure('acknowledged and lost', of('lost')),
      figure('ghosts, wrong bytes or wrong state', of('ghost', 'wrong')),
      figure('errors without a code', of('uncoded')),
      figure('calls of verify that ended without a report', of('no report')),
      figure('crashes of the process', of('crash')),
      figure('hangs; files neither indexed nor failed when idle', of('hang', 'stuck')),
      figure('problems that verify finds afterwards', of('verify')),
      figure('files left open after close', of('left open')),
    ],
    rows: Object.entries(ERRORS).flatMap(([call, errors]) =>
      errors.map((error) => {
        const own = results.filter(({ one }) => one.call === call && one.error === error);
        return { what: `${call} ${error}`, count: own.length, findings: sum(own.map((r) => findingsOf(r).length)) };
      }),
    ),
    findings: all.map(({ kind, what, one, path, failed }) => ({
      what: `${kind}: ${what} (${one.error} at ${one.call} ${one.n} of ${one.script}, ${path}, ${failed} failed)`,
      repeat: `--seed ${seed} --only ${nameOf(one)}`,
    })),
    notes: [
      `${results.length} of ${most} cases were run`,
      `calls of the engine: ${sum(results.map(({ calls }) => calls?.acknowledged ?? 0))} acknowledged, ` +
        `${sum(results.map(({ calls }) => calls?.refused ?? 0))} refused; codes of refusals: ${JSON.stringify(codes)}`,
      `sound files that ended failed: ${failedGood.length}${failedGood.length > 0 ? `, such as ${failedGood[0]}` : ''}`,
    ],
  };
}
