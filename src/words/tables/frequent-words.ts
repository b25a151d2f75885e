import type { ChangeLog } from '../../store/database/change-log.js';
import { IdMarks } from '../../store/database/id-marks.js';
import { MARKS } from '../file-terms.js';
import { FrequentRoom } from './frequent-room.js';
import type { KnownWords } from './kept-words.js';

/** What is kept of words that many files have. */
export interface FrequentWordLimits {
  /** Words of fewer files are listed anew each time, 50 ns a file. */
  readonly leastFiles: number;
  /** Memory for all words of all companies, bytes; a word takes a bit for each id of a file. */
  readonly bytes: number;
  /** Files whose words tell which ones are frequent. */
  readonly sampled: number;
  /** A word is frequent that at least this share of them has. */
  readonly share: number;
}

/** The limits of {@link FrequentWords}. */
export const FREQUENT_WORDS: FrequentWordLimits = Object.freeze({
  leastFiles: 32_768,
  bytes: 64 * 2 ** 20,
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
  /** Entries of the index of words that a file has, separated by spaces: of its labels and of so much of its text. */
  wordsOf(fileId: number, characters: number): string;
}

/** A changed file is looked up in 30 µs, a file is listed in 0.05. */
const LISTED_PER_CHECK = 600;
const LEAST_CHECKED = 16;
/** Rows that are listed, and characters of a file that are read, in one step: some 3 ms. */
const ROWS_A_STEP = 32_768;
const CHARACTERS_A_STEP = 16_384;
const CHECKED_A_STEP = 64;
/** The sample is taken anew once there are this many times as many files. */
const GROWN = 2;

interface Kept {
  readonly marks: IdMarks;
  /** The change up to which they are true. */
  mark: number;
  /** Rises with each word that a query asks for; 0: none asked for this one. */
  askedAt: number;
}

/** A word that is being listed. */
interface Listing extends Kept {
  readonly word: string;
  after: number;
}

/**
 * The files that have a frequent word, as bits: they are listed once, when nothing else is done or a query first asks,
 * and from then on only changed files are looked up. So a query by such words takes 1 or 2 ms where a million files
 * have them, not 50. It always gives what the index gives: all that is known dates from a mark of the changes, and
 * every file that was noted since is looked up again before an answer.
 */
export class FrequentWords {
  readonly #rows: WordRows;
  readonly #changes: ChangeLog;
  readonly #limits: FrequentWordLimits;
  readonly #room: FrequentRoom;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  /** Whether all of this is what {@link adopt} or {@link known} last told. */
  #isTold = true;
  /** Whether there are words that these did not tell. */
  #hasMore = false;
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

  /** room: what all companies share. */
  constructor(
    rows: WordRows,
    changes: ChangeLog,
    limits: FrequentWordLimits = FREQUENT_WORDS,
    room = new FrequentRoom(limits.bytes),
  ) {
    this.#rows = rows;
    this.#changes = changes;
    this.#limits = limits;
    this.#room = room;
    room.enter(this);
  }

  /** Memory that it takes, about, bytes. */
  get byteLength(): number {
    return this.#bytes;
  }

  /** The files that have a word, as the index has them now; undefined when they are not kept. Not to be changed. */
  of(word: string): IdMarks | undefined {
    const kept = this.#current(word);
    if (kept === undefined) return undefined;
    kept.askedAt = this.#room.nextAsked();
    return kept.marks;
  }

  /** Lists the files of a word that is not kept, and keeps them if they are many. */
  list(word: string): Uint32Array {
    const { mark } = this.#changes.told();
    const fileIds = this.#rows.all(word);
    if (fileIds.length < this.#limits.leastFiles) return fileIds;
    this.#keep(word, { marks: new IdMarks(fileIds), mark, askedAt: this.#room.nextAsked() });
    this.#hasMore = true;
    return fileIds;
  }

  /** Lists frequent words ahead of questions, as many as there is room for: some ms. False: nothing is left. */
  step(): boolean {
    if (this.#listing !== undefined) return this.#listOn(this.#listing);
    if (this.#sample.length > 0) {
      // Of a long text its beginning tells enough, and all of it would hold the thread.
      for (const word of new Set(this.#rows.wordsOf(this.#sample.pop()!, CHARACTERS_A_STEP).split(' ')))
        if (isAskedFor(word)) this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
      if (this.#sample.length === 0) this.#choose();
      return true;
    }
    const word = this.#wanted.pop();
    const { mark } = this.#changes.told();
    if (word !== undefined) {
      const changed = this.#changes.told(this.#kept.get(word)?.mark).fileIds?.length ?? Infinity;
      // Many are looked up in one go: then all are listed, step by step.
      if (changed > CHECKED_A_STEP) this.forget(word);
      if (this.#current(word) === undefined)
        this.#listing = { word, marks: new IdMarks(), mark, askedAt: 0, after: -1 };
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

  /**
   * Takes over what another process knew, as far as there is room. mark: the change up to which it is true. Does
   * nothing once words are kept.
   */
  adopt({ sampledAt, frequent, words }: KnownWords, mark: number): void {
    if (this.#kept.size > 0 || this.#listing !== undefined) return;
    for (const [word, marks] of words)
      if (this.#room.has(marks.byteLength)) this.#keep(word, { marks, mark, askedAt: 0 });
    this.#sampledAt = sampledAt;
    this.#frequent = frequent;
    this.#lookedAt = -1;
    this.#isTold = words.length === this.#kept.size;
  }

  /**
   * What is known now, for another process; undefined: nothing. Words are brought up to date for so long, ms; those
   * that are left then, asked for longest ago, are not among it. isChanged: whether files of the company may have
   * changed since {@link adopt}. isNew: what that or this last told is not true any more, or not all.
   */
  known(
    ms: number,
    { isChanged }: { readonly isChanged: boolean },
  ): (KnownWords & { readonly isNew: boolean }) | undefined {
    const until = performance.now() + ms;
    const { mark } = this.#changes.told();
    if (!isChanged) for (const kept of this.#kept.values()) kept.mark = mark;
    const latest = [...this.#kept.keys()].sort((a, b) => this.#kept.get(b)!.askedAt - this.#kept.get(a)!.askedAt);
    const words = latest.flatMap((word): [string, IdMarks][] => {
      const kept = performance.now() > until ? undefined : this.#current(word);
      return kept === undefined ? [] : [[word, kept.marks]];
    });
    if (words.length === 0) return undefined;
    // What was let go for others is still true where nothing changed.
    const isNew = this.#hasMore || (isChanged && (!this.#isTold || words.length < this.#kept.size));
    if (isNew) {
      this.#hasMore = false;
      this.#isTold = words.length === this.#kept.size;
    }
    return { sampledAt: this.#sampledAt, frequent: this.#frequent, words, isNew };
  }

  /** The tables were replaced. */
  clear(): void {
    this.#kept.clear();
    this.#grow(-this.#bytes);
    this.#isTold = false;
    this.#listing = undefined;
    this.#frequent = [];
    this.#wanted = [];
    this.#sample = [];
    this.#counts.clear();
    this.#sampledAt = 0;
  }

  /** What is kept of a word, brought up to date; undefined: nothing. */
  #current(word: string): Kept | undefined {
    const kept = this.#kept.get(word);
    if (kept === undefined) return undefined;
    const had = kept.marks.byteLength;
    if (!this.#isBroughtUpToDate(word, kept)) {
      this.forget(word);
      return undefined;
    }
    this.#grow(kept.marks.byteLength - had);
    this.#room.make(this, word);
    return kept;
  }

  #listOn(listing: Listing): boolean {
    const { word, marks } = listing;
    const { fileIds, last } = this.#rows.next(word, listing.after, ROWS_A_STEP);
    for (const fileId of fileIds) marks.add(fileId);
    if (last !== undefined) listing.after = last;
    else {
      this.#listing = undefined;
      const isFull = !this.#room.has(marks.byteLength);
      // What is not kept now is not listed again after each change, but with the next sample.
      if (isFull || marks.size < this.#limits.leastFiles) {
        const refused = new Set(isFull ? [word, ...this.#wanted] : [word]);
        this.#frequent = this.#frequent.filter((each) => !refused.has(each));
      }
      if (isFull) this.#wanted = [];
      else if (
        !this.#kept.has(word) &&
        marks.size >= this.#limits.leastFiles &&
        this.#isBroughtUpToDate(word, listing)
      ) {
        this.#keep(word, listing);
        this.#hasMore = true;
      }
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
    for (const fileId of fileIds) {
      const holds = this.#rows.holds(fileId, word);
      if (holds === kept.marks.has(fileId)) continue;
      this.#isTold = false;
      if (holds) kept.marks.add(fileId);
      else kept.marks.delete(fileId);
    }
    kept.mark = mark;
    return true;
  }

  /** The word that was asked for longest ago, but not this one. */
  oldest(except: string | undefined): { readonly word: string; readonly askedAt: number } | undefined {
    let oldest: { readonly word: string; readonly askedAt: number } | undefined;
    // Of words that nobody asked for the last one is the least frequent.
    for (const [word, { askedAt }] of this.#kept)
      if (word !== except && askedAt <= (oldest?.askedAt ?? Infinity)) oldest = { word, askedAt };
    return oldest;
  }

  /** Forgets the files of a word. */
  forget(word: string): void {
    const kept = this.#kept.get(word);
    if (kept === undefined) return;
    this.#grow(-kept.marks.byteLength);
    this.#kept.delete(word);
    this.#isTold = false;
  }

  #keep(word: string, kept: Kept): void {
    this.forget(word);
    this.#kept.set(word, kept);
    this.#grow(kept.marks.byteLength);
    this.#isTold = false;
    this.#room.make(this, word);
  }

  #grow(bytes: number): void {
    this.#bytes += bytes;
    this.#room.take(bytes);
  }
}

/** Whether a query asks for such an entry: a term, a number, a beginning, or a term of name and attributes. */
function isAskedFor(word: string): boolean {
  return word !== '' && !NOT_ASKED_FOR.has(word[0]);
}

/** Entries that are read only to rank. */
const NOT_ASKED_FOR: ReadonlySet<string> = new Set([MARKS.class, MARKS.name, MARKS.border, MARKS.joined]);
