import { expect, test } from 'vitest';
import { closedSlits } from '../../../dist/readers/mesh/slits.js';
import { weld } from '../../../dist/readers/mesh/weld.js';

/** A tetrahedron whose apex is there twice, `apart` from each other, with the triangle between both left out. */
function slitTetrahedron(apart: number): { positions: Float64Array; indices: Uint32Array } {
  const positions = Float64Array.of(0, 0, 0, 10, 0, 0, 0, 10, 0, 3, 3, 8, 3 + apart, 3, 8);
  return { positions, indices: Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 4, 2, 0, 4) };
}

function borderEdges(indices: Uint32Array): number {
  const counts = new Map<string, number>();
  for (let i = 0; i < indices.length; i++) {
    const key = [indices[i], indices[i % 3 === 2 ? i - 2 : i + 1]].sort().join(' ');
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts.values()].filter((count) => count === 1).length;
}

test('a place that rounding made two is one again, and the surface closed', () => {
  const { positions, indices } = slitTetrahedron(1e-12);
  expect(borderEdges(indices)).toBe(4);
  const closed = closedSlits(positions, indices);
  const welded = weld(closed!, indices);
  expect(welded.positions).toHaveLength(12);
  expect(welded.positions).not.toContain(3 + 1e-12);
  expect(borderEdges(welded.indices)).toBe(0);
});

test('a gap that can be seen stays, and so does a sheet with a border', () => {
  const { positions, indices } = slitTetrahedron(1e-6);
  expect(closedSlits(positions, indices)).toBeUndefined();
  const sheet = Float64Array.of(0, 0, 0, 10, 0, 0, 10, 10, 0, 0, 10, 0);
  expect(closedSlits(sheet, Uint32Array.of(0, 1, 2, 0, 2, 3))).toBeUndefined();
});
