import { LabelRows } from '../../core/label-rows.js';
import { Least } from '../../core/least.js';
import { PassingNumbers } from '../../core/passing-numbers.js';
import { MOST_WORDS, type QueryWord } from '../../descriptors/faces/face-words.js';
import { putUid, UID_BYTES, uidOf } from '../../store/database/uid-bytes.js';

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

const FIRST_SLOTS = 256;
/** Columns of slots grow by an eighth. */
const AHEAD = 1 + 1 / 8;
/** Numbers before the words of a file that is aside: its slot and how many words follow. */
const LOOSE_HEAD = 2;

/**
 * Which files have a word: for each word its files, one after another in typed arrays, 4 bytes a word of a file and 8 a
 * different word, and 25 bytes a file. Files that were put since are kept aside until they are a quarter of all, then
 * the arrays are made anew. Derived from the stored words, never stored.
 */
export class WordIndex {
  /** By slot: the file, 0 where one was removed or put again; its UID; whether it had more words than are stored. */
  #fileIds = new Uint32Array(FIRST_SLOTS);
  #uids = new Uint8Array(FIRST_SLOTS * UID_BYTES);
  #isCut = new Uint8Array(FIRST_SLOTS);
  #slotCount = 0;
  readonly #slots = new LabelRows();
  /** By file, UIDs that are not written as a UUID is. */
  readonly #otherUids = new Map<number, string>();
  /** Different words, rising; where the slots of each begin, and those of all. */
  #words: Uint32Array = NONE;
  #starts = new Uint32Array(1);
  #entries: Uint32Array = NONE;
  /** Files aside, one after another: slot, number of words, words. */
  #loose = new PassingNumbers();
  #looseEnd = 0;
  #looseWords = 0;

  get size(): number {
    return this.#slots.size;
  }

  /** Adds a file or replaces its words. fileId: from 1. words: different ones. */
  put(fileId: number, uid: string, words: Uint32Array): void {
    this.remove(fileId);
    if (this.#slotCount === this.#fileIds.length) this.#growSlots(Math.ceil(AHEAD * this.#slotCount));
    const slot = this.#slotCount++;
    this.#fileIds[slot] = fileId;
    if (!putUid(uid, this.#uids, slot * UID_BYTES)) this.#otherUids.set(fileId, uid);
    this.#isCut[slot] = Number(words.length >= MOST_WORDS);
    this.#slots.set(fileId, slot);
    const end = this.#looseEnd + LOOSE_HEAD + words.length;
    const loose = this.#loose.atLeast(end);
    loose[this.#looseEnd] = slot;
    loose[this.#looseEnd + 1] = words.length;
    loose.set(words, this.#looseEnd + LOOSE_HEAD);
    this.#looseEnd = end;
    this.#looseWords += words.length;
  }

  remove(fileId: number): void {
    const slot = this.#slots.get(fileId);
    if (slot < 0) return;
    this.#fileIds[slot] = 0;
    this.#slots.delete(fileId);
    this.#otherUids.delete(fileId);
  }

  /**
   * The files that share words with a query, by falling weight, ties by UID: at most `most`, and those alone that have
   * at least `share` of the greatest weight. The answer depends on the files alone, not on the order in which they were
   * put. among: ids of files that may be found; undefined: all.
   */
  find(
    asked: readonly QueryWord[],
    among: Uint32Array | undefined,
    { most = Infinity, share = 0 }: { readonly most?: number; readonly share?: number } = {},
  ): WordHit[] {
    if (this.#looseWords > Math.max(LEAST_LOOSE, LOOSE_SHARE * this.#entries.length)) this.#build();
    const slots = this.#slotCount;
    // Which of the query's words a slot was counted for last, and the sums. Not kept: 20 bytes a file.
    const marks = new Uint32Array(slots),
      weights = new Float64Array(slots),
      areas = new Float64Array(slots);
    const touched = new Uint32Array(slots),
      had = new Uint32Array(slots);
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
      return this.find(asked, among, { most, share });
    }
    let touchedCount = 0;
    // What is not read says nothing, so no file may be thought to lack it.
    let unreadMm2 = 0;
    for (const [i, { areaMm2 }] of asked.entries()) {
      if (isRead[i] === 0) {
        unreadMm2 += areaMm2;
        continue;
      }
      const mark = i + 1;
      let hadCount = 0;
      const visit = (slot: number): void => {
        if (marks[slot] === mark || this.#fileIds[slot] === 0) return;
        marks[slot] = mark;
        had[hadCount++] = slot;
      };
      for (const [from, to] of ranges[i]) for (let at = from; at < to; at++) visit(this.#entries[at]);
      for (const slot of loose[i]) visit(slot);
      const weight = Math.log(1 + this.size / (1 + hadCount));
      for (let k = 0; k < hadCount; k++) {
        const slot = had[k];
        if (allowed?.[slot] === 0) continue;
        if (weights[slot] === 0) touched[touchedCount++] = slot;
        weights[slot] += weight;
        areas[slot] += areaMm2;
      }
    }
    const hits = heaviest(touched.subarray(0, touchedCount), weights, { most, share }).map((slot) => ({
      fileId: this.#fileIds[slot],
      uid: this.#otherUids.get(this.#fileIds[slot]) ?? uidOf(this.#uids, slot * UID_BYTES),
      weight: weights[slot],
      areaMm2: this.#isCut[slot] === 1 ? Infinity : areas[slot] + unreadMm2,
    }));
    hits.sort((a, b) => b.weight - a.weight || (a.uid < b.uid ? -1 : 1));
    return hits.length > most ? hits.slice(0, most) : hits;
  }

  /** By slot, 1 for files that may be found; undefined: all may. */
  #allowed(among: Uint32Array | undefined): Uint8Array | undefined {
    if (among === undefined) return undefined;
    const allowed = new Uint8Array(this.#slotCount);
    for (const fileId of among) {
      const slot = this.#slots.get(fileId);
      if (slot >= 0) allowed[slot] = 1;
    }
    return allowed;
  }

  /** For each word of a query the slots of files aside that have it. */
  #looseSlots(asked: readonly QueryWord[]): number[][] {
    const found = asked.map((): number[] => []);
    if (this.#looseEnd === 0) return found;
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
    const loose = this.#loose.atLeast(this.#looseEnd);
    for (let at = 0; at < this.#looseEnd; ) {
      const slot = loose[at];
      const end = at + LOOSE_HEAD + loose[at + 1];
      for (at += LOOSE_HEAD; at < end; at++) {
        const word = loose[at];
        if (mayBe[word & 0xffff] === 0) continue;
        for (const i of numbersOf.get(word) ?? []) if (found[i].at(-1) !== slot) found[i].push(slot);
      }
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
    const slotOf = this.#closeSlots();
    const total = this.#entries.length + this.#looseWords;
    // In pairs of columns: what is read, and what it is sorted into.
    const all = new PassingNumbers().atLeast(4 * total);
    const [words, slots, sortedWords, sortedSlots] = [0, 1, 2, 3].map((i) => all.subarray(i * total, (i + 1) * total));
    let count = 0;
    const add = (word: number, slot: number): void => {
      if (slotOf[slot] < 0) return;
      words[count] = word;
      slots[count++] = slotOf[slot];
    };
    for (const [i, word] of this.#words.entries())
      for (let at = this.#starts[i]; at < this.#starts[i + 1]; at++) add(word, this.#entries[at]);
    const loose = this.#loose.atLeast(this.#looseEnd);
    for (let at = 0; at < this.#looseEnd; ) {
      const slot = loose[at];
      const end = at + LOOSE_HEAD + loose[at + 1];
      for (at += LOOSE_HEAD; at < end; at++) add(loose[at], slot);
    }
    this.#loose = new PassingNumbers();
    this.#looseEnd = 0;
    this.#looseWords = 0;
    // Two passes over 16 bits each; the second one sorts back into the first pair.
    sortByWord([words, slots], [sortedWords, sortedSlots], count, 0);
    sortByWord([sortedWords, sortedSlots], [words, slots], count, 16);
    let different = 0;
    for (let i = 0; i < count; i++) if (i === 0 || words[i] !== words[i - 1]) different++;
    this.#words = new Uint32Array(different);
    this.#starts = new Uint32Array(different + 1).fill(count);
    for (let i = 0, at = 0; i < count; i++) {
      if (i > 0 && words[i] === words[i - 1]) continue;
      this.#words[at] = words[i];
      this.#starts[at++] = i;
    }
    this.#entries = slots.slice(0, count);
  }

  /** Moves slots down over empty ones. Returns the new number of each, -1 for an empty one. */
  #closeSlots(): Int32Array {
    const slotOf = new Int32Array(this.#slotCount).fill(-1);
    let count = 0;
    for (let slot = 0; slot < slotOf.length; slot++) {
      if (this.#fileIds[slot] === 0) continue;
      this.#fileIds[count] = this.#fileIds[slot];
      this.#uids.copyWithin(count * UID_BYTES, slot * UID_BYTES, (slot + 1) * UID_BYTES);
      this.#isCut[count] = this.#isCut[slot];
      this.#slots.set(this.#fileIds[count], count);
      slotOf[slot] = count++;
    }
    this.#slotCount = count;
    return slotOf;
  }

  #growSlots(capacity: number): void {
    this.#fileIds = grown(this.#fileIds, capacity);
    const uids = new Uint8Array(capacity * UID_BYTES),
      isCut = new Uint8Array(capacity);
    uids.set(this.#uids);
    isCut.set(this.#isCut);
    this.#uids = uids;
    this.#isCut = isCut;
  }
}

/**
 * Slots of at least a share of the greatest weight; of more than `most` these and those as heavy as the last of them.
 */
function heaviest(
  slots: Uint32Array,
  weights: Float64Array,
  { most, share }: { readonly most: number; readonly share: number },
): number[] {
  let greatest = 0;
  for (const slot of slots) greatest = Math.max(greatest, weights[slot]);
  let least = share * greatest;
  if (slots.length > most) {
    const kept = new Least(most);
    for (const slot of slots) if (-weights[slot] <= kept.bound) kept.offer(-weights[slot], slot);
    least = Math.max(least, -kept.bound);
  }
  const found: number[] = [];
  for (const slot of slots) if (weights[slot] >= least) found.push(slot);
  return found;
}

function grown(values: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(length);
  longer.set(values);
  return longer;
}

/** Words and their slots. */
type Pairs = readonly [words: Uint32Array, slots: Uint32Array];

/** Sorts the first `count` pairs by 16 bits of their words; equal ones stay in their order. */
function sortByWord(from: Pairs, to: Pairs, count: number, shift: number): void {
  const places = new Uint32Array(0x10001);
  for (let i = 0; i < count; i++) places[((from[0][i] >>> shift) & 0xffff) + 1]++;
  for (let i = 0; i < 0x10000; i++) places[i + 1] += places[i];
  for (let i = 0; i < count; i++) {
    const word = from[0][i];
    const at = places[(word >>> shift) & 0xffff]++;
    to[0][at] = word;
    to[1][at] = from[1][i];
  }
}
