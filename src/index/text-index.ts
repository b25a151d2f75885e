import { storageError } from '../store/storage-errors.js';
import type { Store } from '../store/store.js';
import { fileOfRow, lengthOfRow, type TermTable } from '../store/term-table.js';
import { highlightsOf, type HighlightsRead } from './text-highlights.js';
import { allOf, leavesOf, type TextLeaf } from './text-leaf.js';
import type { TextQuery } from './text-query.js';

/** Which part of a ranking is wanted. */
export interface RankOptions {
  readonly limit: number;
  readonly offset: number;
  /** Rising ids: only these files. Absent: all. */
  readonly allow?: Uint32Array;
}

/** A part of a ranking. */
export interface RankedFiles {
  /**
   * Best first. Files of equal score by UID, as long as all files that match are weighed and no more than `MOST_TIES` are of that score;
   * else by id, which is the order of arrival.
   */
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
const DEPTH = 500;

/** As many times as deep, where the question leaves a costly part out. */
const MEMBER_DEPTH = 4;

/** Files that are looked up one by one: a search of the index for all of them takes as long as some ten of those. */
const SINGLY = 8;

/** A word whose idf is under this share of that of the query's rarest word counts once wherever it is: it says next to nothing. */
const COMMON = 0.1;

/** The best files by classes of length, of which the exact lengths are then read: for so many wanted, so many times as many. */
const PAGE_STEP = 50;
const RESCORED = 3;

/** Files of one score that are put in the order of their UIDs. */
const MOST_TIES = 10_000;

/** Counts that are remembered until the company's texts change. */
const COUNT_CACHE = 1_000;

/**
 * One company's texts, names and attribute values, to be searched by words.
 *
 * Ranking is BM25 over all fields: `s = sum of idf * w * (k1 + 1) / (w + k1 * (1 - b + b * length / average))` over the words of the
 * query, with `idf = ln(1 + (N - n + 0.5) / (n + 0.5))`, k1 = 1.2, b = 0.75. `w` is the frequency of a term, an occurrence in the name
 * counting 4, in an attribute 2, in the text 1; from 5 on in classes (see FREQUENCY_CLASSES). Of a phrase, a prefix or a number
 * `w` is 4 when the name holds it, else 1; of a word that is far commoner than the query's rarest (idf under a tenth) it is 1. `length` is
 * the number of the file's terms.
 *
 * The index keeps its rows in the order of length (in steps of 9 %) and marks frequent terms by class, so the best files of a class are
 * its first rows. Where up to 150 files match, all are weighed and the ranking is exact. Of more, only the first rows of each class of each
 * word are weighed (150, with several words 500; more for pages beyond the first 50), and of the best 150 of them by steps of length the
 * exact lengths are read.
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
    return leaves.length === 0 ? new Uint32Array(0) : this.#read(() => this.#table.files(allOf(leaves)));
  }

  /** Whether a query holds for a file. */
  has(fileId: number, query: TextQuery): boolean {
    const leaves = leavesOf(query);
    return leaves.length > 0 && this.#read(() => this.#table.holds(allOf(leaves), fileId));
  }

  /** How many files a query holds for. Exact; a few milliseconds where it is most of 100 000. */
  estimate(query: TextQuery): number {
    const leaves = leavesOf(query);
    if (leaves.length === 0) return 0;
    return this.#read(() => (leaves.length === 1 ? this.#countLeaf(leaves[0]) : this.#count(allOf(leaves))));
  }

  /** The best files for a query. */
  ranked(query: TextQuery, { limit, offset, allow }: RankOptions): RankedFiles {
    const leaves = leavesOf(query);
    if (leaves.length === 0) return { fileIds: [], scores: [], total: 0 };
    return this.#read(() => {
      // In large steps, so that a page and the next are cut from the same order.
      const wanted = RESCORED * PAGE_STEP * 2 ** Math.ceil(Math.log2(Math.max(1, (offset + limit) / PAGE_STEP)));
      const candidates = allow === undefined ? this.#candidates(leaves, wanted) : this.#allowed(leaves, allow);
      const best = this.#order(leaves, candidates, wanted);
      // Where some are left out, which ones hangs on the page, and so would the order of their UIDs: pages would overlap.
      if (allow !== undefined || candidates.total <= RESCORED * PAGE_STEP) this.#tiesByUid(best, offset, offset + limit);
      const page = best.slice(offset, offset + limit);
      return { fileIds: page.map(({ fileId }) => fileId), scores: page.map(({ score }) => score), total: candidates.total };
    });
  }

  /**
   * Where a query holds in a file, text first; bounded, see HIGHLIGHT_LIMITS.
   * characters: UTF-16 units of text and attributes to read at most; without any, the name alone is looked at.
   */
  highlights(fileId: number, query: TextQuery, characters = Infinity): HighlightsRead {
    const leaves = leavesOf(query);
    const labels = this.#store.terms.labels(fileId);
    if (leaves.length === 0 || labels === undefined) return { highlights: [], read: 0 };
    return this.#read(() => highlightsOf(leaves, labels, characters > 0 && query.labelsOnly !== true ? this.#store.texts.eachPage(fileId) : [], characters));
  }

  /** Those that may be among the `wanted` best. */
  #candidates(leaves: readonly TextLeaf[], wanted: number): Candidates {
    const depth = leaves.length === 1 ? wanted : Math.max(wanted, DEPTH);
    const all = allOf(leaves);
    // What is costly is asked for once: who holds it, and how many, is then known.
    const costly = leaves.some((leaf) => leaf.costly);
    const rows = costly ? this.#table.all(all) : this.#table.first(all, depth);
    const total = costly || rows.length < depth ? this.#know(all, rows.length) : leaves.length === 1 ? this.#countLeaf(leaves[0]) : this.#count(all);
    const members = costly ? new IdSet(filesOf(rows)) : undefined;
    const weights = new Weights(leaves.length);
    weights.enter(rows.slice(0, depth));
    const idfs = total === 0 ? [] : this.#idfs(leaves);
    if (leaves.length > 1 && rows.length < depth) this.#raiseFew(leaves, idfs, weights);
    else for (const { leaf, weight, match, whole } of this.#classes(leaves, idfs)) {
      const found = this.#table.first(match, whole ? depth : MEMBER_DEPTH * depth);
      weights.raise(members === undefined ? found : found.filter((row) => members.has(fileOfRow(row))), leaf, weight);
    }
    return { weights, idfs, total };
  }

  /**
   * Weighs all members of a small answer to several words. Most of them hold each word once, so a word is asked for in all its classes
   * at one time, and in each of them only until all that were found there have their class.
   */
  #raiseFew(leaves: readonly TextLeaf[], idfs: readonly number[], weights: Weights): void {
    const rarest = Math.max(...idfs);
    for (let leaf = 0; leaf < idfs.length; leaf++) {
      if (idfs[leaf] < COMMON * rarest) continue;
      const { classes } = leaves[leaf];
      const others = leaves.filter((other, i) => i !== leaf && !other.costly);
      const inAny = this.#table.all(allOf([{ match: classes.map(({ match }) => `(${match})`).join(' OR ') }, ...others]));
      let left = inAny.filter((row) => weights.has(row));
      // Light classes hold the most.
      for (let at = classes.length - 1; at >= 0 && left.length > 0; at--) {
        const { match, weight } = classes[at];
        const found = new Set(left.length <= SINGLY ? left.filter((row) => this.#table.rowHolds(row, match)) : this.#table.all(allOf([{ match }, ...others])));
        weights.raise(left.filter((row) => found.has(row)), leaf, weight);
        left = left.filter((row) => !found.has(row));
      }
    }
  }

  /** All files that are allowed, weighed exactly. */
  #allowed(leaves: readonly TextLeaf[], allow: Uint32Array): Candidates {
    const allowed = new IdSet(allow);
    const rows = (match: string): Float64Array => this.#table.all(match).filter((row) => allowed.has(fileOfRow(row)));
    const members = rows(allOf(leaves));
    const weights = new Weights(leaves.length);
    weights.enter(members);
    const total = weights.size;
    const idfs = total === 0 ? [] : this.#idfs(leaves);
    const ids = new IdSet(filesOf(members));
    for (const { leaf, weight, match } of this.#classes(leaves, idfs)) weights.raise(rows(match).filter((row) => ids.has(fileOfRow(row))), leaf, weight);
    return { weights, idfs, total };
  }

  /** What to ask for, to know which files are in which class of which leaf; `whole`: nothing is left out of the question. */
  *#classes(leaves: readonly TextLeaf[], idfs: readonly number[]): Generator<{ leaf: number; weight: number; match: string; whole: boolean }> {
    const rarest = Math.max(...idfs);
    for (let leaf = 0; leaf < idfs.length; leaf++) {
      if (idfs[leaf] < COMMON * rarest) continue;
      const others = leaves.filter((other, i) => i !== leaf && !other.costly);
      for (const { match, weight } of leaves[leaf].classes) {
        yield { leaf, weight, match: allOf([{ match }, ...others]), whole: others.length === leaves.length - 1 };
      }
    }
  }

  /** The best of them, at least `wanted` if there are so many, and all that are as good as the last. */
  #order(leaves: readonly TextLeaf[], { weights, idfs }: Candidates, wanted: number): Scored[] {
    const { files, terms } = this.#table.figures();
    const average = Math.max(1, terms / Math.max(1, files));
    const scoreOf = (at: number, length: number): number => {
      const norm = K1 * (1 - B + (B * length) / average);
      let sum = 0;
      for (let leaf = 0; leaf < leaves.length; leaf++) {
        const weight = weights.of(at, leaf);
        sum += (idfs[leaf] * weight * (K1 + 1)) / (weight + norm);
      }
      return 1 / (1 + sum);
    };
    const coarse = Float64Array.from(weights.rows, (row, at) => scoreOf(at, lengthOfRow(row)));
    const best = bestOf(coarse, wanted).map((at) => {
      const fileId = fileOfRow(weights.rows[at]);
      return { fileId, score: scoreOf(at, this.#table.length(fileId)) };
    });
    return best.sort((a, b) => a.score - b.score || a.fileId - b.fileId);
  }

  /** Puts files of equal score in the order of their UIDs where they are on the page, or reach into it. */
  #tiesByUid(best: Scored[], from: number, to: number): void {
    for (let first = 0, next = 0; first < Math.min(to, best.length); first = next) {
      next = first + 1;
      while (next < best.length && best[next].score === best[first].score) next++;
      if (next <= from || next - first < 2 || next - first > MOST_TIES) continue;
      const { score } = best[first];
      const ordered = this.#store.searchable.sortedByUid(best.slice(first, next).map(({ fileId }) => fileId));
      ordered.forEach((fileId, i) => (best[first + i] = { fileId, score }));
    }
  }

  #idfs(leaves: readonly TextLeaf[]): number[] {
    const { files } = this.#table.figures();
    return leaves.map((leaf) => idfOf(files, this.#countLeaf(leaf)));
  }

  #count(match: string): number {
    return this.#counted(match) ?? this.#know(match, this.#table.count(match));
  }

  #countLeaf({ match, term }: TextLeaf): number {
    return this.#counted(match) ?? this.#know(match, term === undefined ? this.#table.count(match) : this.#table.countTerm(term));
  }

  #counted(match: string): number | undefined {
    return this.#countedAt === this.#table.changes ? this.#counts.get(match) : undefined;
  }

  #know(match: string, count: number): number {
    if (this.#countedAt !== this.#table.changes || this.#counts.size >= COUNT_CACHE) this.#counts.clear();
    this.#countedAt = this.#table.changes;
    this.#counts.set(match, count);
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

interface Scored {
  readonly fileId: number;
  readonly score: number;
}

interface Candidates {
  readonly weights: Weights;
  /** Of the leaves; none when nothing was found. */
  readonly idfs: readonly number[];
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

  has(row: number): boolean {
    return this.#places.has(row);
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

  constructor(ids: Uint32Array) {
    let most = 0;
    for (const id of ids) if (id > most) most = id;
    this.#bits = new Uint8Array(Math.floor(most / 8) + 1);
    for (const id of ids) this.#bits[id >>> 3] |= 1 << (id & 7);
  }

  has(id: number): boolean {
    return (this.#bits[Math.floor(id / 8)] & (1 << (id & 7))) !== 0;
  }
}

/** Above 0 for a term in every file too. */
function idfOf(files: number, count: number): number {
  return Math.log(1 + (Math.max(0, files - count) + 0.5) / (count + 0.5));
}

function filesOf(rows: ArrayLike<number>): Uint32Array {
  const ids = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) ids[i] = fileOfRow(rows[i]);
  return ids;
}

/** Places of the lowest scores: `wanted`, and those that equal the last of them. */
function bestOf(scores: Float64Array, wanted: number): number[] {
  const places = Array.from(scores, (_, at) => at);
  if (wanted >= scores.length) return places;
  const worst = scores.slice().sort()[wanted - 1];
  return places.filter((at) => scores[at] <= worst);
}
