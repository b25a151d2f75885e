/** UTF-16 units of words that are held at most, of all files and of one. */
const HELD_LENGTH = 4_000_000;
const LONGEST = 200_000;

/**
 * The words of the files that changed last, as they are in the index: whether one holds a word is then told in 1 µs, where the index takes 15
 * to 75. So what was found before is soon brought up to date while a library is filled. The files that changed longest ago are forgotten first.
 */
export class RecentWords {
  readonly #words = new Map<number, Held>();
  #length = 0;

  /** words: those of {@link IndexedTerms}, of the company; none when the file is in no index. Call it for every change. */
  put(fileId: number, held?: Held): void {
    this.#forget(fileId);
    const { companyId, words } = held ?? NOTHING;
    if (words.length > LONGEST) return;
    this.#words.set(fileId, { companyId, words: ` ${words} ` });
    this.#length += words.length + ENTRY_LENGTH;
    for (const oldest of this.#words.keys()) {
      if (this.#length <= HELD_LENGTH) break;
      this.#forget(oldest);
    }
  }

  /** Whether the index of a company holds all of these words for a file; undefined when that is not known. */
  hold(companyId: number, fileId: number, words: readonly string[]): boolean | undefined {
    const held = this.#words.get(fileId);
    return held && held.companyId === companyId && words.every((word) => held.words.includes(` ${word} `));
  }

  /** What was put may not be so. */
  clear(): void {
    this.#words.clear();
    this.#length = 0;
  }

  #forget(fileId: number): void {
    const held = this.#words.get(fileId);
    if (held === undefined) return;
    this.#length -= held.words.length - 2 + ENTRY_LENGTH;
    this.#words.delete(fileId);
  }
}

interface Held {
  readonly companyId: number;
  readonly words: string;
}

const NOTHING: Held = Object.freeze({ companyId: 0, words: '' });

/** What an entry takes beside its words. */
const ENTRY_LENGTH = 50;
