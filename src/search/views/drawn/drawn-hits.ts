import { distanceOfViews } from '../../query/likeness.js';
import { byScore, type ViewHit } from '../view-hit.js';
import type { DrawnFit, DrawnView } from './drawn-search.js';

/** Models, nearest to a page in a picture, whose views are rendered again and laid under those of the page. */
const LAID_PAGES = 24;

/** How hits are compared again. */
export interface Laying {
  readonly drawn: readonly DrawnView[];
  /** Whether the drawn view is all that the input shows. */
  readonly isAlone: boolean;
  /** The fits of some files, see `fitDrawn`. */
  readonly fits: (fileIds: readonly number[]) => Promise<(readonly DrawnFit[] | undefined)[]>;
  /** Ranks some files with distances of views, by their numbers, in place of those of the descriptors. */
  readonly rank: (
    fileIds: readonly number[],
    measured: (fileId: number) => ReadonlyMap<number, number>,
  ) => Promise<ViewHit[]>;
}

/**
 * Hits by rising score, the models by how the drawn views of the only input lie on them, before those that were not
 * rendered; pages as they were.
 */
export async function laidOver(hits: readonly ViewHit[], { drawn, isAlone, fits, rank }: Laying): Promise<ViewHit[]> {
  const [models, pages] = (['model', 'page'] as const).map((kind) => hits.filter(({ found }) => found === kind));
  const near = isAlone ? models : models.slice(0, LAID_PAGES);
  const found = await fits(near.map(({ fileId }) => fileId));
  const fitted = new Map(
    near.flatMap(({ fileId }, i) => (found[i] === undefined ? [] : [[fileId, found[i]] as const])),
  );
  const laid = isAlone
    ? near.flatMap((hit): ViewHit[] => {
        const fit = fitted.get(hit.fileId)?.[0];
        if (fit === undefined) return [];
        const match = { input: 0, queryShapelet: 0, shapelet: fit.view };
        return [{ ...hit, score: distanceOfViews('laid', 'model', fit.apart), match }];
      })
    : await rank([...fitted.keys()], (fileId) => {
        const own = fitted.get(fileId)!;
        return new Map(drawn.map(({ number }, i) => [number, own[i].distance]));
      });
  const floor = laid.reduce((most, { score }) => Math.max(most, score), 0);
  const rest = models
    .filter(({ fileId }) => !fitted.has(fileId))
    .map((hit) => ({ ...hit, score: Math.max(hit.score, floor) }));
  return byScore([...laid, ...rest, ...pages]);
}
