import { SAVED_ANEW_SCORE, SIMILAR_LEAST } from '../query/likeness.js';
import type { ShapeHit } from '../shapes/shape-search.js';
import type { ViewHit } from '../views/view-hit.js';

/** A file found by its surface or by its views. */
export type MergedHit = ShapeHit & { readonly match?: MatchedViews };

/** The pair of views that matched. */
export type MatchedViews = ViewHit['match'] & {
  /** Whether the view is a model's, which lies on no page. */
  readonly isOfModel: boolean;
};

/** Files that are the same as an input. */
export interface SameFiles {
  /** The same bytes. */
  readonly identical: ReadonlySet<number>;
  /** The same drawing in other bytes, and which input that is. */
  readonly anew: ReadonlyMap<number, number>;
}

/** None. */
export const NONE: SameFiles = Object.freeze({ identical: new Set<number>(), anew: new Map<number, number>() });

/** A file found by its views, or beside such files by its surface. */
function mergedHit(hit: ViewHit, { identical, anew }: SameFiles): MergedHit {
  const { fileId, uid, score, surface } = hit;
  const match = { ...hit.match, isOfModel: hit.found === 'model' };
  if (surface !== undefined) {
    const isPart = 'score' in surface && score < 0;
    return { fileId, uid, input: match.input, ...surface, score: isPart ? surface.score : SIMILAR_LEAST + score };
  }
  if (identical.has(fileId)) return { fileId, uid, score: 0, matchClass: 'identical', match };
  if (anew.has(fileId)) return { fileId, uid, score: SAVED_ANEW_SCORE, matchClass: 'identical', match };
  return { fileId, uid, score: SIMILAR_LEAST + score, matchClass: 'similar', match };
}

/**
 * Files found by their views, which are on the scale of surfaces: class `similar`. Those that are the same file or
 * drawing are `identical` and come first.
 */
export function onScaleOfModels(hits: readonly ViewHit[], same: SameFiles = NONE): MergedHit[] {
  const ranked = hits.map((hit) => mergedHit(hit, same));
  return [0, SAVED_ANEW_SCORE]
    .flatMap((own) => ranked.filter(({ score }) => score === own))
    .concat(ranked.filter(({ score }) => score !== 0 && score !== SAVED_ANEW_SCORE));
}

/**
 * Merges two lists of rising scores. Each list keeps its order, because blocks of a list are ranked separately and
 * equal scores may not be in UID order.
 */
export function merged<T extends Pick<ShapeHit, 'score' | 'uid'>>(first: readonly T[], second: readonly T[]): T[] {
  const all: T[] = [];
  for (let i = 0, j = 0; i < first.length || j < second.length; ) {
    const isFirst =
      j === second.length ||
      (i < first.length &&
        (first[i].score < second[j].score || (first[i].score === second[j].score && first[i].uid < second[j].uid)));
    all.push(isFirst ? first[i++] : second[j++]);
  }
  return all;
}
