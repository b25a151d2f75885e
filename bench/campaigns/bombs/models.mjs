/** Small models whose counts, references or repetitions ask for far more than they hold. Each is `[name, make]`. */
export function modelBombs() {
  return [...stlBombs(), ...objBombs(), ...plyAndOffBombs(), ...gltfBombs(), ...vrmlBombs()];
}

function stlBombs() {
  const binary = (count, facets) => {
    const bytes = Buffer.alloc(84 + 50 * facets);
    bytes.writeUInt32LE(count, 80);
    for (let i = 0; i < facets; i++)
      for (let k = 0; k < 9; k++) bytes.writeFloatLE((i * 7 + k * 13) % 50, 84 + 50 * i + 12 + 4 * k);
    return bytes;
  };
  const ascii = (line, times) => `solid a\n${line.repeat(times)}endsolid a\n`;
  return [
    ['stl-counts-4-gi.stl', () => binary(0xffffffff, 100)],
    ['stl-counts-2-gi-of-one.stl', () => binary(0x80000000, 1)],
    ['stl-400000-solids.stl', () => Buffer.from('solid a\nendsolid a\n'.repeat(400_000))],
    [
      'stl-facet-of-a-million-corners.stl',
      () =>
        Buffer.from(
          ascii(`facet normal 0 0 1\nouter loop\n${'vertex 1 2 3\n'.repeat(1_000_000)}endloop\nendfacet\n`, 1),
        ),
    ],
    [
      'stl-number-of-a-million-digits.stl',
      () =>
        Buffer.from(
          ascii(
            `facet normal 0 0 1\nouter loop\nvertex ${'9'.repeat(1_000_000)} 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n`,
            1,
          ),
        ),
    ],
  ];
}

function objBombs() {
  const corners = 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n';
  return [
    ['obj-index-2-to-31.obj', () => Buffer.from(`${corners}f 1 2 2147483648\nf 1 2 -2147483648\nf 1 3 4\n`)],
    ['obj-face-of-a-million.obj', () => Buffer.from(`${corners}f ${'1 2 3 4 '.repeat(250_000)}\n`)],
    [
      'obj-circle-of-300000.obj',
      () =>
        Buffer.from(
          Array.from({ length: 300_000 }, (_, i) => `v ${Math.cos(i)} ${Math.sin(i)} 0\n`).join('') +
            `f ${Array.from({ length: 300_000 }, (_, i) => i + 1).join(' ')}\n`,
        ),
    ],
    [
      'obj-500000-groups.obj',
      () => Buffer.from(corners + Array.from({ length: 500_000 }, (_, i) => `g a${i}\nf 1 2 3\n`).join('')),
    ],
    ['obj-line-continued-forever.obj', () => Buffer.from(`${corners}f 1 2 \\\n${'3 \\\n'.repeat(1_000_000)}`)],
    [
      'obj-surface-of-degree-1e9.obj',
      () =>
        Buffer.from(
          `${corners}cstype bspline\ndeg 1000000000 1000000000\nsurf 0 1 0 1 1 2 3 4\nparm u 0 1\nend\nf 1 2 3\n`,
        ),
    ],
  ];
}

function plyAndOffBombs() {
  const ply = (format, vertices, faces, body, list = 'uchar') =>
    Buffer.concat([
      Buffer.from(
        `ply\nformat ${format} 1.0\nelement vertex ${vertices}\nproperty float x\nproperty float y\nproperty float z\n` +
          `element face ${faces}\nproperty list ${list} int vertex_indices\nend_header\n`,
      ),
      body,
    ]);
  const corners = Buffer.alloc(36);
  for (const [at, value] of [
    [12, 5],
    [28, 5],
  ])
    corners.writeFloatLE(value, at);
  const wide = Buffer.alloc(4);
  wide.writeUInt32LE(0xffffffff);
  return [
    ['ply-counts-1e18.ply', () => ply('ascii', '1000000000000000000', 1, Buffer.from('0 0 0\n'))],
    ['ply-binary-counts-4-gi.ply', () => ply('binary_little_endian', 4294967295, 4294967295, corners)],
    ['ply-list-of-4-gi.ply', () => ply('binary_little_endian', 3, 1, Buffer.concat([corners, wide]), 'uint')],
    [
      'ply-no-properties-1e9.ply',
      () => Buffer.from('ply\nformat ascii 1.0\nelement vertex 1000000000\nelement face 1000000000\nend_header\n'),
    ],
    [
      'ply-200000-properties.ply',
      () =>
        Buffer.from(
          `ply\nformat ascii 1.0\nelement vertex 1\n${Array.from({ length: 200_000 }, (_, i) => `property float p${i}\n`).join('')}end_header\n0\n`,
        ),
    ],
    ['off-counts-1e9.off', () => Buffer.from('OFF\n1000000000 1000000000 0\n0 0 0\n')],
    ['off-face-counts-2-gi.off', () => Buffer.from('OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2147483647 0 1 2\n')],
  ];
}

function gltfBombs() {
  const json = (more) =>
    Buffer.from(JSON.stringify({ asset: { version: '2.0' }, scene: 0, scenes: [{ nodes: [0] }], ...more }));
  const triangle = Buffer.alloc(36);
  triangle.writeFloatLE(1, 12);
  triangle.writeFloatLE(1, 28);
  const uri = `data:application/octet-stream;base64,${triangle.toString('base64')}`;
  const mesh = (accessor, view = {}, buffer = {}) => ({
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0], ...accessor },
    ],
    bufferViews: [{ buffer: 0, byteLength: 36, ...view }],
    buffers: [{ byteLength: 36, uri, ...buffer }],
  });
  const glb = Buffer.alloc(28);
  glb.write('glTF');
  for (const [at, value] of [
    [4, 2],
    [8, 0xffffffff],
    [12, 0xfffffff0],
    [16, 0x4e4f534a],
  ])
    glb.writeUInt32LE(value, at);
  // Each node holds the next one ten times over by way of ten nodes of the same mesh.
  const wide = (levels) => {
    const nodes = [];
    for (let level = 0; level < levels; level++)
      for (let i = 0; i < 10; i++)
        nodes.push(
          level === levels - 1 ? { mesh: 0 } : { children: Array.from({ length: 10 }, (_, k) => 10 * (level + 1) + k) },
        );
    return nodes;
  };
  return [
    ['gltf-accessor-of-4-gi.gltf', () => json(mesh({ count: 4_294_967_295 }))],
    ['gltf-accessor-without-view-1e9.gltf', () => json(mesh({ bufferView: undefined, count: 1_000_000_000 }))],
    [
      'gltf-sparse-of-1e9.gltf',
      () =>
        json(
          mesh({
            bufferView: undefined,
            count: 1_000_000_000,
            sparse: { count: 1, indices: { bufferView: 0, componentType: 5125 }, values: { bufferView: 0 } },
          }),
        ),
    ],
    ['gltf-buffer-of-1e15.gltf', () => json(mesh({}, { byteLength: 1e15 }, { byteLength: 1e15 }))],
    ['gltf-stride-of-2-gi.gltf', () => json(mesh({}, { byteStride: 2_147_483_648 }))],
    ['gltf-cyclic-nodes.gltf', () => json({ ...mesh({}), nodes: [{ children: [1] }, { children: [0], mesh: 0 }] })],
    ['gltf-nodes-8-of-10.gltf', () => json({ ...mesh({}), nodes: wide(8) })],
    [
      'gltf-100000-deep.gltf',
      () =>
        json({
          ...mesh({}),
          nodes: Array.from({ length: 100_000 }, (_, i) => (i === 99_999 ? { mesh: 0 } : { children: [i + 1] })),
        }),
    ],
    [
      'gltf-data-uri-in-20000-buffers.gltf',
      () => json({ ...mesh({}), buffers: Array.from({ length: 20_000 }, () => ({ byteLength: 36, uri })) }),
    ],
    [
      'gltf-json-nested-a-million.gltf',
      () => Buffer.from(`{"asset":{"version":"2.0"},"extras":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`),
    ],
    ['gltf-lengths-of-4-gi.glb', () => glb],
  ];
}

function vrmlBombs() {
  const vrml = (text) => Buffer.from(`#VRML V2.0 utf8\n${text}`);
  const doubled = Array.from({ length: 40 }, (_, i) => `DEF G${i + 1} Group { children [ USE G${i} USE G${i} ] }`).join(
    '\n',
  );
  return [
    ['vrml-groups-40-of-2.wrl', () => vrml(`DEF G0 Shape { geometry Box { size 1 1 1 } }\n${doubled}\n`)],
    ['vrml-group-in-itself.wrl', () => vrml('DEF A Group { children [ Shape { geometry Box { } } USE A ] }')],
    [
      'vrml-grid-of-1e9.wrl',
      () => vrml('Shape { geometry ElevationGrid { xDimension 1000000000 zDimension 1000000000 height [ 0 1 ] } }'),
    ],
    [
      'vrml-grid-of-40000.wrl',
      () => vrml('Shape { geometry ElevationGrid { xDimension 40000 zDimension 40000 height [ 0 1 ] } }'),
    ],
    [
      'vrml-extrusion-10000-by-10000.wrl',
      () =>
        vrml(
          `Shape { geometry Extrusion { crossSection [ ${Array.from({ length: 10_000 }, (_, i) => `${i} ${i % 7},`).join('')} ] spine [ ${Array.from({ length: 10_000 }, (_, i) => `0 ${i} ${i % 3},`).join('')} ] } }`,
        ),
    ],
    ['vrml-200000-deep.wrl', () => vrml(`${'Group { children [ '.repeat(200_000)}`)],
    [
      'vrml-1-sphere-in-100000-places.wrl',
      () => vrml(`DEF S Shape { geometry Sphere { } }\n${'USE S\n'.repeat(100_000)}`),
    ],
  ];
}
