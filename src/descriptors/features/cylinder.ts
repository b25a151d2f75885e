import type { TriangleMesh } from '../../core/mesh.js';
import { eigenSymmetric3 } from '../eigen.js';
import type { MeshFace } from './smooth-faces.js';

export type Vector = readonly [number, number, number];

/** A cylinder on which a face lies. */
export interface Cylinder {
  /** Unit vector; its largest component is positive. */
  readonly axis: Vector;
  /** The point of the axis that is nearest to the origin. */
  readonly foot: Vector;
  readonly radiusMm: number;
  /** Extent along the axis, from the foot, mm. */
  readonly from: number;
  readonly to: number;
  /** Two unit vectors across the axis. */
  readonly across: readonly [Vector, Vector];
  /** Whether the normals of the face point towards the axis. */
  readonly isHollow: boolean;
}

/** Fewest triangles of a face that is tried: half a wall of sixteen facets has sixteen. */
const LEAST_TRIANGLES = 6;
/**
 * Largest mean square sine between the normals of a face and the plane across its axis. The triangles of a cylinder
 * that other faces cut are askew by their height over the chord.
 */
const MOST_ASKEW = 3e-3;
/** Least share of the normals' second direction; flat faces have less. */
const LEAST_ROUND = 1e-3;
/** Largest deviation of a vertex from the cylinder, as a share of its radius: the vertices of its facets lie on it. */
const MOST_OFF = 1.5e-3;
/** Such a share needs no refining of the axis. */
const EXACT = 1e-5;
/** Most rounds of refining; each is a least-squares step. */
const ROUNDS = 4;

/**
 * The cylinder on which all vertices of a face lie; undefined if there is none. Starts from the direction that the
 * normals have least of, and refines axis and radius by least squares (Gauss-Newton).
 */
export function cylinderOf(mesh: TriangleMesh, face: MeshFace): Cylinder | undefined {
  if (face.length < LEAST_TRIANGLES) return undefined;
  const { positions: p, indices } = mesh;
  const moments = [0, 0, 0, 0, 0, 0];
  let total = 0;
  for (const t of face) {
    const [x, y, z] = crossOf(mesh, t);
    const length = Math.sqrt(x * x + y * y + z * z);
    if (length === 0) continue;
    total += length;
    for (const [k, product] of [x * x, x * y, x * z, y * y, y * z, z * z].entries()) moments[k] += product / length;
  }
  if (!(total > 0)) return undefined;
  const [xx, xy, xz, yy, yz, zz] = moments;
  const { values, vectors } = eigenSymmetric3([xx, xy, xz, xy, yy, yz, xz, yz, zz]);
  if (values[2] > MOST_ASKEW * total || values[1] < LEAST_ROUND * total) return undefined;
  const points = pointsOf(p, indices, face);
  const fitted = refined(points, vectors);
  return fitted && cylinderFrom(mesh, face, points, fitted);
}

/** Twice the area of a triangle along its normal. */
export function crossOf({ positions: p, indices }: TriangleMesh, t: number): Vector {
  const a = 3 * indices[3 * t],
    b = 3 * indices[3 * t + 1],
    c = 3 * indices[3 * t + 2];
  const ux = p[b] - p[a],
    uy = p[b + 1] - p[a + 1],
    uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a],
    vy = p[c + 1] - p[a + 1],
    vz = p[c + 2] - p[a + 2];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Coordinates of the distinct vertices of a face, f64[3 * count]. */
function pointsOf(p: Float32Array, indices: Uint32Array, face: MeshFace): Float64Array {
  const vertices = new Set<number>();
  for (const t of face) for (let corner = 3 * t; corner < 3 * t + 3; corner++) vertices.add(indices[corner]);
  const points = new Float64Array(3 * vertices.size);
  let at = 0;
  for (const vertex of vertices) for (let k = 0; k < 3; k++) points[at++] = p[3 * vertex + k];
  return points;
}

/** Frame and circle of a cylinder: axis w, its place and radius in the plane of u and v through the origin. */
interface Fit {
  readonly u: Vector;
  readonly v: Vector;
  readonly w: Vector;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

function refined(points: Float64Array, vectors: Float64Array): Fit | undefined {
  let w = unit([vectors[6], vectors[7], vectors[8]]);
  let middle = 0;
  for (let at = 0; at < points.length; at += 3) middle += dotAt(points, at, w);
  middle /= points.length / 3;
  for (let round = 0; ; round++) {
    const [u, v] = acrossOf(w);
    const circle = circleOf(points, u, v);
    if (circle === undefined) return undefined;
    const fit: Fit = { u, v, w, ...circle };
    let off = 0;
    for (let at = 0; at < points.length; at += 3) off = Math.max(off, Math.abs(heightOver(points, at, fit)));
    const tilt = off <= EXACT * circle.radius || round === ROUNDS ? undefined : tiltOf(points, fit, middle);
    if (tilt === undefined) return off <= MOST_OFF * circle.radius ? fit : undefined;
    w = unit([0, 1, 2].map((k) => w[k] + tilt[0] * u[k] + tilt[1] * v[k]) as unknown as Vector);
  }
}

/** Distance of a point from the surface of the cylinder, positive outside. */
function heightOver(points: Float64Array, at: number, { u, v, x, y, radius }: Fit): number {
  return Math.hypot(dotAt(points, at, u) - x, dotAt(points, at, v) - y) - radius;
}

/** Least-squares circle through the points as seen along the axis (Kåsa 1976), about their mean for accuracy. */
function circleOf(points: Float64Array, u: Vector, v: Vector): Pick<Fit, 'x' | 'y' | 'radius'> | undefined {
  const count = points.length / 3;
  let mx = 0,
    my = 0;
  for (let at = 0; at < points.length; at += 3) {
    mx += dotAt(points, at, u) / count;
    my += dotAt(points, at, v) / count;
  }
  let xx = 0,
    xy = 0,
    yy = 0,
    xs = 0,
    ys = 0,
    squares = 0;
  for (let at = 0; at < points.length; at += 3) {
    const x = dotAt(points, at, u) - mx,
      y = dotAt(points, at, v) - my;
    const square = x * x + y * y;
    xx += x * x;
    xy += x * y;
    yy += y * y;
    xs += x * square;
    ys += y * square;
    squares += square;
  }
  const determinant = xx * yy - xy * xy;
  if (!(determinant > 1e-12 * squares * squares)) return undefined;
  const x = (xs * yy - ys * xy) / (2 * determinant),
    y = (ys * xx - xs * xy) / (2 * determinant);
  return { x: mx + x, y: my + y, radius: Math.sqrt(x * x + y * y + squares / count) };
}

/**
 * How far the axis is to be tilted towards u and v, as tangents: the step that, with a shift and another radius, makes
 * the heights of the points least. Points at one end and the other of the axis tell it.
 */
function tiltOf(points: Float64Array, fit: Fit, middle: number): readonly [number, number] | undefined {
  const sums = Array.from({ length: 5 }, () => new Float64Array(6));
  for (let at = 0; at < points.length; at += 3) {
    const dx = dotAt(points, at, fit.u) - fit.x,
      dy = dotAt(points, at, fit.v) - fit.y;
    const distance = Math.hypot(dx, dy);
    if (distance === 0) continue;
    const along = dotAt(points, at, fit.w) - middle;
    const row = [dx / distance, dy / distance, (along * dx) / distance, (along * dy) / distance, 1];
    const height = distance - fit.radius;
    for (let i = 0; i < 5; i++) {
      for (let j = 0; j < 5; j++) sums[i][j] += row[i] * row[j];
      sums[i][5] += row[i] * height;
    }
  }
  const solved = solve(sums);
  return solved && [solved[2], solved[3]];
}

/** Solves a square system with its right side in the last column, by elimination; undefined where it is singular. */
function solve(rows: Float64Array[]): number[] | undefined {
  const count = rows.length;
  for (let column = 0; column < count; column++) {
    let pivot = column;
    for (let i = column + 1; i < count; i++) if (Math.abs(rows[i][column]) > Math.abs(rows[pivot][column])) pivot = i;
    if (!(Math.abs(rows[pivot][column]) > 1e-12)) return undefined;
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let i = 0; i < count; i++) {
      if (i === column) continue;
      const factor = rows[i][column] / rows[column][column];
      for (let j = column; j <= count; j++) rows[i][j] -= factor * rows[column][j];
    }
  }
  return rows.map((row, i) => row[count] / row[i]);
}

function cylinderFrom(mesh: TriangleMesh, face: MeshFace, points: Float64Array, fit: Fit): Cylinder {
  const { u, v, w, x, y, radius } = fit;
  let from = Infinity,
    to = -Infinity;
  for (let at = 0; at < points.length; at += 3) {
    const along = dotAt(points, at, w);
    from = Math.min(from, along);
    to = Math.max(to, along);
  }
  const foot = [0, 1, 2].map((k) => x * u[k] + y * v[k]) as unknown as Vector;
  let outwards = 0;
  for (const t of face) {
    const cross = crossOf(mesh, t),
      at = 3 * mesh.indices[3 * t];
    for (let k = 0; k < 3; k++) outwards += cross[k] * (mesh.positions[at + k] - foot[k]);
  }
  return { axis: w, foot, radiusMm: radius, from, to, across: [u, v], isHollow: outwards < 0 };
}

/** The unit vector of a direction and its opposite, whose largest component is positive. */
function unit([x, y, z]: Vector): Vector {
  const length = Math.sqrt(x * x + y * y + z * z);
  const largest = Math.abs(x) >= Math.abs(y) && Math.abs(x) >= Math.abs(z) ? x : Math.abs(y) >= Math.abs(z) ? y : z;
  const factor = largest < 0 ? -1 / length : 1 / length;
  return [factor * x, factor * y, factor * z];
}

/** Two unit vectors at right angles to an axis and to each other. */
function acrossOf(w: Vector): readonly [Vector, Vector] {
  const away: Vector = Math.abs(w[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0];
  const u = unit(cross(w, away));
  return [u, cross(w, u)];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** Scalar product of a vector and the three numbers from `at`. */
export function dotAt(points: ArrayLike<number>, at: number, [x, y, z]: Vector): number {
  return points[at] * x + points[at + 1] * y + points[at + 2] * z;
}
