import { determinant } from '../../../content/matrix.js';
import type { Core } from '../../../core/core.js';
import { outlineOf, outlineOfFine } from '../../../descriptors/fine.js';
import { decodeSurface, readSurfaceFacts, SURFACE_HEADER_BYTES } from '../../../descriptors/surface.js';
import { gate, measuresApart, outlinesAgree } from './gate.js';
import { PartSurface } from './part-surface.js';
import type { MatchClass, SamePart } from '../../query/match-class.js';
import { comparePart, type PartMatch } from './compare-part.js';

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
/** Surfaces read at a time: the finest have 0.4 MB, and few comparisons are usually enough. */
const READ_AT_A_TIME = 16;

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
  /** Hashes of the bytes of candidates' files, by their index; undefined for those that were deleted. */
  readonly hashes: (candidates: readonly number[]) => Promise<(string | undefined)[]>;
  /** Their stored surfaces, or the first bytes of each; undefined for those that were deleted. */
  readonly surfaces: (candidates: readonly number[], byteLength?: number) => Promise<(Uint8Array | undefined)[]>;
  /** Awaited before each comparison, which takes milliseconds; may reject to stop the search. */
  readonly turn: () => Promise<void>;
}

/**
 * The candidates that are the same part as an input: identical, mirrored or scaled. Scores: 0 for the same bytes or
 * the same stored surface, up to 0.01 for identical, 0.02 for mirrored, 0.03 to 0.04 for scaled. Merely similar
 * candidates are not in the map. Keys are indices of candidates.
 */
export async function findSameParts(
  core: Core,
  query: QueryPart,
  candidates: readonly Part[],
  source: SamePartSource,
): Promise<Map<number, SamePart>> {
  const found = new Map<number, SamePart>();
  let own: PartSurface | undefined;
  /** Surfaces that are known to be the same part: re-exports often have equal stored surfaces. */
  const known = [{ stored: query.surface, part: itself() }];
  // Files with the same bytes have the same descriptors.
  const twins = [...candidates.keys()].filter((i) => equalBytes(query.fine, candidates[i].fine));
  const hashes = twins.length === 0 ? [] : await source.hashes(twins);
  twins.forEach((i, k) => {
    if (query.sha256 === hashes[k]) found.set(i, itself());
  });
  const possible = await possibleParts(query, candidates, found, source);
  let read: (Uint8Array | undefined)[] = [];
  let readFrom = 0;
  let failed = 0,
    failedScaled = 0,
    triangles = 0;
  for (const [i, { at, triangleCount, sameSize }] of possible.entries()) {
    if (failed === MOST_FAILED) break;
    if (!sameSize && failedScaled === MOST_FAILED_SCALED) continue;
    if (i >= readFrom + read.length) {
      readFrom = i;
      read = await source.surfaces(possible.slice(i, i + READ_AT_A_TIME).map((one) => one.at));
    }
    const stored = read[i - readFrom];
    if (stored === undefined) continue;
    const same = known.find((one) => equalBytes(one.stored, stored));
    if (same !== undefined) {
      found.set(at, same.part);
      continue;
    }
    triangles += triangleCount;
    if (triangles > MOST_TRIANGLES) break;
    await source.turn();
    own ??= new PartSurface(decodeSurface(query.surface));
    const part = partOf(comparePart(core, own, new PartSurface(decodeSurface(stored))), candidates[at]);
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
async function possibleParts(
  query: QueryPart,
  candidates: readonly Part[],
  found: ReadonlyMap<number, SamePart>,
  { surfaces }: SamePartSource,
): Promise<Possible[]> {
  const facts = readSurfaceFacts(query.surface);
  const outline = outlineOf(facts);
  const agree = [...candidates.keys()].filter(
    (at) =>
      !found.has(at) && boxesAgree(query, candidates[at]) && outlinesAgree(outline, outlineOfFine(candidates[at].fine)),
  );
  const headers = agree.length === 0 ? [] : await surfaces(agree, SURFACE_HEADER_BYTES);
  const possible: Possible[] = [];
  for (const [i, at] of agree.entries()) {
    const stored = headers[i];
    if (stored === undefined) continue;
    const own = readSurfaceFacts(stored);
    const { sameSize, scaled } = gate(facts, own);
    if (!sameSize && !scaled) continue;
    possible.push({ at, triangleCount: own.triangleCount, sameSize, apart: measuresApart(facts, own) });
  }
  return possible.sort((a, b) => a.apart - b.apart || a.at - b.at);
}

/**
 * Whether the smallest boxes of two parts agree after scaling their surfaces to equal area; a cheap test before reading
 * surfaces.
 */
export function boxesAgree(a: Boxed, b: Boxed): boolean {
  const scaled = a.bboxVolumeMm3 * (b.surfaceAreaMm2 / a.surfaceAreaMm2) ** 1.5;
  return Math.abs(b.bboxVolumeMm3 - scaled) <= BOX_SLACK * Math.max(scaled, b.bboxVolumeMm3);
}

/** Undefined when the comparison says that it is merely similar. */
function partOf(
  { matchClass, transform, scale, maxDeviationMm }: PartMatch,
  { bboxSizeMm }: Part,
): SamePart | undefined {
  if (matchClass === 'similar') return undefined;
  const isMirrored = transform !== undefined && determinant(transform) < 0;
  const score = samePartScore(matchClass, { maxDeviationMm, scale, longestMm: bboxSizeMm[0], isMirrored });
  return { score, matchClass, transform, maxDeviationMm, ...(matchClass === 'scaled' ? { scale } : {}) };
}

/** Score of a part that is known to be the same. @param match.longestMm longest edge of its smallest box. */
export function samePartScore(
  matchClass: Exclude<MatchClass, 'similar'>,
  {
    maxDeviationMm,
    scale,
    longestMm,
    isMirrored = false,
  }: {
    readonly maxDeviationMm: number;
    readonly scale: number;
    readonly longestMm: number;
    readonly isMirrored?: boolean;
  },
): number {
  if (matchClass === 'mirrored') return 0.02;
  // Another size of the part comes before any of its mirror image.
  if (matchClass === 'scaled')
    return 0.03 + 0.005 * (1 - Math.exp(-Math.abs(Math.log(scale)))) + (isMirrored ? 0.005 : 0);
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
