/** How well the ink of a part lies on that of a page. */
import {
  distanceAt, distancesOf, heightOf, pointsOf, pointX, pointY, strideOf, widthOf,
} from './ink-cells';

/** A place of the part on the page: f64 a, b, x, y, from p to (a + ib) p + (x + iy). */
export const PLACE: usize = 32;

/** Points of the page, among which those within the part are found, for one point of the part. */
const PAGE_POINTS: i32 = 3;
/** Points between which is looked whether a bound is out of reach. */
const BETWEEN: i32 = 16;
/** Share that an upper bound of an agreement may be too low by rounding. */
const ROUNDING: f64 = 1e-9;
/** Places of a grid on the part: so many along each side at most. */
export const MOST_GRID: i32 = 2_048;

/**
 * Two inks between which agreements are measured: the part at PART_AT, the page at PAGE_AT; the number of points of
 * each that are compared, those f64 x, y themselves; and f64 distances of the part at the places of a grid. Made by
 * measure(), of measuringBytes(points).
 */
const PART_AT: usize = 0, PAGE_AT: usize = 4, OWN_COUNT: usize = 8, OTHER_COUNT: usize = 12, GRID_COUNT: usize = 16;
const OWN_AT: usize = 20, OTHERS_AT: usize = 24, GRID_AT: usize = 28, EVERY_AT: usize = 32, HEAD: usize = 48;

export function measuringBytes(points: i32): u32 {
  return <u32>HEAD + 16 * <u32>(points + PAGE_POINTS * points) + 8 * <u32>MOST_GRID;
}

/** points: most of the part that are compared. to: measuringBytes(points). */
export function measure(part: usize, page: usize, points: i32, to: usize): void {
  store<usize>(to, part, PART_AT);
  store<usize>(to, page, PAGE_AT);
  const own = min(points, pointsOf(part)), others = min(PAGE_POINTS * points, pointsOf(page));
  store<i32>(to, own, OWN_COUNT);
  store<i32>(to, others, OTHER_COUNT);
  const ownAt = to + HEAD, othersAt = ownAt + 16 * <usize>own, gridAt = othersAt + 16 * <usize>others;
  store<usize>(to, ownAt, OWN_AT);
  store<usize>(to, othersAt, OTHERS_AT);
  store<usize>(to, gridAt, GRID_AT);
  takePoints(part, own, ownAt);
  takePoints(page, others, othersAt);
  const width = widthOf(part), height = heightOf(part);
  const every = Math.max(1, Math.sqrt((<f64>width * <f64>height) / <f64>points));
  store<f64>(to, every, EVERY_AT);
  const distances = distancesOf(part), stride = strideOf(part);
  let count: i32 = 0;
  for (let y = every / 2; y < <f64>height; y += every)
    for (let x = every / 2; x < <f64>width; x += every, count++) {
      if (count < MOST_GRID)
        store<f64>(gridAt + (<usize>count << 3), distanceAt(distances, stride, width, height, x, y));
    }
  store<i32>(to, min(count, MOST_GRID), GRID_COUNT);
}

/** Some points of an ink, evenly chosen. */
export function takePoints(ink: usize, count: i32, to: usize): void {
  const all = pointsOf(ink);
  for (let i: i32 = 0; i < count; i++) {
    const from = count == all ? i : <i32>(<i64>i * all / count);
    store<f64>(to + (<usize>i << 4), pointX(ink, from));
    store<f64>(to + (<usize>i << 4), pointY(ink, from), 8);
  }
}

/** 1 on ink, falling to 0 at the distance `near`; own: 1 / near². */
// @ts-ignore: decorator
@inline
function nearness(distance: f64, own: f64): f64 {
  const rest = 1 - distance * distance * own;
  return rest > 0 ? rest * rest : 0;
}

/**
 * Share of the part's points that lie on ink of the page within a distance of `near` cells, less for farther ones. 0
 * once it cannot be more than `least`.
 */
export function shareOnPage(to: usize, laid: usize, near: f64, least: f64): f64 {
  const page = load<usize>(to, PAGE_AT);
  const count = load<i32>(to, OWN_COUNT), points = load<usize>(to, OWN_AT);
  const a = load<f64>(laid), b = load<f64>(laid, 8), x = load<f64>(laid, 16), y = load<f64>(laid, 24);
  const width = widthOf(page), height = heightOf(page), distances = distancesOf(page), stride = strideOf(page);
  const own = 1 / (near * near), needed = least * <f64>count;
  let sum: f64 = 0;
  for (let first: i32 = 0; first < count; first += BETWEEN) {
    const end = min(first + BETWEEN, count);
    for (let i = first; i < end; i++) {
      const u = load<f64>(points + (<usize>i << 4)), v = load<f64>(points + (<usize>i << 4), 8);
      sum += nearness(distanceAt(distances, stride, width, height, a * u - b * v + x, b * u + a * v + y), own);
    }
    if (sum + <f64>(count - end) <= needed) return 0;
  }
  return sum / <f64>count;
}

/** Share of the page's points within the part that lie on ink of it. */
export function shareOnPart(to: usize, laid: usize, near: f64): f64 {
  const part = load<usize>(to, PART_AT);
  const count = load<i32>(to, OTHER_COUNT), points = load<usize>(to, OTHERS_AT);
  const a = load<f64>(laid), b = load<f64>(laid, 8), square = a * a + b * b;
  const backA = a / square, backB = -b / square;
  const x = -(backA * load<f64>(laid, 16) - backB * load<f64>(laid, 24));
  const y = -(backB * load<f64>(laid, 16) + backA * load<f64>(laid, 24));
  const width = widthOf(part), height = heightOf(part), distances = distancesOf(part), stride = strideOf(part);
  // Distances are those of the page's cells.
  const own = square / (near * near);
  let sum: f64 = 0, within: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const u = load<f64>(points + (<usize>i << 4)), v = load<f64>(points + (<usize>i << 4), 8);
    const s = backA * u - backB * v + x, t = backB * u + backA * v + y;
    if (!(s >= 0 && t >= 0 && s < <f64>width && t < <f64>height)) continue;
    within++;
    sum += nearness(distanceAt(distances, stride, width, height, s, t), own);
  }
  return within == 0 ? 0 : sum / <f64>within;
}

/** Share of the page's points that lie within the part. */
export function shareWithin(to: usize, laid: usize): f64 {
  const part = load<usize>(to, PART_AT);
  const count = load<i32>(to, OTHER_COUNT), points = load<usize>(to, OTHERS_AT);
  const a = load<f64>(laid), b = load<f64>(laid, 8), square = a * a + b * b;
  let within: i32 = 0;
  for (let i: i32 = 0; i < count; i++) {
    const u = load<f64>(points + (<usize>i << 4)) - load<f64>(laid, 16);
    const v = load<f64>(points + (<usize>i << 4), 8) - load<f64>(laid, 24);
    const s = (a * u + b * v) / square, t = (a * v - b * u) / square;
    if (s >= 0 && t >= 0 && s < <f64>widthOf(part) && t < <f64>heightOf(part)) within++;
  }
  return count == 0 ? 0 : <f64>within / <f64>count;
}

/** The agreement whose shares are known: what lies on ink of the other by chance is taken off. */
export function beyondChance(to: usize, laid: usize, near: f64, onPage: f64, onPart: f64): f64 {
  const page = load<usize>(to, PAGE_AT), part = load<usize>(to, PART_AT);
  const a = load<f64>(laid), b = load<f64>(laid, 8), x = load<f64>(laid, 16), y = load<f64>(laid, 24);
  const width = widthOf(page), height = heightOf(page), distances = distancesOf(page), stride = strideOf(page);
  const own = 1 / (near * near), ownOfPart = (a * a + b * b) * own;
  const every = load<f64>(to, EVERY_AT), grid = load<usize>(to, GRID_AT), count = load<i32>(to, GRID_COUNT);
  const partWidth = <f64>widthOf(part);
  let chanceOnPage: f64 = 0, chanceOnPart: f64 = 0;
  let u = every / 2, v = every / 2;
  for (let i: i32 = 0; i < count; i++) {
    chanceOnPage += nearness(distanceAt(distances, stride, width, height, a * u - b * v + x, b * u + a * v + y), own);
    chanceOnPart += nearness(load<f64>(grid + (<usize>i << 3)), ownOfPart);
    u += every;
    if (u >= partWidth) {
      u = every / 2;
      v += every;
    }
  }
  const samples = <f64>max(1, count);
  return Math.sqrt(beyond(onPage, chanceOnPage / samples) * beyond(onPart, chanceOnPart / samples));
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
