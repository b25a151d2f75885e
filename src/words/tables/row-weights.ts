/** Weight of each query word in each candidate row, for words without a stored frequency; 1 until it is raised. */
export class Weights {
  readonly rows: number[] = [];
  readonly #leafCount: number;
  readonly #weights: number[] = [];
  /** Index of each row; built on first use. */
  #places: Map<number, number> | undefined;

  constructor(leafCount: number) {
    this.#leafCount = leafCount;
  }

  get size(): number {
    return this.rows.length;
  }

  of(at: number, leaf: number): number {
    return this.#weights[at * this.#leafCount + leaf];
  }

  has(row: number): boolean {
    return this.#placeOf(row) !== undefined;
  }

  /** Adds rows; none may be present already. */
  enter(rows: ArrayLike<number>): void {
    for (let i = 0; i < rows.length; i++) this.#push(rows[i]);
  }

  raise(rows: ArrayLike<number>, leaf: number, weight: number): void {
    for (let i = 0; i < rows.length; i++) {
      const at = this.#place(rows[i]) * this.#leafCount + leaf;
      if (this.#weights[at] < weight) this.#weights[at] = weight;
    }
  }

  /** The weights of the rows at some places only. */
  those(places: readonly number[]): Weights {
    if (places.length === this.size) return this;
    const some = new Weights(this.#leafCount);
    for (const at of places) {
      some.rows.push(this.rows[at]);
      for (let leaf = 0; leaf < this.#leafCount; leaf++) some.#weights.push(this.of(at, leaf));
    }
    return some;
  }

  #place(row: number): number {
    return this.#placeOf(row) ?? this.#push(row);
  }

  #placeOf(row: number): number | undefined {
    this.#places ??= new Map(this.rows.map((known, at) => [known, at]));
    return this.#places.get(row);
  }

  #push(row: number): number {
    const place = this.rows.push(row) - 1;
    this.#places?.set(row, place);
    for (let leaf = 0; leaf < this.#leafCount; leaf++) this.#weights.push(1);
    return place;
  }
}

/** A set of file ids as bits, for many lookups. */
export class IdSet {
  readonly #bits: Uint8Array;

  constructor(ids: Uint32Array) {
    let most = 0;
    for (let i = 0; i < ids.length; i++) if (ids[i] > most) most = ids[i];
    this.#bits = new Uint8Array(Math.floor(most / 8) + 1);
    for (let i = 0; i < ids.length; i++) this.#bits[ids[i] >>> 3] |= 1 << (ids[i] & 7);
  }

  has(id: number): boolean {
    return (this.#bits[Math.floor(id / 8)] & (1 << (id & 7))) !== 0;
  }
}
