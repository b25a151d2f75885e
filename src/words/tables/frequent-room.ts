/** The words of a company, as far as they share memory with those of others. */
export interface RoomMember {
  /** The word that was asked for longest ago, but not `except`; askedAt: see {@link FrequentRoom.nextAsked}. */
  oldest(except: string | undefined): { readonly word: string; readonly askedAt: number } | undefined;
  /** Gives the memory of a word back. */
  forget(word: string): void;
}

/** The memory that the frequent words of all companies share. */
export class FrequentRoom {
  readonly #limit: number;
  readonly #companies = new Set<RoomMember>();
  #used = 0;
  #asked = 0;

  /** limit: bytes. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts the questions of all companies; rises with each call. */
  nextAsked(): number {
    return ++this.#asked;
  }

  enter(company: RoomMember): void {
    this.#companies.add(company);
  }

  has(bytes: number): boolean {
    return this.#used + bytes <= this.#limit;
  }

  /** Takes, or gives back, memory. */
  take(bytes: number): void {
    this.#used += bytes;
  }

  /** Lets words be forgotten until the others fit: those that were asked for longest ago first, but this one last. */
  make(company: RoomMember, word: string): void {
    while (!this.has(0)) {
      let [from, oldest, askedAt] = [company, word, Infinity];
      for (const each of this.#companies) {
        const found = each.oldest(each === company ? word : undefined);
        if (found !== undefined && found.askedAt <= askedAt)
          [from, oldest, askedAt] = [each, found.word, found.askedAt];
      }
      from.forget(oldest);
    }
  }
}
