/** Lays pictures of lines over others: how far the lines of a drawing are from those of a model's view. */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';

/** Width and height of the pictures, pixels, and the place of their middle. */
const SIDE: i32 = 64;
const PIXELS: i32 = SIDE * SIDE;
const MIDDLE: f64 = <f64>(SIDE - 1) / 2;
/** Least coverage of a pixel that counts as line. */
const LINE: u8 = 100;

/**
 * Distances, pixels, beyond which lines have nothing to do with each other: in the steps of laying, and when what is
 * left is measured. No distance beyond the first is looked for.
 */
const FIRST_REACH: f64 = 8, NEXT_REACH: f64 = 5;
const FIRST_STEPS: i32 = 2, NEXT_STEPS: i32 = 2;
const MOST_AWAY: f64 = 5;
const FARTHEST: i32 = 8;
/** Squared distance of a pixel without a line within reach. */
const FAR: i32 = 1_000_000_000;
const NO_ROW: i16 = -10_000;
/** In place of the number of lines of a picture that is not prepared yet. */
const UNPREPARED: u32 = 0xffffffff;
/** Weight of points of the model's lines while they are laid: it may have lines that are not drawn. */
const BACK_WEIGHT: f64 = 0.7;
/**
 * How much a change of scale or shear, and a shift, cost in units of the points: what a hand distorts is small, and
 * without this, lines of other shapes are bent to fit (first 86 % -> 80 % at a fifteenth of it).
 */
const STIFFNESS: f64 = 150;
const STILLNESS: f64 = 0.3;

/**
 * A prepared picture: u32 count; u16 points[4096], the pixels that are lines, row by row; of each pixel u16
 * nearest[4096], the number of the nearest line pixel, and f64 distances[4096] to it, NaN until it is asked for: laying
 * looks at few pixels; i16 rows[4096], the row of the nearest line in the column of a pixel.
 */
const POINTS_AT: usize = 64;
const NEAREST_AT: usize = POINTS_AT + 2 * <usize>PIXELS;
const DISTANCES_AT: usize = NEAREST_AT + 2 * <usize>PIXELS;
const ROWS_AT: usize = DISTANCES_AT + 8 * <usize>PIXELS;
const PREPARED: usize = ROWS_AT + 2 * <usize>PIXELS;

/** f64[6] onto x and y: a, b, c with a x + b y + c, from the middle of the pictures; then the way back. */
const LAID: usize = memory.data(48, 16);
const BACK: usize = memory.data(48, 16);
/** Normal equations of an affine map: f64 xx, xy, x, yy, y, 1, then x u, y u, u, x v, y v, v. */
const SUMS: usize = memory.data(96, 16);

/**
 * drawn: u8[drawnCount][64²], model: u8[modelCount][64²], coverage of each pixel by lines, 0 to 255. pairs:
 * u32[pairCount][2], a drawn picture and one of the model's. out: f64[pairCount], what is left between the lines of
 * both after the drawn one was laid over the other: the mean distance from each line to the nearest one of the other,
 * pixels, both ways added, 0 to 10; −1 where one has no lines. The drawn picture may be stretched, sheared and moved a
 * little, as a hand distorts: iterated closest points (Besl, McKay 1992) with weights that fall with the distance.
 * Returns a status.
 */
export function layLines(
  drawn: usize, drawnCount: u32, model: usize, modelCount: u32, pairs: usize, pairCount: u32, out: usize,
): i32 {
  const scratch = mark();
  const prepared = reserve((drawnCount + modelCount) * <u32>PREPARED);
  if (prepared == 0) return OUT_OF_MEMORY;
  for (let i: u32 = 0; i < drawnCount + modelCount; i++) store<u32>(prepared + <usize>i * PREPARED, UNPREPARED);
  const models = prepared + <usize>drawnCount * PREPARED;
  for (let i: u32 = 0; i < pairCount; i++) {
    const at = pairs + (<usize>i << 3);
    const ownAt = <usize>load<u32>(at), otherAt = <usize>load<u32>(at, 4);
    const own = prepared + ownAt * PREPARED, other = models + otherAt * PREPARED;
    if (load<u32>(own) == UNPREPARED) prepare(drawn + ownAt * PIXELS, own);
    if (load<u32>(other) == UNPREPARED) prepare(model + otherAt * PIXELS, other);
    const isEmpty = load<u32>(own) == 0 || load<u32>(other) == 0;
    store<f64>(out + (<usize>i << 3), isEmpty ? -1 : apartAfterLaying(own, other));
  }
  reset(scratch);
  return DONE;
}

function apartAfterLaying(drawn: usize, model: usize): f64 {
  put(LAID, 1, 0, 0, 0, 1, 0);
  for (let i = 0; i < FIRST_STEPS; i++) step(drawn, model, FIRST_REACH);
  for (let i = 0; i < NEXT_STEPS; i++) step(drawn, model, NEXT_REACH);
  putInverse();
  return meanDistance(drawn, model, LAID) + meanDistance(model, drawn, BACK);
}

/** Improves the map: the one that carries each line to the nearest one, weighted least squares. */
function step(drawn: usize, model: usize, reach: f64): void {
  memory.fill(SUMS, 0, 96);
  const count = load<u32>(drawn);
  for (let i: u32 = 0; i < count; i++) {
    const point = <i32>load<u16>(drawn + (<usize>i << 1), POINTS_AT);
    const x = columnOf(point), y = rowOf(point);
    const at = pixelAt(LAID, x, y);
    const weight = weightOf(model, at, reach);
    if (weight > 0) add(x, y, <i32>load<u16>(model + (<usize>at << 1), NEAREST_AT), weight);
  }
  putInverse();
  const modelCount = load<u32>(model);
  for (let i: u32 = 0; i < modelCount; i++) {
    const point = <i32>load<u16>(model + (<usize>i << 1), POINTS_AT);
    const at = pixelAt(BACK, columnOf(point), rowOf(point));
    const weight = BACK_WEIGHT * weightOf(drawn, at, reach);
    if (weight == 0) continue;
    const from = <i32>load<u16>(drawn + (<usize>at << 1), NEAREST_AT);
    add(columnOf(from), rowOf(from), point, weight);
  }
  solve(<f64>count);
}

// @ts-ignore: decorator
@inline
function columnOf(pixel: i32): f64 {
  return <f64>(pixel & (SIDE - 1)) - MIDDLE;
}

// @ts-ignore: decorator
@inline
function rowOf(pixel: i32): f64 {
  return <f64>(pixel >> 6) - MIDDLE;
}

/** 0 outside the picture. */
// @ts-ignore: decorator
@inline
function weightOf(picture: usize, pixel: i32, reach: f64): f64 {
  if (pixel < 0) return 0;
  const share = distanceAt(picture, pixel) / reach;
  return share < 1 ? 1 - share * share : 0;
}

/** Number of the pixel onto which a place is carried; -1 outside the picture. */
// @ts-ignore: decorator
@inline
function pixelAt(map: usize, x: f64, y: f64): i32 {
  const u = floor<f64>(load<f64>(map) * x + load<f64>(map, 8) * y + load<f64>(map, 16) + MIDDLE + 0.5);
  const v = floor<f64>(load<f64>(map, 24) * x + load<f64>(map, 32) * y + load<f64>(map, 40) + MIDDLE + 0.5);
  // Written so that a number that is none lies outside.
  if (!(u >= 0 && v >= 0 && u < <f64>SIDE && v < <f64>SIDE)) return -1;
  return (<i32>v << 6) + <i32>u;
}

function meanDistance(picture: usize, other: usize, map: usize): f64 {
  const count = load<u32>(picture);
  let sum: f64 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const point = <i32>load<u16>(picture + (<usize>i << 1), POINTS_AT);
    const at = pixelAt(map, columnOf(point), rowOf(point));
    sum += at < 0 ? MOST_AWAY : min<f64>(MOST_AWAY, distanceAt(other, at));
  }
  return sum / <f64>count;
}

function put(to: usize, a: f64, b: f64, c: f64, d: f64, e: f64, f: f64): void {
  store<f64>(to, a);
  store<f64>(to, b, 8);
  store<f64>(to, c, 16);
  store<f64>(to, d, 24);
  store<f64>(to, e, 32);
  store<f64>(to, f, 40);
}

function putInverse(): void {
  const a = load<f64>(LAID), b = load<f64>(LAID, 8), c = load<f64>(LAID, 16);
  const d = load<f64>(LAID, 24), e = load<f64>(LAID, 32), f = load<f64>(LAID, 40);
  const det = a * e - b * d;
  put(BACK, e / det, -b / det, (b * f - e * c) / det, -d / det, a / det, (d * c - a * f) / det);
}

/** A point from the middle that should be carried to a pixel. */
// @ts-ignore: decorator
@inline
function add(x: f64, y: f64, pixel: i32, weight: f64): void {
  const u = columnOf(pixel), v = rowOf(pixel);
  const wx = weight * x, wy = weight * y;
  raise(0, wx * x);
  raise(8, wx * y);
  raise(16, wx);
  raise(24, wy * y);
  raise(32, wy);
  raise(40, weight);
  raise(48, wx * u);
  raise(56, wy * u);
  raise(64, weight * u);
  raise(72, wx * v);
  raise(80, wy * v);
  raise(88, weight * v);
}

// @ts-ignore: decorator
@inline
function raise(at: usize, by: f64): void {
  store<f64>(SUMS + at, load<f64>(SUMS + at) + by);
}

/** The map that solves the equations, by Cramer's rule; count: points of the picture that is laid. */
function solve(count: f64): void {
  const stiff = count * STIFFNESS;
  const a = load<f64>(SUMS) + stiff, b = load<f64>(SUMS, 8), c = load<f64>(SUMS, 16);
  const d = load<f64>(SUMS, 24) + stiff, e = load<f64>(SUMS, 32), f = load<f64>(SUMS, 40) + count * STILLNESS;
  const aa = d * f - e * e, ab = c * e - b * f, ac = b * e - c * d;
  const bb = a * f - c * c, bc = b * c - a * e, cc = a * d - b * b;
  const det = a * aa + b * ab + c * ac;
  const u0 = load<f64>(SUMS, 48) + stiff, u1 = load<f64>(SUMS, 56), u2 = load<f64>(SUMS, 64);
  const v0 = load<f64>(SUMS, 72), v1 = load<f64>(SUMS, 80) + stiff, v2 = load<f64>(SUMS, 88);
  put(LAID, (aa * u0 + ab * u1 + ac * u2) / det, (ab * u0 + bb * u1 + bc * u2) / det,
      (ac * u0 + bc * u1 + cc * u2) / det, (aa * v0 + ab * v1 + ac * v2) / det, (ab * v0 + bb * v1 + bc * v2) / det,
      (ac * v0 + bc * v1 + cc * v2) / det);
}

/** Finds the lines of a picture, and the nearest one of each pixel along its column. */
function prepare(picture: usize, to: usize): void {
  let count: usize = 0;
  for (let i = 0; i < PIXELS; i++) {
    if (load<u8>(picture + <usize>i) < LINE) continue;
    store<u16>(to + (count << 1), <u16>i, POINTS_AT);
    count++;
  }
  store<u32>(to, <u32>count);
  if (count == 0) return;
  // All bits set are no number.
  memory.fill(to + DISTANCES_AT, 0xff, 8 * <usize>PIXELS);
  const line = i16x8.splat(<i16>LINE);
  for (let x: usize = 0; x < <usize>SIDE; x += 8) {
    let last = i16x8.splat(NO_ROW);
    for (let y = 0; y < SIDE; y++) {
      const at = (<usize>y << 6) + x;
      const isLine = i16x8.ge_s(v128.load_ext<u8>(picture + at), line);
      last = v128.bitselect(i16x8.splat(<i16>y), last, isLine);
      v128.store(to + (at << 1), last, ROWS_AT);
    }
    last = i16x8.splat(NO_ROW);
    for (let y = SIDE - 1; y >= 0; y--) {
      const at = (<usize>y << 6) + x, row = i16x8.splat(<i16>y);
      const isLine = i16x8.ge_s(v128.load_ext<u8>(picture + at), line);
      last = v128.bitselect(row, last, isLine);
      const above = v128.load(to + (at << 1), ROWS_AT);
      const isNearer = i16x8.lt_s(i16x8.abs(i16x8.sub(last, row)), i16x8.abs(i16x8.sub(row, above)));
      v128.store(to + (at << 1), v128.bitselect(last, above, isNearer), ROWS_AT);
    }
  }
}

/** The distance of a pixel to the nearest line; its number is there from then on. */
// @ts-ignore: decorator
@inline
function distanceAt(picture: usize, pixel: i32): f64 {
  const distance = load<f64>(picture + (<usize>pixel << 3), DISTANCES_AT);
  return distance == distance ? distance : findNearest(picture, pixel);
}

/** Finds the line nearest to a pixel among those nearest along the columns, and keeps it. */
function findNearest(picture: usize, pixel: i32): f64 {
  const x = pixel & (SIDE - 1), y = pixel >> 6;
  const row = picture + (<usize>y << 7) + ROWS_AT;
  let least = FAR, found = 0;
  for (let away = 0; away <= FARTHEST && away * away < least; away++) {
    const left = x - away, right = x + away, across = away * away;
    if (left >= 0) {
      const down = <i32>load<i16>(row + (<usize>left << 1)) - y, square = across + down * down;
      if (square < least) {
        least = square;
        found = left;
      }
    }
    if (right < SIDE) {
      const down = <i32>load<i16>(row + (<usize>right << 1)) - y, square = across + down * down;
      if (square < least) {
        least = square;
        found = right;
      }
    }
  }
  // Without a line in any column within reach the row is none; its distance keeps it from being used.
  const nearest = (max(0, <i32>load<i16>(row + (<usize>found << 1))) << 6) + found;
  const distance = sqrt<f64>(<f64>least);
  store<u16>(picture + (<usize>pixel << 1), <u16>nearest, NEAREST_AT);
  store<f64>(picture + (<usize>pixel << 3), distance, DISTANCES_AT);
  return distance;
}
