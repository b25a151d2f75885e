import type { Core } from '../../../core/core.js';
import { sizeOf } from '../../../descriptors/surface-measures.js';
import type { MatchClass } from '../../query/match-class.js';
import { findPlace, type FoundPlace } from './find-place.js';
import { gate } from './gate.js';
import type { PartSurface } from './part-surface.js';
import { composePoses, inversePose, matrixOf, scaleOf } from './pose.js';
import { VainPoses } from './vain-poses.js';

/** What {@link comparePart} found. */
export interface PartMatch {
  readonly matchClass: MatchClass;
  /**
   * f64[16], column-major, from the first model's frame to the second's, mm; mirrors where the match does. Absent when
   * merely similar.
   */
  readonly transform?: Float64Array;
  /**
   * Largest and mean distance of the checked points from the other surface, in the second model's mm; NaN when merely
   * similar.
   */
  readonly maxDeviationMm: number;
  readonly meanDeviationMm: number;
  /**
   * Size of the second model divided by the first's; 1 unless scaled. Exactly 25.4 (or another ratio of units) if it is
   * within 0.05 % of that.
   */
  readonly scale: number;
}

/** Version of the rules of the comparison; stored results of another version are computed again. */
export const COMPARISON_VERSION = 4;

/** A fit is clearly better when its largest deviation is this many times smaller. */
const CLEARLY = 3;

/**
 * Decides whether `b` is the same part as `a`. Aligns `b` with `a` in each pose that their frames allow, refines each
 * pose, and checks points on every smooth patch of both surfaces against the other one. Prefers identical to mirrored
 * to scaled; in doubt, similar. Deterministic. The orientation of triangles and holes in the mesh do not matter.
 */
export function comparePart(core: Core, a: PartSurface, b: PartSurface): PartMatch {
  const possible = gate(a.facts, b.facts);
  if (possible.sameSize) {
    const vain = new VainPoses(core, a);
    const found = findPlace(core, b, a, { mirrors: false, scale: 1, scales: false, vain });
    if (found?.outliers === 0) return matchOf(a, b, found, 'identical');
    const mirrored = findPlace(core, b, a, { mirrors: true, scale: 1, scales: false, vain });
    // A part whose only handed feature is tiny fits almost as well rotated as mirrored: the better fit decides.
    const isMirrored =
      mirrored !== undefined && (found === undefined || mirrored.maxDeviationMm * CLEARLY < found.maxDeviationMm);
    if (isMirrored) {
      // A part that is its own mirror image is identical, even if coarse triangles hid the rotation that shows it.
      const own = { mirrors: true, scale: 1, scales: false, vain: new VainPoses(core, a) };
      const itself = found === undefined ? findPlace(core, a, a, own) : undefined;
      if (itself?.outliers !== 0) return matchOf(a, b, mirrored, 'mirrored');
      const pose = composePoses(itself.pose, mirrored.pose);
      const maxDeviationMm = mirrored.maxDeviationMm + itself.maxDeviationMm;
      return matchOf(a, b, { ...mirrored, pose, maxDeviationMm }, 'identical');
    }
    if (found !== undefined) return matchOf(a, b, found, 'identical');
  }
  if (possible.scaled) {
    const scale = sizeOf(a.facts) / sizeOf(b.facts);
    const vain = new VainPoses(core, a);
    for (const mirrors of [false, true]) {
      const found = findPlace(core, b, a, { mirrors, scale, scales: true, vain });
      if (found !== undefined) return matchOf(a, b, found, 'scaled');
    }
  }
  return { matchClass: 'similar', maxDeviationMm: NaN, meanDeviationMm: NaN, scale: 1 };
}

function matchOf(a: PartSurface, b: PartSurface, found: FoundPlace, matchClass: MatchClass): PartMatch {
  const pose = inversePose(found.pose);
  const scale = matchClass === 'scaled' ? nearUnitRatio(scaleOf(pose)) : 1;
  return {
    matchClass,
    transform: matrixOf(pose, a.modelCentroidMm, b.modelCentroidMm),
    maxDeviationMm: found.maxDeviationMm * scale,
    meanDeviationMm: found.meanDeviationMm * scale,
    scale,
  };
}

/** Ratios between units of length that are often confused. */
const UNIT_RATIOS = [25.4, 10, 100, 1000, 304.8, 12, 2.54, 39.37007874015748, 3.280839895013123];

function nearUnitRatio(scale: number): number {
  for (const ratio of UNIT_RATIOS) {
    if (Math.abs(scale / ratio - 1) < 5e-4) return ratio;
    if (Math.abs(scale * ratio - 1) < 5e-4) return 1 / ratio;
  }
  return scale;
}
