import { FINE_BYTES } from '../core/compare.js';
import type { ShapeFeatures } from '../core/shape.js';
import { sizeOf, type SurfaceMeasures } from './surface-measures.js';
import type { SurfaceInvariants } from './surface-invariants.js';

/**
 * The fine descriptor: input of the finer comparison of two parts, mostly one byte per number. u8 hog[2304],
 * images[1536], pairs[480], plainPairs[480], angles[48, 36 used], shares[32, 17 used], then f32[8] little endian:
 * background mean and deviation (see `shape-distance.ts`), arcs and invariants of the surface (see
 * `surface-invariants.ts`).
 */
const PAIRS_AT = 2304 + 1536;
const PLAIN_PAIRS_AT = PAIRS_AT + 480;
const ANGLES_AT = PLAIN_PAIRS_AT + 480;
const SHARES_AT = ANGLES_AT + 48;
const NUMBERS_AT = SHARES_AT + 32;

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

/** u8[FINE_BYTES] from the features; {@link withBackground} and {@link withOutline} fill in the rest. */
export function encodeFine(features: ShapeFeatures): Uint8Array {
  const fine = new Uint8Array(FINE_BYTES);
  quantise(features.hog, 255, fine, 0);
  quantise(features.images, 255, fine, 2304);
  quantise(features.pairs, PAIRS_SCALE, fine, PAIRS_AT);
  quantise(features.plainPairs, PAIRS_SCALE, fine, PLAIN_PAIRS_AT);
  quantise(features.angles, 255, fine, ANGLES_AT);
  quantise(features.shares, 255, fine, SHARES_AT);
  return withBackground(fine, { mean: 0, deviation: 1 });
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

function quantise(values: Float32Array, scale: number, out: Uint8Array, at: number): void {
  for (let i = 0; i < values.length; i++) out[at + i] = Math.min(255, Math.round(values[i] * scale));
}
