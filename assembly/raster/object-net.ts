/**
 * A small convolutional network of U shape (Ronneberger et al. 2015) that tells which pixels of a picture are an
 * object; `bench/learn/photos/objects.py` learns it. Sums run in a fixed order, so the same picture gives the same
 * bits.
 *
 * Layers: 3 × 3, each followed by max(0, x); five levels, each half as wide as the one above. On the way up a layer
 * gets the one below, each pixel twice as large, beside the one of its own level from the way down.
 */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import { at, framed, layer, openTable, restOfTable } from './net-layers';

/** Channels of the levels. */
const A: i32 = 8, B: i32 = 16, C: i32 = 40, D: i32 = 80, E: i32 = 128;
/** Channels of the picture: red, green and blue. */
const COLORS: i32 = 3;
/**
 * picture: f32[height][width][3], -1 for none to 1 for all of a color; both sides multiples of 16, at least 64. table:
 * the learned file. out: f32[height][width]: above 0 for pixels of the object, the logarithm of the odds. Returns a
 * status.
 */
export function objectOdds(picture: usize, width: i32, height: i32, table: usize, out: usize): i32 {
  const scratch = mark();
  const status = run(picture, width, height, table, out);
  reset(scratch);
  return status;
}

function run(picture: usize, width: i32, height: i32, table: usize, out: usize): i32 {
  openTable(table);
  const image = framed(width, height, COLORS);
  // On the way up each level is joined with what comes from below, which has the first channels.
  const first = framed(width, height, B + A), second = framed(width / 2, height / 2, C + B);
  const third = framed(width / 4, height / 4, D + C), fourth = framed(width / 8, height / 8, E + D);
  const half = framed(width / 2, height / 2, B), quarter = framed(width / 4, height / 4, C);
  const eighth = framed(width / 8, height / 8, D);
  const low = framed(width / 16, height / 16, E), lower = framed(width / 16, height / 16, E);
  const last = framed(width, height, A);
  const weights = reserve(<u32>(9 * (E + D) * E) << 2);
  if (
    image == 0 || first == 0 || second == 0 || third == 0 || fourth == 0 || half == 0 || quarter == 0 ||
    eighth == 0 || low == 0 || lower == 0 || last == 0 || weights == 0
  ) return OUT_OF_MEMORY;
  const row = <usize>(width * COLORS) << 2;
  for (let y = 0; y < height; y++)
    memory.copy(at(image, width, COLORS, 0, y), picture + <usize>y * row, row);

  layer(image, width, height, COLORS, 0, COLORS, 1, first, B + A, B, A, weights);
  layer(first, width, height, B + A, B, A, 2, half, B, 0, B, weights);
  layer(half, width / 2, height / 2, B, 0, B, 1, second, C + B, C, B, weights);
  layer(second, width / 2, height / 2, C + B, C, B, 2, quarter, C, 0, C, weights);
  layer(quarter, width / 4, height / 4, C, 0, C, 1, third, D + C, D, C, weights);
  layer(third, width / 4, height / 4, D + C, D, C, 2, eighth, D, 0, D, weights);
  layer(eighth, width / 8, height / 8, D, 0, D, 1, fourth, E + D, E, D, weights);
  layer(fourth, width / 8, height / 8, E + D, E, D, 2, low, E, 0, E, weights);
  layer(low, width / 16, height / 16, E, 0, E, 1, lower, E, 0, E, weights);
  layer(lower, width / 16, height / 16, E, 0, E, 1, low, E, 0, E, weights);
  widen(low, width / 16, height / 16, E, fourth, E + D);
  layer(fourth, width / 8, height / 8, E + D, 0, E + D, 1, eighth, D, 0, D, weights);
  widen(eighth, width / 8, height / 8, D, third, D + C);
  layer(third, width / 4, height / 4, D + C, 0, D + C, 1, quarter, C, 0, C, weights);
  widen(quarter, width / 4, height / 4, C, second, C + B);
  layer(second, width / 2, height / 2, C + B, 0, C + B, 1, half, B, 0, B, weights);
  widen(half, width / 2, height / 2, B, first, B + A);
  layer(first, width, height, B + A, 0, B + A, 1, last, A, 0, A, weights);
  weigh(last, width, height, out);
  return DONE;
}

/** Each pixel of the lower level fills two by two of the first channels of the upper one. */
function widen(low: usize, width: i32, height: i32, channels: i32, high: usize, highChannels: i32): void {
  const byteLength = <usize>channels << 2;
  for (let y = 0; y < 2 * height; y++)
    for (let x = 0; x < 2 * width; x++)
      memory.copy(at(high, 2 * width, highChannels, x, y), at(low, width, channels, x >> 1, y >> 1), byteLength);
}

/** The last layer looks at one pixel: a factor, an offset and a weight for each channel. */
function weigh(grid: usize, width: i32, height: i32, out: usize): void {
  const next = restOfTable();
  const factor = load<f32>(next), offset = load<f32>(next, 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = at(grid, width, A, x, y);
      let sum: f32 = offset;
      for (let i = 0; i < A; i++)
        sum += load<f32>(pixel + (<usize>i << 2)) * (<f32>load<i8>(next + 8 + <usize>i) * factor);
      store<f32>(out + (<usize>(y * width + x) << 2), sum);
    }
  }
}
