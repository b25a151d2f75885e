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
