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
 * npm run bench -- views-scale [--files 10000] [--library DIR] [--searches 100] [--search-memory MIB] [--json]
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
import { uprightOf } from '../dist/core/view-facts.js';
import { packPictures } from '../dist/descriptors/pack-pictures.js';
import { LAYOUT_BYTES, LAYOUT_SIDE } from '../dist/descriptors/layouts.js';
import { VIEWS_VERSION, VIEW_BYTES, describeViews } from '../dist/descriptors/views.js';
import { termMaker } from '../dist/words/file-terms.js';
import { CONTENT_VERSION } from '../dist/indexing/worker/file-description.js';
import { openLibrary } from '../dist/library.js';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { mulberry32 } from './parts/reference/kit.mjs';

const COMPANY = 'bench';
const POOL = 2_000;
const BATCH = 256;
/** Number of models, drawings and images in ten files. */
const KINDS = ['ThreeD', 'ThreeD', 'ThreeD', 'ThreeD', 'ThreeD', 'ThreeD', 'ThreeD', 'TwoD', 'TwoD', 'Image'];
const CAMERA = { kind: 'camera', direction: [0, 0, 1], up: [0, 1, 0], scaleMmPerPixel: 1 };
const PAGE = { kind: 'page', page: 1, box: { x: 0.2, y: 0.2, width: 0.3, height: 0.3 } };
const VIEWS_OF = { ThreeD: 30, TwoD: 4, Image: 1 };

const args = benchOptions({
  files: { type: 'string', default: '10000' },
  library: { type: 'string' },
  searches: { type: 'string', default: '100' },
  'search-memory': { type: 'string' },
});
if (process.send !== undefined) {
  process.once('message', async (uids) => process.send(await measure(args.library, uids), () => process.disconnect()));
} else {
  const library = args.library ?? mkdtempSync(join(tmpdir(), 'shapedex-views-'));
  try {
    const uids = await fill(library, Number(args.files));
    const report = {
      machine: await machine(),
      load: loadavg()[0],
      files: Number(args.files),
      ...(await inChild(library, uids)),
    };
    if (args.json) console.log(JSON.stringify(report));
    else print(report);
  } finally {
    if (args.library === undefined) rmSync(library, { recursive: true, force: true });
  }
}

/** Fills an empty library. Returns UIDs to search with, by kind. */
async function fill(library, files) {
  const engine = await Engine.open(library);
  const company = await engine.company(COMPANY);
  const had = await company.list({ limit: 10 * files });
  await engine.close();
  if (had.length < files) await put(library, files);
  const again = await Engine.open(library);
  const records = await (await again.company(COMPANY)).list({ limit: 10 * files });
  await again.close();
  const random = mulberry32(7);
  return Object.fromEntries(
    ['TwoD', 'Image', 'ThreeD'].map((kind) => {
      const of = records.filter((record) => record.kind === kind && record.state === 'indexed');
      return [kind, Array.from({ length: Number(args.searches) }, () => of[Math.floor(random() * of.length)].uid)];
    }),
  );
}

async function put(library, files) {
  const core = await Core.load();
  const random = mulberry32(1);
  const drawn = Array.from({ length: POOL }, () => drawView(random));
  const places = { ThreeD: CAMERA, TwoD: PAGE, Image: PAGE };
  const pools = Object.fromEntries(
    Object.entries(places).map(([kind, place]) => [
      kind,
      describeViews(
        core,
        drawn.map((pictures) => shapeletOf(pictures, place)),
      ),
    ]),
  );
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
          views: viewsOf(kind, pools[kind], drawn, random),
        });
      }),
    );
  }
  await store.close();
}

function viewsOf(kind, pool, drawn, random) {
  const count = VIEWS_OF[kind];
  const bytes = new Uint8Array(count * VIEW_BYTES);
  const chosen = Array.from({ length: count }, () => Math.floor(random() * POOL));
  chosen.forEach((view, i) => {
    const row = bytes.subarray(i * VIEW_BYTES, (i + 1) * VIEW_BYTES);
    row.set(pool.subarray(view * VIEW_BYTES, (view + 1) * VIEW_BYTES));
    for (let k = 0; k < 24; k++) row[Math.floor(random() * 128)] ^= 1 << Math.floor(random() * 8);
    for (let k = 128; k < 640; k++)
      if (random() < 0.2) row[k] = Math.max(0, Math.min(255, row[k] + Math.floor(random() * 17) - 8));
  });
  const place = kind === 'ThreeD' ? CAMERA : PAGE;
  return {
    version: VIEWS_VERSION,
    bytes,
    first: uprightOf(bytes, VIEW_BYTES),
    shapelets: chosen.map(() => ({ place, size: [0.3, 0.3], isToScale: kind === 'ThreeD' })),
    numbersMm: kind === 'TwoD' ? [120, 80, 35.5, 12, 8] : [],
    extentsMm: kind === 'ThreeD' ? [100, 50, 20, 90, 55, 20] : [],
    pictures: kind === 'ThreeD' ? null : packPictures(chosen.map((view) => drawn[view].lines)),
    ...(kind === 'ThreeD' ? {} : { layouts: layoutOf(random) }),
  };
}

function shapeletOf({ mask, lines }, place) {
  return { place, mask, lines, hiddenLines: new Uint8Array(), size: [0.3, 0.3], isToScale: false };
}

/** A layout of ink: some boxes on a page. */
function layoutOf(random) {
  const layout = new Uint8Array(LAYOUT_BYTES);
  for (let box = 0; box < 8; box++) {
    const x = Math.floor(28 * random()),
      y = Math.floor(28 * random()),
      width = 1 + Math.floor(12 * random()),
      ink = 20 + 60 * random();
    for (let row = y; row < Math.min(LAYOUT_SIDE, y + 1 + 10 * random()); row++)
      layout.fill(ink, row * LAYOUT_SIDE + x, row * LAYOUT_SIDE + Math.min(LAYOUT_SIDE, x + width));
  }
  return layout;
}

/** A polygon with round holes, filled and in outline. */
function drawView(random) {
  const corners = 3 + Math.floor(random() * 6);
  const wide = 0.3 + 0.7 * random();
  const outline = Array.from({ length: corners }, (_, i) => {
    const angle = (2 * Math.PI * i) / corners,
      radius = 18 + 12 * random();
    return [32 + radius * Math.cos(angle), 32 + wide * radius * Math.sin(angle)];
  });
  const holes = Array.from({ length: Math.floor(random() * 4) }, () => [
    20 + 24 * random(),
    24 + 16 * random(),
    2 + 4 * random(),
  ]);
  const mask = new Uint8Array(64 * 64),
    lines = new Uint8Array(64 * 64);
  for (let i = 0; i < mask.length; i++) {
    const x = (i % 64) + 0.5,
      y = Math.floor(i / 64) + 0.5;
    let inside = false;
    outline.forEach(([ax, ay], k) => {
      const [bx, by] = outline[(k + 1) % corners];
      if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) inside = !inside;
    });
    if (inside && !holes.some(([hx, hy, radius]) => Math.hypot(x - hx, y - hy) < radius)) mask[i] = 255;
  }
  for (let i = 65; i < mask.length - 65; i++)
    if (mask[i] > 0 && (mask[i - 1] === 0 || mask[i + 1] === 0 || mask[i - 64] === 0 || mask[i + 64] === 0))
      lines[i] = 255;
  return { mask, lines };
}

function inChild(library, uids) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [
      ...['--library', library, '--searches', args.searches],
      ...(args['search-memory'] === undefined ? [] : ['--search-memory', args['search-memory']]),
    ]);
    child.once('message', resolve).once('error', reject);
    child.send(uids);
  });
}

async function measure(library, uids) {
  const before = process.memoryUsage();
  const started = performance.now(),
    cpu = process.cpuUsage();
  const bound = args['search-memory'];
  const engine = await Engine.open(library, bound === undefined ? {} : { searchMemoryMiB: Number(bound) });
  const company = await engine.company(COMPANY);
  const openMs = performance.now() - started,
    openCpuMs = cpuMs(cpu);
  const { shapelets } = await engine.stats();
  global.gc?.();
  const after = process.memoryUsage();
  const searches = {};
  for (const [kind, inputs] of Object.entries(uids)) {
    // Models find models by their surfaces, which these lack; here they only find drawings and images.
    const query = (uid) => ({ like: { uid }, limit: 20, ...(kind === 'ThreeD' ? { kinds: ['TwoD', 'Image'] } : {}) });
    for (const uid of inputs.slice(0, 5)) await company.search(query(uid));
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
    searches[kind] = {
      p50Ms: quantile(clock, 0.5),
      p95Ms: quantile(clock, 0.95),
      p50CpuMs: quantile(processor, 0.5),
      p95CpuMs: quantile(processor, 0.95),
    };
  }
  const searched = process.memoryUsage().rss;
  await engine.close();
  return {
    shapelets,
    searchedMiB: searched / 2 ** 20,
    openMs,
    openCpuMs,
    memoryMiB: (after.rss - before.rss) / 2 ** 20,
    bytesPerShapelet: (after.rss - before.rss) / shapelets,
    searches,
  };
}

function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

function print({
  machine: where,
  load,
  files,
  shapelets,
  searchedMiB,
  openMs,
  openCpuMs,
  memoryMiB,
  bytesPerShapelet,
  searches,
}) {
  console.log(`${where}; load ${load.toFixed(1)}`);
  console.log(`${files} files, ${shapelets} shapelets`);
  console.log(
    `opened in ${openMs.toFixed(0)} ms (processor ${openCpuMs.toFixed(0)} ms); ${memoryMiB.toFixed(0)} MiB ` +
      `more, ${bytesPerShapelet.toFixed(0)} bytes a shapelet, ${VIEW_BYTES} on disk; ` +
      `${searchedMiB.toFixed(0)} MiB resident after the searches`,
  );
  for (const [kind, { p50Ms, p95Ms, p50CpuMs, p95CpuMs }] of Object.entries(searches)) {
    console.log(
      `${kind.padEnd(6)} p50 ${p50Ms.toFixed(1)} ms, p95 ${p95Ms.toFixed(1)} ms; processor ` +
        `${p50CpuMs.toFixed(1)} and ${p95CpuMs.toFixed(1)} ms`,
    );
  }
}
