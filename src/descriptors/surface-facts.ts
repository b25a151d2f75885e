import type { TriangleMesh } from '../core/mesh.js';
import { eigenSymmetric3 } from './eigen.js';

/** Measures of a surface that stay the same when it is turned, moved or mirrored, and scale plainly. */
export interface SurfaceMeasures {
  readonly surfaceAreaMm2: number;
  /** Enclosed volume without its sign; of an open surface, the sum seen from the centroid. */
  readonly volumeMm3: number;
  /** Every edge is walked as often one way as the other. */
  readonly isClosed: boolean;
  /** Centroid of the surface (not of the solid), in the mesh's frame. */
  readonly centroidMm: readonly [number, number, number];
  /** Root mean square extents of the surface along its principal axes, falling. */
  readonly radiiMm: readonly [number, number, number];
  /** Unit vectors of these axes as rows, right-handed, f64[9]. */
  readonly axes: Float64Array;
  /** Largest distance of a vertex from the centroid. */
  readonly reachMm: number;
}

/**
 * Measures by area, not by volume, so that open shells and wrongly turned triangles do no harm.
 * Second moments of a triangle: ∫ x xᵀ dA = area / 12 · (Σ pᵢ pᵢᵀ + 9 g gᵀ), g its centroid.
 */
export function measureSurface(mesh: TriangleMesh): SurfaceMeasures {
  const { positions: p, indices } = mesh;
  let area = 0, cx = 0, cy = 0, cz = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t], b = 3 * indices[t + 1], c = 3 * indices[t + 2];
    const s = triangleArea(p, a, b, c);
    area += s;
    cx += s * (p[a] + p[b] + p[c]);
    cy += s * (p[a + 1] + p[b + 1] + p[c + 1]);
    cz += s * (p[a + 2] + p[b + 2] + p[c + 2]);
  }
  if (area > 0) {
    cx /= 3 * area;
    cy /= 3 * area;
    cz /= 3 * area;
  }
  let xx = 0, xy = 0, xz = 0, yy = 0, yz = 0, zz = 0, volume = 0, reach = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t], b = 3 * indices[t + 1], c = 3 * indices[t + 2];
    const ax = p[a] - cx, ay = p[a + 1] - cy, az = p[a + 2] - cz;
    const bx = p[b] - cx, by = p[b + 1] - cy, bz = p[b + 2] - cz;
    const dx = p[c] - cx, dy = p[c + 1] - cy, dz = p[c + 2] - cz;
    const sx = ax + bx + dx, sy = ay + by + dy, sz = az + bz + dz;
    const w = triangleArea(p, a, b, c) / 12;
    xx += w * (ax * ax + bx * bx + dx * dx + sx * sx);
    xy += w * (ax * ay + bx * by + dx * dy + sx * sy);
    xz += w * (ax * az + bx * bz + dx * dz + sx * sz);
    yy += w * (ay * ay + by * by + dy * dy + sy * sy);
    yz += w * (ay * az + by * bz + dy * dz + sy * sz);
    zz += w * (az * az + bz * bz + dz * dz + sz * sz);
    volume += ax * (by * dz - bz * dy) + ay * (bz * dx - bx * dz) + az * (bx * dy - by * dx);
    reach = Math.max(reach, ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, dx * dx + dy * dy + dz * dz);
  }
  const { values, vectors } = eigenSymmetric3([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  const radius = (value: number): number => (area > 0 ? Math.sqrt(Math.max(0, value) / area) : 0);
  return {
    surfaceAreaMm2: area,
    volumeMm3: Math.abs(volume) / 6,
    isClosed: isClosed(indices),
    centroidMm: [cx, cy, cz],
    radiiMm: [radius(values[0]), radius(values[1]), radius(values[2])],
    axes: vectors,
    reachMm: Math.sqrt(reach),
  };
}

function triangleArea(p: Float32Array, a: number, b: number, c: number): number {
  const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
  const x = uy * vz - uz * vy, y = uz * vx - ux * vz, z = ux * vy - uy * vx;
  return Math.sqrt(x * x + y * y + z * z) / 2;
}

function isClosed(indices: Uint32Array): boolean {
  const keys = new Float64Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const a = indices[t + k], b = indices[t + ((k + 1) % 3)];
      keys[t + k] = a < b ? (a * 2 ** 26 + b) * 2 : (b * 2 ** 26 + a) * 2 + 1;
    }
  }
  keys.sort();
  for (let i = 0; i < keys.length;) {
    const edge = Math.floor(keys[i] / 2);
    let balance = 0;
    for (; i < keys.length && Math.floor(keys[i] / 2) === edge; i++) balance += keys[i] === 2 * edge ? 1 : -1;
    if (balance !== 0) return false;
  }
  return indices.length > 0;
}
