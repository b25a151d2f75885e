import { addTo } from '../../content/groups.js';
import type { ItemPlace } from './compared-items.js';

/** What is meant to be in a cell, and the most cells of a page in one direction. */
const IN_CELL = 4;
const MOST_CELLS = 64;

interface Near<Each> {
  readonly each: Each;
  /** In the order in which they were given. */
  readonly at: number;
  readonly apart: number;
}

function isNearer(apart: number, at: number, than: Near<unknown>): boolean {
  return apart < than.apart || (apart === than.apart && at < than.at);
}

/** Things with places on pages, by cells, so that the nearest ones are found without looking at all. */
export class NearPlaces<Each extends { readonly place: ItemPlace }> {
  readonly all: readonly Each[];
  readonly #cells = new Map<number, { readonly each: Each; readonly at: number }[]>();
  readonly #across: number;

  constructor(all: readonly Each[]) {
    this.all = all;
    this.#across = Math.min(MOST_CELLS, Math.max(1, Math.ceil(Math.sqrt(all.length / IN_CELL))));
    for (const [at, each] of all.entries()) {
      const { page, x, y } = each.place;
      addTo(this.#cells, this.#cellOf(page, this.#stepOf(x), this.#stepOf(y)), { each, at });
    }
  }

  /** The nearest ones on the page of a place, the nearest first, those that were given first of equally near ones. */
  nearest(place: ItemPlace, count: number): readonly Each[] {
    const [column, row] = [this.#stepOf(place.x), this.#stepOf(place.y)];
    // Sorted; farther ones than these are not kept.
    const found: Near<Each>[] = [];
    for (let ring = 0; ring < this.#across; ring++) {
      // What is in this ring and behind it is farther away than the cells between.
      if (found.length >= count && (ring - 1) / this.#across > found[count - 1].apart) break;
      for (const [right, down] of ringOf(ring))
        for (const { each, at } of this.#in(place.page, column + right, row + down)) {
          const apart = apartOf(each.place, place);
          if (found.length >= count && !isNearer(apart, at, found[count - 1])) continue;
          let to = found.length < count ? found.length : count - 1;
          for (; to > 0 && isNearer(apart, at, found[to - 1]); to--) found[to] = found[to - 1];
          found[to] = { each, at, apart };
        }
    }
    return found.map(({ each }) => each);
  }

  #in(page: number, x: number, y: number): readonly { readonly each: Each; readonly at: number }[] {
    if (x < 0 || y < 0 || x >= this.#across || y >= this.#across) return [];
    return this.#cells.get(this.#cellOf(page, x, y)) ?? [];
  }

  #cellOf(page: number, x: number, y: number): number {
    return (page * MOST_CELLS + x) * MOST_CELLS + y;
  }

  /** What is outside the page is in its outermost cells. */
  #stepOf(share: number): number {
    return Math.min(this.#across - 1, Math.max(0, Math.floor(share * this.#across)));
  }
}

/** Steps to the cells of a ring about a cell. */
export function* ringOf(ring: number): Generator<readonly [right: number, down: number]> {
  if (ring === 0) yield [0, 0];
  for (let i = -ring; i < ring; i++) {
    yield [i, -ring];
    yield [ring, i];
    yield [-i, ring];
    yield [-ring, -i];
  }
}

/** How far two places of one page are from each other; infinitely far on different pages. */
export function apartOf(a: ItemPlace, b: ItemPlace): number {
  if (a.page !== b.page) return Infinity;
  const x = a.x - b.x,
    y = a.y - b.y;
  return Math.sqrt(x * x + y * y);
}
