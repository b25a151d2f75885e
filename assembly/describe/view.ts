/**
 * The descriptor of a shapelet's pictures: its silhouette with holes filled, as bits, and its lines by position and
 * direction.
 *
 * All sums are integers, so that the descriptors of pictures that differ by a quarter turn are exact permutations of
 * each other.
 */
import { mark, reserve, reset } from '../arena';
import { FLOOD_SCRATCH, flood } from '../raster/flood';
import { layAlong } from '../raster/lay-along';
import { DONE, OUT_OF_MEMORY } from '../status';

/** Pixels per side of pictures and of the stored silhouette. */
const SIZE: i32 = 64;
const KEPT: i32 = 32;
/** Cells a side, directions of lines. */
const CELLS: i32 = 8;
const DIRECTIONS: i32 = 8;

/** Bytes of a row: bits of the silhouette, then directions of lines. */
export const SILHOUETTE_BYTES: usize = 128;
export const LINE_BYTES: usize = 512;

/** Directions, 22.5° apart, as exact turns of the first three. */
const C1: f32 = 0.92387953, S1: f32 = 0.38268343, H: f32 = 0.70710678;
/**
 * The weight of a direction is 0 for gradients 22.5° off: |cos| at that angle, and the factor that scales the rest to
 * 1.
 */
const FLOOR: f32 = 0.92387953;
const STRETCH: f32 = 16 / (1 - 0.92387953);
/** Units of the stored values in a vector of length 1. */
const UNIT: f64 = 512;

/**
 * pictures: u8[count][2][64²]: mask and lines. free: u8[count], 1: the longest axis of the shape is laid along the rows
 * first. out: u8[count][640]: bits of the silhouette at 32 × 32, row by row, lowest bit first; then the square roots of
 * how much line of each of 8 directions (0°, 22.5° … of the gradient, x to the right, y downwards) lies in each of 8 ×
 * 8 cells, over the length of the vector of roots, times 512. Returns a status.
 */
export function describeViews(pictures: usize, free: usize, count: i32, out: usize): i32 {
  const scratch = mark();
  const outside = reserve(SIZE * SIZE), reached = reserve(FLOOD_SCRATCH);
  const rows = reserve(SIZE * SIZE * 4), soft = reserve(SIZE * SIZE * 4), sums = reserve(<u32>FRAMED_BYTES);
  const laid = reserve(2 * SIZE * SIZE);
  if (laid == 0 || outside == 0 || reached == 0 || rows == 0 || soft == 0 || sums == 0) return OUT_OF_MEMORY;
  for (let i = 0; i < count; i++) {
    let picture = pictures + <usize>i * 2 * 4096;
    if (load<u8>(free + <usize>i) != 0) {
      layAlong(picture, 2, outside, reached, laid);
      picture = laid;
    }
    const row = out + <usize>i * (SILHOUETTE_BYTES + LINE_BYTES);
    flood(picture, outside, reached);
    keepSilhouette(outside, row);
    blur(picture + 4096, rows, soft);
    sumDirections(soft, sums);
    keepDirections(sums, row + SILHOUETTE_BYTES);
  }
  reset(scratch);
  return DONE;
}

/** A stored pixel is set when two of its four pixels are. */
function keepSilhouette(outside: usize, out: usize): void {
  memory.fill(out, 0, SILHOUETTE_BYTES);
  for (let row = 0; row < KEPT; row++) {
    for (let column = 0; column < KEPT; column++) {
      const at = outside + <usize>(2 * row * SIZE + 2 * column);
      const free = load<u8>(at) + load<u8>(at, 1) + load<u8>(at, SIZE) + load<u8>(at, SIZE + 1);
      if (free > 2) continue;
      const bit = row * KEPT + column;
      const byte = out + <usize>(bit >> 3);
      store<u8>(byte, load<u8>(byte) | (<u8>1 << <u8>(bit & 7)));
    }
  }
}

/** Binomial weights 1 4 6 4 1, along rows, then along columns: i32[64²], 256 times the picture. */
function blur(picture: usize, rows: usize, out: usize): void {
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      let sum = 6 * <i32>load<u8>(picture + <usize>(row * SIZE + column));
      if (column > 0) sum += 4 * <i32>load<u8>(picture + <usize>(row * SIZE + column - 1));
      if (column < SIZE - 1) sum += 4 * <i32>load<u8>(picture + <usize>(row * SIZE + column + 1));
      if (column > 1) sum += <i32>load<u8>(picture + <usize>(row * SIZE + column - 2));
      if (column < SIZE - 2) sum += <i32>load<u8>(picture + <usize>(row * SIZE + column + 2));
      store<i32>(rows + (<usize>(row * SIZE + column) << 2), sum);
    }
  }
  const down: usize = <usize>SIZE << 2;
  for (let row = 0; row < SIZE; row++) {
    for (let column = 0; column < SIZE; column++) {
      const at = rows + (<usize>(row * SIZE + column) << 2);
      let sum = 6 * load<i32>(at);
      if (row > 0) sum += 4 * load<i32>(at - down);
      if (row < SIZE - 1) sum += 4 * load<i32>(at + down);
      if (row > 1) sum += load<i32>(at - 2 * down);
      if (row < SIZE - 2) sum += load<i32>(at + 2 * down);
      store<i32>(out + (<usize>(row * SIZE + column) << 2), sum);
    }
  }
}

/** Sums of cells with a frame of cells that are dropped: i32[10][10][8]. */
const FRAMED: i32 = CELLS + 2;
const FRAMED_BYTES: usize = 4 * <usize>(FRAMED * FRAMED * DIRECTIONS);

/**
 * Adds each pixel's gradient to the four nearest cells and its two nearest directions. sums: i32[10][10][8], rows,
 * columns, directions, of which the outermost cells do not count.
 */
function sumDirections(soft: usize, sums: usize): void {
  memory.fill(sums, 0, FRAMED_BYTES);
  const down: usize = <usize>SIZE << 2;
  for (let row = 1; row < SIZE - 1; row++) {
    for (let first = 1; first < SIZE - 1; first += 4) {
      // Most pictures are empty for the most part.
      const four = soft + (<usize>(row * SIZE + first) << 2);
      const across = i32x4.ne(v128.load(four, 4), v128.load(four - 4));
      const upright = i32x4.ne(v128.load(four + down), v128.load(four - down));
      const changes = i32x4.bitmask(v128.or(across, upright));
      if (changes == 0) continue;
      const end = min(4, SIZE - 1 - first);
      for (let i = 0; i < end; i++) if ((changes & (1 << i)) != 0) addGradient(soft, sums, row, first + i);
    }
  }
}

// @ts-ignore: decorator
@inline
function addGradient(soft: usize, sums: usize, row: i32, column: i32): void {
  const down: usize = <usize>SIZE << 2;
  const at = soft + (<usize>(row * SIZE + column) << 2);
  const dx = load<i32>(at, 4) - load<i32>(at - 4), dy = load<i32>(at + down) - load<i32>(at - down);
  // 65 280 at most; a gradient that fills its cell alone must not pass 31 bits with weights of 16 · 256 and 64 pixels.
  const x = <f32>dx * (1 / 512), y = <f32>dy * (1 / 512);
  const least = FLOOR * sqrt<f32>(x * x + y * y);
  // Twice the distance of the pixel's centre from the centre of the first cell of the frame, in pixels.
  const right = 2 * column + 1 + 8, lower = 2 * row + 1 + 8;
  const weightX = right & 15, weightY = lower & 15;
  const cell = sums + (<usize>(((lower >> 4) * FRAMED + (right >> 4)) * DIRECTIONS) << 2);
  // Only the directions of the gradient's octant have a weight: those at its ends and the one between.
  const isSteep = abs<f32>(y) > abs<f32>(x);
  if ((dx ^ dy) >= 0) {
    if (isSteep) {
      add(cell, 2, x * H + y * H, least, weightX, weightY);
      add(cell, 3, x * S1 + y * C1, least, weightX, weightY);
      add(cell, 4, y, least, weightX, weightY);
    } else {
      add(cell, 0, x, least, weightX, weightY);
      add(cell, 1, x * C1 + y * S1, least, weightX, weightY);
      add(cell, 2, x * H + y * H, least, weightX, weightY);
    }
  } else if (isSteep) {
    add(cell, 4, y, least, weightX, weightY);
    add(cell, 5, y * C1 - x * S1, least, weightX, weightY);
    add(cell, 6, y * H - x * H, least, weightX, weightY);
  } else {
    add(cell, 6, y * H - x * H, least, weightX, weightY);
    add(cell, 7, y * S1 - x * C1, least, weightX, weightY);
    add(cell, 0, x, least, weightX, weightY);
  }
}

/**
 * Adds to a cell and its neighbours to the right and below what a gradient has along a direction. Lengths along
 * directions a quarter apart are sums of the same two products, so that they are equal to the bit.
 */
// @ts-ignore: decorator
@inline
function add(cell: usize, direction: usize, along: f32, least: f32, weightX: i32, weightY: i32): void {
  const over = abs<f32>(along) - least;
  if (over <= 0) return;
  const amount = <i32>nearest<f32>(over * STRETCH);
  const upper = amount * (16 - weightY), lower = amount * weightY;
  const at = cell + (direction << 2);
  const next: usize = <usize>DIRECTIONS << 2, below: usize = <usize>FRAMED * next;
  store<i32>(at, load<i32>(at) + upper * (16 - weightX));
  store<i32>(at + next, load<i32>(at + next) + upper * weightX);
  store<i32>(at + below, load<i32>(at + below) + lower * (16 - weightX));
  store<i32>(at + below + next, load<i32>(at + below + next) + lower * weightX);
}

/** The length of the vector of square roots is the root of the sum. */
function keepDirections(sums: usize, out: usize): void {
  let total: u64 = 0;
  for (let row = 0; row < CELLS; row++) {
    const own = rowOf(sums, row);
    for (let i: usize = 0; i < ROW_VALUES; i++) total += <u64>load<u32>(own + (i << 2));
  }
  const scale = total == 0 ? 0 : UNIT / sqrt<f64>(<f64>total);
  for (let row = 0; row < CELLS; row++) {
    const own = rowOf(sums, row), to = out + <usize>row * ROW_VALUES;
    for (let i: usize = 0; i < ROW_VALUES; i++)
      store<u8>(to + i, <u8>min<f64>(255, nearest<f64>(sqrt<f64>(<f64>load<u32>(own + (i << 2))) * scale)));
  }
}

/** Values of a row of cells. */
const ROW_VALUES: usize = <usize>(CELLS * DIRECTIONS);

/** A row of cells without the frame. */
// @ts-ignore: decorator
@inline
function rowOf(sums: usize, row: i32): usize {
  return sums + (<usize>(((row + 1) * FRAMED + 1) * DIRECTIONS) << 2);
}
