import { beforeAll, describe, expect, test } from 'vitest';
import { buildSurfaceTree, QUERY_LENGTH, withSurfaceTree } from '../../dist/core/surface-tree.js';
import { Core, type TriangleMesh } from './api.js';
import { box, gear, meshOf, randomOf, sphere, torus } from './shapes.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

const SHAPES: Record<string, TriangleMesh> = {
  'one triangle': meshOf([0, 0, 0, 4, 0, 1, 1, 3, 0], [0, 1, 2]),
  box: box(30, 20, 10),
  gear: gear(17, 20, 6),
  sphere: sphere(10, 12, 20),
  torus: torus(20, 6, 24, 12),
};

describe('nearest triangles', () => {
  test.each(Object.keys(SHAPES))('of a %s: as by looking at every triangle, facing and not', (name) => {
    const mesh = SHAPES[name];
    const random = randomOf(3);
    const count = 200;
    const queries = new Float32Array(QUERY_LENGTH * count);
    for (let i = 0; i < count; i++) {
      const normal = unit([random() - 0.5, random() - 0.5, random() - 0.5]);
      const facing = i % 2 === 0 ? normal : [0, 0, 0];
      queries.set(
        [60 * random() - 30, 60 * random() - 30, 30 * random() - 10, ...facing, i % 5 === 0 ? 4 : 1000],
        QUERY_LENGTH * i,
      );
    }
    const { distances, triangles } = ask(mesh, queries, 0.5);
    for (let i = 0; i < count; i++) {
      const [x, y, z, nx, ny, nz, limit] = queries.subarray(QUERY_LENGTH * i, QUERY_LENGTH * (i + 1));
      let expected = limit;
      for (let t = 0; t < mesh.indices.length / 3; t++) {
        const n = normalOf(mesh, t);
        const cos = Math.abs(n[0] * nx + n[1] * ny + n[2] * nz);
        // On the border of the cone either answer is right.
        if (i % 2 === 0 && cos < 0.5) continue;
        expected = Math.min(expected, distanceTo(mesh, t, [x, y, z]));
      }
      expect(distances[i]).toBeCloseTo(expected, 3);
      if (triangles[i] < 0) expect(distances[i]).toBe(limit);
      else expect(distanceTo(mesh, triangles[i], [x, y, z])).toBeCloseTo(distances[i], 3);
    }
  });

  test('thin triangles suit every query', () => {
    const sliver = meshOf([0, 0, 0, 10, 0, 0, 5, 1e-4, 0], [0, 1, 2]);
    const query = Float32Array.of(5, 0, 1, 1, 0, 0, 100);
    expect(ask(sliver, query, 0.5, 0).triangles[0]).toBe(-1);
    const found = ask(sliver, query, 0.5, 1e-3);
    expect(found.triangles[0]).toBe(0);
    expect(found.distances[0]).toBeCloseTo(1, 4);
  });

  test('more queries at once than announced are refused', () => {
    const tree = buildSurfaceTree(core, SHAPES.box, 0);
    expect(() =>
      withSurfaceTree(core, tree, { mostQueries: 1, cosLimit: 0.5 }, (nearest) =>
        nearest(new Float32Array(2 * QUERY_LENGTH), 2, new Float32Array(2), new Int32Array(2)),
      ),
    ).toThrow(RangeError);
  });
});

function ask(
  mesh: TriangleMesh,
  queries: Float32Array,
  cosLimit: number,
  thinMm = 0,
): { distances: Float32Array; triangles: Int32Array } {
  const count = queries.length / QUERY_LENGTH;
  const distances = new Float32Array(count),
    triangles = new Int32Array(count);
  withSurfaceTree(core, buildSurfaceTree(core, mesh, thinMm), { mostQueries: count, cosLimit }, (nearest) =>
    nearest(queries, count, distances, triangles),
  );
  return { distances, triangles };
}

type Vector = readonly number[];

function cornersOf({ positions, indices }: TriangleMesh, t: number): Vector[] {
  return [0, 1, 2].map((k) => Array.from(positions.subarray(3 * indices[3 * t + k], 3 * indices[3 * t + k] + 3)));
}

function normalOf(mesh: TriangleMesh, t: number): Vector {
  const [a, b, c] = cornersOf(mesh, t);
  const u = minus(b, a),
    v = minus(c, a);
  return unit([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]);
}

/** To the plane where the foot is inside, else to the nearest edge. */
function distanceTo(mesh: TriangleMesh, t: number, p: Vector): number {
  const [a, b, c] = cornersOf(mesh, t);
  const n = normalOf(mesh, t);
  const isInside = [
    [a, b],
    [b, c],
    [c, a],
  ].every(([d, e]) => {
    const u = minus(e, d),
      v = minus(p, d);
    return (
      (u[1] * v[2] - u[2] * v[1]) * n[0] + (u[2] * v[0] - u[0] * v[2]) * n[1] + (u[0] * v[1] - u[1] * v[0]) * n[2] >= 0
    );
  });
  if (isInside) return Math.abs(dot(n, minus(p, a)));
  return Math.min(
    ...[
      [a, b],
      [b, c],
      [c, a],
    ].map(([d, e]) => {
      const u = minus(e, d),
        v = minus(p, d);
      const share = Math.min(1, Math.max(0, dot(u, v) / dot(u, u)));
      return Math.hypot(
        ...minus(
          v,
          u.map((x) => share * x),
        ),
      );
    }),
  );
}

function minus(a: Vector, b: Vector): Vector {
  return a.map((x, i) => x - b[i]);
}

function dot(a: Vector, b: Vector): number {
  return a.reduce((sum, x, i) => sum + x * b[i], 0);
}

function unit(v: Vector): Vector {
  const length = Math.hypot(...v);
  return v.map((x) => x / length);
}
