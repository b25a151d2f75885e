/**
 * Things in the order in which they came, found by numbers that are near each other: what walking the whole list finds,
 * without walking it. A mesh of loose triangles has 20 000 faces, of which no two are alike.
 */
export class FirstAlike<T> {
  readonly all: T[] = [];
  /** Where things of a cell stand in {@link all}, rising. Cells may share an entry. */
  readonly #cells = new Map<number, number[]>();
  readonly #sizes: readonly number[];

  /** @param reach how far each number of two that are alike may differ at most. */
  constructor(reach: readonly number[]) {
    // A little more, so that rounding puts nothing two cells away.
    this.#sizes = reach.map((each) => 1.001 * each);
  }

  add(numbers: readonly number[], thing: T): void {
    let key = SEED;
    for (let at = 0; at < numbers.length; at++) key = mixed(key, this.#cellOf(numbers, at));
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, [this.all.length]);
    else cell.push(this.all.length);
    this.all.push(thing);
  }

  /** The first that is alike. */
  find(numbers: readonly number[], isAlike: (thing: T) => boolean): T | undefined {
    const first = this.#look(numbers, isAlike, { at: 0, key: SEED, first: Infinity });
    return first === Infinity ? undefined : this.all[first];
  }

  /**
   * The first that is alike in the cells around numbers, of which those before `at` are in the key, and before `first`.
   */
  #look(
    numbers: readonly number[],
    isAlike: (thing: T) => boolean,
    { at, key, first }: { readonly at: number; readonly key: number; readonly first: number },
  ): number {
    const middle = this.#cellOf(numbers, at),
      isLast = at === numbers.length - 1;
    let found = first;
    for (let step = -1; step <= 1; step++) {
      const next = mixed(key, middle + step);
      if (!isLast) {
        found = this.#look(numbers, isAlike, { at: at + 1, key: next, first: found });
        continue;
      }
      const cell = this.#cells.get(next);
      if (cell === undefined) continue;
      for (let i = 0; i < cell.length && cell[i] < found; i++) if (isAlike(this.all[cell[i]])) found = cell[i];
    }
    return found;
  }

  #cellOf(numbers: readonly number[], at: number): number {
    return Math.floor(numbers[at] / this.#sizes[at]);
  }
}

/** Keys of cells are made number by number. */
const SEED = 17;

function mixed(key: number, each: number): number {
  return (Math.imul(key, 73_856_093) ^ each) | 0;
}
