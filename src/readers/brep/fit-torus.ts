import { cross, type Vector } from '../geometry/vectors.js';

/** A ring torus, mm: the frame of its axis, the radius of the circle in its middle, and the smaller one of its tube. */
export interface Torus {
  readonly origin: Vector;
  /** Unit vectors, right-angled: across the axis, across both, and along the axis. */
  readonly axes: readonly [Vector, Vector, Vector];
  readonly ringMm: number;
  readonly tubeMm: number;
}

/** Most vertices that a torus is computed from. */
const MOST_POINTS = 64;
/** Terms of the equation of a torus; fewer vertices than a few more lie on many surfaces. */
const TERMS = 13;
const LEAST_POINTS = TERMS + 3;
/** A pivot below this share of the largest factor is 0. */
const NO_PIVOT = 1e-13;

/**
 * The ring torus through vertices of a face, if there is one; whether they all lie on it is for the caller to check.
 * Tori are cyclides, |x|⁴ = |x|² a·x + Q(x, x) + b·x + d, which is linear in its 13 terms: a is 4 times the centre,
 * and Q holds axis and radii (no first guess, and no normals, which triangles that cut through a tube would spoil).
 * positions: f64[3 * n], mm. vertices: without doubles.
 */
export function fitTorus(positions: Float64Array, vertices: readonly number[]): Torus | undefined {
  if (vertices.length < LEAST_POINTS) return undefined;
  const count = Math.min(vertices.length, MOST_POINTS);
  const some = Array.from({ length: count }, (_, i) => 3 * vertices[Math.floor((i * vertices.length) / count)]);
  const middle = [0, 1, 2].map((axis) => some.reduce((sum, at) => sum + positions[at + axis], 0) / count);
  const size = Math.max(...some.map((at) => Math.hypot(...middle.map((m, axis) => positions[at + axis] - m))));
  if (!(size > 0)) return undefined;
  const system = Array.from({ length: TERMS }, () => new Float64Array(TERMS + 1));
  for (const at of some) {
    const [x, y, z] = middle.map((m, axis) => (positions[at + axis] - m) / size);
    const square = x * x + y * y + z * z;
    const terms = [square * x, square * y, square * z, x * x, y * y, z * z, x * y, x * z, y * z, x, y, z, 1];
    terms.push(square * square);
    for (let i = 0; i < TERMS; i++) for (let k = 0; k <= TERMS; k++) system[i][k] += terms[i] * terms[k];
  }
  const found = solved(system);
  return found === undefined ? undefined : torusOf(found, middle, size);
}

function torusOf(found: readonly number[], middle: readonly number[], size: number): Torus | undefined {
  const centre = found.slice(0, 3).map((value) => value / 4);
  const [xx, yy, zz, xy, xz, yz] = found.slice(3, 9);
  const form = [
    [xx, xy / 2, xz / 2],
    [xy / 2, yy, yz / 2],
    [xz / 2, yz / 2, zz],
  ];
  // About its own centre the form is 2 (R² + r²) I - 4 R² n nᵀ, for the axis n, the ring's radius R and the tube's r.
  const square = centre.reduce((sum, value) => sum + value * value, 0);
  const own = form.map((row, i) =>
    row.map((value, k) => -value - 4 * centre[i] * centre[k] - (i === k ? 2 * square : 0)),
  );
  const trace = own[0][0] + own[1][1] + own[2][2];
  const rest = own.map((row, i) => row.map((value, k) => value - (i === k ? trace / 3 : 0)));
  const ringSquared = Math.sqrt((1.5 * rest.flat().reduce((sum, value) => sum + value * value, 0)) / 16);
  const ring = Math.sqrt(ringSquared),
    tube = Math.sqrt((-trace - 2 * ringSquared) / 6);
  if (!(tube > 0 && ring > tube)) return undefined;
  const outer = rest.map((row, i) => row.map((value, k) => value / (4 * ringSquared) + (i === k ? 1 / 3 : 0)));
  const column = [0, 1, 2].reduce((best, i) => (outer[i][i] > outer[best][best] ? i : best));
  const z = unit([outer[0][column], outer[1][column], outer[2][column]]);
  const [a, b, c] = z.map(Math.abs);
  const x = unit(cross(z, a <= b && a <= c ? [1, 0, 0] : b <= c ? [0, 1, 0] : [0, 0, 1]));
  const [ox, oy, oz] = middle.map((value, axis) => value + size * centre[axis]);
  return { origin: [ox, oy, oz], axes: [x, cross(z, x), z], ringMm: size * ring, tubeMm: size * tube };
}

function unit([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** The solution of rows of factors with the right side at their end, by elimination; undefined if it has many. */
function solved(rows: Float64Array[]): number[] | undefined {
  const size = rows.length;
  const least = NO_PIVOT * Math.max(...rows.flatMap((row) => [...row.subarray(0, size)].map(Math.abs)));
  for (let column = 0; column < size; column++) {
    const pivot = rows.reduce(
      (best, row, i) => (i >= column && Math.abs(row[column]) > Math.abs(rows[best][column]) ? i : best),
      column,
    );
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    if (!(Math.abs(rows[column][column]) > least)) return undefined;
    for (const [i, row] of rows.entries()) {
      if (i === column) continue;
      const factor = row[column] / rows[column][column];
      for (let k = column; k <= size; k++) row[k] -= factor * rows[column][k];
    }
  }
  return rows.map((row, i) => row[size] / row[i]);
}
