/** How well the ink of a part lies on that of a page. */
import { distancesAt, distancesOf, heightOf, pointsOf, pointX, pointY, strideOf, widthOf } from './ink-cells';

/** A place of the part on the page: f64 a, b, x, y, from p to (a + ib) p + (x + iy). */
export const PLACE: usize = 32;

/** Points of the page, among which those within the part are found, for one point of the part. */
const PAGE_POINTS: i32 = 3;
/** Points between which is looked whether a bound is out of reach. */
const BETWEEN: i32 = 16;
/** Share that an upper bound of an agreement may be too low by rounding. */
const ROUNDING: f64 = 1e-5;
/** Cells beyond the part in which rounding may move a point. */
const BESIDE: f64 = 0.1;
/** Most places of a grid on the part. */
const MOST_GRID: i32 = 2_048;

/**
 * Some points: u32 count, f32 x and y of their middle, then f32 x of each and, from the next multiple of 16 bytes on,
 * f32 y. Four are read at a time; those behind the last are no numbers, so that they lie nowhere.
 */
const COUNT_BYTES: usize = 16;

/**
 * Two inks between which agreements are measured: the part and the page, then addresses of points of the part, of the
 * page and of a grid on the part, and of f32 distances of the part at the grid. Made by measure().
 */
const PART_AT: usize = 0, PAGE_AT: usize = 4, OWN_AT: usize = 8, OTHERS_AT: usize = 12, GRID_AT: usize = 16;
const GRID_DISTANCES_AT: usize = 20, HEAD: usize = 32;

/** Bytes of so many points. */
export function pointBytes(points: i32): u32 {
  return <u32>COUNT_BYTES + 8 * <u32>((points + 3) & ~3);
}

/** Bytes that measure() fills. */
export function measuringBytes(points: i32): u32 {
  return <u32>HEAD + pointBytes(points) + pointBytes(PAGE_POINTS * points) + pointBytes(MOST_GRID) + 4 * MOST_GRID;
}

/** points: most of the part that are compared. to: measuringBytes(points). */
export function measure(part: usize, page: usize, points: i32, to: usize): void {
  store<usize>(to, part, PART_AT);
  store<usize>(to, page, PAGE_AT);
  const ownAt = to + HEAD, othersAt = ownAt + <usize>pointBytes(points);
  const gridAt = othersAt + <usize>pointBytes(PAGE_POINTS * points), distances = gridAt + <usize>pointBytes(MOST_GRID);
  store<usize>(to, ownAt, OWN_AT);
  store<usize>(to, othersAt, OTHERS_AT);
  store<usize>(to, gridAt, GRID_AT);
  store<usize>(to, distances, GRID_DISTANCES_AT);
  takePoints(part, points, ownAt);
  takePoints(page, PAGE_POINTS * points, othersAt);
  putGrid(part, points, gridAt, distances);
}

/** Some points of an ink, evenly chosen. */
export function takePoints(ink: usize, most: i32, to: usize): void {
  const all = pointsOf(ink), count = min(most, all);
  store<i32>(to, count);
  const below = yOf(count);
  let x: f64 = 0, y: f64 = 0;
  for (let i: i32 = 0; i < (count + 3 & ~3); i++) {
    const at = firstOf(to) + (<usize>i << 2);
    if (i >= count) {
      store<f32>(at, NaN);
      store<f32>(at + below, NaN);
      continue;
    }
    const from = count == all ? i : <i32>(<i64>i * all / count);
    store<f32>(at, <f32>pointX(ink, from));
    store<f32>(at + below, <f32>pointY(ink, from));
    x += pointX(ink, from);
    y += pointY(ink, from);
  }
  store<f32>(to, <f32>(x / <f64>max(1, count)), 4);
  store<f32>(to, <f32>(y / <f64>max(1, count)), 8);
}

/** Where x of the first of some points is, and how far behind it y is. */
// @ts-ignore: decorator
@inline
export function firstOf(points: usize): usize {
  return points + COUNT_BYTES;
}

// @ts-ignore: decorator
@inline
export function yOf(count: i32): usize {
  return <usize>(count + 3 & ~3) << 2;
}

/** Middle of some points; axis: 0 for x, 1 for y. */
// @ts-ignore: decorator
@inline
export function middleOf(points: usize, axis: usize): f64 {
  return <f64>load<f32>(points + (axis << 2), 4);
}

/** Places evenly over the part, and the distances there. */
function putGrid(part: usize, points: i32, to: usize, out: usize): void {
  const width = <f64>widthOf(part), height = <f64>heightOf(part);
  const every = Math.max(1, Math.sqrt((width * height) / <f64>points)), half = every / 2;
  let along: i32 = 0, down: i32 = 0;
  for (let x = half; x < width; x += every) along++;
  for (let y = half; y < height; y += every) down++;
  const count = min(along * down, MOST_GRID), padded = count + 3 & ~3;
  store<i32>(to, count);
  const below = yOf(count);
  for (let i: i32 = 0; i < padded; i++) {
    const at = firstOf(to) + (<usize>i << 2);
    store<f32>(at, i < count ? <f32>(half + every * <f64>(i % along)) : NaN);
    store<f32>(at + below, i < count ? <f32>(half + every * <f64>(i / along)) : NaN);
  }
  const distances = distancesOf(part), stride = strideOf(part);
  const right = f32x4.splat(<f32>width - 1), bottom = f32x4.splat(<f32>height - 1);
  for (let i: i32 = 0; i < padded; i += 4) {
    const at = firstOf(to) + (<usize>i << 2);
    const x = v128.load(at), isPlace = f32x4.eq(x, x);
    const found = distancesAt(distances, stride, right, bottom, x, v128.load(at + below));
    // What is behind the last place is farther than all nearness.
    v128.store(out + (<usize>i << 2), v128.bitselect(found, f32x4.splat(1e9), isPlace));
  }
}

/** 1 on ink, falling to 0 at the distance 1 / √own. */
// @ts-ignore: decorator
@inline
function nearness(distance: v128, own: v128): v128 {
  const rest = f32x4.max(f32x4.sub(f32x4.splat(1), f32x4.mul(f32x4.mul(distance, distance), own)), f32x4.splat(0));
  return f32x4.mul(rest, rest);
}

// @ts-ignore: decorator
@inline
export function sumOf(four: v128): f64 {
  return <f64>f32x4.extract_lane(four, 0) + <f64>f32x4.extract_lane(four, 1) +
    (<f64>f32x4.extract_lane(four, 2) + <f64>f32x4.extract_lane(four, 3));
}

/**
 * Mean nearness of some points of the part to the ink of the page. 0 once it cannot be more than `least`.
 */
function meanOnPage(page: usize, points: usize, laid: usize, near: f64, least: f64): f64 {
  const count = load<i32>(points), from = firstOf(points), below = yOf(count);
  const a = f32x4.splat(<f32>load<f64>(laid)), b = f32x4.splat(<f32>load<f64>(laid, 8));
  const x = f32x4.splat(<f32>load<f64>(laid, 16)), y = f32x4.splat(<f32>load<f64>(laid, 24));
  const distances = distancesOf(page), stride = strideOf(page);
  const right = f32x4.splat(<f32>(widthOf(page) - 1)), bottom = f32x4.splat(<f32>(heightOf(page) - 1));
  const own = f32x4.splat(<f32>(1 / (near * near))), needed = least * <f64>count;
  let sums = f32x4.splat(0), sum: f64 = 0;
  for (let first: i32 = 0; first < count; first += BETWEEN) {
    const end = min(first + BETWEEN, count);
    for (let i = first; i < end; i += 4) {
      const at = from + (<usize>i << 2), u = v128.load(at), v = v128.load(at + below);
      const s = f32x4.add(f32x4.sub(f32x4.mul(a, u), f32x4.mul(b, v)), x);
      const t = f32x4.add(f32x4.add(f32x4.mul(b, u), f32x4.mul(a, v)), y);
      sums = f32x4.add(sums, nearness(distancesAt(distances, stride, right, bottom, s, t), own));
    }
    sum = sumOf(sums);
    if (sum + <f64>(count - end) <= needed) return 0;
  }
  return count == 0 ? 0 : sum / <f64>count;
}

/** Share of the part's points that lie on ink of the page within `near` cells, less for farther ones. */
export function shareOnPage(to: usize, laid: usize, near: f64, least: f64): f64 {
  return meanOnPage(load<usize>(to, PAGE_AT), load<usize>(to, OWN_AT), laid, near, least);
}

/** Share of the page's points within the part that lie on ink of it. */
export function shareOnPart(to: usize, laid: usize, near: f64): f64 {
  const part = load<usize>(to, PART_AT), points = load<usize>(to, OTHERS_AT);
  const count = load<i32>(points), from = firstOf(points), below = yOf(count);
  const square = squareOf(laid), backA = load<f64>(laid) / square, backB = -load<f64>(laid, 8) / square;
  const a = f32x4.splat(<f32>backA), b = f32x4.splat(<f32>backB);
  const x = f32x4.splat(<f32>-(backA * load<f64>(laid, 16) - backB * load<f64>(laid, 24)));
  const y = f32x4.splat(<f32>-(backB * load<f64>(laid, 16) + backA * load<f64>(laid, 24)));
  const distances = distancesOf(part), stride = strideOf(part), zero = f32x4.splat(0);
  const width = f32x4.splat(<f32>widthOf(part)), height = f32x4.splat(<f32>heightOf(part));
  const right = f32x4.splat(<f32>(widthOf(part) - 1)), bottom = f32x4.splat(<f32>(heightOf(part) - 1));
  // Distances are those of the page's cells.
  const own = f32x4.splat(<f32>(square / (near * near)));
  let sums = zero, within = i32x4.splat(0);
  // Points come row by row: those above and below the part are passed over.
  const down = load<f64>(laid, 8) * <f64>widthOf(part), along = load<f64>(laid) * <f64>heightOf(part);
  const top = load<f64>(laid, 24) + Math.min(0, down) + Math.min(0, along) - BESIDE;
  const end = load<f64>(laid, 24) + Math.max(0, down) + Math.max(0, along) + BESIDE;
  for (let i = firstBelow(from + below, count, top) & ~3; i < count; i += 4) {
    const at = from + (<usize>i << 2), u = v128.load(at), v = v128.load(at + below);
    if (<f64>f32x4.extract_lane(v, 0) > end) break;
    const s = f32x4.add(f32x4.sub(f32x4.mul(a, u), f32x4.mul(b, v)), x);
    const t = f32x4.add(f32x4.add(f32x4.mul(b, u), f32x4.mul(a, v)), y);
    const isIn = v128.and(v128.and(f32x4.ge(s, zero), f32x4.ge(t, zero)),
      v128.and(f32x4.lt(s, width), f32x4.lt(t, height)));
    if (!v128.any_true(isIn)) continue;
    within = i32x4.sub(within, isIn);
    sums = f32x4.add(sums, v128.and(nearness(distancesAt(distances, stride, right, bottom, s, t), own), isIn));
  }
  const found = countOf(within);
  return found == 0 ? 0 : sumOf(sums) / <f64>found;
}

/** The first of some rising f32 that is no less than a bound. */
function firstBelow(values: usize, count: i32, bound: f64): i32 {
  let low: i32 = 0, high = count;
  while (low < high) {
    const middle = low + high >> 1;
    if (<f64>load<f32>(values + (<usize>middle << 2)) < bound) low = middle + 1;
    else high = middle;
  }
  return low;
}

// @ts-ignore: decorator
@inline
function countOf(four: v128): i32 {
  return i32x4.extract_lane(four, 0) + i32x4.extract_lane(four, 1) + i32x4.extract_lane(four, 2) +
    i32x4.extract_lane(four, 3);
}

// @ts-ignore: decorator
@inline
function squareOf(laid: usize): f64 {
  return load<f64>(laid) * load<f64>(laid) + load<f64>(laid, 8) * load<f64>(laid, 8);
}

/** Share of the page's points that lie within the part. */
export function shareWithin(to: usize, laid: usize): f64 {
  const part = load<usize>(to, PART_AT), points = load<usize>(to, OTHERS_AT);
  const count = load<i32>(points), from = firstOf(points), below = yOf(count);
  const a = load<f64>(laid), b = load<f64>(laid, 8), square = squareOf(laid);
  let within: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const at = from + (<usize>i << 2);
    const u = <f64>load<f32>(at) - load<f64>(laid, 16), v = <f64>load<f32>(at + below) - load<f64>(laid, 24);
    const s = (a * u + b * v) / square, t = (a * v - b * u) / square;
    if (s >= 0 && t >= 0 && s < <f64>widthOf(part) && t < <f64>heightOf(part)) within++;
  }
  return count == 0 ? 0 : <f64>within / <f64>count;
}

/** The agreement whose shares are known: what lies on ink of the other by chance is taken off. */
export function beyondChance(to: usize, laid: usize, near: f64, onPage: f64, onPart: f64): f64 {
  const grid = load<usize>(to, GRID_AT), distances = load<usize>(to, GRID_DISTANCES_AT), count = load<i32>(grid);
  const chanceOnPage = meanOnPage(load<usize>(to, PAGE_AT), grid, laid, near, -1);
  const own = f32x4.splat(<f32>(squareOf(laid) / (near * near)));
  let sums = f32x4.splat(0);
  for (let i: i32 = 0; i < count; i += 4)
    sums = f32x4.add(sums, nearness(v128.load(distances + (<usize>i << 2)), own));
  return Math.sqrt(beyond(onPage, chanceOnPage) * beyond(onPart, sumOf(sums) / <f64>max(1, count)));
}

// @ts-ignore: decorator
@inline
function beyond(share: f64, chance: f64): f64 {
  return Math.max(0, (share - chance) / (1 - chance + 1e-9));
}

/** The agreement at a place, or 0 where it is no more than `least`, which its shares bound. */
export function agreementAt(to: usize, laid: usize, near: f64, least: f64): f64 {
  const bound = least * least * (1 - ROUNDING);
  const onPage = shareOnPage(to, laid, near, bound);
  if (onPage <= bound) return 0;
  const onPart = shareOnPart(to, laid, near);
  if (onPage * onPart <= bound) return 0;
  return beyondChance(to, laid, near, onPage, onPart);
}
