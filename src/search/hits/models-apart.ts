import type { Store } from '../../store/store.js';
import { featuresOf, type ShapeQuery } from '../query/inputs.js';
import { distanceOfModels, similarityOf, SIMILAR_LEAST } from '../query/likeness.js';
import type { ShapeHit, ShapeSearch } from '../shapes/shape-search.js';
import type { ViewHit } from '../views/view-hit.js';
import { countApart, MOST_APART } from './drawn-holes.js';
import { likeKeyways, likeTeeth } from './like-features.js';
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
  /** The inputs; undefined: no model. */
  readonly queries: readonly (ShapeQuery | undefined)[];
}

/**
 * Of models that were found by their surface: less like the query where they have its size, but another number of
 * holes or keyways. These hardly change a surface, but make another part.
 */
export function byCounts(counted: Counted): Differences<ShapeHit> {
  return {
    isAsked: ({ matchClass, score }) => matchClass === 'similar' && similarityOf(score) >= ALIKE,
    isBefore: () => false,
    scoreOf: (score, apart) => SIMILAR_LEAST + distanceOfModels(score - SIMILAR_LEAST, apart),
    apartOf: (hits) => countsOf(counted, hits),
  };
}

/**
 * The same of models that were found by their surface beside inputs that are no models.
 * isSame: whether a hit is the same file or drawing as an input.
 */
export function byCountsBeside(counted: Counted, isSame: (fileId: number) => boolean): Differences<ViewHit> {
  return {
    isAsked: ({ score, surface }) => surface?.matchClass === 'similar' && similarityOf(SIMILAR_LEAST + score) >= ALIKE,
    isBefore: ({ fileId, surface }) => isSame(fileId) || (surface !== undefined && surface.matchClass !== 'similar'),
    scoreOf: distanceOfModels,
    apartOf: (hits) =>
      countsOf(
        counted,
        hits.map(({ fileId, match }) => ({ fileId, input: match.input })),
      ),
  };
}

/** Distances in log extents of each model from the input that it is nearest to. */
async function countsOf(
  { store, shapes, queries }: Counted,
  hits: readonly { readonly fileId: number; readonly input?: number }[],
): Promise<Map<number, number>> {
  if (queries.every((query) => query?.features === undefined)) return new Map();
  const ids = hits.map(({ fileId }) => fileId);
  const [sizes, stored] = await Promise.all([shapes.known(ids), store.shapes.features(ids)]);
  return new Map(
    hits.map(({ fileId, input = 0 }, i) => {
      const [query, found] = [queries[input], sizes.get(fileId)];
      if (query === undefined || found === undefined) return [fileId, 0];
      const models = [query, { ...found, features: featuresOf(stored[i]) }].map((own) => ({ ...own, extentsMm: [] }));
      const holes = sizesApart(query, found) > ONE_SIZE ? 0 : holesApart(models[0], models[1]);
      return [fileId, Math.hypot(holes, teethApart(models[0], models[1]))];
    }),
  );
}

function sizesApart(a: Pick<ComparedModel, 'bboxSizeMm'>, b: Pick<ComparedModel, 'bboxSizeMm'>): number {
  // Of a side of nothing there is no factor: only another one of nothing is as long.
  return Math.hypot(
    ...a.bboxSizeMm.map((side, i) => (side === b.bboxSizeMm[i] ? 0 : Math.log(side / b.bboxSizeMm[i]))),
  );
}

/** Distance in log extents of two models by the numbers of holes and keyways, as far as these are told; else 0. */
function holesApart(query: ComparedModel, found: ComparedModel): number {
  return Math.hypot(
    ...[...likeHoles(query, found, true), ...likeKeyways(query, found)].flatMap((reason) => {
      if (reason.code === 'more-holes') return reason.holes.map(({ count }) => countApart(count, 0));
      const isCount =
        reason.code === 'other-hole-count' || reason.code === 'other-holes' || reason.code === 'other-keyways';
      return isCount ? [countApart(reason.count, reason.queryCount)] : [];
    }),
  );
}

/**
 * The largest distance where each has one ring of teeth and their numbers differ, in whatever sizes: no gear replaces
 * one of another number. The figure was chosen on the gears of a newcomer (24 teeth, with a keyway before 20 and 30).
 */
function teethApart({ features: asked }: ComparedModel, { features: found }: ComparedModel): number {
  const teeth = asked === undefined || found === undefined ? [] : likeTeeth(asked, found);
  return teeth.some(({ code }) => code === 'other-teeth') ? MOST_APART : 0;
}
