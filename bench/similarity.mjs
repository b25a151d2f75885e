/**
 * What the figure of similarity is worth, for every way of asking: of the hits of each figure, the mean likeness (1 the
 * part that was asked for, less for parts of its family by how their sizes differ, else 0), and how many show the part
 * and its family. A calibrated figure gives equal shares in every row.
 *
 * Data: three parts of each family (parts/drawings.mjs) as STL, two sheets of each in styles drawn by a seed (PDF of
 * lines, picture, scan), and a sketch and a photo of some. Each file and input is asked with among all others.
 *
 * npm run bench -- similarity [--families N] [--seed N] [--library DIR] [--hits FILE] [--json]
 *   --hits FILE    writes every hit, as learn/similarity.mjs reads it
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Engine } from 'shapedex';
import { binaryStl } from '../dist/parts/mesh-files.js';
import { drawSheet, partsOfSheets } from './parts/drawings.mjs';
import { photoOf, sketchOf } from './support/crossmodal-queries.mjs';
import { benchOptions, machine } from './support/options.mjs';

const SIBLINGS = 3;
const SHEETS = 2;
/** Of so many parts in turn one has a sketch, and one a photo. */
const DRAWN_BY_HAND = 3;
/** As in `src/search/query/likeness.ts`. */
const SIZE_SHARE = 0.5;
/** More than there are files. */
const ALL = 10_000;

const args = benchOptions({
  families: { type: 'string', default: '30' },
  seed: { type: 'string', default: '1' },
  library: { type: 'string' },
  hits: { type: 'string' },
});
const seed = Number(args.seed);
const parts = (await partsOfSheets({ seed, count: SIBLINGS * Number(args.families), siblings: SIBLINGS })).map(
  ([part]) => part,
);
const folder = args.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-similarity-')));
const engine = await Engine.open(folder);
try {
  const company = await engine.company('similarity');
  await fill(company);
  const hits = await askAll(company);
  if (args.hits !== undefined) await writeFile(args.hits, JSON.stringify(hits));
  const rows = reliability(hits);
  if (args.json) console.log(JSON.stringify({ machine: await machine(), rows }));
  else print(rows);
} finally {
  await engine.close();
  if (args.library === undefined) await rm(folder, { recursive: true, force: true });
}

/** Puts the parts and sheets that the library lacks. A path tells family and part: `family/part/file`. */
async function fill(company) {
  const known = new Set((await company.list({ limit: 1000 })).map(({ path }) => path));
  for (const [i, part] of parts.entries()) {
    const at = `${part.family}/${part.name}`;
    if (!known.has(`${at}/part.stl`)) await company.put(`${at}/part.stl`, binaryStl(part, part.name), { wait: false });
    for (let sheet = 0; sheet < SHEETS; sheet++) {
      if ([...known].some((path) => path.startsWith(`${at}/sheet-${sheet}`))) continue;
      const { bytes, extension } = await drawSheet([part], 10_000 * seed + SHEETS * i + sheet);
      await company.put(`${at}/sheet-${sheet}${extension}`, bytes);
    }
    if (process.stderr.isTTY) process.stderr.write(`\rfilling ${i + 1}/${parts.length}`);
  }
  await engine.idle();
}

/** Every hit of every query: { way, query, score, similarity, isPart, isFamily }. */
async function askAll(company) {
  const wanted = new Set(parts.map(({ name }) => name));
  const files = (await company.list({ limit: 1000 })).filter(
    ({ state, path }) => state === 'indexed' && wanted.has(path.split('/')[1]),
  );
  const found = [];
  for (const { uid, kind, path } of files) {
    const views = kind === 'ThreeD' ? 0 : (await company.shapelets(uid)).length;
    // A sheet of mostly text is a document, and one without views cannot be asked with.
    if (kind !== 'ThreeD' && views === 0) continue;
    found.push(...(await ask(company, { uid, kind: wordOf(kind), views, path })));
  }
  for (const [i, part] of parts.entries()) {
    const hand = [sketchOf, photoOf][i % DRAWN_BY_HAND];
    if (hand === undefined) continue;
    const name = hand === sketchOf ? 'sketch' : 'photo';
    const extension = hand === sketchOf ? '.png' : '.jpg';
    const { uid, state } = await company.putInput(new Uint8Array(await hand(centred(part), seed + i)), { extension });
    if (state !== 'indexed') continue;
    found.push(...(await ask(company, { uid, kind: name, path: `${part.family}/${part.name}/${name}` })));
  }
  return found;
}

async function ask(company, { uid, kind, path, views = 1 }) {
  const [family, part] = path.split('/');
  const { hits } = await company.search({ like: { uid }, limit: ALL, highlights: false });
  return hits
    .filter((hit) => hit.uid !== uid)
    .map((hit, place) => {
      const [itsFamily, itsPart] = hit.path.split('/');
      return {
        way: `${kind} to ${wordOf(hit.kind)}`,
        seen: seenIn(kind, hit.kind, views),
        found: hit.kind === 'ThreeD' ? 'model' : 'page',
        query: path,
        place,
        likeness: itsPart === part ? 1 : itsFamily === family ? 1 / (1 + SIZE_SHARE * apart(part, itsPart)) : 0,
        score: hit.score,
        similarity: hit.similarity,
        matchClass: hit.matchClass,
        isFamily: itsFamily === family,
        isPart: itsPart === part,
      };
    });
}

/** The name of the curve in `LIKENESS_OF_VIEWS`; models find models by their surface. */
function seenIn(kind, found, views) {
  if (kind === 'model') return found === 'ThreeD' ? 'surface' : 'model';
  if (kind === 'photo') return found === 'ThreeD' ? 'fitted' : 'photo';
  return views > 1 ? 'views' : 'view';
}

/** Distance in log extents of the boxes of two parts along their axes, edges by length. */
function apart(a, b) {
  const extents = [a, b].map((name) => extentsOf(parts.find((part) => part.name === name)));
  return Math.hypot(...extents[0].map((edge, i) => Math.log(edge / extents[1][i])));
}

function extentsOf({ positions }) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  return high.map((value, axis) => Math.max(value - low[axis], 1e-6)).sort((x, y) => y - x);
}

function wordOf(kind) {
  return { ThreeD: 'model', TwoD: 'drawing', Image: 'image', Text: 'document' }[kind];
}

function centred({ positions, indices }) {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  positions.forEach((value, i) => {
    low[i % 3] = Math.min(low[i % 3], value);
    high[i % 3] = Math.max(high[i % 3], value);
  });
  return { positions: positions.map((value, i) => value - (low[i % 3] + high[i % 3]) / 2), indices };
}

/** By way, of the hits whose similarity is within each ten per cent: how many, of the family, of the part. */
function reliability(hits) {
  const rows = {};
  for (const { way, similarity, isPart, isFamily, likeness } of hits) {
    rows[way] ??= Array.from({ length: 10 }, (_, i) => ({ from: 10 * i, hits: 0, family: 0, part: 0, likeness: 0 }));
    const bin = rows[way][Math.min(9, Math.floor(similarity / 10))];
    bin.hits++;
    if (isFamily) bin.family++;
    if (isPart) bin.part++;
    bin.likeness += likeness;
  }
  return rows;
}

function print(rows) {
  console.log('similarity said, by tens: hits, and of them in % the likeness / of the family / of the part itself');
  for (const [way, bins] of Object.entries(rows)) {
    const cells = bins.map(({ hits, likeness, family, part }) =>
      hits === 0 ? '-' : `${hits}: ${[likeness, family, part].map((sum) => Math.round((100 * sum) / hits)).join('/')}`,
    );
    console.log(`  ${way.padEnd(20)}${cells.map((cell) => cell.padStart(17)).join('')}`);
  }
}
