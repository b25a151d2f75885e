import type { Core } from '../../../core/core.js';
import { outlineOf, outlineOfFine } from '../../../descriptors/fine.js';
import { decodeSurface, readSurfaceFacts, type SurfaceFacts } from '../../../descriptors/surface.js';
import { sizeOf } from '../../../descriptors/surface-measures.js';
import { gate, outlinesAgree } from './gate.js';
import { PartSurface } from './part-surface.js';
import type { MatchClass } from '../../query/match-class.js';
import { comparePart, type PartMatch } from './compare-part.js';

/** The result for a candidate that is the same part. */
export interface SamePart {
  readonly score: number;
  readonly matchClass: MatchClass;
  readonly transform?: Float64Array;
  readonly maxDeviationMm?: number;
  readonly scale?: number;
}

/** Sizes of a part and of the smallest box about it. */
export interface Boxed {
  readonly surfaceAreaMm2: number;
  readonly bboxVolumeMm3: number;
}

/** A file's sizes and its fine descriptor. */
interface Part extends Boxed {
  readonly bboxSizeMm: readonly [number, number, number];
  readonly fine: Uint8Array;
}

/**
 * Most triangles that are decoded for comparisons, in all candidates together; a thousand cost about 2 ms. All
 * re-exports of one part fit: the limit corresponds to 66 of the finest stored surfaces, or thousands of usual ones.
 */
const MOST_TRIANGLES = 4_000_000;
/**
 * After this many candidates of the query's size that turned out to be other parts, the search stops; each takes 3 to 8
 * ms. The measures of the same part agree well, but a revision with one hole moved by a tenth of a millimetre agrees
 * better than the same part with a coarser mesh.
 */
const MOST_FAILED = 16;
/**
 * The same for candidates of another size: a part in other units nearly always has the same mesh and agrees to the last
 * digits.
 */
const MOST_FAILED_SCALED = 2;
/** Largest relative difference of box volumes between coarse and fine meshes of one part. */
const BOX_SLACK = 0.15;
/** Deviation, as a share of the longest box edge, at which the score of an identical part reaches 0.01. */
const DEVIATION_SHARE = 0.03;

interface QueryPart extends Part {
  readonly sha256: string;
  readonly surface: Uint8Array;
}

/** A candidate that may be the same part. */
interface Possible {
  /** Its index among the candidates. */
  readonly at: number;
  readonly triangleCount: number;
  readonly sameSize: boolean;
  /** Difference of its measures from the query's. */
  readonly apart: number;
}

/** What {@link findSameParts} reads. */
export interface SamePartSource {
  /**
   * Hash of the bytes of a candidate's file, by its index; undefined when it was deleted. Called for few candidates.
   */
  readonly sha256Of: (candidate: number) => string | undefined;
  /** Its stored surface; undefined when it was deleted. */
  readonly surfaceOf: (candidate: number) => Uint8Array | undefined;
  /** Awaited before each comparison, which takes milliseconds; may reject to stop the search. */
  readonly turn: () => Promise<void>;
}

/**
 * The candidates that are the same part as every input: identical, mirrored or scaled. Scores: 0 for the same bytes or
 * the same stored surface, up to 0.01 for identical, 0.02 for mirrored, 0.03 to 0.04 for scaled. Merely similar
 * candidates are not in the map. Keys are indices of candidates.
 * distances: of the candidates, lower is more similar.
 */
export async function findSameParts(
  core: Core,
  queries: readonly QueryPart[],
  candidates: readonly Part[],
  distances: Float64Array,
  source: SamePartSource,
): Promise<Map<number, SamePart>> {
  const found = new Map<number, SamePart>();
  const surfaces = queries.map(() => undefined as PartSurface | undefined);
  /** Surfaces that are known to be the same part: re-exports often have equal stored surfaces. */
  const known: { stored: Uint8Array; part: SamePart }[] = [];
  if (queries.every(({ surface }) => equalBytes(surface, queries[0].surface)))
    known.push({ stored: queries[0].surface, part: itself() });
  for (const [i, { fine }] of candidates.entries()) {
    // Files with the same bytes have the same descriptors.
    if (!queries.every((query) => equalBytes(query.fine, fine))) continue;
    const sha256 = source.sha256Of(i);
    if (queries.every((query) => query.sha256 === sha256)) found.set(i, itself());
  }
  let failed = 0,
    failedScaled = 0,
    triangles = 0;
  for (const { at, triangleCount, sameSize } of possibleParts(queries, candidates, distances, found, source)) {
    if (failed === MOST_FAILED || (!sameSize && failedScaled === MOST_FAILED_SCALED)) continue;
    const stored = source.surfaceOf(at);
    if (stored === undefined) continue;
    const same = known.find((one) => equalBytes(one.stored, stored));
    if (same !== undefined) {
      found.set(at, same.part);
      continue;
    }
    triangles += triangleCount;
    if (triangles > MOST_TRIANGLES) break;
    await source.turn();
    const surface = new PartSurface(decodeSurface(stored));
    const matches = queries.map((query, k) =>
      comparePart(core, (surfaces[k] ??= new PartSurface(decodeSurface(query.surface))), surface),
    );
    const part = partOf(matches, candidates[at]);
    if (part !== undefined) {
      found.set(at, part);
      known.push({ stored, part });
    } else if (sameSize) failed++;
    else failedScaled++;
  }
  return found;
}

/**
 * The candidates whose measures allow the same part, nearest measures first, so that a few failures suffice to stop:
 * the measures of one part agree to a thousandth with any mesh.
 */
function possibleParts(
  queries: readonly QueryPart[],
  candidates: readonly Part[],
  distances: Float64Array,
  found: ReadonlyMap<number, SamePart>,
  { surfaceOf }: SamePartSource,
): Possible[] {
  const facts = queries.map(({ surface }) => readSurfaceFacts(surface));
  const outlines = facts.map(outlineOf);
  const possible: Possible[] = [];
  for (const [at, candidate] of candidates.entries()) {
    if (found.has(at) || !queries.every((query) => boxesAgree(query, candidate))) continue;
    const outline = outlineOfFine(candidate.fine);
    if (!outlines.every((own) => outlinesAgree(own, outline))) continue;
    const stored = surfaceOf(at);
    if (stored === undefined) continue;
    const own = readSurfaceFacts(stored);
    const gates = facts.map((fact) => gate(fact, own));
    if (!gates.every(({ sameSize, scaled }) => sameSize || scaled)) continue;
    possible.push({
      at,
      triangleCount: own.triangleCount,
      sameSize: gates.every(({ sameSize }) => sameSize),
      apart: Math.max(...facts.map((fact) => measuresApart(fact, own))),
    });
  }
  return possible.sort((a, b) => a.apart - b.apart || distances[a.at] - distances[b.at] || a.at - b.at);
}

/**
 * Whether the smallest boxes of two parts agree after scaling their surfaces to equal area; a cheap test before reading
 * surfaces.
 */
export function boxesAgree(a: Boxed, b: Boxed): boolean {
  const scaled = a.bboxVolumeMm3 * (b.surfaceAreaMm2 / a.surfaceAreaMm2) ** 1.5;
  return Math.abs(b.bboxVolumeMm3 - scaled) <= BOX_SLACK * Math.max(scaled, b.bboxVolumeMm3);
}

/** Largest relative difference between the measures of two surfaces, both scaled to the same size. */
export function measuresApart(a: SurfaceFacts, b: SurfaceFacts): number {
  const sizeA = sizeOf(a),
    sizeB = sizeOf(b);
  const area = Math.abs((b.surfaceAreaMm2 * sizeA * sizeA) / (a.surfaceAreaMm2 * sizeB * sizeB) - 1);
  return Math.max(
    area,
    ...a.radiiMm.map((radius, axis) => Math.abs(b.radiiMm[axis] / sizeB - radius / sizeA)),
    ...a.invariants.map((value, i) => Math.abs(b.invariants[i] - value)),
  );
}

/** The common result of several comparisons; undefined when they disagree. */
function partOf(matches: readonly PartMatch[], { bboxSizeMm }: Part): SamePart | undefined {
  const [first] = matches;
  const { matchClass, transform, scale } = first;
  if (matchClass === 'similar' || matches.some((match) => match.matchClass !== matchClass)) return undefined;
  const maxDeviationMm = Math.max(...matches.map((match) => match.maxDeviationMm));
  const score = samePartScore(matchClass, { maxDeviationMm, scale, longestMm: bboxSizeMm[0] });
  return { score, matchClass, transform, maxDeviationMm, ...(matchClass === 'scaled' ? { scale } : {}) };
}

/** Score of a part that is known to be the same. @param match.longestMm longest edge of its smallest box. */
export function samePartScore(
  matchClass: Exclude<MatchClass, 'similar'>,
  {
    maxDeviationMm,
    scale,
    longestMm,
  }: { readonly maxDeviationMm: number; readonly scale: number; readonly longestMm: number },
): number {
  if (matchClass === 'mirrored') return 0.02;
  if (matchClass === 'scaled') return 0.03 + 0.01 * (1 - Math.exp(-Math.abs(Math.log(scale))));
  return 0.01 * Math.min(1, maxDeviationMm / (DEVIATION_SHARE * longestMm));
}

function itself(): SamePart {
  return {
    score: 0,
    matchClass: 'identical',
    transform: Float64Array.from({ length: 16 }, (_, i) => (i % 5 === 0 ? 1 : 0)),
    maxDeviationMm: 0,
  };
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}
