import type { SurfaceFacts } from '../descriptors/surface.js';
import { candidatePoses } from './candidate-poses.js';
import { fitPose, place } from './fit-pose.js';
import type { PartSurface, SurfaceSamples } from './part-surface.js';
import { inversePose, matrixOf, scaleOf, type Pose } from './pose.js';

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
  const scale = sizeOf(b) / sizeOf(a);
  const share = 1 / (scale * a.radiiMm[0]);
  const alike =
    Math.abs(b.reachMm / (a.reachMm * scale) - 1) < GATE.reach &&
    Math.abs(b.radiiMm[0] / scale - a.radiiMm[0]) * share * scale < GATE.radius &&
    Math.abs(b.radiiMm[1] / scale - a.radiiMm[1]) * share * scale < GATE.radius &&
    Math.abs(b.radiiMm[2] / scale - a.radiiMm[2]) * share * scale < GATE.radius &&
    Math.abs(b.surfaceAreaMm2 / (a.surfaceAreaMm2 * scale * scale) - 1) < GATE.area &&
    (!a.isClosed || !b.isClosed || Math.abs(b.volumeMm3 / (a.volumeMm3 * scale * scale * scale) - 1) < GATE.volume);
  const sameSize = alike && Math.abs(scale - 1) < GATE.radius;
  return { sameSize, scaled: alike && Math.abs(scale - 1) > LEAST_LOG_SCALE };
}

/** Root mean square distance of the surface from its centroid: the measure of size that tessellation disturbs least. */
function sizeOf({ radiiMm: [x, y, z] }: SurfaceFacts): number {
  return Math.sqrt(x * x + y * y + z * z);
}

/** Numbers found by experiment; lengths are shares of the part's reach (half its length, about). */
export const TOLERANCE = {
  /** Deviation that any two files of one part may have. */
  base: 3e-4,
  /** The base rises with the noise of the whole surface, by this factor, up to `noisy`. */
  noiseFactor: 3,
  noisy: 4e-3,
  /** Arc heights (sagittas) of both tessellations count so often, up to `arc`. */
  sagittaFactor: 1.6,
  arc: 0.03,
  /** Normals may differ by arccos of this. */
  cos: 0.5,
};

/**
 * Is `b` the same part as `a`? Lays `b` on `a` in each way that the frames allow, improves each place, and checks points on
 * every smooth patch of both surfaces against the other one. Prefers identical to mirrored to scaled; when in doubt, similar.
 * Deterministic. Turnings of triangles and holes in the surface are of no consequence.
 */
export function comparePart(a: PartSurface, b: PartSurface): PartMatch {
  const possible = gate(a.facts, b.facts);
  if (possible.sameSize) {
    for (const mirrors of [false, true]) {
      const found = findPlace(b, a, { mirrors, scale: 1, scales: false });
      if (found !== undefined) return matchOf(a, b, found, mirrors ? 'mirrored' : 'identical');
    }
  }
  if (possible.scaled) {
    const scale = sizeOf(a.facts) / sizeOf(b.facts);
    for (const mirrors of [false, true]) {
      const found = findPlace(b, a, { mirrors, scale, scales: true });
      if (found !== undefined) return matchOf(a, b, found, 'scaled');
    }
  }
  return { matchClass: 'similar', maxDeviationMm: NaN, meanDeviationMm: NaN, scale: 1 };
}

interface Found {
  readonly pose: Pose;
  readonly max: number;
  readonly mean: number;
}

function matchOf(a: PartSurface, b: PartSurface, found: Found, matchClass: MatchClass): PartMatch {
  const pose = inversePose(found.pose);
  const scale = matchClass === 'scaled' ? nearUnitRatio(scaleOf(pose)) : 1;
  const from = a.facts.centroidMm.map((c, i) => c + a.facts.originMm[i]);
  const to = b.facts.centroidMm.map((c, i) => c + b.facts.originMm[i]);
  return {
    matchClass,
    transform: matrixOf(pose, from, to),
    maxDeviationMm: found.max * scale,
    meanDeviationMm: found.mean * scale,
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

/** Points that rank the places first tried. */
const SCORE_SAMPLES = 48;
/** Points that improve a place. */
const FIT_SAMPLES = 220;
/** Places improved and checked. */
const TRIES = 10;

function findPlace(from: PartSurface, to: PartSurface, options: { mirrors: boolean; scale: number; scales: boolean }): Found | undefined {
  const size = to.facts.reachMm;
  const scored = rankPoses(candidatePoses(from, to, options), from.spread, to, size);
  const suspects: Suspects = { forward: [], backward: [] };
  for (const { pose: start, score } of scored.slice(0, TRIES)) {
    if (score > 0.04 * size || score > 3 * scored[0].score + 0.004 * size) break;
    const pose = fitPose(start, from.spread, to.index, to.normals, {
      samples: FIT_SAMPLES, iterations: 12, reachMm: 0.12 * size, cosLimit: TOLERANCE.cos, scales: options.scales, sizeMm: size,
    });
    const found = check(from, to, pose, suspects);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Mean distance of a few points for each pose, nearest first; a pose is dropped as soon as it cannot be among the good ones. */
function rankPoses(poses: readonly Pose[], samples: SurfaceSamples, to: PartSurface, size: number): { pose: Pose; score: number }[] {
  const far = 0.12 * size;
  let best = Infinity;
  const ranked: { pose: Pose; score: number }[] = [];
  for (const pose of poses) {
    const bound = SCORE_SAMPLES * Math.min(0.04 * size, 3 * best + 0.004 * size);
    let sum = 0;
    for (let i = 0; i < SCORE_SAMPLES && sum <= bound; i++) {
      const q = place(pose, samples, i);
      sum += to.index.nearest(q.x, q.y, q.z, far);
    }
    if (sum > bound) continue;
    const score = sum / SCORE_SAMPLES;
    best = Math.min(best, score);
    ranked.push({ pose, score });
  }
  return ranked.sort((p, q) => p.score - q.score);
}

/** Samples that failed a check: asked first in the next one. */
interface Suspects {
  readonly forward: [samples: SurfaceSamples, i: number][];
  readonly backward: [samples: SurfaceSamples, i: number][];
}

/** Checks both surfaces against each other, in `to`'s mm; undefined when a point is off by more than the tolerance. */
function check(from: PartSurface, to: PartSurface, pose: Pose, suspects: Suspects): Found | undefined {
  const size = to.facts.reachMm;
  const scale = scaleOf(pose);
  const back = inversePose(pose);
  const simplified = from.facts.simplifiedByMm * scale + to.facts.simplifiedByMm;
  const noise = noiseOf(from, to, pose, scale);
  const base = Math.min(TOLERANCE.noisy * size, TOLERANCE.base * size + TOLERANCE.noiseFactor * noise) + 2 * simplified;
  const forward = checkOneWay(from, to, pose, { base, scale, size }, suspects.forward);
  if (forward === undefined) return undefined;
  const backward = checkOneWay(to, from, back, { base: base / scale, scale: 1 / scale, size: size / scale }, suspects.backward);
  if (backward === undefined) return undefined;
  return { pose, max: Math.max(forward.max, backward.max * scale), mean: (forward.mean + backward.mean * scale) / 2 };
}

/** Median distance beyond what the arcs explain. */
function noiseOf(from: PartSurface, to: PartSurface, pose: Pose, scale: number): number {
  const count = Math.min(FIT_SAMPLES, from.spread.count);
  const excess = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    const q = place(pose, from.spread, i);
    const distance = to.index.nearest(q.x, q.y, q.z, 0.02 * to.facts.reachMm, q.nx, q.ny, q.nz, TOLERANCE.cos);
    const arcs = to.index.triangle < 0 ? 0 : scale * from.sagittas[from.spread.triangles[i]] + to.sagittas[to.index.triangle];
    excess[i] = Math.max(0, distance - arcs);
  }
  return excess.sort()[count >> 1];
}

function checkOneWay(
  from: PartSurface, to: PartSurface, pose: Pose, bounds: { base: number; scale: number; size: number }, suspects: [SurfaceSamples, number][],
): { max: number; mean: number } | undefined {
  let max = 0, sum = 0, count = 0;
  const fits = (samples: SurfaceSamples, i: number): boolean => {
    const q = place(pose, samples, i);
    const arcMost = TOLERANCE.arc * bounds.size;
    const distance = to.index.nearest(q.x, q.y, q.z, bounds.base + arcMost, q.nx, q.ny, q.nz, TOLERANCE.cos);
    if (to.index.triangle < 0) return false;
    if (distance > max) max = distance;
    sum += distance;
    count++;
    if (distance <= bounds.base) return true;
    const arcs = bounds.scale * from.sagittas[samples.triangles[i]] + to.sagittas[to.index.triangle];
    return distance <= bounds.base + Math.min(arcMost, TOLERANCE.sagittaFactor * arcs);
  };
  for (const [samples, i] of suspects) if (!fits(samples, i)) return undefined;
  for (const samples of [from.patches, from.spread]) {
    for (let i = 0; i < samples.count; i++) {
      if (fits(samples, i)) continue;
      suspects.push([samples, i]);
      return undefined;
    }
  }
  return { max, mean: sum / count };
}
