import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Core, type TriangleMesh } from '../../../dist/core-entry.js';
import { decodeSurface, encodeSurface } from '../../../dist/descriptors/surface.js';
import { PartSurface } from '../../../dist/search/shapes/same-part/part-surface.js';
import { comparePart, type PartMatch } from '../../../dist/search/shapes/same-part/compare-part.js';
import { gate } from '../../../dist/search/shapes/same-part/gate.js';
import {
  box,
  cylinder,
  gear,
  meshOf,
  motion,
  randomMotion,
  randomOf,
  shuffled,
  sphere,
  transformed,
} from '../../core/shapes.js';
import { circle, plate, type Hole } from '../plates.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

const SCALE = (x: number, y = x, z = x): number[] => [x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0];
const TURN = motion([0.7, -0.3, 0.5, 0.4], [12, -30, 7]);

function part(mesh: TriangleMesh, origin: readonly [number, number, number] = [0, 0, 0]): PartSurface {
  return new PartSurface(decodeSurface(encodeSurface({ ...mesh, origin }, [0, 0, 0])));
}

function compare(a: TriangleMesh, b: TriangleMesh): PartMatch {
  return comparePart(core, part(a), part(b));
}

/** Turned, moved, and in another order. */
function elsewhere(mesh: TriangleMesh, seed = 1): TriangleMesh {
  return shuffled(transformed(mesh, TURN), seed);
}

/** Meshes side by side or overlapping, as one. */
function join(...meshes: readonly TriangleMesh[]): TriangleMesh {
  const positions: number[] = [],
    indices: number[] = [];
  for (const mesh of meshes) {
    const first = positions.length / 3;
    positions.push(...mesh.positions);
    for (const index of mesh.indices) indices.push(first + index);
  }
  return meshOf(positions, indices);
}

function shift(mesh: TriangleMesh, x: number, y: number, z: number): TriangleMesh {
  return transformed(mesh, [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z]);
}

const RECTANGLE = [
  [0, 0],
  [60, 0],
  [60, 40],
  [0, 40],
] as const;
const HOLES: readonly Hole[] = [
  { x: 10, y: 10, diameter: 5 },
  { x: 50, y: 10, diameter: 5 },
  { x: 30, y: 28, diameter: 8 },
];

/** An L plate with a peg on one side: no turn makes it its mirror image. */
const handed = join(
  plate(
    [
      [0, 0],
      [50, 0],
      [50, 15],
      [15, 15],
      [15, 30],
      [0, 30],
    ],
    5,
    [{ x: 40, y: 7, diameter: 6 }],
  ),
  shift(cylinder(3, 8, 24), 7, 22, 5),
);
const screw = (length: number, segments = 24): TriangleMesh =>
  join(
    shift(cylinder(1.5, length, segments), 0, 0, -length),
    plate(circle(5.5, segments), 3, [{ x: 0, y: 0, diameter: 2.5, segments: 6 }]),
  );
const washer = (bore: number, segments = 48): TriangleMesh =>
  plate(circle(20, segments), 2, [{ x: 0, y: 0, diameter: bore, segments }]);
/** A box without its lid. */
const openBox: TriangleMesh = (() => {
  const { positions, indices } = box(30, 20, 10);
  const isLid = (t: number): boolean => [0, 1, 2].every((k) => positions[3 * indices[3 * t + k] + 2] === 10);
  return meshOf(
    positions,
    Array.from(indices).filter((_, i) => !isLid(Math.floor(i / 3))),
  );
})();
const sheet = meshOf([0, 0, 0, 40, 0, 0, 40, 25, 0, 10, 25, 0], [0, 1, 2, 0, 2, 3]);

/** A plate 60 × 40 with a chamfer along its upper edges of 40; `slope`: its height by its width. */
const chamfered = (width: number, height = 5, slope = 1): TriangleMesh =>
  plate(
    [
      [0, 0],
      [60, 0],
      [60, height - slope * width],
      [60 - width, height],
      [width, height],
      [0, height - slope * width],
    ],
    40,
  );
/** One with a chamfered corner. */
const cut = (width: number): TriangleMesh =>
  plate(
    [
      [0, 0],
      [60 - width, 0],
      [60, width],
      [60, 40],
      [0, 40],
    ],
    4,
  );

/**
 * A plate with round ends, `length` from middle to middle: the ends and the sides between them are one smooth patch.
 */
const link = (length: number): TriangleMesh =>
  plate(
    circle(20, 32).map(([x, y]) => [x >= 0 ? x + length : x, y] as const),
    4,
  );

/** A ring that is cut open: its walls end at sharp edges, where half of a quadrangle has no neighbour on the arc. */
const openRing = (segments: number, radius = 10): TriangleMesh => {
  const arc = (r: number): (readonly [number, number])[] =>
    Array.from({ length: segments + 1 }, (_, i) => {
      const angle = 0.2 + (5.6 * i) / segments;
      return [r * Math.cos(angle), r * Math.sin(angle)] as const;
    });
  return plate([...arc(radius), ...arc(6).reverse()], 3);
};

/** Turned about the z axis, from points of radius and height. */
function turned(profile: readonly (readonly [number, number])[], segments: number): TriangleMesh {
  const positions: number[] = [],
    indices: number[] = [];
  for (const [radius, height] of profile) {
    for (let i = 0; i < segments; i++)
      positions.push(
        radius * Math.cos((2 * Math.PI * i) / segments),
        radius * Math.sin((2 * Math.PI * i) / segments),
        height,
      );
  }
  for (let ring = 0; ring + 1 < profile.length; ring++) {
    for (let i = 0; i < segments; i++) {
      const a = ring * segments + i,
        b = ring * segments + ((i + 1) % segments);
      if (profile[ring][0] > 0) indices.push(a, b, b + segments);
      if (profile[ring + 1][0] > 0) indices.push(a, b + segments, a + segments);
    }
  }
  return meshOf(positions, indices);
}
/** The upper end of a pin of radius 5, a cap of this height. */
const cap = (height: number, rings: number): (readonly [number, number])[] =>
  Array.from({ length: rings + 1 }, (_, i) => {
    const radius = 5 * (1 - i / rings);
    return [radius, 20 + height * (1 - (radius / 5) ** 2)] as const;
  });
const pin = (dome: number, segments: number): TriangleMesh =>
  turned(
    [
      [0, 0],
      [5, 0],
      ...(dome > 0
        ? cap(dome, 8)
        : ([
            [5, 20],
            [0, 20],
          ] as const)),
    ],
    segments,
  );
/** A plate with rounded upper edges, meshed coarsely, with a low bump on it. */
const bumped = (height: number): TriangleMesh => {
  const body = plate(
    [
      [0, 0],
      [30, 0],
      [30, 6],
      [29.4, 7.4],
      [28, 8],
      [2, 8],
      [0.6, 7.4],
      [0, 6],
    ],
    30,
  );
  const bump = transformed(
    turned(
      cap(height, 8).map(([r, h]) => [r, h - 20] as const),
      48,
    ),
    [1, 0, 0, 15, 0, 0, 1, 8, 0, -1, 0, 15],
  );
  return height > 0 ? join(body, bump) : body;
};

const PARTS: Record<string, TriangleMesh> = {
  handed,
  'plate with holes': plate(RECTANGLE, 4, HOLES),
  screw: screw(10),
  washer: washer(8.4),
  'gear of 17': gear(17, 20, 6),
  'gear of 24': gear(24, 20, 6),
  sphere: sphere(10, 16, 24),
  cube: box(20, 20, 20),
  'square bar': box(50, 10, 10),
  cylinder: cylinder(5, 40, 32),
  sheet,
  openBox,
};

describe('the same part', () => {
  test.each(Object.keys(PARTS))('%s, turned, moved and shuffled: identical, with the transform', (name) => {
    const match = compare(PARTS[name], elsewhere(PARTS[name]));
    expect(match.matchClass).toBe('identical');
    expect(match.scale).toBe(1);
    expect(worstMiss(PARTS[name], elsewhere(PARTS[name]), match)).toBeLessThan(0.05);
  });

  test('however it is turned (any rigid motion)', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.constantFrom(...Object.keys(PARTS)), (seed, name) => {
        const moved = shuffled(transformed(PARTS[name], randomMotion(randomOf(seed))), seed);
        return compare(PARTS[name], moved).matchClass === 'identical';
      }),
      { numRuns: 60, seed: 5 },
    );
  });

  test.each([
    ['sphere', sphere(10, 16, 24), sphere(10, 24, 40)],
    ['cylinder', cylinder(5, 40, 24), cylinder(5, 40, 64)],
    ['washer', washer(8.4, 24), washer(8.4, 80)],
    [
      'plate',
      plate(RECTANGLE, 4, HOLES),
      plate(
        RECTANGLE,
        4,
        HOLES.map((hole) => ({ ...hole, segments: 14 })),
      ),
    ],
    ['screw', screw(10, 18), screw(10, 48)],
    ['open ring', openRing(16), openRing(90)],
    ['domed pin', turned([[0, 0], [5, 0], ...cap(1, 3)], 16), pin(1, 64)],
  ])('%s meshed coarser and finer: identical', (_, coarse, fine) => {
    expect(compare(coarse, elsewhere(fine)).matchClass).toBe('identical');
    expect(compare(fine, elsewhere(coarse)).matchClass).toBe('identical');
  });

  test('triangles turned at random do no harm', () => {
    const indices = handed.indices.slice();
    for (let t = 0; t < indices.length; t += 9) [indices[t], indices[t + 1]] = [indices[t + 1], indices[t]];
    expect(compare(handed, elsewhere(meshOf(handed.positions, indices))).matchClass).toBe('identical');
  });

  test("the transform leads from one model's frame to the other's", () => {
    const a = part(handed, [100, 200, 300]);
    const match = comparePart(core, a, part(handed, [0, -50, 0]));
    expect(Array.from(match.transform ?? []).map((x) => Math.round(x * 100) / 100 + 0)).toEqual([
      1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -100, -250, -300, 1,
    ]);
  });
});

describe('mirrored and scaled', () => {
  test('a handed part and its twin: mirrored, and back', () => {
    const twin = elsewhere(transformed(handed, SCALE(-1, 1, 1)));
    const match = compare(handed, twin);
    expect(match.matchClass).toBe('mirrored');
    expect(determinant(match.transform)).toBeCloseTo(-1, 3);
    expect(worstMiss(handed, twin, match)).toBeLessThan(0.05);
    expect(compare(twin, handed).matchClass).toBe('mirrored');
  });

  test.each(['plate with holes', 'screw', 'gear of 17', 'sphere', 'cube', 'sheet', 'openBox'])(
    '%s is its own mirror image: identical',
    (name) => {
      expect(compare(PARTS[name], elsewhere(transformed(PARTS[name], SCALE(1, -1, 1)))).matchClass).toBe('identical');
    },
  );

  test.each([25.4, 1 / 25.4, 0.5, 1.1, 1000, 1.0007, 0.9985, 1.003, 1.005])('scaled by %d', (scale) => {
    const match = compare(handed, elsewhere(transformed(handed, SCALE(scale))));
    expect(match.matchClass).toBe('scaled');
    expect(Math.abs(match.scale / scale - 1)).toBeLessThan(1e-4);
    expect(Math.cbrt(determinant(match.transform)) / scale).toBeCloseTo(1, 3);
  });

  test('inches read as millimetres give exactly 25.4', () => {
    expect(compare(handed, elsewhere(transformed(handed, SCALE(25.4)))).scale).toBe(25.4);
  });

  test('stretched one way only: similar', () => {
    for (const stretch of [1.002, 1.004, 1.03])
      expect(compare(handed, elsewhere(transformed(handed, SCALE(1, 1, stretch)))).matchClass).toBe('similar');
  });
});

describe('near relatives are similar, no more', () => {
  const three = plate(RECTANGLE, 4, HOLES);
  test.each([
    ['a screw two longer', screw(10), screw(12)],
    ['a screw a quarter longer', screw(10), screw(10.25)],
    ['one more small hole', three, plate(RECTANGLE, 4, [...HOLES, { x: 15, y: 30, diameter: 1.5 }])],
    ['a hole moved by half', three, plate(RECTANGLE, 4, [HOLES[0], HOLES[1], { ...HOLES[2], x: 30.5 }])],
    ['a hole 5 → 5.2', three, plate(RECTANGLE, 4, [HOLES[0], { ...HOLES[1], diameter: 5.2 }, HOLES[2]])],
    ['a plate 4 → 4.1', three, plate(RECTANGLE, 4.1, HOLES)],
    ['a washer of other bore', washer(8.4), washer(8.8)],
    ['a gear with one more tooth', gear(24, 20, 6), gear(25, 20, 6)],
    ['a chamfer 1 → 1.15', chamfered(1), chamfered(1.15)],
    ['a chamfered corner 1 → 1.15', cut(1), cut(1.15)],
    ['a chamfer 1 → 1.3 on a thin plate', chamfered(1, 2), chamfered(1.3, 2)],
    ['a chamfer of 30°', chamfered(2, 5, 0.577), chamfered(2.3, 5, 0.577)],
    ['a rounded link 60 → 60.15', link(60), link(60.15)],
    ['cube and nearly cube', box(20, 20, 20), box(20, 20, 20.2)],
    ['hexagonal and round bar', cylinder(5, 40, 6), cylinder(5, 40, 48)],
    ['a pin with a domed and with a flat end', pin(0.3, 64), pin(0, 14)],
    ['a pin with a higher dome', pin(1, 64), turned([[0, 0], [5, 0], ...cap(1.15, 3)], 16)],
    ['an open ring of other radius', openRing(12), openRing(90, 10.1)],
    ['a low bump on a plate', bumped(0), bumped(0.1)],
    ['box with and without lid', box(30, 20, 10), openBox],
    [
      'peg in another place',
      handed,
      join(
        plate(
          [
            [0, 0],
            [50, 0],
            [50, 15],
            [15, 15],
            [15, 30],
            [0, 30],
          ],
          5,
          [{ x: 40, y: 7, diameter: 6 }],
        ),
        shift(cylinder(3, 8, 24), 7, 21.5, 5),
      ),
    ],
  ])('%s', (_, a, b) => {
    expect(compare(a, elsewhere(b)).matchClass).toBe('similar');
    expect(compare(b, elsewhere(a)).matchClass).toBe('similar');
  });
});

describe('gate', () => {
  test('lets coarse tessellations through and keeps other parts out', () => {
    expect(gate(part(cylinder(5, 40, 12)).facts, part(cylinder(5, 40, 64)).facts)).toEqual({
      sameSize: true,
      scaled: false,
    });
    expect(gate(part(screw(10)).facts, part(screw(12)).facts).sameSize).toBe(false);
    expect(gate(part(handed).facts, part(transformed(handed, SCALE(2))).facts)).toEqual({
      sameSize: false,
      scaled: true,
    });
  });
});

test('the same question gets the same answer, to the bit', () => {
  const a = elsewhere(PARTS['gear of 24']),
    b = PARTS['gear of 24'];
  expect(compare(a, b)).toEqual(compare(a, b));
});

/** How far the transformed vertices of a reach beyond b's box, at a's size. */
function worstMiss(a: TriangleMesh, b: TriangleMesh, { transform, scale }: PartMatch): number {
  if (transform === undefined) return Infinity;
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < b.positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], b.positions[i]);
    high[i % 3] = Math.max(high[i % 3], b.positions[i]);
  }
  let worst = 0;
  for (let i = 0; i < a.positions.length; i += 3) {
    for (let row = 0; row < 3; row++) {
      let value = transform[12 + row];
      for (let k = 0; k < 3; k++) value += transform[4 * k + row] * a.positions[i + k];
      worst = Math.max(worst, low[row] - value, value - high[row]);
    }
  }
  return worst / scale;
}

function determinant(m: Float64Array | undefined): number {
  if (m === undefined) return NaN;
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[4] * (m[1] * m[10] - m[2] * m[9]) + m[8] * (m[1] * m[6] - m[2] * m[5]);
}
