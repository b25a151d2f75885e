import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as write from '../fixtures/mesh-writers.js';
import {
  areaOf,
  box,
  cylinder,
  lBracket,
  moved,
  prism,
  sphere,
  tetrahedron,
  torus,
  triangulated,
  volumeOf,
  type Body,
} from '../fixtures/shapes.js';
import { expectSound, oneMesh, options, readModel, warningsOf } from './helpers.js';

/** Each format as a writer of one body, with the name that its file has. */
const FORMATS: readonly { name: string; write: (body: Body) => Uint8Array }[] = [
  { name: 'ascii.stl', write: (body) => write.writeStlAscii(body) },
  { name: 'binary.stl', write: (body) => write.writeStlBinary(body) },
  { name: 'a.obj', write: (body) => write.writeObj(body) },
  { name: 'ascii.ply', write: (body) => write.writePly(body, 'ascii') },
  { name: 'little.ply', write: (body) => write.writePly(body, 'binary_little_endian') },
  { name: 'big.ply', write: (body) => write.writePly(body, 'binary_big_endian') },
  { name: 'a.off', write: (body) => write.writeOff(body) },
  { name: 'a.amf', write: (body) => write.writeAmf([body]) },
  { name: 'two.wrl', write: (body) => write.writeVrml2(body) },
  { name: 'one.wrl', write: (body) => write.writeVrml1(body) },
  { name: 'a.amf', write: (body) => write.writeZip({ 'a.amf': write.writeAmf([body]) }) },
  { name: 'a.obj.gz', write: (body) => write.writeGzip(write.writeObj(body)) },
  { name: 'a.off.ifz', write: (body) => write.writeZip({ 'a.off': write.writeOff(body) }) },
];

/** In single precision, since binary STL has no more. */
const single = (body: Body): Body => ({
  ...body,
  vertices: body.vertices.map(([x, y, z]) => [Math.fround(x), Math.fround(y), Math.fround(z)] as const),
});
const BODIES: readonly Body[] = [
  box(10, 20, 30),
  cylinder(5, 8, 12),
  torus(10, 3, 16, 8),
  sphere(4, 12),
  lBracket(40, 5, 12),
  tetrahedron(6),
].map(single);

describe('the bodies of the fixtures', () => {
  it.each(BODIES)('$name is closed and faces outward', (body) => {
    const { vertices, faces } = triangulated(body);
    const edges = new Set(faces.flatMap(([a, b, c]) => [`${a} ${b}`, `${b} ${c}`, `${c} ${a}`]));
    expect(edges.size).toBe(3 * faces.length);
    for (const edge of edges) expect(edges.has(edge.split(' ').reverse().join(' '))).toBe(true);
    expect(volumeOf(vertices.flat(), faces.flat())).toBeGreaterThan(0);
  });
});

describe.each(FORMATS)('$name', ({ name, write: writeBody }) => {
  it.each(BODIES)('gives the $name with its vertices, volume and area', async (body) => {
    const mesh = await oneMesh(writeBody(body), name);
    expectSound(mesh);
    const { vertices, faces } = triangulated(body);
    expect(mesh.positions.length).toBe(3 * vertices.length);
    expect(mesh.indices.length).toBe(3 * faces.length);
    expect(volumeOf(mesh.positions, mesh.indices)).toBeCloseTo(volumeOf(vertices.flat(), faces.flat()), 6);
    // The quadrilaterals of round bodies are not quite plane in single precision, so the area depends on the cut a
    // little.
    expect(areaOf(mesh.positions, mesh.indices)).toBeCloseTo(areaOf(vertices.flat(), faces.flat()), 1);
  });

  it.each(BODIES)('gives the very mesh that was written when the $name comes in triangles', async (body) => {
    const plain = triangulated(body);
    const expected = await oneMesh(write.writeOff(plain), 'expected.off');
    const mesh = await oneMesh(writeBody(plain), name);
    expect(mesh.positions).toEqual(expected.positions);
    expect(mesh.indices).toEqual(expected.indices);
  });
});

it.each(FORMATS)('$name: any triangles come back exactly, whatever the places', async ({ name, write: writeBody }) => {
  const place = fc.tuple(
    ...Array.from({ length: 3 }, () => fc.float({ min: -1e6, max: 1e6, noNaN: true, noDefaultInfinity: true })),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(place, { minLength: 3, maxLength: 12, selector: (p) => p.map((x) => x + 0).join() }),
      async (places) => {
        const faces = places.slice(2).map((_, i) => [i, i + 1, i + 2]);
        const body: Body = { name: 'strip', vertices: places as [number, number, number][], faces };
        // A strip along a line has no area, which is another test's matter.
        fc.pre(areaOf(places.flat(), faces.flat()) > 1e-6);
        const mesh = await oneMesh(writeBody(body), name);
        expect([...mesh.positions]).toEqual(places.flat().map((x) => x + 0));
        expect([...mesh.indices]).toEqual(faces.flat());
      },
    ),
    { numRuns: 40 },
  );
});

describe('components', () => {
  const bodies = [box(1, 2, 3), { ...moved(tetrahedron(4), 10, 0, 0), name: 'wedge' }];

  it.each([
    { name: 'a.stl', bytes: write.writeStlAscii(...bodies) },
    { name: 'a.obj', bytes: write.writeObj(...bodies) },
    { name: 'a.amf', bytes: write.writeAmf(bodies) },
    { name: 'one.wrl', bytes: write.writeVrml1(...bodies) },
    { name: 'two.wrl', bytes: write.writeVrml2(...bodies) },
  ])('$name: two bodies become two components with their names', async ({ name, bytes }) => {
    const model = await readModel(bytes, name, options());
    expect(model.root.name).toBe(name.slice(0, -4));
    expect(model.root.children.map((child) => child.name)).toEqual(['box', 'wedge']);
    expect(model.root.children.map((child) => child.meshes)).toEqual([[0], [1]]);
    expect(model.meshes.map(({ positions, indices }) => volumeOf(positions, indices))).toEqual([
      6,
      expect.closeTo(64 / 6, 9),
    ]);
  });

  it('one body is the root itself', async () => {
    const model = await readModel(write.writeStlAscii(box(1, 1, 1)), 'a.stl', options());
    expect(model.root).toEqual({ name: 'box', meshes: [0], children: [] });
    expect(model.warnings).toEqual([]);
  });

  it('a body without a name has the name of the file', async () => {
    const model = await readModel(write.writeOff(box(1, 1, 1)), 'parts/B-17.v2.off', options());
    expect(model.root.name).toBe('B-17.v2');
    expect(model.meshes[0].name).toBe('B-17.v2');
  });

  it('a solid for each face is one body, closed', async () => {
    const { vertices, faces } = box(1, 2, 3);
    const patches = faces.map((face, i) => ({ name: `face ${i}`, vertices, faces: [face] }));
    const model = await readModel(write.writeStlAscii(...patches), 'b.stl', options());
    expect(model.meshes.length).toBe(1);
    expect(model.root).toEqual({ name: 'b', meshes: [0], children: [] });
    expect(model.meshes[0].positions.length).toBe(24);
    expect(volumeOf(model.meshes[0].positions, model.meshes[0].indices)).toBe(6);
  });

  it('patches of two bodies become two bodies', async () => {
    const patchesOf = ({ vertices, faces }: Body, name: string): Body[] =>
      faces.map((face, i) => ({ name: `${name} ${i}`, vertices, faces: [face] }));
    const patches = [...patchesOf(box(1, 2, 3), 'box'), ...patchesOf(moved(box(1, 1, 1), 5, 0, 0), 'cube')];
    const { meshes } = await readModel(write.writeObj(...patches), 'b.obj', options());
    expect(meshes.map((mesh) => mesh.name)).toEqual(['box 0', 'cube 0']);
    expect(meshes.map(({ positions, indices }) => volumeOf(positions, indices))).toEqual([6, 1]);
  });

  it('closed bodies that touch stay apart', async () => {
    const { meshes } = await readModel(write.writeObj(box(1, 1, 1), moved(box(1, 1, 1), 1, 0, 0)), 'b.obj', options());
    expect(meshes.length).toBe(2);
  });
});

describe('units', () => {
  it.each(['a.stl', 'a.obj', 'a.ply', 'a.off'])('%s takes the default unit without a warning', async (name) => {
    const bytes = FORMATS.find((format) => format.name.endsWith(name.slice(1)))?.write(box(1, 2, 3));
    const model = await readModel(bytes ?? new Uint8Array(), name, options({}, 'in'));
    expect(model.unit).toBe('in');
    expect(model.warnings).toEqual([]);
    expect(Math.max(...model.meshes[0].positions)).toBeCloseTo(76.2, 12);
  });

  it('AMF has its own', async () => {
    const model = await readModel(write.writeAmf([box(1, 2, 3)], { unit: 'inch' }), 'a.amf', options({}, 'm'));
    expect(model.unit).toBe('in');
    expect(Math.max(...model.meshes[0].positions)).toBeCloseTo(76.2, 12);
    const odd = await readModel(write.writeAmf([box(1, 2, 3)], { unit: 'furlong' }), 'a.amf', options({}, 'm'));
    expect(odd.unit).toBe('m');
    expect(warningsOf(odd)).toEqual(['UNIT_ASSUMED']);
  });

  it('VRML needs the default, and says so', async () => {
    expect(warningsOf(await readModel(write.writeVrml2(box(1, 2, 3)), 'a.wrl', options()))).toEqual(['UNIT_ASSUMED']);
  });
});

it('double precision survives in every format that has it', async () => {
  const body = prism(
    [
      [0, 0],
      [0.1 + Number.EPSILON, 0],
      [0, 1 / 3],
    ],
    1e-9,
  );
  for (const { name, write: writeBody } of FORMATS.filter((format) => format.name !== 'binary.stl')) {
    const { positions } = await oneMesh(writeBody(body), name);
    expect(positions).toContain(0.1 + Number.EPSILON);
    expect(positions).toContain(1 / 3);
    expect(positions).toContain(1e-9);
  }
});

it('the same bytes give the same model', async () => {
  for (const { name, write: writeBody } of FORMATS) {
    const bytes = writeBody(lBracket(40, 5, 12));
    expect(await readModel(bytes, name, options())).toEqual(await readModel(bytes, name, options()));
  }
});
