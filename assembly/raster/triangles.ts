/**
 * The scan of triangles that all orthographic drawings share: pixel centres, fixed-point edges with the top-left rule,
 * so that neighbours share no pixel and leave no gap.
 */

/** Fixed-point steps in a pixel. */
const SUB: f32 = 256;
const HALF: i32 = 128;

/** Least width in columns at which computing the first column of each row pays off. */
const WIDE: i32 = 8;
/** More columns than an image has: the rest of the row is outside. */
const WHOLE_ROW: i32 = 4096;

/** What a rendering stores of the surface. */
export namespace Keep {
  /**
   * Both ends of the line through a pixel: coordinate and |normal · axis| (f32) there; and the surfaces between (f32).
   */
  export const BOTH_SIDES: i32 = 0;
  /** The near end alone: coordinate and number of the triangle (u32) there. */
  export const NEAREST: i32 = 1;
}

/**
 * Draws a mesh as seen along an axis. Columns cover [-1, 1] of the axis + 1, rows that of the axis + 2 (cyclic); what
 * lies outside is cut off. Of equally near triangles the first is kept. Edge: the type of edge functions, i32 up to 181
 * pixels a side of a mesh in [-1, 1]³, i64 above. keep: a constant of Keep; as the function is inlined, what it rules
 * out costs nothing. near, far: f32[size²]; nearOf, farOf: what Keep says, [size²]; layers: f32[size²]; cleared by the
 * caller, and with Keep.NEAREST only near and nearOf are used. points: from {@link fixPoints} of axis 2 and this size;
 * 0: they are computed of each triangle.
 */
// @ts-ignore: decorator
@inline
export function drawTriangles<Edge>(
  positions: usize, indices: usize, triangleCount: i32, axis: i32, size: i32, keep: i32,
  near: usize, nearOf: usize, far: usize, farOf: usize, layers: usize, points: usize,
): void {
  const w: usize = <usize>axis << 2;
  const u: usize = <usize>((axis + 1) % 3) << 2;
  const v: usize = <usize>((axis + 2) % 3) << 2;
  const scale: f32 = <f32>size * 0.5 * SUB;
  for (let t = 0; t < triangleCount; t++) {
    const i = indices + <usize>t * 12;
    const a = positions + <usize>load<u32>(i) * 12;
    let b = positions + <usize>load<u32>(i, 4) * 12;
    let c = positions + <usize>load<u32>(i, 8) * 12;
    let x0: i32, y0: i32, x1: i32, y1: i32, x2: i32, y2: i32;
    if (points != 0) {
      const p = points + (<usize>load<u32>(i) << 3), q = points + (<usize>load<u32>(i, 4) << 3),
          r = points + (<usize>load<u32>(i, 8) << 3);
      x0 = load<i32>(p); y0 = load<i32>(p, 4);
      x1 = load<i32>(q); y1 = load<i32>(q, 4);
      x2 = load<i32>(r); y2 = load<i32>(r, 4);
    } else {
      x0 = <i32>nearest<f32>((load<f32>(a + u) + 1) * scale); y0 = <i32>nearest<f32>((load<f32>(a + v) + 1) * scale);
      x1 = <i32>nearest<f32>((load<f32>(b + u) + 1) * scale); y1 = <i32>nearest<f32>((load<f32>(b + v) + 1) * scale);
      x2 = <i32>nearest<f32>((load<f32>(c + u) + 1) * scale); y2 = <i32>nearest<f32>((load<f32>(c + v) + 1) * scale);
    }
    let doubled = <Edge>(x1 - x0) * <Edge>(y2 - y0) - <Edge>(y1 - y0) * <Edge>(x2 - x0);
    if (doubled == 0) continue;
    if (doubled < 0) {
      let held = x1; x1 = x2; x2 = held;
      held = y1; y1 = y2; y2 = held;
      const p = b; b = c; c = p;
      doubled = -doubled;
    }
    const columnLow = max<i32>(0, (min(x0, min(x1, x2)) + HALF - 1) >> 8);
    const columnHigh = min<i32>(size - 1, (max(x0, max(x1, x2)) - HALF) >> 8);
    const rowLow = max<i32>(0, (min(y0, min(y1, y2)) + HALF - 1) >> 8);
    const rowHigh = min<i32>(size - 1, (max(y0, max(y1, y2)) - HALF) >> 8);
    if (columnLow > columnHigh || rowLow > rowHigh) continue;

    const aw = load<f32>(a + w), bw = load<f32>(b + w), cw = load<f32>(c + w);
    const facing: f32 = keep == Keep.BOTH_SIDES ? facingOf(a, b, c, u, v, w) : 0;
    const inverse: f32 = 1 / <f32>doubled;
    // Edge functions: e0 belongs to corner a (opposite edge b→c), and so on; a border pixel belongs to top and left
    // edges.
    const e0x = y1 - y2, e0y = x2 - x1;
    const e1x = y2 - y0, e1y = x0 - x2;
    const e2x = y0 - y1, e2y = x1 - x0;
    const bias0 = <Edge>(e0x > 0 || (e0x == 0 && e0y > 0) ? 0 : -1);
    const bias1 = <Edge>(e1x > 0 || (e1x == 0 && e1y > 0) ? 0 : -1);
    const bias2 = <Edge>(e2x > 0 || (e2x == 0 && e2y > 0) ? 0 : -1);
    const isWide = columnHigh - columnLow >= WIDE;
    for (let row = rowLow; row <= rowHigh; row++) {
      const py = (row << 8) + HALF;
      const px = (columnLow << 8) + HALF;
      let e0 = <Edge>(px - x1) * <Edge>e0x + <Edge>(py - y1) * <Edge>e0y;
      let e1 = <Edge>(px - x2) * <Edge>e1x + <Edge>(py - y2) * <Edge>e1y;
      let e2 = <Edge>(px - x0) * <Edge>e2x + <Edge>(py - y0) * <Edge>e2y;
      let column = columnLow;
      if (isWide) {
        // Triangles of large faces are long and thin, so most of their bounding box is outside and is skipped.
        const skip = max(outsideFor<Edge>(e0, e0x), max(outsideFor<Edge>(e1, e1x), outsideFor<Edge>(e2, e2x)));
        column += skip;
        e0 += <Edge>skip * (<Edge>e0x << 8); e1 += <Edge>skip * (<Edge>e1x << 8); e2 += <Edge>skip * (<Edge>e2x << 8);
      }
      let at: usize = <usize>(row * size + column) << 2;
      if (keep == Keep.NEAREST && sizeof<Edge>() == 4) {
        fillRow(<i32>e0, <i32>e1, <i32>e2, e0x, e1x, e2x, <i32>bias0, <i32>bias1, <i32>bias2, aw, bw, cw, inverse,
            columnHigh - column, t, near + at, nearOf + at);
        continue;
      }
      if (keep == Keep.NEAREST && sizeof<Edge>() == 8 && columnHigh - column >= WIDE) {
        const first = firstInside<Edge>(e0 + bias0, e1 + bias1, e2 + bias2, e0x, e1x, e2x, columnHigh - column);
        if (first < 0) continue;
        e0 += <Edge>first * (<Edge>e0x << 8); e1 += <Edge>first * (<Edge>e1x << 8);
        e2 += <Edge>first * (<Edge>e2x << 8);
        const last = min(columnHigh - column - first,
            min(lastInside<Edge>(e0 + bias0, e0x),
            min(lastInside<Edge>(e1 + bias1, e1x), lastInside<Edge>(e2 + bias2, e2x))));
        const depth = (<f64>e0 * <f64>aw + <f64>e1 * <f64>bw + <f64>e2 * <f64>cw) * <f64>inverse;
        const slope = 256 * (<f64>e0x * <f64>aw + <f64>e1x * <f64>bw + <f64>e2x * <f64>cw) * <f64>inverse;
        at += <usize>first << 2;
        fillSpan(depth, slope, last, t, near + at, nearOf + at);
        continue;
      }
      let isInside = false;
      for (; column <= columnHigh; column++) {
        if (((e0 + bias0) | (e1 + bias1) | (e2 + bias2)) >= 0) {
          isInside = true;
          const depth: f32 = (<f32>e0 * aw + <f32>e1 * bw + <f32>e2 * cw) * inverse;
          if (keep == Keep.BOTH_SIDES) {
            if (depth > load<f32>(near + at)) { store<f32>(near + at, depth); store<f32>(nearOf + at, facing); }
            if (depth < load<f32>(far + at)) { store<f32>(far + at, depth); store<f32>(farOf + at, facing); }
            store<f32>(layers + at, load<f32>(layers + at) + 1);
          } else if (depth > load<f32>(near + at)) {
            store<f32>(near + at, depth);
            store<u32>(nearOf + at, t);
          }
        } else if (isInside) {
          break;
        }
        e0 += <Edge>e0x << 8; e1 += <Edge>e1x << 8; e2 += <Edge>e2x << 8;
        at += 4;
      }
    }
  }
}

/** Bytes of a point of {@link fixPoints}. */
export const POINT: usize = 8;

/** Fixed-point column and row of each vertex as seen along z, i32[2 * vertexCount] out; positions: in [-1, 1]³. */
export function fixPoints(positions: usize, vertexCount: u32, size: i32, points: usize): void {
  const end = points + <usize>vertexCount * POINT;
  for (let out = points, at = positions; out < end; out += POINT, at += 12)
    fixPoint(v128.load64_zero(at), size, out);
}

/**
 * Fixed-point column and row of a vertex, from -1 to 1 in the first two lanes. What no triangle uses may lie anywhere.
 */
// @ts-ignore: decorator
@inline
export function fixPoint(vertex: v128, size: i32, out: usize): void {
  const steps = f32x4.mul(f32x4.add(vertex, f32x4.splat(1)), f32x4.splat(<f32>size * 0.5 * SUB));
  v128.store64_lane(out, i32x4.trunc_sat_f32x4_s(f32x4.nearest(steps)), 0);
}

/**
 * The rest of a row of a triangle, four columns at a time, to the same bits as one by one. e…: edge functions at its
 * first column, more: columns after it. Up to 12 bytes after the row are written as they were.
 */
// @ts-ignore: decorator
@inline
function fillRow(
  e0: i32, e1: i32, e2: i32, e0x: i32, e1x: i32, e2x: i32, bias0: i32, bias1: i32, bias2: i32, aw: f32, bw: f32,
      cw: f32, inverse: f32, more: i32,
  triangle: i32, near: usize, nearOf: usize,
): void {
  const lanes = i32x4(0, 1, 2, 3);
  let f0 = i32x4.add(i32x4.splat(e0), i32x4.mul(lanes, i32x4.splat(e0x << 8)));
  let f1 = i32x4.add(i32x4.splat(e1), i32x4.mul(lanes, i32x4.splat(e1x << 8)));
  let f2 = i32x4.add(i32x4.splat(e2), i32x4.mul(lanes, i32x4.splat(e2x << 8)));
  let isInside = false;
  for (; more >= 0; more -= 4, near += 16, nearOf += 16) {
    const signs = v128.or(v128.or(i32x4.add(f0, i32x4.splat(bias0)), i32x4.add(f1, i32x4.splat(bias1))),
        i32x4.add(f2, i32x4.splat(bias2)));
    const covered = v128.andnot(i32x4.le_s(lanes, i32x4.splat(more)), i32x4.lt_s(signs, i32x4.splat(0)));
    if (v128.any_true(covered)) {
      isInside = true;
      const sum = f32x4.add(
        f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(f0), f32x4.splat(aw)),
            f32x4.mul(f32x4.convert_i32x4_s(f1), f32x4.splat(bw))),
        f32x4.mul(f32x4.convert_i32x4_s(f2), f32x4.splat(cw)),
      );
      const depth = f32x4.mul(sum, f32x4.splat(inverse)), held = v128.load(near);
      const nearer = v128.and(covered, f32x4.gt(depth, held));
      v128.store(near, v128.bitselect(depth, held, nearer));
      v128.store(nearOf, v128.bitselect(i32x4.splat(triangle), v128.load(nearOf), nearer));
    } else if (isInside) {
      break;
    }
    f0 = i32x4.add(f0, i32x4.splat(e0x << 10));
    f1 = i32x4.add(f1, i32x4.splat(e1x << 10));
    f2 = i32x4.add(f2, i32x4.splat(e2x << 10));
  }
}

/** Columns until all edge functions are not negative, or -1 when they are not within so many. */
// @ts-ignore: decorator
@inline
function firstInside<Edge>(e0: Edge, e1: Edge, e2: Edge, e0x: i32, e1x: i32, e2x: i32, most: i32): i32 {
  for (let i = 0; i <= most; i++) {
    if ((e0 | e1 | e2) >= 0) return i;
    e0 += <Edge>e0x << 8; e1 += <Edge>e1x << 8; e2 += <Edge>e2x << 8;
  }
  return -1;
}

/** Columns for which an edge function that is not negative stays so, when a column adds 256 × step. */
// @ts-ignore: decorator
@inline
function lastInside<Edge>(edge: Edge, step: i32): i32 {
  return step >= 0 ? WHOLE_ROW : <i32>min<Edge>(edge / (-<Edge>step << 8), WHOLE_ROW);
}

/** A row of a triangle from its first to its last column: depth and what a column adds to it. */
// @ts-ignore: decorator
@inline
function fillSpan(depth: f64, slope: f64, last: i32, triangle: i32, near: usize, nearOf: usize): void {
  const lanes = i32x4(0, 1, 2, 3), step = f32x4.splat(<f32>slope);
  for (let column = 0; column <= last; column += 4, near += 16, nearOf += 16) {
    const depths = f32x4.add(f32x4.splat(<f32>(depth + <f64>column * slope)),
        f32x4.mul(f32x4.convert_i32x4_s(lanes), step)), held = v128.load(near);
    const nearer = v128.and(i32x4.le_s(lanes, i32x4.splat(last - column)), f32x4.gt(depths, held));
    v128.store(near, v128.bitselect(depths, held, nearer));
    v128.store(nearOf, v128.bitselect(i32x4.splat(triangle), v128.load(nearOf), nearer));
  }
}

/** |normal · axis| of a triangle: its area seen along the axis over its area. */
function facingOf(a: usize, b: usize, c: usize, u: usize, v: usize, w: usize): f32 {
  const pu = load<f32>(b + u) - load<f32>(a + u), pv = load<f32>(b + v) - load<f32>(a + v),
      pw = load<f32>(b + w) - load<f32>(a + w);
  const qu = load<f32>(c + u) - load<f32>(a + u), qv = load<f32>(c + v) - load<f32>(a + v),
      qw = load<f32>(c + w) - load<f32>(a + w);
  const nu = pv * qw - pw * qv, nv = pw * qu - pu * qw, nw = pu * qv - pv * qu;
  const length = sqrt<f32>(nu * nu + nv * nv + nw * nw);
  return length > 0 ? abs<f32>(nw) / length : 0;
}

/** Columns for which an edge function stays negative, or one fewer, when a column adds 256 × step. */
// @ts-ignore: decorator
@inline
function outsideFor<Edge>(edge: Edge, step: i32): i32 {
  if (edge >= 0) return 0;
  return step > 0 ? <i32>min<f64>(-<f64>edge / (<f64>step * 256), WHOLE_ROW) : WHOLE_ROW;
}
