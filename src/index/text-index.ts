import { storageError } from '../store/storage-errors.js';
import type { Store } from '../store/store.js';
import { fileOfRow, lengthOfRow, type TermTable } from '../store/term-table.js';
import { highlightsOf } from './text-highlights.js';
import { allOf, leavesOf, type TextLeaf } from './text-leaf.js';
import type { TextHighlight, TextQuery } from './text-query.js';

/** Which part of a ranking is wanted. */
export interface RankOptions {
  readonly limit: number;
  readonly offset: number;
  /** Rising ids: only these files. Absent: all. */
  readonly allow?: Uint32Array;
}

/** A part of a ranking. */
export interface RankedFiles {
  /** Best first; files of equal score in the order of their arrival. */
  readonly fileIds: number[];
  /** Lower is better: 1 / (1 + BM25), above 0 and below 1. */
  readonly scores: number[];
  /** Files that the query holds for (and that are allowed). */
  readonly total: number;
}

/** BM25 (Robertson, Spärck Jones): how soon further occurrences stop to count, and how much long texts are held back. */
const K1 = 1.2;
const B = 0.75;

/** Files looked at for each class of frequency of each word, when a query has several. */
const DEPTH = 1_000;

/** Counts that are remembered until the company's texts change. */
const COUNT_CACHE = 1_000;

/**
 * One company's texts, names and attribute values, to be searched by words.
 *
 * Ranking is BM25 over all fields: `s = sum of idf * w * (k1 + 1) / (w + k1 * (1 - b + b * length / average))` over the words of the
 * query, with `idf = ln(1 + (N - n + 0.5) / (n + 0.5))`, k1 = 1.2, b = 0.75. `w` is the frequency of a term, an occurrence in the name
 * counting 4, in an attribute 2, in the text 1; from 5 on in classes (see FREQUENCY_CLASSES). Of a phrase, a prefix or a number,
 * `w` is the weight of the heaviest field that it is in. `length` is in classes of 9 %.
 *
 * The index keeps its rows in the order of length and marks frequent terms by class, so the best files of a class are its first rows.
 * A ranking by one word is therefore exact, however many files hold it. With several words, the first 1 000 files of each class of each
 * word are weighed; a file that is in none of them cannot be among the best by any one word. It is exact where no class holds more.
 */
export class TextIndex {
  readonly #store: Store;
  readonly #table: TermTable;
  readonly #counts = new Map<string, number>();
  #countedAt = -1;

  constructor(store: Store, companyId: number) {
    this.#store = store;
    this.#table = store.terms.table(companyId);
  }

  /** Rising ids of the files that a query holds for. @throws EngineError `QUERY_INVALID`, `LIBRARY_DAMAGED`. */
  matching(query: TextQuery): Uint32Array {
    const leaves = leavesOf(query);
    return leaves.length === 0 ? new Uint32Array(0) : this.#read(() => risingIds(this.#table.all(allOf(leaves))));
  }

  /** Whether a query holds for a file. */
  has(fileId: number, query: TextQuery): boolean {
    const leaves = leavesOf(query);
    return leaves.length > 0 && this.#read(() => this.#table.holds(allOf(leaves), fileId));
  }

  /** How many files a query holds for. Exact; a few milliseconds where it is most of 100 000. */
  estimate(query: TextQuery): number {
    const leaves = leavesOf(query);
    return leaves.length === 0 ? 0 : this.#read(() => this.#count(allOf(leaves)));
  }

  /** The best files for a query. */
  ranked(query: TextQuery, { limit, offset, allow }: RankOptions): RankedFiles {
    const leaves = leavesOf(query);
    if (leaves.length === 0) return { fileIds: [], scores: [], total: 0 };
    return this.#read(() => {
      const { weights, total } = allow === undefined ? this.#best(leaves, offset + limit) : this.#allowed(leaves, allow);
      return { ...this.#order(leaves, weights, offset, limit), total };
    });
  }

  /** Where a query holds in a file, text first; bounded, see HIGHLIGHT_LIMITS. */
  highlights(fileId: number, query: TextQuery): TextHighlight[] {
    const leaves = leavesOf(query);
    const labels = this.#store.terms.labels(fileId);
    if (leaves.length === 0 || labels === undefined) return [];
    return highlightsOf(leaves, labels, this.#store.texts.pages(fileId));
  }

  /** Candidates for the best `wanted` files. */
  #best(leaves: readonly TextLeaf[], wanted: number): Candidates {
    const depth = leaves.length === 1 ? wanted : Math.max(wanted, DEPTH);
    const total = this.#count(allOf(leaves));
    const weights = new Weights(leaves.length);
    weights.enter(this.#table.first(allOf(leaves), depth));
    eachClass(leaves, (match, leaf, weight) => weights.raise(this.#table.first(match, depth), leaf, weight));
    return { weights, total };
  }

  /** All files that are allowed, weighed exactly. */
  #allowed(leaves: readonly TextLeaf[], allow: Uint32Array): Candidates {
    const allowed = new IdSet(allow);
    const weights = new Weights(leaves.length);
    const rows = (match: string): Float64Array => this.#table.all(match).filter((row) => allowed.has(fileOfRow(row)));
    weights.enter(rows(allOf(leaves)));
    const total = weights.size;
    if (total > 0) eachClass(leaves, (match, leaf, weight) => weights.raise(rows(match), leaf, weight));
    return { weights, total };
  }

  #order(leaves: readonly TextLeaf[], weights: Weights, offset: number, limit: number): { fileIds: number[]; scores: number[] } {
    const { files, terms } = this.#table.figures();
    const average = Math.max(1, terms / Math.max(1, files));
    const factors = leaves.map(({ match }) => (K1 + 1) * idfOf(files, this.#count(match)));
    const rows = weights.rows;
    const scores = Float64Array.from(rows, (row, at) => {
      const norm = K1 * (1 - B + (B * lengthOfRow(row)) / average);
      let sum = 0;
      for (let leaf = 0; leaf < factors.length; leaf++) {
        const weight = weights.of(at, leaf);
        sum += (factors[leaf] * weight) / (weight + norm);
      }
      return 1 / (1 + sum);
    });
    const order = bestOf(scores, rows, offset + limit).slice(offset);
    return { fileIds: order.map((at) => fileOfRow(rows[at])), scores: order.map((at) => scores[at]) };
  }

  #count(match: string): number {
    if (this.#countedAt !== this.#table.changes || this.#counts.size >= COUNT_CACHE) {
      this.#counts.clear();
      this.#countedAt = this.#table.changes;
    }
    let count = this.#counts.get(match);
    if (count === undefined) this.#counts.set(match, (count = this.#table.count(match)));
    return count;
  }

  #read<T>(read: () => T): T {
    try {
      return read();
    } catch (cause) {
      throw storageError('search the texts', cause);
    }
  }
}

interface Candidates {
  readonly weights: Weights;
  readonly total: number;
}

/** What each word of the query weighs in each candidate; 1 until it is raised. */
class Weights {
  readonly rows: number[] = [];
  readonly #places = new Map<number, number>();
  readonly #leafCount: number;
  readonly #weights: number[] = [];

  constructor(leafCount: number) {
    this.#leafCount = leafCount;
  }

  get size(): number {
    return this.rows.length;
  }

  of(at: number, leaf: number): number {
    return this.#weights[at * this.#leafCount + leaf];
  }

  enter(rows: ArrayLike<number>): void {
    for (let i = 0; i < rows.length; i++) this.#place(rows[i]);
  }

  raise(rows: ArrayLike<number>, leaf: number, weight: number): void {
    for (let i = 0; i < rows.length; i++) {
      const at = this.#place(rows[i]) * this.#leafCount + leaf;
      if (this.#weights[at] < weight) this.#weights[at] = weight;
    }
  }

  #place(row: number): number {
    const known = this.#places.get(row);
    if (known !== undefined) return known;
    const place = this.rows.push(row) - 1;
    this.#places.set(row, place);
    for (let leaf = 0; leaf < this.#leafCount; leaf++) this.#weights.push(1);
    return place;
  }
}

/** File ids, asked for often. */
class IdSet {
  readonly #bits: Uint8Array;

  /** `ids`: rising. */
  constructor(ids: Uint32Array) {
    this.#bits = new Uint8Array(ids.length === 0 ? 0 : (ids[ids.length - 1] >>> 3) + 1);
    for (const id of ids) this.#bits[id >>> 3] |= 1 << (id & 7);
  }

  has(id: number): boolean {
    return (this.#bits[Math.floor(id / 8)] & (1 << (id & 7))) !== 0;
  }
}

/** Every class of every leaf, with the expression for all leaves of which that one is in the class. */
function eachClass(leaves: readonly TextLeaf[], see: (match: string, leaf: number, weight: number) => void): void {
  leaves.forEach(({ classes }, leaf) => {
    for (const { match, weight } of classes) see(allOf(leaves.map((other, i) => (i === leaf ? { match } : other))), leaf, weight);
  });
}

/** Above 0 for a term in every file too. */
function idfOf(files: number, count: number): number {
  return Math.log(1 + (Math.max(0, files - count) + 0.5) / (count + 0.5));
}

function risingIds(rows: Float64Array): Uint32Array {
  return Uint32Array.from(rows, fileOfRow).sort();
}

/** Places of the lowest scores, at most `wanted`, lowest first; equal ones by file. */
function bestOf(scores: Float64Array, rows: readonly number[], wanted: number): number[] {
  let places = Array.from(scores, (_, at) => at);
  if (wanted < scores.length) {
    const worst = scores.slice().sort()[Math.max(0, wanted - 1)];
    places = places.filter((at) => scores[at] <= worst);
  }
  return places.sort((a, b) => scores[a] - scores[b] || fileOfRow(rows[a]) - fileOfRow(rows[b])).slice(0, wanted);
}
