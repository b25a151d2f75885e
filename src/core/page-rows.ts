import { LabelRows } from './label-rows.js';

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
  /** The first row of each file. */
  readonly #firsts = new LabelRows();
  #end = 0;
  #holes = 0;

  get viewCount(): number {
    return this.#end - this.#holes;
  }

  has(number: number): boolean {
    return this.#firsts.get(number) >= 0;
  }

  /** Number of rows of a file. */
  countOf(number: number): number {
    const first = this.#firsts.get(number);
    return first < 0 ? 0 : this.#endOf(first) - first;
  }

  /** f32[count] of a file that is held; not to be kept. */
  weightsOf(number: number): Float32Array {
    const first = this.#firsts.get(number);
    return this.#weights.subarray(first, this.#endOf(first));
  }

  /** Adds a file that is not held. */
  add(number: number, weights: Float32Array, lists: Uint16Array): void {
    const first = this.#end,
      count = weights.length;
    if (first + count > this.#numbers.length) this.#grow(Math.ceil(AHEAD * (first + count)));
    this.#numbers.fill(number, first, first + count);
    this.#weights.set(weights, first);
    this.#lists.set(lists, first);
    this.#firsts.set(number, first);
    this.#end += count;
  }

  remove(number: number): void {
    const first = this.#firsts.get(number);
    if (first < 0) return;
    const end = this.#endOf(first);
    this.#firsts.delete(number);
    this.#numbers.fill(0, first, end);
    this.#holes += end - first;
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

  /** The row after the last one of the file whose first row this is. */
  #endOf(first: number): number {
    let end = first + 1;
    while (end < this.#end && this.#numbers[end] === this.#numbers[first]) end++;
    return end;
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
    for (let row = 0; row < this.#end; row++) {
      const number = this.#numbers[row];
      if (number === 0) continue;
      if (row === 0 || this.#numbers[row - 1] !== number) this.#firsts.set(number, end);
      this.#weights[end] = this.#weights[row];
      this.#lists[end] = this.#lists[row];
      this.#numbers[end++] = number;
    }
    this.#end = end;
    this.#holes = 0;
  }
}
