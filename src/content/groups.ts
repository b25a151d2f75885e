/** Adds a value to the list of a key. */
export function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/** The middle one of numbers by size, of an even count the upper one of both; undefined without numbers. */
export function medianOf(values: Iterable<number>): number | undefined {
  const sorted = Float64Array.from(values).sort();
  return sorted[sorted.length >> 1];
}

/** Disjoint sets of the numbers from 0, each named by its smallest member. */
export class DisjointSets {
  readonly #parents: Uint32Array;

  constructor(count: number) {
    this.#parents = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.#parents[i] = i;
  }

  /** The name of the set that a number is in. */
  rootOf(number: number): number {
    const parents = this.#parents;
    let root = number;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]];
    return root;
  }

  join(a: number, b: number): void {
    const [x, y] = [this.rootOf(a), this.rootOf(b)];
    this.#parents[Math.max(x, y)] = Math.min(x, y);
  }
}
