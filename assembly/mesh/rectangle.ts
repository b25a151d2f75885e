/**
 * Smallest rectangle around points of the plane: convex hull by monotone chain (Andrew 1979), then rotating calipers
 * (Toussaint 1983): one side of the smallest rectangle lies along an edge of the hull (Freeman, Shapira 1975).
 */

/** Bytes of one point: f64[2]. */
export const POINT2: usize = 16;

/** The size of shapes is about 1. Shorter edges have no reliable direction with single-precision coordinates. */
const SHORT: f64 = 1e-7;
/** Largest apparent step back along the hull, where rounding has bent a straight line. */
const SLACK: f64 = 1e-8;

/** Bytes of a run that is sorted by insertion. */
const RUN: usize = 8 * POINT2;

/** The smallest rectangle that the last call found: direction of its first side, and its area. */
export let sideX: f64 = 1;
export let sideY: f64 = 0;
export let rectangleArea: f64 = 0;

/**
 * Finds the smallest rectangle around f64[2 * count], which are sorted. `room` is scratch for f64[2 * (count + 1)]. For
 * points within 1e-7 of each other the rectangle is 0, along x. The size of shapes should be about 1.
 */
export function smallestRectangle(points: usize, count: u32, room: usize): void {
  sideX = 1;
  sideY = 0;
  rectangleArea = 0;
  sort(points, count, room);
  const corners = chain(points, count, room);
  rectangleArea = Infinity;
  let right: u32 = 0, top: u32 = 0, left: u32 = 0;
  let isFirst = true;
  for (let i: u32 = 0; i < corners; i++) {
    const p = room + <usize>i * POINT2, q = room + <usize>(i + 1 == corners ? 0 : i + 1) * POINT2;
    let x = load<f64>(q) - load<f64>(p), y = load<f64>(q, 8) - load<f64>(p, 8);
    const length = Math.sqrt(x * x + y * y);
    // The direction of such a short edge is noise and would misplace the supports.
    if (length < SHORT) continue;
    x /= length;
    y /= length;
    // Each support only ever moves forward as the edge turns: it starts no earlier than the one before it.
    if (isFirst) right = i;
    right = advance(room, corners, right, x, y);
    if (isFirst) top = right;
    top = advance(room, corners, top, -y, x);
    if (isFirst) left = top;
    isFirst = false;
    left = advance(room, corners, left, -x, -y);
    const r = room + <usize>right * POINT2, t = room + <usize>top * POINT2, l = room + <usize>left * POINT2;
    const width = (load<f64>(r) - load<f64>(l)) * x + (load<f64>(r, 8) - load<f64>(l, 8)) * y;
    const height = (load<f64>(t, 8) - load<f64>(p, 8)) * x - (load<f64>(t) - load<f64>(p)) * y;
    const area = width * Math.max(height, 0);
    if (area < rectangleArea) {
      rectangleArea = area;
      sideX = x;
      sideY = y;
    }
  }
  // No edge is long enough: a point.
  if (isFirst) rectangleArea = 0;
}

/**
 * Advances along the hull while that increases the extent in the direction (x, y); steps back within rounding are
 * skipped.
 */
function advance(hull: usize, corners: u32, from: u32, x: f64, y: f64): u32 {
  let here = from, ahead = from;
  let reach = along(hull, here, x, y);
  for (let step: u32 = 0; step < corners; step++) {
    ahead = ahead + 1 == corners ? 0 : ahead + 1;
    const further = along(hull, ahead, x, y);
    if (further < reach - SLACK) break;
    if (further > reach) {
      here = ahead;
      reach = further;
    }
  }
  return here;
}

// @ts-ignore: decorator
@inline function along(hull: usize, corner: u32, x: f64, y: f64): f64 {
  const p = hull + <usize>corner * POINT2;
  return load<f64>(p) * x + load<f64>(p, 8) * y;
}

/**
 * Convex hull of sorted points, counter-clockwise without collinear points, to `hull`; returns its number of corners.
 */
function chain(points: usize, count: u32, hull: usize): u32 {
  let size: u32 = 0;
  for (let i: u32 = 0; i < count; i++) size = push(hull, size, 1, points + <usize>i * POINT2);
  const lower = size;
  for (let i = <i32>count - 2; i >= 0; i--) size = push(hull, size, lower, points + <usize>i * POINT2);
  // The first point came twice.
  return size > 1 ? size - 1 : size;
}

/** Adds a point to the chain and removes the points before it (except the first `keep`) that are no longer corners. */
function push(hull: usize, size: u32, keep: u32, point: usize): u32 {
  const x = load<f64>(point), y = load<f64>(point, 8);
  while (size > keep) {
    const q = hull + <usize>(size - 1) * POINT2, p = q - POINT2;
    const px = load<f64>(p), py = load<f64>(p, 8);
    if ((load<f64>(q) - px) * (y - py) - (load<f64>(q, 8) - py) * (x - px) > 0) break;
    size--;
  }
  const end = hull + <usize>size * POINT2;
  // Equal neighbours would make an edge of no length.
  if (size > 0 && load<f64>(end - POINT2) == x && load<f64>(end - POINT2, 8) == y) return size;
  store<f64>(end, x);
  store<f64>(end, y, 8);
  return size + 1;
}

/** Sorts points by x, then y, with scratch memory of the same size: short runs by insertion, then merging. */
function sort(points: usize, count: u32, room: usize): void {
  const end = points + <usize>count * POINT2;
  for (let run = points; run < end; run += RUN) {
    const runEnd = min(run + RUN, end);
    for (let i = run + POINT2; i < runEnd; i += POINT2) {
      const point = v128.load(i);
      let at = i;
      for (; at > run && isBefore(point, v128.load(at - POINT2)); at -= POINT2) v128.store(at, v128.load(at - POINT2));
      v128.store(at, point);
    }
  }
  const length = end - points;
  let from = points, to = room;
  for (let run: usize = RUN; run < length; run *= 2) {
    for (let start: usize = 0; start < length; start += 2 * run) {
      merge(from + start, from + min(start + run, length), from + min(start + 2 * run, length), to + start);
    }
    const swapped = from;
    from = to;
    to = swapped;
  }
  if (from != points) memory.copy(points, from, length);
}

/** Merges the sorted points from `left` to `right` with those from there to `end`. */
function merge(left: usize, right: usize, end: usize, to: usize): void {
  const middle = right;
  while (left < middle && right < end) {
    const a = v128.load(left), b = v128.load(right);
    if (isBefore(b, a)) {
      v128.store(to, b);
      right += POINT2;
    } else {
      v128.store(to, a);
      left += POINT2;
    }
    to += POINT2;
  }
  memory.copy(to, left, middle - left);
  memory.copy(to + (middle - left), right, end - right);
}

// @ts-ignore: decorator
@inline function isBefore(a: v128, b: v128): bool {
  const ax = f64x2.extract_lane(a, 0), bx = f64x2.extract_lane(b, 0);
  return ax < bx || (ax == bx && f64x2.extract_lane(a, 1) < f64x2.extract_lane(b, 1));
}
