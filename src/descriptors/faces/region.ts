import type { FittedSurface } from './fit-surface.js';
import { across, cross, dot, frameOf, lengthOf, minus, plus, scaled, unit, type Vector } from './vector.js';

/**
 * The part of a surface that a face covers, on a grid over its bounds. Coordinates u, v by kind: of planes and free
 * faces mm along `x` and `axis × x` from the origin; of cylinders, cones and tori the angle about the axis from `x`, rad;
 * then mm along the axis, and of tori the angle in the tube, 0 farthest from the axis. Of spheres the angle from the axis,
 * times cosine and sine of the angle about it.
 */
export interface FaceRegion {
  /** Unit vector across the axis: where u is 0. */
  readonly x: Vector;
  readonly from: readonly [u: number, v: number];
  readonly to: readonly [u: number, v: number];
  /** Bits of the cells of {@link GRID} × GRID that are at least half covered, row by row from `from`; u32[2]. */
  readonly cells: readonly [number, number];
}

/** Cells along each side of the grid. */
export const GRID = 8;
/** A gap between vertices about an axis that is wider than this is a gap of the face, rad. */
const GAP = 0.6;
const TURN = 2 * Math.PI;

/** Triangles of a face: their corners one after another, f64[9 * n], mm. */
export type Corners = Float64Array;

/** The region that triangles cover of the surface on which their vertices lie. */
export function regionOf(surface: FittedSurface, corners: Corners): FaceRegion {
  const x = directionOf(surface, corners);
  const frame = [x, cross(surface.axis, x)] as const;
  const count = corners.length / 3;
  const coordinates = new Float64Array(2 * count);
  for (let i = 0; i < count; i++)
    coordinates.set(coordinatesIn(surface, frame, [corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]]), 2 * i);
  const turns = turnsOf(surface);
  const from: [number, number] = [0, 0],
    to: [number, number] = [0, 0];
  for (const k of [0, 1]) {
    const values = Float64Array.from({ length: count }, (_, i) => coordinates[2 * i + k]);
    [from[k], to[k]] = turns[k] ? arcOf(values) : spread(values);
  }
  return { x, from, to, cells: cellsOf({ from, to, turns }, coordinates) };
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
export function covers(surface: FittedSurface, region: FaceRegion, point: Vector): boolean {
  const { from, to, cells } = region;
  const place = coordinatesIn(surface, [region.x, cross(surface.axis, region.x)], point);
  const turns = turnsOf(surface);
  const at: number[] = [0, 0];
  for (const k of [0, 1]) {
    let value = place[k];
    const slack = 0.25 * ((to[k] - from[k]) / GRID) + 1e-9;
    if (turns[k]) {
      while (value < from[k] - slack) value += TURN;
      while (value > to[k] + slack) value -= TURN;
    }
    if (value < from[k] - slack || value > to[k] + slack) return false;
    at[k] = to[k] > from[k] ? ((value - from[k]) / (to[k] - from[k])) * GRID : 0;
  }
  for (const du of [-0.45, 0.45])
    for (const dv of [-0.45, 0.45]) if (isSet(cells, clamped(at[0] + du), clamped(at[1] + dv))) return true;
  return false;
}

/** Points of a face, spread over it: the middles of its inner cells, of all its cells if none is inside; at most 64. */
export function pointsOf(surface: FittedSurface, { x, from, to, cells }: FaceRegion): Vector[] {
  const y = cross(surface.axis, x);
  const all: { u: number; v: number; inside: boolean }[] = [];
  for (let v = 0; v < GRID; v++)
    for (let u = 0; u < GRID; u++) {
      if (!isSet(cells, u, v)) continue;
      const neighbours = [
        isSet(cells, u - 1, v),
        isSet(cells, u + 1, v),
        isSet(cells, u, v - 1),
        isSet(cells, u, v + 1),
      ];
      all.push({ u, v, inside: neighbours.every((is) => is) });
    }
  const inner = all.filter(({ inside }) => inside);
  return (inner.length >= 4 ? inner : all).map(({ u, v }) =>
    pointAt(
      surface,
      [x, y],
      [from[0] + ((u + 0.5) / GRID) * (to[0] - from[0]), from[1] + ((v + 0.5) / GRID) * (to[1] - from[1])],
    ),
  );
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

/** The coordinates of a point on a surface. */
function coordinatesIn(
  { kind, axis, origin, radiusMm }: FittedSurface,
  [x, y]: readonly [Vector, Vector],
  point: Vector,
): [number, number] {
  const d = minus(point, origin);
  const a = dot(d, x),
    b = dot(d, y);
  if (kind === 'plane' || kind === 'free') return [a, b];
  const along = dot(d, axis),
    out = Math.sqrt(a * a + b * b);
  if (kind === 'sphere') {
    const angle = Math.atan2(out, along);
    return out > 0 ? [(angle * a) / out, (angle * b) / out] : [0, angle];
  }
  const turn = Math.atan2(b, a);
  return kind === 'torus' ? [turn, Math.atan2(along, out - radiusMm)] : [turn, along];
}

/** Which coordinates are angles that come round again. */
function turnsOf({ kind }: FittedSurface): readonly [boolean, boolean] {
  return [kind === 'cylinder' || kind === 'cone' || kind === 'torus', kind === 'torus'];
}

/** Across the axis; of planes along their longest extent, of others towards the middle of the face. */
function directionOf({ kind, axis, origin }: FittedSurface, corners: Corners): Vector {
  let sum: Vector = [0, 0, 0];
  const count = corners.length / 3;
  for (let at = 0; at < corners.length; at += 3) sum = plus(sum, [corners[at], corners[at + 1], corners[at + 2]]);
  const middle = scaled(sum, 1 / count);
  if (kind === 'plane' || kind === 'free') return longSide(axis, corners);
  const x = across(minus(middle, origin), axis);
  const first = across(minus([corners[0], corners[1], corners[2]], origin), axis);
  if (kind !== 'sphere' && lengthOf(x) > 1e-3 * lengthOf(first)) return unit(x);
  return kind !== 'sphere' && lengthOf(first) > 0 ? unit(first) : frameOf(axis)[0];
}

/** The longer side of the smallest rectangle around points, seen along an axis: one side lies on an edge of their hull. */
function longSide(axis: Vector, corners: Corners): Vector {
  const [u, v] = frameOf(axis);
  const hull = hullOf(
    Array.from({ length: corners.length / 3 }, (_, i) => {
      const point: Vector = [corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]];
      return [dot(point, u), dot(point, v)] as const;
    }),
  );
  let least = Infinity;
  let best: readonly [number, number] = [1, 0];
  for (const [i, [px, py]] of hull.entries()) {
    const [qx, qy] = hull[(i + 1) % hull.length];
    const length = Math.sqrt((qx - px) ** 2 + (qy - py) ** 2);
    if (!(length > 0)) continue;
    const [x, y] = [(qx - px) / length, (qy - py) / length];
    const [low, high] = spread(Float64Array.from(hull, ([a, b]) => a * x + b * y));
    const [left, right] = spread(Float64Array.from(hull, ([a, b]) => b * x - a * y));
    const area = (high - low) * (right - left);
    // Rounding must not decide between equal rectangles.
    if (area >= least * (1 - 1e-9)) continue;
    least = area;
    best = high - low >= right - left ? [x, y] : [-y, x];
  }
  return unit(plus(scaled(u, best[0]), v, best[1]));
}

/** Convex hull of points in a plane, counter-clockwise (Andrew 1979). */
function hullOf(points: (readonly [number, number])[]): (readonly [number, number])[] {
  const sorted = points.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (along: readonly (readonly [number, number])[]): (readonly [number, number])[] => {
    const chain: (readonly [number, number])[] = [];
    for (const c of along) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(c);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
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

/** Spreads the area of each triangle over the cells that it lies in. coordinates: u, v of each corner. */
function cellsOf({ from, to, turns }: Bounds, coordinates: Float64Array): [number, number] {
  const size = [(to[0] - from[0]) / GRID, (to[1] - from[1]) / GRID];
  const area = new Float64Array(GRID * GRID);
  const t = new Float64Array(6);
  for (let at = 0; at < coordinates.length; at += 6) {
    for (let i = 0; i < 6; i++) {
      const k = i & 1;
      let value = coordinates[at + i];
      if (turns[k]) {
        // The first corner within the bounds, the others beside it.
        const near = i < 2 ? (from[k] + to[k]) / 2 : t[k];
        while (value < near - Math.PI) value += TURN;
        while (value > near + Math.PI) value -= TURN;
      }
      t[i] = value;
    }
    const twice = Math.abs((t[2] - t[0]) * (t[5] - t[1]) - (t[4] - t[0]) * (t[3] - t[1]));
    let steps = 1;
    for (const k of [0, 1])
      for (const [i, j] of [
        [0, 2],
        [2, 4],
        [4, 0],
      ])
        if (size[k] > 0) steps = Math.max(steps, Math.ceil((2 * Math.abs(t[i + k] - t[j + k])) / size[k]));
    steps = Math.min(steps, 2 * GRID);
    const share = twice / 2 / (steps * steps);
    for (let i = 0; i < steps; i++) {
      for (let j = 0; j < 2 * (steps - i) - 1; j++) {
        // Centroids of the steps² small triangles: upright ones and, between them, turned ones.
        const shift = j & 1 ? 2 / 3 : 1 / 3;
        const a = (i + shift) / steps,
          b = ((j >> 1) + shift) / steps,
          c = 1 - a - b;
        const cell = [0, 1].map((k) => {
          let value = a * t[k] + b * t[2 + k] + c * t[4 + k];
          if (turns[k] && value < from[k]) value += TURN;
          if (turns[k] && value > to[k]) value -= TURN;
          return size[k] > 0 ? clamped((value - from[k]) / size[k]) : 0;
        });
        area[cell[1] * GRID + cell[0]] += share;
      }
    }
  }
  const whole = size[0] * size[1];
  const cells: [number, number] = [0, 0];
  let most = 0;
  area.forEach((value, i) => {
    if (value > area[most]) most = i;
    if (whole > 0 && value >= 0.5 * whole) cells[i >> 5] |= 1 << (i & 31);
  });
  if (cells[0] === 0 && cells[1] === 0) cells[most >> 5] |= 1 << (most & 31);
  return [cells[0] >>> 0, cells[1] >>> 0];
}

function isSet(cells: readonly [number, number], u: number, v: number): boolean {
  if (u < 0 || v < 0 || u >= GRID || v >= GRID) return false;
  const bit = v * GRID + u;
  return ((cells[bit >> 5] >>> (bit & 31)) & 1) === 1;
}

function clamped(value: number): number {
  return Math.min(GRID - 1, Math.max(0, Math.floor(value)));
}
