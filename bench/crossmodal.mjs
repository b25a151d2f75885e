/**
 * Search across kinds through the public API: drawing → model, model → drawing, scan → vector drawing, photo → model,
 * sketch → model.
 *
 * Measured: the rank of the right file among all files of its kind: share of queries where it is first, share where it
 * is in the first ten, median rank. As right as the file are one with the same bytes and one of the same sheet: the
 * drawing in another format, or a scan of it (sheetOf). Milliseconds are those of a search, without reading the input.
 * Then what the figure of similarity is worth: of the first hundred hits of each query, by tens of similarity, how many
 * there are, and how many of a hundred of these are right; for models of DIR/parts also how many are of the same class.
 *
 * Data: the models of DIR/pairs and DIR/parts and the drawings of DIR/pairs and DIR/drawings are searched. Scans,
 * photos and sketches are generated (support/crossmodal-queries.mjs), N of each kind (default 100) by the seed; the row
 * `turned` is the scans also rotated by 90°, 180° or 270°. Rows of pairs are also split by the parity of the last
 * hexadecimal digit of the drawing's SHA-256: the even half is for tuning, single cases of the odd half are never
 * inspected; --failures lists cases of the even half only.
 *
 * --library keeps the library for the next run; without it a temporary one is made.
 *
 * npm run bench -- crossmodal --data DIR [--library DIR] [--rows drawing,model,scan,turned,photo,sketch] [--queries N]
 *     [--seed N] [--failures] [--json]
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from 'shapedex';
import { DEFAULT_LIMITS } from '../dist/options.js';
import { readContent } from '../dist/readers/read.js';
import { placeMeshes } from '../dist/shapelets/model/mesh.js';
import { pagePicture, photoOf, scanOf, sketchOf, turnedByQuarters } from './support/crossmodal-queries.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { seededRandom } from './support/software-camera.mjs';

const FIRST_TEN = 10;
/** Hits of a query whose similarity is judged. */
const JUDGED = 100;
const ASKED = {
  drawing: [95, 98],
  model: [95, 99],
  scan: [99, undefined],
  turned: [undefined, undefined],
  photo: [80, 95],
  sketch: [60, 90],
};
const TITLES = {
  drawing: 'PDF drawing → its STEP model',
  model: 'STEP model → its drawing',
  scan: 'scan → the vector original',
  turned: 'scan turned by quarters → the vector original',
  photo: 'photo in any pose → its model',
  sketch: 'sketch → its model',
};

const args = benchOptions({
  library: { type: 'string' },
  rows: { type: 'string', default: Object.keys(ASKED).join(',') },
  queries: { type: 'string', default: '100' },
  seed: { type: 'string', default: '1' },
  failures: { type: 'boolean', default: false },
});
if (args.data === undefined) {
  console.log(
    'the bench crossmodal needs --data DIR, the folder with pairs, parts and drawings; nothing was measured.',
  );
  process.exit(0);
}
const seed = Number(args.seed);
const folder = args.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-crossmodal-')));
const pairs = await readPairs();
const engine = await Engine.open(folder);
try {
  const company = await engine.company('crossmodal');
  const indexing = await fill(company);
  const rows = {};
  for (const row of args.rows.split(',')) {
    rows[row] = await measure(company, row);
    if (!args.json) print(row, rows[row]);
  }
  const report = { machine: await machine(), indexing, rows };
  if (args.json) console.log(JSON.stringify(report));
  else console.log(`${report.machine}; ${indexing.files} files, ${indexing.failed} failed`);
} finally {
  await engine.close();
  if (args.library === undefined) await rm(folder, { recursive: true, force: true });
}

async function readPairs() {
  const [, ...lines] = (await readFile(join(args.data, 'pairs', 'manifest.csv'), 'utf8')).trim().split('\n');
  return Promise.all(
    lines.map(async (line) => {
      const [id, drawing, model] = line.split(',');
      const hash = createHash('sha256')
        .update(await readFile(join(args.data, 'pairs', drawing)))
        .digest('hex');
      return { id, drawing: `pairs/${drawing}`, model: `pairs/${model}`, isEven: parseInt(hash.at(-1), 16) % 2 === 0 };
    }),
  );
}

/** Puts the files that the library lacks. */
async function fill(company) {
  await engine.idle(); // A run that was stopped may have left files in the queue.
  const paths = pairs.flatMap(({ drawing, model }) => [drawing, model]);
  for (const set of ['parts', 'drawings']) {
    if (!existsSync(join(args.data, set))) continue;
    const entries = await readdir(join(args.data, set), { recursive: true, withFileTypes: true });
    for (const entry of entries) {
      if (!entry.isFile() || /\.(csv|json|md)$/i.test(entry.name)) continue;
      paths.push(join(entry.parentPath, entry.name).slice(args.data.length).replaceAll('\\', '/').replace(/^\/+/, ''));
    }
  }
  paths.sort();
  const known = await statesOf(company);
  const lacking = paths.filter((path) => !known.has(path));
  for (const { path, state } of await Promise.all(lacking.map((path) => company.put(path, join(args.data, path)))))
    known.set(path, state);
  return { files: paths.length, failed: paths.filter((path) => known.get(path) !== 'indexed').length };
}

/** Of each file that the library has its state, by path. */
async function statesOf(company) {
  const states = new Map();
  for (let after = ''; ; ) {
    const page = await company.list({ ...(after === '' ? {} : { after }), limit: 1000 });
    for (const { path, state } of page) states.set(path, state);
    if (page.length === 0) return states;
    after = page.at(-1).path;
  }
}

async function measure(company, row) {
  const places = [];
  for (const { kind, target, input, isEven, name } of await queriesOf(row)) {
    const like = await input(company);
    // Some drawings of pairs are among the other drawings too.
    const { sha256: wanted } = await recordAt(company, target);
    const started = performance.now();
    const { hits } = await company.search({ like, kinds: [kind], limit: 1000, highlights: false });
    const sheet = kind === 'TwoD' ? sheetOf(target) : undefined;
    const isRight = ({ sha256, path }) => sha256 === wanted || (sheet !== undefined && sheetOf(path) === sheet);
    const at = hits.findIndex(isRight);
    places.push({
      name,
      place: at < 0 ? Infinity : at + 1,
      isEven,
      ms: performance.now() - started,
      score: hits[0]?.score,
      said: hits.slice(0, JUDGED).map((hit) => ({
        similarity: hit.similarity,
        isRight: isRight(hit),
        isOfClass: classOf(target) !== undefined && classOf(hit.path) === classOf(target),
      })),
    });
  }
  return places;
}

/**
 * What files of one drawing have in common: the number of an Ultimaker drawing (`um2_B1290-B2P-A.pdf`, the pair
 * `um2_1290`), else the name without its source and its ending (`edocr_Halter.PDF`, `halter.jpg`).
 */
function sheetOf(path) {
  const [folder, file] = path.split('/').slice(-2);
  const name = path.startsWith('pairs/') ? folder : file.replace(/^edocr_|\.\w+$/g, '').toLowerCase();
  return /^um[o2]_b?(\d{4})/.exec(name)?.[1] ?? name;
}

/** The class of a model of DIR/parts is its folder there; other models have none. */
function classOf(path) {
  return /^parts\/([^/]+)\//.exec(path)?.[1];
}

async function queriesOf(row) {
  const stored = async (company, path) => ({ uid: (await recordAt(company, path)).uid });
  if (row === 'drawing')
    return pairs.map(({ id, drawing, model, isEven }) => ({
      name: id,
      isEven,
      kind: 'ThreeD',
      target: model,
      input: (company) => stored(company, drawing),
    }));
  if (row === 'model')
    return pairs.map(({ id, drawing, model, isEven }) => ({
      name: id,
      isEven,
      kind: 'TwoD',
      target: drawing,
      input: (company) => stored(company, model),
    }));
  if (row === 'scan' || row === 'turned') {
    const drawings = pairs.map(({ drawing, isEven }) => ({ path: drawing, isEven }));
    for (const name of (await readdir(join(args.data, 'drawings', 'pdf-vector')).catch(() => [])).sort()) {
      if (/\.pdf$/i.test(name)) drawings.push({ path: `drawings/pdf-vector/${name}` });
    }
    return drawings.slice(0, Number(args.queries)).map(({ path, isEven }, i) => ({
      name: path,
      isEven,
      kind: 'TwoD',
      target: path,
      input: async (company) => {
        const picture = await pagePicture(await readFile(join(args.data, path)), 1);
        return asInput(
          company,
          await scanOf(row === 'turned' ? turnedByQuarters(picture, 1 + (i % 3)) : picture, seed + i),
          '.jpg',
        );
      },
    }));
  }
  const draw = { photo: [photoOf, '.jpg'], sketch: [sketchOf, '.png'] }[row];
  if (draw === undefined) throw new RangeError(`--rows: one of ${Object.keys(ASKED).join(', ')}, received ${row}`);
  const [make, extension] = draw;
  const random = seededRandom(seed);
  const parts = (await readFile(join(args.data, 'parts', 'manifest.csv'), 'utf8'))
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => `parts/${line.split(',')[0]}`);
  return Array.from({ length: Math.min(Number(args.queries), parts.length) }, (_, i) => {
    const [path] = parts.splice(Math.floor(random() * parts.length), 1);
    return {
      name: path,
      kind: 'ThreeD',
      target: path,
      input: async (company) => {
        const content = await readContent(await readFile(join(args.data, path)), path, {
          limits: DEFAULT_LIMITS,
          defaultUnit: 'mm',
        });
        return asInput(company, await make(placeMeshes(content), seed + i), extension);
      },
    };
  });
}

/** Stored as a search input, so that the time of a search does not contain reading it. */
async function asInput(company, bytes, extension) {
  const { uid } = await company.putInput(new Uint8Array(bytes), { extension });
  return { uid };
}

async function recordAt(company, path) {
  const [record] = await company.list({ after: path.slice(0, -1), limit: 1 });
  if (record?.path === path) return record;
  for (let after = path.slice(0, -1); ; ) {
    const page = await company.list({ after, limit: 200 });
    const found = page.find((candidate) => candidate.path === path);
    if (found !== undefined || page.length === 0) return found;
    after = page.at(-1).path;
  }
}

function figuresOf(places) {
  const share = (most) => (100 * places.filter(({ place }) => place <= most).length) / places.length;
  return {
    queries: places.length,
    first: share(1),
    ten: share(FIRST_TEN),
    median: quantile(
      places.map(({ place }) => place),
      0.5,
    ),
  };
}

/** By tens of similarity: hits, and how many of a hundred are right, or of the right class. */
function reliabilityOf(places, what = 'isRight') {
  const bins = Array.from({ length: 10 }, () => ({ hits: 0, right: 0 }));
  for (const hit of places.flatMap(({ said }) => said)) {
    const bin = bins[Math.min(9, Math.floor(hit.similarity / 10))];
    bin.hits++;
    if (hit[what]) bin.right++;
  }
  return bins.map(({ hits, right }) => (hits === 0 ? '-' : `${hits}: ${Math.round((100 * right) / hits)}`)).join(', ');
}

function print(row, places) {
  const line = ({ queries, first, ten, median }) =>
    `first ${first.toFixed(1)} %, first ten ${ten.toFixed(1)} %, median place ${median} (${queries} queries)`;
  const [askedFirst, askedTen] = ASKED[row];
  const asked =
    [askedFirst && `first ${askedFirst}`, askedTen && `ten ${askedTen}`].filter(Boolean).join(', ') || 'no figure';
  const ms = places.map((query) => query.ms);
  console.log(
    `${TITLES[row]}: ${line(figuresOf(places))}; asked: ${asked}; search median ${quantile(ms, 0.5).toFixed(0)} ` +
      `ms, p95 ${quantile(ms, 0.95).toFixed(0)} ms`,
  );
  console.log(`  similarity by tens, hits: % right: ${reliabilityOf(places)}`);
  if (places.some(({ said }) => said.some(({ isOfClass }) => isOfClass)))
    console.log(`  similarity by tens, hits: % of the class: ${reliabilityOf(places, 'isOfClass')}`);
  for (const [name, half] of [
    ['even half', true],
    ['odd half', false],
  ]) {
    const of = places.filter(({ isEven }) => isEven === half);
    if (of.length > 0) console.log(`  ${name}: ${line(figuresOf(of))}`);
  }
  if (!args.failures) return;
  for (const { name, place, isEven } of places) if (place > 1 && isEven !== false) console.log(`    ${name}: ${place}`);
}
