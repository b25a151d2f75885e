import type { Core } from '../../../core/core.js';
import type { TriangleMesh } from '../../../core/mesh.js';
import { measurePoses, POSE_FIGURES, type GrayPicture } from '../../../core/poses.js';

/** How a part is held before the camera. */
export interface Pose {
  /** Rows right, up and towards the camera, in the part's frame. */
  readonly rows: readonly number[];
  /** Half the diagonal of the part's box over the camera's distance. */
  readonly nearness: number;
}

/** A pose and what it leaves unexplained of a picture. */
export interface FittedPose extends Pose {
  /** 0: all of it is explained; 1: nothing. */
  readonly cost: number;
}

/** Nearness of a camera to begin with, and the largest. */
export const USUAL_NEARNESS = 0.22;
const MOST_NEARNESS = 0.4;
/** Variance of brightness of an even face, from noise. */
const EVEN = 0.0004;
/** A step of nearness by one of the angles, 1 / radian. */
const NEARNESS_STEP = 0.6;
/** Steps above this turn only, rad. */
const LARGE = 0.15;

/** The share of the covered pixels that is not covered by both, or whose brightness no light explains. */
export function costsOf(figures: Float32Array): number[] {
  return Array.from({ length: figures.length / POSE_FIGURES }, (_, i) => {
    const [both, either, left, spread] = figures.subarray(POSE_FIGURES * i, POSE_FIGURES * (i + 1));
    if (both === 0) return 1;
    const overlap = both / either;
    return 1 - overlap + overlap * Math.min(1, left / (spread + both * EVEN));
  });
}

/** The best of some poses. */
export function bestOf(core: Core, mesh: TriangleMesh, picture: GrayPicture, poses: readonly Pose[]): FittedPose {
  const costs = measure(core, mesh, picture, poses);
  const best = leastIn(costs);
  return { ...poses[best], cost: costs[best] };
}

/**
 * Moves a pose to where it explains the picture better: turns by the angle about each axis of the camera and steps nearer and farther, then goes
 * where parabolas through what was found have their lowest points. steps: angles, rad, one round each.
 */
export function fitPose(
  core: Core,
  mesh: TriangleMesh,
  picture: GrayPicture,
  start: FittedPose,
  steps: readonly number[],
): FittedPose {
  let best = start;
  for (const step of steps) {
    // The distance tells little as long as the pose is far off.
    const axes = step > LARGE ? [0, 1, 2] : [0, 1, 2, 3];
    const moves = axes.flatMap((axis) => [1, -1].map((sign) => moveAlong(axis, sign * sizeOf(axis, step))));
    const around = moves.map((move) => moved(best, move));
    const costs = measure(core, mesh, picture, around);
    const lowest = [0, 1, 2, 3].map((axis) =>
      axis < axes.length ? sizeOf(axis, step) * lowestOf(costs[2 * axis + 1], best.cost, costs[2 * axis]) : 0,
    );
    const jumps = [lowest, lowest.map((value) => value / 2)].map((move) => moved(best, move));
    const poses = [...around, ...jumps],
      all = [...costs, ...measure(core, mesh, picture, jumps)];
    const found = leastIn(all);
    if (all[found] < best.cost) best = { ...poses[found], cost: all[found] };
  }
  return best;
}

function measure(core: Core, mesh: TriangleMesh, picture: GrayPicture, poses: readonly Pose[]): number[] {
  return costsOf(
    measurePoses(core, mesh, picture, Float64Array.from(poses.flatMap(({ rows, nearness }) => [...rows, nearness]))),
  );
}

function leastIn(costs: readonly number[]): number {
  let least = 0;
  for (let i = 1; i < costs.length; i++) if (costs[i] < costs[least]) least = i;
  return least;
}

function sizeOf(axis: number, step: number): number {
  return axis === 3 ? NEARNESS_STEP * step : step;
}

function moveAlong(axis: number, size: number): number[] {
  return [0, 1, 2, 3].map((i) => (i === axis ? size : 0));
}

/** Where, from -1 to 1, a parabola through three costs at -1, 0 and 1 is lowest. */
function lowestOf(before: number, here: number, after: number): number {
  const bend = before + after - 2 * here;
  if (bend <= 1e-9) return Math.min(before, after) >= here ? 0 : after < before ? 1 : -1;
  return Math.max(-1, Math.min(1, (before - after) / (2 * bend)));
}

/** move: angles about right, up and towards the camera, rad, and what is added to the nearness. */
function moved({ rows, nearness }: Pose, [x, y, z, nearer]: readonly number[]): Pose {
  const next = Math.max(0, Math.min(MOST_NEARNESS, nearness + nearer));
  const angle = Math.hypot(x, y, z);
  if (angle === 0) return { rows, nearness: next };
  const [a, b, c] = [x / angle, y / angle, z / angle];
  const cos = Math.cos(angle),
    sin = Math.sin(angle),
    rest = 1 - cos;
  const turn = [
    cos + a * a * rest,
    a * b * rest - c * sin,
    a * c * rest + b * sin,
    b * a * rest + c * sin,
    cos + b * b * rest,
    b * c * rest - a * sin,
    c * a * rest - b * sin,
    c * b * rest + a * sin,
    cos + c * c * rest,
  ];
  const turned = Array.from({ length: 9 }, (_, i) => {
    const row = 3 * Math.floor(i / 3),
      column = i % 3;
    return turn[row] * rows[column] + turn[row + 1] * rows[3 + column] + turn[row + 2] * rows[6 + column];
  });
  return { rows: turned, nearness: next };
}
