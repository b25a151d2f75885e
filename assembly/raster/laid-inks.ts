/** Lays the ink of a picture over that of a page, from the best of some places. */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';
import {
  agreementAt, beyondChance, firstOf, measure, measuringBytes, middleOf, PLACE, pointBytes, shareOnPage, shareOnPart,
  shareWithin, sumOf, takePoints, yOf,
} from './ink-agreement';
import {
  distancesOf, heightOf, MOST_DISTANCE, SLOPES_OF_FOUR, slopingAt, strideOf, widthOf,
} from './ink-cells';

/** How an agreement is tried and how it is measured: points of the part, and cells at which ink counts nothing. */
const TRIED_POINTS: i32 = 160, MEASURED_POINTS: i32 = 800;
const TRIED_NEAR: f64 = 5, MEASURED_NEAR: f64 = 2;
/** The same where both are of half the size. */
const HALF_NEAR: f64 = 2.5;
/** A small part agrees to this share of its longer side on the page, but to no less than so many cells. */
const NEAR_SHARE: f64 = 0.03, LEAST_NEAR: f64 = 1.2;
/** Starts that are improved, and points of the part for it. */
const IMPROVED: i32 = 2, IMPROVED_POINTS: i32 = 300;
/** Residuals that count a quarter while a fit is improved, cells; one round of steps each. */
const FIRST_REACH: f64 = 4, NEXT_REACH: f64 = 1.5, LAST_REACH: f64 = 0.7;
const STEPS: i32 = 5;
/** A round ends with a step that moves no corner of the part by more, cells. */
const SETTLED: f64 = 0.02;
/** Largest change of the scale from a start. */
const MOST_STRETCH: f64 = 1.25;
/**
 * Agreements between which the best place may be beside what was found, the share of the part's longer side and of its
 * scale within which it is looked for, and how many places are improved.
 */
const UNSURE: f64 = 0.4, SURE: f64 = 0.85;
const AROUND: f64 = 0.05;
const BESIDE: i32 = 125, IMPROVED_AROUND: i32 = 3;
/** Starts are the same if no corner of the part is so many cells apart. */
const APART: f64 = 3;

/** A start: its place, then f64 an upper bound of its agreement, f64 the share behind it; u32 how far it is known. */
const BOUND_AT: usize = 32, SHARE_AT: usize = 40, KNOWN_AT: usize = 48;
const START: usize = 56;
const ON_PAGE: u32 = 0, ON_BOTH: u32 = 1, EXACT: u32 = 2, TAKEN: u32 = 3;

/** The best place so far and its agreement; the starts that were improved. */
const BEST: usize = memory.data(40, 16);
const TRIED: usize = memory.data(5 * 32, 16);
let tried: i32 = 0;
/** Normal equations of a step: f64[4][5]. */
const ROWS: usize = memory.data(160, 16);
const SLOPES: usize = memory.data(32, 16);

/**
 * The largest agreement of a part at some places of a page, or 0 where it is no more than `least`: before any is
 * improved. part, page: prepared inks of half the size. places: f64[count][4]. out: f64. Returns a status.
 */
export function promiseOfInk(part: usize, page: usize, places: usize, count: i32, least: f64, out: usize): i32 {
  const scratch = mark();
  const measuring = reserve(measuringBytes(TRIED_POINTS));
  if (measuring === 0) return OUT_OF_MEMORY;
  measure(part, page, TRIED_POINTS, measuring);
  let best = least;
  for (let i: i32 = 0; i < count; i++)
    best = max(best, agreementAt(measuring, places + PLACE * <usize>i, HALF_NEAR, best));
  store<f64>(out, best > least ? best : 0);
  reset(scratch);
  return DONE;
}

/**
 * Lays a part over a page from some places. sides: f64 least and most longer side of the part on the page, cells. out:
 * f64 a, b, x, y, its agreement, 0 where no place holds, and the share of the page's ink within the part. Returns a
 * status.
 */
export function layInk(
  part: usize, page: usize, places: usize, count: i32, leastSide: f64, mostSide: f64, out: usize,
): i32 {
  const scratch = mark();
  const trying = reserve(measuringBytes(TRIED_POINTS)), measuring = reserve(measuringBytes(MEASURED_POINTS));
  const points = reserve(pointBytes(IMPROVED_POINTS)), starts = reserve(<u32>START * <u32>max(count, BESIDE));
  if (trying === 0 || measuring === 0 || points === 0 || starts === 0) return OUT_OF_MEMORY;
  measure(part, page, TRIED_POINTS, trying);
  measure(part, page, MEASURED_POINTS, measuring);
  takePoints(part, IMPROVED_POINTS, points);
  memory.fill(BEST, 0, 40);
  tried = 0;
  for (let i: i32 = 0; i < count; i++) memory.copy(starts + START * <usize>i, places + PLACE * <usize>i, PLACE);
  improve(part, page, trying, measuring, points, starts, count, IMPROVED);
  // Threads and rows of teeth agree in part where they lie a pitch beside their place.
  const found = load<f64>(BEST, 32);
  if (found > UNSURE && found < SURE) {
    const beside = putAround(part, starts, leastSide, mostSide);
    improve(part, page, trying, measuring, points, starts, beside, IMPROVED_AROUND);
  }
  memory.copy(out, BEST, 40);
  store<f64>(out, load<f64>(BEST, 32) > 0 ? shareWithin(measuring, BEST) : 0, 40);
  reset(scratch);
  return DONE;
}

/** Improves the starts of largest agreement that are not near each other, and keeps the best. */
function improve(
  part: usize, page: usize, trying: usize, measuring: usize, points: usize, starts: usize, count: i32,
  most: i32,
): void {
  for (let i: i32 = 0; i < count; i++) {
    const start = starts + START * <usize>i;
    const onPage = shareOnPage(trying, start, TRIED_NEAR, 0);
    store<f64>(start, Math.sqrt(onPage), BOUND_AT);
    store<f64>(start, onPage, SHARE_AT);
    store<u32>(start, ON_PAGE, KNOWN_AT);
  }
  const side = <f64>max(widthOf(part), heightOf(part));
  const end = tried + most;
  while (tried < end) {
    const start = nextStart(trying, starts, count);
    if (start == 0) break;
    if (isTried(part, start)) continue;
    const laid = TRIED + PLACE * <usize>tried;
    memory.copy(laid, start, PLACE);
    tried++;
    // The start is kept as it is; what becomes of it is at its own place.
    settle(points, page, start, FIRST_REACH, side);
    settle(points, page, start, NEXT_REACH, side);
    settle(points, page, start, LAST_REACH, side);
    const stretch = scaleOf(start) / scaleOf(laid);
    if (!(stretch < MOST_STRETCH && stretch > 1 / MOST_STRETCH)) continue;
    const near = Math.min(MEASURED_NEAR, Math.max(LEAST_NEAR, NEAR_SHARE * scaleOf(start) * side));
    const agreement = agreementAt(measuring, start, near, load<f64>(BEST, 32));
    if (agreement <= load<f64>(BEST, 32)) continue;
    memory.copy(BEST, start, PLACE);
    store<f64>(BEST, agreement, 32);
  }
}

/**
 * The start of largest agreement among those that were not taken yet, the first of equal ones; 0: none is left. Bounds
 * are made narrower only where they are above all that is known exactly.
 */
function nextStart(trying: usize, starts: usize, count: i32): usize {
  while (true) {
    let best: usize = 0;
    for (let i: i32 = 0; i < count; i++) {
      const start = starts + START * <usize>i, known = load<u32>(start, KNOWN_AT);
      if (known == TAKEN) continue;
      const own = load<f64>(start, BOUND_AT);
      // Of equal ones what is not known exactly comes first, since it may be as large and stand before.
      if (best == 0 || own > load<f64>(best, BOUND_AT) ||
          (own == load<f64>(best, BOUND_AT) && known < EXACT && load<u32>(best, KNOWN_AT) == EXACT)) best = start;
    }
    if (best == 0) return 0;
    const known = load<u32>(best, KNOWN_AT), onPage = load<f64>(best, SHARE_AT);
    if (known == EXACT) {
      store<u32>(best, TAKEN, KNOWN_AT);
      return best;
    }
    store<u32>(best, known + 1, KNOWN_AT);
    if (known == ON_PAGE) {
      const onPart = onPage > 0 ? shareOnPart(trying, best, TRIED_NEAR) : 0;
      store<f64>(best, Math.sqrt(onPage * onPart), BOUND_AT);
    } else {
      const onPart = shareOnPart(trying, best, TRIED_NEAR);
      store<f64>(best, onPage * onPart > 0 ? beyondChance(trying, best, TRIED_NEAR, onPage, onPart) : 0, BOUND_AT);
    }
  }
}

/** Whether a start lies near one that was improved. */
function isTried(part: usize, start: usize): bool {
  const width = <f64>widthOf(part), height = <f64>heightOf(part);
  for (let i: i32 = 0; i < tried; i++) {
    const other = TRIED + PLACE * <usize>i;
    const a = load<f64>(start) - load<f64>(other), b = load<f64>(start, 8) - load<f64>(other, 8);
    const x = load<f64>(start, 16) - load<f64>(other, 16), y = load<f64>(start, 24) - load<f64>(other, 24);
    const u = a * width - b * height + x, v = b * width + a * height + y;
    if (x * x + y * y < APART * APART && u * u + v * v < APART * APART) return true;
  }
  return false;
}

// @ts-ignore: decorator
@inline
function scaleOf(laid: usize): f64 {
  return Math.sqrt(load<f64>(laid) * load<f64>(laid) + load<f64>(laid, 8) * load<f64>(laid, 8));
}

/** Places of the part beside the best one: larger and smaller, and moved in all directions. Returns how many. */
function putAround(part: usize, starts: usize, leastSide: f64, mostSide: f64): i32 {
  const x = <f64>widthOf(part) / 2, y = <f64>heightOf(part) / 2, side = <f64>max(widthOf(part), heightOf(part));
  const a = load<f64>(BEST), b = load<f64>(BEST, 8);
  const toX = a * x - b * y + load<f64>(BEST, 16), toY = b * x + a * y + load<f64>(BEST, 24);
  const step = AROUND * side * scaleOf(BEST);
  let count: i32 = 0;
  for (let larger: i32 = -2; larger <= 2; larger++) {
    const zoom = 1 + (<f64>larger / 2) * AROUND;
    const own = zoom * scaleOf(BEST) * side;
    if (own < leastSide || own > mostSide) continue;
    for (let across: i32 = -2; across <= 2; across++)
      for (let down: i32 = -2; down <= 2; down++, count++) {
        const start = starts + START * <usize>count;
        store<f64>(start, zoom * a);
        store<f64>(start, zoom * b, 8);
        store<f64>(start, toX + (<f64>across / 2) * step - zoom * (a * x - b * y), 16);
        store<f64>(start, toY + (<f64>down / 2) * step - zoom * (b * x + a * y), 24);
      }
  }
  return count;
}

/** Takes Gauss-Newton steps until they move the part no more. */
function settle(points: usize, page: usize, laid: usize, reach: f64, side: f64): void {
  for (let i: i32 = 0; i < STEPS; i++) {
    const a = load<f64>(laid), b = load<f64>(laid, 8), x = load<f64>(laid, 16), y = load<f64>(laid, 24);
    step(points, page, laid, reach);
    const moved = Math.sqrt(squared(load<f64>(laid, 16) - x) + squared(load<f64>(laid, 24) - y));
    const turned = Math.sqrt(squared(load<f64>(laid) - a) + squared(load<f64>(laid, 8) - b));
    if (moved + side * turned < SETTLED) break;
  }
}

// @ts-ignore: decorator
@inline
function squared(value: f64): f64 {
  return value * value;
}

/** One Gauss-Newton step on the distances of the points (Fitzgibbon 2003), those beyond `reach` with low weight. */
function step(points: usize, page: usize, laid: usize, reach: f64): void {
  const a = load<f64>(laid), b = load<f64>(laid, 8), middleX = middleOf(points, 0), middleY = middleOf(points, 1);
  addUp(points, page, laid, reach, middleX, middleY);
  if (!solve()) return;
  const toX = a * middleX - b * middleY + load<f64>(laid, 16) + load<f64>(SLOPES, 16);
  const toY = b * middleX + a * middleY + load<f64>(laid, 24) + load<f64>(SLOPES, 24);
  const nextA = a + load<f64>(SLOPES), nextB = b + load<f64>(SLOPES, 8);
  store<f64>(laid, nextA);
  store<f64>(laid, nextB, 8);
  store<f64>(laid, toX - (nextA * middleX - nextB * middleY), 16);
  store<f64>(laid, toY - (nextB * middleX + nextA * middleY), 24);
}

/**
 * Puts the normal equations of a step into ROWS. The scale and the rotation are about the middle of the part, so that
 * they do not move it.
 */
function addUp(points: usize, page: usize, laid: usize, reach: f64, middleX: f64, middleY: f64): void {
  const count = load<i32>(points), from = firstOf(points), below = yOf(count);
  const a = f32x4.splat(<f32>load<f64>(laid)), b = f32x4.splat(<f32>load<f64>(laid, 8));
  const moveX = f32x4.splat(<f32>load<f64>(laid, 16)), moveY = f32x4.splat(<f32>load<f64>(laid, 24));
  const x0 = f32x4.splat(<f32>middleX), y0 = f32x4.splat(<f32>middleY);
  const distances = distancesOf(page), stride = strideOf(page), one = f32x4.splat(1);
  const right = f32x4.splat(<f32>(widthOf(page) - 1)), bottom = f32x4.splat(<f32>(heightOf(page) - 1));
  const narrow = f32x4.splat(<f32>(1 / (reach * reach)));
  let s00 = f32x4.splat(0), s01 = s00, s02 = s00, s03 = s00, s11 = s00, s12 = s00, s13 = s00, s22 = s00, s23 = s00;
  let s33 = s00, r0 = s00, r1 = s00, r2 = s00, r3 = s00;
  for (let i: i32 = 0; i < count; i += 4) {
    const at = from + (<usize>i << 2), u = v128.load(at), v = v128.load(at + below);
    const rest = slopingAt(distances, stride, right, bottom,
      f32x4.add(f32x4.sub(f32x4.mul(a, u), f32x4.mul(b, v)), moveX),
      f32x4.add(f32x4.add(f32x4.mul(b, u), f32x4.mul(a, v)), moveY), true);
    const isNear = f32x4.lt(rest, f32x4.splat(<f32>MOST_DISTANCE));
    if (!v128.any_true(isNear)) continue;
    const slopeX = v128.and(v128.load(SLOPES_OF_FOUR), isNear);
    const slopeY = v128.and(v128.load(SLOPES_OF_FOUR, 16), isNear);
    const x = f32x4.sub(u, x0), y = f32x4.sub(v, y0);
    const k0 = f32x4.add(f32x4.mul(slopeX, x), f32x4.mul(slopeY, y));
    const k1 = f32x4.sub(f32x4.mul(slopeY, x), f32x4.mul(slopeX, y));
    const far = f32x4.add(one, f32x4.mul(f32x4.mul(rest, rest), narrow));
    // What lies nowhere has no weight, and its slopes and its place need be no numbers.
    const weight = v128.and(f32x4.div(one, f32x4.mul(far, far)), isNear);
    const own = v128.and(k0, isNear), other = v128.and(k1, isNear);
    const w0 = f32x4.mul(weight, own), w1 = f32x4.mul(weight, other);
    const w2 = f32x4.mul(weight, slopeX), w3 = f32x4.mul(weight, slopeY);
    s00 = f32x4.add(s00, f32x4.mul(w0, own));
    s01 = f32x4.add(s01, f32x4.mul(w0, other));
    s02 = f32x4.add(s02, f32x4.mul(w0, slopeX));
    s03 = f32x4.add(s03, f32x4.mul(w0, slopeY));
    s11 = f32x4.add(s11, f32x4.mul(w1, other));
    s12 = f32x4.add(s12, f32x4.mul(w1, slopeX));
    s13 = f32x4.add(s13, f32x4.mul(w1, slopeY));
    s22 = f32x4.add(s22, f32x4.mul(w2, slopeX));
    s23 = f32x4.add(s23, f32x4.mul(w2, slopeY));
    s33 = f32x4.add(s33, f32x4.mul(w3, slopeY));
    r0 = f32x4.sub(r0, f32x4.mul(w0, rest));
    r1 = f32x4.sub(r1, f32x4.mul(w1, rest));
    r2 = f32x4.sub(r2, f32x4.mul(w2, rest));
    r3 = f32x4.sub(r3, f32x4.mul(w3, rest));
  }
  const m01 = sumOf(s01), m02 = sumOf(s02), m03 = sumOf(s03), m12 = sumOf(s12), m13 = sumOf(s13), m23 = sumOf(s23);
  putRow(0, sumOf(s00), m01, m02, m03, sumOf(r0));
  putRow(1, m01, sumOf(s11), m12, m13, sumOf(r1));
  putRow(2, m02, m12, sumOf(s22), m23, sumOf(r2));
  putRow(3, m03, m13, m23, sumOf(s33), sumOf(r3));
}

function putRow(row: usize, a: f64, b: f64, c: f64, d: f64, right: f64): void {
  const at = ROWS + 40 * row;
  store<f64>(at, a);
  store<f64>(at, b, 8);
  store<f64>(at, c, 16);
  store<f64>(at, d, 24);
  store<f64>(at, right, 32);
}

/** Gaussian elimination of the damped symmetric equations; false when they are singular. */
function solve(): bool {
  for (let i: usize = 0; i < 4; i++) store<f64>(ROWS + 48 * i, load<f64>(ROWS + 48 * i) * 1.001 + 1e-9);
  for (let i: usize = 0; i < 4; i++)
    for (let row = i + 1; row < 4; row++) {
      const factor = load<f64>(ROWS + 40 * row + 8 * i) / load<f64>(ROWS + 48 * i);
      for (let column = i; column < 5; column++) {
        const at = ROWS + 40 * row + 8 * column;
        store<f64>(at, load<f64>(at) - factor * load<f64>(ROWS + 40 * i + 8 * column));
      }
    }
  let isFinite = true;
  for (let i: i32 = 3; i >= 0; i--) {
    const own = ROWS + 40 * <usize>i;
    let rest = load<f64>(own, 32);
    for (let column = i + 1; column < 4; column++)
      rest -= load<f64>(own + 8 * <usize>column) * load<f64>(SLOPES + 8 * <usize>column);
    const found = rest / load<f64>(own + 8 * <usize>i);
    store<f64>(SLOPES + 8 * <usize>i, found);
    if (!(found - found == 0)) isFinite = false;
  }
  return isFinite;
}
