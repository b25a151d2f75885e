import { inkBoxOf, type GlyphPlace, type InkBox } from '../glyph.js';

/** Side of the square to which glyphs are normalised, pixels. */
const SIDE = 24;
/** Free pixels around the glyph in the square, so that its outer edges have gradients. */
const RIM = 2;
const DIRECTIONS = 8;
const CELLS = 6;
const COARSE = 8;
const GRADIENTS = DIRECTIONS * CELLS * CELLS;
/** Length of the feature vector: gradients by direction and cell, a coarse picture, proportions and place. */
export const GLYPH_FEATURES = GRADIENTS + COARSE * COARSE + 5;
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
  if (place !== undefined) {
    features[at++] = 1;
    features[at++] = clamp(place.height, 0, 2);
    features[at++] = 2 * clamp(place.bottom, -1, 1.5);
  }
  return features;
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
  const columns = weightsOf(wide, toX),
    rows = weightsOf(high, toY);
  const square = new Float32Array(SIDE * SIDE);
  const narrow = new Float32Array(SIDE * high);
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < SIDE; x++) {
      let sum = 0;
      for (const [from, weight] of columns[x]) sum += weight * pixels[(top + y) * stride + left + from];
      narrow[y * SIDE + x] = sum / darkest;
    }
  }
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      let sum = 0;
      for (const [from, weight] of rows[y]) sum += weight * narrow[from * SIDE + x];
      square[y * SIDE + x] = sum;
    }
  }
  return square;
}

/**
 * For each pixel of the square, the source pixels and their weights, when `count` pixels are spread over its middle
 * `length` pixels.
 */
function weightsOf(count: number, length: number): (readonly (readonly [from: number, weight: number])[])[] {
  const scale = count / length,
    reach = Math.max(1, scale),
    first = (SIDE - length) / 2;
  return Array.from({ length: SIDE }, (_, i) => {
    const middle = (i + 0.5 - first) * scale - 0.5;
    // Beside the glyph is paper, so weights there need not add up to 1.
    const found: [number, number][] = [];
    for (let from = Math.ceil(middle - reach); from <= Math.floor(middle + reach); from++) {
      const weight = (1 - Math.abs(from - middle) / reach) / reach;
      if (from >= 0 && from < count && weight > 0) found.push([from, weight]);
    }
    return found;
  });
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
      for (const [dx, wx] of [
        [0, 1 - (u - column)],
        [1, u - column],
      ]) {
        for (const [dy, wy] of [
          [0, 1 - (v - row)],
          [1, v - row],
        ]) {
          if (column + dx < 0 || column + dx >= CELLS || row + dy < 0 || row + dy >= CELLS) continue;
          const cell = ((row + dy) * CELLS + column + dx) * DIRECTIONS;
          sums[cell + (lower % DIRECTIONS)] += size * wx * wy * (1 - share);
          sums[cell + ((lower + 1) % DIRECTIONS)] += size * wx * wy * share;
        }
      }
    }
  }
  let total = 0;
  for (const sum of sums) total += sum;
  // Square roots, so that strong edges do not hide weak ones.
  for (let i = 0; i < GRADIENTS; i++) features[i] = 6 * Math.sqrt(sums[i] / Math.max(total, 1e-6));
}
