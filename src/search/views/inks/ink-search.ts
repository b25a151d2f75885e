import type { Core } from '../../../core/core.js';
import { VIEW_BYTES, viewFacts } from '../../../descriptors/views.js';
import type { MatchPosition } from '../../query/query.js';
import { inkOfViews } from './ink-of-views.js';
import type { KeptInks } from './kept-inks.js';
import { addPromises, fitPages, fitRatios, type PageFit, type PromisingFile, type QueryInk } from './page-fits.js';

/**
 * Files that a picture is laid over, the first of them, roughly; and exactly, those that promise most. Of 39 sketches
 * and pictures among 47 pages all files whose ratio is below .8 are among the first 20.
 */
export const MOST_FITTED = 192;
const MOST_EXACT = 20;
/** Files between two turns of the event loop. */
const FILES_A_TURN = 4;

/** Least agreement of all ink that tells how a page lies on the query's. */
export const LAID = 0.5;
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
  { inks, core }: { readonly inks: KeptInks; readonly core: Core },
  query: QueryInk,
  fileIds: readonly number[],
  { least, turn }: { readonly least: number; readonly turn: () => Promise<void> },
): Promise<InkFits> {
  const promising = new MostPromising();
  for (let start = 0; start < fileIds.length; start += FILES_A_TURN) {
    if (start > 0) await turn();
    const asked = fileIds.slice(start, start + FILES_A_TURN);
    const found = await inks.of(asked);
    const files = asked.flatMap((fileId) => {
      const own = found.get(fileId);
      return own === undefined ? [] : [[fileId, own] as const];
    });
    addPromises(core, query, files, {
      least: () => promising.least,
      add: (fileId, file) => promising.add(fileId, file),
    });
  }
  const fits = new Map<number, PageFit>();
  for (const [i, [fileId, { pages }]] of promising.files.entries()) {
    if (i % FILES_A_TURN === 0) await turn();
    const fit = fitPages(core, query, pages);
    if (fit !== undefined && fit.agreement >= least) fits.set(fileId, fit);
  }
  const ratios = fitRatios(fileIds.map((fileId) => fits.get(fileId)));
  return { fits, ratios: new Map(fileIds.flatMap((fileId, i) => (ratios[i] < 1 ? [[fileId, ratios[i]]] : []))) };
}

/** The files that promise most, with their pages; of equal ones the first that were added. */
class MostPromising {
  /** By falling promise. */
  readonly files: [fileId: number, file: PromisingFile][] = [];

  /** What a further file must promise more than; below 0 while every one is kept. */
  get least(): number {
    return this.files.length < MOST_EXACT ? -1 : this.files[MOST_EXACT - 1][1].promise;
  }

  /** file: that promises more than `least`. */
  add(fileId: number, file: PromisingFile): void {
    const at = this.files.findIndex(([, other]) => other.promise < file.promise);
    this.files.splice(at < 0 ? this.files.length : at, 0, [fileId, file]);
    this.files.length = Math.min(this.files.length, MOST_EXACT);
  }
}

/**
 * How far the views of a picture and of the page that it lies on have the same ink, see {@link inkOfViews}; undefined
 * where one of them has no view. query, views: from `describeViews`
 */
export function sharedInk({ page, over }: PageFit, query: Uint8Array, views: Uint8Array): number | undefined {
  const own = countOn(query, over.part.number),
    others = countOn(views, page);
  return own === 0 || others === 0 ? undefined : inkOfViews(over, own, others);
}

/** Number of views on a page. */
function countOn(views: Uint8Array, page: number): number {
  let count = 0;
  for (let view = 0; view < views.length / VIEW_BYTES; view++)
    if (viewFacts(views, view).page === Math.min(page, LAST_PAGE)) count++;
  return count;
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
