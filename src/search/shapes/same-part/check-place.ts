import type { Core } from '../../../core/core.js';
import type { PartSurface, SurfaceSamples } from './part-surface.js';
import { MOST_QUERIES, onSurface, type SurfacePair } from './placed-queries.js';
import { inversePose, scaleOf, type Pose } from './pose.js';
import { measureGap, MOST_ARC, type SurfaceGap } from './surface-gap.js';

/**
 * Largest distances between two surfaces of one part, by experiment (`npm run bench -- same-part`), as shares of the
 * part's reach, which is about half its length.
 */
const TOLERANCE = Object.freeze({
  /** For any two files of one part. */
  base: 4e-4,
  /**
   * This share of all points may be as far off as `loose`: warped faces are tessellated in ways that their bends do not
   * show.
   */
  outliers: 0.01,
  loose: 1.5e-3,
  /**
   * But at most this share of the points of one patch, if they are three or more: otherwise it is another hole, not
   * another tessellation.
   */
  patchOutliers: 0.5,
});

/** Samples that were far off in an earlier check; they are tested first in the next one. */
export interface Suspects {
  readonly forward: Suspect[];
  readonly backward: Suspect[];
}

interface Suspect {
  readonly samples: SurfaceSamples;
  readonly number: number;
}

/** Largest and mean distance of the checked points, mm. */
export interface Deviation {
  readonly maxDeviationMm: number;
  readonly meanDeviationMm: number;
  /** Points that are farther off than tessellation explains, within what is allowed. */
  readonly outliers: number;
}

/**
 * A quick test of a pose: how far points on patches may be off (share of the reach), and the share that may be farther.
 */
export type Glance = readonly { readonly off: number; readonly share: number }[];

const GLANCE_SAMPLES = 64;
/**
 * After the first and the second refinement. At 3,140 poses at which changed copies of 218 parts made by code were
 * found half of the points were within 0.0007, then within 0.0009 (bench/findings/shapes.md).
 */
export const ROUGH_GLANCE: Glance = [
  { off: 6e-3, share: 0.1 },
  { off: 1.5e-3, share: 0.5 },
];
export const FINE_GLANCE: Glance = [{ off: 1.5e-3, share: 0.5 }];

/** Whether a pose is worth further fitting, judged by a few points on patches. */
export function looksRight(pair: SurfacePair, pose: Pose, glance: Glance): boolean {
  const { from, to, nearest, placed } = pair;
  const samples = from.patches;
  const { reachMm } = to.facts;
  const count = Math.min(GLANCE_SAMPLES, samples.count);
  const placedSamples = { pose, scale: scaleOf(pose), samples, first: 0 };
  const gap: SurfaceGap = { above: 0, aside: 0 };
  const mayLieOff = glance.map(({ share }) => Math.ceil(share * count));
  placed.ask(nearest, pose, { samples, first: 0, count }, (glance[0].off + MOST_ARC) * reachMm, 'same way');
  for (let i = 0; i < count; i++) {
    let off = placed.distances[i] / reachMm;
    if (glance.every((bound) => off <= bound.off)) continue;
    if (placed.triangles[i] >= 0) {
      measureGap(pair, placedSamples, i, gap);
      off = Math.max(Math.abs(gap.above), gap.aside) / reachMm;
    }
    for (const [at, bound] of glance.entries()) if (off > bound.off && --mayLieOff[at] < 0) return false;
  }
  return true;
}

/**
 * Checks points on every smooth patch of both surfaces, and points all over, against the other surface.
 * @returns the deviation in mm of `to`, or undefined when a point is farther off than the tolerance.
 */
export function checkPlace(core: Core, pair: SurfacePair, pose: Pose, suspects: Suspects): Deviation | undefined {
  const { from, to, placed } = pair;
  const scale = scaleOf(pose);
  const simplified = from.facts.simplifiedByMm * scale + to.facts.simplifiedByMm;
  const baseMm = TOLERANCE.base * to.facts.reachMm + 2 * simplified;
  const forward = checkOneWay(pair, pose, baseMm, suspects.forward);
  if (forward === undefined) return undefined;
  const backward = onSurface(core, { from: to, to: from, placed }, (reverse) =>
    checkOneWay(reverse, inversePose(pose), baseMm / scale, suspects.backward),
  );
  if (backward === undefined) return undefined;
  return {
    maxDeviationMm: Math.max(forward.maxDeviationMm, backward.maxDeviationMm * scale),
    meanDeviationMm: (forward.meanDeviationMm + backward.meanDeviationMm * scale) / 2,
    outliers: forward.outliers + backward.outliers,
  };
}

function checkOneWay(pair: SurfacePair, pose: Pose, baseMm: number, suspects: Suspect[]): Deviation | undefined {
  const { from, to, nearest, placed } = pair;
  const scale = scaleOf(pose);
  const arcMostMm = MOST_ARC * to.facts.reachMm;
  const looseMm = Math.max(baseMm, TOLERANCE.loose * to.facts.reachMm);
  const mostOutliers = Math.ceil(TOLERANCE.outliers * (from.patches.count + from.spread.count));
  let outliers = 0;
  const gap: SurfaceGap = { above: 0, aside: 0 };
  const offOfPatch = new Map<number, number>();
  let max = 0,
    sum = 0,
    seen = 0;
  /** The number of the first sample that is too far off, or −1. */
  const firstOff = (samples: SurfaceSamples, first: number, count: number): number => {
    const placedSamples = { pose, scale, samples, first };
    placed.ask(nearest, pose, { samples, first, count }, looseMm + arcMostMm, 'same way');
    for (let i = 0; i < count; i++) {
      const distance = placed.distances[i],
        triangle = placed.triangles[i];
      if (triangle < 0) return first + i;
      if (distance > baseMm) {
        measureGap(pair, placedSamples, i, gap);
        const excess = Math.sqrt(gap.above * gap.above + gap.aside * gap.aside);
        if (excess > looseMm || (excess > baseMm && ++outliers > mostOutliers)) return first + i;
        if (excess > baseMm && samples === from.patches) {
          const patch = from.edges.patchOf[samples.triangles[first + i]];
          offOfPatch.set(patch, (offOfPatch.get(patch) ?? 0) + 1);
        }
      }
      if (distance > max) max = distance;
      sum += distance;
      seen++;
    }
    return -1;
  };
  for (const { samples, number } of suspects) if (firstOff(samples, number, 1) >= 0) return undefined;
  offOfPatch.clear();
  for (const samples of [from.patches, from.spread]) {
    for (let first = 0; first < samples.count; first += MOST_QUERIES) {
      const number = firstOff(samples, first, Math.min(MOST_QUERIES, samples.count - first));
      if (number < 0) continue;
      suspects.push({ samples, number });
      return undefined;
    }
  }
  for (const [patch, off] of offOfPatch) {
    if (off >= 3 && off > TOLERANCE.patchOutliers * pointsOn(from, patch)) return undefined;
  }
  return { maxDeviationMm: max, meanDeviationMm: sum / seen, outliers };
}

/** Number of points on a patch. */
function pointsOn({ patches, edges }: PartSurface, patch: number): number {
  let count = 0;
  for (const triangle of patches.triangles) if (edges.patchOf[triangle] === patch) count++;
  return count;
}
