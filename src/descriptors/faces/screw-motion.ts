import { DisjointSets } from '../../content/groups.js';
import { eigenSymmetric3 } from '../eigen.js';
import { SAMPLE } from './free-samples.js';
import { solved } from './least-squares.js';
import type { BodyFaces } from './part-face.js';
import { across, cross, dot, lengthOf, minus, plus, type Vector } from './vector.js';

/**
 * A turn about an axis and a shift along it, by which a surface slides in itself: that of a thread, a spring, a vase.
 */
export interface ScrewMotion {
  /** Unit vector. */
  readonly axis: Vector;
  readonly origin: Vector;
  /** Shift for a turn of 1 rad, mm; 0: a turn only. Positive for a right-handed screw. */
  readonly pitchMm: number;
  /** Of the samples: least and greatest distance from the axis, mm. */
  readonly radiiMm: readonly [number, number];
}

/** Most free faces that touch each other and are taken together. */
const MOST_TOGETHER = 24;

/** The screw motions of groups of free faces that touch each other. */
export function screwMotionsOf({ faces, edges }: BodyFaces): ScrewMotion[] {
  const free = [...faces.keys()].filter((i) => faces[i].samples.length > 0);
  if (free.length === 0) return [];
  const placeOf = new Map(free.map((face, i) => [face, i]));
  const groups = new DisjointSets(free.length);
  for (const {
    faces: [a, b],
  } of edges) {
    const [one, other] = [placeOf.get(a), placeOf.get(b)];
    if (one !== undefined && other !== undefined) groups.join(one, other);
  }
  const members = new Map<number, number[]>();
  for (const [i, face] of free.entries()) {
    const group = members.get(groups.rootOf(i));
    if (group === undefined) members.set(groups.rootOf(i), [face]);
    else group.push(face);
  }
  return [...members.values()].flatMap((group) => {
    if (group.length > MOST_TOGETHER) return [];
    const samples = new Float64Array(group.reduce((sum, i) => sum + faces[i].samples.length, 0));
    let at = 0;
    for (const i of group) {
      samples.set(faces[i].samples, at);
      at += faces[i].samples.length;
    }
    return screwMotionOf(samples) ?? [];
  });
}

/** Of samples of whole triangles. */
const USUAL = { mostLeft: 0.1, clearer: 4 };

/**
 * The motion by which a free face slides in itself, from its samples; undefined without a clear one. The normals of
 * such a surface lie in a linear complex, n·m + (p × n)·d = 0 with the axis d (Pottmann, Randrup 1998). A part that is
 * cut off has the same.
 * @param mostLeft largest root mean square of what is left of the normals' complex. @param clearer how many times more
 *   the next best axis must leave.
 */
export function screwMotionOf(
  samples: Float64Array,
  { mostLeft, clearer }: { readonly mostLeft: number; readonly clearer: number } = USUAL,
): ScrewMotion | undefined {
  const count = samples.length / SAMPLE;
  if (count === 0) return undefined;
  const at = (i: number): Vector => [samples[i], samples[i + 1], samples[i + 2]];
  let middle: Vector = [0, 0, 0];
  for (let i = 0; i < samples.length; i += SAMPLE) middle = plus(middle, at(i), 1 / count);
  let size = 0;
  for (let i = 0; i < samples.length; i += SAMPLE) size += lengthOf(minus(at(i), middle)) / count;
  if (!(size > 0)) return undefined;
  const a = new Float64Array(9),
    b = new Float64Array(9),
    d = new Float64Array(9);
  for (let i = 0; i < samples.length; i += SAMPLE) {
    const nx = samples[i + 3],
      ny = samples[i + 4],
      nz = samples[i + 5];
    const x = (samples[i] - middle[0]) / size,
      y = (samples[i + 1] - middle[1]) / size,
      z = (samples[i + 2] - middle[2]) / size;
    const mx = y * nz - z * ny,
      my = z * nx - x * nz,
      mz = x * ny - y * nx;
    for (let row = 0; row < 3; row++) {
      const moment = row === 0 ? mx : row === 1 ? my : mz,
        normal = row === 0 ? nx : row === 1 ? ny : nz,
        j = 3 * row;
      a[j] += (moment * mx) / count;
      a[j + 1] += (moment * my) / count;
      a[j + 2] += (moment * mz) / count;
      b[j] += (moment * nx) / count;
      b[j + 1] += (moment * ny) / count;
      b[j + 2] += (moment * nz) / count;
      d[j] += (normal * nx) / count;
      d[j + 1] += (normal * ny) / count;
      d[j + 2] += (normal * nz) / count;
    }
  }
  // Normals that are all alike leave a way free: a little keeps the system solvable and the moment small.
  const rows = [0, 1, 2].map((i) => [0, 1, 2].map((j) => d[3 * i + j] + (i === j ? 1e-9 : 0)));
  const columns = [0, 1, 2].map((k) => solved(rows, [b[3 * k], b[3 * k + 1], b[3 * k + 2]]));
  if (columns.some((column) => column === undefined)) return undefined;
  const rest = new Float64Array(9);
  for (let j = 0; j < 9; j++) {
    const row = Math.floor(j / 3),
      column = columns[j % 3]!;
    rest[j] = a[j] - (b[3 * row] * column[0] + b[3 * row + 1] * column[1] + b[3 * row + 2] * column[2]);
  }
  const { values, vectors } = eigenSymmetric3(rest);
  const [next, least] = [Math.max(0, values[1]), Math.max(0, values[2])];
  if (!(Math.sqrt(least) <= mostLeft && next > clearer * clearer * least)) return undefined;
  const axis: Vector = [vectors[6], vectors[7], vectors[8]];
  const part = (k: number): number => -columns.reduce((sum, column, i) => sum + column![k] * axis[i], 0);
  const moment: Vector = [part(0), part(1), part(2)];
  const origin = plus(middle, cross(axis, moment), size);
  let [low, high] = [Infinity, 0];
  for (let i = 0; i < samples.length; i += SAMPLE) {
    const radius = lengthOf(across(minus(at(i), origin), axis));
    low = Math.min(low, radius);
    high = Math.max(high, radius);
  }
  return { axis, origin, pitchMm: size * dot(axis, moment), radiiMm: [low, high] };
}
