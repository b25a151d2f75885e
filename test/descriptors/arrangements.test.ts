import { describe, expect, test } from 'vitest';
import { compareAligned, compareFine } from '../../dist/core/compare.js';
import { describeShape, SHAPE_LENGTHS } from '../../dist/core/shape.js';
import { seeded } from '../fixtures/random.js';
import { bossedPlate, handedBracket, mapped, mirrored, screw } from '../fixtures/parts.js';
import { box, prism, tetrahedron, type Body } from '../fixtures/shapes.js';
import { hogOf } from './hog-twin.js';
import { apart, core, describeBody, meshOfBody } from './describing.js';

const FINE = { hog: 2304, images: 1536, bytes: 4912 };
const CHANNEL = FINE.hog / 3;
const ARRANGEMENTS = 24;

/** What the kernel makes of a query: u8[24][2304] hog and u8[24][1536] images, out of its layout in blocks. */
function arrange(fine: Uint8Array): { hog: Uint8Array[]; images: Uint8Array[] } {
  const total = ARRANGEMENTS * (FINE.hog + FINE.images);
  const words = core.call((arena) => {
    const from = arena.copyIn(fine);
    const to = arena.reserve(2 * total);
    arena.kernels.arrangeQuery(from, to);
    return new Int16Array(arena.u8(to, 2 * total).buffer);
  });
  const unpack = (start: number, length: number): Uint8Array[] =>
    Array.from({ length: ARRANGEMENTS }, (_, n) => {
      const group = start + Math.floor(n / 4) * 4 * length;
      return Uint8Array.from({ length }, (_value, i) => words[group + (Math.floor(i / 8) * 4 + (n % 4)) * 8 + (i % 8)]);
    });
  return { hog: unpack(0, FINE.hog), images: unpack(ARRANGEMENTS * FINE.hog, FINE.images) };
}

/** The permutations themselves: places written into a query as two bytes, arranged, read back. */
function tables(part: 'hog' | 'images', at: number, length: number): Uint16Array[] {
  const halves = [0, 8].map((shift) => {
    const fine = new Uint8Array(FINE.bytes);
    for (let i = 0; i < length; i++) fine[at + i] = i >> shift;
    return arrange(fine)[part];
  });
  return halves[0].map((low, n) =>
    Uint16Array.from(low.subarray(0, length), (value, i) => value | (halves[1][n][i] << 8)),
  );
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

describe.each([
  ['hog', 0, CHANNEL],
  ['images', FINE.hog, FINE.images],
] as const)('the arrangements of %s', (part, at, length) => {
  const all = tables(part, at, length);
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

test('all three channels of hog are arranged alike', () => {
  const first = tables('hog', 0, CHANNEL);
  for (const channel of [1, 2]) {
    const fine = new Uint8Array(FINE.bytes);
    const random = seeded(channel);
    for (let i = 0; i < CHANNEL; i++) fine[channel * CHANNEL + i] = Math.floor(256 * random());
    arrange(fine).hog.forEach((hog, n) => {
      expect(hog.subarray(channel * CHANNEL, (channel + 1) * CHANNEL)).toEqual(
        Uint8Array.from(first[n], (place) => fine[channel * CHANNEL + place]),
      );
    });
  }
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
  for (const table of tables('hog', 0, CHANNEL)) {
    const after = moments(hog.map((_, i) => hog[CHANNEL * Math.floor(i / CHANNEL) + table[i % CHANNEL]]));
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
      // Measured: at most 0.023 (the screw, whose hexagon has three equal directions), 0 to three digits for the
      // others.
      for (const other of others)
        expect(apart(described, other).hog).toBeLessThan(part.name === 'M5x20' ? 0.05 : 0.005);
    });

    test('is found in arrangements that lay parts on each other', () => {
      const fine = Buffer.concat(others.map(({ descriptors }) => descriptors.fine));
      const { arrangements } = compareFine(core, described.descriptors.fine, fine);
      const { hog } = compareAligned(core, fine, arrangements);
      expect(Math.max(...hog) / 2093).toBeLessThan(part.name === 'M5x20' ? 0.1 : 0.01);
    });
  },
);

test('a mirror image is in none of the arrangements', () => {
  const part = handedBracket();
  expect(apart(describeBody(part), describeBody(mirrored(part))).hog).toBeGreaterThan(0.3);
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
    const off = tables('hog', 0, CHANNEL).map((table) =>
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
