import type { Store } from '../../store/store.js';
import { featuresOf, type ShapeQuery } from '../query/inputs.js';
import { distanceOfModels, similarityOf, SIMILAR_LEAST } from '../query/likeness.js';
import type { ShapeHit, ShapeSearch } from '../shapes/shape-search.js';
import { countApart } from './drawn-holes.js';
import { likeKeyways } from './like-features.js';
import { likeHoles } from './like-holes.js';
import { MOST_SIZED } from './less-by-sizes.js';
import type { ComparedModel } from './like-sizes.js';
import { ALIKE } from './reasons.js';

/**
 * Farther apart in log extents of their boxes, parts are less like each other by their sizes already: with all pairs
 * the first place of the 773 labelled parts fell from .850 to .843 (bench/findings/shapes.md).
 */
const ONE_SIZE = 0.1;

interface Counted {
  readonly store: Store;
  readonly shapes: ShapeSearch;
  readonly queries: readonly ShapeQuery[];
}

/**
 * Of models that were found by their surface, the first ones: less like the query where they have its size, but
 * another number of holes or keyways. These hardly change a surface, but make another part. As in `lessBySizes` nothing
 * changes behind the first ones, and no score becomes larger than that of the last of them. hits: by rising score.
 */
export async function lessByCounts(
  hits: readonly ShapeHit[],
  { store, shapes, queries }: Counted,
): Promise<ShapeHit[]> {
  const first = hits.slice(0, MOST_SIZED);
  const most = hits.length > MOST_SIZED ? first.at(-1)!.score : Infinity;
  const isAsked = ({ matchClass, score }: ShapeHit): boolean =>
    matchClass === 'similar' && similarityOf(score) >= ALIKE;
  const ids = first.filter(isAsked).map(({ fileId }) => fileId);
  if (ids.length === 0 || queries.every(({ features }) => features === undefined)) return [...hits];
  const [sizes, stored] = await Promise.all([shapes.known(ids), store.shapes.features(ids)]);
  const features = new Map(ids.map((fileId, i) => [fileId, featuresOf(stored[i])]));
  const changed = first.map((hit): ShapeHit => {
    const found = sizes.get(hit.fileId);
    const query = queries[hit.input ?? 0];
    if (!isAsked(hit) || found === undefined || sizesApart(query, found) > ONE_SIZE) return hit;
    const apart = modelsApart(
      { ...query, extentsMm: [] },
      { ...found, features: features.get(hit.fileId), extentsMm: [] },
    );
    const score = SIMILAR_LEAST + distanceOfModels(hit.score - SIMILAR_LEAST, apart);
    return apart === 0 ? hit : { ...hit, score: Math.max(hit.score, Math.min(score, most)) };
  });
  return [...changed.sort((a, b) => a.score - b.score || (a.uid < b.uid ? -1 : 1)), ...hits.slice(MOST_SIZED)];
}

function sizesApart(a: Pick<ComparedModel, 'bboxSizeMm'>, b: Pick<ComparedModel, 'bboxSizeMm'>): number {
  // Of a side of nothing there is no factor: only another one of nothing is as long.
  return Math.hypot(
    ...a.bboxSizeMm.map((side, i) => (side === b.bboxSizeMm[i] ? 0 : Math.log(side / b.bboxSizeMm[i]))),
  );
}

/** Distance in log extents of two models by the numbers of holes and keyways, as far as these are told; else 0. */
function modelsApart(query: ComparedModel, found: ComparedModel): number {
  return Math.hypot(
    ...[...likeHoles(query, found, true), ...likeKeyways(query, found)].flatMap((reason) => {
      if (reason.code === 'more-holes') return reason.holes.map(({ count }) => countApart(count, 0));
      const isCount =
        reason.code === 'other-hole-count' || reason.code === 'other-holes' || reason.code === 'other-keyways';
      return isCount ? [countApart(reason.count, reason.queryCount)] : [];
    }),
  );
}
