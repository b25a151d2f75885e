import type { GrowableU32 } from '../geometry/growable.js';

/**
 * Most point tests of ear clipping per file. Its time is quadratic, so a hostile polygon of a million corners would
 * hang. When they are used up, polygons become fans, which still have the right volume and closed edges.
 */
const POINT_TESTS = 100_000_000;

/**
 * Cuts polygons into triangles that use every corner, also those on straight edges, so that neighbours stay connected.
 */
export class Triangulator {
  #testsLeft = POINT_TESTS;

  /**
   * Appends `corners.length − 2` triangles with the polygon's winding to `out`. Convex polygons become fans; others are
   * cut by ear clipping in the plane of their Newell normal (Meisters 1975, "Polygons have ears"). What is left of a
   * self-intersecting polygon becomes a fan.
   *
   * positions: f64[3 * n]. corners: vertex numbers in order. A polygon with a number of n or more becomes a fan, and
   * welding drops the invalid triangles.
   */
  triangulate(positions: Float64Array, corners: Uint32Array, out: GrowableU32): void {
    const count = corners.length;
    if (count < 3) return;
    if (count === 3) {
      out.push3(corners[0], corners[1], corners[2]);
      return;
    }
    const flat = this.#testsLeft > 0 ? project(positions, corners) : undefined;
    if (flat === undefined || isConvex(flat)) fan(corners, out);
    else this.#clipEars(flat, corners, out);
  }

  #clipEars(flat: Float64Array, corners: Uint32Array, out: GrowableU32): void {
    const count = corners.length;
    const next = Uint32Array.from(corners, (_, i) => (i + 1) % count);
    const previous = Uint32Array.from(corners, (_, i) => (i + count - 1) % count);
    let left = count;
    let tip = 0;
    let misses = 0;
    while (left > 3 && misses < left && this.#testsLeft > 0) {
      const before = previous[tip],
        after = next[tip];
      if (this.#isEar(flat, next, before, tip, after)) {
        out.push3(corners[before], corners[tip], corners[after]);
        next[before] = after;
        previous[after] = before;
        left--;
        misses = 0;
        // Skipping a corner cuts alternate ears, which gives fewer slivers than cutting around one corner.
        tip = next[after];
      } else {
        misses++;
        tip = after;
      }
    }
    const rest = new Uint32Array(left);
    for (let i = 0; i < left; i++, tip = next[tip]) rest[i] = corners[tip];
    fan(rest, out);
  }

  /** Whether the corner turns left and its triangle contains no other corner, inside or on its edges. */
  #isEar(flat: Float64Array, next: Uint32Array, a: number, b: number, c: number): boolean {
    if (turn(flat, a, b, c) <= 0) return false;
    for (let p = next[c]; p !== a; p = next[p]) {
      this.#testsLeft--;
      if (turn(flat, a, b, p) < 0 || turn(flat, b, c, p) < 0 || turn(flat, c, a, p) < 0) continue;
      // A hole is often connected to the outline by a bridge in both directions, whose ends coincide with other
      // corners.
      if (coincide(flat, p, a) || coincide(flat, p, b) || coincide(flat, p, c)) continue;
      return false;
    }
    return true;
  }
}

function fan(corners: Uint32Array, out: GrowableU32): void {
  for (let i = 2; i < corners.length; i++) out.push3(corners[0], corners[i - 1], corners[i]);
}

/**
 * The corners as f64[2 * count] in the coordinate plane nearest to the polygon's plane, oriented so that the polygon is
 * counter-clockwise; undefined when it has no area or refers to a vertex that does not exist.
 */
function project(positions: Float64Array, corners: Uint32Array): Float64Array | undefined {
  const count = corners.length;
  const normal = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const p = 3 * corners[i],
      q = 3 * corners[i + 1 < count ? i + 1 : 0];
    if (p >= positions.length) return undefined;
    // Newell's sums, relative to the first corner: a polygon far from the origin keeps its precision.
    for (let axis = 0; axis < 3; axis++) {
      const u = (axis + 1) % 3,
        v = (axis + 2) % 3;
      const origin = positions[3 * corners[0] + v];
      normal[axis] += (positions[p + u] - positions[q + u]) * (positions[p + v] - origin + (positions[q + v] - origin));
    }
  }
  const [x, y, z] = normal.map(Math.abs);
  const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  if (!(normal[axis] !== 0 && Number.isFinite(x + y + z))) return undefined;
  const mirrors = normal[axis] < 0;
  const u = (axis + (mirrors ? 2 : 1)) % 3,
    v = (axis + (mirrors ? 1 : 2)) % 3;
  const flat = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    flat[2 * i] = positions[3 * corners[i] + u];
    flat[2 * i + 1] = positions[3 * corners[i] + v];
  }
  return flat;
}

/** Whether every corner turns left, so that a fan has no flat or inverted triangle. */
function isConvex(flat: Float64Array): boolean {
  const count = flat.length / 2;
  let around = 0;
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count,
      k = (i + 2) % count;
    if (turn(flat, i, j, k) <= 0) return false;
    // A star polygon also turns left at every corner, but changes from rising to falling x more than once.
    if (flat[2 * j] > flat[2 * i] !== flat[2 * k] > flat[2 * j]) around++;
  }
  return around <= 2;
}

/** Twice the signed area of the triangle of three corners; positive when it turns left. */
function turn(flat: Float64Array, a: number, b: number, c: number): number {
  const ax = flat[2 * a],
    ay = flat[2 * a + 1];
  return (flat[2 * b] - ax) * (flat[2 * c + 1] - ay) - (flat[2 * b + 1] - ay) * (flat[2 * c] - ax);
}

function coincide(flat: Float64Array, a: number, b: number): boolean {
  return flat[2 * a] === flat[2 * b] && flat[2 * a + 1] === flat[2 * b + 1];
}
