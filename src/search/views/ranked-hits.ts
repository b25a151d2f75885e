import type { Core } from '../../core/core.js';
import { VIEW_BYTES } from '../../descriptors/views.js';
import { distanceOfDrawings, distanceOfInk, distanceOfViews, SIMILAR_LEAST } from '../query/likeness.js';
import type { Surfaces } from '../query/match-class.js';
import { nearestInput, poolDistances } from '../query/pool-inputs.js';
import { candidateOf, hasCamera, isFree, seenIn, type InputQuery } from './asked-views.js';
import type { DrawnFit, LaidInputs } from './drawn/drawn-search.js';
import { statedApart } from './drawn-sizes.js';
import { LAID, laidOn, sharedInk } from './inks/ink-search.js';
import type { OrdinaryDistances } from './ordinary-distances.js';
import type { ReadRows } from './search-rows.js';
import { byScore, type ViewHit } from './view-hit.js';
import type { ViewIndex } from './view-index.js';
import { rankInputs, type ViewsCandidate, type ViewScore } from './view-rank.js';

/** Distance of unrelated files. */
const UNRELATED = 1.1;
/** Exponent of the ratio by which a page is like the query's as a whole; it multiplies the score of its views. */
const PAGE_POWER = 2;
/** Least share of a page's ink that a picture of all of it covers. */
const WHOLE = 0.97;

/** How files are ranked. */
export interface Ranking {
  /** Rows of all views, or of the upright ones alone. */
  readonly rows: ReadRows;
  /** Least score. */
  readonly floor: number;
  /** How drawn inputs lie on each of the files. */
  readonly laid?: LaidInputs;
  /** The same drawing as an input in other bytes, and which input that is. */
  readonly anew?: ReadonlyMap<number, number>;
  /** Where some of the inputs are models: how models lie to them, by their surfaces. */
  readonly surfaces?: Surfaces;
}

/** What files are ranked with. */
export interface RankedWith {
  readonly core: Core;
  readonly index: ViewIndex;
  readonly ordinary: OrdinaryDistances;
}

/** The files by rising score, by the pooled distances of all inputs; one that was removed is left out. */
export async function rankedHits(
  { core, index, ordinary }: RankedWith,
  queries: readonly InputQuery[],
  fileIds: readonly number[],
  { rows: read, floor, laid, anew, surfaces }: Ranking,
): Promise<ViewHit[]> {
  const rows = await read(fileIds);
  const bySurface = await surfaces?.compare(fileIds);
  const pages = rows.filter(({ bytes }) => !hasCamera(bytes));
  const ordinaryOf = queries.some(({ views }) => hasCamera(views)) ? ordinary.of(pages, index) : undefined;
  const candidates = rows.map((row) => {
    const ordinary = ordinaryOf?.get(row.fileId);
    return {
      ...candidateOf(row),
      ...(ordinary === undefined ? {} : { ordinary }),
      ...(laid === undefined ? {} : { measured: laid.get(row.fileId)!.map(distancesOf) }),
    };
  });
  const scores = rankInputs(core, queries, candidates);
  return byScore(
    rows.map(({ fileId, uid, bytes }, i): ViewHit => {
      const own = laid?.get(fileId);
      const aloneIn = (k: number): DrawnFit | undefined =>
        queries[k].views.length === VIEW_BYTES ? own?.[k][0] : undefined;
      const surface = bySurface?.get(fileId);
      const told = queries.map((query, k) => {
        const distance = surface?.distances[k];
        if (distance !== undefined) return distance;
        const fit = aloneIn(k);
        if (fit !== undefined) return distanceOfViews('laid', 'model', fit.told);
        return distanceTold(query, { ...candidates[i], fileId }, scores[k][i]);
      });
      const input = surface?.same?.input ?? anew?.get(fileId) ?? nearestInput(told);
      const { queryView } = scores[input][i];
      const view = aloneIn(input)?.view ?? scores[input][i].view;
      const onPage = laidOn(queries[input].fits.get(fileId), bytes, view);
      const match = { input, queryShapelet: queryView, shapelet: view, ...onPage };
      const part = surface?.same?.part;
      const distance = part === undefined ? poolDistances(told, UNRELATED) : part.score - SIMILAR_LEAST;
      return {
        fileId,
        uid,
        score: part === undefined ? Math.max(distance, floor) : distance,
        ...(surface?.distances[input] === undefined ? {} : { surface: part ?? SIMILAR }),
        found: foundIn(bytes),
        match,
      };
    }),
  );
}

/** How far a file is from one input, by its views, its page as a whole, the ink and what both state. */
function distanceTold(
  { pages, views, fits, stated: read, numbersMm }: InputQuery,
  file: ViewsCandidate & { readonly fileId: number },
  { score, sizesApart }: ViewScore,
): number {
  const seen = seenIn(views);
  const shown = isFree(file.views) ? 'photo' : foundIn(file.views);
  const left = read.get(file.fileId) ?? 1;
  // A page with the same layout is the same page, whatever its views give.
  const ratio = (pages.get(file.fileId) ?? 1) ** PAGE_POWER * left;
  const byViews = distanceOfViews(seen, shown, score * ratio);
  const ink = fits.get(file.fileId);
  const isDrawn = shown === 'page' && seen !== 'model' && seen !== 'photo';
  const stated = isDrawn ? statedApart(numbersMm, file.numbersMm) : 0;
  // Views of pictures are found less exactly than siblings differ; their ink tells these apart.
  const proportions = ink === undefined ? (sizesApart ?? 0) : 0;
  const drawn = distanceOfDrawings(byViews, Math.max(proportions, stated));
  if (ink === undefined || seen === 'photo' || ink.covers < WHOLE || ink.agreement < LAID) return drawn;
  const shared = sharedInk(ink, views, file.views);
  // Pictures of a page show its views in another way than its lines, but the same ink.
  return shared === undefined ? drawn : distanceOfInk(1 - shared, left);
}

/** What is compared of a file: views of a model, or of a page. */
const foundIn = (views: Uint8Array): ViewHit['found'] => (hasCamera(views) ? 'model' : 'page');

const SIMILAR = Object.freeze({ matchClass: 'similar' });

/** Distances of the views of an input that was laid over a model, by their numbers. */
function distancesOf(fits: readonly DrawnFit[]): ReadonlyMap<number, number> {
  return new Map(fits.map(({ number, distance }) => [number, distance]));
}
