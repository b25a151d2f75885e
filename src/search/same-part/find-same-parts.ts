import type { Core } from '../../core/core.js';
import { decodeSurface, readSurfaceFacts, type SurfaceFacts } from '../../descriptors/surface.js';
import { PartSurface } from './part-surface.js';
import { comparePart, gate, type MatchClass, type PartMatch } from './compare-part.js';

/** What is known of a candidate beyond its likeness. */
export interface SamePart {
  readonly score: number;
  readonly matchClass: MatchClass;
  readonly transform?: Float64Array;
  readonly maxDeviationMm?: number;
  readonly scale?: number;
}

/** A file and its sizes. */
interface Part {
  readonly sha256: string;
  readonly surfaceAreaMm2: number;
  readonly bboxVolumeMm3: number;
  readonly bboxSizeMm: readonly [number, number, number];
}

/** Candidates that are laid on the query at most, the most alike first; each costs some milliseconds. */
const MOST_COMPARED = 24;
/** After so many that turned out to be another part no more are looked at: the same part agrees best in its measures. */
const MOST_FAILED = 2;
/** Relative difference of box volumes that coarse and fine meshes of one part may have. */
const BOX_SLACK = 0.15;
/** A deviation of this share of the longest box edge makes the score of an identical part 0.01. */
const DEVIATION_SHARE = 0.03;

/**
 * The candidates that are the same part as every input: identical, mirrored or scaled. Scores: 0 for the same bytes, up to
 * 0.01 for identical, 0.02 for mirrored, 0.03 to 0.04 for scaled. Candidates that are only alike are not in the map.
 * distances: of the candidates, lower is more alike. surfaceOf: the stored surface of a candidate; asked for few.
 */
export function findSameParts(
  core: Core,
  queries: readonly (Part & { readonly surface: Uint8Array })[],
  candidates: readonly Part[],
  distances: Float64Array,
  surfaceOf: (candidate: number) => Uint8Array,
): Map<number, SamePart> {
  const found = new Map<number, SamePart>();
  const facts = queries.map(({ surface }) => readSurfaceFacts(surface));
  const surfaces = queries.map(() => undefined as PartSurface | undefined);
  const possible: { i: number; stored: Uint8Array; apart: number }[] = [];
  for (const [i, candidate] of candidates.entries()) {
    if (queries.every(({ sha256 }) => sha256 === candidate.sha256)) {
      found.set(i, { score: 0, matchClass: 'identical', transform: identity(), maxDeviationMm: 0 });
      continue;
    }
    if (!queries.every((query) => boxesAgree(query, candidate))) continue;
    const stored = surfaceOf(i);
    const own = readSurfaceFacts(stored);
    const gates = facts.map((fact) => gate(fact, own));
    if (gates.every(({ sameSize, scaled }) => sameSize || scaled)) {
      possible.push({ i, stored, apart: Math.max(...facts.map((fact) => measuresApart(fact, own))) });
    }
  }
  // The measures of one part agree to a thousandth under any mesh: the likeliest come first, so that few failures say enough.
  possible.sort((a, b) => a.apart - b.apart || distances[a.i] - distances[b.i] || a.i - b.i);
  let failed = 0;
  for (const { i, stored } of possible.slice(0, MOST_COMPARED)) {
    if (failed === MOST_FAILED) break;
    const surface = new PartSurface(decodeSurface(stored));
    const matches = queries.map((query, k) => comparePart(core, surfaces[k] ??= new PartSurface(decodeSurface(query.surface)), surface));
    const part = partOf(matches, candidates[i]);
    if (part === undefined) failed++;
    else found.set(i, part);
  }
  return found;
}

/** Whether the smallest boxes of two parts agree once their surfaces are scaled to equal area: a glance that spares reading surfaces. */
function boxesAgree(a: Part, b: Part): boolean {
  const scaled = a.bboxVolumeMm3 * (b.surfaceAreaMm2 / a.surfaceAreaMm2) ** 1.5;
  return Math.abs(b.bboxVolumeMm3 - scaled) <= BOX_SLACK * Math.max(scaled, b.bboxVolumeMm3);
}

/** How far the spread and the area of two surfaces are apart once both have the same size, as a share. */
function measuresApart(a: SurfaceFacts, b: SurfaceFacts): number {
  const sizeA = Math.hypot(...a.radiiMm), sizeB = Math.hypot(...b.radiiMm);
  const area = Math.abs((b.surfaceAreaMm2 * sizeA * sizeA) / (a.surfaceAreaMm2 * sizeB * sizeB) - 1);
  return Math.max(area, ...a.radiiMm.map((radius, axis) => Math.abs(b.radiiMm[axis] / sizeB - radius / sizeA)));
}

/** What several comparisons agree on; undefined where they do not. */
function partOf(matches: readonly PartMatch[], { bboxSizeMm }: Part): SamePart | undefined {
  const [first] = matches;
  const { matchClass, transform, scale } = first;
  if (matchClass === 'similar' || matches.some((match) => match.matchClass !== matchClass)) return undefined;
  const maxDeviationMm = Math.max(...matches.map((match) => match.maxDeviationMm));
  if (matchClass === 'mirrored') return { score: 0.02, matchClass, transform, maxDeviationMm };
  if (matchClass === 'scaled') {
    return { score: 0.03 + 0.01 * (1 - Math.exp(-Math.abs(Math.log(scale)))), matchClass, transform, maxDeviationMm, scale };
  }
  const share = maxDeviationMm / (DEVIATION_SHARE * bboxSizeMm[0]);
  return { score: 0.01 * Math.min(1, share), matchClass, transform, maxDeviationMm };
}

function identity(): Float64Array {
  return Float64Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0));
}
