import { SIMILAR_LEAST, type ShapeHit } from '../shapes/shape-search.js';
import type { ViewHit } from '../views/view-search.js';

/** A file that was found by its surface, or by its views. */
export type MergedHit = ShapeHit & { readonly match?: ViewHit['match'] };

/** Scores of views have no end; those of surfaces seldom pass this. Small ones stay as they are. */
const UNRELATED = 1.2;
const NOBODY: ReadonlySet<number> = new Set();

/** Scores on the scale of models; only the same bytes are more than similar. same: files that have those of an input, which come first. */
export function onScaleOfModels(hits: readonly ViewHit[], same: ReadonlySet<number> = NOBODY): MergedHit[] {
  const ranked = hits.map(
    (hit): MergedHit =>
      same.has(hit.fileId)
        ? { ...hit, score: 0, matchClass: 'identical' }
        : { ...hit, score: SIMILAR_LEAST + UNRELATED * (1 - Math.exp(-hit.score / UNRELATED)), matchClass: 'similar' },
  );
  return [...ranked.filter(({ score }) => score === 0), ...ranked.filter(({ score }) => score > 0)];
}

/** Two lists of rising scores as one. Each keeps its order: where files are compared block by block, equal scores do not go by UID throughout. */
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
