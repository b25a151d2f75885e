import type { FittedSurface } from './fitted-surface.js';
import { across, cross, frameOf, lengthOf, minus, plus, scaled, unit, type Vector } from './vector.js';

/**
 * The part of a surface that a face covers, on a grid over its bounds. Coordinates u, v by kind: of planes and free
 * faces mm along `x` and `axis × x` from the origin; of cylinders, cones and tori the angle about the axis from `x`,
 * rad; then mm along the axis, and of tori the angle in the tube, 0 farthest from the axis. Of spheres the angle from
 * the axis, times cosine and sine of the angle about it.
 */
export interface FaceRegion {
  /** Unit vector across the axis: where u is 0. */
  readonly x: Vector;
  readonly from: readonly [u: number, v: number];
  readonly to: readonly [u: number, v: number];
  /** Bits of the cells of {@link GRID} × GRID whose middles are covered, row by row from `from`; u32[2]. */
  readonly cells: readonly [number, number];
}

/** Cells along each side of the grid. */
export const GRID = 8;
/** A gap between vertices about an axis that is wider than this is a gap of the face, rad. */
const GAP = 0.6;
const TURN = 2 * Math.PI;

/**
 * The region that triangles cover of the surface on which their vertices lie.
 * @param points the distinct vertices, f64[3 * n], mm. @param corners of each triangle its three vertices.
 */
export function regionOf(surface: FittedSurface, points: Float64Array, corners: Uint32Array): FaceRegion {
  const x = directionOf(surface, points);
  const frame = [x, cross(surface.axis, x)] as const;
  const turns = turnsOf(surface);
  const from: [number, number] = [0, 0],
    to: [number, number] = [0, 0];
  const ofPoints = allCoordinates(surface, frame, points);
  for (const k of [0, 1]) {
    const values = new Float64Array(points.length / 3);
    for (let i = 0; i < values.length; i++) values[i] = ofPoints[2 * i + k];
    [from[k], to[k]] = turns[k] ? arcOf(values) : spread(values);
  }
  return { x, from, to, cells: cellsOf({ from, to, turns }, ofPoints, corners) };
}

/** u, v of points one after another, f64[2 * n]. */
function allCoordinates(
  { kind, axis: [ax, ay, az], origin: [ox, oy, oz], radiusMm }: FittedSurface,
  [[xx, xy, xz], [yx, yy, yz]]: readonly [Vector, Vector],
  points: Float64Array,
): Float64Array {
  const coordinates = new Float64Array((2 * points.length) / 3);
  for (let at = 0, to = 0; at < points.length; at += 3) {
    const dx = points[at] - ox,
      dy = points[at + 1] - oy,
      dz = points[at + 2] - oz;
    let u = dx * xx + dy * xy + dz * xz,
      v = dx * yx + dy * yy + dz * yz;
    if (kind !== 'plane' && kind !== 'free') {
      const along = dx * ax + dy * ay + dz * az,
        out = Math.sqrt(u * u + v * v);
      if (kind === 'sphere') {
        const angle = Math.atan2(out, along);
        [u, v] = out > 0 ? [(angle * u) / out, (angle * v) / out] : [0, angle];
      } else {
        u = Math.atan2(v, u);
        v = kind === 'torus' ? Math.atan2(along, out - radiusMm) : along;
      }
    }
    coordinates[to++] = u;
    coordinates[to++] = v;
  }
  return coordinates;
}

/** Lowest and highest value; Math.min of a long array would overflow the stack. */
function spread(values: Float64Array): [number, number] {
  let low = Infinity,
    high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** Whether a region covers a point of its surface; near the rim of the grid's cells it does when a neighbour does. */
export function covers(surface: FittedSurface, { x, from, to, cells }: FaceRegion, point: Vector): boolean {
  const { kind, axis, origin } = surface;
  const dx = point[0] - origin[0],
    dy = point[1] - origin[1],
    dz = point[2] - origin[2];
  // Along x and axis × x. Numbers only: this is called for every point of every pose.
  const a = dx * x[0] + dy * x[1] + dz * x[2],
    b =
      dx * (axis[1] * x[2] - axis[2] * x[1]) +
      dy * (axis[2] * x[0] - axis[0] * x[2]) +
      dz * (axis[0] * x[1] - axis[1] * x[0]);
  let u = a,
    v = b;
  if (kind !== 'plane' && kind !== 'free') {
    const along = dx * axis[0] + dy * axis[1] + dz * axis[2],
      out = Math.sqrt(a * a + b * b);
    if (kind === 'sphere') {
      const angle = Math.atan2(out, along);
      u = out > 0 ? (angle * a) / out : 0;
      v = out > 0 ? (angle * b) / out : angle;
    } else {
      u = Math.atan2(b, a);
      v = kind === 'torus' ? Math.atan2(along, out - surface.radiusMm) : along;
    }
  }
  const isRound = kind === 'cylinder' || kind === 'cone' || kind === 'torus';
  const column = cellAt(u, from[0], to[0], isRound),
    row = cellAt(v, from[1], to[1], kind === 'torus');
  if (Number.isNaN(column) || Number.isNaN(row)) return false;
  return (
    isSet(cells, clamped(column - 0.45), clamped(row - 0.45)) ||
    isSet(cells, clamped(column - 0.45), clamped(row + 0.45)) ||
    isSet(cells, clamped(column + 0.45), clamped(row - 0.45)) ||
    isSet(cells, clamped(column + 0.45), clamped(row + 0.45))
  );
}

/** The place of a coordinate in cells from the first; NaN outside. */
function cellAt(value: number, from: number, to: number, turns: boolean): number {
  const slack = 0.25 * ((to - from) / GRID) + 1e-9;
  let at = value;
  if (turns) {
    while (at < from - slack) at += TURN;
    while (at > to + slack) at -= TURN;
  }
  if (!(at >= from - slack && at <= to + slack)) return Number.NaN;
  return to > from ? ((at - from) / (to - from)) * GRID : 0;
}

/** Points of a face, spread over it: the middles of its inner cells, of all its cells if none is inside; at most 64. */
export function pointsOf(surface: FittedSurface, { x, from, to, cells }: FaceRegion): Vector[] {
  const frame = [x, cross(surface.axis, x)] as const;
  const inner = innerCells(cells);
  const some = inner.count >= LEAST_INNER ? inner.cells : cells;
  const points: Vector[] = [];
  for (let cell = 0; cell < GRID * GRID; cell++) {
    if (((some[cell >> 5] >>> (cell & 31)) & 1) === 0) continue;
    const u = from[0] + (((cell % GRID) + 0.5) / GRID) * (to[0] - from[0]),
      v = from[1] + (((cell >> 3) + 0.5) / GRID) * (to[1] - from[1]);
    points.push(pointAt(surface, frame, [u, v]));
  }
  return points;
}

/** Fewest inner cells that stand for a face. */
const LEAST_INNER = 4;

/** The cells all four of whose neighbours are covered too, and how many they are. */
function innerCells(cells: readonly [number, number]): { readonly cells: [number, number]; readonly count: number } {
  const inner: [number, number] = [0, 0];
  let count = 0;
  for (let v = 1; v < GRID - 1; v++)
    for (let u = 1; u < GRID - 1; u++) {
      const isInner =
        isSet(cells, u, v) &&
        isSet(cells, u - 1, v) &&
        isSet(cells, u + 1, v) &&
        isSet(cells, u, v - 1) &&
        isSet(cells, u, v + 1);
      if (!isInner) continue;
      inner[(v * GRID + u) >> 5] |= 1 << ((v * GRID + u) & 31);
      count++;
    }
  return { cells: inner, count };
}

/** The point of a surface with coordinates u, v. */
export function pointAt(
  { kind, axis, origin, radiusMm, second }: FittedSurface,
  [x, y]: readonly [Vector, Vector],
  [u, v]: readonly [number, number],
): Vector {
  if (kind === 'plane' || kind === 'free') return plus(plus(origin, x, u), y, v);
  if (kind === 'sphere') {
    const angle = Math.sqrt(u * u + v * v);
    const out = angle > 0 ? scaled(plus(scaled(x, u), y, v), Math.sin(angle) / angle) : ([0, 0, 0] as const);
    return plus(origin, plus(out, axis, Math.cos(angle)), radiusMm);
  }
  const out = plus(scaled(x, Math.cos(u)), y, Math.sin(u));
  if (kind === 'cylinder') return plus(plus(origin, out, radiusMm), axis, v);
  if (kind === 'cone') return plus(plus(origin, out, v * Math.tan(second)), axis, v);
  return plus(plus(origin, out, radiusMm + second * Math.cos(v)), axis, second * Math.sin(v));
}

/** Which coordinates are angles that come round again. */
function turnsOf({ kind }: FittedSurface): readonly [boolean, boolean] {
  return [kind === 'cylinder' || kind === 'cone' || kind === 'torus', kind === 'torus'];
}

/** Across the axis; of planes along their longest extent, of others towards the middle of the face. */
function directionOf({ kind, axis, origin }: FittedSurface, points: Float64Array): Vector {
  if (kind === 'plane' || kind === 'free') return longSide(axis, points);
  if (kind === 'sphere') return frameOf(axis)[0];
  let sx = 0,
    sy = 0,
    sz = 0;
  const count = points.length / 3;
  for (let at = 0; at < points.length; at += 3) {
    sx += points[at];
    sy += points[at + 1];
    sz += points[at + 2];
  }
  const middle = scaled([sx, sy, sz], 1 / count);
  const x = across(minus(middle, origin), axis);
  const first = across(minus([points[0], points[1], points[2]], origin), axis);
  if (lengthOf(x) > 1e-3 * lengthOf(first)) return unit(x);
  return lengthOf(first) > 0 ? unit(first) : frameOf(axis)[0];
}

/**
 * The longer side of the smallest rectangle around points, seen along an axis: one side lies on an edge of their hull.
 */
function longSide(axis: Vector, points: Float64Array): Vector {
  const [u, v] = frameOf(axis);
  const flat = new Float64Array((2 * points.length) / 3);
  for (let at = 0, to = 0; at < points.length; at += 3) {
    flat[to++] = points[at] * u[0] + points[at + 1] * u[1] + points[at + 2] * u[2];
    flat[to++] = points[at] * v[0] + points[at + 1] * v[1] + points[at + 2] * v[2];
  }
  const hull = hullOf(flat);
  let least = Infinity;
  let best: readonly [number, number] = [1, 0];
  for (let i = 0; i < hull.length; i += 2) {
    const next = (i + 2) % hull.length;
    const ex = hull[next] - hull[i],
      ey = hull[next + 1] - hull[i + 1];
    const length = Math.sqrt(ex ** 2 + ey ** 2);
    if (!(length > 0)) continue;
    const x = ex / length,
      y = ey / length;
    let [low, high, left, right] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let k = 0; k < hull.length; k += 2) {
      const along = hull[k] * x + hull[k + 1] * y,
        aside = hull[k + 1] * x - hull[k] * y;
      if (along < low) low = along;
      if (along > high) high = along;
      if (aside < left) left = aside;
      if (aside > right) right = aside;
    }
    const area = (high - low) * (right - left);
    // Rounding must not decide between equal rectangles.
    if (area >= least * (1 - 1e-9)) continue;
    least = area;
    best = high - low >= right - left ? [x, y] : [-y, x];
  }
  return unit(plus(scaled(u, best[0]), v, best[1]));
}

/** Convex hull of points in a plane, x and y one after another, counter-clockwise (Andrew 1979). */
function hullOf(points: Float64Array): Float64Array {
  const count = points.length / 2;
  const order = Uint32Array.from({ length: count }, (_, i) => i).sort(
    (a, b) => points[2 * a] - points[2 * b] || points[2 * a + 1] - points[2 * b + 1],
  );
  const chain = new Uint32Array(2 * count);
  let size = 0;
  for (const turn of [0, 1]) {
    const start = size;
    for (let i = 0; i < count; i++) {
      const c = 2 * order[turn === 0 ? i : count - 1 - i];
      while (size - start > 1) {
        const a = 2 * chain[size - 2],
          b = 2 * chain[size - 1];
        const side =
          (points[b] - points[a]) * (points[c + 1] - points[a + 1]) -
          (points[b + 1] - points[a + 1]) * (points[c] - points[a]);
        if (side > 0) break;
        size--;
      }
      chain[size++] = c / 2;
    }
    size = Math.max(start, size - 1);
  }
  const hull = new Float64Array(2 * size);
  for (let i = 0; i < size; i++) {
    hull[2 * i] = points[2 * chain[i]];
    hull[2 * i + 1] = points[2 * chain[i] + 1];
  }
  return hull;
}

/** The shortest arc over angles; a whole turn if no gap between them is wide. */
function arcOf(angles: Float64Array): [number, number] {
  const sorted = angles.slice().sort();
  let widest = sorted[0] + TURN - sorted[sorted.length - 1],
    from = sorted[0];
  for (let i = 1; i < sorted.length; i++) {
    if (sorted[i] - sorted[i - 1] <= widest) continue;
    widest = sorted[i] - sorted[i - 1];
    from = sorted[i];
  }
  return widest > GAP ? [from, from + TURN - widest] : [-Math.PI, Math.PI];
}

interface Bounds {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly turns: readonly [boolean, boolean];
}

/** The cells whose middles lie in a triangle; if there is none, that in which a middle of a triangle lies. */
function cellsOf({ from, to, turns }: Bounds, coordinates: Float64Array, corners: Uint32Array): [number, number] {
  const width = (to[0] - from[0]) / GRID,
    height = (to[1] - from[1]) / GRID;
  const cells: [number, number] = [0, 0];
  if (!(width > 0) || !(height > 0)) return [1, 0];
  const t = new Float64Array(6),
    near = new Float64Array(2);
  for (let at = 0; at < corners.length; at += 3) {
    // In cells from the corner of the grid; angles near to the first corner, which lies within the bounds.
    near[0] = (from[0] + to[0]) / 2;
    near[1] = (from[1] + to[1]) / 2;
    for (let i = 0; i < 6; i++) {
      const k = i & 1;
      let value = coordinates[2 * corners[at + (i >> 1)] + k];
      if (turns[k]) {
        while (value < near[k] - Math.PI) value += TURN;
        while (value > near[k] + Math.PI) value -= TURN;
        if (i < 2) near[k] = value;
      }
      t[i] = (value - from[k]) / (k === 0 ? width : height);
    }
    const turn0 = turns[0] ? TURN / width : 0,
      turn1 = turns[1] ? TURN / height : 0;
    for (let du = -1; du <= 1; du++) {
      if (du !== 0 && turn0 === 0) continue;
      for (let dv = -1; dv <= 1; dv++) {
        if (dv !== 0 && turn1 === 0) continue;
        fillTriangle(cells, t, du * turn0, dv * turn1);
      }
    }
  }
  if (cells[0] === 0 && cells[1] === 0) {
    const u = clamped((t[0] + t[2] + t[4]) / 3),
      v = clamped((t[1] + t[3] + t[5]) / 3);
    cells[(v * GRID + u) >> 5] |= 1 << ((v * GRID + u) & 31);
  }
  return [cells[0] >>> 0, cells[1] >>> 0];
}

/** Sets the cells whose middles lie in a triangle that is moved by du, dv. */
function fillTriangle(cells: [number, number], t: Float64Array, du: number, dv: number): void {
  const ax = t[0] + du,
    ay = t[1] + dv,
    bx = t[2] + du,
    by = t[3] + dv,
    cx = t[4] + du,
    cy = t[5] + dv;
  const left = Math.max(0, Math.ceil(Math.min(ax, bx, cx) - 0.5 - 1e-9)),
    right = Math.min(GRID - 1, Math.floor(Math.max(ax, bx, cx) - 0.5 + 1e-9));
  if (left > right) return;
  const low = Math.max(0, Math.ceil(Math.min(ay, by, cy) - 0.5 - 1e-9)),
    high = Math.min(GRID - 1, Math.floor(Math.max(ay, by, cy) - 0.5 + 1e-9));
  for (let v = low; v <= high; v++)
    for (let u = left; u <= right; u++) {
      const px = u + 0.5,
        py = v + 0.5;
      const one = (bx - ax) * (py - ay) - (by - ay) * (px - ax),
        two = (cx - bx) * (py - by) - (cy - by) * (px - bx),
        three = (ax - cx) * (py - cy) - (ay - cy) * (px - cx);
      const isIn = (one >= -1e-9 && two >= -1e-9 && three >= -1e-9) || (one <= 1e-9 && two <= 1e-9 && three <= 1e-9);
      if (isIn) cells[(v * GRID + u) >> 5] |= 1 << ((v * GRID + u) & 31);
    }
}

function isSet(cells: readonly [number, number], u: number, v: number): boolean {
  if (u < 0 || v < 0 || u >= GRID || v >= GRID) return false;
  const bit = v * GRID + u;
  return ((cells[bit >> 5] >>> (bit & 31)) & 1) === 1;
}

function clamped(value: number): number {
  return Math.min(GRID - 1, Math.max(0, Math.floor(value)));
}
