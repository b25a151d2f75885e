import type { Core } from '../../../core/core.js';
import { outlineOf, outlineOfFine } from '../../../descriptors/fine.js';
import { decodeSurface, readSurfaceFacts, type SurfaceFacts } from '../../../descriptors/surface.js';
import { sizeOf } from '../../../descriptors/surface-measures.js';
import { gate, outlinesAgree } from './gate.js';
import { PartSurface } from './part-surface.js';
import type { MatchClass } from '../../query/match-class.js';
import { comparePart, type PartMatch } from './compare-part.js';

/** What is known of a candidate beyond its likeness. */
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
 * Triangles that are unpacked at most to be laid on the query, in all candidates together; a thousand cost about 2 ms. The
 * re-exports of one part are all compared: it takes 66 of the finest that are stored, or thousands of usual ones, to get here.
 */
const MOST_TRIANGLES = 4_000_000;
/**
 * After so many of the query's size that turned out to be another part no more are looked at; each takes 3 to 8 ms. The same part agrees well
 * in its measures, but a revision with one hole a tenth of a millimetre aside agrees better than the same part under a coarser mesh.
 */
const MOST_FAILED = 16;
/** The same for candidates of another size: a part in other units is nearly always the same mesh, and agrees to the last digits. */
const MOST_FAILED_SCALED = 2;
/** Relative difference of box volumes that coarse and fine meshes of one part may have. */
const BOX_SLACK = 0.15;
/** A deviation of this share of the longest box edge makes the score of an identical part 0.01. */
const DEVIATION_SHARE = 0.03;

interface QueryPart extends Part {
  readonly sha256: string;
  readonly surface: Uint8Array;
}

/** A candidate that may be the same part. */
interface Possible {
  /** Its place among the candidates. */
  readonly at: number;
  readonly triangleCount: number;
  readonly sameSize: boolean;
  /** How far its measures are from the query's. */
  readonly apart: number;
}

/** What {@link findSameParts} needs from its caller. */
export interface SamePartSource {
  /** Of the bytes of a candidate's file, by its place among them; undefined when it was removed meanwhile. Asked for few. */
  readonly sha256Of: (candidate: number) => string | undefined;
  /** Its stored surface, likewise. */
  readonly surfaceOf: (candidate: number) => Uint8Array | undefined;
  /** Waited for before each comparison, as it takes milliseconds; may reject to end the search. */
  readonly turn: () => Promise<void>;
}

/**
 * The candidates that are the same part as every input: identical, mirrored or scaled. Scores: 0 for the same bytes or the same
 * stored surface, up to 0.01 for identical, 0.02 for mirrored, 0.03 to 0.04 for scaled. Candidates that are only alike are not
 * in the map.
 * distances: of the candidates, lower is more alike.
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
  /** Surfaces that are known already to be the same part: a re-export often has the very same one. */
  const known: { stored: Uint8Array; part: SamePart }[] = [];
  if (queries.every(({ surface }) => equalBytes(surface, queries[0].surface)))
    known.push({ stored: queries[0].surface, part: itself() });
  for (const [i, { fine }] of candidates.entries()) {
    // The same bytes have the same descriptors.
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
 * Those whose measures allow it, the likeliest first, so that few failures say enough: the measures of one part agree to a
 * thousandth under any mesh.
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

/** Whether the smallest boxes of two parts agree once their surfaces are scaled to equal area: a glance that spares reading surfaces. */
export function boxesAgree(a: Boxed, b: Boxed): boolean {
  const scaled = a.bboxVolumeMm3 * (b.surfaceAreaMm2 / a.surfaceAreaMm2) ** 1.5;
  return Math.abs(b.bboxVolumeMm3 - scaled) <= BOX_SLACK * Math.max(scaled, b.bboxVolumeMm3);
}

/** How far the measures of two surfaces are apart once both have the same size, as a share. */
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

/** What several comparisons agree on; undefined where they do not. */
function partOf(matches: readonly PartMatch[], { bboxSizeMm }: Part): SamePart | undefined {
  const [first] = matches;
  const { matchClass, transform, scale } = first;
  if (matchClass === 'similar' || matches.some((match) => match.matchClass !== matchClass)) return undefined;
  const maxDeviationMm = Math.max(...matches.map((match) => match.maxDeviationMm));
  const score = samePartScore(matchClass, { maxDeviationMm, scale, longestMm: bboxSizeMm[0] });
  return { score, matchClass, transform, maxDeviationMm, ...(matchClass === 'scaled' ? { scale } : {}) };
}

/** The score of a part that is known to be the same. @param match.longestMm longest edge of its smallest box. */
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
