import { firstNotBelow } from '../../store/database/id-lists.js';

/** Sets of file ids as rising lists without repetitions, u32[count]. */

/** When one list is this many times as long as the other, it is searched by bisection instead of walked. */
const LOPSIDED = 32;

/** Ids that are in both. */
export function intersection(a: Uint32Array, b: Uint32Array): Uint32Array {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const both = new Uint32Array(few.length);
  let count = 0;
  if (many.length > LOPSIDED * few.length) {
    for (let i = 0, from = 0; i < few.length; i++) {
      from = firstNotBelow(many, few[i], from);
      if (many[from] === few[i]) both[count++] = few[i];
    }
  } else {
    for (let i = 0, j = 0; i < few.length && j < many.length; ) {
      const x = few[i],
        y = many[j];
      // Branch-free, because the branches would be unpredictable. An id that is no match is overwritten.
      both[count] = x;
      count += Number(x === y);
      i += Number(x <= y);
      j += Number(y <= x);
    }
  }
  return both.subarray(0, count);
}

/** Ids that are in either. */
export function union(a: Uint32Array, b: Uint32Array): Uint32Array {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const either = new Uint32Array(a.length + b.length);
  let count = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    const x = i < a.length ? a[i] : Infinity,
      y = j < b.length ? b[j] : Infinity;
    either[count++] = Math.min(x, y);
    if (x <= y) i++;
    if (y <= x) j++;
  }
  return either.subarray(0, count);
}

/** A mutable set of ids, one bit each up to the largest; {@link those} takes 2 ns an id. */
export class IdMarks {
  #bits = new Uint32Array(1_024);

  /** @param ids that it holds at first. */
  constructor(ids: Uint32Array = new Uint32Array(0)) {
    for (let i = ids.length - 1; i >= 0; i--) this.add(ids[i]);
  }

  has(id: number): boolean {
    return ((this.#bits[id >>> 5] >>> (id & 31)) & 1) === 1;
  }

  add(id: number): void {
    if (id >>> 5 >= this.#bits.length) {
      const grown = new Uint32Array(Math.max(2 * this.#bits.length, (id >>> 5) + 1));
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
    let count = 0;
    const bits = this.#bits;
    for (let rest of bits) for (; rest !== 0; rest &= rest - 1) count++;
    const ids = new Uint32Array(count);
    count = 0;
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
      // Branch-free, as above; ids beyond the bits read as 0.
      found[count] = ids[i];
      count += (bits[ids[i] >>> 5] >>> (ids[i] & 31)) & 1;
    }
    return found.subarray(0, count);
  }
}
