import { EngineError } from '../errors.js';
import type { Arena, Core } from './core.js';
import { KeptRows } from './kept-rows.js';
import { LabelRows } from './label-rows.js';
import { Least } from './least.js';
import { loadBytes } from './load-bytes.js';
import { PageRows } from './page-rows.js';
import { RowLists } from './row-lists.js';
import {
  countOf,
  distancesOf,
  EQUAL,
  logOf,
  NARROW_BYTES,
  nearestOf,
  projectQuery,
  vectorsOf,
  type GatheredRows,
  type NearestFiles,
  type ViewRange,
  type ViewRows,
  type ViewVectors,
} from './view-distances.js';
import { isFree, isOfModel, uprightOf, weightsOf } from './view-facts.js';
import { loadAxes } from './view-scan.js';
import { TURNS } from './views.js';

/** Centres of lists, and numbers of a centre as it is stored. */
const CENTRES = 2048;
const CENTRE_LENGTH = 28;
/**
 * A row is in a list of its centre: of upright views of models, of those turned to their longest axis, or of others.
 */
const KINDS = 3;
const ANY = 2;

/** Rows that one search reads by its lists, all views of the query together; the last list is read whole. */
const READ = 500_000;
/** Views of a query, the largest, that look into lists. */
const MOST_LOOKING = 16;
/** Files whose distance is then computed from all of their rows, at least. */
const MEASURED = 4_096;
/** The same for a search by lists that only adds some files to those of another one. */
const ADDED_READ = 50_000;
const ADDED_MEASURED = 1_024;
/** Views of pages that a model is compared with one by one, at most; each with all of the model's in four turns. */
const EXACT_PAGE_VIEWS = 20_000;
/** Among so many views at most, and among at most this share of all, every row is read. */
const EXACT_SHARE = 0.1;

const FIRST_CAPACITY = 4_096;
/**
 * Little is reserved ahead: 4 bytes a view are copied 64 times, unless {@link ViewLists.reserve} knows how many come.
 */
const AHEAD = 1 + 1 / 64;
const MOST_HOLES = 0.25;

/** The place of a row that was removed. */
const GONE = 0xffff_ffff;

/** Products of centres are counted in steps of this size, 1 / 1 000 of a cosine. */
const STEP = 16;

/** Views of models as they lie in lists, so that they need not be described and placed again. */
export interface ListedModels {
  /** u32[files]. */
  readonly fileIds: Uint32Array;
  /** u32[files] each: number of views, and of upright ones, which come first; above 0. */
  readonly counts: Uint32Array;
  readonly uprights: Uint32Array;
  /** u16[views]: the list of each view. */
  readonly lists: Uint16Array;
  /** i8[views × 28]. */
  readonly vectors: Int8Array;
}

/** Options of {@link ViewLists.open}. */
export interface ViewListOptions {
  /** Up to so many allowed views, all are read. */
  readonly exactViews: number;
  /** Rows that one search reads by its lists, the last of which is read whole. Default 500 000. */
  readonly read?: number;
}

/**
 * The first stage of a search by views in a large library. Where {@link ViewScan} reads every view, this reads some
 * 500 000 and the rest of the last list (of 9.6 million made views the longest holds 799 035, and a drawing reads
 * 1.4 million): views lie in lists by the nearest of 2 048 centres, which are learned once and are the same for all
 * libraries, so what a search finds depends only on the views that are present. The lists nearest to the views of a
 * query propose files; then the distance of the 4 096 best is computed from all of their views. For a query from a
 * model, and where few views are allowed, every view is read. One core holds 4 GiB, so some 130 million views.
 *
 * A view takes 38 bytes: 28 of its vector and the number of its file, in its list; its place there.
 */
export class ViewLists implements ViewRows {
  readonly core: KeptRows;
  readonly stride: number;
  readonly isNarrow = true;
  readonly axesAt: number;
  readonly #exactViews: number;
  readonly #read: number;
  readonly #centresAt: number;
  readonly #logsAt: number;
  readonly #lists: RowLists;
  /** u32[views]: the places of the rows of each file, which follow each other here. */
  #places = new Uint32Array(FIRST_CAPACITY);
  /** File ids by number; number 0 is that of removed rows. */
  readonly #numbers = new LabelRows();
  #fileIds = new Uint32Array(1_024);
  #firsts = new Uint32Array(1_024);
  #counts = new Uint32Array(1_024);
  #uprights = new Uint32Array(1_024);
  #isFree = new Uint8Array(1_024);
  #files = 1;
  readonly #spare: number[] = [];
  /** Of files of pages, by their numbers. */
  readonly #pages = new PageRows();
  #end = 0;
  #holes = 0;

  private constructor(core: KeptRows, stride: number, tables: Tables, { exactViews, read = READ }: ViewListOptions) {
    this.core = core;
    this.stride = stride;
    this.#exactViews = exactViews;
    this.#read = read;
    this.#lists = new RowLists(core, KINDS * CENTRES);
    this.axesAt = core.keep((arena) => arena.copyIn(tables.axes));
    this.#centresAt = core.keep((arena) => arena.copyIn(tables.centres));
    this.#logsAt = core.keep((arena) => arena.copyIn(Float32Array.from({ length: EQUAL + 1 }, (_, i) => logOf(i))));
  }

  /**
   * Opens it without views.
   * @param core any core; only its compiled module is shared.
   * @param stride bytes per view, as `describeViews` returns them.
   * @throws EngineError `CORE_FAILED` when a table is of another version.
   */
  static async open(core: Core, stride: number, options: ViewListOptions): Promise<ViewLists> {
    const [axes, centres, kept] = await Promise.all([loadAxes(), loadCentres(), KeptRows.open(core)]);
    return new ViewLists(kept, stride, { axes, centres }, options);
  }

  get size(): number {
    return this.#numbers.size;
  }

  get viewCount(): number {
    return this.#end - this.#holes;
  }

  /** Bytes reserved, spare capacity included. */
  get byteLength(): number {
    return this.#lists.byteLength + 4 * this.#places.length + 21 * this.#fileIds.length;
  }

  get rowsAt(): number {
    return this.#lists.rowsAt;
  }

  has(fileId: number): boolean {
    return this.#numbers.get(fileId) >= 0;
  }

  /** Makes room at once for views that will be added, so that their places are not copied again and again. */
  reserve(views: number): void {
    const length = this.#end + views;
    if (length <= this.#places.length) return;
    const places = new Uint32Array(length);
    places.set(this.#places.subarray(0, this.#end));
    this.#places = places;
  }

  /** As `ViewScan.add`, for ids from 1. */
  add(fileId: number, views: Uint8Array): void {
    countOf('views', views, this.stride);
    this.put(fileId, vectorsOf(this, views));
  }

  /**
   * As `ViewScan.put`.
   * @throws EngineError `LIMIT_EXCEEDED` when the memory of a core (4 GiB) is full; the file is not held then.
   */
  put(fileId: number, { vectors, weights, upright, isFree }: ViewVectors): void {
    this.remove(fileId);
    const count = weights.length;
    if (count === 0) return;
    // Nothing is entered yet: the core may be full. The number of the file is written with the row.
    const { rows, lists } = this.core.call((arena) => {
      const from = arena.copyIn(vectors);
      const rowsAt = arena.reserve(count * NARROW_BYTES);
      arena.kernels.narrowViews(from, count, 0, rowsAt);
      const lists = this.#listsOf(arena, rowsAt, { count, upright });
      return { rows: new Int8Array(arena.u8(rowsAt, count * NARROW_BYTES).buffer), lists };
    });
    const number = this.#enter(fileId, { count, upright, isFree });
    // Only the views of pages are weighed.
    if (upright === 0)
      this.#pages.add(
        number,
        weights,
        lists.map((list) => list % CENTRES),
      );
    this.#place(number, lists, { rows, stride: NARROW_BYTES, first: 0 });
  }

  /** Reserves places for a file that is not held; returns its number. */
  #enter(fileId: number, { count, upright, isFree }: Omit<ViewRange, 'first'>): number {
    if (this.#end + count > this.#places.length) this.reserve(Math.ceil((AHEAD - 1) * this.#end) + count);
    const number = this.#spare.pop() ?? this.#newNumber();
    this.#numbers.set(fileId, number);
    this.#fileIds[number] = fileId;
    this.#firsts[number] = this.#end;
    this.#counts[number] = count;
    this.#uprights[number] = upright;
    this.#isFree[number] = Number(isFree);
    this.#end += count;
    return number;
  }

  /**
   * Writes the rows of the file that was entered last into their lists; where one fails, the file is not held.
   * vectors: each begins with 28 numbers, `stride` bytes apart.
   */
  #place(number: number, lists: Uint16Array, { rows: vectors, stride, first }: Vectors): void {
    const places = this.#placesOf(number);
    let placed = 0;
    try {
      for (const list of lists) {
        const place = this.#lists.add(list);
        places[placed] = place;
        const from = (first + placed++) * stride;
        this.#lists.write(place, vectors.subarray(from, from + CENTRE_LENGTH), number);
      }
    } catch (cause) {
      // From the last to the first, each is the last of its list, so no row of another file moves.
      while (placed-- > 0) this.#lists.remove(lists[placed], places[placed]);
      this.#forget(this.#fileIds[number], number);
      this.#end -= lists.length;
      throw cause;
    }
  }

  #forget(fileId: number, number: number): void {
    this.#numbers.delete(fileId);
    this.#pages.remove(number);
    this.#fileIds[number] = 0;
    this.#spare.push(number);
  }

  /** Removes a file; false when it is not held. */
  remove(fileId: number): boolean {
    const number = this.#numbers.get(fileId);
    if (number < 0) return false;
    const range = this.rangeOf(fileId);
    const { first, count } = range;
    const lists = this.core.call((arena) => {
      const { rowsAt } = this.gathered(arena, Uint32Array.of(first, count));
      return this.#listsOf(arena, rowsAt, range);
    });
    for (const [i, list] of lists.entries()) {
      const place = this.#places[first + i];
      this.#places[first + i] = GONE;
      const moved = this.#lists.remove(list, place);
      if (moved === undefined) continue;
      const own = this.#placesOf(moved.number);
      own[own.indexOf(moved.from)] = place;
    }
    this.#forget(fileId, number);
    this.#holes += count;
    if (this.#holes > FIRST_CAPACITY && this.#holes > MOST_HOLES * this.#end) this.#compact();
    return true;
  }

  /** The places of a file's rows, to be changed in place. */
  #placesOf(number: number): Uint32Array {
    return this.#places.subarray(this.#firsts[number], this.#firsts[number] + this.#counts[number]);
  }

  /** What {@link putListed} needs to hold these files again; those without upright views of a model are left out. */
  listed(fileIds: readonly number[]): ListedModels {
    const held = fileIds.filter((fileId) => this.has(fileId) && this.rangeOf(fileId).upright > 0);
    const numbers = held.map((fileId) => this.#numbers.get(fileId));
    const views = numbers.reduce((sum, number) => sum + this.#counts[number], 0);
    const lists = new Uint16Array(views),
      vectors = new Int8Array(views * CENTRE_LENGTH);
    const rows = this.#lists.rows(),
      listOf = this.#lists.lists();
    let view = 0;
    for (const number of numbers)
      for (const place of this.#placesOf(number)) {
        lists[view] = listOf[place];
        const at = place * NARROW_BYTES;
        vectors.set(rows.subarray(at, at + CENTRE_LENGTH), view++ * CENTRE_LENGTH);
      }
    return {
      fileIds: Uint32Array.from(held),
      counts: Uint32Array.from(numbers, (number) => this.#counts[number]),
      uprights: Uint32Array.from(numbers, (number) => this.#uprights[number]),
      lists,
      vectors,
    };
  }

  /**
   * Adds one file of what {@link listed} returned.
   * @param first the number of its first view.
   * @throws EngineError as {@link put}.
   */
  putListed({ fileIds, counts, uprights, vectors, lists }: ListedModels, file: number, first: number): void {
    const count = counts[file];
    this.remove(fileIds[file]);
    const number = this.#enter(fileIds[file], { count, upright: uprights[file], isFree: false });
    this.#place(number, lists.subarray(first, first + count), { rows: vectors, stride: CENTRE_LENGTH, first });
  }

  gathered(arena: Arena, asked: Uint32Array): GatheredRows {
    const ranges = new Uint32Array(asked.length);
    let count = 0;
    for (let i = 0; i < asked.length; i += 2) {
      ranges[i] = count;
      ranges[i + 1] = asked[i + 1];
      count += asked[i + 1];
    }
    const placesAt = arena.reserve(4 * count);
    const places = new Uint32Array(arena.kernels.memory.buffer, placesAt, count);
    for (let i = 0, at = 0; i < asked.length; i += 2)
      for (let from = asked[i]; from < asked[i] + asked[i + 1]; from++) places[at++] = this.#places[from];
    const rowsAt = arena.reserve(count * NARROW_BYTES);
    arena.kernels.gatherRows(this.rowsAt, placesAt, count, rowsAt);
    return { rowsAt, ranges };
  }

  rangeOf(fileId: number): ViewRange {
    const number = this.#numbers.get(fileId);
    return {
      first: this.#firsts[number],
      count: this.#counts[number],
      upright: this.#uprights[number],
      isFree: this.#isFree[number] === 1,
    };
  }

  weightsOfFile(fileId: number, { count }: ViewRange): Float32Array {
    const number = this.#numbers.get(fileId);
    return this.#pages.has(number) ? this.#pages.weightsOf(number) : new Float32Array(count).fill(1 / count);
  }

  /** As `ViewScan.nearest`, but that files which no list proposes are missed. */
  nearest(query: Uint8Array, k: number, allowed?: Uint32Array): NearestFiles {
    const { fileIds, distances } = this.measured(query, k, allowed);
    return nearestOf(distances, [...fileIds], k);
  }

  /**
   * The files that are measured to find the k nearest, in no order: all that have views where that is no effort or k is
   * more than a quarter of them, else at least 4 096 and 4 k. isAdded: for some files beside those of another search,
   * with a tenth of the effort.
   */
  measured(query: Uint8Array, k: number, allowed?: Uint32Array, isAdded = false): NearestFiles {
    const count = countOf('query', query, this.stride);
    if (!Number.isInteger(k) || k < 1) throw new RangeError(`k must be a positive whole number, received ${k}`);
    const among = allowed?.filter((id) => this.has(id));
    if (count === 0 || (among?.length ?? this.size) === 0)
      return { fileIds: new Uint32Array(0), distances: new Float64Array(0) };
    const ids = isOfModel(query)
      ? this.#proposedToModel(query, k, among ?? this.#present())
      : this.#isExact(k, among)
        ? [...(among ?? this.#present())]
        : this.#proposed(query, k, among, isAdded);
    return { fileIds: Uint32Array.from(ids), distances: distancesOf(this, query, ids) };
  }

  #isExact(k: number, among: Uint32Array | undefined): boolean {
    if (4 * k > (among?.length ?? this.size)) return true;
    const views =
      among === undefined ? this.viewCount : among.reduce((sum, id) => sum + this.#counts[this.#numbers.get(id)], 0);
    return views <= Math.max(this.#exactViews, among === undefined ? 0 : EXACT_SHARE * this.viewCount);
  }

  #present(): Uint32Array {
    return this.#fileIds.subarray(1, this.#files).filter((fileId) => fileId !== 0);
  }

  /**
   * For a query from a model, whose views each view of a page looks for: the files of pages that are nearest when each
   * of their views is taken for the centre of its list, and all files of models.
   */
  #proposedToModel(query: Uint8Array, k: number, among: Uint32Array): number[] {
    const numbers = among.map((fileId) => this.#numbers.get(fileId));
    const views = numbers.reduce((sum, number) => sum + this.#pages.countOf(number), 0);
    const most = Math.max(MEASURED, 4 * k);
    if (views <= Math.min(this.#exactViews, EXACT_PAGE_VIEWS) || among.length <= most) return [...among];
    const upright = uprightOf(query, this.stride),
      count = query.length / this.stride;
    const products = this.core.call((arena) => {
      const queriesAt = projectQuery(this, arena, query);
      const out = arena.reserve(4 * TURNS * count * CENTRES);
      arena.kernels.centreProducts(queriesAt, TURNS * count, this.#centresAt, CENTRES, out);
      return new Int32Array(arena.u32(out, TURNS * count * CENTRES).buffer);
    });
    const isWhole = upright === 0 || upright === count;
    const logsOf = (first: number, end: number): Float32Array => {
      const best = new Int32Array(CENTRES).fill(-EQUAL);
      for (let at = first * TURNS * CENTRES; at < end * TURNS * CENTRES; at += CENTRES)
        for (let centre = 0; centre < CENTRES; centre++)
          if (products[at + centre] > best[centre]) best[centre] = products[at + centre];
      return Float32Array.from(best, logOf);
    };
    const lying = logsOf(0, isWhole ? count : upright),
      free = isWhole ? lying : logsOf(upright, count);
    const sums = this.#pages.sums(this.#files, (number) => (this.#isFree[number] === 1 ? free : lying));
    const least = new Least(most);
    const models: number[] = [];
    for (const [i, fileId] of among.entries())
      if (!this.#pages.has(numbers[i])) models.push(fileId);
      else if (sums[numbers[i]] <= least.bound) least.offer(sums[numbers[i]], fileId);
    return [...models, ...least.numbers()];
  }

  /** The files that are nearest by the rows of the nearest lists. */
  #proposed(query: Uint8Array, k: number, among: Uint32Array | undefined, isAdded: boolean): number[] {
    const read = isAdded ? Math.min(this.#read, ADDED_READ) : this.#read,
      measured = isAdded ? ADDED_MEASURED : MEASURED;
    const weights = weightsOf(query, this.stride);
    const looking = [...weights.keys()].sort((a, b) => weights[b] - weights[a] || a - b).slice(0, MOST_LOOKING);
    const share = among === undefined ? 1 : among.length / this.size;
    const kinds = [isFree(query) ? 1 : 0, ANY];
    const least = new Least(Math.min(Math.max(measured, 4 * k), among?.length ?? this.size));
    this.core.call((arena) => {
      const { kernels } = arena;
      const vectors = weights.length * TURNS;
      const queriesAt = projectQuery(this, arena, query);
      const productsAt = arena.reserve(4 * vectors * CENTRES);
      kernels.centreProducts(queriesAt, vectors, this.#centresAt, CENTRES, productsAt);
      const products = new Int32Array(arena.u32(productsAt, vectors * CENTRES).buffer);
      const { starts, links } = this.#lists.chunks;
      const startsAt = arena.copyIn(starts),
        linksAt = arena.copyIn(links);
      const bestAt = arena.reserve(4 * this.#files),
        sumsAt = arena.reserve(4 * this.#files);
      new Float32Array(kernels.memory.buffer, sumsAt, this.#files).fill(0);
      for (const view of looking) {
        const own = products.subarray(view * TURNS * CENTRES, (view + 1) * TURNS * CENTRES);
        const budget = (read / share) * 0.5 * (weights[view] + 1 / looking.length);
        const { pairs, floor } = this.#pairs(own, view * TURNS, kinds, budget);
        const pairsAt = arena.copyIn(pairs);
        new Int32Array(kernels.memory.buffer, bestAt, this.#files).fill(-EQUAL);
        kernels.probeLists(queriesAt, pairsAt, pairs.length / 3, startsAt, linksAt, this.rowsAt, bestAt);
        kernels.addLogs(bestAt, floor, weights[view], this.#logsAt, this.#files, sumsAt);
      }
      const sums = new Float32Array(kernels.memory.buffer, sumsAt, this.#files);
      if (among === undefined) {
        for (let number = 1; number < this.#files; number++)
          if (sums[number] <= least.bound && this.#fileIds[number] !== 0)
            least.offer(sums[number], this.#fileIds[number]);
      } else for (const fileId of among) least.offer(sums[this.#numbers.get(fileId)], fileId);
    });
    return [...least.numbers().sort()];
  }

  /**
   * The pairs of a vector and a list with the largest products, until their lists hold `budget` rows, as the core reads
   * them, and the least product, which stands for that of the files that are not in them.
   * products: i32[TURNS][CENTRES]. first: number of the first of these vectors.
   */
  #pairs(
    products: Int32Array,
    first: number,
    kinds: readonly number[],
    budget: number,
  ): { readonly pairs: Uint32Array; readonly floor: number } {
    const { lengths } = this.#lists;
    const rows = new Float64Array(Math.ceil((2 * EQUAL) / STEP) + 2);
    const stepOf = (product: number): number => (product + EQUAL) >> 4;
    for (let centre = 0; centre < CENTRES; centre++) {
      let length = 0;
      for (const kind of kinds) length += lengths[kind * CENTRES + centre];
      for (let at = centre; at < products.length; at += CENTRES) rows[stepOf(products[at])] += length;
    }
    let step = rows.length - 1;
    for (let sum = 0; step > 0; step--) {
      sum += rows[step];
      if (sum >= budget) break;
    }
    const pairs = new Uint32Array(3 * kinds.length * products.length);
    let end = 0;
    // By lists: what one turn has read is in the cache for the next.
    for (let centre = 0; centre < CENTRES; centre++)
      for (const kind of kinds) {
        const list = kind * CENTRES + centre;
        if (lengths[list] === 0) continue;
        for (let turn = 0; turn < TURNS; turn++) {
          if (stepOf(products[turn * CENTRES + centre]) < step) continue;
          pairs[end++] = first + turn;
          pairs[end++] = this.#lists.headOf(list);
          pairs[end++] = this.#lists.filledOf(list);
        }
      }
    return { pairs: pairs.subarray(0, end), floor: step * STEP - EQUAL };
  }

  /** The list of each of some rows of a file. */
  #listsOf(
    arena: Arena,
    rowsAt: number,
    { count, upright }: { readonly count: number; readonly upright: number },
  ): Uint16Array {
    const out = arena.reserve(2 * count);
    arena.kernels.nearestCentres(rowsAt, count, this.#centresAt, CENTRES, out);
    const lists = new Uint16Array(arena.u8(out, 2 * count).buffer);
    const isWhole = upright === 0 || upright === count;
    for (let i = 0; i < count; i++) lists[i] += CENTRES * (isWhole ? ANY : i < upright ? 0 : 1);
    return lists;
  }

  #newNumber(): number {
    const number = this.#files++;
    if (number === this.#fileIds.length) {
      const length = Math.ceil(AHEAD * number);
      const longer = <T extends Uint32Array | Uint8Array>(values: T, grown: T): T => {
        grown.set(values);
        return grown;
      };
      this.#fileIds = longer(this.#fileIds, new Uint32Array(length));
      this.#firsts = longer(this.#firsts, new Uint32Array(length));
      this.#counts = longer(this.#counts, new Uint32Array(length));
      this.#uprights = longer(this.#uprights, new Uint32Array(length));
      this.#isFree = longer(this.#isFree, new Uint8Array(length));
    }
    return number;
  }

  /** Moves places down over those of removed files. */
  #compact(): void {
    const present = [...this.#present()].map((fileId) => this.#numbers.get(fileId));
    let end = 0;
    for (const number of present.sort((a, b) => this.#firsts[a] - this.#firsts[b])) {
      const first = this.#firsts[number],
        count = this.#counts[number];
      this.#places.copyWithin(end, first, first + count);
      this.#firsts[number] = end;
      end += count;
    }
    this.#end = end;
    this.#holes = 0;
  }
}

/** Vectors of rows. */
interface Vectors {
  readonly rows: Int8Array;
  readonly stride: number;
  readonly first: number;
}

interface Tables {
  readonly axes: Uint8Array;
  /** i16[CENTRES][32]. */
  readonly centres: Int16Array;
}

async function loadCentres(): Promise<Int16Array> {
  const bytes = await loadBytes(new URL('../tables/view-centres.bin', import.meta.url));
  if (bytes.length !== CENTRES * CENTRE_LENGTH)
    throw new EngineError(
      'CORE_FAILED',
      `view-centres.bin is not of this version: ${bytes.length} bytes, expected ${CENTRES * CENTRE_LENGTH}`,
    );
  const centres = new Int16Array(CENTRES * NARROW_BYTES);
  for (let i = 0; i < bytes.length; i++)
    centres[NARROW_BYTES * Math.floor(i / CENTRE_LENGTH) + (i % CENTRE_LENGTH)] = (bytes[i] << 24) >> 24;
  return centres;
}
