import type { PlacedMesh } from '../shapelets/model/mesh.js';

const HEADER_BYTES = 80;
const TRIANGLE_BYTES = 50;

/**
 * A mesh as binary STL in the model's frame, mm: header, u32 count, then for each triangle its normal and three corners
 * as f32, little endian. Triangles without area get the normal 0 0 0.
 */
export function writeStl({ positions, indices, origin }: PlacedMesh): Uint8Array {
  const count = indices.length / 3;
  const bytes = new Uint8Array(HEADER_BYTES + 4 + TRIANGLE_BYTES * count);
  bytes.set(new TextEncoder().encode('binary STL, mm'));
  const view = new DataView(bytes.buffer);
  view.setUint32(HEADER_BYTES, count, true);
  const corner = (index: number, axis: number): number => positions[3 * index + axis] + origin[axis];
  for (let i = 0, at = HEADER_BYTES + 4; i < count; i++, at += TRIANGLE_BYTES) {
    const [a, b, c] = indices.subarray(3 * i, 3 * i + 3);
    normalOf(positions, a, b, c).forEach((value, axis) => view.setFloat32(at + 4 * axis, value, true));
    [a, b, c].forEach((index, k) => {
      for (let axis = 0; axis < 3; axis++) view.setFloat32(at + 12 + 12 * k + 4 * axis, corner(index, axis), true);
    });
  }
  return bytes;
}

/** The outward unit normal of a triangle; 0 0 0 when it has no area. */
export function normalOf(positions: Float32Array, a: number, b: number, c: number): [number, number, number] {
  const edge = (to: number, axis: number): number => positions[3 * to + axis] - positions[3 * a + axis];
  const x = edge(b, 1) * edge(c, 2) - edge(b, 2) * edge(c, 1);
  const y = edge(b, 2) * edge(c, 0) - edge(b, 0) * edge(c, 2);
  const z = edge(b, 0) * edge(c, 1) - edge(b, 1) * edge(c, 0);
  const length = Math.hypot(x, y, z);
  return length === 0 ? [0, 0, 0] : [x / length, y / length, z / length];
}
