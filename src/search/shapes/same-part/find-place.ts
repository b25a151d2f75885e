import type { Core } from '../../../core/core.js';
import { candidatePoses } from './candidate-poses.js';
import { checkPlace, FINE_GLANCE, looksRight, ROUGH_GLANCE, type Deviation, type Suspects } from './check-place.js';
import { fitPose } from './fit-pose.js';
import type { PartSurface } from './part-surface.js';
import { onSurface, type SurfacePair } from './placed-queries.js';
import type { Pose } from './pose.js';
import type { VainPoses } from './vain-poses.js';

/** A pose of one part on another that passed the check; lengths in mm of the second part. */
export interface FoundPlace extends Deviation {
  readonly pose: Pose;
}

/** Points that rank candidate poses: a few drop hopeless ones, the rest give the order. */
const FIRST_SCORES = 16;
const SCORES = 48;
/** Points and iterations of the refinements: the first recognises equal poses, the last aligns arcs with arcs. */
const ROUGH = Object.freeze({ samples: 64, iterations: 4, by: 'tangents' } as const);
const FINE = Object.freeze({ samples: 224, iterations: 8, by: 'flats first' } as const);
const LAST = Object.freeze({ samples: 256, iterations: 6, by: 'gaps' } as const);
/** Most poses that are refined and checked. */
const TRIES = 10;
/** Shares of the part's reach beyond which points are ignored: in refinement and in ranking. */
const FAR = 0.12;
const SCORE_FAR = 0.08;
/**
 * Mean distance (share of the reach) above which a pose is hopeless, on top of a quarter of the mean arc. No pose at
 * which one of 805 changed copies was found exceeded 0.0014; most poses of other parts exceed twice that.
 */
const HOPELESS = 0.003;
/** Poses nearer than this to one that failed are not checked again. */
const SAME_PLACE = 2e-3;

/**
 * Finds a pose of `from` on `to` at which both surfaces agree; undefined when there is none.
 * @param options.mirrors true: only mirroring poses; false: none of them.
 * @param options.scale expected size of `to` divided by that of `from`. @param options.scales refine the scale as well.
 * @param options.vain poses of this scale that need not be tried; those from which no fit comes near are
 * added.
 */
export function findPlace(
  core: Core,
  from: PartSurface,
  to: PartSurface,
  options: { mirrors: boolean; scale: number; scales: boolean; vain: VainPoses },
): FoundPlace | undefined {
  const size = to.facts.reachMm;
  return onSurface(core, { from, to }, (pair) => {
    const arcs = Math.max(options.scale * from.facts.meanArcMm, to.facts.meanArcMm) / 4;
    const reach = (best: number): number => Math.min(HOPELESS * size + arcs, 3 * best + 0.004 * size);
    const ranked = rankPoses(candidatePoses(from, to, options), pair, SCORE_FAR * size, reach);
    const suspects: Suspects = { forward: [], backward: [] };
    const failed: Pose[] = [];
    const fit = { reachMm: FAR * size, scales: options.scales };
    const tried = (start: Pose): FoundPlace | undefined => {
      const rough = fitPose(start, pair, { ...fit, ...ROUGH });
      const isRight = looksRight(pair, rough, ROUGH_GLANCE);
      if (isRight && failed.some((pose) => isNear(pose, rough, size))) return undefined;
      const fine = isRight ? fitPose(rough, pair, { ...fit, ...FINE }) : undefined;
      if (fine === undefined || !looksRight(pair, fine, FINE_GLANCE)) {
        options.vain.add(start);
        return undefined;
      }
      const pose = fitPose(fine, pair, { ...fit, ...LAST });
      const found = checkPlace(core, pair, pose, suspects);
      if (found !== undefined) return { pose, ...found };
      failed.push(pose);
      return undefined;
    };
    for (const { pose: start, score } of ranked.slice(0, TRIES)) {
      if (score > reach(ranked[0].score)) break;
      if (options.vain.has(start)) continue;
      const found = tried(start);
      if (found !== undefined) return found;
    }
    return undefined;
  });
}

/**
 * Ranks poses by the mean distance of a few points, nearest first; drops a pose as soon as it cannot be a good one.
 * reach: the largest acceptable score for a given best score, mm.
 */
function rankPoses(
  poses: readonly Pose[],
  { from: { spread: samples }, nearest, placed }: SurfacePair,
  farMm: number,
  reach: (best: number) => number,
): { pose: Pose; score: number }[] {
  let best = Infinity;
  const ranked: { pose: Pose; score: number }[] = [];
  const sumOf = (pose: Pose, first: number, count: number): number => {
    placed.ask(nearest, pose, { samples, first, count }, farMm, 'any way');
    let sum = 0;
    for (let i = 0; i < count; i++) sum += placed.distances[i];
    return sum;
  };
  for (const pose of poses) {
    const bound = SCORES * reach(best);
    let sum = sumOf(pose, 0, FIRST_SCORES);
    if (sum > bound) continue;
    sum += sumOf(pose, FIRST_SCORES, SCORES - FIRST_SCORES);
    if (sum > bound) continue;
    best = Math.min(best, sum / SCORES);
    ranked.push({ pose, score: sum / SCORES });
  }
  return ranked.sort((p, q) => p.score - q.score);
}

function isNear(a: Pose, b: Pose, size: number): boolean {
  let apart = 0;
  for (let i = 0; i < 9; i++) apart = Math.max(apart, Math.abs(a[i] - b[i]));
  for (let i = 9; i < 12; i++) apart = Math.max(apart, Math.abs(a[i] - b[i]) / size);
  return apart < SAME_PLACE;
}
