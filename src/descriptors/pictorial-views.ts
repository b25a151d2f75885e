import type { Core } from '../core/core.js';
import type { Vector3 } from '../core/mass.js';
import type { TriangleMesh } from '../core/mesh.js';
import type { Shapelet } from '../shapelets/shapelet.js';
import { DRAWING_CAMERAS, renderModelViews } from '../shapelets/model/model-views.js';

const AXES: readonly Vector3[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
/** Between the coordinates of a unit vector along (1 1 2): .41 and .82. */
const LONG = 0.6;
/** A cabinet projection draws depth by half at 45°: the shift along each axis of the picture. */
const DEPTH_SHIFT = Math.SQRT1_2 / 2;

/** The axis with the 2 of a unit vector along (±1 ±1 ±2) in any order; undefined for another vector. */
export function axisOfBetween(direction: Vector3): number | undefined {
  const long = [0, 1, 2].filter((i) => Math.abs(direction[i]) > LONG);
  const isBetween = long.length === 1 && direction.every((value) => Math.abs(value) > LONG / 2);
  return isBetween ? long[0] : undefined;
}

/** Views of {@link renderPictorialViews}. */
export interface PictorialViews {
  readonly turned: readonly Shapelet[];
  readonly oblique: readonly Shapelet[];
}

/**
 * A mesh as a person draws it pictorially from about one direction: turned and raised, with either of the other axes
 * upwards, and in cabinet projection, which shows the face nearest to the direction as it is. Lines and silhouettes as
 * of `renderModelViews`, which are stored nowhere.
 * @param direction a unit vector of which {@link axisOfBetween} is known
 * @throws EngineError as `renderModelViews`
 */
export function renderPictorialViews(core: Core, mesh: TriangleMesh, direction: Vector3): PictorialViews {
  const axis = axisOfBetween(direction);
  if (axis === undefined) throw new RangeError(`direction must lie along (1 1 2), received ${direction.join(' ')}`);
  const ups = AXES.filter((_, i) => i !== axis);
  const side = Math.sign(direction[axis]);
  const face = DRAWING_CAMERAS[2 * axis + (side > 0 ? 0 : 1)];
  const shifts = direction.map((value, i) => (i === axis ? 0 : -DEPTH_SHIFT * side * Math.sign(value)));
  return {
    turned: renderModelViews(core, mesh, { cameras: ups.map((up) => ({ direction, up })) }),
    oblique: renderModelViews(core, sheared(mesh, axis, shifts), { cameras: [face] }),
  };
}

/** Each point moved by its place along an axis: seen along that axis, it is an oblique projection. */
function sheared({ positions, indices }: TriangleMesh, axis: number, shifts: readonly number[]): TriangleMesh {
  const moved = positions.slice();
  for (let at = 0; at < moved.length; at += 3)
    for (const [i, shift] of shifts.entries()) moved[at + i] += shift * positions[at + axis];
  return { positions: moved, indices };
}
