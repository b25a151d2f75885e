import type { Store } from '../../store/store.js';
import { featuresOf, type ShapeQuery } from '../query/inputs.js';
import { distanceOfModels, similarityOf, SIMILAR_LEAST } from '../query/likeness.js';
import type { ShapeHit, ShapeSearch } from '../shapes/shape-search.js';
import { countApart } from './drawn-holes.js';
import { likeKeyways } from './like-features.js';
import { likeHoles } from './like-holes.js';
import type { Differences } from './less-like.js';
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
 * Of models that were found by their surface: less like the query where they have its size, but another number of
 * holes or keyways. These hardly change a surface, but make another part.
 */
export function byCounts({ store, shapes, queries }: Counted): Differences<ShapeHit> {
  return {
    isAsked: ({ matchClass, score }) => matchClass === 'similar' && similarityOf(score) >= ALIKE,
    isBefore: () => false,
    scoreOf: (score, apart) => SIMILAR_LEAST + distanceOfModels(score - SIMILAR_LEAST, apart),
    apartOf: async (hits) => {
      if (queries.every(({ features }) => features === undefined)) return new Map<number, number>();
      const ids = hits.map(({ fileId }) => fileId);
      const [sizes, stored] = await Promise.all([shapes.known(ids), store.shapes.features(ids)]);
      return new Map(
        hits.map(({ fileId, input = 0 }, i) => {
          const [query, found] = [queries[input], sizes.get(fileId)];
          if (found === undefined || sizesApart(query, found) > ONE_SIZE) return [fileId, 0];
          const features = featuresOf(stored[i]);
          return [fileId, modelsApart({ ...query, extentsMm: [] }, { ...found, features, extentsMm: [] })];
        }),
      );
    },
  };
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
