import { distanceTo, normalAt } from '../../descriptors/faces/fitted-surface.js';
import { solveInPlace } from '../../descriptors/faces/least-squares.js';
import type { PartFace } from '../../descriptors/faces/part-face.js';
import { cross, dot, lengthOf, plus, scaled, unit, type Vector } from '../../descriptors/faces/vector.js';
import { nearestSample } from './free-face.js';
import { movedBy, type Pose } from './pose.js';

/** Points of a query face, and the face of the host on which they come to lie. */
export interface LaidPoints {
  readonly points: readonly Vector[];
  readonly on: PartFace;
}

const ROUNDS = 4;
/** Points of a face that are used; faces. */
const POINTS = 8;
const MOST_FACES = 60;
/** What points of free faces weigh, whose samples lie on facets. */
const FREE = 0.1;
/** Three of a turn and three of a shift. */
const UNKNOWNS = 6;
/** Holds what nothing fixes where it is. */
const WEAK = 1e-7;

/**
 * The pose near to another that brings points nearest to the surfaces of host faces, by Gauss-Newton steps of the
 * squared distances along the normals.
 */
export function refinedPose(pose: Pose, laid: readonly LaidPoints[]): Pose {
  const samples = laid
    .slice(0, MOST_FACES)
    .flatMap(({ points, on }) =>
      points.filter((_, i) => i % Math.ceil(points.length / POINTS) === 0).map((point) => ({ point, on })),
    );
  if (samples.length < 6) return pose;
  let refined = pose;
  for (let round = 0; round < ROUNDS; round++) {
    const step = stepOf(refined, samples);
    if (step === undefined) return refined;
    refined = step;
  }
  return refined;
}

function stepOf(pose: Pose, samples: readonly { readonly point: Vector; readonly on: PartFace }[]): Pose | undefined {
  const moved = samples.map(({ point }) => movedBy(pose, point));
  const centre = scaled(
    moved.reduce<Vector>((sum, point) => plus(sum, point), [0, 0, 0]),
    1 / moved.length,
  );
  const size = Math.max(1e-3, ...moved.map((point) => lengthOf(plus(point, centre, -1))));
  const width = UNKNOWNS + 1;
  const system = new Float64Array(UNKNOWNS * width);
  for (let a = 0; a < UNKNOWNS; a++) system[a * width + a] = WEAK;
  for (const [i, { on }] of samples.entries()) {
    const place = footOf(on, moved[i]);
    if (place === undefined) continue;
    const { normal, distance, weight } = place;
    const arm = cross(scaled(plus(moved[i], centre, -1), 1 / size), normal);
    const row = [...arm, ...normal];
    for (let a = 0; a < UNKNOWNS; a++) {
      system[a * width + UNKNOWNS] -= (weight * row[a] * distance) / size;
      for (let b = 0; b < UNKNOWNS; b++) system[a * width + b] += weight * row[a] * row[b];
    }
  }
  if (!solveInPlace(system, UNKNOWNS)) return undefined;
  const change = Array.from({ length: UNKNOWNS }, (_, a) => system[a * width + UNKNOWNS]);
  if (!change.every(Number.isFinite)) return undefined;
  const turn: Vector = [change[0], change[1], change[2]];
  // About the middle of the samples.
  const middle = turnedVector(turn, plus(pose.shift, centre, -1));
  return {
    rows: turnedRows(pose.rows, turn),
    shift: [
      centre[0] + middle[0] + size * change[3],
      centre[1] + middle[1] + size * change[4],
      centre[2] + middle[2] + size * change[5],
    ],
  };
}

function footOf(on: PartFace, point: Vector): { normal: Vector; distance: number; weight: number } | undefined {
  if (on.kind !== 'free') return { normal: normalAt(on, point), distance: distanceTo(on, point), weight: 1 };
  const at = nearestSample(on, point);
  if (at < 0) return undefined;
  const normal: Vector = [on.samples[at + 3], on.samples[at + 4], on.samples[at + 5]];
  const from = plus(point, [on.samples[at], on.samples[at + 1], on.samples[at + 2]], -1);
  return { normal, distance: dot(from, normal), weight: FREE };
}

/** A vector turned by an axis times a small angle (Rodrigues). */
function turnedVector(by: Vector, v: Vector): Vector {
  const angle = lengthOf(by);
  if (angle === 0) return v;
  const axis = unit(by);
  const sine = Math.sin(angle),
    cosine = Math.cos(angle);
  return plus(plus(scaled(v, cosine), cross(axis, v), sine), axis, dot(axis, v) * (1 - cosine));
}

function turnedRows(rows: Pose['rows'], by: Vector): Pose['rows'] {
  const columns = [0, 1, 2].map((j) => turnedVector(by, [rows[0][j], rows[1][j], rows[2][j]]));
  const row = (i: number): Vector => [columns[0][i], columns[1][i], columns[2][i]];
  return [row(0), row(1), row(2)];
}
