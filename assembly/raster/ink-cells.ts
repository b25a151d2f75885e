/** The ink of a page, prepared so that another one can be laid over it: its cells and the distances to them. */

/** Width and height of an ink at most, cells. */
const MOST_SIDE: u32 = 384;
/** Most cells with ink that are kept, evenly chosen. */
const MOST_POINTS: u32 = 2_000;

/**
 * Distances are whole numbers of twelfths of a cell, by steps to the eight neighbours: 12 across, 17 to the diagonal
 * ones, at most 8 % too long (Borgefors 1986). Beyond 12 cells they count as that.
 */
export const UNIT: f64 = 12;
const STRAIGHT: u8 = 12, DIAGONAL: u8 = 17, MOST: u8 = 144;
export const MOST_DISTANCE: f64 = 12;
/** Cells without ink between two rows and around all of them, so that no neighbour is beyond the picture. */
const GUARD: u32 = 16;

/**
 * A prepared ink: u32 width, height, number of points and bytes from one row of distances to the next; at MOMENTS_AT
 * f64 x, y of the middle of its cells and the mean square distance from it; at BOX_AT u32 left, top, right and bottom
 * of its box; at POINTS_AT u16[2 * points] column and row of cells; then u8[height][stride] distances at
 * DISTANCES_AT, with guards before and behind.
 */
const MOMENTS_AT: usize = 16;
const BOX_AT: usize = 40;
const POINTS_AT: usize = 64;
const GUARDS_AT: usize = POINTS_AT + 4 * <usize>MOST_POINTS;

// @ts-ignore: decorator
@inline
export function widthOf(ink: usize): i32 {
  return load<i32>(ink);
}

// @ts-ignore: decorator
@inline
export function heightOf(ink: usize): i32 {
  return load<i32>(ink, 4);
}

// @ts-ignore: decorator
@inline
export function pointsOf(ink: usize): i32 {
  return load<i32>(ink, 8);
}

/** Middle of a cell with ink. */
// @ts-ignore: decorator
@inline
export function pointX(ink: usize, i: i32): f64 {
  return <f64>load<u16>(ink + (<usize>i << 2), POINTS_AT) + 0.5;
}

// @ts-ignore: decorator
@inline
export function pointY(ink: usize, i: i32): f64 {
  return <f64>load<u16>(ink + (<usize>i << 2), POINTS_AT + 2) + 0.5;
}

/** Bytes from one row of distances to the next. */
// @ts-ignore: decorator
@inline
export function strideOf(ink: usize): usize {
  return <usize>load<u32>(ink, 12);
}

/** Where the distance of the first cell is. */
// @ts-ignore: decorator
@inline
export function distancesOf(ink: usize): usize {
  return ink + GUARDS_AT + <usize>GUARD + strideOf(ink);
}

/** Bytes of a prepared ink of this size. */
export function inkBytes(width: u32, height: u32): u32 {
  return <u32>GUARDS_AT + 2 * GUARD + strideFor(width) * (height + 2);
}

function strideFor(width: u32): u32 {
  return ((width + 15) & ~15) + GUARD;
}

/**
 * Prepares an ink. bits: u8[height][width], 1 where there is ink; a width and height of 1 to 384. out: inkBytes().
 */
export function prepareInk(bits: usize, width: u32, height: u32, out: usize): void {
  const stride = strideFor(width);
  store<u32>(out, width);
  store<u32>(out, height, 4);
  store<u32>(out, stride, 12);
  const distances = out + GUARDS_AT + <usize>GUARD + <usize>stride;
  memory.fill(out + GUARDS_AT, MOST, 2 * <usize>GUARD + <usize>stride * (<usize>height + 2));
  let count: u32 = 0, left: u32 = width, right: u32 = 0, top: u32 = height, bottom: u32 = 0;
  // Sums of halves and their squares are exact.
  let x: f64 = 0, y: f64 = 0, squares: f64 = 0;
  for (let row: u32 = 0; row < height; row++) {
    const from = bits + <usize>(row * width), to = distances + <usize>row * <usize>stride;
    for (let column: u32 = 0; column < width; column++) {
      // Most cells hold no ink.
      if ((column & 7) == 0)
        while (column + 8 <= width && load<u64>(from + <usize>column) == 0) column += 8;
      if (column >= width) break;
      if (load<u8>(from + <usize>column) == 0) continue;
      store<u8>(to + <usize>column, 0);
      const u = <f64>column + 0.5, v = <f64>row + 0.5;
      x += u;
      y += v;
      squares += u * u + v * v;
      left = min(left, column);
      right = max(right, column + 1);
      top = min(top, row);
      bottom = row + 1;
      count++;
    }
  }
  const cells = <f64>max<u32>(1, count);
  store<f64>(out, x / cells, MOMENTS_AT);
  store<f64>(out, y / cells, MOMENTS_AT + 8);
  store<f64>(out, squares / cells, MOMENTS_AT + 16);
  store<u32>(out, left, BOX_AT);
  store<u32>(out, top, BOX_AT + 4);
  store<u32>(out, right, BOX_AT + 8);
  store<u32>(out, bottom, BOX_AT + 12);
  choosePoints(distances, width, height, stride, count, out);
  for (let row: u32 = 0; row < height; row++) {
    const at = distances + <usize>(row * stride);
    stepDown(at, at - <usize>stride, width);
  }
  for (let row = <i32>height - 1; row >= 0; row--) {
    const at = distances + <usize>(<u32>row * stride);
    stepUp(at, at + <usize>stride, width);
  }
}

/** Keeps some of the cells with ink, row by row. */
function choosePoints(distances: usize, width: u32, height: u32, stride: u32, count: u32, out: usize): void {
  const kept = min(count, MOST_POINTS);
  store<u32>(out, kept, 8);
  let number: u32 = 0, found: u32 = 0, next: u32 = 0;
  for (let row: u32 = 0; row < height && found < kept; row++) {
    const from = distances + <usize>(row * stride);
    for (let block: u32 = 0; block < width; block += 16) {
      // No cell beyond the width holds ink.
      let inked = <u32>i8x16.bitmask(i8x16.eq(v128.load(from + <usize>block), i8x16.splat(0)));
      for (; inked != 0; inked &= inked - 1, number++) {
        if (number != next) continue;
        const to = out + (<usize>found << 2);
        store<u16>(to, <u16>(block + <u32>ctz(inked)), POINTS_AT);
        store<u16>(to, <u16>row, POINTS_AT + 2);
        found++;
        next = <u32>(<u64>found * count / kept);
      }
    }
  }
}

/** Lowers the distances of a row by those of the row behind it and, from left to right, its own. */
function stepDown(row: usize, behind: usize, width: u32): void {
  const one = i8x16.splat(STRAIGHT), cross = i8x16.splat(DIAGONAL), none = i8x16.splat(-1);
  const along = i8x16(12, 24, 36, 48, 60, 72, 84, 96, 108, 120, -124, -112, -100, -88, -76, -64);
  let carry = none;
  for (let block: usize = 0; block < <usize>width; block += 16) {
    let least = nearer(row + block, behind + block, one, cross);
    least = i8x16.min_u(least, i8x16.add_sat_u(
      v128.shuffle<i8>(none, least, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30), one));
    least = i8x16.min_u(least, i8x16.add_sat_u(
      v128.shuffle<i8>(none, least, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29), i8x16.splat(24)));
    least = i8x16.min_u(least, i8x16.add_sat_u(
      v128.shuffle<i8>(none, least, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27), i8x16.splat(48)));
    least = i8x16.min_u(least, i8x16.add_sat_u(
      v128.shuffle<i8>(none, least, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23), i8x16.splat(96)));
    least = i8x16.min_u(least, i8x16.add_sat_u(carry, along));
    v128.store(row + block, least);
    carry = v128.shuffle<i8>(least, least, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15);
  }
}

/** The same from right to left. */
function stepUp(row: usize, behind: usize, width: u32): void {
  const one = i8x16.splat(STRAIGHT), cross = i8x16.splat(DIAGONAL), none = i8x16.splat(-1);
  const along = i8x16(-64, -76, -88, -100, -112, -124, 120, 108, 96, 84, 72, 60, 48, 36, 24, 12);
  let carry = none;
  for (let block = <i32>((width - 1) & ~15); block >= 0; block -= 16) {
    const at = row + <usize>block;
    let least = nearer(at, behind + <usize>block, one, cross);
    least = i8x16.min_u(least, i8x16.add_sat_u(
      v128.shuffle<i8>(least, none, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16), one));
    least = i8x16.min_u(least, i8x16.add_sat_u(
      v128.shuffle<i8>(least, none, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17), i8x16.splat(24)));
    least = i8x16.min_u(least, i8x16.add_sat_u(
      v128.shuffle<i8>(least, none, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19), i8x16.splat(48)));
    least = i8x16.min_u(least, i8x16.add_sat_u(
      v128.shuffle<i8>(least, none, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23), i8x16.splat(96)));
    least = i8x16.min_u(least, i8x16.add_sat_u(carry, along));
    v128.store(at, least);
    carry = v128.shuffle<i8>(least, least, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}

/** The distances of 16 cells, or those over their neighbours in the row behind them. */
// @ts-ignore: decorator
@inline
function nearer(row: usize, behind: usize, one: v128, cross: v128): v128 {
  return i8x16.min_u(
    i8x16.min_u(v128.load(row), i8x16.add_sat_u(v128.load(behind), one)),
    i8x16.add_sat_u(i8x16.min_u(v128.load(behind - 1), v128.load(behind + 1)), cross),
  );
}

/** Cells from a place to the nearest ink, between the middles of four cells; the most outside. */
// @ts-ignore: decorator
@inline
export function distanceAt(distances: usize, stride: usize, width: i32, height: i32, x: f64, y: f64): f64 {
  const px = x - 0.5, py = y - 0.5;
  // Written so that a number that is none lies outside.
  if (!(px >= 0 && py >= 0 && px < <f64>(width - 1) && py < <f64>(height - 1))) return MOST_DISTANCE;
  const column = <i32>px, row = <i32>py;
  const at = distances + <usize>row * stride + <usize>column;
  const right = px - <f64>column, down = py - <f64>row;
  const a = <f64>load<u8>(at), b = <f64>load<u8>(at, 1);
  const c = <f64>load<u8>(at + stride), d = <f64>load<u8>(at + stride, 1);
  const above = a + (b - a) * right, below = c + (d - c) * right;
  return (above + (below - above) * down) * (1 / UNIT);
}
