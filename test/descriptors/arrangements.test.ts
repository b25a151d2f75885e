import { describe, expect, test } from 'vitest';
import { compareFine, comparePairs, FINE_BYTES } from '../../dist/core/compare.js';
import {
  ARRANGEMENTS,
  arrangementTables,
  describeShape,
  SHAPE_LENGTHS,
  type ShapeFeatures,
} from '../../dist/core/shape.js';
import { vectorMaker } from '../../dist/descriptors/describe-mesh.js';
import { FACE_STATISTICS } from '../../dist/descriptors/faces/face-statistics.js';
import { encodeFine, type FineVectors } from '../../dist/descriptors/fine.js';
import { loadReference } from '../../dist/descriptors/reference.js';
import { bossedPlate, dozen, handedBracket, mapped, mirrored, screw } from '../fixtures/parts.js';
import { box, prism, tetrahedron, type Body } from '../fixtures/shapes.js';
import { hogOf } from './hog-twin.js';
import { apart, core, describeBody, meshOfBody } from './describing.js';

const CHANNEL = SHAPE_LENGTHS.hog / 3;
const { hog: hogTable, images: imageTable } = arrangementTables(core);
const rowsOf = (table: Uint16Array, length: number): Uint16Array[] =>
  Array.from({ length: ARRANGEMENTS }, (_, n) => table.subarray(n * length, (n + 1) * length));
const TABLES = { hog: rowsOf(hogTable, CHANNEL), images: rowsOf(imageTable, SHAPE_LENGTHS.images) };

/** Views as an arrangement makes them; hog has three channels, arranged alike. */
function arrangedViews(values: Float32Array, table: Uint16Array): Float32Array {
  return values.map((_, i) => values[i - (i % table.length) + table[i % table.length]]);
}

/** The 24 ways to put the axes in another order and turn some round without mirroring. */
const ROTATIONS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
].flatMap((order, i) =>
  Array.from({ length: 8 }, (_, bits) => [bits & 1, (bits >> 1) & 1, bits >> 2].map((bit) => (bit === 1 ? -1 : 1)))
    .filter(([x, y, z]) => x * y * z === (i < 3 ? 1 : -1))
    .map((signs) => ({ order, signs })),
);

function arranged(body: Body, { order, signs }: (typeof ROTATIONS)[number]): Body {
  return mapped(body, (...v) => [signs[0] * v[order[0]], signs[1] * v[order[1]], signs[2] * v[order[2]]]);
}

describe.each(['hog', 'images'] as const)('the arrangements of %s', (part) => {
  const all = TABLES[part];
  const { length } = all[0];
  const keys = new Set(all.map((table) => table.join()));

  test('are 24 different permutations, the one that changes nothing among them', () => {
    const places = Array.from({ length }, (_, i) => i);
    expect(keys.size).toBe(ARRANGEMENTS);
    for (const table of all) expect([...table].sort((a, b) => a - b)).toEqual(places);
    expect(keys.has(places.join())).toBe(true);
  });

  test('are a group: two after another are a third', () => {
    for (const a of all) for (const b of all) expect(keys.has(a.map((place) => b[place]).join())).toBe(true);
  });
});

test('parts are compared in the arrangement that brings them nearest, by views and by spread views', async () => {
  const makeVectors = vectorMaker(core, await loadReference());
  const noFaces = new Float32Array(FACE_STATISTICS);
  const vectorsOf = (shape: ShapeFeatures): FineVectors => makeVectors(shape, noFaces);
  const shapes = dozen()
    .slice(0, 6)
    .map((part) => describeShape(core, meshOfBody(part)));
  const fine = shapes.map((shape) => encodeFine(vectorsOf(shape), shape.plainPairs));
  const cosine = (a: Float64Array, b: Float64Array): number => {
    const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, value, i) => sum + value * y[i], 0);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  };
  const vectors = shapes.map(vectorsOf);
  const turned = shapes.map((shape) =>
    TABLES.hog.map((hog, n) =>
      vectorsOf({
        ...shape,
        hog: arrangedViews(shape.hog, hog),
        images: arrangedViews(shape.images, TABLES.images[n]),
      }),
    ),
  );
  const pairs = comparePairs(core, fine);
  for (let i = 1; i < shapes.length; i++) {
    const found = compareFine(core, fine[i], fine.slice(0, i));
    for (let j = 0; j < i; j++) {
      for (const term of ['views', 'spread'] as const) {
        const nearest = Math.max(...turned[i].map((one) => cosine(one[term], vectors[j][term])));
        // Bytes hold a vector to about two hundredths of its length.
        expect(Math.abs(1 - found[term][j] ** 2 / 2 - nearest)).toBeLessThan(0.02);
        expect(pairs[term][(i * (i - 1)) / 2 + j]).toBe(found[term][j]);
      }
      expect(pairs.family[(i * (i - 1)) / 2 + j]).toBe(found.family[j]);
      expect(pairs.plainPairs[(i * (i - 1)) / 2 + j]).toBe(found.plainPairs[j]);
    }
  }
});

test('a part is nothing apart from itself, and one without any vector is like no other', () => {
  const [part, other] = dozen()
    .slice(0, 2)
    .map((body) => describeBody(body).descriptors.fine);
  const none = new Uint8Array(FINE_BYTES);
  const { views, spread, family, plainPairs } = compareFine(core, part, [part, other, none]);
  for (const term of [views, spread, family, plainPairs]) {
    expect(term[0]).toBe(0);
    expect(term[1]).toBeGreaterThan(0);
  }
  for (const term of [views, spread, family]) expect(term[2]).toBeCloseTo(Math.SQRT2, 6);
});

test('no arrangement changes the orbit moments', () => {
  const { hog } = describeShape(core, meshOfBody(handedBracket()));
  const moments = (values: Float32Array): Float32Array =>
    core.call((arena) => {
      const from = arena.copyIn(values);
      const to = arena.reserve(4 * SHAPE_LENGTHS.orbits);
      arena.kernels.orbitMoments(from, 3, to);
      return arena.f32(to, SHAPE_LENGTHS.orbits);
    });
  const before = moments(hog);
  expect(Math.max(...before)).toBeGreaterThan(0.1);
  for (const table of TABLES.hog) {
    const after = moments(arrangedViews(hog, table));
    after.forEach((value, i) => expect(Math.abs(value - before[i])).toBeLessThan(1e-6));
  }
});

describe.each([handedBracket(), bossedPlate(60, 20, 3), screw(5, 20)])(
  '$name with its axes in another order',
  (part) => {
    const described = describeBody(part);
    const others = ROTATIONS.map((rotation) => describeBody(arranged(part, rotation)));

    test('looks the same in one of the 24 arrangements', () => {
      // Stored bytes of the same view may differ by rounding where an edge of the part lies on the edge of a pixel.
      for (const other of others)
        expect(apart(described, other).views).toBeLessThan(part.name === 'M5x20' ? 0.05 : 0.03);
    });
  },
);

test('a mirror image is in none of the arrangements', () => {
  const part = handedBracket();
  expect(apart(describeBody(part), describeBody(mirrored(part))).views).toBeGreaterThan(0.1);
});

describe('the histograms of views', () => {
  // Parts whose face frame is that of their own axes, so that the reference needs none; which axis it calls first is
  // left open.
  test.each([
    box(30, 20, 7),
    tetrahedron(30),
    handedBracket(),
    prism(
      [
        [0, 0],
        [31, 0],
        [31, 11],
        [17, 23],
        [0, 23],
      ],
      9,
    ),
  ])('are those of a plain reading: $name', (part) => {
    const mesh = meshOfBody(part);
    const expected = hogOf(mesh);
    const found = describeShape(core, mesh).hog.map((value) => value ** 2.5);
    const off = TABLES.hog.map((table) =>
      found.reduce(
        (most, _value, i) =>
          Math.max(most, Math.abs(found[CHANNEL * Math.floor(i / CHANNEL) + table[i % CHANNEL]] - expected[i])),
        0,
      ),
    );
    expect(Math.max(...expected)).toBeGreaterThan(0.2);
    expect(Math.min(...off)).toBeLessThan(1e-4);
  });
});
