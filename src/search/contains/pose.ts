import type { PartFace } from '../../descriptors/faces/part-face.js';
import {
  across,
  cross,
  dot,
  lengthOf,
  minus,
  plus,
  scaled,
  unit,
  type Vector,
} from '../../descriptors/faces/vector.js';

/** A rigid motion: rows of the rotation, and the translation, mm. */
export interface Pose {
  readonly rows: readonly [Vector, Vector, Vector];
  readonly shift: Vector;
}

/** A face of the query and the face of the host on which it is laid. */
export type Pairing = readonly [query: PartFace, host: PartFace];

/** Least sine between two directions that fix a rotation. */
const LEAST_SINE = 0.05;
/** Largest difference of the cosines of two directions in query and host. */
const SAME_COSINE = 0.005;
/** What directions that nothing fixes are worth beside those that are fixed. */
const WEAK = 1e-6;

export function turnedBy({ rows }: Pick<Pose, 'rows'>, v: Vector): Vector {
  return [dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)];
}

export function movedBy(pose: Pose, point: Vector): Vector {
  return plus(turnedBy(pose, point), pose.shift);
}

/** f64[16], column-major. */
export function matrixOf({ rows: [x, y, z], shift }: Pose): Float64Array {
  return Float64Array.of(
    x[0],
    y[0],
    z[0],
    0,
    x[1],
    y[1],
    z[1],
    0,
    x[2],
    y[2],
    z[2],
    0,
    shift[0],
    shift[1],
    shift[2],
    1,
  );
}

/** Which two directions of a pair of faces fix a rotation: that of either face, or the offset between their axes. */
export type Directions = readonly ['first' | 'second' | 'offset', 'first' | 'second' | 'offset'];

/** From an axis to a point: the axis itself, and the way to the point. */
export const FROM_AXIS: Directions = ['first', 'offset'];

/** Undefined for a pair that leaves a turn free, such as two faces on one axis. */
export function directionsOf(a: PartFace, b: PartFace): Directions | undefined {
  const names = ['first', 'second', 'offset'] as const;
  const found = names.map((name) => directionOf(name, a, b));
  for (const [i, j] of [
    [0, 1],
    [0, 2],
    [1, 2],
  ] as const) {
    const [one, other] = [found[i], found[j]];
    if (one !== undefined && other !== undefined && lengthOf(cross(one.vector, other.vector)) >= LEAST_SINE)
      return [names[i], names[j]];
  }
  return undefined;
}

/** The rotations that lay a pair of faces on another, at most four: an axis has no sign. */
export function rotationsBetween(
  directions: Directions,
  [a, onA]: Pairing,
  [b, onB]: Pairing,
): readonly Pose['rows'][] {
  const found: Pose['rows'][] = [];
  const of = (one: PartFace, other: PartFace) => directions.map((name) => directionOf(name, one, other));
  const [q1, q2] = of(a, b),
    [h1, h2] = of(onA, onB);
  if (q1 === undefined || q2 === undefined || h1 === undefined || h2 === undefined) return found;
  const cosine = dot(q1.vector, q2.vector);
  for (const s of h1.hasSign ? [1] : [1, -1]) {
    for (const t of h2.hasSign ? [1] : [1, -1]) {
      if (Math.abs(s * t * dot(h1.vector, h2.vector) - cosine) > SAME_COSINE) continue;
      found.push(rotation(frame(q1.vector, q2.vector), frame(scaled(h1.vector, s), scaled(h2.vector, t))));
    }
  }
  return found;
}

/** A rotation that lays the direction of a face on that of another; turns about it are left as they come. */
export function rotationsAlong([a, onA]: Pairing): readonly Pose['rows'][] {
  const q = directionOf('first', a, a),
    h = directionOf('first', onA, onA);
  if (q === undefined || h === undefined)
    return [
      [
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
      ],
    ];
  const beside = (v: Vector): Vector => (Math.abs(v[0]) < 0.6 ? [1, 0, 0] : [0, 1, 0]);
  return (h.hasSign ? [1] : [1, -1]).map((s) => {
    const to = scaled(h.vector, s);
    return rotation(frame(q.vector, beside(q.vector)), frame(to, beside(to)));
  });
}

/**
 * The translation that lays faces on faces after a rotation, and how many of its three directions they fix. Along the
 * others the middles of the first pair come together.
 */
export function shiftOf({ rows }: Pick<Pose, 'rows'>, pairings: readonly Pairing[]): { shift: Vector; fixed: number } {
  // The symmetric matrix of what is fixed, and its right side.
  let xx = 0,
    xy = 0,
    xz = 0,
    yy = 0,
    yz = 0,
    zz = 0,
    x = 0,
    y = 0,
    z = 0;
  for (const [{ origin: from }, { kind, axis, origin: to }] of pairings) {
    const [p, q, r] = from;
    const dx = to[0] - rows[0][0] * p - rows[0][1] * q - rows[0][2] * r,
      dy = to[1] - rows[1][0] * p - rows[1][1] * q - rows[1][2] * r,
      dz = to[2] - rows[2][0] * p - rows[2][1] * q - rows[2][2] * r;
    // Projection onto the directions in which a surface fixes a place: n nᵀ of planes, 1 - d dᵀ of axes, 1 of points.
    const factor = kind === 'plane' ? 1 : kind === 'cylinder' ? -1 : 0,
      one = kind === 'plane' ? 0 : 1;
    const along = factor * (axis[0] * dx + axis[1] * dy + axis[2] * dz);
    xx += one + factor * axis[0] * axis[0];
    yy += one + factor * axis[1] * axis[1];
    zz += one + factor * axis[2] * axis[2];
    xy += factor * axis[0] * axis[1];
    xz += factor * axis[0] * axis[2];
    yz += factor * axis[1] * axis[2];
    x += one * dx + along * axis[0];
    y += one * dy + along * axis[1];
    z += one * dz + along * axis[2];
  }
  const fixed = rankOf({ xx, xy, xz, yy, yz, zz });
  if (fixed < 3) {
    const [query, host] = pairings[0];
    const wish = minus(host.middle, turnedBy({ rows }, query.middle));
    xx += WEAK;
    yy += WEAK;
    zz += WEAK;
    x += WEAK * wish[0];
    y += WEAK * wish[1];
    z += WEAK * wish[2];
  }
  const determinant = determinantOf({ xx, xy, xz, yy, yz, zz });
  const shift: Vector = [
    ((yy * zz - yz * yz) * x + (xz * yz - xy * zz) * y + (xy * yz - xz * yy) * z) / determinant,
    ((xz * yz - xy * zz) * x + (xx * zz - xz * xz) * y + (xy * xz - xx * yz) * z) / determinant,
    ((xy * yz - xz * yy) * x + (xy * xz - xx * yz) * y + (xx * yy - xy * xy) * z) / determinant,
  ];
  return { shift, fixed };
}

interface Symmetric {
  readonly xx: number;
  readonly xy: number;
  readonly xz: number;
  readonly yy: number;
  readonly yz: number;
  readonly zz: number;
}

/** Rank of a positive matrix, by its invariants. */
function rankOf(m: Symmetric): number {
  const { xx, xy, xz, yy, yz, zz } = m;
  const trace = xx + yy + zz;
  if (!(trace > 0)) return 0;
  if (determinantOf(m) > 1e-4 * trace ** 3) return 3;
  return xx * yy - xy * xy + xx * zz - xz * xz + yy * zz - yz * yz > 1e-3 * trace * trace ? 2 : 1;
}

function determinantOf({ xx, xy, xz, yy, yz, zz }: Symmetric): number {
  return xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
}

interface Direction {
  readonly vector: Vector;
  /** Whether it points one way only; the axis of a cylinder or torus points both ways. */
  readonly hasSign: boolean;
}

function directionOf(name: Directions[0], a: PartFace, b: PartFace): Direction | undefined {
  if (name === 'offset') return offsetOf(a, b);
  const { kind, axis } = name === 'first' ? a : b;
  if (kind === 'sphere') return undefined;
  return { vector: axis, hasSign: kind !== 'cylinder' && kind !== 'torus' };
}

/** From the axis or centre of one face to that of the other; undefined where they meet or there is none. */
function offsetOf(a: PartFace, b: PartFace): Direction | undefined {
  if (a.kind === 'plane' || b.kind === 'plane') return undefined;
  let vector = minus(b.origin, a.origin);
  if (a.kind === 'cylinder') vector = across(vector, a.axis);
  if (b.kind === 'cylinder') vector = across(vector, b.axis);
  if (a.kind === 'cylinder' && b.kind === 'cylinder' && lengthOf(cross(a.axis, b.axis)) > LEAST_SINE) return undefined;
  const length = lengthOf(vector);
  return length > 1e-3 + 0.01 * (a.radiusMm + b.radiusMm) ? { vector: unit(vector), hasSign: true } : undefined;
}

/** Three unit vectors at right angles: along a, across a towards b, and their product. */
function frame(a: Vector, b: Vector): readonly [Vector, Vector, Vector] {
  const y = unit(across(b, a));
  return [a, y, cross(a, y)];
}

/** The rotation that turns one frame into another, by rows. */
function rotation(from: readonly Vector[], to: readonly Vector[]): Pose['rows'] {
  const row = (i: number): Vector =>
    [0, 1, 2].map((j) => to[0][i] * from[0][j] + to[1][i] * from[1][j] + to[2][i] * from[2][j]) as unknown as Vector;
  return [row(0), row(1), row(2)];
}
