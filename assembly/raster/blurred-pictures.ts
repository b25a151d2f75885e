/** Pictures of lines, blurred so that one can be laid over another. */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';

/** Width and height of the pictures, pixels, and the place of their middle. */
export const SIDE: i32 = 64;
const PIXELS: i32 = SIDE * SIDE;
export const MIDDLE: f64 = <f64>(SIDE - 1) / 2;

/** Standard deviations of the blur, pixels: coarse to converge from afar, fine to settle. */
const COARSE_BLUR: f64 = 2.5, FINE_BLUR: f64 = 1;
/** Pixels count if the blurred lines have at least this share of their maximum. */
const LEAST_SHARE: f64 = 0.08;

/**
 * A blurred picture: f64 values[4096]; of each pixel how much more the next one has, f64[4096] in its row and f64[4096]
 * in its column; u32 count at POINTS_AT and from there + 8 the points that count, f64[count][3] x, y and value,
 * positions from the middle. A prepared picture: f64 x, y and spread of its lines, then
 * the values of its coarse and its fine blur, without points.
 */
export const ACROSS_AT: usize = 8 * <usize>PIXELS;
export const DOWN_AT: usize = 16 * <usize>PIXELS;
export const POINTS_AT: usize = 24 * <usize>PIXELS;
export const BLURRED: usize = POINTS_AT + 8 + 24 * <usize>PIXELS;
export const COARSE_AT: usize = 24;
export const FINE_AT: usize = COARSE_AT + 8 * <usize>PIXELS;
/** Bytes of a prepared picture. */
const PREPARED: usize = FINE_AT + 8 * <usize>PIXELS;

/** Weights of a blur. */
const KERNEL: usize = memory.data(8 * 17, 16);

/**
 * Prepares a picture. lines: u8[64²], coverage of each pixel. out: {@link PREPARED} bytes. Returns a status;
 * a picture without lines has a spread of 0.
 */
export function prepareLaid(lines: usize, out: usize): i32 {
  const scratch = mark();
  const across = reserve(8 * PIXELS);
  if (across === 0) return OUT_OF_MEMORY;
  if (moments(lines, out)) {
    blur(lines, COARSE_BLUR, across, out + COARSE_AT);
    blur(lines, FINE_BLUR, across, out + FINE_AT);
  }
  reset(scratch);
  return DONE;
}

/** Centre of the lines relative to the picture's middle, and their root mean square distance from it. False: none. */
function moments(lines: usize, out: usize): bool {
  let sum: f64 = 0, sumX: f64 = 0, sumY: f64 = 0, squares: f64 = 0;
  for (let i: i32 = 0; i < PIXELS; i++) {
    const weight = <f64>load<u8>(lines + i);
    if (weight === 0) continue;
    const x = <f64>(i % SIDE) - MIDDLE, y = <f64>(i / SIDE) - MIDDLE;
    sum += weight;
    sumX += weight * x;
    sumY += weight * y;
    squares += weight * (x * x + y * y);
  }
  store<f64>(out, 0, 16);
  if (sum === 0) return false;
  const x = sumX / sum, y = sumY / sum;
  store<f64>(out, x);
  store<f64>(out, y, 8);
  store<f64>(out, Math.sqrt(Math.max(squares / sum - x * x - y * y, 1)), 16);
  return true;
}

/** Rows, then columns, starting only from pixels with ink: most of a picture is empty. */
function blur(lines: usize, sigma: f64, across: usize, values: usize): void {
  const radius = <i32>Math.ceil(3 * sigma);
  let total: f64 = 0;
  for (let i: i32 = 0; i <= 2 * radius; i++) {
    const z = <f64>(i - radius) / sigma;
    const value = Math.exp(-0.5 * (z * z));
    store<f64>(KERNEL + 8 * <usize>i, value);
    total += value;
  }
  memory.fill(across, 0, 8 * <usize>PIXELS);
  memory.fill(values, 0, 8 * <usize>PIXELS);
  for (let i: i32 = 0; i < PIXELS; i++) {
    const ink = <f64>load<u8>(lines + i);
    if (ink > 0) spread(across, i, i % SIDE, 1, ink / total, radius);
  }
  for (let i: i32 = 0; i < PIXELS; i++) {
    const ink = load<f64>(across + 8 * <usize>i);
    if (ink > 0) spread(values, i, i / SIDE, SIDE, ink / total, radius);
  }
}

/** Spreads ink over the pixels of a row (step 1) or a column around pixel `i`, which is at `at` in it. */
// @ts-ignore: decorator
@inline
function spread(values: usize, i: i32, at: i32, step: i32, ink: f64, radius: i32): void {
  const end = min(radius, SIDE - 1 - at);
  for (let k = max(-radius, -at); k <= end; k++) {
    const to = values + 8 * <usize>(i + k * step);
    store<f64>(to, load<f64>(to) + ink * load<f64>(KERNEL + 8 * <usize>(k + radius)));
  }
}

/** A blur of a prepared picture with its slopes and the points that count. */
export function takePoints(values: usize, blurred: usize): void {
  memory.copy(blurred, values, 8 * <usize>PIXELS);
  // The last column and row are never read.
  for (let i: i32 = 0; i < PIXELS - SIDE; i++) {
    const at = blurred + 8 * <usize>i;
    store<f64>(at, load<f64>(at, 8) - load<f64>(at), ACROSS_AT);
    store<f64>(at, load<f64>(at, 8 * 64) - load<f64>(at), DOWN_AT);
  }
  for (let i: i32 = PIXELS - SIDE; i < PIXELS - 1; i++) {
    const at = blurred + 8 * <usize>i;
    store<f64>(at, load<f64>(at, 8) - load<f64>(at), ACROSS_AT);
  }
  let most: f64 = 0;
  for (let i: i32 = 0; i < PIXELS; i++) most = Math.max(most, load<f64>(values + 8 * <usize>i));
  const least = LEAST_SHARE * most;
  let count: u32 = 0;
  let at = blurred + POINTS_AT + 8;
  for (let i: i32 = 0; i < PIXELS; i++) {
    const value = load<f64>(values + 8 * <usize>i);
    if (value < least) continue;
    store<f64>(at, <f64>(i % SIDE) - MIDDLE);
    store<f64>(at, <f64>(i / SIDE) - MIDDLE, 8);
    store<f64>(at, value, 16);
    at += 24;
    count++;
  }
  store<u32>(blurred + POINTS_AT, count);
}

/** Bilinear interpolation; 0 outside the picture. x, y: relative to its middle. */
// @ts-ignore: decorator
@inline
export function sample(values: usize, x: f64, y: f64): f64 {
  const px = x + MIDDLE, py = y + MIDDLE;
  if (!(px >= 0 && py >= 0 && px < <f64>(SIDE - 1) && py < <f64>(SIDE - 1))) return 0;
  return between(values, px, py);
}

/** The same from the first pixel, where all four pixels around are in the picture. */
// @ts-ignore: decorator
@inline
export function between(values: usize, px: f64, py: f64): f64 {
  const column = <i32>px, row = <i32>py;
  const at = values + 8 * <usize>(row * SIDE + column);
  const right = px - <f64>column, down = py - <f64>row;
  const pair = f64x2.add(
    f64x2.mul(v128.load(at), f64x2.splat(1 - down)), f64x2.mul(v128.load(at, 8 * 64), f64x2.splat(down)),
  );
  return f64x2.extract_lane(pair, 0) * (1 - right) + f64x2.extract_lane(pair, 1) * right;
}
