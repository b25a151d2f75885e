/**
 * A large library: how fast it fills, opens and answers, and what a part costs in memory and on disk.
 *
 * Data: generated parts (parts/many-parts.mjs), put through the public API as binary STL. A library that is kept
 * (--library) is filled up to the wanted size and used again. Then another process opens the library, loads the company
 * and searches by UID, limit 20, for parts drawn from the whole library; at the first searches only the system's disk
 * cache is warm. Processor time of the process is printed beside the clock time: on a busy machine it is closer to the
 * clock time of a quiet one. With --warm-up N the company first runs N searches of its own, timed separately. A second
 * round, with each part once more, attributes the time to steps with a sampling profiler.
 *
 * For sizes that take an hour to fill, --shapes N reads N parts and writes the library through the store: every file
 * gets the descriptors of one of them, moved slightly, and its sizes changed (support/described-parts.mjs), and no
 * views. Moved are the compact vector, the fine descriptor and the measures of the surface, so a million files have a
 * million shapes, about half as far from the part they come from as its nearest other part is; faces, and the triangles
 * within the surface's box, are not (support/moved-descriptors.mjs). The first hits are then not checked. With
 * --multiply so many parts are written, and their rows are copied up to --parts (support/multiplied-library.mjs), moved
 * likewise, without words and faces.
 * --exact-limit: the option of the engine; above it a graph is built meanwhile. --puts-a-second N: in a third round, so
 * many files a second are put while it searches (each one of a few small parts, moved), beside the same searches
 * without; each 10 ms a search begins, or when the one before has ended. A library to which files were put once has
 * them: use a copy for each run.
 *
 * --search-memory MIB: the option `searchMemoryMiB`; too little, and every search reads the vectors from the database.
 *
 * npm run bench -- scale [--search-memory MIB] [--parts 10000] [--shapes N [--multiply N]] [--exact-limit N]
 * [--puts-a-second N] [--library DIR] [--searches 200] [--warm-up 0] [--json]
 */
import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { DEFAULT_ENGINE_OPTIONS, Engine } from 'shapedex';
import { TERM_MAKER } from '../dist/words/file-terms.js';
import { CONTENT_VERSION, NO_VIEWS } from '../dist/indexing/worker/file-description.js';

import { openLibrary } from '../dist/library.js';
import { describedParts } from './support/described-parts.mjs';
import { multiply } from './support/multiplied-library.mjs';
import { manyParts } from './parts/many-parts.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { mulberry32 } from './parts/reference/kit.mjs';

const COMPANY = 'bench';
const BATCH = 128;
const LIMIT = 20;
const SAMPLE_MICROSECONDS = 200;
/** A search begins at most this often while files come, ms. */
const SEARCH_EVERY_MS = 10;
/**
 * Steps of a search and the functions that belong to them; time is counted for the innermost such function, else for
 * 'other'.
 */
const STEPS = {
  '#query': 'input',
  '#candidates': 'candidates',
  some: 'fetch',
  compareFine: 'compare finely',
  shapeDistances: 'compare finely',
  neighbourhoods: 'neighbourhoods',
  findSameParts: 'same part',
  '#hit': 'hits',
  '(garbage collector)': 'collecting garbage',
};

const args = benchOptions({
  parts: { type: 'string', default: '10000' },
  library: { type: 'string' },
  searches: { type: 'string', default: '200' },
  'warm-up': { type: 'string', default: '0' },
  shapes: { type: 'string' },
  multiply: { type: 'string' },
  'exact-limit': { type: 'string', default: String(DEFAULT_ENGINE_OPTIONS.exactLimit) },
  'puts-a-second': { type: 'string', default: '0' },
  'search-memory': { type: 'string' },
});
const ENGINE_OPTIONS = {
  exactLimit: Number(args['exact-limit']),
  ...(args['search-memory'] === undefined ? {} : { searchMemoryMiB: Number(args['search-memory']) }),
};
if (process.send !== undefined) {
  process.once('message', async (uids) => process.send(await measure(args.library, uids), () => process.disconnect()));
} else {
  const library = args.library ?? mkdtempSync(join(tmpdir(), 'shapedex-scale-'));
  try {
    const { filling, uids } = await fill(library, Number(args.parts));
    const measured = await inChild(library, draw(uids, Number(args.searches)));
    const report = { machine: await machine(), load: loadavg()[0], parts: uids.length, filling, ...measured };
    if (args.json) console.log(JSON.stringify(report));
    else print(report);
  } finally {
    if (args.library === undefined) rmSync(library, { recursive: true, force: true });
  }
}

/** Puts the parts that the library lacks; returns the UIDs of all parts. */
async function fill(library, parts) {
  if (args.shapes !== undefined && !existsSync(join(library, 'catalog.sqlite')))
    await writeFiles(library, Math.min(parts, Number(args.multiply ?? parts)), Number(args.shapes));
  const catalogue = join(library, 'catalog.sqlite');
  if (args.multiply !== undefined) multiply(catalogue, parts);
  const engine = await Engine.open(library, ENGINE_OPTIONS);
  try {
    const company = await engine.company(COMPANY);
    const had = (await engine.stats()).files;
    let filling;
    if (had < parts) {
      const cpu = process.cpuUsage(),
        started = performance.now();
      await putParts(company, had, parts);
      await engine.idle();
      filling = {
        files: parts - had,
        seconds: (performance.now() - started) / 1000,
        cpuSeconds: secondsOf(process.cpuUsage(cpu)),
      };
    }
    return { filling, uids: uidsOf(catalogue) };
  } finally {
    await engine.close();
  }
}

/**
 * UIDs of all indexed files, read from the catalogue: a million of them by the public API take longer than the bench.
 */
function uidsOf(catalogue) {
  const database = new Database(catalogue, { readonly: true });
  try {
    return database.prepare("SELECT uid FROM file WHERE state = 'indexed' ORDER BY path").pluck().all();
  } finally {
    database.close();
  }
}

/** Writes files with given descriptors; their bytes are never read. */
async function writeFiles(library, parts, shapes) {
  const shapeOf = await describedParts(`${library}-shapes`, shapes);
  await (await Engine.open(library)).close();
  const store = await openLibrary(library, {
    fileBytesLimit: 1e9,
    crashLimit: 10,
    terms: TERM_MAKER,
  });
  const companyId = await store.company(COMPANY);
  const random = mulberry32(5);
  for (let first = 0; first < parts; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, parts - first) }, (_, i) => first + i);
    const entered = await Promise.all(
      numbers.map((number) =>
        store.put({
          companyId,
          path: `part-${number}.stl`,
          overwrite: true,
          textOnly: false,
          kind: 'ThreeD',
          priority: 3,
          source: Buffer.from(`bytes ${number % BATCH}`),
        }),
      ),
    );
    const indexed = {
      kind: 'ThreeD',
      warnings: [],
      contentVersion: CONTENT_VERSION,
      faceCount: null,
      pageCount: null,
      pages: [],
      extracted: [],
      views: NO_VIEWS,
    };
    await Promise.all(entered.map(({ fileId }) => store.jobs.complete(fileId, { ...indexed, shape: shapeOf(random) })));
  }
  await store.close();
  rmSync(`${library}-shapes`, { recursive: true, force: true });
}

async function putParts(company, from, to) {
  const partOf = await manyParts();
  let before;
  for (let first = from; first < to; first += BATCH) {
    const puts = [];
    for (let number = first; number < Math.min(to, first + BATCH); number++) {
      const { path, bytes } = partOf(number);
      puts.push(company.put(path, bytes, { wait: false }));
    }
    const records = await Promise.all(puts);
    // At most two batches are queued: the next one is generated while the last one is indexed.
    await before;
    before = company.put(records.at(-1).path, partOf(Math.min(to, first + BATCH) - 1).bytes);
    if (process.stderr.isTTY) process.stderr.write(`\r${first} of ${to} parts\x1b[K`);
  }
  await before;
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

function inChild(library, uids) {
  return new Promise((resolve, reject) => {
    const child = fork(
      fileURLToPath(import.meta.url),
      [
        '--library',
        library,
        '--warm-up',
        args['warm-up'],
        '--exact-limit',
        args['exact-limit'],
        '--puts-a-second',
        args['puts-a-second'],
        ...['shapes', 'search-memory'].flatMap((name) => (args[name] === undefined ? [] : [`--${name}`, args[name]])),
      ],
      { execArgv: ['--expose-gc'] },
    );
    child
      .once('message', resolve)
      .once('error', reject)
      .once('exit', (code) => reject(new Error(`the measuring process ended with ${code}`)));
    child.send(uids);
  });
}

async function measure(library, uids) {
  const before = residentBytes();
  const opening = stopwatch();
  const engine = await Engine.open(library, ENGINE_OPTIONS);
  const company = await engine.company(COMPANY);
  const open = opening();
  const opened = residentBytes();
  const warming = stopwatch();
  await company.warmUp({ searches: Number(args['warm-up']) });
  const warmUp = warming();
  const search = async (uid) => {
    const searching = stopwatch();
    const { hits } = await company.search({ like: { uid }, limit: LIMIT });
    const times = searching();
    if (args.shapes === undefined && hits[0].score > 0.01)
      throw new Error(`searching with ${uid} found ${hits[0].uid} first, score ${hits[0].score}`);
    return { ...times, same: hits.filter(({ matchClass }) => matchClass === 'identical').length };
  };
  const cold = [],
    warm = [];
  for (const uid of uids) cold.push(await search(uid));
  const steps = await profiled(async () => {
    for (const uid of uids) warm.push(await search(uid));
  }, uids.length);
  const searched = residentBytes();
  const beside = args['puts-a-second'] === '0' ? undefined : await searchesBesidePuts(company, search, uids);
  const { catalogBytes, blobBytes, cacheBytes } = await engine.stats();
  await engine.close();
  const spread = (values) => ({ p50: quantile(values, 0.5), p95: quantile(values, 0.95), worst: Math.max(...values) });
  const timesOf = (rows) => ({
    ms: spread(rows.map(({ ms }) => ms)),
    processorMs: spread(rows.map(({ processorMs }) => processorMs)),
  });
  return {
    open,
    warmUp,
    cold: timesOf(cold),
    warm: timesOf(warm),
    steps,
    ...(beside === undefined
      ? {}
      : {
          beside: {
            ...beside,
            quiet: timesOf(beside.quiet),
            puts: timesOf(beside.puts),
            acknowledged: { count: beside.acknowledged.length, ...spread(beside.acknowledged) },
          },
        }),
    sameParts: cold.reduce((sum, { same }) => sum + same - 1, 0) / cold.length,
    memory: { before, opened, searched },
    disk: { catalogBytes, blobBytes, cacheBytes },
  };
}

/**
 * The same searches in turns: without, and while files come at the wanted rate, each acknowledged; how many came. The
 * processor time of the second includes the puts.
 */
async function searchesBesidePuts(company, search, uids) {
  const partOf = await manyParts();
  const quiet = [],
    puts = [],
    acknowledged = [];
  const pending = new Set();
  let put = 0;
  let failed;
  const half = uids.slice(0, Math.ceil(uids.length / 2));
  const paced = async (times) => {
    for (const uid of half) {
      const next = performance.now() + SEARCH_EVERY_MS;
      times.push(await search(uid));
      await sleep(Math.max(0, next - performance.now())); // Puts want turns of the event loop too.
    }
  };
  await paced(quiet);
  const started = performance.now();
  const timer = setInterval(() => {
    while (put < ((performance.now() - started) / 1000) * Number(args['puts-a-second'])) {
      const { path, bytes } = partOf(put % 16);
      // Other bytes, so that each is a new part to be stored and read.
      const own = Buffer.concat([bytes, Buffer.from(`put ${put}`)]);
      const asked = performance.now();
      const adding = company.put(`come/${put++}-${path}`, own, { wait: false }).then(
        () => acknowledged.push(performance.now() - asked),
        (cause) => {
          failed = cause;
        },
      );
      pending.add(adding);
      void adding.then(() => pending.delete(adding));
    }
  }, 10);
  await paced(puts);
  clearInterval(timer);
  const seconds = (performance.now() - started) / 1000;
  const during = [...acknowledged];
  await Promise.all(pending);
  if (failed !== undefined) throw failed;
  return { quiet, puts, rate: put / seconds, acknowledged: during };
}

/** Starts a timer; the returned function gives the clock and processor time since then, ms. */
function stopwatch() {
  const cpu = process.cpuUsage(),
    start = performance.now();
  return () => ({ ms: performance.now() - start, processorMs: 1000 * secondsOf(process.cpuUsage(cpu)) });
}

/** Runs `work` under the sampling profiler; returns the milliseconds of each step, divided by `count`. */
async function profiled(work, count) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  await work();
  const {
    profile: { nodes, samples, timeDeltas },
  } = await session.post('Profiler.stop');
  session.disconnect();
  const stepOf = new Map();
  const share = (node, outer) => {
    const step = STEPS[node.callFrame.functionName] ?? outer;
    stepOf.set(node.id, node.callFrame.functionName === '(idle)' ? undefined : step);
    for (const child of node.children ?? []) share(byId.get(child), step);
  };
  const byId = new Map(nodes.map((node) => [node.id, node]));
  share(nodes[0], 'other');
  const steps = {};
  samples.forEach((id, i) => {
    const step = stepOf.get(id);
    if (step !== undefined) steps[step] = (steps[step] ?? 0) + timeDeltas[i] / 1000 / count;
  });
  return steps;
}

function residentBytes() {
  globalThis.gc();
  return process.memoryUsage().rss;
}

function draw(uids, count) {
  const random = mulberry32(1);
  return Array.from({ length: count }, () => uids[Math.floor(uids.length * random())]);
}

function secondsOf({ user, system }) {
  return (user + system) / 1e6;
}

function print(report) {
  const { machine, load, parts, filling, open, warmUp, cold, warm, steps, beside, sameParts, memory, disk } = report;
  const each = (bytes) => `${Math.round(bytes / parts).toLocaleString('en')} bytes a part`;
  const spread = ({ p50, p95, worst }) => `p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} worst ${worst.toFixed(1)} ms`;
  const times = ({ ms, processorMs }) => `${spread(ms)}; of processor ${spread(processorMs)}`;
  console.log(`${parts.toLocaleString('en')} parts; ${machine}; load ${load.toFixed(1)}`);
  if (filling !== undefined) {
    const { files, seconds, cpuSeconds } = filling;
    console.log(
      `put and indexed ${files} parts in ${seconds.toFixed(0)} s: ${(files / seconds).toFixed(0)} a second, ` +
        `${((1000 * cpuSeconds) / files).toFixed(1)} ms of processor a part (making it included)`,
    );
  }
  console.log(`open:    ${open.ms.toFixed(0)} ms, of processor ${open.processorMs.toFixed(0)} ms`);
  if (args['warm-up'] !== '0')
    console.log(`warm-up: ${warmUp.ms.toFixed(0)} ms, of processor ${warmUp.processorMs.toFixed(0)} ms`);
  console.log(`search:  ${times(cold)}; ${sameParts.toFixed(2)} other copies found a search`);
  console.log(`again:   ${times(warm)}, of which in the mean`);
  for (const [step, ms] of Object.entries(steps).sort(([, a], [, b]) => b - a))
    console.log(`         ${ms.toFixed(2).padStart(6)} ms ${step}`);
  if (beside !== undefined) {
    console.log(`quiet:   ${times(beside.quiet)}`);
    console.log(`while ${beside.rate.toFixed(0)} files a second come: ${times(beside.puts)}`);
    console.log(
      `         ${beside.acknowledged.count} of them acknowledged meanwhile, in ${spread(beside.acknowledged)}`,
    );
  }
  console.log(
    `memory:  ${each(memory.opened - memory.before)} when open; ${(memory.searched / 2 ** 20).toFixed(0)} MiB ` +
      `resident after the searches`,
  );
  console.log(
    `disk:    catalogue ${each(disk.catalogBytes)}, blobs ${each(disk.blobBytes)}, cache ${each(disk.cacheBytes)}`,
  );
}
