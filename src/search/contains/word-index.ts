import { MOST_WORDS, type QueryWord } from '../../descriptors/faces/face-words.js';

/** A file that shares words with a query. */
export interface WordHit {
  readonly fileId: number;
  readonly uid: string;
  /** Sum over the shared words of how rare they are. */
  readonly weight: number;
  /** Most area of the query's faces with sure words (`QueryWord.areaMm2`) that the file can hold, mm². */
  readonly areaMm2: number;
}

/** Words put since the index was built that are looked through one by one: so many, and this share of all. */
const LEAST_LOOSE = 1 << 16;
const LOOSE_SHARE = 0.25;
/** Entries of the index that one query reads, rarest words first; words beyond say nothing. */
const MOST_READ = 4_000_000;
const NONE = new Uint32Array();

interface Loose {
  readonly slot: number;
  readonly words: Uint32Array;
}

/**
 * Which files have a word: for each word its files, one after another in typed arrays, 4 bytes a word of a file and 8 a
 * different word. Files that were put since are kept aside until they are a quarter of all, then the arrays are made anew.
 * Derived from the stored words, never stored.
 */
export class WordIndex {
  /** By slot; a file that is removed or put again leaves its slot empty. */
  #fileIds: (number | undefined)[] = [];
  #uids: string[] = [];
  /** Whether it had more words than are stored. */
  #isCut: boolean[] = [];
  readonly #slots = new Map<number, number>();
  /** Different words, rising; where the slots of each begin, and those of all. */
  #words: Uint32Array = NONE;
  #starts = new Uint32Array(1);
  #entries: Uint32Array = NONE;
  #loose: Loose[] = [];
  #looseWords = 0;
  // Of one query: which of its words a slot was counted for last, and the sums.
  #marks: Uint32Array = NONE;
  #weights = new Float64Array();
  #areas = new Float64Array();

  get size(): number {
    return this.#slots.size;
  }

  uidOf(fileId: number): string | undefined {
    const slot = this.#slots.get(fileId);
    return slot === undefined ? undefined : this.#uids[slot];
  }

  /** words: different ones. */
  put(fileId: number, uid: string, words: Uint32Array): void {
    this.remove(fileId);
    const slot = this.#fileIds.push(fileId) - 1;
    this.#uids.push(uid);
    this.#isCut.push(words.length >= MOST_WORDS);
    this.#slots.set(fileId, slot);
    this.#loose.push({ slot, words });
    this.#looseWords += words.length;
  }

  remove(fileId: number): void {
    const slot = this.#slots.get(fileId);
    if (slot === undefined) return;
    this.#fileIds[slot] = undefined;
    this.#slots.delete(fileId);
  }

  /**
   * The files that share words with a query, in no order. The answer depends on the files alone, not on the order in which
   * they were put. among: ids of files that may be found; undefined: all.
   */
  find(asked: readonly QueryWord[], among: Uint32Array | undefined): WordHit[] {
    if (this.#looseWords > Math.max(LEAST_LOOSE, LOOSE_SHARE * this.#entries.length)) this.#build();
    const slots = this.#fileIds.length;
    if (this.#marks.length < slots) {
      this.#marks = new Uint32Array(slots);
      this.#weights = new Float64Array(slots);
      this.#areas = new Float64Array(slots);
    }
    const marks = this.#marks.fill(0),
      weights = this.#weights.fill(0),
      areas = this.#areas.fill(0);
    const allowed = this.#allowed(among);
    const loose = this.#looseSlots(asked);
    const ranges = asked.map(({ choices }) => choices.map((word) => this.#rangeOf(word)));
    const lengths = ranges.map((of, i) => of.reduce((sum, [from, to]) => sum + to - from, loose[i].length));
    const rarestFirst = [...asked.keys()].sort((a, b) => lengths[a] - lengths[b] || a - b);
    let read = 0;
    const isRead = new Uint8Array(asked.length);
    for (const i of rarestFirst) {
      read += lengths[i];
      if (read <= MOST_READ) isRead[i] = 1;
    }
    if (read > MOST_READ && slots > this.size) {
      // Empty slots must not decide what is read.
      this.#build();
      return this.find(asked, among);
    }
    const touched: number[] = [];
    // What is not read says nothing, so no file may be thought to lack it.
    let unreadMm2 = 0;
    for (const [i, { areaMm2 }] of asked.entries()) {
      if (isRead[i] === 0) {
        unreadMm2 += areaMm2;
        continue;
      }
      const had: number[] = [];
      const mark = i + 1;
      const visit = (slot: number): void => {
        if (marks[slot] === mark || this.#fileIds[slot] === undefined) return;
        marks[slot] = mark;
        had.push(slot);
      };
      for (const [from, to] of ranges[i]) for (let at = from; at < to; at++) visit(this.#entries[at]);
      for (const slot of loose[i]) visit(slot);
      const weight = Math.log(1 + this.size / (1 + had.length));
      for (const slot of had) {
        if (allowed?.[slot] === 0) continue;
        if (weights[slot] === 0) touched.push(slot);
        weights[slot] += weight;
        areas[slot] += areaMm2;
      }
    }
    return touched.map((slot) => ({
      fileId: this.#fileIds[slot]!,
      uid: this.#uids[slot],
      weight: weights[slot],
      areaMm2: this.#isCut[slot] ? Infinity : areas[slot] + unreadMm2,
    }));
  }

  /** By slot, 1 for files that may be found; undefined: all may. */
  #allowed(among: Uint32Array | undefined): Uint8Array | undefined {
    if (among === undefined) return undefined;
    const allowed = new Uint8Array(this.#fileIds.length);
    for (const fileId of among) {
      const slot = this.#slots.get(fileId);
      if (slot !== undefined) allowed[slot] = 1;
    }
    return allowed;
  }

  /** For each word of a query the slots of files aside that have it. */
  #looseSlots(asked: readonly QueryWord[]): number[][] {
    const found = asked.map((): number[] => []);
    if (this.#loose.length === 0) return found;
    const numbersOf = new Map<number, number[]>();
    asked.forEach(({ choices }, i) => {
      for (const word of choices) {
        const numbers = numbersOf.get(word);
        if (numbers === undefined) numbersOf.set(word, [i]);
        else numbers.push(i);
      }
    });
    // Nearly all words of files fail this test, which is quicker than looking them up.
    const mayBe = new Uint8Array(0x10000);
    for (const word of numbersOf.keys()) mayBe[word & 0xffff] = 1;
    for (const { slot, words } of this.#loose)
      for (const word of words) {
        if (mayBe[word & 0xffff] === 0) continue;
        for (const i of numbersOf.get(word) ?? []) if (found[i].at(-1) !== slot) found[i].push(slot);
      }
    return found;
  }

  /** Where the entries of a word are. */
  #rangeOf(word: number): readonly [from: number, to: number] {
    const words = this.#words;
    let low = 0,
      high = words.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (words[middle] < word) low = middle + 1;
      else high = middle;
    }
    return low < words.length && words[low] === word ? [this.#starts[low], this.#starts[low + 1]] : [0, 0];
  }

  /** Makes the arrays anew from what they hold and what is aside, without empty slots. */
  #build(): void {
    const slotOf = new Int32Array(this.#fileIds.length).fill(-1);
    const fileIds: number[] = [],
      uids: string[] = [],
      isCut: boolean[] = [];
    for (const [slot, fileId] of this.#fileIds.entries()) {
      if (fileId === undefined) continue;
      slotOf[slot] = fileIds.push(fileId) - 1;
      uids.push(this.#uids[slot]);
      isCut.push(this.#isCut[slot]);
      this.#slots.set(fileId, slotOf[slot]);
    }
    const total = this.#entries.length + this.#looseWords;
    const unsorted = new Uint32Array(total),
      slotsOf = new Uint32Array(total);
    let count = 0;
    const add = (word: number, slot: number): void => {
      if (slotOf[slot] < 0) return;
      unsorted[count] = word;
      slotsOf[count++] = slotOf[slot];
    };
    for (const [i, word] of this.#words.entries())
      for (let at = this.#starts[i]; at < this.#starts[i + 1]; at++) add(word, this.#entries[at]);
    for (const { slot, words: of } of this.#loose) for (const word of of) add(word, slot);
    const [words, slots] = sortedByWord(unsorted.subarray(0, count), slotsOf.subarray(0, count));
    const different: number[] = [],
      starts: number[] = [];
    for (let i = 0; i < count; i++) {
      if (i > 0 && words[i] === words[i - 1]) continue;
      different.push(words[i]);
      starts.push(i);
    }
    starts.push(count);
    this.#fileIds = fileIds;
    this.#uids = uids;
    this.#isCut = isCut;
    this.#words = Uint32Array.from(different);
    this.#starts = Uint32Array.from(starts);
    this.#entries = slots;
    this.#loose = [];
    this.#looseWords = 0;
    this.#marks = NONE;
  }
}

/** Sorts pairs by their words: two passes over 16 bits each. */
function sortedByWord(words: Uint32Array, slots: Uint32Array): readonly [Uint32Array, Uint32Array] {
  let from: readonly [Uint32Array, Uint32Array] = [words, slots];
  for (const shift of [0, 16]) {
    const places = new Uint32Array(0x10001);
    for (const word of from[0]) places[((word >>> shift) & 0xffff) + 1]++;
    for (let i = 0; i < 0x10000; i++) places[i + 1] += places[i];
    const to: [Uint32Array, Uint32Array] = [new Uint32Array(words.length), new Uint32Array(words.length)];
    for (const [i, word] of from[0].entries()) {
      const at = places[(word >>> shift) & 0xffff]++;
      to[0][at] = word;
      to[1][at] = from[1][i];
    }
    from = to;
  }
  return from;
}
