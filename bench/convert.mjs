/**
 * Conversion, proved by reading back: every model of DIR/models and 100 of DIR/parts, evenly spread over the sorted names of each
 * extension, are written as STL and as STEP (through the public API, in a worker) and read again with the engine's own readers. Compared
 * are the enclosed volume and the corners of the axis-aligned box with those of the original as it is read. Faceted STEP of more than
 * --triangles (20 000) is written and not read back: the kernel takes minutes for it.
 *
 * Usage: npm run bench:convert -- --data DIR [--parts 100] [--triangles 20000] [--list]  (--list: each as it is done)
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { Engine, DEFAULT_LIMITS } from '../dist/index.js';
import { readContent } from '../dist/readers/read.js';
import { placeMeshes } from '../dist/shapelets/mesh.js';
import { benchOptions, machine, quantile } from './support/options.mjs';

const { data, parts, triangles, list } = benchOptions({
  parts: { type: 'string', default: '100' }, triangles: { type: 'string', default: '20000' }, list: { type: 'boolean', default: false },
});
if (data === undefined) {
  console.error('--data DIR is needed: a folder with models/ and parts/');
  process.exit(2);
}
/** Issue bounds: of the volume as a share, of the box as a share of its diagonal (single precision of STL). */
const VOLUME_ALLOWED = 1e-3;
const BOX_ALLOWED = 1e-5;
const MODEL = /\.(step|stp|p21|iges|igs|brep|brp|stl|obj|ply|off|3mf|gltf|glb|amf|wrl)$/i;

const folder = mkdtempSync(join(tmpdir(), 'shapedex-bench-'));
const engine = await Engine.open(folder, { workers: 1 });
const company = await engine.company('bench');
const files = [...filesOf('models'), ...spread(filesOf('parts'), Number(parts))];
const rows = [];
const unread = [];
for (const file of files) {
  let original;
  try {
    original = await measure(readFileSync(file), file);
  } catch (cause) {
    unread.push([file, cause.message]);
    continue;
  }
  for (const to of ['stl', 'step']) {
    rows.push(await convert(file, to, original));
    if (list) console.log(lineOf(rows.at(-1)));
  }
}
await engine.close();
rmSync(folder, { recursive: true, force: true });

console.log(`Conversion read back, ${await machine()}`);
console.log(`${files.length} files, of which ${unread.length} hold no model that can be read:`);
for (const [file, message] of unread) console.log(`  ${file.split('/').slice(-2).join('/')}: ${message.slice(0, 140)}`);
console.log('\nfrom  to    files  faceted  read back  volume off, most  box off, most  ms, median');
for (const key of [...new Set(rows.map(({ from, to }) => `${from} ${to}`))].sort()) {
  const own = rows.filter(({ from, to }) => `${from} ${to}` === key);
  const back = own.filter(({ volumeOff }) => volumeOff !== undefined);
  const most = (field) => (back.length === 0 ? '' : Math.max(...back.map((row) => row[field])).toExponential(1));
  const [from, to] = key.split(' ');
  console.log(`${from.padEnd(5)} ${to.padEnd(5)} ${String(own.length).padStart(5)} ${String(own.filter(({ faceted }) => faceted).length).padStart(8)} ${String(back.length).padStart(10)}`
    + ` ${most('volumeOff').padStart(17)} ${most('boxOff').padStart(14)} ${quantile(own.map(({ ms }) => ms), 0.5).toFixed(0).padStart(11)}`);
}
const wrong = rows.filter(({ error, volumeOff, boxOff }) => error !== undefined || volumeOff > VOLUME_ALLOWED || boxOff > BOX_ALLOWED);
const skipped = rows.filter(({ skipped: isSkipped }) => isSkipped);
console.log(`\n${rows.length - wrong.length} of ${rows.length} conversions are right (volume within ${100 * VOLUME_ALLOWED} %, box within ${BOX_ALLOWED} of its diagonal); ${skipped.length} of them were not read back.`);
for (const row of wrong) console.log(lineOf(row));

function lineOf({ file, to, faceted, error, volumeOff, boxOff, ms }) {
  const found = error ?? (volumeOff === undefined ? 'not read back' : `volume off by ${volumeOff.toExponential(1)}, box by ${boxOff.toExponential(1)}`);
  return `  ${file.split('/').slice(-2).join('/')} to ${to}${faceted ? ', faceted' : ''}: ${found}, ${ms.toFixed(0)} ms`;
}

async function convert(file, to, original) {
  const row = { file, to, from: extname(file).slice(1).toLowerCase().replace('stp', 'step') };
  const started = performance.now();
  try {
    const [{ name, bytes, faceted }] = await company.convertFiles([{ name: file, bytes: new Uint8Array(readFileSync(file)) }], { to });
    Object.assign(row, { faceted, ms: performance.now() - started });
    if (to === 'step' && faceted && original.triangleCount > Number(triangles)) return { ...row, skipped: true };
    const back = await measure(bytes, name);
    return {
      ...row,
      volumeOff: Math.abs(back.volume - original.volume) / Math.max(Math.abs(original.volume), 1e-9 * original.diagonal ** 3),
      boxOff: Math.max(...back.box.map((value, i) => Math.abs(value - original.box[i]))) / original.diagonal,
    };
  } catch (cause) {
    return { ...row, ms: performance.now() - started, error: `${cause.code ?? cause.name}: ${cause.message.slice(0, 160)}` };
  }
}

/** Volume (mm³) and box of a model as the engine reads it. */
async function measure(bytes, name) {
  const content = await readContent(new Uint8Array(bytes), name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'model') throw new Error(`is a ${content.kind}`);
  const { positions, indices, origin } = placeMeshes(content);
  let six = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    six += positions[a] * (positions[b + 1] * positions[c + 2] - positions[b + 2] * positions[c + 1])
      + positions[a + 1] * (positions[b + 2] * positions[c] - positions[b] * positions[c + 2])
      + positions[a + 2] * (positions[b] * positions[c + 1] - positions[b + 1] * positions[c]);
  }
  const box = [0, 1, 2].flatMap((axis) => {
    let low = Infinity, high = -Infinity;
    for (let i = axis; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    return [low + origin[axis], high + origin[axis]];
  });
  return { volume: Math.abs(six / 6), box, diagonal: Math.hypot(box[1] - box[0], box[3] - box[2], box[5] - box[4]), triangleCount: indices.length / 3 };
}

function filesOf(name) {
  return readdirSync(join(data, name), { recursive: true }).map(String).filter((path) => MODEL.test(path)).sort().map((path) => join(data, name, path));
}

/** `count` of the files: of each extension as many as its share, at least one, evenly spaced. */
function spread(all, count) {
  const groups = new Map();
  for (const file of all) groups.set(extname(file).toLowerCase(), [...groups.get(extname(file).toLowerCase()) ?? [], file]);
  const others = [...groups.values()].filter((group) => group.length * count / all.length < 1).length;
  return [...groups.values()].flatMap((group) => {
    const wanted = Math.min(group.length, Math.max(1, Math.round((group.length * (count - others)) / all.length)));
    return Array.from({ length: wanted }, (_, i) => group[Math.floor(((i + 0.5) * group.length) / wanted)]);
  }).slice(0, count);
}
