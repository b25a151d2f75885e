import { dot, type Vector } from '../faces/vector.js';

/** A line in space by a point and a unit vector. */
export interface AxisLine {
  readonly origin: Vector;
  readonly axis: Vector;
}

/** Directions that are equal, as 1 minus the cosine (0.1°); at right angles, as the cosine (0.3°). */
const SAME_DIRECTION = 1.5e-6;
const SQUARE = 5e-3;

/** Whether two unit vectors lie along each other, whichever way they point. */
export function areParallel(a: Vector, b: Vector): boolean {
  return 1 - Math.abs(dot(a, b)) <= SAME_DIRECTION;
}

/** Whether two unit vectors are at right angles. */
export function areSquare(a: Vector, b: Vector): boolean {
  return Math.abs(dot(a, b)) <= SQUARE;
}

/** Distance of a point from a line. */
export function distanceFrom({ origin, axis }: AxisLine, point: Vector): number {
  const dx = point[0] - origin[0],
    dy = point[1] - origin[1],
    dz = point[2] - origin[2];
  const along = dx * axis[0] + dy * axis[1] + dz * axis[2];
  const x = dx - along * axis[0],
    y = dy - along * axis[1],
    z = dz - along * axis[2];
  // Numbers only: this is asked of every point of every face.
  return Math.sqrt(x * x + y * y + z * z);
}

/** Whether two lines are one, up to a distance. */
export function areOneLine(a: AxisLine, b: AxisLine, toleranceMm: number): boolean {
  return areParallel(a.axis, b.axis) && distanceFrom(a, b.origin) <= toleranceMm;
}
