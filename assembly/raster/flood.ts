/** The outside of a silhouette, without its holes. */

const SIZE: i32 = 64;

/** Marks with 1 the pixels outside the mask that are connected to the border. queue: u16[64²]. */
export function flood(mask: usize, outside: usize, queue: usize): void {
  memory.fill(outside, 0, SIZE * SIZE);
  let first = 0, last = 0;
  for (let i = 0; i < SIZE; i++) {
    last = reach(mask, outside, queue, last, i);
    last = reach(mask, outside, queue, last, (SIZE - 1) * SIZE + i);
    last = reach(mask, outside, queue, last, i * SIZE);
    last = reach(mask, outside, queue, last, i * SIZE + SIZE - 1);
  }
  while (first < last) {
    const pixel = <i32>load<u16>(queue + (<usize>first << 1));
    first++;
    const column = pixel % SIZE;
    if (column > 0) last = reach(mask, outside, queue, last, pixel - 1);
    if (column < SIZE - 1) last = reach(mask, outside, queue, last, pixel + 1);
    if (pixel >= SIZE) last = reach(mask, outside, queue, last, pixel - SIZE);
    if (pixel < SIZE * (SIZE - 1)) last = reach(mask, outside, queue, last, pixel + SIZE);
  }
}

// @ts-ignore: decorator
@inline
function reach(mask: usize, outside: usize, queue: usize, last: i32, pixel: i32): i32 {
  if (load<u8>(mask + <usize>pixel) >= 128 || load<u8>(outside + <usize>pixel) != 0) return last;
  store<u8>(outside + <usize>pixel, 1);
  store<u16>(queue + (<usize>last << 1), <u16>pixel);
  return last + 1;
}
