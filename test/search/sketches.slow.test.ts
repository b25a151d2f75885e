import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawSheet } from '../../bench/parts/drawings.mjs';
import { referenceParts, type ReferencePart } from '../../bench/parts/reference.mjs';
import { sketchOf } from '../../bench/support/crossmodal-queries.mjs';
import { Core } from '../../dist/core/core.js';
import { layLines } from '../../dist/core/laid-lines.js';
import type { Company, Engine } from '../../dist/index.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { fill, libraries } from './library.js';

// Sketches of parts made by code, and sheets by hand. By the descriptors of their views alone each of these comes after
// one of the others.

/** Parts, and the seeds of the sketches of them. */
const SKETCHED: Readonly<Record<string, number>> = {
  'battery-001': 514,
  'gear-spur-001': 524,
  'chain-link-001': 578,
  'free-outline-001': 608,
  'brick-tile-001': 730,
  'plate-studded-001': 762,
};
/** Parts, and the seeds of sheets with several views of them, drawn by hand and scanned. */
const DRAWN: Readonly<Record<string, number>> = {
  'axle-cross-001': 5_018,
  'brick-panel-001': 5_036,
  'pillow-block-001': 5_058,
};
const OTHERS = [
  'axle-cross-002',
  'brick-arch-002',
  'brick-technic-001',
  'enclosure-lid-002',
  'fairing-002',
  'fan-axial-002',
  'gusset-002',
  'lift-arm-001',
  'rack-002',
  'shaft-splined-001',
  'tyre-002',
  'window-frame-002',
  'washer-spring-002',
  'shaft-splined-002',
  'ladder-002',
  'fence-002',
  'socket-002',
  'gear-spur-002',
  'heat-sink-002',
  'lift-arm-002',
  'collar-002',
  'propeller-002',
  'plate-studded-002',
  'linear-rail-001',
];

const { fresh, open } = libraries();
const parts = new Map<string, ReferencePart>();
let engine: Engine;
let company: Company;

beforeAll(async () => {
  const wanted = new Set([...Object.keys(SKETCHED), ...Object.keys(DRAWN), ...OTHERS]);
  for await (const part of referenceParts({ seed: 1_005, count: 400 }))
    if (wanted.has(part.name)) parts.set(part.name, part);
  engine = await open(fresh());
  company = await engine.company('acme');
  await fill(
    company,
    [...parts.values()].map((part) => [`${part.name}.stl`, stlOf(part)] as const),
  );
}, 300_000);
afterAll(() => engine.close());

function stlOf({ name, positions, indices }: ReferencePart): Uint8Array {
  const vertices = Array.from(
    { length: positions.length / 3 },
    (_, i) => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]] as const,
  );
  const faces = Array.from({ length: indices.length / 3 }, (_, i) => [...indices.subarray(3 * i, 3 * i + 3)]);
  return writeStlBinary({ name, vertices, faces });
}

test.each(Object.entries(SKETCHED))('a sketch of %s finds it first', async (name, seed) => {
  const sketch = await sketchOf(parts.get(name)!, seed);
  const { uid } = await company.putInput(new Uint8Array(sketch), { extension: '.png' });
  const { hits, total } = await company.search({ like: { uid }, kinds: ['ThreeD'], limit: 100 });
  expect(hits[0].path).toBe(`${name}.stl`);
  expect(total).toBe(parts.size);
  expect(hits).toHaveLength(parts.size);
  hits.slice(1).forEach(({ score }, i) => expect(score).toBeGreaterThanOrEqual(hits[i].score));
});

test.each([
  [1, 1.7, 1],
  [0.6, 1, 1.3],
])('a sketch of a part from memory, its sides %d, %d and %d times as long, finds it first', async (...factors) => {
  const { positions, ...part } = parts.get('brick-tile-001')!;
  const stretched = positions.map((value, i) => value * factors[i % 3]);
  const sketch = await sketchOf({ ...part, positions: stretched }, SKETCHED['brick-tile-001']);
  const { uid } = await company.putInput(new Uint8Array(sketch), { extension: '.png' });
  const { hits } = await company.search({ like: { uid }, kinds: ['ThreeD'], limit: 100 });
  expect(hits[0].path).toBe('brick-tile-001.stl');
});

test.each([
  ['square', 'M200 150L700 150L700 650L200 650Z'],
  ['rectangle', 'M150 220L748 216L752 541L147 545Z'],
  ['upright rectangle', 'M350 120L548 116L552 641L347 645Z'],
])('a plain %s, which lies well on some view of many parts, is said to be like none of them', async (_, path) => {
  const outline = `<path d="${path}" fill="none" stroke="black" stroke-width="6"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="760">${outline}</svg>`;
  const bytes = new Uint8Array(await sharp(Buffer.from(svg)).flatten({ background: 'white' }).png().toBuffer());
  const { hits } = await company.search({ like: { bytes, extension: '.png' }, kinds: ['ThreeD'], limit: 100 });
  expect(hits).toHaveLength(parts.size);
  for (const hit of hits) expect(hit.similarity, hit.path).toBeLessThan(50);
});

test.each(Object.entries(DRAWN))('a scan of a sheet of %s by hand finds it first', async (name, seed) => {
  const style = { file: 'scan', shading: 'none', isFaint: false, isByHand: true };
  const { bytes, extension } = await drawSheet([parts.get(name)!], seed, style);
  const { uid } = await company.putInput(bytes, { extension });
  const { hits } = await company.search({ like: { uid }, kinds: ['ThreeD'], limit: 100 });
  expect(hits[0].path).toBe(`${name}.stl`);
  expect(hits).toHaveLength(parts.size);
  hits.slice(1).forEach(({ score }, i) => expect(score).toBeGreaterThanOrEqual(hits[i].score));
});

/** A picture of closed lines between corners, u8[64²]. */
function drawn(corners: readonly (readonly [number, number])[]): Uint8Array {
  const lines = new Uint8Array(64 * 64);
  corners.forEach(([x, y], i) => {
    const [u, v] = corners[(i + 1) % corners.length];
    const steps = Math.ceil(2 * Math.hypot(u - x, v - y));
    for (let k = 0; k <= steps; k++) {
      const at = [x + ((u - x) * k) / steps, y + ((v - y) * k) / steps].map((value) => Math.round(value));
      lines[64 * at[1] + at[0]] = 255;
    }
  });
  return lines;
}

test('what is stretched, sheared and moved a little is laid close, another shape is not', async () => {
  const core = await Core.load();
  const notched = [
    [6, 12],
    [57, 12],
    [57, 50],
    [40, 50],
    [40, 30],
    [24, 30],
    [24, 50],
    [6, 50],
  ] as const;
  const byHand = notched.map(([x, y]) => [1.04 * x + 0.05 * y - 3, 0.95 * y - 0.04 * x + 4] as const);
  const plain = [notched[0], notched[1], notched[2], notched[7]];
  const nothing = new Uint8Array(64 * 64);
  const apart = layLines(
    core,
    [drawn(notched), drawn(byHand), drawn(plain), nothing],
    [drawn(notched), nothing],
    [
      [0, 0],
      [1, 0],
      [2, 0],
      [0, 1],
      [3, 0],
    ],
  );
  expect(apart[0]).toBe(0);
  expect(apart[1]).toBeLessThan(1);
  expect(apart[2]).toBeGreaterThan(1.4);
  expect(apart.slice(3)).toEqual([undefined, undefined]);
});

test('sketches of two parts find both first, each by its own', async () => {
  const inputs = [];
  for (const [name, seed] of [
    ['battery-001', 514],
    ['gear-spur-001', 524],
  ] as const) {
    const sketch = await sketchOf(parts.get(name)!, seed);
    inputs.push({ uid: (await company.putInput(new Uint8Array(sketch), { extension: '.png' })).uid });
  }
  const { hits } = await company.search({ like: inputs, kinds: ['ThreeD'], limit: 100 });
  const found = hits.slice(0, 2).map(({ path, shapeMatch }) => `${path} ${shapeMatch?.input}`);
  expect(found.sort()).toEqual(['battery-001.stl 0', 'gear-spur-001.stl 1']);
});

test('asked again, a sketch finds the same; a model that is replaced is laid anew', async () => {
  const sketch = async (name: string): Promise<string> => {
    const bytes = await sketchOf(parts.get(name)!, SKETCHED[name]);
    return (await company.putInput(new Uint8Array(bytes), { extension: '.png' })).uid;
  };
  const battery = await sketch('battery-001');
  const search = async () =>
    (await company.search({ like: { uid: battery }, kinds: ['ThreeD'], limit: 100 })).hits.map(
      ({ path, score, shapeMatch }) => ({ path, score, shapeMatch }),
    );
  const before = await search();
  expect(await search()).toEqual(before);
  // The two files change places: kept lines of the models that they were would find the wrong one.
  const put = (path: string, name: string): Promise<unknown> =>
    company.put(path, stlOf(parts.get(name)!), { overwrite: true });
  await put('battery-001.stl', 'gear-spur-001');
  await put('gear-spur-001.stl', 'battery-001');
  expect((await search())[0].path).toBe('gear-spur-001.stl');
  for (const name of ['battery-001', 'gear-spur-001']) await put(`${name}.stl`, name);
  expect((await search()).map(({ path }) => path)).toEqual(before.map(({ path }) => path));
});
