import type { Core } from '../core/core.js';
import { withSurfaceTree, type SurfaceQuery } from '../core/surface-tree.js';
import type { PartSurface, SurfaceSamples } from './part-surface.js';
import { MOST_QUERIES, type PlacedQueries } from './placed-queries.js';
import { inversePose, scaleOf, type Pose } from './pose.js';

/**
 * How far two surfaces of one part may lie apart, by experiment (`npm run bench:same-part`); lengths are shares of the
 * part's reach, which is half its length or a little more.
 */
export const TOLERANCE = {
  /** Any two files of one part. */
  base: 3e-4,
  /** The base rises with the noise of the whole surface (its median), by this factor, up to `noisy`. */
  noiseFactor: 3,
  noisy: 4e-3,
  /** So many of all points may lie as far off as `loose`: warped faces are cut in ways that their bends do not tell. */
  outliers: 0.005,
  loose: 1e-3,
  /** The arc heights of both tessellations count so often, up to `arc`. */
  sagittaFactor: 1.6,
  arc: 0.03,
};

/** Points count as lying on triangles that lean by less than 60° from their own: else the wall of a small hole would lie on the plate. */
export const facingCos = 0.5;

/** Samples that were far off in a check, by their numbers: the first to be asked in the next one. */
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
  /** Points that lie farther off than tessellation explains, within what is allowed. */
  readonly outliers: number;
}

/** Points of the first look, which measures the noise. */
const NOISE_SAMPLES = 224;

/**
 * Checks points on every smooth patch of both surfaces, and points all over, against the other surface.
 * @param nearest asks the tree of `to`.
 * @returns the deviation in mm of `to`, or undefined when a point is farther off than the tolerance.
 */
export function checkPlace(
  core: Core, from: PartSurface, to: PartSurface, pose: Pose, nearest: SurfaceQuery, placed: PlacedQueries, suspects: Suspects,
): Deviation | undefined {
  const scale = scaleOf(pose);
  const simplified = from.facts.simplifiedByMm * scale + to.facts.simplifiedByMm;
  const noise = noiseOf(from, to, pose, nearest, placed);
  const size = to.facts.reachMm;
  const baseMm = Math.min(TOLERANCE.noisy * size, TOLERANCE.base * size + TOLERANCE.noiseFactor * noise) + 2 * simplified;
  const forward = checkOneWay(from, to, pose, baseMm, nearest, placed, suspects.forward);
  if (forward === undefined) return undefined;
  const options = { mostQueries: MOST_QUERIES, cosLimit: facingCos };
  const backward = withSurfaceTree(core, from.treeIn(core), options, (nearestBack) =>
    checkOneWay(to, from, inversePose(pose), baseMm / scale, nearestBack, placed, suspects.backward));
  if (backward === undefined) return undefined;
  return {
    maxDeviationMm: Math.max(forward.maxDeviationMm, backward.maxDeviationMm * scale),
    meanDeviationMm: (forward.meanDeviationMm + backward.meanDeviationMm * scale) / 2,
    outliers: forward.outliers + backward.outliers,
  };
}

/** Median distance of points all over, beyond what the arcs explain. */
function noiseOf(from: PartSurface, to: PartSurface, pose: Pose, nearest: SurfaceQuery, placed: PlacedQueries): number {
  const scale = scaleOf(pose);
  const count = Math.min(NOISE_SAMPLES, from.spread.count);
  const excess = new Float64Array(count);
  placed.ask(nearest, pose, from.spread, 0, count, TOLERANCE.noisy * to.facts.reachMm, 'same way');
  for (let i = 0; i < count; i++) {
    const triangle = placed.triangles[i];
    const arcs = triangle < 0 ? 0 : scale * from.sagittas[from.spread.triangles[i]] + to.sagittas[triangle];
    excess[i] = Math.max(0, placed.distances[i] - arcs);
  }
  return excess.sort()[count >> 1];
}

function checkOneWay(
  from: PartSurface, to: PartSurface, pose: Pose, baseMm: number, nearest: SurfaceQuery, placed: PlacedQueries, suspects: Suspect[],
): Deviation | undefined {
  const scale = scaleOf(pose);
  const arcMostMm = TOLERANCE.arc * to.facts.reachMm;
  const looseMm = Math.max(baseMm, TOLERANCE.loose * to.facts.reachMm);
  const mostOutliers = Math.ceil(TOLERANCE.outliers * (from.patches.count + from.spread.count));
  let outliers = 0;
  let max = 0, sum = 0, seen = 0;
  /** The number of the first sample that is off, or −1. */
  const firstOff = (samples: SurfaceSamples, first: number, count: number): number => {
    placed.ask(nearest, pose, samples, first, count, looseMm + arcMostMm, 'same way');
    for (let i = 0; i < count; i++) {
      const distance = placed.distances[i], triangle = placed.triangles[i];
      if (triangle < 0) return first + i;
      if (distance > baseMm) {
        const arcs = scale * from.sagittas[samples.triangles[first + i]] + to.sagittas[triangle];
        const allowed = Math.min(arcMostMm, TOLERANCE.sagittaFactor * arcs);
        if (distance > looseMm + allowed || (distance > baseMm + allowed && ++outliers > mostOutliers)) return first + i;
      }
      if (distance > max) max = distance;
      sum += distance;
      seen++;
    }
    return -1;
  };
  for (const { samples, number } of suspects) if (firstOff(samples, number, 1) >= 0) return undefined;

  for (const samples of [from.patches, from.spread]) {
    for (let first = 0; first < samples.count; first += MOST_QUERIES) {
      const number = firstOff(samples, first, Math.min(MOST_QUERIES, samples.count - first));
      if (number < 0) continue;
      suspects.push({ samples, number });
      return undefined;
    }
  }
  return { maxDeviationMm: max, meanDeviationMm: sum / seen, outliers };
}
