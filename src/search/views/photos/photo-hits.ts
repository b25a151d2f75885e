import { distanceOfViews } from '../../query/likeness.js';
import { byScore, type ViewHit } from '../view-hit.js';
import type { PooledFit } from './photo-search.js';

/**
 * The first `most` models in the order in which they explain the photos, then the others; drawings and pictures by
 * their scores among them: another photo of the part, or the same one saved anew, and pages on which a photo lies,
 * because a shaded view that was cut out looks like one.
 * fits: of some files, see `PhotoSearch.fits`.
 */
export async function fittedHits(
  hits: readonly ViewHit[],
  most: number,
  fits: (fileIds: readonly number[]) => Promise<readonly (PooledFit | undefined)[]>,
): Promise<ViewHit[]> {
  const pages = hits.filter(({ found }) => found === 'page');
  const others = hits.filter(({ found }) => found === 'model');
  const near = others.slice(0, most);
  const found = await fits(near.map(({ fileId }) => fileId));
  const drawn = byScore(
    near.flatMap((hit, i): ViewHit[] => {
      const fit = found[i];
      if (fit === undefined) return [];
      const match = { input: fit.photo, queryShapelet: 0, shapelet: fit.view };
      return [{ ...hit, score: distanceOfViews('fitted', 'model', fit.told), match }];
    }),
  );
  const floor = drawn.length === 0 ? 0 : drawn[drawn.length - 1].score;
  const rest = others
    .filter((_, i) => i >= most || found[i] === undefined)
    .map((hit) => ({ ...hit, score: Math.max(hit.score, floor) }));
  return byScore([...pages, ...drawn, ...rest]);
}
