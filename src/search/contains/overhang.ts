import type { PartFace } from '../../descriptors/faces/part-face.js';
import { dot, minus, plus } from '../../descriptors/faces/vector.js';
import { movedBy, type Pose } from './pose.js';

/** Beside the tolerance: a rim that is no circle is known at its vertices only. Share of the face's length. */
const SLACK = 0.005;

/**
 * Share of the length of a round face of the query, 0 to 1, that lies beyond the ends of the host faces on its surface.
 * The grid of a region has eight rows, so that a shorter cylinder passes for a whole one; its bounds are exact. 0 for
 * other kinds.
 * @param pose the query onto the host. on: cylinders or cones on the same surface, not empty.
 */
export function overhangOf(pose: Pose, query: PartFace, on: readonly PartFace[], toleranceMm: number): number {
  if (query.kind !== 'cylinder' && query.kind !== 'cone') return 0;
  const [low, high] = [query.region.from[1], query.region.to[1]];
  const length = high - low;
  if (!(length > 0)) return 0;
  const ends = [low, high].map((v) => movedBy(pose, plus(query.origin, query.axis, v)));
  let [below, above] = [Infinity, Infinity];
  for (const { axis, origin, region } of on) {
    const [a, b] = ends.map((end) => dot(minus(end, origin), axis));
    const [atLow, atHigh] = [region.from[1] - Math.min(a, b), Math.max(a, b) - region.to[1]];
    // An axis may point the other way on the next face of the same surface.
    below = Math.min(below, a <= b ? atLow : atHigh);
    above = Math.min(above, a <= b ? atHigh : atLow);
  }
  const slack = toleranceMm + SLACK * length;
  const off = (mm: number): number => (mm > slack ? mm : 0);
  return Math.min(1, (off(below) + off(above)) / length);
}
