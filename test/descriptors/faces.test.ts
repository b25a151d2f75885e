import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Mesh } from '../../dist/content/model.js';
import { decodeFaces, encodeFaces } from '../../dist/descriptors/faces/encode-faces.js';
import { faceWords } from '../../dist/descriptors/faces/face-words.js';
import { findFaces } from '../../dist/descriptors/faces/find-faces.js';
import type { BodyFaces, FaceTable } from '../../dist/descriptors/faces/part-face.js';
import { covers, pointsOf } from '../../dist/descriptors/faces/region.js';
import { EngineError } from '../../dist/errors.js';
import { turned } from '../fixtures/parts.js';
import { plate } from '../search/plates.js';
import { box, cylinder, sphere, torus, triangulated, type Body } from '../fixtures/shapes.js';

const IDENTITY = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

/** A mesh without faces of its own. */
function meshOf(body: Body): Mesh {
  const { vertices, faces } = triangulated(body);
  return { name: '', positions: Float64Array.from(vertices.flat()), indices: Uint32Array.from(faces.flat()) };
}

const facesOf = (body: Body): BodyFaces => findFaces(meshOf(body), 1_000);
const tableOf = (body: Body): FaceTable => ({ bodies: [facesOf(body)], places: [{ body: 0, matrix: IDENTITY }] });

/** Cone from radius 12 to 6 over 20 mm, then a pin of radius 3. */
const nozzle = turned(
  [
    [0, 0],
    [12, 0],
    [6, 20],
    [3, 20],
    [3, 35],
    [0, 35],
  ],
  64,
);

/** Quads over a grid of points; points that are one become one vertex. */
function surfaceOf(grids: readonly (readonly (readonly (readonly number[])[])[])[]): Body {
  const vertices: [number, number, number][] = [];
  const known = new Map<string, number>();
  const vertexOf = ([x, y, z]: readonly number[]): number => {
    const key = [x, y, z].map((value) => Math.round(value * 1e6)).join(' ');
    const at = known.get(key) ?? vertices.push([x, y, z]) - 1;
    known.set(key, at);
    return at;
  };
  const faces = grids.flatMap((grid) =>
    grid
      .slice(1)
      .flatMap((row, i) =>
        row.slice(1).map((_, j) => [...new Set([grid[i][j], row[j], row[j + 1], grid[i][j + 1]].map(vertexOf))]),
      ),
  );
  return { name: '', vertices, faces: faces.filter((corners) => corners.length > 2) };
}

/** A square section led along a helix: a spring washer, mm. */
function springWasher(radius: number, side: number, pitch: number, steps: number): Body {
  const corners = [-1, 1].flatMap((x) => [-x, x].map((y) => [x, y] as const));
  const sections = Array.from({ length: steps + 1 }, (_, k) => {
    const turn = (0.94 * 2 * Math.PI * k) / steps;
    return corners.map(([x, y]) => {
      const out = radius + (side / 2) * x;
      return [out * Math.cos(turn), out * Math.sin(turn), (pitch * turn) / (2 * Math.PI) + (side / 2) * y];
    });
  });
  const walls = sections.map((section) => [...section, section[0]]);
  const ends = [sections[0], [...sections[steps]].reverse()].map(([a, b, c, d]) => [
    [a, b],
    [d, c],
  ]);
  return surfaceOf([walls, ...ends]);
}

/** A box of which all edges and corners are rounded, mm. */
function roundedBox([x, y, z]: readonly number[], radius: number, steps: number): Body {
  const quarter = Array.from({ length: steps + 1 }, (_, k) => (k * Math.PI) / 2 / steps);
  const rows = [
    ...quarter.map((lift) => [lift - Math.PI / 2, -1] as const),
    ...quarter.map((lift) => [lift, 1] as const),
  ];
  const columns = [0, 1, 2, 3].flatMap((q) => quarter.map((turn) => [turn + (q * Math.PI) / 2, q] as const));
  const grid = rows.map(([lift, up]) =>
    [...columns, columns[0]].map(([turn, q]) => [
      radius * Math.cos(lift) * Math.cos(turn) + (q === 0 || q === 3 ? 1 : -1) * (x / 2 - radius),
      radius * Math.cos(lift) * Math.sin(turn) + (q < 2 ? 1 : -1) * (y / 2 - radius),
      radius * Math.sin(lift) + up * (z / 2 - radius),
    ]),
  );
  const rim = (row: number): (readonly number[])[] => [0, 1, 2, 3].map((q) => grid[row][q * (steps + 1)]);
  const [low, high] = [rim(0), rim(rows.length - 1)];
  const lids = [
    [
      [low[0], low[1]],
      [low[3], low[2]],
    ],
    [
      [high[0], high[3]],
      [high[1], high[2]],
    ],
  ];
  return surfaceOf([grid, ...lids]);
}

/** How many faces there are of each kind. */
function countsOf({ faces }: BodyFaces): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { kind } of faces) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}

describe('faces of meshes that run smoothly into each other', () => {
  test.each([24, 40, 90])('helical walls stay whole, in %i steps, instead of strips that pass for cones', (steps) => {
    expect(countsOf(facesOf(springWasher(10, 4, 5, steps)))).toEqual({ cylinder: 2, free: 2, plane: 2 });
  });

  test.each([8, 12, 20])('a rounded box has its flat faces, edges and corners, in %i steps', (steps) => {
    const found = facesOf(roundedBox([40, 30, 20], 4, steps));
    expect(countsOf(found)).toEqual({ plane: 6, cylinder: 12, sphere: 8 });
    for (const { kind, radiusMm } of found.faces) if (kind !== 'plane') expect(radiusMm).toBeCloseTo(4, 3);
  });

  test('a bent pipe is two straight ones and a part of a ring', () => {
    const ring = (turn: number, [x, z]: readonly number[]): number[][] =>
      Array.from({ length: 49 }, (_, k) => {
        const [out, up] = [6 * Math.cos((k * Math.PI) / 24), 6 * Math.sin((k * Math.PI) / 24)];
        return [x + out * Math.cos(turn), up, z + out * Math.sin(turn)];
      });
    const bend = Array.from({ length: 25 }, (_, k) => (k * Math.PI) / 48);
    const pipe = [
      ring(0, [40, -50]),
      ...bend.map((turn) => ring(turn, [40 * Math.cos(turn), 40 * Math.sin(turn)])),
      ring(Math.PI / 2, [-50, 40]),
    ];
    const found = facesOf(surfaceOf([pipe]));
    const [bent] = found.faces.filter(({ kind }) => kind === 'torus');
    expect(bent.radiusMm).toBeCloseTo(40, 3);
    expect(bent.areaMm2 / (40 * 6 * Math.PI ** 2)).toBeGreaterThan(0.9);
    const walls = found.faces.filter(({ kind, areaMm2 }) => kind === 'cylinder' && areaMm2 > 1_800);
    expect(walls.map(({ radiusMm }) => Math.round(100 * radiusMm))).toEqual([600, 600]);
  });
});

describe('faces of meshes whose surfaces are known', () => {
  test('a box has six planes that meet at ridges of a right angle', () => {
    const { faces, edges } = facesOf(box(10, 20, 30));
    expect(faces.map(({ kind }) => kind)).toEqual(new Array(6).fill('plane'));
    expect(faces.map(({ areaMm2 }) => Math.round(areaMm2)).sort((a, b) => a - b)).toEqual([
      200, 200, 300, 300, 600, 600,
    ]);
    expect(edges).toHaveLength(12);
    for (const { kind, turnRad } of edges) {
      expect(kind).toBe('convex');
      expect(turnRad).toBeCloseTo(Math.PI / 2, 6);
    }
  });

  test('a cylinder has its radius, its axis and the area of the round surface', () => {
    const { faces } = facesOf(cylinder(5, 40, 64));
    const [wall] = faces.filter(({ kind }) => kind === 'cylinder');
    expect(wall).toMatchObject({ isHollow: false, second: 0 });
    expect(wall.radiusMm).toBeCloseTo(5, 6);
    expect(Math.abs(wall.axis[2])).toBeCloseTo(1, 9);
    expect(wall.areaMm2 / (2 * Math.PI * 5 * 40)).toBeCloseTo(1, 3);
    expect(wall.region.to[1] - wall.region.from[1]).toBeCloseTo(40, 6);
    expect(faces.filter(({ kind }) => kind === 'plane')).toHaveLength(2);
  });

  test('a cone opens away from its apex, and a pin stands on it with a groove around', () => {
    const { faces, edges } = facesOf(nozzle);
    const cone = faces.find(({ kind }) => kind === 'cone')!;
    expect(cone.second).toBeCloseTo(Math.atan(6 / 20), 5);
    expect(cone.origin.map((value) => Math.round(1e4 * value) / 1e4 + 0)).toEqual([0, 0, 40]);
    expect(cone.axis[2]).toBeCloseTo(-1, 9);
    const pin = faces.find(({ kind }) => kind === 'cylinder')!;
    expect(pin).toMatchObject({ isHollow: false });
    expect(pin.radiusMm).toBeCloseTo(3, 6);
    expect(edges.map(({ kind }) => kind).sort()).toEqual(['concave', 'convex', 'convex', 'convex']);
  });

  test('the wall of a hole is hollow, and meets the sides of the plate at ridges', () => {
    const square = [
      [-20, -20],
      [20, -20],
      [20, 20],
      [-20, 20],
    ] as const;
    const { positions, indices } = plate(square, 5, [{ x: 4, y: 3, diameter: 8 }]);
    const { faces, edges } = findFaces({ name: '', positions: Float64Array.from(positions), indices }, 1_000);
    const [wall, ...others] = faces.filter(({ kind }) => kind === 'cylinder');
    expect(others).toEqual([]);
    expect(wall).toMatchObject({ isHollow: true });
    expect(wall.radiusMm).toBeCloseTo(4, 5);
    const ofWall = edges.filter((edge) => edge.faces.includes(faces.indexOf(wall)));
    expect(ofWall.map(({ kind }) => kind)).toEqual(['convex', 'convex']);
  });

  test('a ball is one sphere, a ring one torus', () => {
    const [ball, ...none] = facesOf(sphere(7, 48)).faces;
    expect(none).toEqual([]);
    expect(ball.kind).toBe('sphere');
    expect(ball.radiusMm).toBeCloseTo(7, 5);
    const [ring, ...others] = facesOf(torus(20, 4, 64, 48)).faces;
    expect(others).toEqual([]);
    expect(ring.kind).toBe('torus');
    expect(ring.radiusMm).toBeCloseTo(20, 4);
    expect(ring.second).toBeCloseTo(4, 4);
  });
});

test('the region of a face covers the points of the face and none beside it', () => {
  for (const body of [box(10, 20, 30), cylinder(5, 40, 64), nozzle])
    for (const face of facesOf(body).faces) {
      const points = pointsOf(face, face.region);
      expect(points.length).toBeGreaterThan(3);
      for (const point of points) expect(covers(face, face.region, point), face.kind).toBe(true);
    }
  const wall = facesOf(cylinder(5, 40, 64)).faces.find(({ kind }) => kind === 'cylinder')!;
  const [low, high] = [wall.origin[2] - 20, wall.origin[2] + 20];
  expect(covers(wall, wall.region, [5, 0, high - 1])).toBe(true);
  expect(covers(wall, wall.region, [5, 0, high + 3])).toBe(false);
  expect(covers(wall, wall.region, [-5, 0, low - 3])).toBe(false);
});

test('the words of a part are the same in every pose and in the mirror image', () => {
  const words = [...faceWords(tableOf(nozzle))];
  expect(words.length).toBeGreaterThan(3);
  fc.assert(
    fc.property(fc.double({ min: -3, max: 3, noNaN: true }), fc.double({ min: -3, max: 3, noNaN: true }), (a, b) => {
      const moved = mapVertices(nozzle, ([x, y, z]) => {
        const [p, q] = [x * Math.cos(a) - y * Math.sin(a), x * Math.sin(a) + y * Math.cos(a)];
        return [p * Math.cos(b) - z * Math.sin(b) + 100, q - 30, p * Math.sin(b) + z * Math.cos(b)];
      });
      expect([...faceWords(tableOf(moved))]).toEqual(words);
    }),
    { numRuns: 20, seed: 3 },
  );
  const mirrored = mapVertices(nozzle, ([x, y, z]) => [-x, y, z]);
  const turnedOver = { ...mirrored, faces: mirrored.faces.map((face) => [...face].reverse()) };
  expect([...faceWords(tableOf(turnedOver))]).toEqual(words);
});

function mapVertices(body: Body, map: (point: readonly number[]) => readonly number[]): Body {
  return { ...body, vertices: body.vertices.map((point) => map(point) as [number, number, number]) };
}

test('stored faces come back, and damaged ones are refused with a code', () => {
  const table = tableOf(nozzle);
  const bytes = encodeFaces(table);
  const back = decodeFaces(bytes);
  expect(back.places).toEqual(table.places);
  const [before, after] = [table.bodies[0], back.bodies[0]];
  expect(after.edges).toHaveLength(before.edges.length);
  for (const [i, face] of after.faces.entries()) {
    const { kind, number, isHollow, radiusMm, origin, region } = before.faces[i];
    expect(face).toMatchObject({ kind, number, isHollow });
    expect(face.radiusMm).toBeCloseTo(radiusMm, 5);
    expect(face.region.cells).toEqual(region.cells);
    origin.forEach((value, axis) => expect(face.origin[axis]).toBeCloseTo(value, 4));
  }
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), (length) => {
      expect(() => decodeFaces(bytes.subarray(0, length))).toThrow(EngineError);
    }),
    { numRuns: 50, seed: 1 },
  );
  fc.assert(
    fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), (at, bit) => {
      const damaged = bytes.slice();
      damaged[at] ^= 1 << bit;
      try {
        decodeFaces(damaged);
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError);
      }
    }),
    { numRuns: 200, seed: 2 },
  );
});
