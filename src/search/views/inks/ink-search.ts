import type { Store } from '../../../store/store.js';
import { VIEW_BYTES, viewFacts } from '../../../descriptors/views.js';
import type { MatchPosition } from '../../query/query.js';
import { fitPages, fitRatios, promiseOf, type PageFit } from './page-fits.js';
import type { LaidInk } from './laid-ink.js';

/** Files that a picture is laid over, the first of them, roughly; and exactly, those that promise most. */
export const MOST_FITTED = 192;
const MOST_EXACT = 32;
/** Files between two turns of the event loop. */
const FILES_A_TURN = 2;

/** Least agreement of all ink that tells how a page lies on the query's. */
const LAID = 0.5;
/** The number that views of this page and of all later ones carry. */
const LAST_PAGE = 255;

/** How a picture lies on the pages of some files. */
export interface InkFits {
  readonly fits: ReadonlyMap<number, PageFit>;
  /** Of files on which it lies better than on an ordinary one: the ratio of both disagreements, below 1. */
  readonly ratios: ReadonlyMap<number, number>;
}

/**
 * Lays a picture over the pages of files. least: agreement below which a file is left out. turn: lets the event loop
 * run; rejects to end the search.
 */
export async function fitFiles(
  store: Store,
  query: LaidInk,
  fileIds: readonly number[],
  { least, turn }: { readonly least: number; readonly turn: () => Promise<void> },
): Promise<InkFits> {
  const promises = new Map<number, number>();
  await eachInk(store, fileIds, turn, (fileId, inks) => promises.set(fileId, promiseOf(query, inks)));
  const promising = [...promises.keys()]
    .sort((a, b) => promises.get(b)! - promises.get(a)! || fileIds.indexOf(a) - fileIds.indexOf(b))
    .slice(0, MOST_EXACT);
  const fits = new Map<number, PageFit>();
  await eachInk(store, promising, turn, (fileId, inks) => {
    const fit = fitPages(query, inks);
    if (fit !== undefined && fit.agreement >= least) fits.set(fileId, fit);
  });
  const found = fitRatios(fileIds.map((fileId) => fits.get(fileId)));
  return { fits, ratios: new Map(fileIds.flatMap((fileId, i) => (found[i] < 1 ? [[fileId, found[i]]] : []))) };
}

async function eachInk(
  store: Store,
  fileIds: readonly number[],
  turn: () => Promise<void>,
  visit: (fileId: number, inks: Uint8Array) => void,
): Promise<void> {
  for (let start = 0; start < fileIds.length; start += FILES_A_TURN) {
    if (start > 0) await turn();
    for (const [fileId, inks] of await store.views.inks(fileIds.slice(start, start + FILES_A_TURN)))
      visit(fileId, inks);
  }
}

/**
 * The position that all ink tells, and a view of the page that it is of: the one that matched, or the largest. Empty
 * where the ink tells nothing.
 */
export function laidOn(
  fit: PageFit | undefined,
  views: Uint8Array,
  matched: number,
): { readonly position?: MatchPosition; readonly shapelet?: number } {
  if (fit === undefined || fit.agreement < LAID) return {};
  const isOn = (view: number): boolean => viewFacts(views, view).page === Math.min(fit.page, LAST_PAGE);
  if (isOn(matched)) return { position: fit.position };
  const shapelet = Array.from({ length: views.length / VIEW_BYTES }, (_, view) => view).find(isOn);
  return shapelet === undefined ? {} : { position: fit.position, shapelet };
}
