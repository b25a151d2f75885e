/**
 * Bump allocation in linear memory. Everything above the mark is scratch of one call: reserve, copy in, call, copy out,
 * reset. Nothing is ever freed singly and no managed object is created, so there is nothing to leak.
 */

// @ts-ignore: decorator
@lazy const BASE: usize = (__heap_base + 63) & ~63;
let top: usize = BASE;

/**
 * Reserves byteLength bytes, aligned to 64, followed by at least 16 readable bytes (a 128-bit load of the last
 * three floats stays inside). Grows memory when needed. Returns the address, or 0 when memory cannot grow.
 */
export function reserve(byteLength: u32): usize {
  const start = top;
  const end = <u64>start + <u64>byteLength + 16;
  if (end > <u64>0xffff0000) return 0;
  const pagesNeeded = <i32>((end + 0xffff) >> 16);
  const pagesHeld = memory.size();
  if (pagesNeeded > pagesHeld) {
    // Grow by at least a quarter: growth detaches all views of the memory, so it should be rare.
    const wanted = max(pagesNeeded - pagesHeld, pagesHeld >> 2);
    if (memory.grow(wanted) < 0 && memory.grow(pagesNeeded - pagesHeld) < 0) return 0;
  }
  top = (<usize>end + 63) & ~63;
  return start;
}

/** The current end of reserved memory; reset() with it releases everything that is reserved later. */
export function mark(): usize {
  return top;
}

/** Releases everything reserved after the mark; 0 releases all. */
export function reset(to: usize): void {
  top = to == 0 ? BASE : to;
}
