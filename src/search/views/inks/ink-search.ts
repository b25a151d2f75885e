import type { Store } from '../../../store/store.js';
import { fitPages, fitRatios, type PageFit } from './page-fits.js';
import type { LaidInk } from './laid-ink.js';

/** Files that a picture is laid over, the first of them; a millisecond or two each. */
export const MOST_FITTED = 192;
/** Pages of a file that are looked at. */
const MOST_PAGES = 4;
/** Files between two turns of the event loop. */
const FILES_A_TURN = 8;

/** How a picture lies on the pages of some files. */
export interface InkFits {
  readonly fits: ReadonlyMap<number, PageFit>;
  /** Of files on which it lies better than on an ordinary one: the ratio of both disagreements, below 1. */
  readonly ratios: ReadonlyMap<number, number>;
}

/** Lays a picture over the pages of files. turn: lets the event loop run; rejects to end the search. */
export async function fitFiles(
  store: Store,
  query: LaidInk,
  fileIds: readonly number[],
  turn: () => Promise<void>,
): Promise<InkFits> {
  const fits = new Map<number, PageFit>();
  for (let start = 0; start < fileIds.length; start += FILES_A_TURN) {
    if (start > 0) await turn();
    for (const [fileId, inks] of await store.views.inks(fileIds.slice(start, start + FILES_A_TURN))) {
      const fit = fitPages(query, inks, MOST_PAGES);
      if (fit !== undefined) fits.set(fileId, fit);
    }
  }
  const found = fitRatios(fileIds.map((fileId) => fits.get(fileId)));
  return { fits, ratios: new Map(fileIds.flatMap((fileId, i) => (found[i] < 1 ? [[fileId, found[i]]] : []))) };
}
