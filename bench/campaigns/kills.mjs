/**
 * kill -9 of the process that has a library open, and of its reading processes, at times drawn from the seed.
 *
 * Four clients by the API and two over HTTP put, replace, rename and delete files of five kinds, set attributes, put
 * and delete search inputs, add and remove categories, users, saved searches and companies, each on subjects of its
 * own; the driver notes what was acknowledged. The host is killed after up to 16 acknowledged calls, one time in seven
 * while it opens. It is started again and its library compared: every record, hash of bytes, attributes, input and
 * fact. Every LIBRARY_KILLS kills the library must be idle and `verify` clean, files with a shape find themselves, and
 * the next library begins. Reading processes are killed meanwhile; they must end when their host does.
 *
 * Asked: 1,000 kills, 0 acknowledged and lost, 0 ghosts (never put, or deleted), 0 wrong bytes, attributes or values,
 * 0 calls refused, 0 problems found by `verify`, no reading process that outlives its host.
 * `--only L` runs library number L alone.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { mulberry32 } from '../parts/reference/kit.mjs';
import { figure } from './frame.mjs';
import { Client, make } from './support/client.mjs';
import { Expected } from './support/expected.mjs';
import { Gone, HostProcess, isAlive, readersOf } from './support/host-process.mjs';
import { wantsProcessor } from './support/workers.mjs';

export const DEFAULTS = { seed: 1, count: 1_000 };

/** Kills of the host before a library is looked through and the next one begins. */
const LIBRARY_KILLS = 50;
/** Most acknowledged calls, and most time after them, ms, before a host is killed. */
const RUN_CALLS = 16;
const RUN_MS = 150;
/** Longest time for these calls, ms. */
const LONGEST_MS = 10_000;
const OPENING_SHARE = 1 / 7;
const OPENING_MS = 500;
/** Most reading processes killed under one host. */
const READERS_MOST = 3;
/** Longest time until a host is ready, has answered or is idle, and until its reading processes are gone, ms. */
const PATIENCE_MS = 120_000;
/** How often a host that wants a processor is waited for again. */
const MOST_WAITS = 10;
const ORPHAN_MS = 10_000;
const SEARCHED = 20;

export async function run({ seed, count, only, folder, progress, report, signal }) {
  const totals = { host: 0, opening: 0, readers: 0, records: 0, failed: {}, expected: [] };
  const findings = [];
  const kills = () => totals.host + totals.readers;
  for (let number = only === undefined ? 1 : Number(only); kills() < count && !signal.aborted; number++) {
    const library = new KilledLibrary({ seed, number, folder: join(folder, `library-${number}`), totals, report });
    await library.run(() => {
      progress(kills(), count, `library ${number}, ${findings.length + library.findings.length} findings`);
      return kills() >= count || signal.aborted;
    });
    findings.push(...library.findings);
    if (library.findings.length === 0) rmSync(library.folder, { recursive: true, force: true, maxRetries: 3 });
    if (only !== undefined) break;
  }
  return summaryOf(totals, findings, only === undefined ? count : 1);
}

/** One library through its kills. */
class KilledLibrary {
  findings = [];
  #expected = new Expected();
  #uids = new Map();
  #random;
  #clients;
  #repeat;
  #totals;
  #report;

  constructor({ seed, number, folder, totals, report }) {
    this.#report = report;
    this.folder = folder;
    this.#random = mulberry32(1_000_003 * seed + number);
    this.#totals = totals;
    this.#repeat = `--seed ${seed} --only ${number}`;
    this.#clients = ['a0', 'a1', 'a2', 'a3', 'h0', 'h1'].map(
      (name, i) => new Client(name, mulberry32(7_777_777 * seed + 10 * number + i), name.startsWith('h')),
    );
  }

  /** @param {() => boolean} enough asked after each kill */
  async run(enough) {
    for (let kill = 0; kill < LIBRARY_KILLS; kill++) {
      await this.#round();
      if (enough()) break;
    }
    const host = new HostProcess(this.folder, { workers: 1 });
    try {
      await within(this.#compare(host), 'compare', host.pid);
      await within(this.#lookThrough(host), 'idle and verify', host.pid);
      await within(host.ask('close'), 'close', host.pid);
    } catch (cause) {
      this.#found('lost', `the library cannot be looked through: ${cause.message}`);
    } finally {
      host.kill();
      await host.ended;
    }
    this.#totals.expected.push(this.#expected.count);
  }

  /** From the start of a host to its end. */
  async #round() {
    const host = new HostProcess(this.folder, { workers: 1 });
    if (this.#random() < OPENING_SHARE) {
      await sleep(OPENING_MS * this.#random());
      this.#totals.opening++;
    } else {
      try {
        const { url } = await within(this.#compare(host), 'compare', host.pid);
        await this.#work(host, url);
      } catch (cause) {
        const { errors } = await Promise.race([host.ended, sleep(100, { errors: '' })]);
        this.#found('crash', `the host does not open: ${cause.message} ${errors}`);
      }
    }
    const readers = readersOf(host.pid);
    host.kill();
    await host.ended;
    this.#expected.interrupt();
    this.#totals.host++;
    const end = performance.now() + ORPHAN_MS;
    while (readers.some(isAlive) && performance.now() < end) await sleep(20);
    for (const reader of readers.filter(isAlive)) {
      this.#found('orphan', `reading process ${reader} lives ${ORPHAN_MS} ms after its host`);
      process.kill(reader, 'SIGKILL');
    }
  }

  async #compare(host) {
    const ready = await host.ready;
    const held = await host.ask('held', { inputs: this.#expected.named('input-') });
    for (const { kind, what } of this.#expected.compare(held)) this.#found(kind, what);
    this.#totals.records += held.files.length;
    for (const { path, uid } of held.files) this.#uids.set(this.#expected.ownerOf(path), uid);
    await host.ask('know', { files: Object.fromEntries(this.#uids) });
    return ready;
  }

  /** Clients make calls until the time that is drawn; then the host is killed under them. */
  async #work(host, url) {
    const stop = { now: false };
    const clients = this.#clients.map(async (client) => {
      while (!stop.now) {
        const call = client.next(this.#expected);
        const { http } = client;
        const ended = await make(call, { host, url, http, expected: this.#expected, uids: this.#uids });
        if (ended.gone) return;
        // Files that came over HTTP are known to the driver alone.
        if (ended.refused !== undefined) this.#found('refused', `${call.call} ${call.name}: ${ended.refused}`);
      }
    });
    const { acknowledged } = this.#expected.count;
    const calls = Math.floor(RUN_CALLS * this.#random());
    const after = () => this.#expected.count.acknowledged - acknowledged;
    const readers = Array.from(
      { length: Math.floor((READERS_MOST + 1) * this.#random()) },
      () => calls * this.#random(),
    );
    const end = performance.now() + LONGEST_MS;
    for (const number of [...readers.sort((a, b) => a - b), calls]) {
      while (after() < number && performance.now() < end && !host.gone) await sleep(5);
      if (number < calls) this.#killReader(host);
    }
    await sleep(RUN_MS * this.#random());
    stop.now = true;
    const alive = await Promise.race([host.ended, sleep(0)]);
    if (alive !== undefined) this.#found('crash', `the host ended by itself: ${JSON.stringify(alive)}`);
    host.kill();
    await Promise.all(clients);
  }

  #killReader(host) {
    const readers = readersOf(host.pid);
    if (readers.length === 0) return;
    process.kill(readers[Math.floor(readers.length * this.#random())], 'SIGKILL');
    this.#totals.readers++;
  }

  async #lookThrough(host) {
    await host.ask('idle');
    const { problems } = await host.ask('verify');
    for (const { code, message } of problems) this.#found('verify', `${code}: ${message}`);
    const { files } = await host.ask('held', { inputs: [] });
    for (const { path, state, code } of files) {
      if (state === 'failed') this.#totals.failed[code] = (this.#totals.failed[code] ?? 0) + 1;
      else if (state !== 'indexed') this.#found('stuck', `${path} is ${state} when idle`);
    }
    const shaped = files.filter(({ path, state }) => state === 'indexed' && path.endsWith('.stl')).slice(-SEARCHED);
    for (const { path, uid } of shaped) {
      const { hits } = await host.ask('search', { query: { like: { uid }, limit: 20 } });
      if (!hits.some((hit) => hit.uid === uid && hit.score === 0)) this.#found('wrong', `${path} finds not itself`);
    }
  }

  #found(kind, what) {
    this.#report(`${kind}: ${what}`);
    this.findings.push({ kind, what: `${kind}: ${what}`, repeat: this.#repeat });
  }
}

async function within(work, what, pid) {
  const timer = new AbortController();
  const { signal } = timer;
  // On a busy machine a host that wants a processor and gets none is waited for.
  const late = (async () => {
    for (let waits = 1; waits <= MOST_WAITS; waits++) {
      await sleep(PATIENCE_MS, undefined, { signal });
      if (!wantsProcessor(pid)) throw new Error(`${what}: no answer for ${waits * PATIENCE_MS} ms`);
    }
    throw new Error(`${what}: no answer, though it ran, for ${MOST_WAITS * PATIENCE_MS} ms`);
  })().catch((cause) => {
    if (!signal.aborted) throw cause;
  });
  try {
    const done = await Promise.race([work, late]);
    return done;
  } catch (cause) {
    throw cause instanceof Gone ? new Error(`${what}: the host ended`) : cause;
  } finally {
    timer.abort();
  }
}

function summaryOf({ host, opening, readers, records, failed, expected }, findings, count) {
  const of = (...kinds) => findings.filter(({ kind }) => kinds.includes(kind)).length;
  const sum = (key) => expected.reduce((total, counted) => total + counted[key], 0);
  return {
    figures: [
      figure('kills', host + readers, { least: count }),
      figure('acknowledged and lost', of('lost')),
      figure('ghosts', of('ghost')),
      figure('wrong bytes, attributes or values', of('wrong')),
      figure('calls refused while the host lived', of('refused')),
      figure('problems that verify finds, files stuck', of('verify', 'stuck')),
      figure('hosts that ended by themselves or do not open', of('crash')),
      figure('reading processes that outlive their host', of('orphan')),
    ],
    rows: [
      { what: 'kills of the host', count: host, note: `of these ${opening} while it opened` },
      { what: 'kills of a reading process', count: readers },
      { what: 'libraries', count: expected.length },
      { what: 'records compared', count: records, findings: of('lost', 'ghost', 'wrong') },
      { what: 'calls acknowledged', count: sum('acknowledged'), note: `of ${sum('begun')} begun` },
    ],
    findings,
    notes: [`sound files that ended failed, by code: ${JSON.stringify(failed)}`],
  };
}
