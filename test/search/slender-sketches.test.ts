import { afterAll, beforeAll, expect, test } from 'vitest';
import { sketchOf } from '../../bench/support/crossmodal-queries.mjs';
import type { Company, Engine } from '../../dist/index.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import type { Body } from '../fixtures/shapes.js';
import { fill, libraries } from './library.js';

// Bars twelve times as long as high: a picture of 64 pixels shows five across.

/** Of each bar where its lower and upper side are along its length: x, lower, upper. */
const BARS = {
  plain: [
    [0, 0, 10],
    [120, 0, 10],
  ],
  stepped: [
    [0, 0, 10],
    [60, 0, 10],
    [60, 0, 5],
    [120, 0, 5],
  ],
  notched: [
    [0, 0, 10],
    [50, 0, 10],
    [50, 0, 4],
    [70, 0, 4],
    [70, 0, 10],
    [120, 0, 10],
  ],
  waisted: [
    [0, 0, 10],
    [35, 0, 10],
    [35, 3, 7],
    [85, 3, 7],
    [85, 0, 10],
    [120, 0, 10],
  ],
} as const;
const WIDTH = 25;

const { fresh, open } = libraries();
let engine: Engine;
let company: Company;

beforeAll(async () => {
  engine = await open(fresh());
  company = await engine.company('acme');
  const files = (['plain', 'stepped', 'notched', 'waisted'] as const).map(
    (name) => [`${name}.stl`, writeStlBinary(barOf(name))] as const,
  );
  await fill(company, files);
}, 120_000);
afterAll(() => engine.close());

function barOf(name: keyof typeof BARS): Body {
  const places = BARS[name];
  // Of each place the lower and the upper corner behind, then those in front.
  const vertices = places.flatMap(([x, lower, upper]) =>
    [0, WIDTH].flatMap((z) => [lower, upper].map((y) => [x, y, z] as const)),
  );
  const faces = places.slice(1).flatMap(([x], i) => {
    const [a, b] = [4 * i, 4 * i + 4];
    const around = [
      [a, b, b + 2, a + 2],
      [a + 1, a + 3, b + 3, b + 1],
    ];
    const sides = [
      [a, a + 1, b + 1, b],
      [a + 2, b + 2, b + 3, a + 3],
    ];
    return x === places[i][0] ? around : [...around, ...sides];
  });
  const last = vertices.length - 4;
  return { name, vertices, faces: [...faces, [0, 2, 3, 1], [last, last + 1, last + 3, last + 2]] };
}

test('a sketch of a slender bar is much more like it than like bars of the same sides', async () => {
  const { vertices, faces } = barOf('waisted');
  const indices = faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  const mesh = { positions: Float32Array.from(vertices.flat()), indices: Uint32Array.from(indices) };
  const bytes = new Uint8Array(await sketchOf(mesh, 7, { turn: [1, 0, 0, 0, 1, 0, 0, 0, 1] }));
  const { hits } = await company.search({ like: { bytes, extension: '.png' }, kinds: ['ThreeD'], limit: 10 });
  expect(hits[0].path).toBe('waisted.stl');
  expect(hits[1].similarity).toBeLessThan(hits[0].similarity! / 3);
});
