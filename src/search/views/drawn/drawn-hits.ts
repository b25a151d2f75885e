import { distanceOfViews } from '../../query/likeness.js';
import { byScore, type ViewHit } from '../view-hit.js';
import type { DrawnInput, LaidInputs } from './drawn-search.js';

/**
 * Models, nearest by their descriptors, over whose views a sketch or another single view is laid, and those for the
 * views of a page in a picture.
 */
const LAID_ONE = 96;
const LAID_PAGES = 24;
/** Models, nearest in any proportions, over which a single view is laid as well. */
const LAID_STRETCHED = 24;

/** How hits are compared again. */
export interface Laying {
  /** The inputs by their places; undefined for what is not laid. */
  readonly inputs: readonly (DrawnInput | undefined)[];
  /** Some models, for a single input with one view, by how like it they are; see `DrawnSearch.byShape`. */
  readonly byShape: (input: DrawnInput, fileIds: readonly number[]) => Promise<number[]>;
  /** The fits of some files, see `DrawnSearch.fits`. */
  readonly fits: (fileIds: readonly number[]) => Promise<LaidInputs>;
  /** Ranks some files with what was measured in place of their descriptors. */
  readonly rank: (fileIds: readonly number[], laid: LaidInputs) => Promise<ViewHit[]>;
}

/**
 * Hits by rising score, the models by how the drawn inputs lie on them, before those that were not rendered; pages as
 * they were.
 */
export async function laidOver(hits: readonly ViewHit[], { inputs, byShape, fits, rank }: Laying): Promise<ViewHit[]> {
  const [models, pages] = (['model', 'page'] as const).map((kind) => hits.filter(({ found }) => found === kind));
  const hasOne = inputs.some((input) => input?.isAlone === true);
  const near = models.slice(0, hasOne ? LAID_ONE : LAID_PAGES);
  const [input] = inputs;
  if (inputs.length === 1 && input?.isAlone === true) {
    const known = new Map(models.map((hit) => [hit.fileId, hit]));
    const nearest = (await byShape(input, [...known.keys()])).slice(0, LAID_STRETCHED);
    near.push(...nearest.map((fileId) => known.get(fileId)!).filter((hit) => !near.includes(hit)));
  }
  const fitted = await fits(near.map(({ fileId }) => fileId));
  const laid =
    hasOne && inputs.length === 1
      ? near.flatMap((hit): ViewHit[] => {
          const fit = fitted.get(hit.fileId)?.[0][0];
          if (fit === undefined) return [];
          const match = { input: 0, queryShapelet: 0, shapelet: fit.view };
          return [{ ...hit, score: distanceOfViews('laid', 'model', fit.told), match }];
        })
      : await rank([...fitted.keys()], fitted);
  const floor = laid.reduce((most, { score }) => Math.max(most, score), 0);
  const rest = models
    .filter(({ fileId }) => !fitted.has(fileId))
    .map((hit) => ({ ...hit, score: Math.max(hit.score, floor) }));
  return byScore([...laid, ...rest, ...pages]);
}
