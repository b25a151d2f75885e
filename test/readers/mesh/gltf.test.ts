import { Document, WebIO } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../dist/errors.js';
import { readGltf } from '../../../dist/readers/mesh/gltf.js';
import { damaged } from '../../fixtures/damage.js';
import { glb, gltfOf } from '../../fixtures/gltf-writer.js';
import { box, triangulated, volumeOf } from '../../fixtures/shapes.js';
import { codeOf, expectSound, options, text, warningsOf } from '../helpers.js';

const { json: BOX, chunk: CHUNK } = gltfOf(box(10, 20, 30));

function read(changes: Record<string, unknown> = {}, chunk = CHUNK) {
  return readGltf(glb({ ...BOX, ...changes }, chunk), 'glb', options());
}

/** One mesh of one primitive over the box's places, with other indices. */
function primitive(mode: number, corners: readonly number[]) {
  const indices = new Uint8Array(corners);
  const chunk = new Uint8Array(CHUNK.length + indices.length);
  chunk.set(CHUNK);
  chunk.set(indices, CHUNK.length);
  const bufferViews = [
    ...(BOX['bufferViews'] as object[]),
    { buffer: 0, byteOffset: CHUNK.length, byteLength: indices.length },
  ];
  const accessors = [
    ...(BOX['accessors'] as object[]),
    { bufferView: 2, componentType: 5121, count: indices.length, type: 'SCALAR' },
  ];
  return read(
    { bufferViews, accessors, meshes: [{ primitives: [{ mode, attributes: { POSITION: 0 }, indices: 2 }] }] },
    chunk,
  );
}

describe('glTF', () => {
  it('reads GLB and text with a data URI alike, metres to mm', async () => {
    const model = await read();
    expect(model).toMatchObject({
      format: 'glb',
      unit: 'm',
      root: { name: 'box', meshes: [0], children: [] },
      warnings: [],
    });
    const [mesh] = model.meshes;
    expectSound(mesh);
    expect(mesh.positions).toHaveLength(24);
    expect(volumeOf(mesh.positions, mesh.indices)).toBeCloseTo(6000, 2);

    const uri = `data:application/octet-stream;base64,${Buffer.from(CHUNK).toString('base64')}`;
    const plain = await readGltf(
      text(JSON.stringify({ ...BOX, buffers: [{ uri, byteLength: CHUNK.length }] })),
      'gltf',
      options(),
    );
    expect(plain).toEqual({ ...model, format: 'gltf' });
  });

  it('reads what another writer wrote', async () => {
    const document = new Document();
    const buffer = document.createBuffer();
    const { vertices, faces } = triangulated(box(10, 20, 30));
    const position = document
      .createAccessor()
      .setType('VEC3')
      .setArray(new Float32Array(vertices.flat().map((value) => value / 1000)))
      .setBuffer(buffer);
    const indices = document
      .createAccessor()
      .setType('SCALAR')
      .setArray(new Uint32Array(faces.flat()))
      .setBuffer(buffer);
    const material = document.createMaterial().setBaseColorFactor([0.21586, 0.05127, 0.527115, 1]);
    const mesh = document
      .createMesh('crate')
      .addPrimitive(
        document.createPrimitive().setAttribute('POSITION', position).setIndices(indices).setMaterial(material),
      );
    const outer = document
      .createNode('outer')
      .setTranslation([1, 2, 3])
      .addChild(document.createNode('inner').setMesh(mesh).setScale([2, 2, 2]));
    document.createScene('all').addChild(outer);
    const model = await readGltf(await new WebIO().writeBinary(document), 'glb', options());
    expect(volumeOf(model.meshes[0].positions, model.meshes[0].indices)).toBeCloseTo(6000, 2);
    expect(model.meshes[0].color!.map((value) => Math.round(255 * value))).toEqual([0x80, 0x40, 0xc0]);
    const [component] = model.root.children;
    expect([component.name, component.children[0].name]).toEqual(['outer', 'inner']);
    expect([...component.transform!.subarray(12)]).toEqual([1000, 2000, 3000, 1]);
    expect(component.children[0].transform![0]).toBe(2);
  });

  it('shares meshes, and composes translation, rotation and scale', async () => {
    const half = Math.SQRT1_2;
    const model = await read({
      scenes: [{ nodes: [0, 1, 2] }],
      nodes: [
        { mesh: 0 },
        { mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0, 0, 1] },
        { mesh: 0, translation: [0, 0, 1], rotation: [0, 0, half, half], scale: [1, 2, 3] },
      ],
    });
    expect(model.meshes).toHaveLength(1);
    const [plain, moved, turned] = model.root.children;
    expect(plain.transform).toBeUndefined();
    expect([...moved.transform!.subarray(12)]).toEqual([500, 0, 0, 1]);
    // A quarter turn round z: x goes to y, y (stretched) to −x.
    [0, 1, 0, 0, -2, 0, 0, 0, 0, 0, 3, 0, 0, 0, 1000, 1].forEach((value, i) =>
      expect(turned.transform![i]).toBeCloseTo(value, 12),
    );
  });

  it('turns strips and fans into triangles that look the same way', async () => {
    // The side z = 0 of the box: corners 0 (0,0), 1 (x,0), 2 (x,y), 3 (0,y).
    const strip = await primitive(5, [0, 1, 3, 2]);
    expect([...strip.meshes[0].indices]).toEqual([0, 1, 2, 1, 3, 2]);
    const fan = await primitive(6, [0, 1, 2, 3]);
    expect([...fan.meshes[0].indices]).toEqual([0, 1, 2, 1, 3, 2]);
    expect([...fan.meshes[0].positions.subarray(0, 3)].map((value) => Math.round(value))).toEqual([10, 0, 0]);
  });

  it('passes over points and lines, with a warning', async () => {
    const model = await read({
      meshes: [
        {
          primitives: [
            { attributes: { POSITION: 0 }, indices: 1 },
            { mode: 0, attributes: { POSITION: 0 } },
            { mode: 1, attributes: { POSITION: 0 } },
          ],
        },
      ],
    });
    expect(warningsOf(model)).toEqual(['CONTENT_SKIPPED']);
    expect(await codeOf(read({ meshes: [{ primitives: [{ mode: 0, attributes: { POSITION: 0 } }] }] }))).toBe(
      'NO_GEOMETRY',
    );
  });

  it('decodes normalized, interleaved and sparse places', async () => {
    // Corners of a unit tetrahedron as normalized bytes, 4 bytes apart; the fourth one comes from the sparse list.
    const chunk = new Uint8Array([
      0, 0, 0, 9, 127, 0, 0, 9, 0, 127, 0, 9, 0, 0, 0, 9, 3, 0, 0, 0, 0, 0, 127, 0, 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3,
    ]);
    const model = await read(
      {
        accessors: [
          {
            bufferView: 0,
            componentType: 5120,
            normalized: true,
            count: 4,
            type: 'VEC3',
            sparse: { count: 1, indices: { bufferView: 1, componentType: 5121 }, values: { bufferView: 2 } },
          },
          { bufferView: 3, componentType: 5121, count: 12, type: 'SCALAR' },
        ],
        bufferViews: [
          { buffer: 0, byteLength: 16, byteStride: 4 },
          { buffer: 0, byteOffset: 16, byteLength: 1 },
          { buffer: 0, byteOffset: 20, byteLength: 3 },
          { buffer: 0, byteOffset: 24, byteLength: 12 },
        ],
      },
      chunk,
    );
    expect(model.warnings).toEqual([]);
    expect(volumeOf(model.meshes[0].positions, model.meshes[0].indices)).toBeCloseTo(1e9 / 6, 2);
  });

  it('names the files and extensions that it cannot read', async () => {
    await expect(read({ buffers: [{ uri: 'box.bin', byteLength: CHUNK.length }] })).rejects.toMatchObject({
      code: 'REFERENCE_MISSING',
      details: { references: ['box.bin'] },
    });
    await expect(read({ buffers: [{ uri: 'file:///etc/passwd', byteLength: CHUNK.length }] })).rejects.toMatchObject({
      code: 'REFERENCE_MISSING',
    });
    await expect(read({ extensionsRequired: ['KHR_draco_mesh_compression'] })).rejects.toMatchObject({
      code: 'FORMAT_UNSUPPORTED',
      details: { extension: 'KHR_draco_mesh_compression' },
    });
    expect(await codeOf(read({ extensionsRequired: ['KHR_mesh_quantization', 'KHR_materials_unlit'] }))).toBe(
      'a model with 1 meshes',
    );
    expect(await codeOf(read({ asset: { version: '1.0' } }))).toBe('FORMAT_UNSUPPORTED');
  });

  it.each<[string, Record<string, unknown>]>([
    [
      'an accessor beyond its buffer',
      {
        accessors: [{ bufferView: 0, componentType: 5126, count: 9, type: 'VEC3' }, (BOX['accessors'] as object[])[1]],
      },
    ],
    [
      'a view beyond its buffer',
      { bufferViews: [{ buffer: 0, byteOffset: 1e6, byteLength: 96 }, (BOX['bufferViews'] as object[])[1]] },
    ],
    [
      'a negative offset',
      { bufferViews: [{ buffer: 0, byteOffset: -4, byteLength: 96 }, (BOX['bufferViews'] as object[])[1]] },
    ],
    ['a mesh that does not exist', { nodes: [{ mesh: 1 }] }],
    ['an index that is no number', { nodes: [{ mesh: '__proto__' }] }],
    ['nodes that are no list', { nodes: { length: 1 } }],
    [
      'an unknown component type',
      {
        accessors: [{ bufferView: 0, componentType: 5130, count: 8, type: 'VEC3' }, (BOX['accessors'] as object[])[1]],
      },
    ],
    ['a matrix of words', { nodes: [{ mesh: 0, matrix: Array(16).fill('one') }] }],
    ['a rotation of no length', { nodes: [{ mesh: 0, rotation: [0, 0, 0, 0] }] }],
    ['no asset', { asset: undefined }],
  ])('refuses %s', async (_, changes) => {
    expect(await codeOf(read(changes))).toBe('FILE_MALFORMED');
  });

  it('keeps the limits, also where nodes name each other', async () => {
    expect(await codeOf(read({ nodes: [{ mesh: 0, children: [0] }] }))).toBe('LIMIT_EXCEEDED');
    const doubling = Array.from({ length: 40 }, (_, i) => ({ children: [i + 1, i + 1] }));
    expect(await codeOf(read({ nodes: [...doubling, { mesh: 0 }] }))).toBe('LIMIT_EXCEEDED');
    expect(await codeOf(read({ accessors: [{ componentType: 5126, count: 2 ** 40, type: 'VEC3' }] }))).toBe(
      'LIMIT_EXCEEDED',
    );
    await expect(readGltf(glb(BOX, CHUNK), 'glb', options({ triangles: 11 }))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'triangles' },
    });
  });

  it('ends in a sound model or a coded error when damaged, 200 ways each', async () => {
    const uri = `data:;base64,${Buffer.from(CHUNK).toString('base64')}`;
    const files = {
      glb: glb(BOX, CHUNK),
      gltf: text(JSON.stringify({ ...BOX, buffers: [{ uri, byteLength: CHUNK.length }] })),
    } as const;
    for (const format of ['glb', 'gltf'] as const) {
      let models = 0;
      for (const copy of damaged(files[format], 200, 5)) {
        try {
          (await readGltf(copy, format, options())).meshes.forEach(expectSound);
          models++;
        } catch (error) {
          if (!(error instanceof EngineError)) throw error;
        }
      }
      expect(models).toBeGreaterThan(0);
    }
  });
});
