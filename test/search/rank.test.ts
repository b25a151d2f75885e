import { expect, test } from 'vitest';
import { Core, MeshDescriber } from '../../dist/core-entry.js';
import { loadReference } from '../../dist/descriptors/reference.js';
import { shapeDistances, type Comparable } from '../../dist/search/shapes/rank.js';
import { dozen, screw } from '../fixtures/parts.js';
import { triangulated, type Body } from '../fixtures/shapes.js';

const core = await Core.load();
const reference = await loadReference();
const describer = await MeshDescriber.load(core);

function comparable(body: Body): Comparable {
  const { vertices, faces } = triangulated(body);
  const [positions, indices] = [Float64Array.from(vertices.flat()), Uint32Array.from(faces.flat())];
  const edges = [0, 1, 2].map((axis) => {
    const along = body.vertices.map((vertex) => vertex[axis]);
    return Math.max(...along) - Math.min(...along);
  });
  const [a, b, c] = edges.sort((x, y) => y - x);
  return { fine: describer.describe({ positions, indices }).fine, bboxSizeMm: [a, b, c] };
}

test('a stored file is no neighbour of itself: the others are as far as if it were not stored', () => {
  const [query, ...others] = [...dozen(), ...[8, 12, 16, 30].map((length) => screw(5, length))].map(comparable);
  const distances = (candidates: readonly Comparable[]): number[] => [
    ...shapeDistances(core, reference, query, candidates, { ignoreSize: false }),
  ];
  const alone = distances(others);
  const [own, ...beside] = distances([query, ...others]);
  expect(beside).toEqual(alone);
  expect(own).toBeLessThan(Math.min(...alone));
});
