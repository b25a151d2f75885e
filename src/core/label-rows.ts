/** Labels that differ only in their low bits share a page, so consecutive ids need about 4 bytes each. */
const PAGE_BITS = 8;
const PAGE_LENGTH = 1 << PAGE_BITS;

/**
 * Maps labels (u32) to rows. A `Map` with one entry per label took 100 ns per lookup, five times as long as the scan of
 * the row itself. Here ascending labels stay on one page for many lookups.
 */
export class LabelRows {
  /** Row + 1 of each label of a page; 0 is no row. */
  readonly #pages = new Map<number, Uint32Array>();
  #size = 0;
  #lastNumber = -1;
  #lastPage: Uint32Array | undefined;

  get size(): number {
    return this.#size;
  }

  /** The row of a label, or -1. */
  get(label: number): number {
    const page = this.#pageOf(label);
    return page === undefined ? -1 : page[label & (PAGE_LENGTH - 1)] - 1;
  }

  /**
   * Sets the bit of the row of each label that has one.
   * @param bits u32[(rows + 31) / 32].
   * @returns the number of bits that were newly set.
   */
  mark(labels: Uint32Array, bits: Uint32Array): number {
    let count = 0;
    let number = -1;
    let page: Uint32Array | undefined;
    // `get` inlined: there are many labels, and most pages hold many of them.
    for (let i = 0; i < labels.length; i++) {
      const label = labels[i];
      if (label >>> PAGE_BITS !== number) page = this.#pages.get((number = label >>> PAGE_BITS));
      if (page === undefined) continue;
      const row = page[label & (PAGE_LENGTH - 1)] - 1;
      if (row < 0) continue;
      const before = bits[row >>> 5],
        after = before | (1 << (row & 31));
      count += Number(before !== after >>> 0);
      bits[row >>> 5] = after;
    }
    return count;
  }

  set(label: number, row: number): void {
    let page = this.#pageOf(label);
    if (page === undefined) {
      page = new Uint32Array(PAGE_LENGTH);
      this.#pages.set(label >>> PAGE_BITS, page);
      this.#lastPage = page;
    }
    if (page[label & (PAGE_LENGTH - 1)] === 0) this.#size++;
    page[label & (PAGE_LENGTH - 1)] = row + 1;
  }

  delete(label: number): void {
    const page = this.#pageOf(label);
    if (page === undefined || page[label & (PAGE_LENGTH - 1)] === 0) return;
    page[label & (PAGE_LENGTH - 1)] = 0;
    this.#size--;
  }

  #pageOf(label: number): Uint32Array | undefined {
    const number = label >>> PAGE_BITS;
    if (number !== this.#lastNumber) {
      this.#lastNumber = number;
      this.#lastPage = this.#pages.get(number);
    }
    return this.#lastPage;
  }
}
