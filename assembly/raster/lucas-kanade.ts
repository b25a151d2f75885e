/**
 * Refines how a blurred picture lies over another: Gauss-Newton steps that reduce the squared differences (Lucas and
 * Kanade 1981) over moves, rotations and scales.
 */
import { ACROSS_AT, DOWN_AT, MIDDLE, POINTS_AT, between, sample } from './blurred-pictures';

/** Beyond this from the middle, slopes are not read between pixels that all have one. */
const LEAST_INNER: f64 = 1 - MIDDLE;

/** Refinement ends with a step that improves by less than this share. */
const SETTLED_GAIN: f64 = 1e-3;
/** Largest scale: both pictures fill their frames, so a larger one cannot be the same view. */
export const MOST_SCALE: f64 = 3;

/** The other direction, and a step that is tried: f64 x, y, rotation and scale. */
const BACK: usize = memory.data(32, 16);
const NEXT: usize = memory.data(32, 16);
/** f64[4][5]: normal equations for x, y, angle and logarithm of the scale. */
const ROWS: usize = memory.data(8 * 20, 16);

/** Of the points of a picture at most so many, evenly chosen: one of each so many. */
// @ts-ignore: decorator
@inline
function every(count: i32, most: i32): i32 {
  return max(1, (count + most - 1) / most);
}

/** Sum of the differences in both directions, so that lines of only one picture count too. */
export function bothDifferences(onto: usize, from: usize, laid: usize, most: i32): f64 {
  const x = load<f64>(laid), y = load<f64>(laid, 8), rotation = load<f64>(laid, 16), scale = load<f64>(laid, 24);
  const cos = Math.cos(rotation) / scale, sin = Math.sin(rotation) / scale;
  store<f64>(BACK, -(cos * x + sin * y));
  store<f64>(BACK, sin * x - cos * y, 8);
  store<f64>(BACK, -rotation, 16);
  store<f64>(BACK, 1 / scale, 24);
  return differenceOf(onto, from, most, laid) + differenceOf(from, onto, most, BACK);
}

/** Mean square of the differences at the points. */
export function differenceOf(onto: usize, from: usize, most: i32, laid: usize): f64 {
  const x = load<f64>(laid), y = load<f64>(laid, 8), scale = load<f64>(laid, 24);
  const cos = scale * Math.cos(load<f64>(laid, 16)), sin = scale * Math.sin(load<f64>(laid, 16));
  const count = <i32>load<u32>(from + POINTS_AT);
  const step = every(count, most);
  const points = from + POINTS_AT + 8;
  let sum: f64 = 0;
  let used: i32 = 0;
  for (let i: i32 = 0; i < count; i += step, used++) {
    const at = points + 24 * <usize>i;
    const pointX = load<f64>(at), pointY = load<f64>(at, 8);
    const dx = cos * pointX - sin * pointY, dy = sin * pointX + cos * pointY;
    const rest = sample(onto, x + dx, y + dy) - load<f64>(at, 16);
    sum += rest * rest;
  }
  return sum / <f64>used;
}

/** Takes Gauss-Newton steps from `laid` as long as they reduce the differences. */
export function improve(onto: usize, from: usize, most: i32, laid: usize, steps: i32): void {
  let least = differenceOf(onto, from, most, laid);
  for (let step: i32 = 0; step < steps; step++) {
    normalEquations(onto, from, most, laid);
    if (!solve()) return;
    const scale = load<f64>(laid, 24) * Math.exp(load<f64>(ROWS + 3 * 40, 32) / load<f64>(ROWS + 3 * 40, 24));
    store<f64>(NEXT, load<f64>(laid) + load<f64>(ROWS, 32) / load<f64>(ROWS));
    store<f64>(NEXT, load<f64>(laid, 8) + load<f64>(ROWS + 40, 32) / load<f64>(ROWS + 40, 8), 8);
    store<f64>(NEXT, load<f64>(laid, 16) + load<f64>(ROWS + 80, 32) / load<f64>(ROWS + 80, 16), 16);
    store<f64>(NEXT, scale, 24);
    if (!(scale < MOST_SCALE && scale > 1 / MOST_SCALE)) return;
    const difference = differenceOf(onto, from, most, NEXT);
    if (!(difference < least)) return;
    const gain = least - difference;
    memory.copy(laid, NEXT, 32);
    least = difference;
    if (gain < SETTLED_GAIN * least) return;
  }
}

function normalEquations(onto: usize, from: usize, most: i32, laid: usize): void {
  const x = load<f64>(laid), y = load<f64>(laid, 8), scale = load<f64>(laid, 24);
  const cos = scale * Math.cos(load<f64>(laid, 16)), sin = scale * Math.sin(load<f64>(laid, 16));
  const count = <i32>load<u32>(from + POINTS_AT);
  const step = every(count, most);
  const points = from + POINTS_AT + 8;
  let xx: f64 = 0, xy: f64 = 0, xa: f64 = 0, xs: f64 = 0, yy: f64 = 0, ya: f64 = 0, ys: f64 = 0, aa: f64 = 0,
    as: f64 = 0, ss: f64 = 0, restX: f64 = 0, restY: f64 = 0, restA: f64 = 0, restS: f64 = 0;
  for (let i: i32 = 0; i < count; i += step) {
    const at = points + 24 * <usize>i;
    const pointX = load<f64>(at), pointY = load<f64>(at, 8);
    const dx = cos * pointX - sin * pointY, dy = sin * pointX + cos * pointY;
    const px = x + dx, py = y + dy;
    let slopeX: f64, slopeY: f64;
    if (px > LEAST_INNER && py > LEAST_INNER && px < -LEAST_INNER && py < -LEAST_INNER) {
      slopeX = between(onto + ACROSS_AT, px + (MIDDLE - 0.5), py + MIDDLE);
      slopeY = between(onto + DOWN_AT, px + MIDDLE, py + (MIDDLE - 0.5));
    } else {
      slopeX = sample(onto, px + 0.5, py) - sample(onto, px - 0.5, py);
      slopeY = sample(onto, px, py + 0.5) - sample(onto, px, py - 0.5);
    }
    // A point beyond all lines says nothing.
    if (slopeX === 0 && slopeY === 0) continue;
    const slopeA = slopeY * dx - slopeX * dy, slopeS = slopeX * dx + slopeY * dy;
    const rest = load<f64>(at, 16) - sample(onto, px, py);
    xx += slopeX * slopeX;
    xy += slopeX * slopeY;
    xa += slopeX * slopeA;
    xs += slopeX * slopeS;
    yy += slopeY * slopeY;
    ya += slopeY * slopeA;
    ys += slopeY * slopeS;
    aa += slopeA * slopeA;
    as += slopeA * slopeS;
    ss += slopeS * slopeS;
    restX += slopeX * rest;
    restY += slopeY * rest;
    restA += slopeA * rest;
    restS += slopeS * rest;
  }
  setRow(0, xx, xy, xa, xs, restX);
  setRow(1, xy, yy, ya, ys, restY);
  setRow(2, xa, ya, aa, as, restA);
  setRow(3, xs, ys, as, ss, restS);
}

function setRow(row: i32, a: f64, b: f64, c: f64, d: f64, e: f64): void {
  const at = ROWS + 40 * <usize>row;
  store<f64>(at, a);
  store<f64>(at, b, 8);
  store<f64>(at, c, 16);
  store<f64>(at, d, 24);
  store<f64>(at, e, 32);
}

// @ts-ignore: decorator
@inline
function cell(row: i32, column: i32): usize {
  return ROWS + 40 * <usize>row + 8 * <usize>column;
}

/** Gaussian elimination with slight damping, to a diagonal; false when the equations are singular. */
function solve(): bool {
  for (let i: i32 = 0; i < 4; i++) store<f64>(cell(i, i), load<f64>(cell(i, i)) * 1.000_001);
  for (let i: i32 = 0; i < 4; i++) {
    let pivot = i;
    for (let row = i + 1; row < 4; row++)
      if (Math.abs(load<f64>(cell(row, i))) > Math.abs(load<f64>(cell(pivot, i)))) pivot = row;
    if (!(Math.abs(load<f64>(cell(pivot, i))) > 1e-9)) return false;
    for (let column: i32 = 0; column < 5; column++) {
      const own = load<f64>(cell(i, column));
      store<f64>(cell(i, column), load<f64>(cell(pivot, column)));
      store<f64>(cell(pivot, column), own);
    }
    for (let row: i32 = 0; row < 4; row++) {
      if (row === i) continue;
      const factor = load<f64>(cell(row, i)) / load<f64>(cell(i, i));
      for (let column = i; column < 5; column++)
        store<f64>(cell(row, column), load<f64>(cell(row, column)) - factor * load<f64>(cell(i, column)));
    }
  }
  return true;
}
