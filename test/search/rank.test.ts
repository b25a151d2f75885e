import { expect, test } from 'vitest';
import { Core, MeshDescriber } from '../../dist/core-entry.js';
import { loadReference } from '../../dist/descriptors/reference.js';
import { shapeDistances, type Comparable } from '../../dist/search/shapes/rank.js';
import { dozen, mirrored, rotated, screw } from '../fixtures/parts.js';
import { triangulated, type Body } from '../fixtures/shapes.js';

const core = await Core.load();
const reference = await loadReference();
const describer = await MeshDescriber.load(core);
const TILT = [0.3, -0.5, 0.7, 0.2];

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

/** The same part in another size: descriptors do not change when a part is scaled. */
function inSize(part: Comparable, scale: number): Comparable {
  const [a, b, c] = part.bboxSizeMm;
  return { fine: part.fine, bboxSizeMm: [scale * a, scale * b, scale * c] };
}

test('a copy has the size of the query: the same shape in another size is a neighbour like any other', () => {
  const [query, ...others] = [...dozen(), ...[8, 12, 16, 30].map((length) => screw(5, length))].map(comparable);
  const distances = (...candidates: readonly Comparable[]): number[] => [
    ...shapeDistances(core, reference, query, candidates, { ignoreSize: false }),
  ];
  const alone = distances(...others);
  for (const scale of [1, 1.0001, 0.9999]) expect(distances(inSize(query, scale), ...others).slice(1)).toEqual(alone);
  for (const scale of [1.001, 1.01, 2, 0.5])
    expect(distances(inSize(query, scale), ...others).slice(1), `${scale}`).not.toEqual(alone);
});

test('a little larger comes before what has another shape', () => {
  const parts = dozen();
  const handed = parts.findIndex(({ name }) => name === 'handed bracket');
  const query = comparable(parts[handed]);
  const others = parts.filter((_, i) => i !== handed).map(comparable);
  for (const scale of [1.001, 1.01]) {
    const [own, ...rest] = shapeDistances(core, reference, query, [inSize(query, scale), ...others], {
      ignoreSize: false,
    });
    expect(own, `${scale}`).toBeLessThan(Math.min(...rest));
  }
});

test('other exports of the query, its mirror images and other sizes leave the others where they are', () => {
  const parts = [...dozen(), ...[8, 12, 16, 30].map((length) => screw(5, length))];
  const [own, others] = [parts[0], parts.slice(1).map(comparable)];
  const query = comparable(own);
  const boxed = ({ fine }: Comparable): Comparable => ({ fine, bboxSizeMm: query.bboxSizeMm });
  const beside = (body: Body, matchClass: 'identical' | 'mirrored' | 'scaled'): number[] => {
    const [twin, again] = [boxed(comparable(rotated(body, TILT))), boxed(comparable(rotated(body, [1, 2, -1, 0.3])))];
    expect(Buffer.compare(twin.fine, query.fine)).not.toBe(0);
    const same = new Map([0, 1].map((i) => [i, { matchClass }]));
    return [...shapeDistances(core, reference, query, [twin, again, ...others], { ignoreSize: false, same })].slice(2);
  };
  const alone = [...shapeDistances(core, reference, query, others, { ignoreSize: false })];
  expect(beside(own, 'identical')).toEqual(alone);
  expect(beside(mirrored(own), 'mirrored')).toEqual(alone);
  expect(beside(own, 'scaled')).toEqual(alone);
});
