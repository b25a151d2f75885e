/** Most rounds over the vertices of a face, and the change of a normal, rad, at which they end. */
const ROUNDS = 10;
const SETTLED = 1e-5;
/** Weight of the mean of the triangles' normals against one side of a triangle. */
const MEAN_WEIGHT = 0.02;
/** Least share of the spread of the normals that each direction is given: along a cylinder they do not turn at all. */
const LEAST_SHARE = 1e-4;
/** Least share that a side's direction is given of that spread; sides along a cylinder say little. */
const LEAST_ALONG = 1e-3;
/** A spread below this is none, rad². */
const NO_SPREAD = 1e-18;

const AFTER = [1, 2, 0];

/**
 * The normals of a surface at vertices of a mesh that lie on it. On an arc, the normals at both ends of a chord make
 * the same angle with it, so that (n + m)·chord = 0; on any smooth surface that holds to the third order of its length.
 * The normals of a face are those that keep to it best along all sides of its triangles and stay near the mean of the
 * triangles, which alone is off to one side at the border of a face. A normal moves only in the directions in which
 * the triangles around its vertex turn.
 */
export class SurfaceNormals {
  readonly #positions: Float64Array;
  readonly #indices: Uint32Array;
  /** f64[3 * triangles]: unit normals, 0 for a triangle without area. */
  readonly #triangles: Float64Array;
  /** By vertex of the mesh its place among those of the face. */
  readonly #places: Int32Array;

  constructor(positions: Float64Array, indices: Uint32Array, triangles: Float64Array) {
    this.#positions = positions;
    this.#indices = indices;
    this.#triangles = triangles;
    this.#places = new Int32Array(positions.length / 3).fill(-1);
  }

  /** Replaces sums of the normals of a face's triangles, f64[3 * vertices], by unit normals of its surface. */
  refine(first: number, count: number, normals: Float64Array): void {
    const corners = this.#indices.subarray(3 * first, 3 * (first + count));
    const vertices: number[] = [];
    for (const vertex of corners) {
      if (this.#places[vertex] >= 0) continue;
      this.#places[vertex] = vertices.length;
      vertices.push(vertex);
    }
    for (const vertex of vertices) normalise(normals, 3 * vertex);
    const spreads = this.#spreads(first, corners, normals, vertices.length);
    const sides = this.#sides(corners, vertices, spreads);
    settle(vertices, sides, spreads, normals);
    for (const vertex of vertices) this.#places[vertex] = -1;
  }

  /** By place: sum of squares of how far the triangles' normals are from the vertex's, and its trace. f64[7 * n]. */
  #spreads(first: number, corners: Uint32Array, normals: Float64Array, count: number): Float64Array {
    const spreads = new Float64Array(7 * count);
    const triangles = this.#triangles;
    for (let corner = 0; corner < corners.length; corner++) {
      const vertex = 3 * corners[corner],
        own = 3 * first + corner - (corner % 3),
        at = 7 * this.#places[corners[corner]];
      const x = triangles[own] - normals[vertex],
        y = triangles[own + 1] - normals[vertex + 1],
        z = triangles[own + 2] - normals[vertex + 2];
      spreads[at] += x * x;
      spreads[at + 1] += x * y;
      spreads[at + 2] += x * z;
      spreads[at + 3] += y * y;
      spreads[at + 4] += y * z;
      spreads[at + 5] += z * z;
    }
    for (let at = 0; at < spreads.length; at += 7) spreads[at + 6] = spreads[at] + spreads[at + 3] + spreads[at + 5];
    return spreads;
  }

  /** The sides at each vertex; those between two triangles of the face count twice, like the triangles. */
  #sides(corners: Uint32Array, vertices: readonly number[], spreads: Float64Array): Sides {
    const places = this.#places,
      positions = this.#positions;
    const starts = new Uint32Array(vertices.length + 1);
    for (const vertex of corners) starts[places[vertex] + 1] += 2;
    for (let i = 0; i < vertices.length; i++) starts[i + 1] += starts[i];
    const filled = starts.slice();
    const others = new Uint32Array(2 * corners.length);
    const directions = new Float64Array(6 * corners.length),
      weights = new Float64Array(2 * corners.length);
    for (let corner = 0; corner < corners.length; corner++) {
      const from = corners[corner],
        to = corners[corner - (corner % 3) + AFTER[corner % 3]];
      const dx = positions[3 * to] - positions[3 * from],
        dy = positions[3 * to + 1] - positions[3 * from + 1],
        dz = positions[3 * to + 2] - positions[3 * from + 2];
      const factor = 1 / Math.sqrt(dx * dx + dy * dy + dz * dz);
      const [x, y, z] = [factor * dx, factor * dy, factor * dz];
      const share = (shareAlong(spreads, places[from], x, y, z) + shareAlong(spreads, places[to], x, y, z)) / 2;
      for (const [one, other] of [
        [from, to],
        [to, from],
      ]) {
        const at = filled[places[one]]++;
        others[at] = other;
        directions[3 * at] = x;
        directions[3 * at + 1] = y;
        directions[3 * at + 2] = z;
        weights[at] = 1 / (LEAST_ALONG + share);
      }
    }
    return { starts, others, directions, weights };
  }
}

/** The sides at each vertex of a face, by its place: those from `starts[place]` to before `starts[place + 1]`. */
interface Sides {
  readonly starts: Uint32Array;
  /** Vertices at their other ends. */
  readonly others: Uint32Array;
  /** f64[3 * sides]: unit vectors along them, to either end. */
  readonly directions: Float64Array;
  readonly weights: Float64Array;
}

/** Moves each normal in turn to where its sides and its mean want it, until they rest. */
function settle(
  vertices: readonly number[],
  { starts, others, directions, weights }: Sides,
  spreads: Float64Array,
  normals: Float64Array,
): void {
  const means = new Float64Array(3 * vertices.length);
  for (const [i, vertex] of vertices.entries())
    for (let axis = 0; axis < 3; axis++) means[3 * i + axis] = normals[3 * vertex + axis];
  const held = new Float64Array(spreads.length);
  for (let i = 0; i < vertices.length; i++) stiffness(spreads, 7 * i, held);
  const matrix = new Float64Array(6);
  for (let round = 0; round < ROUNDS; round++) {
    let most = 0;
    for (const [i, vertex] of vertices.entries()) {
      if (spreads[7 * i + 6] <= NO_SPREAD) continue;
      const own = 3 * vertex;
      const nx = normals[own],
        ny = normals[own + 1],
        nz = normals[own + 2];
      const [mx, my, mz] = [means[3 * i] - nx, means[3 * i + 1] - ny, means[3 * i + 2] - nz];
      for (let k = 0; k < 6; k++) matrix[k] = held[7 * i + k];
      const [a, b, c, d, e, f] = matrix;
      let x = a * mx + b * my + c * mz,
        y = b * mx + d * my + e * mz,
        z = c * mx + e * my + f * mz;
      for (let side = starts[i]; side < starts[i + 1]; side++) {
        const other = 3 * others[side];
        const hx = directions[3 * side],
          hy = directions[3 * side + 1],
          hz = directions[3 * side + 2];
        const weight = weights[side];
        const off =
          weight * ((nx + normals[other]) * hx + (ny + normals[other + 1]) * hy + (nz + normals[other + 2]) * hz);
        matrix[0] += weight * hx * hx;
        matrix[1] += weight * hx * hy;
        matrix[2] += weight * hx * hz;
        matrix[3] += weight * hy * hy;
        matrix[4] += weight * hy * hz;
        matrix[5] += weight * hz * hz;
        x -= off * hx;
        y -= off * hy;
        z -= off * hz;
      }
      if (!invert(matrix)) continue;
      const [p, q, r, s, t, u] = matrix;
      const [dx, dy, dz] = [p * x + q * y + r * z, q * x + s * y + t * z, r * x + t * y + u * z];
      normals[own] = nx + dx;
      normals[own + 1] = ny + dy;
      normals[own + 2] = nz + dz;
      normalise(normals, own);
      most = Math.max(most, Math.abs(dx), Math.abs(dy), Math.abs(dz));
    }
    if (most < SETTLED) break;
  }
}

/** How firmly a normal is held to its mean: in each direction the more, the less the triangles around it turn there. */
function stiffness(spreads: Float64Array, at: number, into: Float64Array): void {
  const trace = spreads[at + 6];
  if (trace <= NO_SPREAD) return;
  const matrix = new Float64Array(6);
  for (let k = 0; k < 6; k++) matrix[k] = spreads[at + k] / trace;
  matrix[0] += LEAST_SHARE;
  matrix[3] += LEAST_SHARE;
  matrix[5] += LEAST_SHARE;
  if (!invert(matrix)) return;
  for (let k = 0; k < 6; k++) into[at + k] = MEAN_WEIGHT * matrix[k];
}

/** The share of the normals' spread at a vertex that lies along a direction, 0 to 1. */
function shareAlong(spreads: Float64Array, place: number, x: number, y: number, z: number): number {
  const at = 7 * place,
    trace = spreads[at + 6];
  if (trace <= NO_SPREAD) return 0;
  const across = spreads[at + 1] * x * y + spreads[at + 2] * x * z + spreads[at + 4] * y * z;
  return (spreads[at] * x * x + spreads[at + 3] * y * y + spreads[at + 5] * z * z + 2 * across) / trace;
}

/** Inverts a symmetric matrix, its upper triangle row by row, in place; false where it is singular. */
function invert(m: Float64Array): boolean {
  const [a, b, c, d, e, f] = m;
  const p = d * f - e * e,
    q = c * e - b * f,
    r = b * e - c * d;
  const determinant = a * p + b * q + c * r;
  if (!(Math.abs(determinant) > 1e-18)) return false;
  m[0] = p / determinant;
  m[1] = q / determinant;
  m[2] = r / determinant;
  m[3] = (a * f - c * c) / determinant;
  m[4] = (b * c - a * e) / determinant;
  m[5] = (a * d - b * b) / determinant;
  return true;
}

function normalise(values: Float64Array, at: number): void {
  const length = Math.sqrt(values[at] ** 2 + values[at + 1] ** 2 + values[at + 2] ** 2);
  if (length === 0) return;
  values[at] /= length;
  values[at + 1] /= length;
  values[at + 2] /= length;
}
