/**
 * The `most` numbers with the least values among all that are offered, equal values by smaller number: a heap with the
 * worst kept one on top. A sort of all values of a library took longer than the scan that computed them.
 */
export class Least {
  readonly #most: number;
  readonly #values: Float64Array;
  readonly #numbers: Float64Array;
  #held = 0;

  /** @param most a whole number from 1. */
  constructor(most: number) {
    this.#most = most;
    this.#values = new Float64Array(most);
    this.#numbers = new Float64Array(most);
  }

  /** Values above this one are not kept. */
  get bound(): number {
    return this.#held < this.#most ? Infinity : this.#values[0];
  }

  /** @param value not NaN. @param number distinct from all others. */
  offer(value: number, number: number): void {
    const values = this.#values,
      numbers = this.#numbers;
    if (this.#held < this.#most) {
      let at = this.#held++;
      while (at > 0) {
        const above = (at - 1) >>> 1;
        if (!isAfter(value, number, values[above], numbers[above])) break;
        values[at] = values[above];
        numbers[at] = numbers[above];
        at = above;
      }
      values[at] = value;
      numbers[at] = number;
      return;
    }
    if (!isAfter(values[0], numbers[0], value, number)) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= this.#held) break;
      if (below + 1 < this.#held && isAfter(values[below + 1], numbers[below + 1], values[below], numbers[below]))
        below++;
      if (!isAfter(values[below], numbers[below], value, number)) break;
      values[at] = values[below];
      numbers[at] = numbers[below];
      at = below;
    }
    values[at] = value;
    numbers[at] = number;
  }

  /** The numbers that were kept, in no order. */
  numbers(): Float64Array {
    return this.#numbers.slice(0, this.#held);
  }

  /** What was kept, by rising value, then number. */
  rising(): { readonly value: number; readonly number: number }[] {
    return Array.from({ length: this.#held }, (_, i) => ({ value: this.#values[i], number: this.#numbers[i] })).sort(
      (a, b) => a.value - b.value || a.number - b.number,
    );
  }
}

function isAfter(value: number, number: number, otherValue: number, otherNumber: number): boolean {
  return value > otherValue || (value === otherValue && number > otherNumber);
}
