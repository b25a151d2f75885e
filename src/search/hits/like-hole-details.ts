import type { Feature } from '../../descriptors/features/feature.js';
import type { Because } from '../query/because.js';
import { isNear } from './like-sizes.js';

/** Largest differences, as shares, of depths, mouths and pitches that are called equal. */
const SAME_DEPTH = 0.01;
const SAME_MOUTH = 0.01;
const SAME_PITCH = 5e-3;

/**
 * How holes of one diameter and number differ else: whether they go through and how deep they are, their mouths, and
 * how far they are apart. Only where all holes of the hit, and all of the query, are alike, or where another number of
 * them goes through; each list is not empty.
 */
export function likeDetails(query: readonly Feature[], hit: readonly Feature[]): Because[] {
  const [asked, found] = [query[0], hit[0]];
  const all = hit.reduce((sum, { count }) => sum + count, 0);
  const holes = { count: all, diameterMm: found.diameterMm! };
  const reasons: Because[] = [];
  if ([query, hit].every(areOfOneDepth)) {
    const [isThrough, queryIsThrough] = [found.isThrough!, asked.isThrough!];
    const [depthMm, queryDepthMm] = [depthOf(found), depthOf(asked)];
    const isSame = isThrough === queryIsThrough && (isThrough || isNear(depthMm ?? 0, queryDepthMm ?? 0, SAME_DEPTH));
    if (!isSame) reasons.push({ code: 'other-hole-depth', ...holes, isThrough, depthMm, queryIsThrough, queryDepthMm });
  } else {
    const [throughCount, queryThroughCount] = [throughOf(hit), throughOf(query)];
    if (throughCount !== undefined && queryThroughCount !== undefined && throughCount !== queryThroughCount)
      reasons.push({ code: 'other-through-holes', ...holes, throughCount, queryThroughCount });
  }
  reasons.push(...otherMouth(query, hit));
  const [pitch, queryPitch] = [pitchOf(hit), pitchOf(query)];
  if (pitch !== undefined && queryPitch !== undefined && pitch.layout === queryPitch.layout) {
    const [pitchMm, queryPitchMm] = [pitch.pitchMm, queryPitch.pitchMm];
    const isSame = pitchMm.every((own, i) => isNear(own, queryPitchMm[i], SAME_PITCH));
    if (!isSame) reasons.push({ code: 'other-hole-pitch', ...holes, pitchMm, queryPitchMm });
  }
  return reasons;
}

/** The other mouth of holes of one diameter, where those of the hit are alike, and those of the query. */
export function otherMouth(query: readonly Feature[], hit: readonly Feature[]): Because[] {
  if (![query, hit].every(haveOneMouth)) return [];
  const [mouth, queryMouth] = [mouthOf(hit[0]), mouthOf(query[0])];
  const [depthMm, queryDepthMm] = [mouth?.depthMm ?? null, queryMouth?.depthMm ?? null];
  const isAsDeep = depthMm === null || queryDepthMm === null || isNear(depthMm, queryDepthMm, SAME_DEPTH);
  const isSame =
    mouth?.sunk === queryMouth?.sunk &&
    isNear(mouth?.diameterMm ?? 0, queryMouth?.diameterMm ?? 0, SAME_MOUTH) &&
    isAsDeep;
  const count = hit.reduce((sum, feature) => sum + feature.count, 0);
  return isSame ? [] : [{ code: 'other-hole-mouth', count, diameterMm: hit[0].diameterMm!, mouth, queryMouth }];
}

/** Whether it is known of all whether they go through, and of blind ones how deep they are. */
function areOfOneDepth(holes: readonly Feature[]): boolean {
  const [{ isThrough, depthMm }] = holes;
  if (isThrough === undefined || (!isThrough && depthMm === undefined)) return false;
  return holes.every(
    (other) => other.isThrough === isThrough && (isThrough || isNear(other.depthMm ?? 0, depthMm!, SAME_DEPTH)),
  );
}

/** How many go through; undefined where that is not known of all. */
function throughOf(holes: readonly Feature[]): number | undefined {
  if (holes.some(({ isThrough }) => isThrough === undefined)) return undefined;
  return holes.reduce((sum, { isThrough, count }) => sum + (isThrough === true ? count : 0), 0);
}

/** Null: it goes through. */
function depthOf({ isThrough, depthMm }: Feature): number | null {
  return isThrough === true ? null : depthMm!;
}

function haveOneMouth(holes: readonly Feature[]): boolean {
  return holes.every(
    ({ sunk, sunkDiameterMm = 0, sunkDepthMm = 0 }) =>
      sunk === holes[0].sunk &&
      isNear(sunkDiameterMm, holes[0].sunkDiameterMm ?? 0, SAME_MOUTH) &&
      isNear(sunkDepthMm, holes[0].sunkDepthMm ?? 0, SAME_DEPTH),
  );
}

function mouthOf({
  sunk,
  sunkDiameterMm,
  sunkDepthMm,
}: Feature): Extract<Because, { code: 'other-hole-mouth' }>['mouth'] {
  return sunk === undefined || sunkDiameterMm === undefined
    ? null
    : { sunk, diameterMm: sunkDiameterMm, depthMm: sunkDepthMm ?? null };
}

/** Of one row or grid, and of what kind that is. */
function pitchOf(holes: readonly Feature[]): { layout: string; pitchMm: readonly number[] } | undefined {
  if (holes.length > 1) return undefined;
  const [{ pattern }] = holes;
  if (pattern?.kind === 'row') return { layout: 'row', pitchMm: [pattern.pitchMm] };
  if (pattern?.kind !== 'grid') return undefined;
  const { columns, rows, pitchMm } = pattern;
  // Which side of a square number of holes comes first is by chance.
  if (columns !== rows) return { layout: `${columns} × ${rows}`, pitchMm };
  return { layout: `${columns} × ${rows}`, pitchMm: [...pitchMm].sort((a, b) => b - a) };
}
