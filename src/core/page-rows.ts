/** Removed rows are dropped when they exceed this share. */
const MOST_HOLES = 0.25;
const FIRST_CAPACITY = 1_024;
const AHEAD = 1 + 1 / 8;

/** The views of pages in {@link ViewLists}: their weights and lists, in columns of 10 bytes a view. */
export class PageRows {
  /** u32[rows]: the number of the file of each row; 0: it was removed. Rows of a file follow each other. */
  #numbers = new Uint32Array(FIRST_CAPACITY);
  #weights = new Float32Array(FIRST_CAPACITY);
  #lists = new Uint16Array(FIRST_CAPACITY);
  /** First row of each file, and the number of its rows. */
  readonly #ranges = new Map<number, { readonly first: number; readonly count: number }>();
  #end = 0;
  #holes = 0;

  get viewCount(): number {
    return this.#end - this.#holes;
  }

  has(number: number): boolean {
    return this.#ranges.has(number);
  }

  /** Number of rows of a file. */
  countOf(number: number): number {
    return this.#ranges.get(number)?.count ?? 0;
  }

  /** f32[count] of a file that is held; not to be kept. */
  weightsOf(number: number): Float32Array {
    const { first, count } = this.#ranges.get(number)!;
    return this.#weights.subarray(first, first + count);
  }

  /** Adds a file that is not held. */
  add(number: number, weights: Float32Array, lists: Uint16Array): void {
    const first = this.#end,
      count = weights.length;
    if (first + count > this.#numbers.length) this.#grow(Math.ceil(AHEAD * (first + count)));
    this.#numbers.fill(number, first, first + count);
    this.#weights.set(weights, first);
    this.#lists.set(lists, first);
    this.#ranges.set(number, { first, count });
    this.#end += count;
  }

  remove(number: number): void {
    const range = this.#ranges.get(number);
    if (range === undefined) return;
    this.#ranges.delete(number);
    this.#numbers.fill(0, range.first, range.first + range.count);
    this.#holes += range.count;
    if (this.#holes > FIRST_CAPACITY && this.#holes > MOST_HOLES * this.#end) this.#compact();
  }

  /**
   * For each file the sum over its rows of weight × value of the row's list.
   * values: f32[lists], for views as they lie on a page and for those that may have been turned by any angle.
   * @returns f32[files].
   */
  sums(files: number, valuesOf: (number: number) => Float32Array): Float32Array {
    const sums = new Float32Array(files);
    for (let row = 0, end = 0; row < this.#end; row = end) {
      const number = this.#numbers[row];
      const values = valuesOf(number);
      let sum = 0;
      for (end = row; end < this.#end && this.#numbers[end] === number; end++)
        sum += this.#weights[end] * values[this.#lists[end]];
      sums[number] = sum;
    }
    return sums;
  }

  #grow(capacity: number): void {
    const numbers = new Uint32Array(capacity),
      weights = new Float32Array(capacity),
      lists = new Uint16Array(capacity);
    numbers.set(this.#numbers);
    weights.set(this.#weights);
    lists.set(this.#lists);
    this.#numbers = numbers;
    this.#weights = weights;
    this.#lists = lists;
  }

  /** Moves rows down over the removed ones. */
  #compact(): void {
    let end = 0;
    for (const [number, { first, count }] of [...this.#ranges].sort(([, a], [, b]) => a.first - b.first)) {
      for (const column of [this.#numbers, this.#weights, this.#lists]) column.copyWithin(end, first, first + count);
      this.#ranges.set(number, { first: end, count });
      end += count;
    }
    this.#end = end;
    this.#holes = 0;
  }
}
