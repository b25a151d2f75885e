import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  Core,
  type EngineError,
  pointMeshDistances,
  sampleSurface,
  surfaceDeviations,
  type TriangleMesh,
} from './api.js';
import { distanceReference } from './reference.js';
import {
  box,
  bracket,
  cylinder,
  gear,
  meshOf,
  motion,
  randomMotion,
  randomOf,
  shuffled,
  sphere,
  tetrahedron,
  torus,
  transformed,
} from './shapes.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];
const SHAPES: Record<string, TriangleMesh> = {
  'one triangle': meshOf([0, 0, 0, 4, 0, 1, 1, 3, 0], [0, 1, 2]),
  tetrahedron: tetrahedron(7),
  bracket: bracket(30, 20, 3, 10),
  cylinder: cylinder(5, 40, 100),
  gear: gear(17, 20, 6),
  torus: torus(20, 6, 24, 12),
};

describe('distances', () => {
  test.each(Object.keys(SHAPES))('to a %s: as by looking at every triangle', (name) => {
    const mesh = SHAPES[name];
    const random = randomOf(9);
    const points = Float32Array.from({ length: 900 }, () => 60 * random() - 30);
    const found = pointMeshDistances(core, mesh, points);
    found.forEach((distance, i) => {
      expect(Math.abs(distance - distanceReference(mesh, Array.from(points.subarray(3 * i, 3 * i + 3))))).toBeLessThan(
        1e-4,
      );
    });
  });

  test('closed form: a sphere', () => {
    const random = randomOf(10);
    const points = Float32Array.from({ length: 3000 }, () => 40 * random() - 20);
    pointMeshDistances(core, sphere(10, 128, 256), points).forEach((distance, i) => {
      const radius = Math.hypot(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
      expect(Math.abs(distance - Math.abs(radius - 10))).toBeLessThan(0.004);
    });
  });

  test('vertices and samples of the mesh lie on it', () => {
    for (const mesh of Object.values(SHAPES)) {
      expect(Math.max(...pointMeshDistances(core, mesh, mesh.positions))).toBeLessThan(1e-5);
      expect(Math.max(...pointMeshDistances(core, mesh, sampleSurface(core, mesh, 500, 1).positions))).toBeLessThan(
        2e-5,
      );
    }
  });

  test('any soup of triangles, with points, lines and slivers among them', () => {
    const coordinate = fc.constantFrom(-3, -1, 0, 1e-4, 1, 2, 5);
    fc.assert(
      fc.property(
        fc.array(coordinate, { minLength: 12, maxLength: 60 }),
        fc.array(fc.nat({ max: 3 }), { minLength: 3, maxLength: 90 }),
        fc.tuple(coordinate, coordinate, coordinate),
        (coordinates, corners, point) => {
          const mesh = meshOf(
            coordinates.slice(0, 3 * Math.floor(coordinates.length / 3)),
            corners.slice(0, 3 * Math.floor(corners.length / 3)),
          );
          const [found] = pointMeshDistances(core, mesh, Float32Array.from(point));
          // The twin divides 0 by 0 on triangles that are a point or a line: sample those instead.
          const expected = nearestBySampling(mesh, point);
          expect(found).toBeLessThanOrEqual(expected + 1e-5);
          expect(found).toBeGreaterThanOrEqual(expected - 0.75);
        },
      ),
      { numRuns: 200 },
    );
  });

  test('the order of triangles does not matter, nor where it all lies', () => {
    const mesh = SHAPES.gear;
    const random = randomOf(4);
    const points = Float32Array.from({ length: 300 }, () => 60 * random() - 30);
    const found = pointMeshDistances(core, mesh, points);
    pointMeshDistances(core, shuffled(mesh, 3), points).forEach((distance, i) =>
      expect(distance).toBeCloseTo(found[i], 4),
    );
    const matrix = motion([1, 2, 3, 4], [100, -50, 20]);
    const moved = transformed({ positions: points, indices: mesh.indices }, matrix).positions;
    pointMeshDistances(core, transformed(mesh, matrix), moved).forEach((distance, i) =>
      expect(Math.abs(distance - found[i])).toBeLessThan(1e-4),
    );
  });

  test('sizes from a micron to a kilometre', () => {
    for (const scale of [1e-12, 1e-3, 1e6, 1e12]) {
      const mesh = { positions: box(3, 4, 5).positions.map((x) => x * scale), indices: box(3, 4, 5).indices };
      const found = pointMeshDistances(
        core,
        mesh,
        Float32Array.from([1.5 * scale, 2 * scale, 7 * scale, 1 * scale, 2 * scale, 3 * scale]),
      );
      expect(found[0] / (2 * scale)).toBeCloseTo(1, 5);
      expect(found[1] / scale).toBeCloseTo(1, 5);
    }
  });
});

describe('deviations', () => {
  test('are those of the distances after each transform', () => {
    const mesh = SHAPES.gear;
    const random = randomOf(12);
    const points = sampleSurface(core, SHAPES.bracket, 300, 2).positions;
    const matrices = Array.from({ length: 7 }, () => randomMotion(random));
    const found = surfaceDeviations(core, mesh, points, Float32Array.from(matrices.flat()), Infinity);
    matrices.forEach((matrix, k) => {
      const distances = pointMeshDistances(
        core,
        mesh,
        transformed({ positions: points, indices: mesh.indices }, matrix).positions,
      );
      expect(found[k].pointsSeen).toBe(300);
      expect(found[k].maxMm).toBeCloseTo(Math.max(...distances), 3);
      expect(found[k].meanMm).toBeCloseTo(distances.reduce((sum, d) => sum + d, 0) / 300, 3);
      expect(found[k].rmsMm).toBeCloseTo(Math.sqrt(distances.reduce((sum, d) => sum + d * d, 0) / 300), 3);
    });
  });

  test('a turned and scaled copy is found by the inverse; a wrong transform is given up early', () => {
    const mesh = SHAPES.gear;
    const scaled = [0, 2, 0, 5, -2, 0, 0, 6, 0, 0, 2, 7];
    const inverse = [0, -0.5, 0, 3, 0.5, 0, 0, -2.5, 0, 0, 0.5, -3.5];
    const points = sampleSurface(core, transformed(mesh, scaled), 1000, 2).positions;
    const [right, wrong] = surfaceDeviations(core, mesh, points, Float32Array.from([...inverse, ...IDENTITY]), 0.01);
    expect(right.pointsSeen).toBe(1000);
    expect(right.maxMm).toBeLessThan(1e-4);
    expect(wrong.maxMm).toBeGreaterThan(0.01);
    expect(wrong.pointsSeen).toBeLessThan(50);
  });

  test('every point is looked at once, whatever their number', () => {
    const mesh = SHAPES.tetrahedron;
    for (let count = 1; count < 40; count++) {
      // One point is off the mesh: it must be met.
      for (const odd of [0, count >> 1, count - 1]) {
        const points = new Float32Array(3 * count);
        points[3 * odd] = -2;
        const [{ maxMm, meanMm, pointsSeen }] = surfaceDeviations(
          core,
          mesh,
          points,
          Float32Array.from(IDENTITY),
          Infinity,
        );
        expect(pointsSeen).toBe(count);
        expect(maxMm).toBeCloseTo(2, 5);
        expect(meanMm * count).toBeCloseTo(2, 5);
      }
    }
  });

  test('no points and no transforms are no work', () => {
    expect(surfaceDeviations(core, SHAPES.gear, new Float32Array(0), Float32Array.from(IDENTITY), 1)).toEqual([
      { maxMm: 0, meanMm: 0, rmsMm: 0, pointsSeen: 0 },
    ]);
    expect(surfaceDeviations(core, SHAPES.gear, new Float32Array(3), new Float32Array(0), 1)).toEqual([]);
    expect(pointMeshDistances(core, SHAPES.gear, new Float32Array(0))).toEqual(new Float32Array(0));
  });
});

describe('what cannot be measured', () => {
  const one = new Float32Array(3);
  test.each<[string, TriangleMesh, Float32Array, string]>([
    ['no triangle', meshOf([], []), one, 'NO_GEOMETRY'],
    ['a bad index', meshOf([0, 0, 0], [0, 0, 1]), one, 'FILE_MALFORMED'],
    ['a vertex that is not a number', meshOf([0, 0, NaN, 1, 0, 0, 0, 1, 0], [0, 1, 2]), one, 'FILE_MALFORMED'],
    ['a point that is not a number', box(1, 1, 1), Float32Array.from([0, NaN, 0]), 'FILE_MALFORMED'],
  ])('%s', (_, mesh, points, code) => {
    const coded = expect.objectContaining({ code }) as EngineError;
    expect(() => pointMeshDistances(core, mesh, points)).toThrow(coded);
    expect(() => surfaceDeviations(core, mesh, points, Float32Array.from(IDENTITY), 1)).toThrow(coded);
  });

  test('misuse is a RangeError that names the argument', () => {
    const mesh = box(1, 1, 1);
    expect(() => pointMeshDistances(core, mesh, new Float32Array(4))).toThrow(/points/);
    expect(() => surfaceDeviations(core, mesh, one, new Float32Array(9), 1)).toThrow(/transforms/);
    expect(() => surfaceDeviations(core, mesh, one, new Float32Array(12), NaN)).toThrow(/boundMm/);
    expect(() => surfaceDeviations(core, mesh, one, new Float32Array(12), -1)).toThrow(/boundMm/);
  });
});

/** Nearest of points sampled all over each triangle, to within a sixth of the longest edge. */
function nearestBySampling({ positions, indices }: TriangleMesh, point: readonly number[]): number {
  let least = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.subarray(3 * indices[t + k], 3 * indices[t + k] + 3));
    for (let i = 0; i <= 12; i++) {
      for (let j = 0; i + j <= 12; j++) {
        const offset = point.map((x, axis) => x - (i * a[axis] + j * b[axis] + (12 - i - j) * c[axis]) / 12);
        least = Math.min(least, Math.hypot(...offset));
      }
    }
  }
  return least;
}
