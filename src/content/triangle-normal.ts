/**
 * The cross product of two sides of a triangle: its normal, twice its area long.
 * @param positions 3 a vertex. @param indices 3 a triangle. @param into receives the 3 components.
 * @returns its length, twice the area; 0 for a triangle without area, NaN where a place is not finite.
 */
export function triangleNormal(
  positions: ArrayLike<number>,
  indices: Uint32Array,
  triangle: number,
  into: Float64Array | [number, number, number],
): number {
  const a = 3 * indices[3 * triangle],
    b = 3 * indices[3 * triangle + 1],
    c = 3 * indices[3 * triangle + 2];
  const ux = positions[b] - positions[a],
    uy = positions[b + 1] - positions[a + 1],
    uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a],
    vy = positions[c + 1] - positions[a + 1],
    vz = positions[c + 2] - positions[a + 2];
  const x = uy * vz - uz * vy,
    y = uz * vx - ux * vz,
    z = ux * vy - uy * vx;
  into[0] = x;
  into[1] = y;
  into[2] = z;
  return Math.sqrt(x * x + y * y + z * z);
}
