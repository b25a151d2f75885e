import { addTo } from '../../content/groups.js';
import type { ComparedItem, ItemPlace } from './compared-items.js';
import { FreeItems, isDearer, type Free, type Offer } from './free-items.js';
import { MovedPlaces, SAME_PLACE, sayingOf, type IsPair } from './moved-places.js';
import { apartOf } from './near-places.js';

/** What one frame, datum or size that stands with one of two annotations alone is worth, as a share of the page. */
const COST_OF_COMPANY = 0.05;
/** The same of another count. */
const COST_OF_COUNT = 0.2;
/** Most company that is counted. */
const MOST_COMPANY = 4;
/** Most partners that are looked at in a step; beyond it the first free one is taken. */
const MOST_TRIES = 20_000_000;

/** Which annotations of two files are paired with each other. */
export interface PairingStep {
  /** By what they say alone: not by their places, nor by what stands about them. */
  readonly mayBe: IsPair;
  /** Whether only on the same place of the page. */
  readonly isNear?: boolean;
}

/**
 * Which of several equal annotations of two files belong together: those on the same place of the page, where views may
 * have moved or been mirrored and sheets may have another size, and those with the same frames, datums and sizes about
 * them, which models have too.
 */
export class Pairing {
  readonly #places: MovedPlaces;
  readonly #classes = new Map<ComparedItem, string>();
  readonly #expected = new Map<ComparedItem, ItemPlace | undefined>();
  /** Company that annotations of both files have; what only one of them knows says nothing. */
  readonly #shared: ReadonlySet<string>;

  /** @param mayBeSame whether two annotations say the same, but for their tolerances. */
  constructor(first: readonly ComparedItem[], second: readonly ComparedItem[], mayBeSame: IsPair) {
    this.#places = new MovedPlaces(first, second, mayBeSame);
    const [ours, theirs] = [first, second].map((items) => new Set(items.flatMap(({ around = [] }) => around)));
    this.#shared = new Set([...ours].filter((key) => theirs.has(key)));
  }

  /**
   * How far an annotation of the second file is from where one of the first file is to be expected, as a share of the
   * page's longer side; undefined where one of them has no place, or they are on different pages.
   */
  apart(a: ComparedItem, { place }: ComparedItem): number | undefined {
    const expected = this.#expectedOf(a);
    if (expected === undefined || place === undefined || expected.page !== place.page) return undefined;
    return apartOf(expected, place);
  }

  /** The pairs of open annotations, the likeliest first; each has one partner. */
  pairs(
    open: { readonly first: Iterable<ComparedItem>; readonly second: Iterable<ComparedItem> },
    { mayBe, isNear = false }: PairingStep,
  ): readonly (readonly [ComparedItem, ComparedItem])[] {
    const free = new Map<ComparedItem, Free>();
    for (const item of open.second) free.set(item, { item, at: free.size });
    const groups = new Map<string, Free[]>();
    for (const one of free.values()) addTo(groups, this.#classOf(one.item), one);
    const classes = [...groups].map(([name, all]) => ({ name, one: all[0].item, items: new FreeItems(all) }));
    const itemsOf = new Map(classes.map(({ name, items }) => [name, items]));
    const partners = new Map<string, readonly Partners[]>();
    const partnersOf = (item: ComparedItem): readonly Partners[] => {
      const own = this.#classOf(item);
      const known = partners.get(own);
      if (known !== undefined) return known;
      const all = classes
        .filter(({ one }) => one.family === item.family && mayBe(item, one))
        .map(({ one, items }) => ({ items, cost: this.#costOfCompany(item, one) }))
        .sort((a, b) => a.cost - b.cost);
      partners.set(own, all);
      return all;
    };
    let tries = 0;
    const bestOf = (item: ComparedItem): Proposal | undefined => {
      const place = this.#expectedOf(item);
      let best: Offer | undefined;
      for (const { items, cost } of partnersOf(item)) {
        if (best !== undefined && isDearer(cost, best)) break;
        const search = { cost, isAnyOne: tries > MOST_TRIES, ...(isNear && { most: SAME_PLACE }) };
        if (place !== undefined) best = items.cheapestAt(place, best, search);
        if (!isNear) best = items.cheapestElsewhere(place?.page, best, search);
        tries++;
      }
      tries += 1;
      return best && { item, other: best.item, cost: best.cost };
    };
    const take = (other: ComparedItem): boolean => {
      const one = free.get(other);
      if (one === undefined) return false;
      itemsOf.get(this.#classOf(other))?.delete(one);
      return free.delete(other);
    };
    const found: (readonly [ComparedItem, ComparedItem])[] = [];
    const waiting = [...open.first].flatMap((item) => bestOf(item) ?? []).sort((a, b) => a.cost - b.cost);
    for (let i = 0; i < waiting.length; i++) {
      const { item, other, cost } = waiting[i];
      if (take(other)) {
        found.push([item, other]);
        continue;
      }
      // Its partner is taken: the next best one has its turn later, unless it is as good.
      const next = bestOf(item);
      if (next === undefined) continue;
      if (next.cost > cost) waiting.splice(placeIn(waiting, next.cost, i + 1), 0, next);
      else if (take(next.other)) found.push([item, next.other]);
    }
    return found;
  }

  /**
   * How many annotations of a file a pair may be as well, itself among them: the same stands about them. Of annotations
   * with places one alone is meant.
   * @param own annotations of the file of the one of the pair that is asked for.
   * @param mayBe whether another one of them may be meant.
   */
  alike([item, other]: readonly [ComparedItem, ComparedItem], own: readonly ComparedItem[], mayBe: IsPair): number {
    if (this.apart(item, other) !== undefined) return 1;
    const one = own.includes(item) ? item : other;
    return own.filter((each) => each.family === one.family && mayBe(one, each) && this.#otherCompany(one, each) === 0)
      .length;
  }

  /** What another count and other company cost. */
  #costOfCompany(a: ComparedItem, b: ComparedItem): number {
    const ofCount = a.count === b.count ? 0 : COST_OF_COUNT;
    return ofCount + COST_OF_COMPANY * this.#otherCompany(a, b);
  }

  /** Equal for what says the same and has the same about it. */
  #classOf(item: ComparedItem): string {
    const known = this.#classes.get(item);
    if (known !== undefined) return known;
    const company = (item.around ?? []).filter((key) => this.#shared.has(key)).sort();
    const name = `${sayingOf(item)} ${company.join()}`;
    this.#classes.set(item, name);
    return name;
  }

  /** How many of the annotations around two ones only one of them has. */
  #otherCompany({ around: ours = [] }: ComparedItem, { around: theirs = [] }: ComparedItem): number {
    const open = theirs.filter((key) => this.#shared.has(key));
    let alone = 0;
    for (const key of ours) {
      if (!this.#shared.has(key)) continue;
      const at = open.indexOf(key);
      if (at < 0) alone++;
      else open.splice(at, 1);
    }
    return Math.min(MOST_COMPANY, alone + open.length);
  }

  /** {@link MovedPlaces.expectedOf}, each once. */
  #expectedOf(item: ComparedItem): ItemPlace | undefined {
    if (this.#expected.has(item)) return this.#expected.get(item);
    const expected = this.#places.expectedOf(item);
    this.#expected.set(item, expected);
    return expected;
  }
}

/** Items that one may be paired with, and what their company costs. */
interface Partners {
  readonly items: FreeItems;
  readonly cost: number;
}

interface Proposal {
  readonly item: ComparedItem;
  readonly other: ComparedItem;
  readonly cost: number;
}

/** Where a cost has its place among proposals that are sorted, from one of them on: behind equal ones. */
function placeIn(sorted: readonly Proposal[], cost: number, from: number): number {
  let [low, high] = [from, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle].cost <= cost) low = middle + 1;
    else high = middle;
  }
  return low;
}
