/**
 * Search across kinds in a large library: how long it takes to open, how fast drawings and images find models, and what
 * a shapelet costs.
 *
 * Data: synthetic files, stored as the workers would store them. Their views are generated (rotated polygons and
 * circles, as silhouettes and lines), described like real ones, and distributed with some noise: a model has 30, a
 * drawing 4, an image 1; drawings and images have one page with a layout of ink. Of ten files seven are models, two
 * drawings, one an image. Another process opens the library and searches by UID, limit 20. Processor time is printed
 * beside the clock time: on a busy machine it is closer to the clock time of a quiet one.
 *
 * --shapes N: models also have surfaces, faces and sizes, those of N generated parts moved (support/shaped-models.mjs),
 * and after searching by views the process searches by surface, for parts that hold others, and by words of paths. Then
 * "all warm" is what it holds resident with garbage collected, every kind of search having run. --beside M: the same in
 * a library of M files; the difference of the two processes divided by the difference of their files is the memory a
 * file. Texts and attributes are in neither: they lie in tables, of which a connection keeps a bounded number of pages.
 *
 * npm run bench -- views-scale [--files 10000] [--library DIR] [--searches 100] [--warm-up 40]
 *     [--search-memory MIB] [--shapes N [--beside M]] [--json]
 * --warm-up: first searches of each kind, while V8 still compiles; their median stands apart.
 * --search-memory: the engine's `searchMemoryMiB`; too little, and views are read from a table by every search.
 */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Engine, DEFAULT_LIMITS } from 'shapedex';
import { Core } from '../dist/core-entry.js';
import { VIEW_BYTES } from '../dist/descriptors/views.js';
import { termMaker } from '../dist/words/file-terms.js';
import { CONTENT_VERSION } from '../dist/indexing/worker/file-description.js';
import { openLibrary } from '../dist/library.js';
import { viewMaker } from './support/drawn-views.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { giveShapes } from './support/shaped-models.mjs';
import { mulberry32 } from './parts/reference/kit.mjs';

const COMPANY = 'bench';
const BATCH = 256;
/** Number of models, drawings and images in ten files. */
const KINDS = ['ThreeD', 'ThreeD', 'ThreeD', 'ThreeD', 'ThreeD', 'ThreeD', 'ThreeD', 'TwoD', 'TwoD', 'Image'];

const args = benchOptions({
  files: { type: 'string', default: '10000' },
  library: { type: 'string' },
  searches: { type: 'string', default: '100' },
  'warm-up': { type: 'string', default: '40' },
  'search-memory': { type: 'string' },
  shapes: { type: 'string' },
  beside: { type: 'string' },
});
if (process.send !== undefined) {
  process.once('message', async (uids) => process.send(await measure(args.library, uids), () => process.disconnect()));
} else {
  const library = args.library ?? mkdtempSync(join(tmpdir(), 'shapedex-views-'));
  const smaller = `${library}-beside`;
  try {
    const files = Number(args.files);
    const uids = await fill(library, files);
    const report = { machine: await machine(), load: loadavg()[0], files, ...(await inChild(library, uids)) };
    if (args.beside !== undefined) {
      const beside = Number(args.beside);
      const { memory } = await inChild(smaller, await fill(smaller, beside));
      report.beside = { files: beside, memory };
    }
    if (args.json) console.log(JSON.stringify(report));
    else print(report);
  } finally {
    if (args.library === undefined)
      for (const folder of [library, smaller]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Fills an empty library. Returns UIDs to search with, by kind. */
async function fill(library, files) {
  const engine = await Engine.open(library);
  const company = await engine.company(COMPANY);
  const had = await company.list({ limit: 10 * files });
  await engine.close();
  if (had.length < files) await put(library, files);
  if (args.shapes !== undefined) await giveShapes(library, Number(args.shapes));
  const again = await Engine.open(library);
  const records = await (await again.company(COMPANY)).list({ limit: 10 * files });
  await again.close();
  const random = mulberry32(7);
  return Object.fromEntries(
    ['TwoD', 'Image', 'ThreeD'].map((kind) => {
      const of = records.filter((record) => record.kind === kind && record.state === 'indexed');
      return [
        kind,
        Array.from(
          { length: Number(args['warm-up']) + Number(args.searches) },
          () => of[Math.floor(random() * of.length)].uid,
        ),
      ];
    }),
  );
}

async function put(library, files) {
  const core = await Core.load();
  const random = mulberry32(1);
  const viewsOf = viewMaker(core, random);
  const store = await openLibrary(library, {
    fileBytesLimit: DEFAULT_LIMITS.fileBytes,
    crashLimit: 3,
    terms: termMaker(DEFAULT_LIMITS),
  });
  const companyId = await store.company(COMPANY);
  for (let first = 0; first < files; first += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, files - first) }, (_, i) => first + i);
    await Promise.all(
      numbers.map((i) =>
        store.put({
          companyId,
          path: `${Math.floor(i / 100)}/${i}.bin`,
          kind: KINDS[i % 10],
          overwrite: true,
          textOnly: false,
          priority: 3,
          source: randomBytes(16),
        }),
      ),
    );
    const jobs = await store.jobs.claim(BATCH, { idle: true });
    await Promise.all(
      jobs.map((job) => {
        const kind = KINDS[Number(job.path.replace(/.*\/|\.bin/g, '')) % 10];
        return store.jobs.complete(job.fileId, {
          kind,
          warnings: [],
          contentVersion: CONTENT_VERSION,
          faceCount: null,
          pageCount: kind === 'ThreeD' ? null : 1,
          pages: [],
          extracted: [],
          views: viewsOf(kind),
        });
      }),
    );
  }
  await store.close();
}

function inChild(library, uids) {
  return new Promise((resolve, reject) => {
    const given = ['search-memory', 'shapes', 'warm-up'].flatMap((name) =>
      args[name] === undefined ? [] : [`--${name}`, args[name]],
    );
    const child = fork(fileURLToPath(import.meta.url), ['--library', library, '--searches', args.searches, ...given], {
      execArgv: ['--expose-gc'],
    });
    child.once('message', resolve).once('error', reject);
    child.send(uids);
  });
}

async function measure(library, uids) {
  const memory = { start: resident() };
  const started = performance.now(),
    cpu = process.cpuUsage();
  const bound = args['search-memory'];
  const engine = await Engine.open(library, bound === undefined ? {} : { searchMemoryMiB: Number(bound) });
  const company = await engine.company(COMPANY);
  const openMs = performance.now() - started,
    openCpuMs = cpuMs(cpu);
  const { shapelets } = await engine.stats();
  memory.open = resident();
  const searches = {};
  for (const [kind, inputs] of Object.entries(uids)) {
    // Models find models by their surfaces, which these lack; here they only find drawings and images.
    const query = (uid) => ({ like: { uid }, limit: 20, ...(kind === 'ThreeD' ? { kinds: ['TwoD', 'Image'] } : {}) });
    const clock = [],
      processor = [];
    for (const uid of inputs) {
      const start = performance.now(),
        used = process.cpuUsage();
      const { hits } = await company.search(query(uid));
      if (kind !== 'ThreeD' && hits[0].uid !== uid) throw new Error(`${uid} does not find itself first`);
      clock.push(performance.now() - start);
      processor.push(cpuMs(used));
    }
    const warm = Number(args['warm-up']);
    const [cold, warmClock, warmProcessor] = [processor.slice(0, warm), clock.slice(warm), processor.slice(warm)];
    searches[kind] = {
      p50Ms: quantile(warmClock, 0.5),
      p95Ms: quantile(warmClock, 0.95),
      p50CpuMs: quantile(warmProcessor, 0.5),
      p95CpuMs: quantile(warmProcessor, 0.95),
      firstCpuMs: quantile(cold, 0.5),
    };
  }
  memory.views = resident();
  if (args.shapes !== undefined) {
    await warmOthers(company, uids.ThreeD, memory);
    memory.kept = heldBytes();
  }
  await engine.close();
  return { shapelets, openMs, openCpuMs, memory, searches };
}

/** Searches by surface, by a shape that others hold, and by words; notes what is resident after each. */
async function warmOthers(company, models, memory) {
  for (const uid of models) await company.search({ like: { uid }, limit: 20 });
  memory.surfaces = resident();
  for (const uid of models.slice(0, 3)) await company.search({ contains: { uid }, limit: 20 });
  memory.contains = resident();
  for (let number = 1; number <= 20; number++) await company.search({ text: [String(number)], limit: 20 });
  memory.words = resident();
}

/** Resident memory with garbage collected, bytes. */
function resident() {
  globalThis.gc();
  return process.memoryUsage.rss();
}

/** Of that: objects of JavaScript, and buffers with the memory of the core, bytes. */
function heldBytes() {
  const { heapUsed, external } = process.memoryUsage();
  return { heapUsed, external };
}

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function print({ machine: where, load, files, shapelets, openMs, openCpuMs, memory, searches, beside }) {
  const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(0)} MiB`;
  const more = memory.open - memory.start;
  console.log(`${where}; load ${load.toFixed(1)}`);
  console.log(`${files} files, ${shapelets} shapelets`);
  console.log(
    `opened in ${openMs.toFixed(0)} ms (processor ${openCpuMs.toFixed(0)} ms); ${mib(more)} more, ` +
      `${(more / shapelets).toFixed(0)} bytes a shapelet, ${VIEW_BYTES} on disk; ` +
      `${mib(memory.views)} resident after the searches`,
  );
  for (const [kind, { p50Ms, p95Ms, p50CpuMs, p95CpuMs, firstCpuMs }] of Object.entries(searches)) {
    console.log(
      `${kind.padEnd(6)} p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms; processor ` +
        `${p50CpuMs.toFixed(1)} and ${p95CpuMs.toFixed(1)} ms; before, p50 of the first ${args['warm-up']} ` +
        `${firstCpuMs.toFixed(1)} ms`,
    );
  }
  if (memory.words === undefined) return;
  for (const [of, found] of [[files, memory], ...(beside ? [[beside.files, beside.memory]] : [])]) {
    const { kept, ...steps } = found;
    const each = Object.entries(steps).map(([step, bytes]) => `${step} ${mib(bytes)}`);
    console.log(
      `resident, ${of} files: ${each.join(', ')} (objects ${mib(kept.heapUsed)}, buffers ${mib(kept.external)})`,
    );
  }
  if (beside === undefined) return;
  const perFile = (a, b) => `${Math.round((a - b) / (files - beside.files))}`;
  const steps = ['open', 'views', 'surfaces', 'contains', 'words'];
  console.log(
    `memory a file, all warm: ${perFile(memory.words, beside.memory.words)} bytes (difference of the two; ` +
      `${steps.map((step) => `${step} ${perFile(memory[step], beside.memory[step])}`).join(', ')})`,
  );
}
