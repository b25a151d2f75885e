import { inkBoxOf, type GlyphPlace, type InkBox } from '../glyph.js';

/** Side of the square to which glyphs are normalised, pixels. */
const SIDE = 24;
/** Free pixels around the glyph in the square, so that its outer edges have gradients. */
const RIM = 2;
const DIRECTIONS = 8;
const CELLS = 6;
const COARSE = 8;
const GRADIENTS = DIRECTIONS * CELLS * CELLS;
/** Features of the place, the last ones. */
const OF_PLACE = 3;
/** Length of the feature vector: gradients by direction and cell, a coarse picture, proportions and place. */
export const GLYPH_FEATURES = GRADIENTS + COARSE * COARSE + 2 + OF_PLACE;
/** Ink is what is darker than this share of the darkest pixel. */
const INK = 0.25;

/**
 * The features of a glyph for {@link import('./recognise-glyph.js').recogniseGlyph}: directions of its edges in a 6 × 6
 * grid, after normalisation to a square that keeps part of its proportions (Liu and others 2003, "Handwritten digit
 * recognition: benchmarking of state-of-the-art techniques"). Undefined for a picture without ink.
 * @param pixels f32[height × width], row by row: 0 paper, 1 ink.
 */
export function glyphFeatures(
  pixels: Float32Array,
  width: number,
  height: number,
  place?: GlyphPlace,
): Float32Array | undefined {
  const box = inkBoxOf(pixels, width, height, INK);
  if (box === undefined) return undefined;
  const square = blurred(squareOf(pixels, width, box));
  const features = new Float32Array(GLYPH_FEATURES);
  addGradients(features, square);
  let at = GRADIENTS;
  const step = SIDE / COARSE;
  for (let row = 0; row < COARSE; row++) {
    for (let column = 0; column < COARSE; column++) {
      let sum = 0;
      for (let y = 0; y < step; y++)
        for (let x = 0; x < step; x++) sum += square[(row * step + y) * SIDE + column * step + x];
      features[at++] = (0.5 * sum) / (step * step);
    }
  }
  const wide = box.right - box.left,
    high = box.bottom - box.top;
  features[at++] = clamp(Math.log(wide / high) / 2, -1, 1);
  features[at++] = clamp(Math.log(wide / high) * 2, -1, 1);
  return place === undefined ? features : atPlace(features, place);
}

/** Features of a glyph whose place was not known, with its place. */
export function atPlace(features: Float32Array, { height, bottom }: GlyphPlace): Float32Array {
  const placed = features.slice();
  placed.set([1, clamp(height, 0, 2), 2 * clamp(bottom, -1, 1.5)], GLYPH_FEATURES - OF_PLACE);
  return placed;
}

/** Width over height of the glyph that features describe; between 1/7 and 7. */
export function proportionOf(features: Float32Array): number {
  return Math.exp(2 * features[GRADIENTS + COARSE * COARSE]);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** The ink in a square of {@link SIDE}: the longer side fills it, the shorter one is stretched towards it. */
function squareOf(pixels: Float32Array, stride: number, { left, top, right, bottom, darkest }: InkBox): Float32Array {
  const wide = right - left,
    high = bottom - top,
    longer = Math.max(wide, high),
    room = SIDE - 2 * RIM;
  const stretched = (side: number): number => Math.max(2, room * Math.sqrt(Math.sin((Math.PI / 2) * (side / longer))));
  const toX = stretched(wide),
    toY = stretched(high);
  const columns = spreadOf(wide, toX),
    rows = spreadOf(high, toY);
  const square = new Float32Array(SIDE * SIDE);
  const narrow = new Float32Array(SIDE * high);
  for (let y = 0; y < high; y++) {
    const row = (top + y) * stride + left;
    for (let x = 0; x < SIDE; x++) {
      let sum = 0;
      for (let i = columns.starts[x], from = columns.firsts[x]; i < columns.starts[x + 1]; i++, from++)
        sum += columns.weights[i] * pixels[row + from];
      narrow[y * SIDE + x] = sum / darkest;
    }
  }
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      let sum = 0;
      for (let i = rows.starts[y], from = rows.firsts[y]; i < rows.starts[y + 1]; i++, from++)
        sum += rows.weights[i] * narrow[from * SIDE + x];
      square[y * SIDE + x] = sum;
    }
  }
  return square;
}

/** For each pixel of a side of the square: its first source pixel, and the weights of that and those behind it. */
interface Spread {
  readonly firsts: Int32Array;
  /** Where its weights begin; one more for the end. */
  readonly starts: Int32Array;
  readonly weights: readonly number[];
}

/** How `count` pixels are spread over the middle `length` pixels of a side of the square. */
function spreadOf(count: number, length: number): Spread {
  const scale = count / length,
    reach = Math.max(1, scale),
    first = (SIDE - length) / 2;
  const firsts = new Int32Array(SIDE),
    starts = new Int32Array(SIDE + 1);
  const weights: number[] = [];
  for (let i = 0; i < SIDE; i++) {
    const middle = (i + 0.5 - first) * scale - 0.5;
    // Beside the glyph is paper, so weights there need not add up to 1.
    for (let from = Math.ceil(middle - reach); from <= Math.floor(middle + reach); from++) {
      const weight = (1 - Math.abs(from - middle) / reach) / reach;
      if (from < 0 || from >= count || weight <= 0) continue;
      if (weights.length === starts[i]) firsts[i] = from;
      weights.push(weight);
    }
    starts[i + 1] = weights.length;
  }
  return { firsts, starts, weights };
}

function blurred(square: Float32Array): Float32Array {
  const across = new Float32Array(SIDE * SIDE),
    result = new Float32Array(SIDE * SIDE);
  for (let i = 0; i < SIDE * SIDE; i++) {
    const x = i % SIDE;
    across[i] = (2 * square[i] + (x > 0 ? square[i - 1] : 0) + (x < SIDE - 1 ? square[i + 1] : 0)) / 4;
  }
  for (let i = 0; i < SIDE * SIDE; i++)
    result[i] =
      (2 * across[i] + (i >= SIDE ? across[i - SIDE] : 0) + (i < SIDE * (SIDE - 1) ? across[i + SIDE] : 0)) / 4;
  return result;
}

function addGradients(features: Float32Array, square: Float32Array): void {
  const sums = new Float32Array(GRADIENTS);
  for (let y = 1; y < SIDE - 1; y++) {
    for (let x = 1; x < SIDE - 1; x++) {
      const i = y * SIDE + x;
      const gx =
        square[i + 1] -
        square[i - 1] +
        (square[i + 1 - SIDE] - square[i - 1 - SIDE] + square[i + 1 + SIDE] - square[i - 1 + SIDE]) / 2;
      const gy =
        square[i + SIDE] -
        square[i - SIDE] +
        (square[i + SIDE - 1] - square[i - SIDE - 1] + square[i + SIDE + 1] - square[i - SIDE + 1]) / 2;
      const size = Math.hypot(gx, gy);
      if (size < 1e-3) continue;
      const turn = ((Math.atan2(gy, gx) / (2 * Math.PI) + 1) % 1) * DIRECTIONS;
      const lower = Math.floor(turn),
        share = turn - lower;
      const u = ((x + 0.5) / SIDE) * CELLS - 0.5,
        v = ((y + 0.5) / SIDE) * CELLS - 0.5;
      const column = Math.floor(u),
        row = Math.floor(v);
      const before = lower % DIRECTIONS,
        behind = (lower + 1) % DIRECTIONS;
      for (let dx = 0; dx < 2; dx++) {
        if (column + dx < 0 || column + dx >= CELLS) continue;
        const wx = dx === 0 ? 1 - (u - column) : u - column;
        for (let dy = 0; dy < 2; dy++) {
          if (row + dy < 0 || row + dy >= CELLS) continue;
          const wy = dy === 0 ? 1 - (v - row) : v - row;
          const cell = ((row + dy) * CELLS + column + dx) * DIRECTIONS;
          sums[cell + before] += size * wx * wy * (1 - share);
          sums[cell + behind] += size * wx * wy * share;
        }
      }
    }
  }
  let total = 0;
  for (const sum of sums) total += sum;
  // Square roots, so that strong edges do not hide weak ones.
  for (let i = 0; i < GRADIENTS; i++) features[i] = 6 * Math.sqrt(sums[i] / Math.max(total, 1e-6));
}
