import { QUERY_LENGTH } from '../../../core/surface-tree.js';
import type { PartSurface } from './part-surface.js';
import { MOST_QUERIES, type SurfacePair } from './placed-queries.js';
import { multiply3, scaleOf, type Pose } from './pose.js';
import { measureGap, type SurfaceGap } from './surface-gap.js';

/** Options of {@link fitPose}. */
export interface FitOptions {
  /** Number of points, from the start of the samples. */
  readonly samples: number;
  readonly iterations: number;
  /** Points farther from the surface than this are ignored, mm. */
  readonly reachMm: number;
  /**
   * - `tangents`: distances to the tangent planes. Fast.
   * - `flats first`: the same, but points on arcs weigh less, because the height of the true surface is unknown there.
   *   Needs the bends of both meshes.
   * - `gaps`: only the part of the distance that the arcs of the meshes do not explain.
   */
  readonly by: 'tangents' | 'flats first' | 'gaps';
  /** Fit the scale as well. */
  readonly scales: boolean;
}

/** Arcs lower than this share of the reach count as flat. */
const FLAT = 3e-4;

/**
 * Refines a pose so that points of `from` lie on the surface `to`: iterative closest points with distances to the
 * tangent planes (Chen and Medioni 1992) and robust weights (Geman and McClure). Along directions in which the surface
 * slides on itself the pose does not move.
 */
export function fitPose(start: Pose, pair: SurfacePair, options: FitOptions): Pose {
  const { from, to, nearest, placed } = pair;
  const { scales, reachMm } = options;
  const sizeMm = to.facts.reachMm;
  const { positions: p, indices, normals } = to;
  const { queries, distances, triangles } = placed;
  const samples = options.by === 'gaps' ? from.patches : from.spread;
  const flatMm = FLAT * sizeMm;
  const scale0 = scaleOf(start);
  const count = Math.min(samples.count, options.samples, MOST_QUERIES);
  const unknowns = scales ? 7 : 6;
  const pose = start.slice();
  const placedSamples = { pose, scale: scale0, samples, first: 0 };
  const row = new Float64Array(7);
  const matrix = new Float64Array(49);
  const right = new Float64Array(7);
  const gap: SurfaceGap = { above: 0, aside: 0 };
  let softMm = reachMm / 2;
  for (let iteration = 0; iteration < options.iterations; iteration++) {
    matrix.fill(0);
    right.fill(0);
    let errors = 0,
      weights = 0;
    placed.ask(nearest, pose, { samples, first: 0, count }, reachMm, 'same way');
    for (let i = 0; i < count; i++) {
      if (triangles[i] < 0) continue;
      const t = 3 * triangles[i],
        at = QUERY_LENGTH * i,
        a = 3 * indices[t];
      const x = queries[at],
        y = queries[at + 1],
        z = queries[at + 2];
      const nx = normals[t],
        ny = normals[t + 1],
        nz = normals[t + 2];
      let residual = nx * (p[a] - x) + ny * (p[a + 1] - y) + nz * (p[a + 2] - z);
      const distance = distances[i];
      const soft = 1 + (distance * distance) / (softMm * softMm);
      let weight = 1 / (soft * soft);
      if (options.by === 'gaps') {
        measureGap(pair, placedSamples, i, gap);
        residual = -gap.above;
      } else if (options.by === 'flats first') {
        const arcs = (scale0 * arcOver(from, samples.triangles[i]) + arcOver(to, triangles[i])) / flatMm;
        weight /= 1 + arcs * arcs;
      }
      row[0] = (y * nz - z * ny) / sizeMm;
      row[1] = (z * nx - x * nz) / sizeMm;
      row[2] = (x * ny - y * nx) / sizeMm;
      row[3] = nx;
      row[4] = ny;
      row[5] = nz;
      row[6] = (nx * x + ny * y + nz * z) / sizeMm;
      for (let r = 0; r < unknowns; r++) {
        right[r] += weight * row[r] * residual;
        for (let c = r; c < unknowns; c++) matrix[7 * r + c] += weight * row[r] * row[c];
      }
      errors += weight * distance;
      weights += weight;
    }
    if (weights === 0) return pose;
    const step = solve(matrix, right, unknowns, 1e-4 * weights);
    const scale = scales ? Math.max(0.5, 1 + step[6] / sizeMm) : 1;
    const turn = rotationOf(step[0] / sizeMm, step[1] / sizeMm, step[2] / sizeMm);
    const shiftX = pose[9],
      shiftY = pose[10],
      shiftZ = pose[11];
    pose.set(multiply3(turn, pose.subarray(0, 9)));
    for (let i = 0; i < 9; i++) pose[i] *= scale;
    for (let r = 0; r < 3; r++) {
      pose[9 + r] = scale * (turn[3 * r] * shiftX + turn[3 * r + 1] * shiftY + turn[3 * r + 2] * shiftZ) + step[3 + r];
    }
    let moved = 0;
    for (let r = 0; r < unknowns; r++) moved = Math.max(moved, Math.abs(step[r]));
    if (moved < 2e-5 * sizeMm) break;
    softMm = Math.max(3e-4 * sizeMm, Math.min(softMm, (3 * errors) / weights));
  }
  return pose;
}

function arcOver({ edges }: PartSurface, triangle: number): number {
  return edges.above[triangle] + edges.below[triangle];
}

/** Solves (matrix + damping) x = right by Cholesky; the matrix is 7 wide, its upper triangle is read. */
function solve(matrix: Float64Array, right: Float64Array, size: number, damping: number): Float64Array {
  const lower = new Float64Array(49);
  const x = new Float64Array(7);
  for (let r = 0; r < size; r++) {
    for (let c = 0; c <= r; c++) {
      let sum = matrix[7 * c + r] + (r === c ? damping : 0);
      for (let k = 0; k < c; k++) sum -= lower[7 * r + k] * lower[7 * c + k];
      lower[7 * r + c] = r === c ? Math.sqrt(Math.max(sum, 1e-30)) : sum / lower[7 * c + c];
    }
  }
  for (let r = 0; r < size; r++) {
    let sum = right[r];
    for (let k = 0; k < r; k++) sum -= lower[7 * r + k] * x[k];
    x[r] = sum / lower[7 * r + r];
  }
  for (let r = size - 1; r >= 0; r--) {
    let sum = x[r];
    for (let k = r + 1; k < size; k++) sum -= lower[7 * k + r] * x[k];
    x[r] = sum / lower[7 * r + r];
  }
  return x;
}

/**
 * The rotation of the normalised quaternion (1, ω / 2): the rotation by ω to second order, without trigonometric
 * functions.
 */
function rotationOf(wx: number, wy: number, wz: number): Float64Array {
  let x = wx / 2,
    y = wy / 2,
    z = wz / 2,
    w = 1;
  const unit = 1 / Math.sqrt(x * x + y * y + z * z + 1);
  x *= unit;
  y *= unit;
  z *= unit;
  w *= unit;
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y - z * w),
    2 * (x * z + y * w),
    2 * (x * y + z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z - x * w),
    2 * (x * z - y * w),
    2 * (y * z + x * w),
    1 - 2 * (x * x + y * y),
  );
}
