import type { Core } from '../../../core/core.js';
import { surfaceDeviations } from '../../../core/deviation.js';
import { candidatePoses } from './candidate-poses.js';
import type { MatchClass } from '../../query/match-class.js';
import { comparePart } from './compare-part.js';
import { fitPose } from './fit-pose.js';
import type { PartSurface } from './part-surface.js';
import { onSurface } from './placed-queries.js';
import { inversePose, matrixOf, poseOf, type Pose } from './pose.js';

/** The alignment of one part with another. */
export interface LaidParts {
  /**
   * - `match`: they are the same part, mirrored or scaled perhaps, and the transform carries one onto the other;
   * - `place`: their coordinates in the files already align them;
   * - `fit`: aligned by principal axes, then refined until the surfaces are as near to each other as possible.
   */
  readonly alignedBy: 'match' | 'place' | 'fit';
  readonly matchClass: MatchClass;
  /** f64[16], column-major, from the first model's frame to the second's, mm. */
  readonly transform: Float64Array;
}

/**
 * A fit must have at most this share of the distance at the original coordinates: parts of one project often share a
 * frame.
 */
const CLEARLY_NEARER = 0.9;
/** Number of candidate poses that are refined, and the options of both refinements. */
const FITTED = 6;
const ROUGH = Object.freeze({ samples: 128, iterations: 12, by: 'tangents', scales: false } as const);
const FINE = Object.freeze({ samples: 256, iterations: 12, by: 'tangents', scales: false } as const);
/** Points farther from the surface than this share of its reach are ignored. */
const ROUGH_REACH = 0.15;
const FINE_REACH = 0.04;

/** Aligns `a` with `b`: exactly if they are the same part, otherwise by the best rigid motion. Deterministic. */
export function layParts(core: Core, a: PartSurface, b: PartSurface): LaidParts {
  const { matchClass, transform } = comparePart(core, a, b);
  if (transform !== undefined) return { alignedBy: 'match', matchClass, transform };
  const from = a.modelCentroidMm,
    to = b.modelCentroidMm;
  const place = poseOf([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  for (let axis = 0; axis < 3; axis++) place[9 + axis] = from[axis] - to[axis];
  const candidates = [place, ...candidatePoses(a, b, { mirrors: false, scale: 1 })];
  const gaps = meanGaps(core, a, b, candidates);
  const order = candidates
    .map((_, i) => i)
    .sort((i, j) => gaps[i] - gaps[j] || i - j)
    .slice(0, FITTED);
  const chosen = order.map((i) => candidates[i]);
  const fitted = fitAll(core, a, b, chosen);
  const fittedGaps = meanGaps(core, a, b, fitted);
  const best = fittedGaps.reduce((least, gap, i) => (gap < fittedGaps[least] ? i : least), 0);
  const stays = gaps[0] <= fittedGaps[best] / CLEARLY_NEARER;
  return {
    alignedBy: stays ? 'place' : 'fit',
    matchClass,
    transform: matrixOf(stays ? place : fitted[best], from, to),
  };
}

function fitAll(core: Core, a: PartSurface, b: PartSurface, poses: readonly Pose[]): Pose[] {
  const size = b.facts.reachMm;
  return onSurface(core, { from: a, to: b }, (pair) =>
    poses.map((pose) => {
      const rough = fitPose(pose, pair, { ...ROUGH, reachMm: ROUGH_REACH * size });
      return fitPose(rough, pair, { ...FINE, reachMm: FINE_REACH * size });
    }),
  );
}

/**
 * Sum of the mean distances of each surface's points from the other surface, mm, for each pose; in both directions, so
 * that a small part inside a large one does not fit.
 */
function meanGaps(core: Core, a: PartSurface, b: PartSurface, poses: readonly Pose[]): number[] {
  const forth = surfaceDeviations(core, b, Float32Array.from(a.spread.points), rowsOf(poses), Infinity);
  const back = surfaceDeviations(core, a, Float32Array.from(b.spread.points), rowsOf(poses.map(inversePose)), Infinity);
  return poses.map((_, i) => forth[i].meanMm + back[i].meanMm);
}

/** f32[12 * n], row-major 3 × 4. */
function rowsOf(poses: readonly Pose[]): Float32Array {
  return Float32Array.from(
    poses.flatMap((p) => [p[0], p[1], p[2], p[9], p[3], p[4], p[5], p[10], p[6], p[7], p[8], p[11]]),
  );
}
