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
 * Prepares an ink. bits: a bit of each cell, row by row, the lowest first, 1 where there is ink, and bytes up to the
 * next multiple of eight; a width and height of 1 to 384. out: inkBytes().
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
  const all = width * height;
  for (let first: u32 = 0; first < all; first += 64) {
    let word = load<u64>(bits + <usize>(first >> 3));
    if (all - first < 64) word &= (<u64>1 << (all - first)) - 1;
    for (; word != 0; word &= word - 1) {
      const cell = first + <u32>ctz(word), row = cell / width, column = cell - row * width;
      store<u8>(distances + <usize>(row * stride + column), 0);
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
  if (count == 0) left = top = 0;
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

/**
 * An ink of half the size: a cell holds ink where one of four does. bits: as of prepareInk(), and eight readable bytes
 * behind them. out: bits of (width + 1) / 2 by (height + 1) / 2 cells, and eight bytes behind them.
 */
export function halveInk(bits: usize, width: u32, height: u32, out: usize): void {
  const half = width + 1 >> 1;
  memory.fill(out, 0, <usize>(half * (height + 1 >> 1) + 7 >> 3) + 8);
  for (let row: u32 = 0; row < height; row += 2) {
    for (let column: u32 = 0; column < width; column += 32) {
      let cells = bitsAt(bits, row * width + column);
      if (row + 1 < height) cells |= bitsAt(bits, row * width + width + column);
      if (width - column < 32) cells &= (1 << (width - column)) - 1;
      if (cells == 0) continue;
      // Of each two bits one, then side by side.
      cells = (cells | cells >> 1) & 0x55555555;
      cells = (cells | cells >> 1) & 0x33333333;
      cells = (cells | cells >> 2) & 0x0f0f0f0f;
      cells = (cells | cells >> 4) & 0x00ff00ff;
      cells = (cells | cells >> 8) & 0xffff;
      const to = (row >> 1) * half + (column >> 1), at = out + <usize>(to >> 3);
      store<u32>(at, load<u32>(at) | cells << (to & 7));
    }
  }
}

/** 32 bits from one of them on. */
// @ts-ignore: decorator
@inline
function bitsAt(bits: usize, first: u32): u32 {
  return <u32>(load<u64>(bits + <usize>(first >> 3)) >> <u64>(first & 7));
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

/** How fast the last four distances rise: f32[4] to the right, then downwards. */
export const SLOPES_OF_FOUR: usize = memory.data(32, 16);

/**
 * Cells from four places to the nearest ink, between the middles of four cells; the most outside. right, bottom: width
 * and height less 1.
 */
// @ts-ignore: decorator
@inline
export function distancesAt(distances: usize, stride: usize, right: v128, bottom: v128, x: v128, y: v128): v128 {
  return slopingAt(distances, stride, right, bottom, x, y, false);
}

/** The same, whose slopes are at SLOPES_OF_FOUR if they are asked for and any of the four is not the most. */
// @ts-ignore: decorator
@inline
export function slopingAt(
  distances: usize, stride: usize, right: v128, bottom: v128, x: v128, y: v128, hasSlopes: bool,
): v128 {
  const half = f32x4.splat(0.5), zero = f32x4.splat(0);
  const px = f32x4.sub(x, half), py = f32x4.sub(y, half);
  // What is no number lies outside.
  const isIn = v128.and(v128.and(f32x4.ge(px, zero), f32x4.ge(py, zero)),
    v128.and(f32x4.lt(px, right), f32x4.lt(py, bottom)));
  const far = f32x4.splat(<f32>MOST_DISTANCE);
  if (!v128.any_true(isIn)) return far;
  const column = i32x4.trunc_sat_f32x4_s(px), row = i32x4.trunc_sat_f32x4_s(py);
  const across = f32x4.sub(px, f32x4.convert_i32x4_s(column)), down = f32x4.sub(py, f32x4.convert_i32x4_s(row));
  const at = v128.and(i32x4.add(i32x4.mul(row, i32x4.splat(<i32>stride)), column), isIn);
  const a0 = distances + <usize>i32x4.extract_lane(at, 0), a1 = distances + <usize>i32x4.extract_lane(at, 1);
  const a2 = distances + <usize>i32x4.extract_lane(at, 2), a3 = distances + <usize>i32x4.extract_lane(at, 3);
  let above = i32x4.splat(<i32>load<u16>(a0)), below = i32x4.splat(<i32>load<u16>(a0 + stride));
  above = i32x4.replace_lane(above, 1, <i32>load<u16>(a1));
  below = i32x4.replace_lane(below, 1, <i32>load<u16>(a1 + stride));
  above = i32x4.replace_lane(above, 2, <i32>load<u16>(a2));
  below = i32x4.replace_lane(below, 2, <i32>load<u16>(a2 + stride));
  above = i32x4.replace_lane(above, 3, <i32>load<u16>(a3));
  below = i32x4.replace_lane(below, 3, <i32>load<u16>(a3 + stride));
  const low = i32x4.splat(255);
  const a = f32x4.convert_i32x4_s(v128.and(above, low)), b = f32x4.convert_i32x4_s(i32x4.shr_u(above, 8));
  const c = f32x4.convert_i32x4_s(v128.and(below, low)), d = f32x4.convert_i32x4_s(i32x4.shr_u(below, 8));
  const over = f32x4.sub(b, a), under = f32x4.sub(d, c), unit = f32x4.splat(<f32>(1 / UNIT));
  const upper = f32x4.add(a, f32x4.mul(over, across)), lower = f32x4.add(c, f32x4.mul(under, across));
  if (hasSlopes) {
    v128.store(SLOPES_OF_FOUR, f32x4.mul(unit, f32x4.add(over, f32x4.mul(f32x4.sub(under, over), down))));
    v128.store(SLOPES_OF_FOUR, f32x4.mul(unit, f32x4.sub(lower, upper)), 16);
  }
  const found = f32x4.add(upper, f32x4.mul(f32x4.sub(lower, upper), down));
  return v128.bitselect(f32x4.mul(found, unit), far, isIn);
}
