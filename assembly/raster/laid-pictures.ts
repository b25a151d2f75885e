/** Lays a picture of lines over another: the similarity transform with the least squared differences. */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';

/** Width and height of the pictures, pixels, and the place of their middle. */
const SIDE: i32 = 64;
const PIXELS: i32 = SIDE * SIDE;
const MIDDLE: f64 = <f64>(SIDE - 1) / 2;

/** Beyond this from the middle, slopes are not read between pixels that all have one. */
const LEAST_INNER: f64 = 1 - MIDDLE;

/** Standard deviations of the blur, pixels: coarse to converge from afar, fine to settle. */
const COARSE_BLUR: f64 = 2.5, FINE_BLUR: f64 = 1;
/**
 * Number of tried rotations; of the best ones and the quarter turns that are refined coarsely; and of the best that are
 * refined finely.
 */
const TURNS: i32 = 72;
const IMPROVED: i32 = 4, QUARTERS: i32 = 4, SETTLED: i32 = 2;
const COARSE_STEPS: i32 = 8, FINE_STEPS: i32 = 12;
/** Most points compared when rotations are tried, refined coarsely and refined finely. */
const TRIED_POINTS: i32 = 256, COARSE_POINTS: i32 = 500, FINE_POINTS: i32 = 1_500;
/** Refinement ends with a step that improves by less than this share. */
const SETTLED_GAIN: f64 = 1e-3;
/** Pixels count if the blurred lines have at least this share of their maximum. */
const LEAST_SHARE: f64 = 0.08;
/** Largest scale: both pictures fill their frames, so a larger one cannot be the same view. */
const MOST_SCALE: f64 = 3;

/**
 * A blurred picture: f64 values[4096]; of each pixel how much more the next one has, f64[4096] in its row and f64[4096]
 * in its column; u32 count at POINTS_AT and from there + 8 the points that count, f64[count][3] x, y and value,
 * positions from the middle. A prepared picture: f64 x, y and spread of its lines, then
 * the values of its coarse and its fine blur, without points.
 */
const ACROSS_AT: usize = 8 * <usize>PIXELS;
const DOWN_AT: usize = 16 * <usize>PIXELS;
const POINTS_AT: usize = 24 * <usize>PIXELS;
const BLURRED: usize = POINTS_AT + 8 + 24 * <usize>PIXELS;
const COARSE_AT: usize = 24;
const FINE_AT: usize = COARSE_AT + 8 * <usize>PIXELS;
/** Bytes of a prepared picture. */
const PREPARED: usize = FINE_AT + 8 * <usize>PIXELS;

/** A laid picture: f64 x, y, rotation, scale and difference. */
const LAID: usize = 40;
const TRIED: usize = memory.data(72 * 40, 16);
const STARTS: usize = memory.data(8 * 40, 16);
const KERNEL: usize = memory.data(8 * 17, 16);
/** f64[4][5]: normal equations for x, y, angle and logarithm of the scale. */
const ROWS: usize = memory.data(8 * 20, 16);

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

/**
 * Lays one prepared picture over another, both with lines. out: f64 x, y, rotation and scale: rotated and scaled about
 * its middle, then moved; pixels, x to the right, y downwards; the rotation is positive from x to y, −π to π.
 * Rotations are tried about the centres of the lines, the best ones refined by Gauss-Newton steps on blurred pictures
 * (Lucas and Kanade 1981). Copies are laid to a few hundredths of a pixel. Returns a status.
 */
export function layPicture(onto: usize, from: usize, out: usize): i32 {
  const scratch = mark();
  const blurred = reserve(4 * <u32>BLURRED);
  if (blurred === 0) return OUT_OF_MEMORY;
  const coarseOnto = blurred, coarseFrom = blurred + BLURRED, fineOnto = coarseFrom + BLURRED,
    fineFrom = fineOnto + BLURRED;
  takePoints(onto + COARSE_AT, coarseOnto);
  takePoints(from + COARSE_AT, coarseFrom);
  takePoints(onto + FINE_AT, fineOnto);
  takePoints(from + FINE_AT, fineFrom);

  const starts = chooseStarts(onto, from, coarseOnto, coarseFrom);
  for (let i: i32 = 0; i < starts; i++) {
    const laid = STARTS + LAID * <usize>i;
    improve(coarseOnto, coarseFrom, COARSE_POINTS, laid, COARSE_STEPS);
    store<f64>(laid, bothDifferences(coarseOnto, coarseFrom, laid, COARSE_POINTS), 32);
  }
  let best: usize = 0;
  let least: f64 = Infinity;
  for (let k: i32 = 0; k < SETTLED; k++) {
    const laid = bestOf(STARTS, starts);
    if (best === 0) best = laid;
    // Not chosen again.
    store<f64>(laid, Infinity, 32);
    memory.copy(TRIED + LAID * <usize>k, laid, LAID);
    const own = TRIED + LAID * <usize>k;
    improve(fineOnto, fineFrom, FINE_POINTS, own, FINE_STEPS);
    // Among equally good rotations a later one wins only by more than rounding, so that the result is the same on every
    // machine.
    const difference = bothDifferences(fineOnto, fineFrom, own, FINE_POINTS);
    if (difference < least * (1 - 1e-6)) {
      best = own;
      least = difference;
    }
  }
  memory.copy(out, best, 32);
  const angle = load<f64>(best, 16);
  store<f64>(out, Math.atan2(Math.sin(angle), Math.cos(angle)), 16);
  reset(scratch);
  return DONE;
}

/** Where refinement begins: the best rotations, then quarter turns in the frame. Returns how many. */
function chooseStarts(onto: usize, from: usize, coarseOnto: usize, coarseFrom: usize): i32 {
  const scale = Math.min(MOST_SCALE, Math.max(1 / MOST_SCALE, load<f64>(onto, 16) / load<f64>(from, 16)));
  const fromX = load<f64>(from), fromY = load<f64>(from, 8);
  for (let i: i32 = 0; i < TURNS; i++) {
    const rotation = (2 * Math.PI * <f64>i) / <f64>TURNS;
    const cos = scale * Math.cos(rotation), sin = scale * Math.sin(rotation);
    const laid = TRIED + LAID * <usize>i;
    store<f64>(laid, load<f64>(onto) - (cos * fromX - sin * fromY));
    store<f64>(laid, load<f64>(onto, 8) - (sin * fromX + cos * fromY), 8);
    store<f64>(laid, rotation, 16);
    store<f64>(laid, scale, 24);
    store<f64>(laid, differenceOf(coarseOnto, coarseFrom, TRIED_POINTS, laid), 32);
  }
  let count: i32 = 0;
  for (; count < IMPROVED; count++) {
    let best: usize = 0;
    for (let i: i32 = 0; i < TURNS; i++) {
      const own = load<f64>(TRIED + LAID * <usize>i, 32);
      if (isTaken(i, count) || own > differenceAt(i - 1) || own > differenceAt(i + 1)) continue;
      if (best === 0 || own < load<f64>(best, 32)) best = TRIED + LAID * <usize>i;
    }
    if (best === 0) break;
    memory.copy(STARTS + LAID * <usize>count, best, LAID);
  }
  // Similar views with some different lines fill their frames equally, while the centres of their lines differ.
  for (let quarter: i32 = 0; quarter < QUARTERS; quarter++, count++) {
    const laid = STARTS + LAID * <usize>count;
    store<f64>(laid, 0);
    store<f64>(laid, 0, 8);
    store<f64>(laid, (<f64>quarter * Math.PI) / 2, 16);
    store<f64>(laid, 1, 24);
  }
  return count;
}

/** Whether a tried rotation is among the first starts. */
function isTaken(turn: i32, starts: i32): bool {
  const rotation = load<f64>(TRIED + LAID * <usize>turn, 16);
  for (let i: i32 = 0; i < starts; i++) if (load<f64>(STARTS + LAID * <usize>i, 16) === rotation) return true;
  return false;
}

// @ts-ignore: decorator
@inline
function differenceAt(turn: i32): f64 {
  return load<f64>(TRIED + LAID * <usize>((turn + TURNS) % TURNS), 32);
}

/** The first of those with the least difference. */
function bestOf(laid: usize, count: i32): usize {
  let best = laid;
  for (let i: i32 = 1; i < count; i++)
    if (load<f64>(laid + LAID * <usize>i, 32) < load<f64>(best, 32)) best = laid + LAID * <usize>i;
  return best;
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

/** Values with their slopes and the points that count. */
function takePoints(values: usize, blurred: usize): void {
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

/** Of the points of a picture at most so many, evenly chosen: one of each so many. */
// @ts-ignore: decorator
@inline
function every(count: i32, most: i32): i32 {
  return max(1, (count + most - 1) / most);
}

/** Sum of the differences in both directions, so that lines of only one picture count too. */
function bothDifferences(onto: usize, from: usize, laid: usize, most: i32): f64 {
  const x = load<f64>(laid), y = load<f64>(laid, 8), rotation = load<f64>(laid, 16), scale = load<f64>(laid, 24);
  const cos = Math.cos(rotation) / scale, sin = Math.sin(rotation) / scale;
  const back = KERNEL; // Not needed any more.
  store<f64>(back, -(cos * x + sin * y));
  store<f64>(back, sin * x - cos * y, 8);
  store<f64>(back, -rotation, 16);
  store<f64>(back, 1 / scale, 24);
  return differenceOf(onto, from, most, laid) + differenceOf(from, onto, most, back);
}

/** Mean square of the differences at the points. */
function differenceOf(onto: usize, from: usize, most: i32, laid: usize): f64 {
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
function improve(onto: usize, from: usize, most: i32, laid: usize, steps: i32): void {
  let least = differenceOf(onto, from, most, laid);
  const next = KERNEL;
  for (let step: i32 = 0; step < steps; step++) {
    normalEquations(onto, from, most, laid);
    if (!solve()) return;
    const scale = load<f64>(laid, 24) * Math.exp(load<f64>(ROWS + 3 * 40, 32) / load<f64>(ROWS + 3 * 40, 24));
    store<f64>(next, load<f64>(laid) + load<f64>(ROWS, 32) / load<f64>(ROWS));
    store<f64>(next, load<f64>(laid, 8) + load<f64>(ROWS + 40, 32) / load<f64>(ROWS + 40, 8), 8);
    store<f64>(next, load<f64>(laid, 16) + load<f64>(ROWS + 80, 32) / load<f64>(ROWS + 80, 16), 16);
    store<f64>(next, scale, 24);
    if (!(scale < MOST_SCALE && scale > 1 / MOST_SCALE)) return;
    const difference = differenceOf(onto, from, most, next);
    if (!(difference < least)) return;
    const gain = least - difference;
    memory.copy(laid, next, 32);
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

/** Bilinear interpolation; 0 outside the picture. x, y: relative to its middle. */
// @ts-ignore: decorator
@inline
function sample(values: usize, x: f64, y: f64): f64 {
  const px = x + MIDDLE, py = y + MIDDLE;
  if (!(px >= 0 && py >= 0 && px < <f64>(SIDE - 1) && py < <f64>(SIDE - 1))) return 0;
  return between(values, px, py);
}

/** The same from the first pixel, where all four pixels around are in the picture. */
// @ts-ignore: decorator
@inline
function between(values: usize, px: f64, py: f64): f64 {
  const column = <i32>px, row = <i32>py;
  const at = values + 8 * <usize>(row * SIDE + column);
  const right = px - <f64>column, down = py - <f64>row;
  const pair = f64x2.add(
    f64x2.mul(v128.load(at), f64x2.splat(1 - down)), f64x2.mul(v128.load(at, 8 * 64), f64x2.splat(down)),
  );
  return f64x2.extract_lane(pair, 0) * (1 - right) + f64x2.extract_lane(pair, 1) * right;
}
