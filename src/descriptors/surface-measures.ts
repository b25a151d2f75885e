import type { TriangleMesh } from '../core/mesh.js';
import { eigenSymmetric3 } from './eigen.js';
import { EdgeTable, nextCorner, shareEdges } from './shared-edges.js';
import { surfaceInvariants, type SurfaceInvariants } from './surface-invariants.js';

/**
 * Measures of a surface that do not change when it is rotated, translated or mirrored, and are homogeneous in its
 * scale.
 */
export interface SurfaceMeasures {
  readonly surfaceAreaMm2: number;
  /** Absolute enclosed volume; for an open surface, the sum over tetrahedra with the centroid as apex. */
  readonly volumeMm3: number;
  /** Whether every edge is traversed equally often in both directions. */
  readonly isClosed: boolean;
  /** Centroid of the surface (not of the solid), in the mesh's frame. */
  readonly centroidMm: readonly [number, number, number];
  /** Root mean square extents of the surface along its principal axes, descending. */
  readonly radiiMm: readonly [number, number, number];
  /** Unit vectors of these axes as rows, right-handed, f64[9]. */
  readonly axes: Float64Array;
  /** Largest distance of a vertex from the centroid. */
  readonly reachMm: number;
  /**
   * Mean over the surface of the largest possible distance between the true surface and its triangles: the error of a
   * coarse mesh.
   */
  readonly meanArcMm: number;
  readonly invariants: SurfaceInvariants;
}

/** Area, centroid and principal axes of a surface. */
export type PrincipalAxes = Pick<SurfaceMeasures, 'surfaceAreaMm2' | 'centroidMm' | 'radiiMm' | 'axes'>;

/**
 * Measures a surface. Moments are taken over the area, not the volume, so open shells and reversed triangles do no
 * harm.
 */
export function measureSurface(mesh: TriangleMesh): SurfaceMeasures {
  const principal = principalAxes(mesh);
  const { positions: p, indices } = mesh;
  const [cx, cy, cz] = principal.centroidMm;
  let volume = 0,
    reach = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t],
      b = 3 * indices[t + 1],
      c = 3 * indices[t + 2];
    const ax = p[a] - cx,
      ay = p[a + 1] - cy,
      az = p[a + 2] - cz;
    const bx = p[b] - cx,
      by = p[b + 1] - cy,
      bz = p[b + 2] - cz;
    const dx = p[c] - cx,
      dy = p[c + 1] - cy,
      dz = p[c + 2] - cz;
    volume += ax * (by * dz - bz * dy) + ay * (bz * dx - bx * dz) + az * (bx * dy - by * dx);
    reach = Math.max(reach, ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz, dx * dx + dy * dy + dz * dz);
  }
  return {
    ...principal,
    volumeMm3: Math.abs(volume) / 6,
    isClosed: isClosed(indices),
    reachMm: Math.sqrt(reach),
    meanArcMm: meanArcOf(mesh),
    invariants: surfaceInvariants(mesh, principal.centroidMm, sizeOf(principal)),
  };
}

/**
 * Root mean square distance of a surface from its centroid, mm: the measure of size that depends least on tessellation.
 */
export function sizeOf({ radiiMm: [x, y, z] }: Pick<SurfaceMeasures, 'radiiMm'>): number {
  return Math.sqrt(x * x + y * y + z * z);
}

function meanArcOf({ positions, indices }: TriangleMesh): number {
  const areas = new Float64Array(indices.length / 3);
  const normals = new Float64Array(indices.length);
  fillNormals({ positions, indices }, 0, areas, normals);
  const { above, below, beyond } = shareEdges(positions, indices, normals, { chamfers: 'arcs' });
  let sum = 0,
    area = 0;
  for (let t = 0; t < areas.length; t++) {
    sum += areas[t] * (above[t] + below[t] + beyond[t]);
    area += areas[t];
  }
  return area > 0 ? sum / area : 0;
}

/**
 * Computes the area and normal of each triangle.
 * @param thinMm triangles with at most this height get the normal 0.
 * @param areas f64[triangleCount], mm²; filled.
 * @param normals f64[3 * triangleCount], zeros; filled with unit vectors.
 */
export function fillNormals(
  { positions: p, indices }: TriangleMesh,
  thinMm: number,
  areas: Float64Array,
  normals: Float64Array,
): void {
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t],
      b = 3 * indices[t + 1],
      c = 3 * indices[t + 2];
    const ux = p[b] - p[a],
      uy = p[b + 1] - p[a + 1],
      uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a],
      vy = p[c + 1] - p[a + 1],
      vz = p[c + 2] - p[a + 2];
    const wx = vx - ux,
      wy = vy - uy,
      wz = vz - uz;
    const x = uy * vz - uz * vy,
      y = uz * vx - ux * vz,
      z = ux * vy - uy * vx;
    const length = Math.sqrt(x * x + y * y + z * z);
    areas[t / 3] = length / 2;
    const longest = Math.sqrt(
      Math.max(ux * ux + uy * uy + uz * uz, vx * vx + vy * vy + vz * vz, wx * wx + wy * wy + wz * wz),
    );
    if (length > thinMm * longest) {
      normals[t] = x / length;
      normals[t + 1] = y / length;
      normals[t + 2] = z / length;
    }
  }
}

/** Second moments of a triangle: ∫ x xᵀ dA = area / 12 · (Σ pᵢ pᵢᵀ + (Σ pᵢ)(Σ pᵢ)ᵀ), from any origin. */
export function principalAxes({ positions: p, indices }: TriangleMesh): PrincipalAxes {
  let area = 0,
    cx = 0,
    cy = 0,
    cz = 0;
  let xx = 0,
    xy = 0,
    xz = 0,
    yy = 0,
    yz = 0,
    zz = 0;
  for (let t = 0; t < indices.length; t += 3) {
    const a = 3 * indices[t],
      b = 3 * indices[t + 1],
      c = 3 * indices[t + 2];
    const ax = p[a],
      ay = p[a + 1],
      az = p[a + 2];
    const bx = p[b],
      by = p[b + 1],
      bz = p[b + 2];
    const dx = p[c],
      dy = p[c + 1],
      dz = p[c + 2];
    const nx = (by - ay) * (dz - az) - (bz - az) * (dy - ay),
      ny = (bz - az) * (dx - ax) - (bx - ax) * (dz - az),
      nz = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
    const s = Math.sqrt(nx * nx + ny * ny + nz * nz) / 2;
    const sx = ax + bx + dx,
      sy = ay + by + dy,
      sz = az + bz + dz;
    area += s;
    cx += s * sx;
    cy += s * sy;
    cz += s * sz;
    xx += s * (ax * ax + bx * bx + dx * dx + sx * sx);
    xy += s * (ax * ay + bx * by + dx * dy + sx * sy);
    xz += s * (ax * az + bx * bz + dx * dz + sx * sz);
    yy += s * (ay * ay + by * by + dy * dy + sy * sy);
    yz += s * (ay * az + by * bz + dy * dz + sy * sz);
    zz += s * (az * az + bz * bz + dz * dz + sz * sz);
  }
  if (!(area > 0))
    return {
      surfaceAreaMm2: 0,
      centroidMm: [0, 0, 0],
      radiiMm: [0, 0, 0],
      axes: eigenSymmetric3([1, 0, 0, 0, 1, 0, 0, 0, 1]).vectors,
    };
  cx /= 3 * area;
  cy /= 3 * area;
  cz /= 3 * area;
  const moment = (sum: number, c: number, d: number): number => sum / (12 * area) - c * d;
  const [mxx, mxy, mxz] = [moment(xx, cx, cx), moment(xy, cx, cy), moment(xz, cx, cz)];
  const [myy, myz, mzz] = [moment(yy, cy, cy), moment(yz, cy, cz), moment(zz, cz, cz)];
  const { values, vectors } = eigenSymmetric3([mxx, mxy, mxz, mxy, myy, myz, mxz, myz, mzz]);
  const [r1, r2, r3] = values.map((value) => Math.sqrt(Math.max(0, value)));
  return { surfaceAreaMm2: area, centroidMm: [cx, cy, cz], radiiMm: [r1, r2, r3], axes: vectors };
}

/** Whether every edge is traversed equally often in both directions. */
function isClosed(indices: Uint32Array): boolean {
  const table = new EdgeTable(indices);
  /** How much more often each edge is traversed from its lower vertex than to it, at its slot. */
  const balances = new Int32Array(table.size);
  let unbalanced = 0;
  for (let corner = 0; corner < indices.length; corner++) {
    const slot = table.slotOf(corner);
    const before = balances[slot];
    const after = (balances[slot] += indices[corner] < indices[nextCorner(corner)] ? 1 : -1);
    unbalanced += (after !== 0 ? 1 : 0) - (before !== 0 ? 1 : 0);
  }
  return indices.length > 0 && unbalanced === 0;
}
