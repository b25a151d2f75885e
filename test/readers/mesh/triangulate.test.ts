import fc from 'fast-check';
import { expect, it } from 'vitest';
import { GrowableU32 } from '../../../dist/readers/geometry/growable.js';
import { Triangulator } from '../../../dist/readers/mesh/triangulate.js';
import { areaOf } from '../../fixtures/shapes.js';
import { stopwatch } from '../../fixtures/stopwatch.js';

function triangulate(positions: Float64Array, corners: Uint32Array): Uint32Array {
  const out = new GrowableU32();
  new Triangulator().triangulate(positions, corners, out);
  return out.view().slice();
}

/** Area of a plane polygon by Newell's formula. */
function polygonArea(positions: Float64Array): number {
  const count = positions.length / 3;
  const normal = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const p = 3 * i,
      q = 3 * ((i + 1) % count);
    for (let axis = 0; axis < 3; axis++) {
      const u = (axis + 1) % 3,
        v = (axis + 2) % 3;
      normal[axis] += positions[p + u] * positions[q + v] - positions[p + v] * positions[q + u];
    }
  }
  return Math.hypot(...normal) / 2;
}

/**
 * Every side of the polygon once in its direction, every inner edge once in each: the triangles fill it like a sheet.
 */
function expectSheet(indices: Uint32Array, count: number): void {
  const edges = new Map<string, number>();
  for (let i = 0; i < indices.length; i += 3) {
    for (let side = 0; side < 3; side++) {
      const key = `${indices[i + side]} ${indices[i + ((side + 1) % 3)]}`;
      edges.set(key, (edges.get(key) ?? 0) + 1);
    }
  }
  for (let i = 0; i < count; i++) {
    const there = `${i} ${(i + 1) % count}`,
      back = `${(i + 1) % count} ${i}`;
    edges.set(there, (edges.get(there) ?? 0) - 1);
    edges.set(back, (edges.get(back) ?? 0) + 0);
  }
  for (const [key, n] of edges) expect(n - (edges.get(key.split(' ').reverse().join(' ')) ?? 0)).toBe(0);
}

const count = fc.integer({ min: 4, max: 40 });
const radii = count.chain((n) => fc.array(fc.integer({ min: 1, max: 20 }), { minLength: n, maxLength: n }));
/** Directions that the polygon's plane is tilted by. */
const tilt = fc.tuple(...Array.from({ length: 4 }, () => fc.integer({ min: -3, max: 3 })));

it('fills any star-shaped outline exactly, in any plane and winding', () => {
  fc.assert(
    fc.property(radii, tilt, fc.boolean(), (lengths, [a, b, c, d], clockwise) => {
      const outline = lengths.map((radius, i) => {
        const angle = ((clockwise ? -1 : 1) * 2 * Math.PI * i) / lengths.length;
        return [radius * Math.cos(angle), radius * Math.sin(angle)];
      });
      const positions = Float64Array.from(
        outline.flatMap(([x, y]) => [x, y, a * x + b * y + 7].map((value, axis) => value + (axis === 0 ? c : d))),
      );
      const indices = triangulate(
        positions,
        Uint32Array.from(lengths, (_, i) => i),
      );
      expect(indices.length).toBe(3 * (lengths.length - 2));
      expectSheet(indices, lengths.length);
      expect(areaOf(positions, indices) / polygonArea(positions)).toBeCloseTo(1, 9);
    }),
  );
});

it('ends with the right edges on outlines that cross themselves, repeat places or have no area', () => {
  const coordinate = fc.integer({ min: 0, max: 3 });
  fc.assert(
    fc.property(fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 3, maxLength: 20 }), (places) => {
      const indices = triangulate(
        Float64Array.from(places.flat()),
        Uint32Array.from(places, (_, i) => i),
      );
      expect(indices.length).toBe(3 * (places.length - 2));
      expectSheet(indices, places.length);
    }),
  );
});

it('cuts an outline that is tied to its hole by a bridge', () => {
  const ring = [
    [0, 0],
    [6, 0],
    [6, 6],
    [0, 6],
    [0, 0],
    [2, 2],
    [2, 4],
    [4, 4],
    [4, 2],
    [2, 2],
  ];
  const positions = Float64Array.from(ring.flatMap(([x, y]) => [x, y, 0]));
  expect(
    areaOf(
      positions,
      triangulate(
        positions,
        Uint32Array.from(ring, (_, i) => i),
      ),
    ),
  ).toBeCloseTo(32, 12);
});

it('gives up ear clipping, not time, on a hostile polygon', () => {
  const count = 200_000;
  const positions = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const angle = (2 * Math.PI * i) / count;
    positions.set([(i % 2 === 0 ? 5 : 10) * Math.cos(angle), (i % 2 === 0 ? 5 : 10) * Math.sin(angle), 0], 3 * i);
  }
  const took = stopwatch();
  expect(
    triangulate(
      positions,
      Uint32Array.from({ length: count }, (_, i) => i),
    ).length,
  ).toBe(3 * (count - 2));
  expect(took()).toBeLessThan(5_000);
});
