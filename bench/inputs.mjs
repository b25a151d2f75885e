/**
 * Several inputs of one search: views of one part, versions of a part, copies of different parts.
 *
 * Measured: the place of the right file (or the worse place of two right files) with one, two and three inputs, and
 * how often a further view of the same part lowers it. `views`: pictures of the front, top and side view of a part,
 * drawn with a shaky hand and without some of the lines → its drawing among drawings, its model among models. `detail`:
 * the front view and a cut-out of it. `copies`: two stored models of different families, as they are and turned
 * → both among all files; a turned copy beside the drawing of another part → both. `pages`: pictures of two whole
 * drawings → both among drawings. `versions`: two of eight sizes of a part → how many of the eight come first.
 *
 * Data: parts of parts/many-parts.mjs and DXF drawings of a third of them; hidden lines are drawn like others.
 *
 * npm run bench -- inputs [--parts N] [--queries N] [--seed N] [--library DIR] [--json]
 */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { Engine } from 'shapedex';
import { manyParts } from './parts/many-parts.mjs';
import { turned } from './support/meshes.mjs';
import { benchOptions, machine, quantile } from './support/options.mjs';
import { seededRandom } from './support/software-camera.mjs';

const GROUP = 8;
/** Every how manieth part has a drawing; parts of one group must have some. */
const DRAWN = 3;
const VIEWS = [
  [0, 2],
  [0, 1],
  [1, 2],
];
/** Cosine between two faces above which their edge is not drawn. */
const SMOOTH = 0.9;

const args = benchOptions({
  parts: { type: 'string', default: '240' },
  queries: { type: 'string', default: '40' },
  seed: { type: 'string', default: '1' },
  library: { type: 'string' },
});
const count = Number(args.parts);
const partOf = await manyParts();
const folder = args.library ?? (await mkdtemp(join(tmpdir(), 'shapedex-bench-')));
const isNew = !existsSync(join(folder, 'catalog.sqlite'));
const engine = await Engine.open(folder);
try {
  const company = await engine.company('acme');
  if (isNew) await fill(company);
  const rows = await measure(company);
  console.log(`${count} parts, ${Math.ceil(count / DRAWN)} drawings; ${await machine()}`);
  for (const [name, places] of Object.entries(rows)) console.log(lineOf(name, places));
  console.log(worsened(rows));
  if (args.json) console.log(JSON.stringify(rows));
} finally {
  await engine.close();
  if (args.library === undefined) await rm(folder, { recursive: true, force: true });
}

async function fill(company) {
  for (let first = 0; first < count; first += 64) {
    await Promise.all(
      Array.from({ length: Math.min(64, count - first) }, async (_, i) => {
        const { path, bytes } = partOf(first + i);
        await company.put(path, bytes, { wait: false });
        if ((first + i) % DRAWN === 0) {
          const drawing = dxfOf(threeViews(meshOf(bytes)));
          await company.put(path.replace('.stl', '.dxf'), drawing, { wait: false });
        }
      }),
    );
    await engine.idle();
  }
}

async function measure(company) {
  const rows = {};
  const put = (name, place) => {
    (rows[name] ??= []).push(place);
  };
  const queries = Math.min(Number(args.queries), Math.ceil(count / DRAWN));
  const step = Math.floor(Math.ceil(count / DRAWN) / queries) * DRAWN;
  const find = async (like, right, kinds) => {
    const { hits } = await company.search({ like, kinds, limit: 10_000 });
    const places = right.map((path) => hits.findIndex((hit) => hit.path === path) + 1 || hits.length + 1);
    return Math.max(...places);
  };
  for (let query = 0; query < queries; query++) {
    const number = query * step;
    const { path, bytes } = partOf(number);
    const drawing = path.replace('.stl', '.dxf');
    const mesh = meshOf(bytes);
    const random = seededRandom(1_000 * Number(args.seed) + number);
    const shown = (lines) => seen(company, byHand(lines, random), lines);
    const likes = [];
    for (const axes of VIEWS) likes.push(await shown(viewOf(mesh, axes)));
    const detail = await shown(cutOut(viewOf(mesh, VIEWS[0])));
    const isSeen = [...likes, detail].every((like) => like !== undefined);
    for (let i = 1; isSeen && i <= likes.length; i++) {
      put(`views ${i} → drawing`, await find(likes.slice(0, i), [drawing], ['TwoD']));
      put(`views ${i} → model`, await find(likes.slice(0, i), [path], ['ThreeD']));
    }
    if (isSeen) {
      put('view and detail → drawing', await find([likes[0], detail], [drawing], ['TwoD']));
      put('view and detail → model', await find([likes[0], detail], [path], ['ThreeD']));
    }

    // Another family, GROUP times an odd number further; in a library of so many parts, that would be the same part.
    const all = Math.floor(count / DRAWN) * DRAWN;
    const other = (number + GROUP * DRAWN * ((GROUP * 5 * DRAWN) % all === 0 ? 1 : 5)) % all;
    const second = partOf(other);
    const both = [path, second.path];
    const models = await Promise.all([bytes, second.bytes].map((one) => input(company, one, '.stl')));
    put('copies of two → both', await find(models, both));
    const again = await Promise.all(
      [bytes, second.bytes].map((one, i) =>
        input(company, stlOf(turned(meshOf(one), seededRandom(number + i))), '.stl'),
      ),
    );
    put('turned copies of two → both', await find(again, both));
    const beside = await company.find(second.path.replace('.stl', '.dxf'));
    const mixed = [path, second.path.replace('.stl', '.dxf')];
    put('turned copy, other drawing → both', await find([again[0], { uid: beside.uid }], mixed));
    const pages = await Promise.all(
      [mesh, meshOf(second.bytes)].map(async (one) => input(company, await pictureOf(threeViews(one)), '.png')),
    );
    put('page → drawing', await find(pages.slice(0, 1), [drawing], ['TwoD']));
    put(
      'pages of two → both',
      await find(
        pages,
        both.map((one) => one.replace('.stl', '.dxf')),
        ['TwoD'],
      ),
    );

    // Sizes of a part: groups 0, 3, 6 … of eight.
    const group = 3 * (query % Math.max(1, Math.floor(count / GROUP / 3)));
    const members = Array.from({ length: GROUP }, (_, i) => partOf(GROUP * group + i));
    const found = async (sizes) => {
      const like = sizes.map((i) => ({ bytes: members[i].bytes, extension: '.stl' }));
      const { hits } = await company.search({ like, kinds: ['ThreeD'], limit: GROUP });
      return GROUP - hits.filter(({ path: one }) => members.some((member) => member.path === one)).length;
    };
    put('version 1: missing of 8', await found([1]));
    put('versions 1, 5: missing of 8', await found([1, 5]));
    put('versions 1, 3, 6: missing of 8', await found([1, 3, 6]));
  }
  return rows;
}

async function input(company, bytes, extension) {
  const { uid, state, warnings } = await company.putInput(bytes, { extension });
  return state === 'indexed' && warnings.every(({ code }) => code !== 'VIEWS_MISSING') ? { uid } : undefined;
}

/** An input that shows the first lines in which the engine sees a shape; undefined: it sees none. */
async function seen(company, ...pictures) {
  for (const lines of pictures) {
    const like = await input(company, await pictureOf(lines), '.png');
    if (like !== undefined) return like;
  }
  return undefined;
}

function lineOf(name, places) {
  const share = (most) => `${((100 * places.filter((place) => place <= most).length) / places.length).toFixed(1)} %`;
  const mean = places.reduce((sum, place) => sum + place, 0) / places.length;
  if (name.includes('missing')) return `${name.padEnd(30)} ${mean.toFixed(2)}`;
  const median = quantile(places, 0.5);
  const logs = Math.exp(places.reduce((sum, place) => sum + Math.log(place), 0) / places.length);
  return (
    `${name.padEnd(30)} first ${share(1).padStart(7)}  two ${share(2).padStart(7)}  ten ${share(10).padStart(7)}  ` +
    `median ${String(median).padStart(3)}  geometric mean ${logs.toFixed(2).padStart(6)}`
  );
}

function worsened(rows) {
  return ['drawing', 'model']
    .flatMap((kind) =>
      [2, 3].map((views) => {
        const before = rows[`views ${views - 1} → ${kind}`],
          after = rows[`views ${views} → ${kind}`];
        const worse = after.filter((place, i) => place > before[i]).length,
          better = after.filter((place, i) => place < before[i]).length;
        return `view ${views} → ${kind}: better ${better}, worse ${worse} of ${after.length}`;
      }),
    )
    .join('; ');
}

/** A binary STL with shared vertices: { positions, indices }. */
function meshOf(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const known = new Map();
  const positions = [];
  const indices = Uint32Array.from({ length: 3 * view.getUint32(80, true) }, (_, corner) => {
    const at = 84 + 50 * Math.floor(corner / 3) + 12 * (1 + (corner % 3));
    const point = [0, 4, 8].map((offset) => view.getFloat32(at + offset, true));
    const key = point.join();
    if (!known.has(key)) {
      known.set(key, known.size);
      positions.push(...point);
    }
    return known.get(key);
  });
  return { positions: Float32Array.from(positions), indices };
}

function stlOf({ positions, indices }) {
  const bytes = new Uint8Array(84 + (50 * indices.length) / 3);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, indices.length / 3, true);
  indices.forEach((vertex, corner) => {
    const at = 84 + 50 * Math.floor(corner / 3) + 12 * (1 + (corner % 3));
    for (let axis = 0; axis < 3; axis++) view.setFloat32(at + 4 * axis, positions[3 * vertex + axis], true);
  });
  return bytes;
}

/** Edges between faces that meet at an angle, seen along an axis: [x, y, x, y], y upwards. */
function viewOf({ positions, indices }, [across, up]) {
  const at = (vertex, axis) => positions[3 * vertex + axis];
  const faces = new Map();
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [...indices.subarray(i, i + 3)];
    const [a, b, c] = corners.map((vertex) => [0, 1, 2].map((axis) => at(vertex, axis)));
    const [u, v] = [b, c].map((point) => point.map((value, axis) => value - a[axis]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal) || 1;
    corners.forEach((corner, k) => {
      const key = [corner, corners[(k + 1) % 3]].sort((p, q) => p - q).join();
      if (!faces.has(key)) faces.set(key, []);
      faces.get(key).push(normal.map((value) => value / length));
    });
  }
  const seen = new Map();
  for (const [key, [first, second]] of faces) {
    if (second !== undefined && first.reduce((sum, value, axis) => sum + value * second[axis], 0) > SMOOTH) continue;
    const [a, b] = key.split(',').map(Number);
    const ends = [at(a, across), at(a, up), at(b, across), at(b, up)];
    if (Math.hypot(ends[2] - ends[0], ends[3] - ends[1]) < 1e-6) continue;
    seen.set(
      [ends, [ends[2], ends[3], ends[0], ends[1]]].map((one) => one.map((v) => v.toFixed(4)).join()).sort()[0],
      ends,
    );
  }
  return [...seen.values()];
}

/** Front, top and side view beside each other. */
function threeViews(mesh) {
  const [front, top, side] = VIEWS.map((axes) => viewOf(mesh, axes));
  const gap = 0.4 * Math.max(...sizeOf(front), ...sizeOf(top));
  return [
    ...movedTo(front, 0, 0),
    ...movedTo(top, 0, sizeOf(front)[1] + gap),
    ...movedTo(side, sizeOf(front)[0] + gap, 0),
  ];
}

function boxOf(lines) {
  const xs = lines.flatMap(([a, , c]) => [a, c]),
    ys = lines.flatMap(([, b, , d]) => [b, d]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

function sizeOf(lines) {
  const [left, low, right, high] = boxOf(lines);
  return [right - left, high - low];
}

function movedTo(lines, x, y) {
  const [left, low] = boxOf(lines);
  return lines.map(([a, b, c, d]) => [a - left + x, b - low + y, c - left + x, d - low + y]);
}

/** Lines as a person draws them: corners off by a hundredth of the size, one inner line in six left out. */
function byHand(lines, random) {
  const [left, low, right, high] = boxOf(lines);
  const size = Math.max(right - left, high - low);
  const isOuter = ([a, b, c, d]) =>
    [a, c].some((x) => Math.min(x - left, right - x) < 1e-3 * size) ||
    [b, d].some((y) => Math.min(y - low, high - y) < 1e-3 * size);
  const moved = new Map();
  const corner = (x, y) => {
    const key = `${x.toFixed(4)} ${y.toFixed(4)}`;
    if (!moved.has(key)) moved.set(key, [x + 0.01 * size * (random() - 0.5), y + 0.01 * size * (random() - 0.5)]);
    return moved.get(key);
  };
  return lines
    .filter((line) => isOuter(line) || random() > 1 / 6)
    .map(([a, b, c, d]) => [...corner(a, b), ...corner(c, d)]);
}

/** The right half, cut off at a line. */
function cutOut(lines) {
  const [left, low, right, high] = boxOf(lines);
  const at = left + 0.45 * (right - left);
  const inside = lines.flatMap(([a, b, c, d]) => {
    if (Math.max(a, c) <= at) return [];
    if (Math.min(a, c) >= at) return [[a, b, c, d]];
    const y = b + ((at - a) / (c - a)) * (d - b);
    return a < c ? [[at, y, c, d]] : [[a, b, at, y]];
  });
  return [...inside, [at, low, at, high]];
}

/** A PNG of 800 × 600 pixels. */
async function pictureOf(lines) {
  const [left, low, right, high] = boxOf(lines);
  const scale = Math.min(640 / Math.max(right - left, 1e-9), 440 / Math.max(high - low, 1e-9));
  const x = (value) => 400 + scale * (value - (left + right) / 2),
    y = (value) => 300 - scale * (value - (low + high) / 2);
  const path = lines.map(([a, b, c, d]) => `M${x(a)} ${y(b)}L${x(c)} ${y(d)}`).join('');
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 600" width="800" height="600">' +
    `<path d="${path}" fill="none" stroke="black" stroke-width="2.5"/></svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).flatten({ background: 'white' }).png().toBuffer());
}

/** A DXF drawing in millimetres. */
function dxfOf(lines) {
  const groups = [0, 'SECTION', 2, 'HEADER', 9, '$INSUNITS', 70, 4, 0, 'ENDSEC', 0, 'SECTION', 2, 'ENTITIES'];
  for (const [a, b, c, d] of lines) groups.push(0, 'LINE', 8, '0', 10, a, 20, b, 30, 0, 11, c, 21, d, 31, 0);
  groups.push(0, 'ENDSEC', 0, 'EOF');
  return new TextEncoder().encode(`${groups.join('\n')}\n`.padEnd(1_100));
}
