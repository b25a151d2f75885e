import { FINE_BYTES } from '../core/compare.js';
import type { ShapeFeatures } from '../core/shape.js';

/**
 * The fine descriptor: what the finer comparison of two parts reads, one byte a number.
 * u8 hog[2304], images[1536], pairs[480], plainPairs[480], angles[48, 36 used], shares[32, 17 used], then f32[8] little endian:
 * background mean and deviation (see `background.ts`), six spare.
 */
const PAIRS_AT = 2304 + 1536;
const PLAIN_PAIRS_AT = PAIRS_AT + 480;
const ANGLES_AT = PLAIN_PAIRS_AT + 480;
const SHARES_AT = ANGLES_AT + 48;
const NUMBERS_AT = SHARES_AT + 32;

/** Shares of pairs seldom pass 0.12, so their roots are spread over the byte by this; larger ones are cut off. */
const PAIRS_SCALE = 700;

/** How far a part lies from parts in general; see `background.ts`. */
export interface Background {
  readonly mean: number;
  readonly deviation: number;
}

/** u8[FINE_BYTES] from the features; the background is filled in by {@link withBackground}. */
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

function viewOf(fine: Uint8Array): DataView {
  return new DataView(fine.buffer, fine.byteOffset + NUMBERS_AT, 32);
}

function quantise(values: Float32Array, scale: number, out: Uint8Array, at: number): void {
  for (let i = 0; i < values.length; i++) out[at + i] = Math.min(255, Math.round(values[i] * scale));
}
