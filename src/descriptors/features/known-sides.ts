import { triangleNormal } from '../../content/triangle-normal.js';

/** A mesh whose normals are asked about. */
interface Mesh {
  /** f32 or f64[3 * vertexCount], mm. */
  readonly positions: Float32Array | Float64Array;
  readonly indices: Uint32Array;
}

/** Places that are looked at, and how many triangles are looked at for all of them together. */
const MOST_PLACES = 48;
const LEAST_PLACES = 12;
const MOST_TRIANGLES = 600_000;
/** How far before the surface is looked, as a share of the diagonal of the mesh's box. */
const BEFORE = 1e-4;
/** Winding numbers up to this count as 0: gaps of a surface let a little of what is behind them be seen. */
const OUTSIDE = 0.35;
/** Least share of the places that lie on the outside, and most that face the inside of the part. */
const LEAST_OUTSIDE = 0.75;
const MOST_INSIDE_OUT = 0.03;
/** Fractions of the golden ratio and of its square spread points evenly over triangles. */
const SPREAD = [0.6180339887498949, 0.3819660112501051] as const;

/**
 * Whether the normals of a mesh that is not closed point outwards all the same, as those of a body whose pieces were
 * joined without common vertices, or which lacks a face. Just before a face that points outwards the generalised
 * winding number (Jacobson, Kavan, Sorkine-Hornung 2013) is near 0; before one that points inwards it is near -1,
 * before one inside another piece near 1, and before a sheet without thickness near -1/2.
 */
export function areSidesKnown({ positions, indices }: Mesh): boolean {
  const count = indices.length / 3;
  const areas = new Float64Array(count);
  let all = 0;
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let t = 0; t < count; t++) {
    const [nx, ny, nz] = normalOf(positions, indices, t);
    all += Math.hypot(nx, ny, nz);
    areas[t] = all;
  }
  for (const vertex of indices)
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], positions[3 * vertex + k]);
      high[k] = Math.max(high[k], positions[3 * vertex + k]);
    }
  const before = BEFORE * Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  if (!(all > 0 && before > 0)) return false;
  const places = Math.min(MOST_PLACES, Math.max(LEAST_PLACES, Math.floor(MOST_TRIANGLES / count)));
  let outside = 0,
    insideOut = 0;
  for (let i = 0, t = 0; i < places; i++) {
    while (t < count - 1 && areas[t] < ((i + 0.5) / places) * all) t++;
    const winding = windingAt(positions, indices, pointBefore(positions, indices, t, { number: i, before }));
    if (Math.abs(winding) <= OUTSIDE) outside++;
    else if (winding < 0) insideOut++;
  }
  return outside >= LEAST_OUTSIDE * places && insideOut <= MOST_INSIDE_OUT * places;
}

/** A point of a triangle, moved along its normal. */
function pointBefore(
  positions: Mesh['positions'],
  indices: Uint32Array,
  triangle: number,
  { number, before }: { readonly number: number; readonly before: number },
): readonly [number, number, number] {
  const normal = normalOf(positions, indices, triangle);
  const length = Math.hypot(...normal);
  let u = (number * SPREAD[0] + 0.5) % 1,
    v = (number * SPREAD[1] + 0.25) % 1;
  if (u + v > 1) [u, v] = [1 - u, 1 - v];
  // Not on an edge, where a neighbour may stand before the point.
  [u, v] = [0.1 + 0.7 * u, 0.1 + 0.7 * v];
  const at = (k: number): number => {
    const [a, b, c] = [0, 1, 2].map((corner) => positions[3 * indices[3 * triangle + corner] + k]);
    return a + u * (b - a) + v * (c - a) + (before * normal[k]) / length;
  };
  return [at(0), at(1), at(2)];
}

/** Twice the area long. */
function normalOf(positions: Mesh['positions'], indices: Uint32Array, triangle: number): [number, number, number] {
  const normal: [number, number, number] = [0, 0, 0];
  triangleNormal(positions, indices, triangle, normal);
  return normal;
}

/** Sum of the solid angles of all triangles over 4 π (Van Oosterom, Strackee 1983). */
function windingAt(
  positions: Mesh['positions'],
  indices: Uint32Array,
  [x, y, z]: readonly [number, number, number],
): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const a = 3 * indices[i],
      b = 3 * indices[i + 1],
      c = 3 * indices[i + 2];
    const ax = positions[a] - x,
      ay = positions[a + 1] - y,
      az = positions[a + 2] - z;
    const bx = positions[b] - x,
      by = positions[b + 1] - y,
      bz = positions[b + 2] - z;
    const cx = positions[c] - x,
      cy = positions[c + 1] - y,
      cz = positions[c + 2] - z;
    const la = Math.sqrt(ax * ax + ay * ay + az * az),
      lb = Math.sqrt(bx * bx + by * by + bz * bz),
      lc = Math.sqrt(cx * cx + cy * cy + cz * cz);
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const rest =
      la * lb * lc +
      (ax * bx + ay * by + az * bz) * lc +
      (bx * cx + by * cy + bz * cz) * la +
      (cx * ax + cy * ay + cz * az) * lb;
    sum += Math.atan2(volume, rest);
  }
  return sum / (2 * Math.PI);
}
