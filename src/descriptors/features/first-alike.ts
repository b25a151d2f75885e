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
    const key = keyOf(this.#cellOf(numbers));
    const cell = this.#cells.get(key);
    if (cell === undefined) this.#cells.set(key, [this.all.length]);
    else cell.push(this.all.length);
    this.all.push(thing);
  }

  /** The first that is alike. */
  find(numbers: readonly number[], isAlike: (thing: T) => boolean): T | undefined {
    const cell = this.#cellOf(numbers);
    let first = Infinity;
    const look = (at: number, around: readonly number[]): void => {
      if (at < cell.length) {
        for (const step of [-1, 0, 1]) look(at + 1, [...around, cell[at] + step]);
        return;
      }
      for (const index of this.#cells.get(keyOf(around)) ?? []) {
        if (index >= first) break;
        if (isAlike(this.all[index])) first = index;
      }
    };
    look(0, []);
    return first === Infinity ? undefined : this.all[first];
  }

  #cellOf(numbers: readonly number[]): number[] {
    return numbers.map((each, i) => Math.floor(each / this.#sizes[i]));
  }
}

function keyOf(cell: readonly number[]): number {
  return cell.reduce((key, each) => (Math.imul(key, 73_856_093) ^ each) | 0, 17);
}
