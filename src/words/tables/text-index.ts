import { IdMarks } from '../../store/database/id-marks.js';
import { storageError } from '../../store/database/storage-errors.js';
import type { TermFacts, TermQuestion } from '../indexed-terms.js';
import { fileOfRow, lengthsOfRow, type TermTable } from './term-table.js';
import { weightOf } from '../term-weights.js';
import { IdSet, Weights } from './row-weights.js';
import { respelled } from '../spellings.js';
import { highlightsOf, type HighlightsRead } from '../text-highlights.js';
import { allOf, joined, leavesOf, type TermFrequency, type TextLeaf } from '../text-leaf.js';
import type { TextQuery } from '../text-query.js';
import type { HighlightOptions, RankedFiles, RankOptions } from '../word-door.js';
import type { FrequentWords } from './frequent-words.js';
import type { Terms } from './stored-terms.js';
import type { Texts } from './texts.js';
import type { UidOrder } from './uid-order.js';

/** What the index is read from. */
export interface IndexTables {
  readonly terms: Terms;
  readonly texts: Texts;
  readonly uids: UidOrder;
}

/** BM25 (Robertson, Spärck Jones): saturation of the term frequency, and strength of the length normalisation. */
const K1 = 1.2;
const B = 0.75;

/**
 * Up to this many matching files are all scored exactly; of more, only the best by frequency class and length class
 * are, when a query has several words.
 */
const MOST_WEIGHED = 600;

/**
 * Consecutive frequency classes of a term (highest first) that are queried together, and the frequency that stands for
 * them.
 */
interface Group {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}
const FINE_GROUPS: readonly Group[] = [
  { from: 0, to: 12, weight: 25 },
  { from: 12, to: 19, weight: 14 },
  { from: 19, to: 25, weight: 8 },
  { from: 25, to: 28, weight: 4.5 },
  { from: 28, to: 29, weight: 3 },
  { from: 29, to: 30, weight: 2 },
];
const COARSE_GROUPS: readonly Group[] = [
  { from: 0, to: 25, weight: 9 },
  { from: 25, to: 29, weight: 4 },
  { from: 29, to: 30, weight: 2 },
];

/**
 * When at least one of this many files matches all words, the first matches of a group are found quickly; otherwise all
 * matches are read.
 */
const DENSE = 20;

/** Factor on the number of rows read when a question leaves a costly requirement out. */
const MEMBER_DEPTH = 4;

/** Up to this many files are looked up one by one; a query for all of them takes as long as about ten lookups. */
const SINGLY = 8;

/**
 * Words whose idf is below this share of the rarest word's idf hardly change the order; their frequency classes are not
 * queried.
 */
const COMMON = 0.1;

/** The ranking covers {@link RANKED} times the wanted files, rounded up to steps of a page. */
const PAGE_STEP = 50;
const RANKED = 3;

/** Largest number of files of one score that are ordered by UID. */
const MOST_TIES = 10_000;

/** Cached counts, valid until the company's texts change. */
const COUNT_CACHE = 1_000;
/** Most files that are looked up one by one, 30 µs each. */
const MOST_LOOKED_UP = 4_096;

/**
 * Searches the texts, names and attribute values of one company by words.
 *
 * Ranking is BM25 over all fields: `s = sum of idf * w * (k1 + 1) / (w + k1 * (1 - b + b * length / average))` over the
 * words of the query, with `idf = ln(1 + (N - n + 0.5) / (n + 0.5))`, k1 = 1.2, b = 0.75. `w` is the frequency of a
 * term, at most 255; an occurrence counts 4 in the name, 2 in an attribute, 1 in the text. For a phrase, a prefix or a
 * number, `w` is 4 when the name contains it, else 1 (4 and 2 in a search of names and attributes only, for terms as
 * well). `length` is the number of the file's terms.
 *
 * Frequencies and lengths are stored for each file, so up to 600 matching files are all scored exactly. The index keeps
 * its rows in the order of length (in steps of 9 %) and marks frequent terms by class. For a single word with more
 * matches, classes are read from the highest frequency down, shortest files first, until no other file can be among the
 * best 150 (more for pages beyond the first 50), which is as good as exact. For several words with more matches, the
 * best by groups of classes and length steps are scored; when at least one of twenty files matches, only the first rows
 * of each group of each word.
 */
export class TextIndex {
  readonly #tables: IndexTables;
  readonly #companyId: number;
  readonly #table: TermTable;
  readonly #frequent: FrequentWords;
  readonly #counts = new Map<string, number>();
  #countedAt = -1;

  constructor(tables: IndexTables, companyId: number) {
    this.#tables = tables;
    this.#companyId = companyId;
    this.#table = tables.terms.table(companyId);
    this.#frequent = tables.terms.frequent(companyId);
  }

  /** Ids of the files that match a query, rising. @throws EngineError `QUERY_INVALID`, `LIBRARY_DAMAGED`. */
  matching(query: TextQuery): Uint32Array {
    const leaves = leavesOf(query);
    if (leaves.length === 0) return new Uint32Array(0);
    return this.#read(() => {
      const { kept, others } = this.#keptOf(leaves);
      if (others.length > 0) {
        const [only] = others;
        const listed =
          others.length === 1 && only.word !== undefined
            ? this.#frequent.list(only.word)
            : this.#table.files(allOf(others));
        return kept.reduce((files, marks) => marks.those(files), listed);
      }
      return (kept.length === 1 ? kept[0] : IdMarks.inAll(kept)).ids();
    });
  }

  /** Those of these files that match a query, in their order. */
  those(fileIds: Uint32Array, query: TextQuery): Uint32Array {
    const leaves = leavesOf(query);
    if (leaves.length === 0) return new Uint32Array(0);
    return this.#read(() => {
      const { kept, others } = this.#keptOf(leaves);
      const left = kept.reduce((files, marks) => marks.those(files), fileIds);
      if (others.length === 0) return left;
      const question = allOf(others);
      // Words that were kept a moment ago may not be any more, and all are listed faster than many are looked up.
      if (left.length > MOST_LOOKED_UP) return new IdMarks(this.#table.files(question)).those(left);
      return left.filter((fileId) => this.#table.holds(question, fileId));
    });
  }

  /** Whether all words of a query are kept, so that a file is looked up as fast as it is listed. */
  isKept(query: TextQuery): boolean {
    return this.#read(() => this.#keptOf(leavesOf(query)).others.length === 0);
  }

  #keptOf(leaves: readonly TextLeaf[]): { readonly kept: readonly IdMarks[]; readonly others: readonly TextLeaf[] } {
    const kept: IdMarks[] = [];
    const others = leaves.filter(({ word }) => {
      const marks = word === undefined ? undefined : this.#frequent.of(word);
      if (marks !== undefined) kept.push(marks);
      return marks === undefined;
    });
    return { kept, others };
  }

  /** Number of indexed files. */
  get size(): number {
    return this.#table.figures().files;
  }

  /** The text with words that no file has replaced by near ones; see {@link respelled}. */
  respelled(text: string): readonly string[] {
    const table = this.#table;
    return this.#read(() =>
      respelled(text, {
        has: (term) => table.countTerm(term) > 0,
        beginning: (letters) => table.beginning(letters),
      }),
    );
  }

  /** Exact number of files that match a query; takes a few milliseconds when most of 100 000 files match. */
  estimate(query: TextQuery): number {
    const leaves = leavesOf(query);
    if (leaves.length === 0) return 0;
    return this.#read(() => this.#countAll(leaves));
  }

  /** The best files for a query. */
  ranked(query: TextQuery, { limit, offset, allow }: RankOptions): RankedFiles {
    const leaves = leavesOf(query);
    if (leaves.length === 0) return { fileIds: [], scores: [], total: 0 };
    return this.#read(() => {
      // In large steps, so that consecutive pages are cut from the same order.
      const wanted = RANKED * PAGE_STEP * 2 ** Math.ceil(Math.log2(Math.max(1, (offset + limit) / PAGE_STEP)));
      const candidates = allow === undefined ? this.#found(leaves, wanted) : this.#allowed(leaves, allow, wanted);
      const best = this.#order(leaves, candidates);
      // If some matches are not scored, which ones depends on the page; ordering ties by UID would then make pages
      // overlap.
      if (allow !== undefined || candidates.total <= RANKED * PAGE_STEP) this.#tiesByUid(best, offset, offset + limit);
      const page = best.slice(offset, offset + limit);
      return {
        fileIds: page.map(({ fileId }) => fileId),
        scores: page.map(({ score }) => score),
        total: candidates.total,
      };
    });
  }

  /** See {@link WordDoor.highlights}. */
  highlights(
    fileId: number,
    query: TextQuery,
    { characters = Infinity, conditions = [] }: HighlightOptions = {},
  ): HighlightsRead {
    const leaves = leavesOf(query);
    const isLookedAt = leaves.length > 0 || (conditions.length > 0 && characters > 0);
    const labels = isLookedAt ? this.#tables.terms.labels(fileId) : undefined;
    if (labels === undefined) return { highlights: [], read: 0 };
    const readsText = leaves.length > 0 && characters > 0 && query.labelsOnly !== true;
    return this.#read(() =>
      highlightsOf({ leaves, conditions }, labels, readsText ? this.#tables.texts.eachPage(fileId) : [], characters),
    );
  }

  /** Candidates for the `wanted` best. */
  #found(leaves: readonly TextLeaf[], wanted: number): Candidates {
    const weights = new Weights(leaves.length);
    const all = allOf(leaves);
    if (leaves.length === 1 && leaves[0].frequency !== undefined) {
      const total = this.#countLeaf(leaves[0]);
      const facts = new Map<number, TermFacts>();
      weights.enter(total <= 2 * wanted ? this.#table.all(all) : this.#bestOf(all, leaves[0].frequency, wanted, facts));
      return { weights, idfs: this.#idfs(leaves), total, facts };
    }
    // A costly requirement is queried once; this gives the matching rows and their number.
    const costly = leaves.some((leaf) => leaf.costly);
    const rows = costly ? this.#table.all(all) : this.#table.first(all, MOST_WEIGHED + 1);
    const total = costly || rows.length <= MOST_WEIGHED ? this.#know(all, rows.length) : this.#countAll(leaves);
    const idfs = total === 0 ? [] : this.#idfs(leaves);
    if (total <= MOST_WEIGHED || (leaves.length > 1 && total * DENSE < this.#table.figures().files)) {
      weights.enter(rows.length < total ? this.#table.all(all) : rows);
      return { ...this.#bestOfAll(leaves, weights, idfs, wanted), idfs, total };
    }
    weights.enter(Array.prototype.slice.call(rows, 0, wanted));
    const members = costly ? new IdSet(filesOf(rows)) : undefined;
    const within = (found: ArrayLike<number>): ArrayLike<number> =>
      members === undefined ? found : Array.from(found).filter((row) => members.has(fileOfRow(row)));
    const rarest = Math.max(...idfs);
    leaves.forEach((leaf, i) => {
      if (idfs[i] < COMMON * rarest) return;
      const others = leaves.filter((other) => other !== leaf && !other.costly);
      const deep = others.length === leaves.length - 1 ? wanted : MEMBER_DEPTH * wanted;
      const first = (question: TermQuestion): ArrayLike<number> =>
        within(this.#table.first(allOf([{ question }, ...others]), deep));
      if (leaf.frequency === undefined)
        for (const { question, weight } of leaf.classes) weights.raise(first(question), i, weight);
      else for (const group of FINE_GROUPS) weights.raise(first(questionOf(leaf.frequency, group)), i, group.weight);
    });
    return { weights: leaves.length === 1 ? weights : this.#cut(weights, idfs, 2 * wanted), idfs, total };
  }

  /**
   * The `wanted` best rows for one term, and some more: the first (shortest) rows of each class, from the highest
   * frequency down, as long as a class can hold better rows than those already found. facts: receives the facts that
   * are read.
   */
  #bestOf(
    all: TermQuestion,
    { hash, classes }: TermFrequency,
    wanted: number,
    facts: Map<number, TermFacts>,
  ): number[] {
    const norm = this.#norm();
    const share = (weight: number, length: number): number => weight / (weight + norm(length));
    const shortest = this.#table.first(all, wanted);
    const bounds = new Map<number, number>(); // Upper bound of each row's score.
    let sure: number[] = []; // Lower bounds of the best scores, falling.
    const enter = (rows: ArrayLike<number>, least: number, most: number): void => {
      const fresh: number[] = [];
      for (let i = 0; i < rows.length; i++) {
        if (bounds.has(rows[i])) continue;
        const lengths = lengthsOfRow(rows[i]);
        bounds.set(rows[i], share(most, lengths.least));
        fresh.push(share(least, lengths.most));
      }
      sure = [...sure, ...fresh].sort((a, b) => b - a).slice(0, wanted);
    };
    const { least: shortestLength } = lengthsOfRow(shortest[0]);
    for (const { words, least, most } of classes) {
      if (sure.length === wanted && share(most, shortestLength) < sure[wanted - 1]) break;
      enter(this.#table.first({ words }, wanted), least, most);
    }
    enter(shortest, 1, 1);
    // Exact scores, as long as a bound is better than the exact scores so far.
    const exact: number[] = [];
    for (const [row, most] of [...bounds].sort(([, a], [, b]) => b - a)) {
      if (exact.length >= wanted && (most < exact[wanted - 1] || exact.length >= RANKED * wanted)) break;
      const { length, weights } = this.#factsOf(row, facts);
      const value = share(weightOf(weights, hash), length);
      let at = exact.length;
      while (at > 0 && exact[at - 1] < value) at--;
      exact.splice(at, 0, value);
    }
    return [...facts.keys()];
  }

  /**
   * Candidates for the `wanted` best among all matching rows: all of them if they are few, otherwise selected by class
   * and length step.
   */
  #bestOfAll(
    leaves: readonly TextLeaf[],
    weights: Weights,
    idfs: readonly number[],
    wanted: number,
  ): Pick<Candidates, 'weights' | 'hasClasses'> {
    this.#raise(leaves, weights);
    if (weights.size <= MOST_WEIGHED) return { weights };
    const rarest = Math.max(...idfs);
    let hasClasses = true;
    leaves.forEach(({ frequency }, i) => {
      if (frequency === undefined) return;
      if (idfs[i] < COMMON * rarest) {
        hasClasses = false;
        return;
      }
      for (const group of COARSE_GROUPS)
        weights.raise(
          this.#table.all(questionOf(frequency, group)).filter((row) => weights.has(row)),
          i,
          group.weight,
        );
    });
    return { weights: this.#cut(weights, idfs, wanted), hasClasses };
  }

  /** The best by the weights so far and by length step, twice as many as wanted. */
  #cut(weights: Weights, idfs: readonly number[], wanted: number): Weights {
    const norm = this.#norm();
    const coarse = Float64Array.from(weights.rows, (row, at) =>
      scoreOf(idfs, (i) => weights.of(at, i), norm(lengthsOfRow(row).most)),
    );
    return weights.those(bestOf(coarse, 2 * wanted));
  }

  /** Sets the weights of requirements without stored frequency in all rows. */
  #raise(leaves: readonly TextLeaf[], weights: Weights): void {
    leaves.forEach((leaf, i) => {
      if (leaf.frequency !== undefined || weights.size === 0) return;
      const others = leaves.filter((other) => other !== leaf && !other.costly);
      for (const { question, weight } of leaf.classes) {
        weights.raise(
          weights.size <= SINGLY
            ? weights.rows.filter((row) => this.#table.rowHolds(row, question))
            : this.#table.all(allOf([{ question }, ...others])).filter((row) => weights.has(row)),
          i,
          weight,
        );
      }
    });
  }

  /** Candidates among the allowed files. */
  #allowed(leaves: readonly TextLeaf[], allow: Uint32Array, wanted: number): Candidates {
    const allowed = new IdSet(allow);
    const weights = new Weights(leaves.length);
    weights.enter(this.#table.all(allOf(leaves)).filter((row) => allowed.has(fileOfRow(row))));
    const total = weights.size;
    const idfs = total === 0 ? [] : this.#idfs(leaves);
    return { ...this.#bestOfAll(leaves, weights, idfs, wanted), idfs, total };
  }

  /** All candidates with exact scores, best first. */
  #order(
    leaves: readonly TextLeaf[],
    { weights, idfs, facts = new Map<number, TermFacts>(), hasClasses = false }: Candidates,
  ): Scored[] {
    const norm = this.#norm();
    // Terms without a class occur once, so their stored frequencies need not be read.
    const isPlain = (at: number): boolean =>
      hasClasses && leaves.every(({ frequency }, i) => frequency === undefined || weights.of(at, i) === 1);
    const lengths = this.#lengthsAt(weights, (at) => !facts.has(weights.rows[at]) && isPlain(at));
    const unread = weights.rows.filter((row, at) => lengths[at] === 0 && !facts.has(row));
    const read = unread.length > SINGLY ? this.#table.factsOfAll(filesOf(unread)) : undefined;
    return weights.rows
      .map((row, at): Scored => {
        const fileId = fileOfRow(row);
        const known = lengths[at] > 0 ? undefined : (read?.get(fileId) ?? this.#factsOf(row, facts));
        const weight = (i: number): number => {
          const { frequency } = leaves[i];
          return frequency === undefined || known === undefined
            ? weights.of(at, i)
            : weightOf(known.weights, frequency.hash);
        };
        return { fileId, score: scoreOf(idfs, weight, norm(known?.length ?? lengths[at])) };
      })
      .sort((a, b) => a.score - b.score || a.fileId - b.fileId);
  }

  /**
   * Number of terms of the files at the places selected by `wants`; 0 at others, and at all places when few are
   * selected.
   */
  #lengthsAt({ rows }: Weights, wants: (at: number) => boolean): Uint32Array {
    const lengths = new Uint32Array(rows.length);
    const places = rows.flatMap((_, at) => (wants(at) ? [at] : []));
    if (places.length <= SINGLY) return lengths;
    this.#table.lengthsOfAll(filesOf(places.map((at) => rows[at]))).forEach((length, i) => {
      lengths[places[i]] = length;
    });
    return lengths;
  }

  #factsOf(row: number, known: Map<number, TermFacts>): TermFacts {
    let facts = known.get(row);
    if (facts === undefined) known.set(row, (facts = this.#table.facts(fileOfRow(row))));
    return facts;
  }

  /** The length normalisation of BM25. */
  #norm(): (length: number) => number {
    const { files, terms } = this.#table.figures();
    const average = Math.max(1, terms / Math.max(1, files));
    return (length) => K1 * (1 - B + (B * length) / average);
  }

  /** Orders files of equal score by UID, in every group that overlaps the page. */
  #tiesByUid(best: Scored[], from: number, to: number): void {
    for (let first = 0, next = 0; first < Math.min(to, best.length); first = next) {
      next = first + 1;
      while (next < best.length && best[next].score === best[first].score) next++;
      if (next <= from || next - first < 2 || next - first > MOST_TIES) continue;
      const { score } = best[first];
      // Files behind the page keep their order; they are not returned.
      const ties = best.slice(first, next).map(({ fileId }) => fileId);
      const ordered = this.#tables.uids.first(this.#companyId, ties, Math.min(next, to) - first, this.size);
      ordered.forEach((fileId, i) => (best[first + i] = { fileId, score }));
    }
  }

  #idfs(leaves: readonly TextLeaf[]): number[] {
    const { files } = this.#table.figures();
    return leaves.map((leaf) => idfOf(files, this.#countLeaf(leaf)));
  }

  #countAll(leaves: readonly TextLeaf[]): number {
    if (leaves.length === 1) return this.#countLeaf(leaves[0]);
    const { kept, others } = this.#keptOf(leaves);
    if (others.length === 0) return IdMarks.inAll(kept).size;
    const all = allOf(leaves);
    return this.#counted(all) ?? this.#know(all, this.#table.count(all));
  }

  #countLeaf({ question, word }: TextLeaf): number {
    const kept = word === undefined ? undefined : this.#frequent.of(word);
    if (kept !== undefined) return kept.size;
    return (
      this.#counted(question) ??
      this.#know(question, word === undefined ? this.#table.count(question) : this.#table.countTerm(word))
    );
  }

  #counted(question: TermQuestion): number | undefined {
    return this.#countedAt === this.#table.changes ? this.#counts.get(JSON.stringify(question)) : undefined;
  }

  #know(question: TermQuestion, count: number): number {
    if (this.#countedAt !== this.#table.changes || this.#counts.size >= COUNT_CACHE) this.#counts.clear();
    this.#countedAt = this.#table.changes;
    this.#counts.set(JSON.stringify(question), count);
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
  /** Of the leaves; empty when nothing was found. */
  readonly idfs: readonly number[];
  readonly total: number;
  /** Facts of rows that were read already. */
  readonly facts?: Map<number, TermFacts>;
  /** Whether `weights` show for each term and row whether it is in a frequency class. */
  readonly hasClasses?: boolean;
}

/** The score, lower is better. weightOf: weight of a leaf. */
function scoreOf(idfs: readonly number[], weightOf: (leaf: number) => number, norm: number): number {
  let sum = 0;
  for (let leaf = 0; leaf < idfs.length; leaf++) {
    const weight = weightOf(leaf);
    sum += (idfs[leaf] * weight * (K1 + 1)) / (weight + norm);
  }
  return 1 / (1 + sum);
}

function questionOf({ classes }: TermFrequency, { from, to }: Group): TermQuestion {
  return {
    words: joined(
      classes.slice(from, to).map(({ words }) => words),
      'OR',
    ),
  };
}

/** Inverse document frequency; above 0 even for a term in every file. */
function idfOf(files: number, count: number): number {
  return Math.log(1 + (Math.max(0, files - count) + 0.5) / (count + 0.5));
}

function filesOf(rows: ArrayLike<number>): Uint32Array {
  const ids = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) ids[i] = fileOfRow(rows[i]);
  return ids;
}

/** Places of the `wanted` lowest scores, and of those equal to the last of them. */
function bestOf(scores: Float64Array, wanted: number): number[] {
  const places = Array.from(scores, (_, at) => at);
  if (wanted >= scores.length) return places;
  const worst = scores.slice().sort()[wanted - 1];
  return places.filter((at) => scores[at] <= worst);
}
