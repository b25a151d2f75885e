import type { Core } from '../../core/core.js';
import type { SurfaceFacts } from '../../descriptors/surface.js';
import { findPlace, type FoundPlace } from './find-place.js';
import type { PartSurface } from './part-surface.js';
import { composePoses, inversePose, matrixOf, scaleOf } from './pose.js';

/**
 * What a part is to another:
 * - `identical`: the same shape and size, however it is turned, placed, exported or meshed;
 * - `mirrored`: its mirror image, where that differs from the part itself;
 * - `scaled`: the same shape, or its mirror image, in another size;
 * - `similar`: anything else.
 */
export type MatchClass = 'identical' | 'mirrored' | 'scaled' | 'similar';

/** What {@link comparePart} found. */
export interface PartMatch {
  readonly matchClass: MatchClass;
  /** f64[16], column-major, from the first model's frame to the second's, mm; mirrors where the match does. Absent when merely similar. */
  readonly transform?: Float64Array;
  /** Largest and mean distance of the checked points from the other surface, in the second model's mm; NaN when merely similar. */
  readonly maxDeviationMm: number;
  readonly meanDeviationMm: number;
  /** The second model's size by the first's; 1 unless scaled. Exactly 25.4 (or another ratio of units) where the scale is that. */
  readonly scale: number;
}

/** What two parts can be by their facts. */
export interface Possible {
  /** Identical or mirrored: these facts do not tell. */
  readonly sameSize: boolean;
  readonly scaled: boolean;
}

/** Bounds of the gate, as differences of logarithms or shares of the largest extent. */
const GATE = Object.freeze({ area: 0.06, volume: 0.12, radius: 0.03, reach: 0.03 });

/** Scales nearer to 1 than this are no scales. */
const LEAST_LOG_SCALE = 0.005;

/**
 * Can these be the same part, or a scaled one, by what is stored in clear? Wide enough for any honest tessellation: an
 * eight-sided cylinder lacks 2.6 % of its area and 10 % of its volume.
 */
export function gate(a: SurfaceFacts, b: SurfaceFacts): Possible {
  // A surface too fine to be stored has facts, but no triangles to lay on another's.
  if (a.triangleCount === 0 || b.triangleCount === 0) return { sameSize: false, scaled: false };
  const scale = sizeOf(b) / sizeOf(a);
  const extent = GATE.radius * a.radiiMm[0];
  const alike =
    Math.abs(b.reachMm / (a.reachMm * scale) - 1) < GATE.reach &&
    Math.abs(b.radiiMm[0] / scale - a.radiiMm[0]) < extent &&
    Math.abs(b.radiiMm[1] / scale - a.radiiMm[1]) < extent &&
    Math.abs(b.radiiMm[2] / scale - a.radiiMm[2]) < extent &&
    Math.abs(b.surfaceAreaMm2 / (a.surfaceAreaMm2 * scale * scale) - 1) < GATE.area &&
    (!a.isClosed || !b.isClosed || Math.abs(b.volumeMm3 / (a.volumeMm3 * scale * scale * scale) - 1) < GATE.volume);
  const sameSize = alike && Math.abs(scale - 1) < GATE.radius;
  return { sameSize, scaled: alike && Math.abs(scale - 1) > LEAST_LOG_SCALE };
}

/**
 * How far measures of one part may lie apart, as shares, beyond what the arcs of the meshes explain. Of 805 changed copies
 * none was over 0.0001 (radii), 0.0002 (reach) and 0.002 (area); of other parts that passed the gate, eight in ten are.
 */
const AGREE = Object.freeze({ radius: 0.003, reach: 0.003, area: 0.006 });

/** A sharper look than {@link gate}, once the surfaces are unpacked: a part without arcs has no reason to differ. */
function measuresAgree(a: PartSurface, b: PartSurface): boolean {
  const sizeA = sizeOf(a.facts), sizeB = sizeOf(b.facts);
  const arcs = 2 * Math.max(a.meanArcMm / sizeA, b.meanArcMm / sizeB);
  const apart = (ratio: number): number => Math.abs(ratio - 1);
  return apart((b.facts.reachMm * sizeA) / (a.facts.reachMm * sizeB)) < AGREE.reach + arcs &&
    apart((b.facts.surfaceAreaMm2 * sizeA * sizeA) / (a.facts.surfaceAreaMm2 * sizeB * sizeB)) < AGREE.area + 2 * arcs &&
    a.facts.radiiMm.every((radius, i) => Math.abs(b.facts.radiiMm[i] / sizeB - radius / sizeA) < AGREE.radius + arcs);
}

/** A fit is clearly better when its largest deviation is so many times smaller. */
const CLEARLY = 3;

/** Root mean square distance of the surface from its centroid: the measure of size that tessellation disturbs least. */
function sizeOf({ radiiMm: [x, y, z] }: SurfaceFacts): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * Is `b` the same part as `a`? Lays `b` on `a` in each way that the frames allow, improves each place, and checks points on
 * every smooth patch of both surfaces against the other one. Prefers identical to mirrored to scaled; when in doubt, similar.
 * Deterministic. Turnings of triangles and holes in the surface are of no consequence.
 */
export function comparePart(core: Core, a: PartSurface, b: PartSurface): PartMatch {
  const possible = measuresAgree(a, b) ? gate(a.facts, b.facts) : { sameSize: false, scaled: false };
  if (possible.sameSize) {
    const found = findPlace(core, b, a, { mirrors: false, scale: 1, scales: false });
    if (found?.outliers === 0) return matchOf(a, b, found, 'identical');
    const mirrored = findPlace(core, b, a, { mirrors: true, scale: 1, scales: false });
    // A part whose only handed feature is tiny fits itself turned almost as well as mirrored: the better fit decides.
    const isMirrored = mirrored !== undefined && (found === undefined || mirrored.maxDeviationMm * CLEARLY < found.maxDeviationMm);
    if (isMirrored) {
      // What is its own mirror image is the same part, even where coarse triangles hid the turn that shows it.
      const itself = found === undefined ? findPlace(core, a, a, { mirrors: true, scale: 1, scales: false }) : undefined;
      if (itself?.outliers !== 0) return matchOf(a, b, mirrored, 'mirrored');
      return matchOf(a, b, { ...mirrored, pose: composePoses(itself.pose, mirrored.pose), maxDeviationMm: mirrored.maxDeviationMm + itself.maxDeviationMm }, 'identical');
    }
    if (found !== undefined) return matchOf(a, b, found, 'identical');
  }
  if (possible.scaled) {
    const scale = sizeOf(a.facts) / sizeOf(b.facts);
    for (const mirrors of [false, true]) {
      const found = findPlace(core, b, a, { mirrors, scale, scales: true });
      if (found !== undefined) return matchOf(a, b, found, 'scaled');
    }
  }
  return { matchClass: 'similar', maxDeviationMm: NaN, meanDeviationMm: NaN, scale: 1 };
}

function matchOf(a: PartSurface, b: PartSurface, found: FoundPlace, matchClass: MatchClass): PartMatch {
  const pose = inversePose(found.pose);
  const scale = matchClass === 'scaled' ? nearUnitRatio(scaleOf(pose)) : 1;
  const from = a.facts.centroidMm.map((c, i) => c + a.facts.originMm[i]);
  const to = b.facts.centroidMm.map((c, i) => c + b.facts.originMm[i]);
  return {
    matchClass,
    transform: matrixOf(pose, from, to),
    maxDeviationMm: found.maxDeviationMm * scale,
    meanDeviationMm: found.meanDeviationMm * scale,
    scale,
  };
}

/** Ratios between units of length that files confuse. */
const UNIT_RATIOS = [25.4, 10, 100, 1000, 304.8, 12, 2.54, 39.37007874015748, 3.280839895013123];

function nearUnitRatio(scale: number): number {
  for (const ratio of UNIT_RATIOS) {
    if (Math.abs(scale / ratio - 1) < 5e-4) return ratio;
    if (Math.abs(scale * ratio - 1) < 5e-4) return 1 / ratio;
  }
  return scale;
}
