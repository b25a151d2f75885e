/** Meshes as files. positions: f32[3 * vertices]; indices: u32[3 * triangles]. */

/** Binary STL. */
export function stlOf({ positions, indices }) {
  const bytes = Buffer.alloc(84 + 50 * (indices.length / 3));
  bytes.writeUInt32LE(indices.length / 3, 80);
  for (let t = 0; t < indices.length / 3; t++) {
    for (let k = 0; k < 9; k++)
      bytes.writeFloatLE(positions[3 * indices[3 * t + Math.floor(k / 3)] + (k % 3)], 84 + 50 * t + 12 + 4 * k);
  }
  return new Uint8Array(bytes);
}

/** OBJ, with six digits after the point. */
export function objOf({ positions, indices }) {
  const lines = [];
  for (let i = 0; i < positions.length; i += 3)
    lines.push(`v ${positions[i].toFixed(6)} ${positions[i + 1].toFixed(6)} ${positions[i + 2].toFixed(6)}`);
  for (let i = 0; i < indices.length; i += 3)
    lines.push(`f ${indices[i] + 1} ${indices[i + 1] + 1} ${indices[i + 2] + 1}`);
  return Buffer.from(`${lines.join('\n')}\n`);
}

/** PLY, binary, little endian. */
export function plyOf({ positions, indices }) {
  const [vertices, triangles] = [positions.length / 3, indices.length / 3];
  const header = Buffer.from(
    `ply\nformat binary_little_endian 1.0\nelement vertex ${vertices}\nproperty float x\nproperty float y\nproperty float z\n` +
      `element face ${triangles}\nproperty list uchar uint vertex_indices\nend_header\n`,
  );
  const body = Buffer.alloc(12 * vertices + 13 * triangles);
  positions.forEach((value, i) => body.writeFloatLE(value, 4 * i));
  for (let t = 0; t < triangles; t++) {
    const at = 12 * vertices + 13 * t;
    body[at] = 3;
    for (let k = 0; k < 3; k++) body.writeUInt32LE(indices[3 * t + k], at + 1 + 4 * k);
  }
  return new Uint8Array(Buffer.concat([header, body]));
}
