import { solved } from '../../descriptors/faces/least-squares.js';
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
export function shiftOf(rows: Pose['rows'], pairings: readonly Pairing[]): { shift: Vector; fixed: number } {
  const m = [0, 1, 2].map(() => [0, 0, 0]);
  const right = [0, 0, 0];
  for (const [query, host] of pairings) {
    const apart = minus(host.origin, turnedBy({ rows }, query.origin));
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        const p = weightOf(host, i, j);
        m[i][j] += p;
        right[i] += p * apart[j];
      }
  }
  const fixed = rankOf(m);
  const [query, host] = pairings[0];
  const wish = minus(host.middle, turnedBy({ rows }, query.middle));
  for (let i = 0; i < 3; i++) {
    m[i][i] += WEAK;
    right[i] += WEAK * wish[i];
  }
  const shift = solved(m, right) ?? wish;
  return { shift: [shift[0], shift[1], shift[2]], fixed };
}

/** Projection onto the directions in which a surface fixes a place: n nᵀ of planes, 1 - d dᵀ of axes, 1 of points. */
function weightOf({ kind, axis }: PartFace, i: number, j: number): number {
  const unitOf = i === j ? 1 : 0;
  if (kind === 'plane') return axis[i] * axis[j];
  return kind === 'cylinder' ? unitOf - axis[i] * axis[j] : unitOf;
}

/** Rank of a positive matrix, by its invariants. */
function rankOf(m: readonly (readonly number[])[]): number {
  const trace = m[0][0] + m[1][1] + m[2][2];
  if (!(trace > 0)) return 0;
  const minor = (i: number, j: number): number => m[i][i] * m[j][j] - m[i][j] * m[j][i];
  const second = minor(0, 1) + minor(0, 2) + minor(1, 2);
  const determinant =
    m[0][0] * minor(1, 2) -
    m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
    m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  if (determinant > 1e-3 * trace ** 3 * 0.1) return 3;
  return second > 1e-3 * trace * trace ? 2 : 1;
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
