import { describe, expect, it } from 'vitest';
import * as write from '../fixtures/mesh-writers.js';
import { areaOf, box, cylinder, tetrahedron, volumeOf } from '../fixtures/shapes.js';
import { codeOf, expectSound, oneMesh, options, readModel, text, warningsOf } from './helpers.js';

const read = (content: string | Uint8Array, name: string) =>
  readModel(typeof content === 'string' ? text(content) : content, name, options());

describe('STL', () => {
  it('reads a binary file that begins with "solid", and its name', async () => {
    const model = await read(write.writeStlBinary(box(1, 2, 3), { header: 'solid gear 17' }), 'a.stl');
    expect(model.root.name).toBe('gear 17');
    expect(model.meshes[0].indices.length).toBe(36);
  });

  it('reads one that begins with "solid" and is cut', async () => {
    const bytes = write.writeStlBinary(box(1, 2, 3), { header: 'solid gear' });
    const model = await read(bytes.subarray(0, 84 + 50 * 7 + 20), 'a.stl');
    expect(model.meshes[0].indices.length).toBe(21);
    expect(warningsOf(model)).toEqual(['FILE_TRUNCATED']);
  });

  it('says of one that is cut before its first facet ends what it announces', async () => {
    const bytes = write.writeStlBinary(box(1, 2, 3)).subarray(0, 84 + 40);
    await expect(read(bytes, 'a.stl')).rejects.toMatchObject({
      code: 'FILE_MALFORMED',
      message: expect.stringContaining('announces 12 triangles') as string,
    });
    const text = new TextEncoder().encode('solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0');
    await expect(read(text, 'a.stl')).rejects.toMatchObject({
      code: 'FILE_MALFORMED',
      message: expect.stringContaining('ends before its first facet') as string,
    });
  });

  it('does not believe a count beyond the bytes, and reads on where the count was left at 0', async () => {
    for (const [count, code] of [
      [0xffffffff, 'FILE_TRUNCATED'],
      [0, 'COUNT_MISMATCH'],
    ] as const) {
      const bytes = write.writeStlBinary(box(1, 2, 3));
      new DataView(bytes.buffer).setUint32(80, count, true);
      const model = await read(bytes, 'a.stl');
      expect(model.meshes[0].indices.length).toBe(36);
      expect(warningsOf(model)).toEqual([code]);
    }
  });

  it('ignores bytes after the last facet', async () => {
    const bytes = new Uint8Array([...write.writeStlBinary(box(1, 2, 3)), 1, 2, 3]);
    expect((await oneMesh(bytes, 'a.stl')).indices.length).toBe(36);
  });

  it('takes the colour that Magics writes', async () => {
    const bytes = write.writeStlBinary(box(1, 2, 3), { header: 'COLOR=' });
    bytes.set([255, 51, 0, 255], 6);
    expect((await read(bytes, 'a.stl')).meshes[0].color).toEqual([1, 0.2, 0]);
  });

  it.each([
    ['VisCAM writes them', 'solid', 0x8000 | (31 << 10), 0x8000 | 31, undefined],
    ['Magics writes them', 'COLOR=', 31, 31 << 10, [0, 0.2, 0]],
  ] as const)('takes colours of facets as %s', async (_, header, red, blue, color) => {
    const bytes = write.writeStlBinary(box(1, 2, 3), { header });
    if (color !== undefined) bytes.set([0, 51, 0, 255], 6);
    const view = new DataView(bytes.buffer);
    const rest = color === undefined ? 0 : 0x8000;
    for (let facet = 0; facet < 12; facet++)
      view.setUint16(84 + 50 * facet + 48, facet < 4 ? red : facet < 6 ? blue : rest, true);
    const {
      meshes: [mesh],
    } = await read(bytes, 'a.stl');
    expect(mesh.color).toEqual(color);
    expect(mesh.faces).toBeUndefined();
    expect(mesh.colorRuns).toEqual([
      { first: 0, count: 4, color: [1, 0, 0] },
      { first: 4, count: 2, color: [0, 0, 1] },
      { first: 6, count: 6, color },
    ]);
    for (let facet = 0; facet < 12; facet++) view.setUint16(84 + 50 * facet + 48, red, true);
    expect((await read(bytes, 'a.stl')).meshes[0].color).toEqual([1, 0, 0]);
  });

  it('takes no colours from attributes that are something else', async () => {
    const body = cylinder(3, 5, 300);
    const bytes = write.writeStlBinary(body);
    for (let facet = 0; 84 + 50 * facet < bytes.length; facet++)
      new DataView(bytes.buffer).setUint16(84 + 50 * facet + 48, 0x8000 | facet, true);
    const {
      meshes: [mesh],
    } = await read(bytes, 'a.stl');
    expect(mesh.color).toBeUndefined();
    expect(mesh.colorRuns).toBeUndefined();
  });

  it('reads capitals, CR line ends, exponents and tabs', async () => {
    const content = new TextDecoder().decode(write.writeStlAscii(tetrahedron(2)));
    const odd = content.toUpperCase().replaceAll('\n', '\r').replaceAll('2', '2.0E+0').replaceAll('      ', '\t');
    const { positions, indices } = await oneMesh(text(odd), 'a.STL');
    expect(volumeOf(positions, indices)).toBeCloseTo(8 / 6, 12);
  });

  it('keeps whole facets of a cut text', async () => {
    const content = write.writeStlAscii(box(1, 2, 3));
    const model = await read(content.subarray(0, content.length / 2), 'a.stl');
    expect(model.meshes[0].indices.length).toBeGreaterThan(9);
    expect(warningsOf(model)).toContain('FILE_TRUNCATED');
  });

  it('leaves out triangles with numbers that are none, and collapsed ones', async () => {
    const facet = (a: string) =>
      `facet normal 0 0 1\nouter loop\nvertex ${a}\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n`;
    const model = await read(
      `solid x\n${['0 0 0', 'nan 0 0', '1e400 0 0', '1 0 0', '1,5 0 0', '9e99 0 0'].map(facet).join('')}endsolid x\n`,
      'a.stl',
    );
    expect(model.meshes[0].indices.length).toBe(3);
    expect(model.warnings).toEqual([{ code: 'TRIANGLES_DROPPED', message: expect.stringContaining('5 triangles') }]);
  });
});

describe('OBJ', () => {
  it('reads indices from the end, texture and normal numbers, continued lines, CRLF and comments', async () => {
    const model = await read(
      [
        '# a tetrahedron',
        'mtllib none.mtl',
        'v 0 0 0 # the corner',
        'v 2 0 0 1.0 0.5 0.5',
        'v 0 2 \\',
        '  0',
        'v 0 0 2e0',
        'vt 0 0',
        'vn 0 0 1',
        'usemtl red',
        's off',
        'f 1/1/1 3//1 2/1',
        'f -4 -3 -1',
        'f 2 \\',
        '3 4',
        'f 1 4 3',
        'l 1 2',
        'p 1',
      ].join('\r\n'),
      'a.obj',
    );
    expectSound(model.meshes[0]);
    expect(volumeOf(model.meshes[0].positions, model.meshes[0].indices)).toBeCloseTo(8 / 6, 12);
    expect(model.warnings).toEqual([]);
  });

  it('reads faces before their vertices, and leaves out indices that name none', async () => {
    const model = await read('f 1 2 3\nf 1 2 99\nf 0 1 2\nf 1 2\nv 0 0 0\nv 1 0 0\nv 0 1 0\n', 'a.obj');
    expect(model.meshes[0].indices).toEqual(new Uint32Array([0, 1, 2]));
    expect(warningsOf(model)).toEqual(['TRIANGLES_DROPPED', 'TRIANGLES_DROPPED']);
  });

  it('cuts a concave face within its outline, wherever it begins', async () => {
    const outline = ['0 0', '3 0', '3 3', '2 3', '2 1', '1 1', '1 3', '0 3'];
    for (let turn = 0; turn < outline.length; turn++) {
      const turned = [...outline.slice(turn), ...outline.slice(0, turn)];
      const { positions, indices } = await oneMesh(
        text(`${turned.map((xy) => `v ${xy} 5`).join('\n')}\nf 1 2 3 4 5 6 7 8\n`),
        'u.obj',
      );
      expect(indices.length).toBe(18);
      expect(areaOf(positions, indices)).toBeCloseTo(7, 12);
    }
  });

  it('keeps corners on straight edges, so that neighbours stay joined', async () => {
    const { positions, indices } = await oneMesh(
      text('v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nv 1 2 0\nv 0 2 0\nf 1 2 3 4 5 6\n'),
      'a.obj',
    );
    expect(positions.length).toBe(18);
    expect(areaOf(positions, indices)).toBeCloseTo(4, 12);
  });

  it('says that free-form surfaces are not read', async () => {
    expect(await codeOf(read('v 0 0 0\nv 1 0 0\ncstype bezier\ndeg 3\ncurv 0 1 1 2 1 2\nend\n', 'a.obj'))).toBe(
      'NO_GEOMETRY',
    );
  });
});

describe('PLY', () => {
  const TETRAHEDRON = ['0 0 0', '2 0 0', '0 2 0', '0 0 2'];
  const ply = (...lines: string[]) => `${['ply', 'format ascii 1.0', ...lines].join('\n')}\n`;

  it('reads faces before vertices, elements and properties of any kind, and comments in the body', async () => {
    const model = await read(
      ply(
        'obj_info made by a test',
        'element face 4',
        'property uchar red',
        'property list uchar int vertex_index',
        'property list int float weights',
        'element material 1',
        'property int id',
        'property list uchar uchar name',
        'element empty 4000000000',
        'element vertex 4',
        'property float confidence',
        'property double z',
        'property double y',
        'property list uchar int tags',
        'property double x',
        'end_header',
        '255 3 0 2 1 0',
        '255 3 0 1 3 2 0.5 0.5',
        'comment in between',
        '255 3 1 2 3 0',
        '255 3 0 3 2 1 7',
        '17 3 65 66 67',
        ...TETRAHEDRON.map((place) => `0.9 ${place.split(' ')[2]} ${place.split(' ')[1]} 2 8 8 ${place.split(' ')[0]}`),
      ),
      'a.ply',
    );
    expect(volumeOf(model.meshes[0].positions, model.meshes[0].indices)).toBeCloseTo(8 / 6, 12);
    expect(model.warnings).toEqual([]);
  });

  it('reads triangle strips', async () => {
    const { positions, indices } = await oneMesh(
      text(
        ply(
          'element vertex 4',
          'property float x',
          'property float y',
          'property float z',
          'element tristrips 1',
          'property list int int vertex_indices',
          'end_header',
          ...TETRAHEDRON,
          '8 0 2 1 3 -1 0 3 2', // the fourth face, 0 1 3, is missing
        ),
      ),
      'a.ply',
    );
    expect([...indices].length).toBe(9);
    const faces = [
      [0, 2, 1],
      [1, 2, 3],
      [0, 3, 2],
    ];
    expect(areaOf(positions, indices)).toBeCloseTo(
      areaOf(
        TETRAHEDRON.flatMap((place) => place.split(' ').map(Number)),
        faces.flat(),
      ),
      12,
    );
    expect(volumeOf(positions, indices)).toBeCloseTo(8 / 6, 12); // the missing face lies in a plane through the origin
  });

  it('says so when rows are missing, and keeps what is whole', async () => {
    const bytes = write.writePly(box(1, 2, 3), 'binary_little_endian');
    const model = await read(bytes.subarray(0, bytes.length - 20), 'a.ply');
    expect(model.meshes[0].indices.length).toBe(24);
    expect(warningsOf(model)).toEqual(['FILE_TRUNCATED']);
  });

  it.each([
    [ply('element vertex 3', 'property float x', 'property float y', 'end_header', '0 0'), 'FILE_MALFORMED'],
    [ply('element vertex 3', 'property quad x', 'end_header'), 'FILE_MALFORMED'],
    [ply('element vertex many', 'end_header'), 'FILE_MALFORMED'],
    [ply('property float x', 'end_header'), 'FILE_MALFORMED'],
    [
      ply('element vertex 1', 'property float x', 'property float y', 'property float z', 'end_header', '0 0 0'),
      'NO_GEOMETRY',
    ],
    [ply('element face 1', 'property list float int vertex_indices', 'end_header', '-3 1 2 3'), 'FILE_MALFORMED'],
    ['ply\nend_header\n', 'FILE_MALFORMED'],
    ['ply\nformat ascii 1.0\n', 'FILE_MALFORMED'],
  ])('%j ends in %s', async (content, code) => {
    expect(await codeOf(read(content, 'a.ply'))).toBe(code);
  });
});

describe('OFF', () => {
  it.each([
    [
      'colours and normals after the coordinates',
      'CNOFF\n4 4 6\n0 0 0 0 0 1 1 0 0 1\n2 0 0 0 0 1 1 0 0 1\n0 2 0 0 0 1 1 0 0 1\n0 0 2 0 0 1 1 0 0 1\n3 0 2 1 0.5 0.5 0.5\n3 0 1 3 7\n3 1 2 3\n3 0 3 2\n',
    ],
    ['no keyword', '# bare\n4 4\n\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n'],
    ['counts on the keyword', 'OFF 4 4 0\n0 0 0\n2 0 0\n0 2 0\n0 0 2\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2'],
  ])('reads a file with %s', async (_what, content) => {
    const { positions, indices } = await oneMesh(text(content), 'a.off');
    expect(volumeOf(positions, indices)).toBeCloseTo(8 / 6, 12);
  });

  it.each([
    ['OFF BINARY\n\0\0\0\x04', 'FORMAT_UNSUPPORTED'],
    ['4OFF\n1 1 1\n', 'FORMAT_UNSUPPORTED'],
    ['OFF\nthree four\n', 'FILE_MALFORMED'],
    ['OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\nx 0 1 2\n', 'FILE_MALFORMED'],
    ['OFF\n1e9 1e9 0\n0 0 0\n', 'FILE_MALFORMED'],
    ['OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n999999999 0 1 2\n', 'FILE_MALFORMED'],
  ])('%j ends in %s', async (content, code) => {
    expect(await codeOf(read(content, 'a.off'))).toBe(code);
  });
});

describe('AMF', () => {
  const placed = (target: number, inner: string) => `<instance objectid="${target}">${inner}</instance>`;

  it('builds the tree that constellations tell', async () => {
    const more = `<constellation id="7"><metadata type="name">pair</metadata>
      ${placed(1, '<deltax>10</deltax>')}${placed(1, '<deltax>0</deltax><deltay>5</deltay><rz>90</rz>')}</constellation>`;
    const model = await read(write.writeAmf([box(1, 2, 3), tetrahedron(1)], { unit: 'inch', more }), 'a.amf');
    expect(model.meshes.length).toBe(2);
    expect(model.root.children.map((child) => child.name)).toEqual(['pair', 'tetrahedron']);
    const [first, second] = model.root.children[0].children;
    expect(first.meshes).toEqual(second.meshes);
    expect([...(first.transform ?? [])].slice(12, 15)).toEqual([254, 0, 0]);
    // The x axis becomes the y axis.
    expect([...(second.transform ?? [])].slice(0, 3).map((value) => Math.round(value))).toEqual([0, 1, 0]);
    expect([...(second.transform ?? [])].slice(12, 15)).toEqual([0, 127, 0]);
  });

  it('ends on rings, missing objects and trees that explode', async () => {
    const ring = `<constellation id="8">${placed(9, '')}</constellation><constellation id="9">${placed(8, '')}</constellation>`;
    expect(warningsOf(await read(write.writeAmf([box(1, 1, 1)], { more: ring }), 'a.amf'))).toEqual([]);
    const onlyRing = `<constellation id="8">${placed(9, '')}${placed(1, '')}</constellation><constellation id="9">${placed(8, '')}</constellation>`;
    expect(warningsOf(await read(write.writeAmf([box(1, 1, 1)], { more: onlyRing }), 'a.amf'))).toEqual([
      'CONTENT_SKIPPED',
    ]);
    const missing = `<constellation id="8">${placed(1, '')}${placed(5, '')}</constellation>`;
    expect(warningsOf(await read(write.writeAmf([box(1, 1, 1)], { more: missing }), 'a.amf'))).toEqual([
      'CONTENT_SKIPPED',
    ]);
    const doubling = Array.from(
      { length: 40 },
      (_, i) =>
        `<constellation id="c${i}">${placed(i, '')
          .repeat(2)
          .replaceAll(`"${i}"`, i === 0 ? '"1"' : `"c${i - 1}"`)}</constellation>`,
    );
    expect(await codeOf(read(write.writeAmf([box(1, 1, 1)], { more: doubling.join('') }), 'a.amf'))).toBe(
      'LIMIT_EXCEEDED',
    );
  });

  it('expands no entities and bounds nesting', async () => {
    const laughs =
      '<?xml version="1.0"?><!DOCTYPE amf [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><amf><object id="1"><metadata type="name">&b;</metadata></object></amf>';
    expect(await codeOf(read(laughs, 'a.amf'))).toBe('FILE_MALFORMED');
    expect(await codeOf(read(`<amf>${'<object>'.repeat(100)}${'</object>'.repeat(100)}</amf>`, 'a.amf'))).toBe(
      'LIMIT_EXCEEDED',
    );
  });
});

describe('VRML', () => {
  it('reads the round and square primitives', async () => {
    const closedForms = {
      'Box { size 1 2 3 }': 6,
      'Cylinder { radius 2 height 5 }': Math.PI * 20,
      'Cone { bottomRadius 3 height 4 }': Math.PI * 12,
      'Sphere { radius 2 }': (Math.PI * 32) / 3,
    };
    for (const [geometry, volume] of Object.entries(closedForms)) {
      const mesh = await oneMesh(text(`#VRML V2.0 utf8\nShape { geometry ${geometry} }`), 'a.wrl');
      expectSound(mesh);
      const ratio = volumeOf(mesh.positions, mesh.indices) / volume;
      expect(ratio).toBeGreaterThan(0.99);
      expect(ratio).toBeLessThanOrEqual(1);
    }
  });

  it('reads extrusions, straight, bent, turned and closed, and height fields', async () => {
    const ring = (count: number, radius: number): string =>
      Array.from({ length: count + 1 }, (_, i) => {
        const angle = (2 * Math.PI * (i % count)) / count;
        return `${radius * Math.cos(angle)} 0 ${radius * Math.sin(angle)}`;
      }).join(' ');
    const volumes: Readonly<Record<string, number>> = {
      'Extrusion { }': 4,
      'Extrusion { ccw FALSE crossSection [ -1 1 -1 -1 1 -1 1 1 -1 1 ] spine [ 0 0 0 0 5 0 ] }': 20,
      // Frusta of a pyramid: 2 · 8 / 3 · (4 + 1 + 2).
      'Extrusion { spine [ 0 0 0 0 0 8 0 0 16 ] scale [ 1 1 0.5 0.5 1 1 ] }': (8 / 3) * 7 * 2,
      // A mitred corner keeps the length along the middle.
      'Extrusion { crossSection [ .5 .5 .5 -.5 -.5 -.5 -.5 .5 .5 .5 ] spine [ 0 0 0 0 4 0 4 8 0 ] orientation [ 0 1 0 0 ] }':
        NaN,
      [`Extrusion { crossSection [ .5 .5 .5 -.5 -.5 -.5 -.5 .5 .5 .5 ] spine [ ${ring(96, 10)} ] }`]: 2 * Math.PI * 10,
      // A concave section without its last point.
      'Extrusion { crossSection [ 0 0 0 2 1 2 1 1 2 1 2 0 ] spine [ 0 0 0 0 3 0 ] beginCap TRUE endCap TRUE }': NaN,
    };
    for (const [geometry, volume] of Object.entries(volumes)) {
      const mesh = await oneMesh(text(`#VRML V2.0 utf8\nShape { geometry ${geometry} }`), 'a.wrl');
      expectSound(mesh);
      if (!Number.isNaN(volume))
        expect(Math.abs(volumeOf(mesh.positions, mesh.indices) / volume - 1), geometry).toBeLessThan(2e-3);
    }
    const field = await oneMesh(
      text(
        '#VRML V2.0 utf8\nShape { geometry ElevationGrid { xDimension 3 zDimension 2 xSpacing 2 zSpacing 5 height [ 0 1 2 0 1 2 ] } }',
      ),
      'a.wrl',
    );
    expect(field.indices.length).toBe(12);
    expect([0, 1, 2].map((axis) => Math.max(...field.positions.filter((_, i) => i % 3 === axis)))).toEqual([4, 2, 5]);
    // Seen from above.
    const [a, b, c] = [...field.indices.subarray(0, 3)].map((vertex) => [
      ...field.positions.subarray(3 * vertex, 3 * vertex + 3),
    ]);
    expect((b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2])).toBeGreaterThan(0);
    expect(await codeOf(read('#VRML V2.0 utf8\nShape { geometry Extrusion { spine [ 1 2 3 ] } }', 'a.wrl'))).toBe(
      'NO_GEOMETRY',
    );
  });

  it('places what USE shares, by every field of Transform', async () => {
    const model = await read(
      `#VRML V2.0 utf8
      DEF arm Transform { translation 10 0 0 rotation 0 0 1 1.5707963267948966 scale 2 1 1 center 1 0 0
        children DEF bar Shape { geometry Box { size 2 1 1 } } }
      Group { children [ USE bar, Inline { url "other.wrl" } ] }
      Switch { whichChoice 1 choice [ Shape { geometry Sphere { } } Shape { geometry Box { } } ] }
      Shape { geometry IndexedLineSet { coordIndex [ 0 1 -1 ] } }`,
      'a.wrl',
    );
    expect(model.meshes.length).toBe(2);
    const [arm, group] = model.root.children;
    expect(arm.name).toBe('arm');
    expect(group.meshes).toEqual(arm.meshes);
    // The centre (1, 0, 0) stays fixed but for the translation; the box's far end, one away from the middle, is 2 · 0
    // off.
    const m = [...(arm.transform ?? [])];
    expect([m[0] + m[12], m[1] + m[13], m[2] + m[14]].map((value) => Math.round(1e9 * value) / 1e9)).toEqual([
      11, 0, 0,
    ]);
    expect(warningsOf(model)).toEqual(['UNIT_ASSUMED', 'REFERENCE_MISSING']);
  });

  it('follows the state of VRML 1', async () => {
    const model = await read(
      `#VRML V1.0 ascii
      Separator { DEF left Separator { Translation { translation -5 0 0 } Scale { scaleFactor 2 2 2 } Cube { width 1 height 1 depth 1 } }
        DEF right Separator { MatrixTransform { matrix 1 0 0 0  0 1 0 0  0 0 1 0  5 6 7 1 } Cylinder { parts (SIDES | TOP) radius 1 } }
        ShapeHints { vertexOrdering CLOCKWISE } Coordinate3 { point [ 0 0 0, 2 0 0, 0 2 0, 0 0 2 ] }
        DEF wedge Group { IndexedFaceSet { coordIndex [ 0,1,2,-1, 0,3,1,-1, 1,3,2,-1, 0,2,3 ] } } }`,
      'a.wrl',
    );
    expect(model.root.children.map(({ name }) => name)).toEqual(['left', 'right', '']);
    expect([...(model.root.children[0].transform ?? [])]).toEqual([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, -5, 0, 0, 1]);
    expect([...(model.root.children[1].transform ?? [])].slice(12)).toEqual([5, 6, 7, 1]);
    expect(volumeOf(model.meshes[2].positions, model.meshes[2].indices)).toBeCloseTo(8 / 6, 12);
  });

  it('turns clockwise faces round, reads strings and comments, passes over prototypes and routes', async () => {
    const { positions, indices } = await oneMesh(
      text(`#VRML V2.0 utf8
      WorldInfo { title "a \\"b\\" { [ #" info [ "c" ] } # } {
      PROTO Knob [ field SFFloat r 1 ] { Shape { geometry Sphere { radius IS r } } }
      EXTERNPROTO Far [ eventIn SFBool on ] [ "far.wrl" ]
      Shape { geometry IndexedFaceSet { ccw FALSE coord Coordinate { point [ 0 0 0 2 0 0 0 2 0 0 0 2 ] } coordIndex [ 0 1 2 -1 0 3 1 -1 1 3 2 -1 0 2 3 -1 ] } }
      ROUTE a.b TO c.d`),
      'a.wrl',
    );
    expect(volumeOf(positions, indices)).toBeCloseTo(8 / 6, 12);
  });

  it('ends on trees that explode by USE and on deep nesting', async () => {
    const doubling = Array.from(
      { length: 40 },
      (_, i) =>
        `DEF g${i} Group { children [ ${i === 0 ? 'Shape { geometry Box { } }' : `USE g${i - 1} USE g${i - 1}`} ] }`,
    );
    expect(await codeOf(read(`#VRML V2.0 utf8\n${doubling.join('\n')}`, 'a.wrl'))).toBe('LIMIT_EXCEEDED');
    expect(await codeOf(read(`#VRML V2.0 utf8\n${'Group { children '.repeat(100_000)}`, 'a.wrl'))).toBe(
      'LIMIT_EXCEEDED',
    );
    expect(await codeOf(read(`#VRML V1.0 ascii\n${'Separator { '.repeat(100_000)}`, 'a.wrl'))).toBe('LIMIT_EXCEEDED');
  });
});
