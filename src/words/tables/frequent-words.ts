import type { ChangeLog } from '../../store/database/change-log.js';
import { IdMarks } from '../../store/database/id-marks.js';
import { MARKS } from '../file-terms.js';

/** What is kept of words that many files have. */
export interface FrequentWordLimits {
  /** Words of fewer files are listed anew each time, 50 ns a file. */
  readonly leastFiles: number;
  /** Memory for all words of a company, bytes; a word takes a bit for each id of a file. */
  readonly bytes: number;
  /** Files whose words tell which ones are frequent. */
  readonly sampled: number;
  /** A word is frequent that at least this share of them has. */
  readonly share: number;
}

/** The limits of {@link FrequentWords}. */
export const FREQUENT_WORDS: FrequentWordLimits = Object.freeze({
  leastFiles: 32_768,
  bytes: 32 * 2 ** 20,
  sampled: 256,
  share: 1 / 32,
});

/** What the words are read from. */
export interface WordRows {
  /** Number of files of the company. */
  files(): number;
  /** Of the next `limit` rows after a row id with the word: the file ids, and the last row id, if there are any. */
  next(word: string, after: number, limit: number): { readonly fileIds: Uint32Array; readonly last?: number };
  /** All files that have the word, rising. */
  all(word: string): Uint32Array;
  holds(fileId: number, word: string): boolean;
  /** Files spread over all of the company, about `count`. */
  spread(count: number): readonly number[];
  /** All entries of the index of words that a file has, separated by spaces. */
  wordsOf(fileId: number): string;
}

/** A changed file is looked up in 30 µs, a file is listed in 0.05. */
const LISTED_PER_CHECK = 600;
const LEAST_CHECKED = 16;
/** Rows that are listed, and files that are read, in one step: some 3 ms. */
const ROWS_A_STEP = 32_768;
const FILES_A_STEP = 2;
const CHECKED_A_STEP = 64;
/** The sample is taken anew once there are this many times as many files. */
const GROWN = 2;

interface Kept {
  readonly marks: IdMarks;
  /** The change up to which they are true. */
  mark: number;
}

/** A word that is being listed. */
interface Listing extends Kept {
  readonly word: string;
  after: number;
}

/**
 * The files that have a frequent word, as bits: they are listed once, when nothing else is done or a query first asks,
 * and from then on only changed files are looked up. So a query by such words takes 1 or 2 ms where a million files
 * have them, not 50. It always gives what the index gives: all that is known dates from a mark of the changes, and every
 * file that was noted since is looked up again before an answer.
 */
export class FrequentWords {
  readonly #rows: WordRows;
  readonly #changes: ChangeLog;
  readonly #limits: FrequentWordLimits;
  /** The one that was asked for last comes last. */
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  /** Number of files when the sample was begun; the files of it that are left, and in how many a word was. */
  #sampledAt = 0;
  #sample: number[] = [];
  readonly #counts = new Map<string, number>();
  /** Frequent words, the most frequent last, and those that are yet to be listed or brought up to date. */
  #frequent: readonly string[] = [];
  #wanted: string[] = [];
  /** The change at which all of them were. */
  #lookedAt = 0;
  #listing: Listing | undefined;

  constructor(rows: WordRows, changes: ChangeLog, limits: FrequentWordLimits = FREQUENT_WORDS) {
    this.#rows = rows;
    this.#changes = changes;
    this.#limits = limits;
  }

  /** Memory that it takes, about, bytes. */
  get byteLength(): number {
    return this.#bytes;
  }

  /** The files that have a word, as the index has them now; undefined when they are not kept. Not to be changed. */
  of(word: string): IdMarks | undefined {
    const kept = this.#kept.get(word);
    if (kept === undefined) return undefined;
    this.#forget(word);
    if (!this.#isBroughtUpToDate(word, kept)) return undefined;
    this.#keep(word, kept);
    return kept.marks;
  }

  /** Lists the files of a word that is not kept, and keeps them if they are many. */
  list(word: string): Uint32Array {
    const { mark } = this.#changes.told();
    const fileIds = this.#rows.all(word);
    if (fileIds.length < this.#limits.leastFiles) return fileIds;
    const marks = new IdMarks(fileIds);
    this.#keep(word, { marks, mark });
    return fileIds;
  }

  /** Lists frequent words ahead of questions, as many as there is room for: some ms. False: nothing is left. */
  step(): boolean {
    if (this.#listing !== undefined) return this.#listOn(this.#listing);
    if (this.#sample.length > 0) {
      for (const fileId of this.#sample.splice(-FILES_A_STEP))
        for (const word of new Set(this.#rows.wordsOf(fileId).split(' ')))
          if (isAskedFor(word)) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
      if (this.#sample.length === 0) this.#choose();
      return true;
    }
    const word = this.#wanted.pop();
    const { mark } = this.#changes.told();
    if (word !== undefined) {
      const changed = this.#changes.told(this.#kept.get(word)?.mark).fileIds?.length ?? Infinity;
      // Many are looked up in one go: then all are listed, step by step.
      if (changed > CHECKED_A_STEP) this.#forget(word);
      if (this.of(word) === undefined) this.#listing = { word, marks: new IdMarks(), mark, after: -1 };
      return true;
    }
    const files = this.#rows.files();
    if (files >= Math.max(this.#limits.leastFiles, GROWN * this.#sampledAt)) {
      this.#sampledAt = files;
      this.#sample = [...this.#rows.spread(this.#limits.sampled)];
      return this.#sample.length > 0;
    }
    if (mark === this.#lookedAt) return false;
    this.#lookedAt = mark;
    this.#wanted = [...this.#frequent];
    return this.#wanted.length > 0;
  }

  /** The tables were replaced. */
  clear(): void {
    this.#kept.clear();
    this.#bytes = 0;
    this.#listing = undefined;
    this.#frequent = [];
    this.#wanted = [];
    this.#sample = [];
    this.#counts.clear();
    this.#sampledAt = 0;
  }

  #listOn(listing: Listing): boolean {
    const { word, marks } = listing;
    const { fileIds, last } = this.#rows.next(word, listing.after, ROWS_A_STEP);
    for (const fileId of fileIds) marks.add(fileId);
    if (last !== undefined) listing.after = last;
    else {
      this.#listing = undefined;
      const isFull = this.#bytes + marks.byteLength > this.#limits.bytes;
      // What is not kept now is not listed again after each change, but with the next sample.
      if (isFull || marks.size < this.#limits.leastFiles) {
        const refused = new Set(isFull ? [word, ...this.#wanted] : [word]);
        this.#frequent = this.#frequent.filter((each) => !refused.has(each));
      }
      if (isFull) this.#wanted = [];
      else if (!this.#kept.has(word) && marks.size >= this.#limits.leastFiles && this.#isBroughtUpToDate(word, listing))
        this.#keep(word, listing);
    }
    return true;
  }

  #choose(): void {
    const least = this.#limits.share * this.#limits.sampled;
    this.#wanted = [...this.#counts]
      .filter(([, count]) => count >= least)
      .sort(([a, m], [b, n]) => m - n || (a < b ? 1 : -1))
      .map(([word]) => word);
    this.#frequent = [...this.#wanted];
    this.#lookedAt = this.#changes.told().mark;
    this.#counts.clear();
  }

  /** Looks up the files that changed; false where that takes longer than listing all anew. */
  #isBroughtUpToDate(word: string, kept: Kept): boolean {
    const { mark, fileIds } = this.#changes.told(kept.mark);
    if (fileIds === undefined) return false;
    if (fileIds.length > LEAST_CHECKED && fileIds.length > kept.marks.size / LISTED_PER_CHECK) return false;
    for (const fileId of fileIds)
      if (this.#rows.holds(fileId, word)) kept.marks.add(fileId);
      else kept.marks.delete(fileId);
    kept.mark = mark;
    return true;
  }

  #keep(word: string, { marks, mark }: Kept): void {
    this.#kept.set(word, { marks, mark });
    this.#bytes += marks.byteLength;
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#limits.bytes) break;
      this.#forget(oldest);
    }
  }

  #forget(word: string): void {
    this.#bytes -= this.#kept.get(word)?.marks.byteLength ?? 0;
    this.#kept.delete(word);
  }
}

/** Whether a query asks for such an entry: a term, a number, a beginning, or a term of name and attributes. */
function isAskedFor(word: string): boolean {
  return word !== '' && !NOT_ASKED_FOR.has(word[0]);
}

/** Entries that are read only to rank. */
const NOT_ASKED_FOR: ReadonlySet<string> = new Set([MARKS.class, MARKS.name, MARKS.border, MARKS.joined]);
