import { PARALLEL, distanceBetween, kindOf } from '../../descriptors/faces/face-words.js';
import type { PartFace } from '../../descriptors/faces/part-face.js';
import { pointsOf } from '../../descriptors/faces/region.js';
import type { ScrewMotion } from '../../descriptors/faces/screw-motion.js';
import { type Vector, across, cross, dot, lengthOf, minus } from '../../descriptors/faces/vector.js';
import { type SurfacePoint, surfacePoints } from './free-face.js';
import type { Pose } from './pose.js';

/**
 * A face of which so much is found counts whole: its rim is known to a grid cell only; below the second, not at all.
 */
const WHOLE = 0.95;
const NOTHING = 0.2;
/** Cosine below which two directions differ. */
const SAME_DIRECTION = 0.9995;
/** Difference of the outer radii and pitches of two screw motions, as a share of the radius. */
const SAME_OUTER = 0.06;
/**
 * Shares of a tolerance, and of a turn of 1 rad, in which poses are one: other pairs of the same faces give the same
 * one.
 */
const SAME_SHIFT = 0.1;
const SAME_TURN = 1e-4;

/** Equal for poses that are one. */
export function keyOfPose({ rows: [x, y], shift }: Pose, toleranceMm: number): string {
  const step = SAME_SHIFT * toleranceMm;
  let key = '';
  for (let k = 0; k < 3; k++)
    key += `${Math.round(x[k] / SAME_TURN)} ${Math.round(y[k] / SAME_TURN)} ${Math.round(shift[k] / step)} `;
  return key;
}

export interface PairMeasures {
  readonly cosine: number;
  readonly apart: number | undefined;
}

/** What stays the same of two faces in every pose. */
export function measuresOf(one: PartFace, other: PartFace): PairMeasures {
  const [a, b] = kindOf(one) <= kindOf(other) ? [one, other] : [other, one];
  const cosine = a.kind === 'sphere' || b.kind === 'sphere' ? 0 : dot(a.axis, b.axis);
  const signed = hasSign(a) && hasSign(b);
  const isParallel = lengthOf(cross(a.axis, b.axis)) <= PARALLEL;
  const apart = a.kind === 'free' || b.kind === 'free' ? undefined : distanceBetween(a, b, isParallel);
  return { cosine: signed ? cosine : Math.abs(cosine), apart };
}

function hasSign({ kind }: PartFace): boolean {
  return kind === 'plane' || kind === 'cone' || kind === 'free';
}

export function sameDirection(query: PartFace, axis: Vector, host: PartFace): boolean {
  if (query.kind === 'sphere') return true;
  const cosine = dot(axis, host.axis);
  return (hasSign(query) ? cosine : Math.abs(cosine)) >= SAME_DIRECTION;
}

/** Whether the origin of a query face comes to lie on the surface of a host face, or on its axis. */
export function liesOn([x, y, z]: Vector, { kind, origin, axis }: PartFace, toleranceMm: number): boolean {
  const dx = x - origin[0],
    dy = y - origin[1],
    dz = z - origin[2];
  const along = dx * axis[0] + dy * axis[1] + dz * axis[2];
  if (kind === 'plane') return Math.abs(along) <= toleranceMm;
  const square = dx * dx + dy * dy + dz * dz;
  if (kind === 'cylinder') return square - along * along <= toleranceMm * toleranceMm;
  return square <= 4 * toleranceMm * toleranceMm;
}

/** Whether two motions may be one: radii, and whether both are screws of one hand. */
export function areLike(a: ScrewMotion, b: ScrewMotion): boolean {
  const outer = b.radiiMm[1];
  return Math.abs(a.radiiMm[1] - outer) <= SAME_OUTER * outer && Math.abs(a.pitchMm - b.pitchMm) <= SAME_OUTER * outer;
}

/** A motion as a cylinder about its axis. */
export function axisFace({ axis, origin, radiiMm }: ScrewMotion, like: PartFace): PartFace {
  return { ...like, kind: 'cylinder', isHollow: false, axis, origin, middle: origin, radiusMm: radiiMm[1], second: 0 };
}

/** A point and its normal as the apex of a cone, which fixes a place as a point does. */
export function pointFace(like: PartFace, { point, normal }: SurfacePoint): PartFace {
  return {
    ...like,
    kind: 'cone',
    isHollow: false,
    axis: normal,
    origin: point,
    middle: point,
    radiusMm: 0,
    second: 0.5,
  };
}

export function heightOf({ origin, axis }: PartFace, { point }: SurfacePoint): number {
  return dot(minus(point, origin), axis);
}

export function radiusOf({ origin, axis }: PartFace, { point }: SurfacePoint): number {
  return lengthOf(across(minus(point, origin), axis));
}

export function isWithin(a: Vector, b: Vector, distance: number): boolean {
  const dx = a[0] - b[0],
    dy = a[1] - b[1],
    dz = a[2] - b[2];
  return dx * dx + dy * dy + dz * dz <= distance * distance;
}

/** How far the points of a face are from its middle at most, mm. */
export function reachOf(face: PartFace): number {
  const points = face.samples.length > 0 ? surfacePoints(face).map(({ point }) => point) : pointsOf(face, face.region);
  const spacing = Math.sqrt(face.areaMm2 / Math.max(1, points.length));
  return 1.5 * spacing + points.reduce((most, point) => Math.max(most, lengthOf(minus(point, face.middle))), 0);
}

export function shareOf(covered: number, count: number, had: readonly number[], faces: Set<number>): number {
  const part = covered / count;
  if (!(part >= NOTHING)) return 0;
  for (const j of had) faces.add(j);
  return part >= WHOLE ? 1 : part;
}

export function signedTurn(kind: 'convex' | 'concave' | 'smooth', turnRad: number): number {
  return kind === 'concave' ? -turnRad : turnRad;
}

export function keyOf(a: number, b: number, count: number): number {
  return a < b ? a * count + b : b * count + a;
}

export function edgeMap(
  edges: readonly { readonly a: number; readonly b: number; readonly turn: number }[],
  count: number,
): Map<number, number> {
  return new Map(edges.map(({ a, b, turn }) => [keyOf(a, b, count), turn]));
}
