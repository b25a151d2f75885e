import type { Core } from '../../../core/core.js';
import { promisesOfInks, type InkCells, type InkMeasures } from '../../../core/laid-inks.js';
import { packedInks, type PackedInk } from '../../../descriptors/page-inks.js';
import type { MatchPosition } from '../../query/query.js';
import { fitInk, startsOn, type InkFit } from './fit-ink.js';
import type { LaidOver } from './ink-of-views.js';
import { layHalf, layInk, placedInk, type LaidInk } from './laid-ink.js';

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
  /** The inks, and how one lies on the other. */
  readonly over: LaidOver;
}

/** The ink of a query. */
export interface QueryInk extends LaidInk {
  /** Of half the size, by which promises are measured. */
  readonly half: InkCells;
}

/** The pages of a file, and how well a query may lie on them. */
export interface PromisingFile {
  readonly pages: readonly PackedInk[];
  /** 0 to 1, without finding where exactly. */
  readonly promise: number;
}

/** Rank of the file whose agreement counts as ordinary, and the agreement used when there are fewer files. */
const ORDINARY_RANK = 11;
const ORDINARY = 0.5;
/** Added to disagreements before their ratio is taken: that of two pictures of one page. */
const NOISE = 0.03;

/** The first page of a query that has ink. inks: from `packInks`. */
export function queryInk(core: Core, inks: Uint8Array): QueryInk | undefined {
  const ink = packedInks(inks).find((page) => page !== undefined);
  return ink && { ...layInk(core, ink), half: layHalf(core, ink) };
}

/**
 * How well a query may lie on the pages of each of some files: adds those on which it lies better than `least` of those
 * before tells.
 */
export function addPromises<File>(
  core: Core,
  query: QueryInk,
  files: Iterable<readonly [File, readonly PackedInk[]]>,
  { least, add }: { readonly least: () => number; readonly add: (file: File, promising: PromisingFile) => void },
): void {
  promisesOfInks(core, query.half, (promiseOf) => {
    for (const [file, pages] of files) {
      const placesOn = (page: number, measures: InkMeasures): Float64Array =>
        startsOn(query, placedInk(pages[page], measures));
      const promise = promiseOf(pages, { least: least(), placesOn });
      if (promise !== undefined) add(file, { pages, promise });
    }
  });
}

/** The page of a file on which a query lies best. Undefined where it lies on none. */
export function fitPages(core: Core, query: LaidInk, pages: readonly PackedInk[]): PageFit | undefined {
  let best: { readonly fit: InkFit; readonly page: LaidInk } | undefined;
  for (const ink of pages) {
    const page = layInk(core, ink);
    const fit = fitInk(core, query, page);
    if (fit !== undefined && (best === undefined || fit.agreement > best.fit.agreement)) best = { fit, page };
  }
  if (best === undefined) return undefined;
  const { fit, page } = best;
  const { x, y, rotationRad, scale } = query.ofPage.followedBy(fit.laid).followedBy(page.ofPage.inverse).inverse;
  const { agreement, covers, laid } = fit;
  const position = { x, y, rotationRad, scale };
  return { page: page.number, agreement, covers, position, over: { part: query, page, laid } };
}

/** For each file, its disagreement over that of an ordinary one: below 1 for a better fit, else 1. */
export function fitRatios(fits: readonly (PageFit | undefined)[]): number[] {
  const agreements = fits.map((fit) => fit?.agreement ?? 0);
  const ranked = [...agreements].sort((a, b) => b - a);
  const ordinary = ranked.length < ORDINARY_RANK ? ORDINARY : ranked[ORDINARY_RANK - 1];
  return agreements.map((agreement) => Math.min(1, (1 - agreement + NOISE) / (1 - ordinary + NOISE)));
}
