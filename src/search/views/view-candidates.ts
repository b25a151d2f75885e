import { firstNotBelow } from '../../store/database/id-lists.js';
import { hasCamera, type InputQuery } from './asked-views.js';
import type { DrawnInput } from './drawn/drawn-search.js';
import { MOST_FITTED } from './inks/ink-search.js';
import { joined } from './match-views.js';
import type { ViewIndex } from './view-index.js';

/** Files that are compared finely for each of the other proportions of a drawn view. */
const STRETCHED_EACH = 24;

/** Which files a search by views compares finely, and which it lays pictures over, chosen by the views in memory. */
export class ViewCandidates {
  readonly #index: ViewIndex;
  readonly #allowed: Uint32Array;

  /** allowed: ids of files with views, rising. */
  constructor(index: ViewIndex, allowed: Uint32Array) {
    this.#index = index;
    this.#allowed = allowed;
  }

  has(fileId: number): boolean {
    return contains(this.#allowed, fileId);
  }

  /**
   * Candidates by the scan, chosen among what is in memory before the first await: the `count` nearest files, for
   * several inputs those of each and those of all together, twice `count` at most.
   */
  async nearest(queries: readonly InputQuery[], count: number, bySurface: readonly number[] = []): Promise<number[]> {
    const asked = queries.map(({ views }) => views);
    const nearestTo = (views: Uint8Array): Promise<number[]> => this.#index.nearest(views, count, this.#allowed);
    if (asked.length === 1) return nearestTo(asked[0]);
    if (!asked.some(hasCamera)) asked.push(joined(asked));
    const places = new Map<number, number>();
    const near = bySurface.filter((fileId) => this.has(fileId));
    for (const found of [near, ...(await Promise.all(asked.map(nearestTo)))])
      for (const [place, fileId] of found.entries())
        places.set(fileId, Math.min(place, places.get(fileId) ?? Infinity));
    const ordered = [...places]
      .sort(([a, near], [b, far]) => near - far || (this.#index.uidOf(a) < this.#index.uidOf(b) ? -1 : 1))
      .slice(0, 2 * count)
      .map(([fileId]) => fileId);
    // Many copies of a model may stand behind all that its views are like.
    const isListed = new Set(ordered);
    return [...ordered, ...near.filter((fileId) => !isListed.has(fileId))];
  }

  /** Files that are near to a single drawn view in other proportions than it was drawn in, some for each of these. */
  async stretched(inputs: readonly (DrawnInput | undefined)[]): Promise<number[]> {
    const shapes = inputs.length === 1 ? (inputs[0]?.drawn[0].shapes ?? []) : [];
    const found = await Promise.all(
      shapes.slice(1).map(({ view }) => this.#index.nearest(view, STRETCHED_EACH, this.#allowed, true)),
    );
    return [...new Set(found.flat())];
  }

  /** Of each query that is laid over drawings and images: those whose views are nearest. */
  toBeLaid(queries: readonly InputQuery[]): Promise<readonly (readonly number[])[]> {
    if (!queries.some(isLaid)) return Promise.resolve(queries.map(() => []));
    const pages = new ViewCandidates(
      this.#index,
      this.#allowed.filter((fileId) => this.#index.hasPages(fileId)),
    );
    return Promise.all(
      queries.map((query) => (isLaid(query) ? pages.nearest([query], MOST_FITTED) : Promise.resolve([]))),
    );
  }
}

/** Whether a query is laid over drawings and images. */
const isLaid = ({ ink, readMm }: InputQuery): boolean => ink !== undefined || readMm.length > 0;

/** ids: rising. */
function contains(ids: Uint32Array, id: number): boolean {
  return ids[firstNotBelow(ids, id, 0, ids.length)] === id;
}
