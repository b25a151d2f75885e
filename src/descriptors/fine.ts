import { FINE_BYTES, FINE_LENGTHS } from '../core/compare.js';
import { sizeOf, type SurfaceMeasures } from './surface-measures.js';
import type { SurfaceInvariants } from './surface-invariants.js';

/**
 * The fine descriptor: input of the finer comparison of two parts. i8 views[248] and spread[136], the planes of
 * `cube-harmonics.ts`; i8 family[128]; u8 plainPairs[480]; then f32[8] little endian: background mean and deviation
 * (see `shape-distance.ts`), arcs and invariants of the surface (see `surface-invariants.ts`).
 */
const SPREAD_AT = FINE_LENGTHS.views;
const FAMILY_AT = SPREAD_AT + FINE_LENGTHS.spread;
const PAIRS_AT = FAMILY_AT + FINE_LENGTHS.family;
const NUMBERS_AT = PAIRS_AT + FINE_LENGTHS.plainPairs;

/**
 * Shares of pairs rarely exceed 0.12; their square roots are scaled by this to fill a byte, and larger ones are
 * clipped.
 */
const PAIRS_SCALE = 700;

/** Mean and standard deviation of a part's distances to the reference parts; see `shape-distance.ts`. */
export interface Background {
  readonly mean: number;
  readonly deviation: number;
}

/**
 * The measures of a surface that rule out most other parts; copied from the stored surface, so that few surfaces are
 * read.
 */
export interface Outline {
  /** {@link SurfaceMeasures.meanArcMm} divided by the size of the surface. */
  readonly arcs: number;
  readonly invariants: SurfaceInvariants;
}

/** Vectors of any length, of which the direction is stored. */
export interface FineVectors {
  /** f64[248]: planes of the views along the frame of face normals. */
  readonly views: Float64Array;
  /** f64[136]: planes of the views along the axes of inertia. */
  readonly spread: Float64Array;
  /** f64[128]: see `family.ts`. */
  readonly family: Float64Array;
}

/** u8[FINE_BYTES] from the features; {@link withBackground} and {@link withOutline} fill in the rest. */
export function encodeFine({ views, spread, family }: FineVectors, plainPairs: Float32Array): Uint8Array {
  const fine = new Uint8Array(FINE_BYTES);
  fine.set(directionOf(views), 0);
  fine.set(directionOf(spread), SPREAD_AT);
  fine.set(directionOf(family), FAMILY_AT);
  for (let i = 0; i < plainPairs.length; i++)
    fine[PAIRS_AT + i] = Math.min(255, Math.round(plainPairs[i] * PAIRS_SCALE));
  return withBackground(fine, { mean: 0, deviation: 1 });
}

/** The direction of a vector in signed bytes, of which the largest is 127. */
function directionOf(vector: Float64Array): Uint8Array {
  const most = vector.reduce((found, value) => Math.max(found, Math.abs(value)), 0);
  const bytes = Int8Array.from(vector, (value) => (most > 0 ? Math.round((127 * value) / most) : 0));
  return new Uint8Array(bytes.buffer);
}

/** A copy of the fine descriptor with its background set. */
export function withBackground(fine: Uint8Array, background: Background): Uint8Array {
  const copy = fine.slice();
  const view = viewOf(copy);
  view.setFloat32(0, background.mean, true);
  view.setFloat32(4, background.deviation, true);
  return copy;
}

/** The background that a fine descriptor carries. */
export function backgroundOfFine(fine: Uint8Array): Background {
  const view = viewOf(fine);
  return { mean: view.getFloat32(0, true), deviation: view.getFloat32(4, true) };
}

/** A copy of the fine descriptor with the outline of its surface set. */
export function withOutline(fine: Uint8Array, { arcs, invariants }: Outline): Uint8Array {
  const copy = fine.slice();
  const view = viewOf(copy);
  [arcs, ...invariants].forEach((value, i) => view.setFloat32(8 + 4 * i, value, true));
  return copy;
}

/** The outline that a fine descriptor carries. */
export function outlineOfFine(fine: Uint8Array): Outline {
  const view = viewOf(fine);
  const at = (i: number): number => view.getFloat32(8 + 4 * i, true);
  return { arcs: at(0), invariants: [at(1), at(2), at(3), at(4), at(5)] };
}

/** The outline of a surface. */
export function outlineOf(facts: Pick<SurfaceMeasures, 'radiiMm' | 'meanArcMm' | 'invariants'>): Outline {
  return { arcs: facts.meanArcMm / sizeOf(facts), invariants: facts.invariants };
}

function viewOf(fine: Uint8Array): DataView {
  return new DataView(fine.buffer, fine.byteOffset + NUMBERS_AT, 32);
}
