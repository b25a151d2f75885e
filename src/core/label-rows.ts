/** Labels that lie together share a page: ids given out one after another need about 4 bytes each. */
const PAGE_BITS = 8;
const PAGE_LENGTH = 1 << PAGE_BITS;

/**
 * The row of every label (u32). A Map of single labels took 100 ns a lookup, five times the scan of the row that it leads to;
 * rising labels here stay on a page for long.
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

  /** Sets the bit of each label's row, u32[(rows + 31) / 32], as far as there is one. Returns how many were set that were not. */
  mark(labels: Uint32Array, bits: Uint32Array): number {
    let count = 0;
    let number = -1;
    let page: Uint32Array | undefined;
    // As `get`, without what a call costs: labels are many, most pages serve many of them.
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
