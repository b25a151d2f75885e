import { addTo, medianOf } from '../../content/groups.js';
import type { ComparedItem, ItemPlace } from './compared-items.js';
import { apartOf, NearPlaces } from './near-places.js';

/** Annotations on one place of two drawings are nearer than this, as a share of the page's longer side. */
export const SAME_PLACE = 0.012;
/**
 * Cells are twice as wide, so that places near one are in four of them; more of them than a page has in one direction.
 */
const CELL = 2 * SAME_PLACE;
const CELLS = 1_000;
/** Neighbours by which a place is known again, and how many of them stand about it in the same way at least. */
const NEIGHBOURS = 8;
const LEAST_NEIGHBOURS = 2;
/** Most places that one annotation may have moved to. */
const MOST_CANDIDATES = 64;
/** Those that are tried before the others. */
const FIRST_CANDIDATES = 2;
/** Annotations about one that say how far it moved. */
const ANCHORS = 5;

/** What distances to the right and downwards became: as they were, or mirrored. */
type Signs = readonly [right: number, down: number];
const DIRECTIONS: readonly Signs[] = [
  [1, 1],
  [-1, 1],
  [1, -1],
];

/** Whether two annotations may be the same one. */
export type IsPair = (a: ComparedItem, b: ComparedItem) => boolean;

interface Placed {
  readonly item: ComparedItem;
  readonly place: ItemPlace;
}
/** Where an annotation of the first file stands in the second one, and whether in a mirrored view. */
interface Anchor {
  readonly place: ItemPlace;
  readonly to: ItemPlace;
  readonly signs: Signs;
}

/**
 * Where annotations of one drawing stand in another one of the same part, whose views may have moved or been mirrored:
 * a place is known again by the annotations about it, which stand about the new place in the same way. One that is not
 * found so moved as those beside it did.
 */
export class MovedPlaces {
  readonly #anchors: NearPlaces<Anchor>;
  readonly #known = new Map<ComparedItem, ItemPlace>();

  /** @param isPair whether two annotations may be the same one, with another tolerance perhaps. */
  constructor(first: readonly ComparedItem[], second: readonly ComparedItem[], isPair: IsPair) {
    const [from, to] = [first, second].map((items) =>
      items.flatMap((item): Placed[] => (item.place === undefined ? [] : [{ item, place: item.place }])),
    );
    const around = new NearPlaces(from);
    const cells = new Map<number, Placed[]>();
    for (const each of to) addTo(cells, cellOf(each.place), each);
    const stands = ({ item }: Placed, place: ItemPlace): boolean => {
      for (const right of [-SAME_PLACE, SAME_PLACE])
        for (const down of [-SAME_PLACE, SAME_PLACE])
          for (const other of cells.get(cellOf(place, right, down)) ?? [])
            if (apartOf(other.place, place) < SAME_PLACE && isPair(item, other.item)) return true;
      return false;
    };
    const alike = new Map<string, NearPlaces<Placed>>();
    const alikeOf = ({ item }: Placed): NearPlaces<Placed> => {
      const saying = sayingOf(item);
      const known = alike.get(saying) ?? new NearPlaces(to.filter((other) => isPair(item, other.item)));
      alike.set(saying, known);
      return known;
    };
    const anchors: Anchor[] = [];
    // How many may be one that is the only one for another.
    const asked = new Map<Placed, number>();
    const alikeTo = from.map((each) => alikeOf(each));
    for (const { all } of alikeTo) if (all.length === 1) asked.set(all[0], 0);
    for (const [{ all }, count] of countsOf(alikeTo))
      for (const other of all) if (asked.has(other)) asked.set(other, asked.get(other)! + count);
    for (const [i, each] of from.entries()) {
      const { item, place } = each;
      const near = around.nearest(place, NEIGHBOURS + 1).filter((other) => other !== each);
      // Most stay where they are, so that the nearest ones are enough.
      const first = alikeTo[i].nearest(place, FIRST_CANDIDATES);
      const isFirst = ({ place: to }: Placed): boolean =>
        near.every((other) => stands(other, placeOf(other.place, { place, to, signs: DIRECTIONS[0] })));
      const found = first.some(isFirst) ? first : candidates(each, alikeTo[i]);
      const isOnlyOne = alikeTo[i].all.length === 1 && asked.get(alikeTo[i].all[0]) === 1;
      let most = 0;
      let best: Anchor | undefined;
      // Most views are not mirrored and stay where they are.
      for (const signs of DIRECTIONS) {
        if (best !== undefined && most === near.length) break;
        let mostOfThese = -1;
        let bestOfThese: Anchor | undefined;
        for (const { place: to } of found) {
          const anchor: Anchor = { place, to, signs };
          const count = near.filter((other) => stands(other, placeOf(other.place, anchor))).length;
          const isNearer = count === mostOfThese && apartOf(to, place) < apartOf(bestOfThese!.to, place);
          if (count > mostOfThese || isNearer) [mostOfThese, bestOfThese] = [count, anchor];
          // The nearest ones are first.
          if (count === near.length) break;
        }
        if (best === undefined || mostOfThese > most) [most, best] = [mostOfThese, bestOfThese];
      }
      if (best === undefined || (most < LEAST_NEIGHBOURS && !isOnlyOne)) continue;
      this.#known.set(item, best.to);
      anchors.push(best);
    }
    this.#anchors = new NearPlaces(anchors);
  }

  /** Where an annotation of the first file is to be expected in the second one; undefined where it has no place. */
  expectedOf(item: ComparedItem): ItemPlace | undefined {
    const { place } = item;
    const known = this.#known.get(item);
    if (known !== undefined || place === undefined) return known;
    const near = this.#anchors.nearest(place, ANCHORS);
    if (near.length === 0) return place;
    const page = mostOf(near.map(({ to }) => to.page));
    const there = near.filter(({ to }) => to.page === page).map((anchor) => placeOf(place, anchor));
    return { page, x: medianOf(there.map(({ x }) => x)) ?? place.x, y: medianOf(there.map(({ y }) => y)) ?? place.y };
  }
}

/** A place moved and mirrored as another one was. */
function placeOf({ page, x, y }: ItemPlace, { place, to, signs: [right, down] }: Anchor): ItemPlace {
  return {
    page: page === place.page ? to.page : page,
    x: to.x + right * (x - place.x),
    y: to.y + down * (y - place.y),
  };
}

/**
 * Those that an annotation may be, the nearest first, those on other pages last; of many the nearest ones, since most
 * views stay where they are.
 */
function candidates({ place }: Placed, alike: NearPlaces<Placed>): readonly Placed[] {
  const near = alike.nearest(place, MOST_CANDIDATES);
  return alike.all.length <= MOST_CANDIDATES && near.length < alike.all.length
    ? [...near, ...alike.all.filter(({ place: { page } }) => page !== place.page)]
    : near;
}

/** Equal for annotations that say the same, wherever they stand. */
export function sayingOf({ said, place, around: _, ...what }: ComparedItem): string {
  return JSON.stringify([said.kind, place !== undefined, what]);
}

/** How often each value is there. */
function countsOf<Value>(values: readonly Value[]): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

/** Number of the cell of a place, moved by a share of the page. */
function cellOf({ page, x, y }: ItemPlace, right = 0, down = 0): number {
  return (page * CELLS + Math.floor((x + right) / CELL)) * CELLS + Math.floor((y + down) / CELL);
}

/** The value that is there most often, the first of several. */
function mostOf(values: readonly number[]): number {
  const countOf = (value: number): number => values.filter((other) => other === value).length;
  return values.reduce((best, value) => (countOf(value) > countOf(best) ? value : best), values[0]);
}
