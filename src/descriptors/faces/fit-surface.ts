import { eigenSymmetric3 } from '../eigen.js';
import { LinearFit, leastSquares, solved } from './least-squares.js';
import { areOn, fillDistances, normalAt, type FittedSurface } from './fitted-surface.js';
import { cross, dot, frameOf, lengthOf, plus, scaled, unit, type Vector } from './vector.js';

/** Triangles of one face. */
export interface FacePatch {
  /** Coordinates of its distinct vertices, f64[3 * n], mm. */
  readonly points: Float64Array;
  /** Of each triangle its corners, as numbers of these vertices, u32[3 * t]. */
  readonly corners: Uint32Array;
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
 * The first of plane, cylinder, cone, sphere and torus on which all vertices of a face lie, with normals like those of
 * its triangles; a wall of two rings of vertices lies on a cylinder or cone as well as on a sphere. A kernel puts the
 * vertices of its triangles on the exact surface, so that surfaces of revolution are found although the file calls them
 * splines. Axes start from the normals' covariance, that of a torus from the linear complex of the normals (Pottmann,
 * Randrup 1998), and are refined by least squares.
 * @param toleranceMm largest distance of a vertex from the surface.
 */
export function fitSurface(patch: FacePatch, toleranceMm: number): FittedSurface {
  const { points } = patch;
  const centre = meanOf(points);
  const plane = planeOf(patch, centre);
  if (areOn(points, plane, toleranceMm)) return plane;
  const size = sizeOf(points, centre);
  if (points.length >= 3 * LEAST_POINTS && size > 0) {
    const sample: Sample = { points: sampled(points), size, toleranceMm };
    for (const fit of [cylinderOf, coneOf, sphereOf, torusOf]) {
      const surface = fit(patch, sample);
      if (surface === undefined || surface.radiusMm > MOST_RADIUS * size) continue;
      if (areOn(points, surface, toleranceMm) && facesAlong(patch, surface)) return surface;
    }
  }
  return { ...plane, kind: 'free' };
}

/** Vertices from which a surface is fitted. */
interface Sample {
  /** f64[3 * n], mm. */
  readonly points: Float64Array;
  /** Of the face: largest distance of a vertex from the middle, mm. */
  readonly size: number;
  readonly toleranceMm: number;
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
  let x = 0,
    y = 0,
    z = 0;
  for (let i = 0; i < areas.length; i++) {
    x += areas[i] * normals[3 * i];
    y += areas[i] * normals[3 * i + 1];
    z += areas[i] * normals[3 * i + 2];
  }
  // Of a closed face, such as a full turn of a wall, the sum of the normals may be 0.
  const axis = lengthOf([x, y, z]) > 0 ? unit([x, y, z]) : ([0, 0, 1] as const);
  return { kind: 'plane', axis, origin, radiusMm: 0, second: 0 };
}

/** |p|² = 2 c·p + k, linear in the centre. */
function sphereOf(_: FacePatch, { points }: Sample): FittedSurface | undefined {
  const middle = vectorAt(points, 0);
  const fit = new LinearFit(4);
  for (let at = 0; at < points.length; at += 3) {
    const x = points[at] - middle[0],
      y = points[at + 1] - middle[1],
      z = points[at + 2] - middle[2];
    fit.add(x * x + y * y + z * z, x, y, z, 1);
  }
  const found = fit.solve();
  if (found === undefined) return undefined;
  const centre: Vector = [found[0] / 2, found[1] / 2, found[2] / 2];
  const radiusMm = Math.sqrt(found[3] + dot(centre, centre));
  return { kind: 'sphere', axis: [0, 0, 1], origin: plus(middle, centre), radiusMm, second: 0 };
}

function cylinderOf(patch: FacePatch, sample: Sample): FittedSurface | undefined {
  const { points, size } = sample;
  const axis = axisOfNormals(patch, false);
  const circle = circleAcross(points, axis);
  if (circle === undefined) return undefined;
  const placed = mover(axis, circle.origin, size);
  return refined(sample, [0, 0, 0, 0, circle.radiusMm / size], (found) => ({
    kind: 'cylinder',
    ...placed(found, 0),
    radiusMm: found[4] * size,
    second: 0,
  }));
}

function coneOf(patch: FacePatch, sample: Sample): FittedSurface | undefined {
  const { points, size } = sample;
  const raw = axisOfNormals(patch, true);
  const foot = axisPoint(patch, raw);
  if (foot === undefined) return undefined;
  // Distance from the axis grows linearly along it.
  const fit = new LinearFit(2);
  for (let at = 0; at < points.length; at += 3) {
    const x = points[at] - foot[0],
      y = points[at + 1] - foot[1],
      z = points[at + 2] - foot[2];
    const along = x * raw[0] + y * raw[1] + z * raw[2];
    const u = x - along * raw[0],
      v = y - along * raw[1],
      w = z - along * raw[2];
    fit.add(Math.sqrt(u * u + v * v + w * w), along, 1);
  }
  const line = fit.solve();
  if (line === undefined || Math.abs(line[0]) < 1e-6) return undefined;
  const axis = line[0] > 0 ? raw : scaled(raw, -1);
  const placed = mover(axis, plus(foot, raw, -line[1] / line[0]), size);
  const cone = refined(sample, [0, 0, 0, 0, 0, Math.atan(Math.abs(line[0]))], (found) => ({
    kind: 'cone',
    ...placed(found, found[4]),
    radiusMm: 0,
    second: found[5],
  }));
  return cone !== undefined && cone.second > 1e-3 && cone.second < 1.57 ? cone : undefined;
}

function torusOf(patch: FacePatch, sample: Sample): FittedSurface | undefined {
  const { points, size } = sample;
  // A small part looks like one of a pipe, whose axis is the other that the normals nearly meet.
  for (const line of axesOfComplex(patch, size)) {
    const torus = torusAbout(line, sample);
    if (torus !== undefined && areOn(points, torus, sample.toleranceMm)) return torus;
  }
  return undefined;
}

function torusAbout({ axis, origin }: { axis: Vector; origin: Vector }, sample: Sample): FittedSurface | undefined {
  const { points, size } = sample;
  // In the half-plane of the axis the vertices lie on a circle.
  const fit = new LinearFit(3);
  for (let at = 0; at < points.length; at += 3) {
    const x = points[at] - origin[0],
      y = points[at + 1] - origin[1],
      z = points[at + 2] - origin[2];
    const along = x * axis[0] + y * axis[1] + z * axis[2];
    const u = x - along * axis[0],
      v = y - along * axis[1],
      w = z - along * axis[2];
    const out = Math.sqrt(u * u + v * v + w * w);
    fit.add(out * out + along * along, out, along, 1);
  }
  const circle = fit.solve();
  if (circle === undefined) return undefined;
  const major = circle[0] / 2,
    height = circle[1] / 2;
  const minor = Math.sqrt(circle[2] + major * major + height * height);
  const placed = mover(axis, plus(origin, axis, height), size);
  const torus = refined(sample, [0, 0, 0, 0, 0, major / size, minor / size], (found) => ({
    kind: 'torus',
    ...placed(found, found[4]),
    radiusMm: found[5] * size,
    second: found[6] * size,
  }));
  return torus !== undefined && torus.radiusMm > 0 && torus.second > 0 ? torus : undefined;
}

/**
 * Turns an axis by the first two of some parameters and moves its origin by the next two, and along it, shares of a
 * size.
 */
function mover(
  axis: Vector,
  origin: Vector,
  size: number,
): (found: Float64Array, along: number) => { axis: Vector; origin: Vector } {
  const [[ux, uy, uz], [vx, vy, vz]] = frameOf(axis);
  const [ax, ay, az] = axis,
    [ox, oy, oz] = origin;
  // Numbers only: this is called for each parameter of each round of a fit.
  return (found, along) => {
    const turnU = found[0],
      turnV = found[1],
      moveU = found[2] * size,
      moveV = found[3] * size,
      move = along * size;
    const x = ax + turnU * ux + turnV * vx,
      y = ay + turnU * uy + turnV * vy,
      z = az + turnU * uz + turnV * vz;
    const length = Math.sqrt(x * x + y * y + z * z);
    const factor = length > 0 ? 1 / length : 1;
    return {
      axis: [factor * x, factor * y, factor * z],
      origin: [
        ox + moveU * ux + moveV * vx + move * ax,
        oy + moveU * uy + moveV * vy + move * ay,
        oz + moveU * uz + moveV * vz + move * az,
      ],
    };
  };
}

/** A surface whose sample is that far off on average, as a multiple of the tolerance, is given up. */
const HOPELESS = 2;

function refined(
  { points, size, toleranceMm }: Sample,
  start: readonly number[],
  at: (parameters: Float64Array) => FittedSurface,
): FittedSurface | undefined {
  if (!start.every(Number.isFinite)) return undefined;
  const bounds = { count: points.length / 3, mostRms: (HOPELESS * toleranceMm) / size };
  const found = leastSquares(start, bounds, (parameters, into) =>
    fillDistances(at(parameters), points, { factor: size, into }),
  );
  return found === undefined ? undefined : at(found);
}

/** The direction that the normals have least of; with `aroundMean`, that in which they differ least. */
function axisOfNormals({ normals, areas }: FacePatch, aroundMean: boolean): Vector {
  let x = 0,
    y = 0,
    z = 0,
    total = 0;
  for (let i = 0; i < areas.length; i++) {
    x += areas[i] * normals[3 * i];
    y += areas[i] * normals[3 * i + 1];
    z += areas[i] * normals[3 * i + 2];
    total += areas[i];
  }
  const factor = aroundMean ? 1 / total : 0;
  x *= factor;
  y *= factor;
  z *= factor;
  const m = new Float64Array(9);
  for (let i = 0; i < areas.length; i++) {
    const a = normals[3 * i] - x,
      b = normals[3 * i + 1] - y,
      c = normals[3 * i + 2] - z;
    const area = areas[i];
    m[0] += area * a * a;
    m[1] += area * a * b;
    m[2] += area * a * c;
    m[4] += area * b * b;
    m[5] += area * b * c;
    m[8] += area * c * c;
  }
  return vectorAt(eigenSymmetric3(m).vectors, 6);
}

/** The circle on which points lie, seen along an axis. */
function circleAcross(points: Float64Array, axis: Vector): { origin: Vector; radiusMm: number } | undefined {
  const [u, v] = frameOf(axis);
  const middle = vectorAt(points, 0);
  const fit = new LinearFit(3);
  for (let at = 0; at < points.length; at += 3) {
    const fx = points[at] - middle[0],
      fy = points[at + 1] - middle[1],
      fz = points[at + 2] - middle[2];
    const x = fx * u[0] + fy * u[1] + fz * u[2],
      y = fx * v[0] + fy * v[1] + fz * v[2];
    fit.add(x * x + y * y, x, y, 1);
  }
  const found = fit.solve();
  if (found === undefined) return undefined;
  const [x, y] = [found[0] / 2, found[1] / 2];
  return { origin: plus(plus(middle, u, x), v, y), radiusMm: Math.sqrt(found[2] + x * x + y * y) };
}

/** The point of an axis that is nearest to all lines along the normals. */
function axisPoint({ normals, centroids, areas }: FacePatch, axis: Vector): Vector | undefined {
  const [u, v] = frameOf(axis);
  const middle = vectorAt(centroids, 0);
  const fit = new LinearFit(2);
  for (let i = 0; i < areas.length; i++) {
    const at = 3 * i;
    const x = normals[at] * u[0] + normals[at + 1] * u[1] + normals[at + 2] * u[2],
      y = normals[at] * v[0] + normals[at + 1] * v[1] + normals[at + 2] * v[2];
    const length = Math.sqrt(x * x + y * y);
    if (length < 1e-6) continue;
    const fx = centroids[at] - middle[0],
      fy = centroids[at + 1] - middle[1],
      fz = centroids[at + 2] - middle[2];
    // The line passes the point where the cross product of both is 0.
    const p = -y / length,
      q = x / length;
    fit.add(p * (fx * u[0] + fy * u[1] + fz * u[2]) + q * (fx * v[0] + fy * v[1] + fz * v[2]), p, q);
  }
  const found = fit.solve();
  return found && plus(plus(middle, u, found[0]), v, found[1]);
}

/**
 * The two axes that all normals meet most nearly: n·m + (p × n)·d = 0 for the direction d and the moment m of an axis.
 */
function axesOfComplex({ normals, centroids, areas }: FacePatch, size: number): { axis: Vector; origin: Vector }[] {
  const middle = vectorAt(centroids, 0);
  const a = new Float64Array(9),
    b = new Float64Array(9),
    d = new Float64Array(9);
  for (let i = 0; i < areas.length; i++) {
    const x = (centroids[3 * i] - middle[0]) * (1 / size),
      y = (centroids[3 * i + 1] - middle[1]) * (1 / size),
      z = (centroids[3 * i + 2] - middle[2]) * (1 / size);
    const nx = normals[3 * i],
      ny = normals[3 * i + 1],
      nz = normals[3 * i + 2];
    const mx = y * nz - z * ny,
      my = z * nx - x * nz,
      mz = x * ny - y * nx;
    const area = areas[i];
    for (let row = 0; row < 3; row++) {
      const moment = area * (row === 0 ? mx : row === 1 ? my : mz),
        normal = area * (row === 0 ? nx : row === 1 ? ny : nz),
        j = 3 * row;
      a[j] += moment * mx;
      a[j + 1] += moment * my;
      a[j + 2] += moment * mz;
      b[j] += moment * nx;
      b[j + 1] += moment * ny;
      b[j + 2] += moment * nz;
      d[j] += normal * nx;
      d[j + 1] += normal * ny;
      d[j + 2] += normal * nz;
    }
  }
  const rowsOf = (m: Float64Array): number[][] => [0, 3, 6].map((at) => [...m.subarray(at, at + 3)]);
  // For each direction the best moment is -D⁻¹ Bᵀ d; what remains is a quadratic form in d alone.
  const columns = [0, 1, 2].map((k) => solved(rowsOf(d), [b[3 * k], b[3 * k + 1], b[3 * k + 2]]));
  if (columns.some((column) => column === undefined)) return [];
  const rest = new Float64Array(9);
  for (let j = 0; j < 9; j++) {
    const row = Math.floor(j / 3),
      column = columns[j % 3]!;
    rest[j] = a[j] - (b[3 * row] * column[0] + b[3 * row + 1] * column[1] + b[3 * row + 2] * column[2]);
  }
  const { vectors } = eigenSymmetric3(rest);
  return [6, 3].map((at) => {
    const axis = vectorAt(vectors, at);
    const part = (k: number): number => -columns.reduce((sum, column, i) => sum + column![k] * axis[i], 0);
    return { axis, origin: plus(middle, cross(axis, [part(0), part(1), part(2)]), size) };
  });
}

/** Some of the points, spread over all. */
function sampled(points: Float64Array): Float64Array {
  const count = points.length / 3;
  if (count <= FITTED_POINTS) return points;
  const some = new Float64Array(3 * FITTED_POINTS);
  for (let i = 0; i < FITTED_POINTS; i++) {
    const at = 3 * Math.floor((i * count) / FITTED_POINTS);
    for (let k = 0; k < 3; k++) some[3 * i + k] = points[at + k];
  }
  return some;
}

function meanOf(points: Float64Array): Vector {
  let x = 0,
    y = 0,
    z = 0;
  for (let at = 0; at < points.length; at += 3) {
    x += points[at];
    y += points[at + 1];
    z += points[at + 2];
  }
  const factor = 3 / points.length;
  return [factor * x, factor * y, factor * z];
}

function sizeOf(points: Float64Array, [x, y, z]: Vector): number {
  let most = 0;
  for (let at = 0; at < points.length; at += 3) {
    const dx = points[at] - x,
      dy = points[at + 1] - y,
      dz = points[at + 2] - z;
    most = Math.max(most, Math.sqrt(dx * dx + dy * dy + dz * dz));
  }
  return most;
}

function vectorAt(values: ArrayLike<number>, at: number): Vector {
  return [values[at], values[at + 1], values[at + 2]];
}
