import type { Geometry } from './face-patch.js';
import type { Vector } from './vector.js';

/** Numbers of a sample: a point, mm, and the outward unit normal there. */
export const SAMPLE = 6;
/** Most samples of a free face, and of all those of a body; fewest that say anything. */
export const MOST_SAMPLES = 48;
const MOST_OF_BODY = 2_048;
const LEAST_SAMPLES = 8;
/** Steps between 0 and 1 that repeat least in two dimensions (Roberts 2018: the plastic number). */
const STEPS = [0.7548776662466927, 0.5698402909980532] as const;

/** Samples of each free face of a body with so many of them. */
export function samplesEach(freeFaces: number): number {
  const count = Math.min(MOST_SAMPLES, Math.floor(MOST_OF_BODY / Math.max(1, freeFaces)));
  return count < LEAST_SAMPLES ? 0 : count;
}

/**
 * Points spread over triangles by their area, each followed by the outward normal of its triangle, f64[6 * count].
 * corners: of the triangles one after another, f64[9 * n], mm.
 */
export function samplesOf(corners: Float64Array, { sign }: Pick<Geometry, 'sign'>, count: number): Float64Array {
  const triangles = corners.length / 9;
  const normals = new Float64Array(3 * triangles),
    areas = new Float64Array(triangles);
  let total = 0;
  for (let t = 0; t < triangles; t++) {
    const [ax, ay, az] = corner(corners, t, 0),
      [bx, by, bz] = corner(corners, t, 1),
      [cx, cy, cz] = corner(corners, t, 2);
    const x = (by - ay) * (cz - az) - (bz - az) * (cy - ay),
      y = (bz - az) * (cx - ax) - (bx - ax) * (cz - az),
      z = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) continue;
    normals.set([(sign * x) / length, (sign * y) / length, (sign * z) / length], 3 * t);
    areas[t] = length;
    total += length;
  }
  if (!(total > 0)) return new Float64Array();
  const samples = new Float64Array(SAMPLE * count);
  let t = 0,
    before = 0;
  for (let k = 0; k < count; k++) {
    const wanted = ((k + 0.5) / count) * total;
    while (t < triangles - 1 && before + areas[t] < wanted) before += areas[t++];
    let [u, v] = STEPS.map((step) => ((k + 0.5) * step) % 1);
    if (u + v > 1) [u, v] = [1 - u, 1 - v];
    const a = corner(corners, t, 0),
      b = corner(corners, t, 1),
      c = corner(corners, t, 2);
    for (let i = 0; i < 3; i++) {
      samples[SAMPLE * k + i] = a[i] + u * (b[i] - a[i]) + v * (c[i] - a[i]);
      samples[SAMPLE * k + 3 + i] = normals[3 * t + i];
    }
  }
  return samples;
}

function corner(corners: Float64Array, t: number, k: number): Vector {
  const at = 9 * t + 3 * k;
  return [corners[at], corners[at + 1], corners[at + 2]];
}
