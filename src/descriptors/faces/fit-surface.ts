import { eigenSymmetric3 } from '../eigen.js';
import { leastSquares, solved } from './least-squares.js';
import { across, cross, dot, frameOf, lengthOf, minus, plus, scaled, unit, type Vector } from './vector.js';

/** Kinds of surfaces; `free` is any other. */
export type SurfaceKind = 'plane' | 'cylinder' | 'cone' | 'sphere' | 'torus' | 'free';

/** A surface in space, mm. */
export interface FittedSurface {
  readonly kind: SurfaceKind;
  /** Unit vector: the normal of a plane, the axis of a cylinder or torus, of a cone from its apex into its opening. */
  readonly axis: Vector;
  /** A point of the plane or of the cylinder's axis; the apex of a cone; the centre of a sphere or torus. */
  readonly origin: Vector;
  /** Of a cylinder or sphere; of a torus, that of the circle in the middle of its tube; else 0. */
  readonly radiusMm: number;
  /** Half the angle of a cone, rad; the radius of a torus' tube, mm; else 0. */
  readonly second: number;
}

/** Triangles of one face. */
export interface FacePatch {
  /** Coordinates of its distinct vertices, f64[3 * n], mm. */
  readonly points: Float64Array;
  /** Of each triangle with area: its unit normal and its centroid, f64[3 * m], and its area, mm². */
  readonly normals: Float64Array;
  readonly centroids: Float64Array;
  readonly areas: Float64Array;
}

/** Most vertices that a fit is computed from; all are then checked. */
const FITTED_POINTS = 48;
/** Fewest vertices of a curved face: fewer lie on many surfaces. */
const LEAST_POINTS = 6;
/** Least mean cosine between the normals of triangles and surface; the facets of a coarse wall bend by 24°. */
const COS_ALONG = 0.95;
/** A radius of so many times the size of the face is as good as flat, and not to be told from noise. */
const MOST_RADIUS = 200;

/**
 * The first of plane, cylinder, cone, sphere and torus on which all vertices of a face lie, with normals like those of its
 * triangles; a wall of two rings of vertices lies on a cylinder or cone as well as on a sphere. A kernel puts the vertices of its triangles on the exact surface, so that surfaces of revolution are found although the file
 * calls them splines. Axes start from the normals' covariance, that of a torus from the linear complex of the normals
 * (Pottmann, Randrup 1998), and are refined by least squares.
 * @param toleranceMm largest distance of a vertex from the surface.
 */
export function fitSurface(patch: FacePatch, toleranceMm: number): FittedSurface {
  const { points } = patch;
  const centre = meanOf(points);
  const size = sizeOf(points, centre);
  const isOn = (surface: FittedSurface): boolean =>
    farthest(points, surface) <= toleranceMm && (surface.kind === 'plane' || facesAlong(patch, surface));
  const plane = planeOf(patch, centre);
  if (isOn(plane)) return plane;
  if (points.length >= 3 * LEAST_POINTS && size > 0) {
    const some = sampled(points);
    const isFlat = ({ radiusMm }: FittedSurface): boolean => radiusMm > MOST_RADIUS * size;
    for (const fit of [cylinderOf, coneOf, sphereOf, torusOf]) {
      const surface = fit(patch, some, size);
      if (surface !== undefined && isOn(surface) && !isFlat(surface)) return surface;
    }
  }
  return { ...plane, kind: 'free' };
}

/** Distance of a point from a surface, mm, signed: positive on the side away from its axis, centre or tube. */
export function distanceTo({ kind, axis, origin, radiusMm, second }: FittedSurface, point: Vector): number {
  const from = minus(point, origin);
  const along = dot(from, axis);
  if (kind === 'plane' || kind === 'free') return along;
  if (kind === 'sphere') return lengthOf(from) - radiusMm;
  const out = lengthOf(plus(from, axis, -along));
  if (kind === 'cylinder') return out - radiusMm;
  if (kind === 'cone') return out * Math.cos(second) - along * Math.sin(second);
  return Math.sqrt((out - radiusMm) ** 2 + along * along) - second;
}

/** Unit normal of a surface at a point on it, away from its axis, centre or tube. */
export function normalAt({ kind, axis, origin, radiusMm, second }: FittedSurface, point: Vector): Vector {
  if (kind === 'plane' || kind === 'free') return axis;
  const from = minus(point, origin);
  if (kind === 'sphere') return unit(from);
  const out = unit(across(from, axis));
  if (kind === 'cylinder') return out;
  if (kind === 'cone') return plus(scaled(out, Math.cos(second)), axis, -Math.sin(second));
  return unit(minus(from, scaled(out, radiusMm)));
}

function farthest(points: Float64Array, surface: FittedSurface): number {
  let most = 0;
  for (let at = 0; at < points.length; at += 3) {
    const apart = Math.abs(distanceTo(surface, [points[at], points[at + 1], points[at + 2]]));
    // Also false for NaN, so that such a surface fits nothing.
    if (!(apart <= most)) most = apart;
  }
  return most;
}

/** Whether the triangles face away from the axis or towards it, all in one way, as the surface does. */
function facesAlong({ normals, centroids, areas }: FacePatch, surface: FittedSurface): boolean {
  let along = 0,
    total = 0;
  for (let i = 0; i < areas.length; i++) {
    along += areas[i] * dot(vectorAt(normals, 3 * i), normalAt(surface, vectorAt(centroids, 3 * i)));
    total += areas[i];
  }
  return Math.abs(along) >= COS_ALONG * total;
}

function planeOf({ normals, areas }: FacePatch, origin: Vector): FittedSurface {
  let sum: Vector = [0, 0, 0];
  for (let i = 0; i < areas.length; i++) sum = plus(sum, vectorAt(normals, 3 * i), areas[i]);
  // Of a closed face, such as a full turn of a wall, the sum of the normals may be 0.
  const axis = lengthOf(sum) > 0 ? unit(sum) : ([0, 0, 1] as const);
  return { kind: 'plane', axis, origin, radiusMm: 0, second: 0 };
}

/** |p|² = 2 c·p + k, linear in the centre. */
function sphereOf(_: FacePatch, points: readonly Vector[]): FittedSurface | undefined {
  const middle = points[0];
  const rows = points.map((point) => {
    const from = minus(point, middle);
    return { factors: [from[0], from[1], from[2], 1], value: dot(from, from) };
  });
  const found = linearFit(rows, 4);
  if (found === undefined) return undefined;
  const centre: Vector = [found[0] / 2, found[1] / 2, found[2] / 2];
  const radiusMm = Math.sqrt(found[3] + dot(centre, centre));
  return { kind: 'sphere', axis: [0, 0, 1], origin: plus(middle, centre), radiusMm, second: 0 };
}

function cylinderOf(patch: FacePatch, points: readonly Vector[], size: number): FittedSurface | undefined {
  const axis = axisOfNormals(patch, false);
  const circle = circleAcross(points, axis);
  if (circle === undefined) return undefined;
  const at = ([a, b, x, y, radiusMm]: readonly number[]): FittedSurface => ({
    kind: 'cylinder',
    ...moved(axis, circle.origin, size, [a, b, x, y, 0]),
    radiusMm: radiusMm * size,
    second: 0,
  });
  return refined(points, size, [0, 0, 0, 0, circle.radiusMm / size], at);
}

function coneOf(patch: FacePatch, points: readonly Vector[], size: number): FittedSurface | undefined {
  const raw = axisOfNormals(patch, true);
  const foot = axisPoint(patch, raw);
  if (foot === undefined) return undefined;
  // Distance from the axis grows linearly along it.
  const rows = points.map((point) => {
    const from = minus(point, foot);
    const along = dot(from, raw);
    return { factors: [along, 1], value: lengthOf(plus(from, raw, -along)) };
  });
  const line = linearFit(rows, 2);
  if (line === undefined || Math.abs(line[0]) < 1e-6) return undefined;
  const axis = line[0] > 0 ? raw : scaled(raw, -1);
  const apex = plus(foot, raw, -line[1] / line[0]);
  const at = ([a, b, x, y, z, second]: readonly number[]): FittedSurface => ({
    kind: 'cone',
    ...moved(axis, apex, size, [a, b, x, y, z]),
    radiusMm: 0,
    second,
  });
  const cone = refined(points, size, [0, 0, 0, 0, 0, Math.atan(Math.abs(line[0]))], at);
  return cone !== undefined && cone.second > 1e-3 && cone.second < 1.57 ? cone : undefined;
}

function torusOf(patch: FacePatch, points: readonly Vector[], size: number): FittedSurface | undefined {
  const line = axisOfComplex(patch, size);
  if (line === undefined) return undefined;
  const { axis, origin } = line;
  // In the half-plane of the axis the vertices lie on a circle.
  const rows = points.map((point) => {
    const from = minus(point, origin);
    const along = dot(from, axis),
      out = lengthOf(plus(from, axis, -along));
    return { factors: [out, along, 1], value: out * out + along * along };
  });
  const circle = linearFit(rows, 3);
  if (circle === undefined) return undefined;
  const major = circle[0] / 2,
    height = circle[1] / 2;
  const minor = Math.sqrt(circle[2] + major * major + height * height);
  const centre = plus(origin, axis, height);
  const at = ([a, b, x, y, z, radius, second]: readonly number[]): FittedSurface => ({
    kind: 'torus',
    ...moved(axis, centre, size, [a, b, x, y, z]),
    radiusMm: radius * size,
    second: second * size,
  });
  const torus = refined(points, size, [0, 0, 0, 0, 0, major / size, minor / size], at);
  return torus !== undefined && torus.radiusMm > 0 && torus.second > 0 ? torus : undefined;
}

/** An axis turned by two small angles and a point moved by shares of a size. */
function moved(
  axis: Vector,
  origin: Vector,
  size: number,
  [a, b, x, y, z]: readonly number[],
): { axis: Vector; origin: Vector } {
  const [u, v] = frameOf(axis);
  return {
    axis: unit(plus(plus(axis, u, a), v, b)),
    origin: plus(plus(plus(origin, u, x * size), v, y * size), axis, z * size),
  };
}

function refined(
  points: readonly Vector[],
  size: number,
  start: readonly number[],
  at: (parameters: readonly number[]) => FittedSurface,
): FittedSurface | undefined {
  if (!start.every(Number.isFinite)) return undefined;
  const found = leastSquares(start, points.length, (parameters, residuals) => {
    const surface = at(parameters);
    points.forEach((point, i) => (residuals[i] = distanceTo(surface, point) / size));
  });
  return found === undefined ? undefined : at(found);
}

/** The direction that the normals have least of; with `aroundMean`, that in which they differ least. */
function axisOfNormals({ normals, areas }: FacePatch, aroundMean: boolean): Vector {
  let mean: Vector = [0, 0, 0],
    total = 0;
  for (let i = 0; i < areas.length; i++) {
    mean = plus(mean, vectorAt(normals, 3 * i), areas[i]);
    total += areas[i];
  }
  mean = aroundMean ? scaled(mean, 1 / total) : [0, 0, 0];
  const m = new Float64Array(9);
  for (let i = 0; i < areas.length; i++) {
    const n = minus(vectorAt(normals, 3 * i), mean);
    for (let j = 0; j < 9; j++) m[j] += areas[i] * n[Math.floor(j / 3)] * n[j % 3];
  }
  return vectorAt(eigenSymmetric3(m).vectors, 6);
}

/** The circle on which points lie, seen along an axis. */
function circleAcross(points: readonly Vector[], axis: Vector): { origin: Vector; radiusMm: number } | undefined {
  const [u, v] = frameOf(axis);
  const middle = points[0];
  const rows = points.map((point) => {
    const from = minus(point, middle);
    const x = dot(from, u),
      y = dot(from, v);
    return { factors: [x, y, 1], value: x * x + y * y };
  });
  const found = linearFit(rows, 3);
  if (found === undefined) return undefined;
  const [x, y] = [found[0] / 2, found[1] / 2];
  return { origin: plus(plus(middle, u, x), v, y), radiusMm: Math.sqrt(found[2] + x * x + y * y) };
}

/** The point of an axis that is nearest to all lines along the normals. */
function axisPoint({ normals, centroids, areas }: FacePatch, axis: Vector): Vector | undefined {
  const [u, v] = frameOf(axis);
  const middle = vectorAt(centroids, 0);
  const rows: FitRow[] = [];
  for (let i = 0; i < areas.length; i++) {
    const normal = vectorAt(normals, 3 * i),
      from = minus(vectorAt(centroids, 3 * i), middle);
    const [x, y] = [dot(normal, u), dot(normal, v)];
    const length = Math.sqrt(x * x + y * y);
    if (length < 1e-6) continue;
    // The line passes the point where the cross product of both is 0.
    const [p, q] = [-y / length, x / length];
    rows.push({ factors: [p, q], value: p * dot(from, u) + q * dot(from, v) });
  }
  const found = linearFit(rows, 2);
  return found && plus(plus(middle, u, found[0]), v, found[1]);
}

/** The axis that all normals meet: n·m + (p × n)·d = 0 for the direction d and the moment m of the axis. */
function axisOfComplex(
  { normals, centroids, areas }: FacePatch,
  size: number,
): { axis: Vector; origin: Vector } | undefined {
  const middle = vectorAt(centroids, 0);
  const a = new Float64Array(9),
    b = new Float64Array(9),
    d = new Float64Array(9);
  for (let i = 0; i < areas.length; i++) {
    const normal = vectorAt(normals, 3 * i);
    const moment = cross(scaled(minus(vectorAt(centroids, 3 * i), middle), 1 / size), normal);
    for (let j = 0; j < 9; j++) {
      const row = Math.floor(j / 3),
        column = j % 3;
      a[j] += areas[i] * moment[row] * moment[column];
      b[j] += areas[i] * moment[row] * normal[column];
      d[j] += areas[i] * normal[row] * normal[column];
    }
  }
  const rowsOf = (m: Float64Array): number[][] => [0, 3, 6].map((at) => [...m.subarray(at, at + 3)]);
  // For each direction the best moment is -D⁻¹ Bᵀ d; what remains is a quadratic form in d alone.
  const columns = [0, 1, 2].map((k) => solved(rowsOf(d), [b[3 * k], b[3 * k + 1], b[3 * k + 2]]));
  if (columns.some((column) => column === undefined)) return undefined;
  const rest = new Float64Array(9);
  for (let j = 0; j < 9; j++) {
    const row = Math.floor(j / 3),
      column = columns[j % 3]!;
    rest[j] = a[j] - (b[3 * row] * column[0] + b[3 * row + 1] * column[1] + b[3 * row + 2] * column[2]);
  }
  const axis = vectorAt(eigenSymmetric3(rest).vectors, 6);
  const moment = [0, 1, 2].map((k) => -columns.reduce((sum, column, i) => sum + column![k] * axis[i], 0));
  return { axis, origin: plus(middle, cross(axis, moment as unknown as Vector), size) };
}

interface FitRow {
  readonly factors: readonly number[];
  readonly value: number;
}

/** Linear least squares; undefined without a unique solution. */
function linearFit(rows: readonly FitRow[], count: number): number[] | undefined {
  const matrix = Array.from({ length: count }, () => new Array<number>(count).fill(0));
  const right = new Array<number>(count).fill(0);
  for (const { factors, value } of rows) {
    for (let i = 0; i < count; i++) {
      right[i] += factors[i] * value;
      for (let j = 0; j < count; j++) matrix[i][j] += factors[i] * factors[j];
    }
  }
  return solved(matrix, right);
}

function sampled(points: Float64Array): Vector[] {
  const count = points.length / 3,
    kept = Math.min(count, FITTED_POINTS);
  return Array.from({ length: kept }, (_, i) => vectorAt(points, 3 * Math.floor((i * count) / kept)));
}

function meanOf(points: Float64Array): Vector {
  let sum: Vector = [0, 0, 0];
  for (let at = 0; at < points.length; at += 3) sum = plus(sum, vectorAt(points, at));
  return scaled(sum, 3 / points.length);
}

function sizeOf(points: Float64Array, centre: Vector): number {
  let most = 0;
  for (let at = 0; at < points.length; at += 3) most = Math.max(most, lengthOf(minus(vectorAt(points, at), centre)));
  return most;
}

function vectorAt(values: ArrayLike<number>, at: number): Vector {
  return [values[at], values[at + 1], values[at + 2]];
}
