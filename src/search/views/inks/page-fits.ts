import { unpackInks } from '../../../descriptors/page-inks.js';
import type { MatchPosition } from '../../query/query.js';
import { agreementAt, fitInk, startsOfBoxes, startsOfPages, type InkFit } from './fit-ink.js';
import type { Similarity } from './similarity.js';
import { layInk, type LaidInk } from './laid-ink.js';

/** How the ink of a picture lies on a page of a file. */
export interface PageFit {
  /** From 1. */
  readonly page: number;
  /** See {@link InkFit}. */
  readonly agreement: number;
  /** See {@link InkFit}. */
  readonly covers: number;
  /** Of the file's page on the query's. */
  readonly position: MatchPosition;
}

/** Rank of the file whose agreement counts as ordinary, and the agreement used when there are fewer files. */
const ORDINARY_RANK = 11;
const ORDINARY = 0.5;
/** Added to disagreements before their ratio is taken: that of two pictures of one page. */
const NOISE = 0.03;

/** The first page of a query that has ink. inks: from `packInks`. */
export function queryInk(inks: Uint8Array): LaidInk | undefined {
  const ink = unpackInks(inks).find((page) => page !== undefined);
  return ink && layInk(ink);
}

/** How well a query may lie on the pages of a file, 0 to 1, without finding where exactly. inks: from `packInks`. */
export function promiseOf(query: LaidInk, inks: Uint8Array): number {
  let best = 0;
  for (const ink of unpackInks(inks)) {
    if (ink === undefined) continue;
    const page = layInk(ink);
    best = Math.max(best, agreementAt(query, page, startsOn(query, page)));
  }
  return best;
}

function startsOn(query: LaidInk, page: LaidInk): Similarity[] {
  return [...startsOfPages(query, page), ...startsOfBoxes(query.boxes, page.boxes)];
}

/** The page of a file on which a query lies best. Undefined where it lies on none. inks: from `packInks`. */
export function fitPages(query: LaidInk, inks: Uint8Array): PageFit | undefined {
  let best: { readonly fit: InkFit; readonly page: LaidInk; readonly number: number } | undefined;
  for (const ink of unpackInks(inks)) {
    if (ink === undefined) continue;
    const page = layInk(ink);
    const fit = fitInk(query, page, startsOn(query, page));
    if (fit !== undefined && (best === undefined || fit.agreement > best.fit.agreement))
      best = { fit, page, number: ink.number };
  }
  if (best === undefined) return undefined;
  const { fit, page, number } = best;
  const { x, y, rotationRad, scale } = query.ofPage.followedBy(fit.laid).followedBy(page.ofPage.inverse).inverse;
  return { page: number, agreement: fit.agreement, covers: fit.covers, position: { x, y, rotationRad, scale } };
}

/** For each file, its disagreement over that of an ordinary one: below 1 for a better fit, else 1. */
export function fitRatios(fits: readonly (PageFit | undefined)[]): number[] {
  const agreements = fits.map((fit) => fit?.agreement ?? 0);
  const ranked = [...agreements].sort((a, b) => b - a);
  const ordinary = ranked.length < ORDINARY_RANK ? ORDINARY : ranked[ORDINARY_RANK - 1];
  return agreements.map((agreement) => Math.min(1, (1 - agreement + NOISE) / (1 - ordinary + NOISE)));
}
