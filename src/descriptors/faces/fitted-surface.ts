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

/** Fills in the distances of points from a surface, mm, as `distanceTo`, each divided by a factor. */
export function fillDistances(
  { kind, axis: [ax, ay, az], origin: [ox, oy, oz], radiusMm, second }: FittedSurface,
  points: Float64Array,
  { factor, into }: { readonly factor: number; readonly into: Float64Array },
): void {
  const [cos, sin] = kind === 'cone' ? [Math.cos(second), Math.sin(second)] : [0, 0];
  for (let i = 0, at = 0; at < points.length; i++, at += 3) {
    const x = points[at] - ox,
      y = points[at + 1] - oy,
      z = points[at + 2] - oz;
    const along = x * ax + y * ay + z * az;
    if (kind === 'plane' || kind === 'free') into[i] = along / factor;
    else if (kind === 'sphere') into[i] = (Math.sqrt(x * x + y * y + z * z) - radiusMm) / factor;
    else {
      const u = x - along * ax,
        v = y - along * ay,
        w = z - along * az;
      const out = Math.sqrt(u * u + v * v + w * w);
      if (kind === 'cylinder') into[i] = (out - radiusMm) / factor;
      else if (kind === 'cone') into[i] = (out * cos - along * sin) / factor;
      else into[i] = (Math.sqrt((out - radiusMm) ** 2 + along * along) - second) / factor;
    }
  }
}

/** Points whose distances are computed before it is asked whether one is too far. */
const BLOCK = 64;

/** Whether all points lie on a surface. */
export function areOn(points: Float64Array, surface: FittedSurface, toleranceMm: number): boolean {
  const into = new Float64Array(BLOCK);
  for (let at = 0; at < points.length; at += 3 * BLOCK) {
    const block = points.subarray(at, at + 3 * BLOCK);
    fillDistances(surface, block, { factor: 1, into });
    // Also false for NaN, so that such a surface fits nothing.
    for (let i = 0; 3 * i < block.length; i++) if (!(Math.abs(into[i]) <= toleranceMm)) return false;
  }
  return true;
}
