import type { PartFace } from '../../descriptors/faces/part-face.js';
import { cross, dot, minus, plus, scaled } from '../../descriptors/faces/vector.js';
import { movedBy, turnedBy, type Pose } from './pose.js';

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

/** Steps of a turn about an axis. */
const STEPS = 360;
/** Areas that differ by less, as a share, are the same: a mesh of flat pieces has less than the surface. */
const SAME_AREA = 0.02;

/**
 * Share of a face of the query, 0 to 1, that host faces on its surface are too small to cover: by their area, and of a
 * cylinder by what they leave open around its axis, as a keyway does, which falls between the columns of the grid.
 * @param pose the query onto the host. on: faces on the same surface, not empty.
 */
export function missingOf(pose: Pose, query: PartFace, on: readonly PartFace[]): number {
  const area = on.reduce((sum, { areaMm2 }) => sum + areaMm2, 0) / query.areaMm2;
  return Math.max(area < 1 - SAME_AREA ? 1 - area : 0, query.kind === 'cylinder' ? openOf(pose, query, on) : 0);
}

function openOf(pose: Pose, { axis, region }: PartFace, on: readonly PartFace[]): number {
  const arcs = on.map((face) => ({ arc: arcOf(face), x: face.region.x, y: cross(face.axis, face.region.x) }));
  if (arcs.some(({ arc }) => arc === undefined)) return 0;
  const y = cross(axis, region.x);
  const [from, to] = [region.from[0], region.to[0]];
  let open = 0;
  for (let step = 0; step < STEPS; step++) {
    const turn = from + ((step + 0.5) / STEPS) * (to - from);
    const way = turnedBy(pose, plus(scaled(region.x, Math.cos(turn)), y, Math.sin(turn)));
    const isOn = arcs.some(({ arc, x, y: across }) => isBetween(Math.atan2(dot(way, across), dot(way, x)), arc!));
    if (!isOn) open++;
  }
  return open / STEPS;
}

/** Angles that a cylinder takes; undefined where its area says that these are more than is known of few vertices. */
function arcOf({ areaMm2, radiusMm, region: { from, to } }: PartFace): readonly [number, number] | undefined {
  const band = radiusMm * (to[0] - from[0]) * (to[1] - from[1]);
  return areaMm2 <= (1 + SAME_AREA) * band ? [from[0], to[0]] : undefined;
}

function isBetween(angle: number, [from, to]: readonly [number, number]): boolean {
  const slack = Math.PI / STEPS;
  const turned = from - slack + ((((angle - from + slack) % (2 * Math.PI)) + 2 * Math.PI) % (2 * Math.PI));
  return turned <= to + slack;
}
