/** By so much it grows at once. */
const AHEAD = 1.25;

/** A mutable set of ids, one bit each up to the largest; {@link those} takes 2 ns an id. */
export class IdMarks {
  #bits: Uint32Array;

  /** @param ids that it holds at first. */
  constructor(ids: Uint32Array = new Uint32Array(0)) {
    this.#bits = new Uint32Array(1_024);
    for (let i = ids.length - 1; i >= 0; i--) this.add(ids[i]);
  }

  /** The ids that are in all of these sets; at least one set. */
  static inAll(sets: readonly IdMarks[]): IdMarks {
    const all = new IdMarks();
    const bits = sets[0].#bits.slice(0, Math.min(...sets.map((set) => set.#bits.length)));
    for (const other of sets.slice(1)) for (let i = 0; i < bits.length; i++) bits[i] &= other.#bits[i];
    all.#bits = bits;
    return all;
  }

  /** The set whose {@link bits} these are; they are its own from then on. */
  static of(bits: Uint32Array): IdMarks {
    const marks = new IdMarks();
    marks.#bits = bits;
    return marks;
  }

  /** A bit for each id from 0 up, the lowest of a number first, without zeros at the end. Not to be changed. */
  get bits(): Uint32Array {
    let length = this.#bits.length;
    while (length > 0 && this.#bits[length - 1] === 0) length--;
    return this.#bits.subarray(0, length);
  }

  /** Number of ids; 0.1 ms for a million. */
  get size(): number {
    let count = 0;
    for (const bits of this.#bits) count += ones(bits);
    return count;
  }

  get byteLength(): number {
    return this.#bits.byteLength;
  }

  has(id: number): boolean {
    return ((this.#bits[id >>> 5] >>> (id & 31)) & 1) === 1;
  }

  add(id: number): void {
    if (id >>> 5 >= this.#bits.length) {
      const grown = new Uint32Array(Math.max(Math.ceil(AHEAD * this.#bits.length), (id >>> 5) + 1));
      grown.set(this.#bits);
      this.#bits = grown;
    }
    this.#bits[id >>> 5] |= 1 << (id & 31);
  }

  delete(id: number): void {
    if (id >>> 5 < this.#bits.length) this.#bits[id >>> 5] &= ~(1 << (id & 31));
  }

  /** All ids, rising. */
  ids(): Uint32Array {
    const bits = this.#bits;
    const ids = new Uint32Array(this.size);
    let count = 0;
    for (let i = 0; i < bits.length; i++)
      for (let rest = bits[i]; rest !== 0; rest &= rest - 1) ids[count++] = 32 * i + 31 - Math.clz32(rest & -rest);
    return ids;
  }

  /** The given ids that are in the set, in their order. */
  those(ids: Uint32Array): Uint32Array {
    const found = new Uint32Array(ids.length);
    const bits = this.#bits;
    let count = 0;
    for (let i = 0; i < ids.length; i++) {
      // Branch-free, because the branches would be unpredictable; ids beyond the bits read as 0.
      found[count] = ids[i];
      count += (bits[ids[i] >>> 5] >>> (ids[i] & 31)) & 1;
    }
    return found.subarray(0, count);
  }
}

/** Number of bits that are set (Warren, Hacker's Delight, figure 5-2). */
function ones(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
