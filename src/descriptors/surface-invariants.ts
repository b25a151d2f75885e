import type { TriangleMesh } from '../core/mesh.js';

/** Length of {@link SurfaceInvariants}. */
export const INVARIANTS = 5;

/**
 * Measures of a surface, about 0 to 1 each, that do not change when it is rotated, translated, mirrored or scaled, and
 * hardly depend on its tessellation. Let p, q be points of the surface, uniform by area, relative to its centroid and
 * in units of their root mean square distance from it, and n, m the unit normals there:
 *   0. normals: the fourth root of E (n · m)⁴, the distribution of face directions.
 *   1. heights: E |n · p|, the distance of tangent planes from the centroid.
 *   2. spread: √ ‖E |p|² p pᵀ‖, whether the area far from the centroid is concentrated or even.
 *   3. skewness: ‖E p ⊗ p ⊗ p‖, the asymmetry about the centroid.
 *   4. far normals: ‖E |p|² n nᵀ‖, the distribution of face directions far from the centroid.
 */
export type SurfaceInvariants = readonly [number, number, number, number, number];

/**
 * Quadrature points of a triangle, exact up to the fourth degree (Dunavant 1985): weight, then barycentric coordinates.
 */
const POINTS = [
  [0.445948490915965, 0.223381589678011],
  [0.091576213509771, 0.109951743655322],
].flatMap(([a, weight]) => {
  const b = 1 - 2 * a;
  return [
    [weight, a, a, b],
    [weight, a, b, a],
    [weight, b, a, a],
  ];
});

/**
 * Computes the invariants of a surface.
 * @param centroidMm centroid of the surface.
 * @param sizeMm root mean square distance of the surface from it.
 * @returns zeros for a surface without area.
 */
export function surfaceInvariants(
  mesh: TriangleMesh,
  [cx, cy, cz]: readonly [number, number, number],
  sizeMm: number,
): SurfaceInvariants {
  const { positions: v, indices } = mesh;
  let area = 0,
    heights = 0;
  const normals4 = new Float64Array(15),
    spread = new Float64Array(6),
    skewness = new Float64Array(10),
    farNormals = new Float64Array(6);
  for (let t = 0; t < indices.length; t += 3) {
    const i = 3 * indices[t],
      j = 3 * indices[t + 1],
      k = 3 * indices[t + 2];
    const ax = (v[i] - cx) / sizeMm,
      ay = (v[i + 1] - cy) / sizeMm,
      az = (v[i + 2] - cz) / sizeMm;
    const bx = (v[j] - cx) / sizeMm,
      by = (v[j + 1] - cy) / sizeMm,
      bz = (v[j + 2] - cz) / sizeMm;
    const dx = (v[k] - cx) / sizeMm,
      dy = (v[k + 1] - cy) / sizeMm,
      dz = (v[k + 2] - cz) / sizeMm;
    let nx = (by - ay) * (dz - az) - (bz - az) * (dy - ay);
    let ny = (bz - az) * (dx - ax) - (bx - ax) * (dz - az);
    let nz = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
    const twice = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(twice > 0)) continue;
    nx /= twice;
    ny /= twice;
    nz /= twice;
    const weight = twice / 2;
    area += weight;
    heights += weight * Math.abs(nx * ax + ny * ay + nz * az);
    addFourth(normals4, weight, nx, ny, nz);
    let squares = 0;
    for (const [share, a, b, d] of POINTS) {
      const x = a * ax + b * bx + d * dx,
        y = a * ay + b * by + d * dy,
        z = a * az + b * bz + d * dz;
      const square = x * x + y * y + z * z;
      addSecond(spread, weight * share * square, x, y, z);
      addThird(skewness, weight * share, x, y, z);
      squares += share * square;
    }
    addSecond(farNormals, weight * squares, nx, ny, nz);
  }
  if (!(area > 0)) return [0, 0, 0, 0, 0];
  return [
    Math.sqrt(norm(normals4, FOURTH_TIMES) / area),
    heights / area,
    Math.sqrt(norm(spread, SECOND_TIMES) / area),
    norm(skewness, THIRD_TIMES) / area,
    norm(farNormals, SECOND_TIMES) / area,
  ];
}

/** A symmetric tensor stores each component once; these are the multiplicities of the components in the full tensor. */
const SECOND_TIMES = [1, 1, 1, 2, 2, 2];
const THIRD_TIMES = [1, 1, 1, 3, 3, 3, 3, 3, 3, 6];
const FOURTH_TIMES = [1, 1, 1, 4, 4, 4, 4, 4, 4, 6, 6, 6, 12, 12, 12];

function addSecond(sum: Float64Array, weight: number, x: number, y: number, z: number): void {
  sum[0] += weight * x * x;
  sum[1] += weight * y * y;
  sum[2] += weight * z * z;
  sum[3] += weight * x * y;
  sum[4] += weight * y * z;
  sum[5] += weight * z * x;
}

function addThird(sum: Float64Array, weight: number, x: number, y: number, z: number): void {
  const xx = weight * x * x,
    yy = weight * y * y,
    zz = weight * z * z;
  sum[0] += xx * x;
  sum[1] += yy * y;
  sum[2] += zz * z;
  sum[3] += xx * y;
  sum[4] += xx * z;
  sum[5] += yy * x;
  sum[6] += yy * z;
  sum[7] += zz * x;
  sum[8] += zz * y;
  sum[9] += weight * x * y * z;
}

function addFourth(sum: Float64Array, weight: number, x: number, y: number, z: number): void {
  const xx = x * x,
    yy = y * y,
    zz = z * z,
    xy = x * y,
    yz = y * z,
    zx = z * x;
  sum[0] += weight * xx * xx;
  sum[1] += weight * yy * yy;
  sum[2] += weight * zz * zz;
  sum[3] += weight * xx * xy;
  sum[4] += weight * xx * zx;
  sum[5] += weight * yy * xy;
  sum[6] += weight * yy * yz;
  sum[7] += weight * zz * zx;
  sum[8] += weight * zz * yz;
  sum[9] += weight * xx * yy;
  sum[10] += weight * yy * zz;
  sum[11] += weight * zz * xx;
  sum[12] += weight * xx * yz;
  sum[13] += weight * yy * zx;
  sum[14] += weight * zz * xy;
}

/** The Frobenius norm of a symmetric tensor. */
function norm(components: Float64Array, times: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < components.length; i++) sum += times[i] * components[i] * components[i];
  return Math.sqrt(sum);
}
