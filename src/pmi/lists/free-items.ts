import type { ComparedItem, ItemPlace } from './compared-items.js';
import { apartOf, ringOf } from './near-places.js';

/** Items of a cell, as many as one is meant to have, and the most cells of a page in one direction. */
const IN_CELL = 2;
const MOST_CELLS = 128;
/** Cells are laid anew when so many times fewer items are left. */
const LAID_ANEW = 4;

/** What an item would cost as a partner. */
export interface Offer {
  readonly item: ComparedItem;
  readonly cost: number;
  /** Its number in the order of its file: of those that cost the same the first one is taken. */
  readonly at: number;
}

/** An item that is not taken yet, with its number in the order of its file. */
export interface Free {
  readonly item: ComparedItem;
  readonly at: number;
}

/** How a partner is sought. */
export interface Search {
  /** What each costs beside its distance, at least 0. */
  readonly cost: number;
  /** Those as far away are not looked at, as a share of the page's longer side; all by default. */
  readonly most?: number;
  /** Whether the first one that is found will do. */
  readonly isAnyOne: boolean;
}

/** Costs below this are equal. */
const NEAREST = 1e-6;
/** What a place on another page costs: as much as one on the other side of this one. */
const OTHER_PAGE = 1;
const NONE: Iterable<Free> = [];

/** Whether a cost is higher than that of an offer. */
export function isDearer(cost: number, { cost: other }: Offer): boolean {
  return cost > Math.max(NEAREST, other);
}

/** The cheaper one of two offers, the first of the file where they cost the same. */
export function cheaper(a: Offer | undefined, b: Offer): Offer {
  if (a === undefined) return b;
  const [one, other] = [Math.max(NEAREST, a.cost), Math.max(NEAREST, b.cost)];
  return other < one || (other === one && b.at < a.at) ? b : a;
}

/**
 * Items of a file that say the same and have no partner yet, by their places, so that the nearest one is found without
 * looking at all.
 */
export class FreeItems {
  /** By pages; those without a place have none. */
  readonly #pages = new Map<number | undefined, Set<Free>>();
  #cells = new Map<number, Set<Free>>();
  /** Cells of a page in one direction; how many items there are, and were when the cells were laid. */
  #across = 1;
  #count = 0;
  #laid = 0;

  /** @param items in the order of their file. */
  constructor(items: Iterable<Free>) {
    for (const free of items) {
      addToSet(this.#pages, free.item.place?.page, free);
      this.#count++;
    }
    this.#lay();
  }

  delete(free: Free): void {
    const { place } = free.item;
    if (this.#pages.get(place?.page)?.delete(free) !== true) return;
    this.#count--;
    if (place !== undefined) this.#cells.get(this.#cellOf(place))?.delete(free);
    if (LAID_ANEW * this.#count < this.#laid) this.#lay();
  }

  /** The cheapest one on the page of a place, or what is known where none is cheaper. */
  cheapestAt(
    place: ItemPlace,
    known: Offer | undefined,
    { cost, most = Infinity, isAnyOne }: Search,
  ): Offer | undefined {
    let best = known;
    const isTooFar = (apart: number): boolean => apart >= most || (best !== undefined && isDearer(cost + apart, best));
    const [column, row] = [this.#stepOf(place.x), this.#stepOf(place.y)];
    for (let ring = 0; ring < this.#across; ring++) {
      // What is in this ring is farther away than the cells between.
      if (isTooFar((ring - 1) / this.#across)) break;
      for (const [right, down] of ringOf(ring)) {
        for (const { item, at } of this.#in(place.page, column + right, row + down)) {
          const apart = apartOf(item.place!, place);
          if (isTooFar(apart)) continue;
          const offer = { item, at, cost: cost + apart };
          best = cheaper(best, offer);
          // Later ones of the cell are later ones of the file.
          if (best === offer && (isAnyOne || offer.cost < NEAREST)) break;
        }
        if (isAnyOne && best !== known) return best;
      }
    }
    return best;
  }

  /** The cheapest one that has no place, or one on another page, or what is known where none is cheaper. */
  cheapestElsewhere(page: number | undefined, known: Offer | undefined, { cost, isAnyOne }: Search): Offer | undefined {
    let best = known;
    for (const [other, items] of this.#pages) {
      if (page !== undefined && other === page) continue;
      const ofPage = page === undefined || other === undefined ? 0 : OTHER_PAGE;
      for (const { item, at } of items) {
        const offer = { item, at, cost: cost + ofPage };
        // The others of the page cost the same.
        best = cheaper(best, offer);
        break;
      }
      if (isAnyOne && best !== known) return best;
    }
    return best;
  }

  #lay(): void {
    this.#laid = this.#count;
    this.#across = Math.min(MOST_CELLS, Math.max(1, Math.ceil(Math.sqrt(this.#laid / IN_CELL))));
    this.#cells = new Map();
    for (const items of this.#pages.values())
      for (const free of items)
        if (free.item.place !== undefined) addToSet(this.#cells, this.#cellOf(free.item.place), free);
  }

  #in(page: number, x: number, y: number): Iterable<Free> {
    if (x < 0 || y < 0 || x >= this.#across || y >= this.#across) return NONE;
    return this.#cells.get(numberOf(page, x, y)) ?? NONE;
  }

  #cellOf({ page, x, y }: ItemPlace): number {
    return numberOf(page, this.#stepOf(x), this.#stepOf(y));
  }

  /** What is outside the page is in its outermost cells. */
  #stepOf(share: number): number {
    return Math.min(this.#across - 1, Math.max(0, Math.floor(share * this.#across)));
  }
}

function numberOf(page: number, x: number, y: number): number {
  return (page * MOST_CELLS + x) * MOST_CELLS + y;
}

function addToSet<Key>(sets: Map<Key, Set<Free>>, key: Key, free: Free): void {
  const known = sets.get(key);
  if (known === undefined) sets.set(key, new Set([free]));
  else known.add(free);
}
