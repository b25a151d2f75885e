import type { GrowableU32 } from '../geometry/growable.js';

/**
 * Point tests that ear clipping may spend on one file. It is quadratic, so a hostile polygon of a million corners would
 * hang; when the budget is spent, polygons become fans, which still have the right volume and closed edges.
 */
const POINT_TESTS = 100_000_000;

/** Cuts polygons into triangles that use every corner, also those on straight edges, so that neighbours stay joined. */
export class Triangulator {
  #testsLeft = POINT_TESTS;

  /**
   * Appends `corners.length − 2` triangles with the polygon's winding to `out`.
   *
   * positions: f64[3 * n]. corners: indices of vertices in order; all below n, else the polygon becomes a fan (and welding
   * leaves the bad triangles out). Convex polygons become fans too; others lose ears in the plane of their
   * Newell normal (Meisters 1975, "Polygons have ears"). A polygon that crosses itself ends as a fan of what is left.
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
        // Going on two corners further cuts alternate ears, which gives fewer slivers than going round one corner.
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

  /** A corner that turns left and whose triangle holds no other corner, nor one on its edges. */
  #isEar(flat: Float64Array, next: Uint32Array, a: number, b: number, c: number): boolean {
    const ax = flat[2 * a],
      ay = flat[2 * a + 1];
    const bx = flat[2 * b],
      by = flat[2 * b + 1];
    const cx = flat[2 * c],
      cy = flat[2 * c + 1];
    if (turn(ax, ay, bx, by, cx, cy) <= 0) return false;
    for (let p = next[c]; p !== a; p = next[p]) {
      this.#testsLeft--;
      const x = flat[2 * p],
        y = flat[2 * p + 1];
      if (turn(ax, ay, bx, by, x, y) < 0 || turn(bx, by, cx, cy, x, y) < 0 || turn(cx, cy, ax, ay, x, y) < 0) continue;
      // A hole is often tied to the outline by a bridge that runs there and back: its ends lie on other corners.
      if ((x === ax && y === ay) || (x === bx && y === by) || (x === cx && y === cy)) continue;
      return false;
    }
    return true;
  }
}

function fan(corners: Uint32Array, out: GrowableU32): void {
  for (let i = 2; i < corners.length; i++) out.push3(corners[0], corners[i - 1], corners[i]);
}

/**
 * The corners as f64[2 * count] in the coordinate plane that the polygon's normal is nearest to, turned so that the
 * polygon is counter-clockwise; undefined when it has no area or names a vertex that does not exist.
 */
function project(positions: Float64Array, corners: Uint32Array): Float64Array | undefined {
  const count = corners.length;
  const normal = [0, 0, 0];
  for (let i = 0; i < count; i++) {
    const p = 3 * corners[i],
      q = 3 * corners[i + 1 < count ? i + 1 : 0];
    if (p >= positions.length) return undefined;
    // Newell's sums, relative to the first corner so that a polygon far from the origin keeps its digits.
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

/** True when every corner turns left, so that a fan has no triangle that is flat or turned over. */
function isConvex(flat: Float64Array): boolean {
  const count = flat.length / 2;
  let around = 0;
  for (let i = 0; i < count; i++) {
    const j = (i + 1) % count,
      k = (i + 2) % count;
    const ax = flat[2 * i],
      ay = flat[2 * i + 1],
      bx = flat[2 * j],
      by = flat[2 * j + 1];
    const cx = flat[2 * k],
      cy = flat[2 * k + 1];
    if (turn(ax, ay, bx, by, cx, cy) <= 0) return false;
    // A star polygon turns left at every corner too, but passes from rising to falling x more than once.
    if (bx > ax !== cx > bx) around++;
  }
  return around <= 2;
}

/** Twice the signed area of the triangle; positive when it turns left. */
function turn(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}
