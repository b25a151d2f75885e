import { Document, NodeIO } from '@gltf-transform/core';
import { strToU8, zipSync } from 'fflate';
import type { Shape3D } from 'replicad';
import type { MeshQuality } from './sample/part.js';

/** A welded triangle mesh, mm. */
export interface Triangles {
  /** f64 or f32[3 * vertexCount]. */
  readonly positions: Float64Array | Float32Array;
  /** u32[3 * triangleCount], counter-clockwise seen from outside. */
  readonly indices: Uint32Array;
}

const GRID_MM = 1e-4;

/** Triangulates a solid and welds the faces' vertices together, rounded to 0.0001 mm. */
export function triangulate(solid: Shape3D, quality: MeshQuality): Triangles {
  const { vertices, triangles } = solid.mesh({ tolerance: quality.toleranceMm, angularTolerance: quality.angleRad });
  const positions: number[] = [];
  const known = new Map<string, number>();
  const welded = new Uint32Array(vertices.length / 3);
  for (let v = 0; v < welded.length; v++) {
    const place = [0, 1, 2].map((axis) => Math.round(vertices[3 * v + axis] / GRID_MM) * GRID_MM);
    const key = place.map((value) => value.toFixed(4).replace(/^-(0\.0000)$/, '$1')).join(' ');
    let index = known.get(key);
    if (index === undefined) {
      index = positions.length / 3;
      known.set(key, index);
      positions.push(...key.split(' ').map(Number));
    }
    welded[v] = index;
  }
  const indices: number[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [welded[triangles[t]], welded[triangles[t + 1]], welded[triangles[t + 2]]];
    if (a !== b && b !== c && c !== a) indices.push(a, b, c);
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

/** Binary STL: 80 bytes of header, count, 50 bytes a triangle. */
export function binaryStl(mesh: Triangles, name: string): Uint8Array {
  const count = mesh.indices.length / 3;
  const bytes = new Uint8Array(84 + 50 * count);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(`binary ${name}`).subarray(0, 80));
  view.setUint32(80, count, true);
  for (let t = 0; t < count; t++) {
    const numbers = [...normal(mesh, t), ...corners(mesh, t).flat()];
    numbers.forEach((value, i) => view.setFloat32(84 + 50 * t + 4 * i, value, true));
  }
  return bytes;
}

/** STL as text. */
export function asciiStl(mesh: Triangles, name: string): Uint8Array {
  const lines = [`solid ${name}`];
  for (let t = 0; t < mesh.indices.length / 3; t++) {
    lines.push(
      `facet normal ${normal(mesh, t)
        .map((value) => value.toFixed(6))
        .join(' ')}`,
      'outer loop',
    );
    for (const corner of corners(mesh, t)) lines.push(`vertex ${corner.map(millimetres).join(' ')}`);
    lines.push('endloop', 'endfacet');
  }
  return text([...lines, `endsolid ${name}`]);
}

/** Wavefront OBJ with one group. digits: most decimals of a coordinate. */
export function obj(mesh: Triangles, name: string, digits = 4): Uint8Array {
  const lines = ['# made by shapedex, mm', `o ${name}`];
  for (const place of triples(mesh.positions))
    lines.push(`v ${place.map((value) => Number(value.toFixed(digits))).join(' ')}`);
  for (const [a, b, c] of triples(mesh.indices)) lines.push(`f ${a + 1} ${b + 1} ${c + 1}`);
  return text(lines);
}

/** Stanford PLY, binary little-endian. */
export function ply(mesh: Triangles): Uint8Array {
  const [vertices, faces] = [mesh.positions.length / 3, mesh.indices.length / 3];
  const header = text([
    'ply',
    'format binary_little_endian 1.0',
    'comment made by shapedex, mm',
    `element vertex ${vertices}`,
    'property float x',
    'property float y',
    'property float z',
    `element face ${faces}`,
    'property list uchar uint vertex_indices',
    'end_header',
  ]);
  const bytes = new Uint8Array(header.length + 12 * vertices + 13 * faces);
  bytes.set(header);
  const view = new DataView(bytes.buffer, header.length);
  mesh.positions.forEach((value, i) => view.setFloat32(4 * i, value, true));
  for (let f = 0; f < faces; f++) {
    const at = 12 * vertices + 13 * f;
    view.setUint8(at, 3);
    for (let i = 0; i < 3; i++) view.setUint32(at + 1 + 4 * i, mesh.indices[3 * f + i], true);
  }
  return bytes;
}

/** 3MF: the model, its relation and the content types, zipped (3MF Core Specification 1.3). */
export function threeMf(mesh: Triangles, name: string): Uint8Array {
  const vertices = [...triples(mesh.positions)].map(
    ([x, y, z]) => `<vertex x="${millimetres(x)}" y="${millimetres(y)}" z="${millimetres(z)}"/>`,
  );
  const triangles = [...triples(mesh.indices)].map(([a, b, c]) => `<triangle v1="${a}" v2="${b}" v3="${c}"/>`);
  const xml = '<?xml version="1.0" encoding="UTF-8"?>\n';
  const model =
    `${xml}<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>` +
    `<object id="1" type="model" name="${name}"><mesh><vertices>${vertices.join('')}</vertices><triangles>${triangles.join('')}` +
    '</triangles></mesh></object></resources><build><item objectid="1"/></build></model>';
  const relations =
    `${xml}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
    '<Relationship Target="/3D/3dmodel.model" Id="rel0" Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>';
  const types =
    `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>';
  return zipSync(
    { '[Content_Types].xml': strToU8(types), '_rels/.rels': strToU8(relations), '3D/3dmodel.model': strToU8(model) },
    // Zip times are local by definition; this constant is the same local time everywhere, so the bytes are the same.
    { mtime: new Date(2026, 0, 1), level: 6 },
  );
}

/** glTF 2.0 binary; glTF is in metres. */
export async function glb(mesh: Triangles, name: string): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const positions = document
    .createAccessor()
    .setType('VEC3')
    .setBuffer(buffer)
    .setArray(Float32Array.from(mesh.positions, (value) => value / 1000));
  const indices = document.createAccessor().setType('SCALAR').setBuffer(buffer).setArray(mesh.indices);
  const primitive = document.createPrimitive().setAttribute('POSITION', positions).setIndices(indices);
  const node = document.createNode(name).setMesh(document.createMesh(name).addPrimitive(primitive));
  document.createScene(name).addChild(node);
  return new NodeIO().writeBinary(document);
}

type Triple = [number, number, number];

function* triples(numbers: ArrayLike<number>): Generator<Triple> {
  for (let i = 0; i < numbers.length; i += 3) yield [numbers[i], numbers[i + 1], numbers[i + 2]];
}

function corners(mesh: Triangles, triangle: number): Triple[] {
  return [0, 1, 2].map((i): Triple => {
    const at = 3 * mesh.indices[3 * triangle + i];
    return [mesh.positions[at], mesh.positions[at + 1], mesh.positions[at + 2]];
  });
}

function normal(mesh: Triangles, triangle: number): Triple {
  const [a, b, c] = corners(mesh, triangle);
  const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const n: Triple = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(...n) || 1;
  return [n[0] / length, n[1] / length, n[2] / length];
}

/** A coordinate as text, without needless zeros. */
function millimetres(value: number): string {
  return String(Number(value.toFixed(4)));
}

function text(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(`${lines.join('\n')}\n`);
}
