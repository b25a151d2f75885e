import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { Core, type EngineError, meshTopology, type TriangleMesh } from './api.js';
import { topologyReference } from './reference.js';
import { box, gear, insideOut, meshOf, shuffled, sphere, tetrahedron, torus } from './shapes.js';

let core: Core;
beforeAll(async () => {
  core = await Core.load();
});

const SOUND = { boundaryEdges: 0, nonManifoldEdges: 0, inconsistentEdges: 0, shellCount: 1 };

function both(a: TriangleMesh, b: TriangleMesh): TriangleMesh {
  const shift = a.positions.length / 3;
  return meshOf([...a.positions, ...b.positions], [...a.indices, ...Array.from(b.indices, (i) => i + shift)]);
}

describe('solids', () => {
  test.each<[string, TriangleMesh]>([
    ['box', box(1, 2, 3)],
    ['gear', gear(12, 10, 3)],
    ['sphere', sphere(5, 12, 20)],
    ['torus', torus(10, 3, 24, 12)],
    ['tetrahedron', tetrahedron(1)],
    ['inside-out box', insideOut(box(1, 2, 3))],
  ])('a %s is closed and of one piece', (_, mesh) => {
    expect(meshTopology(core, mesh)).toEqual(SOUND);
  });

  test('two boxes are two shells, of opposite orientation too', () => {
    expect(meshTopology(core, both(box(1, 2, 3), insideOut(box(1, 1, 1))))).toEqual({ ...SOUND, shellCount: 2 });
  });
});

describe('defects', () => {
  const { positions, indices } = box(1, 2, 3);

  test('a missing triangle leaves three edges open', () => {
    expect(meshTopology(core, { positions, indices: indices.slice(3) })).toEqual({ ...SOUND, boundaryEdges: 3 });
  });

  test('a triangle the wrong way round disagrees along three edges', () => {
    const [a, b, c, ...rest] = indices;
    expect(meshTopology(core, meshOf(positions, [a, c, b, ...rest]))).toEqual({ ...SOUND, inconsistentEdges: 3 });
  });

  test('a fin on an edge', () => {
    const fin = meshOf([...positions, 5, 5, 5], [...indices, indices[0], indices[1], 8]);
    expect(meshTopology(core, fin)).toEqual({ ...SOUND, nonManifoldEdges: 1, boundaryEdges: 2 });
  });

  test('triangles that name a vertex twice, and vertices without triangles, are nothing', () => {
    const more = meshOf([...positions, 9, 9, 9], [...indices, 0, 0, 1, 3, 4, 3, 2, 2, 2]);
    expect(meshTopology(core, more)).toEqual(SOUND);
  });
});

test('any soup of triangles: as counted with maps, in any order', () => {
  const soup = fc
    .array(fc.nat({ max: 11 }), { minLength: 3, maxLength: 120 })
    .map((list) => list.slice(0, 3 * Math.floor(list.length / 3)));
  fc.assert(
    fc.property(soup, fc.integer(), (list, seed) => {
      const mesh = meshOf(new Float32Array(36), [0, 1, 2, ...list]);
      const expected = topologyReference(mesh);
      expect(meshTopology(core, mesh)).toEqual(expected);
      expect(meshTopology(core, shuffled(mesh, seed))).toEqual(expected);
    }),
    { numRuns: 300 },
  );
});

test('a fan of 200 000 triangles around one vertex is no trap', () => {
  const count = 200_000;
  const indices = Uint32Array.from({ length: 3 * count }, (_, i) =>
    i % 3 === 0 ? 0 : 1 + Math.floor(i / 3) + (i % 3) - 1,
  );
  const found = meshTopology(core, { positions: new Float32Array(3 * (count + 2)), indices });
  expect(found).toEqual({ boundaryEdges: count + 2, nonManifoldEdges: 0, inconsistentEdges: 0, shellCount: 1 });
});

test.each<[string, TriangleMesh, string]>([
  ['no triangle', meshOf([], []), 'NO_GEOMETRY'],
  ['only false triangles', meshOf([0, 0, 0], [0, 0, 0]), 'NO_GEOMETRY'],
  ['a bad index', meshOf([0, 0, 0], [0, 0, 1]), 'FILE_MALFORMED'],
])('%s', (_, mesh, code) => {
  expect(() => meshTopology(core, mesh)).toThrow(expect.objectContaining({ code }) as EngineError);
});
