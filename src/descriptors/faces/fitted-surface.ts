import { across, dot, lengthOf, minus, plus, scaled, unit, type Vector } from './vector.js';

/** Kinds of surfaces; `free` is any other. */
export type SurfaceKind = 'plane' | 'cylinder' | 'cone' | 'sphere' | 'torus' | 'free';

/** A surface in space, mm. */
export interface FittedSurface {
  readonly kind: SurfaceKind;
  /** Unit vector: the normal of a plane, the axis of a cylinder or torus, of a cone from its apex into its opening. */
  readonly axis: Vector;
  /** A point of the plane or of the cylinder's axis; the apex of a cone; the centre of a sphere or torus. */
  readonly origin: Vector;
  /** Of a cylinder or sphere; of a torus, that of the circle in the middle of its tube; else 0. */
  readonly radiusMm: number;
  /** Half the angle of a cone, rad; the radius of a torus' tube, mm; else 0. */
  readonly second: number;
}

/** Distance of a point from a surface, mm, signed: positive on the side away from its axis, centre or tube. */
export function distanceTo({ kind, axis, origin, radiusMm, second }: FittedSurface, point: Vector): number {
  const from = minus(point, origin);
  const along = dot(from, axis);
  if (kind === 'plane' || kind === 'free') return along;
  if (kind === 'sphere') return lengthOf(from) - radiusMm;
  const out = lengthOf(plus(from, axis, -along));
  if (kind === 'cylinder') return out - radiusMm;
  if (kind === 'cone') return out * Math.cos(second) - along * Math.sin(second);
  return Math.sqrt((out - radiusMm) ** 2 + along * along) - second;
}

/** Unit normal of a surface at a point on it, away from its axis, centre or tube. */
export function normalAt({ kind, axis, origin, radiusMm, second }: FittedSurface, point: Vector): Vector {
  if (kind === 'plane' || kind === 'free') return axis;
  const from = minus(point, origin);
  if (kind === 'sphere') return unit(from);
  const out = unit(across(from, axis));
  if (kind === 'cylinder') return out;
  if (kind === 'cone') return plus(scaled(out, Math.cos(second)), axis, -Math.sin(second));
  return unit(minus(from, scaled(out, radiusMm)));
}

/**
 * Fills in the distances of points from a surface, mm, as `distanceTo`, each divided by a factor: of as many points as
 * there is room for. Numbers only and a loop for each kind: fits spend most of their time here.
 * @param first the point that is taken first, 0 without it.
 */
export function fillDistances(
  { kind, axis, origin, radiusMm, second }: FittedSurface,
  points: Float64Array,
  { factor, into, first = 0 }: { readonly factor: number; readonly into: Float64Array; readonly first?: number },
): void {
  const ax = axis[0],
    ay = axis[1],
    az = axis[2],
    ox = origin[0],
    oy = origin[1],
    oz = origin[2];
  const count = Math.min(into.length, points.length / 3 - first);
  if (kind === 'plane' || kind === 'free' || kind === 'sphere') {
    const isBall = kind === 'sphere';
    for (let i = 0, at = 3 * first; i < count; i++, at += 3) {
      const x = points[at] - ox,
        y = points[at + 1] - oy,
        z = points[at + 2] - oz;
      into[i] = (isBall ? Math.sqrt(x * x + y * y + z * z) - radiusMm : x * ax + y * ay + z * az) / factor;
    }
    return;
  }
  const isCylinder = kind === 'cylinder',
    isCone = kind === 'cone';
  const cos = isCone ? Math.cos(second) : 0,
    sin = isCone ? Math.sin(second) : 0;
  for (let i = 0, at = 3 * first; i < count; i++, at += 3) {
    const x = points[at] - ox,
      y = points[at + 1] - oy,
      z = points[at + 2] - oz;
    const along = x * ax + y * ay + z * az;
    const u = x - along * ax,
      v = y - along * ay,
      w = z - along * az;
    const out = Math.sqrt(u * u + v * v + w * w);
    if (isCylinder) into[i] = (out - radiusMm) / factor;
    else if (isCone) into[i] = (out * cos - along * sin) / factor;
    else {
      const aside = out - radiusMm;
      into[i] = (Math.sqrt(aside * aside + along * along) - second) / factor;
    }
  }
}

/** Points whose distances are computed before it is asked whether one is too far; their distances. */
const BLOCK = 64;
const distances = new Float64Array(BLOCK);

/** Whether all points lie on a surface. */
export function areOn(points: Float64Array, surface: FittedSurface, toleranceMm: number): boolean {
  const count = points.length / 3;
  for (let first = 0; first < count; first += BLOCK) {
    fillDistances(surface, points, { factor: 1, into: distances, first });
    const size = Math.min(BLOCK, count - first);
    // Also false for NaN, so that such a surface fits nothing.
    for (let i = 0; i < size; i++) if (!(Math.abs(distances[i]) <= toleranceMm)) return false;
  }
  return true;
}
