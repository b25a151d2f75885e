/** The outside of a silhouette, without its holes. */

const SIZE: i32 = 64;

/** Bytes of scratch that {@link flood} takes. */
export const FLOOD_SCRATCH: u32 = 1024;

/** Bits of the bytes of half a row, by their places in two bytes. */
// @ts-ignore: decorator
@inline
function places(): v128 {
  return i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
}

/**
 * Marks with 1 the pixels outside the mask that are connected to the border, by rows of 64 bits: a row is filled in
 * both directions at once, and rows pass it on downwards and upwards until nothing changes. mask: u8[64²], covered from
 * 128. outside: u8[64²] out. rows: u64[2][64] out, first the bits of the rows that are outside, lowest column first;
 * the rest is scratch.
 */
export function flood(mask: usize, outside: usize, rows: usize): void {
  const reached = rows, free = rows + 8 * <usize>SIZE;
  for (let row: usize = 0; row < <usize>SIZE; row++) {
    const at = mask + (row << 6);
    const covered = <u64>i8x16.bitmask(v128.load(at)) | (<u64>i8x16.bitmask(v128.load(at, 16)) << 16)
        | (<u64>i8x16.bitmask(v128.load(at, 32)) << 32) | (<u64>i8x16.bitmask(v128.load(at, 48)) << 48);
    store<u64>(free + (row << 3), ~covered);
    const isBorder = row == 0 || row == <usize>SIZE - 1;
    store<u64>(reached + (row << 3), filled(~covered & (isBorder ? ~(<u64>0) : 0x8000000000000001), ~covered));
  }
  for (let changes = true; changes; ) {
    changes = false;
    for (let row = 1; row < SIZE; row++) if (reachFrom(reached, free, row - 1, row)) changes = true;
    for (let row = SIZE - 2; row >= 0; row--) if (reachFrom(reached, free, row + 1, row)) changes = true;
  }
  for (let row: usize = 0; row < <usize>SIZE; row++) {
    const bits = load<u64>(reached + (row << 3)), at = outside + (row << 6);
    v128.store(at, bytesOf(<i32>bits));
    v128.store(at, bytesOf(<i32>(bits >> 16)), 16);
    v128.store(at, bytesOf(<i32>(bits >> 32)), 32);
    v128.store(at, bytesOf(<i32>(bits >> 48)), 48);
  }
}

/** Whether what is reached of one row reaches more of its neighbour. */
// @ts-ignore: decorator
@inline
function reachFrom(reached: usize, free: usize, from: i32, row: i32): bool {
  const at = <usize>row << 3;
  const held = load<u64>(reached + at), open = load<u64>(free + at);
  const more = load<u64>(reached + (<usize>from << 3)) & open & ~held;
  if (more == 0) return false;
  store<u64>(reached + at, held | filled(more, open));
  return true;
}

/** The runs of open bits in which there are seeds. */
function filled(seeds: u64, open: u64): u64 {
  let up = seeds, way = open;
  for (let step: u64 = 1; step < 64; step <<= 1) {
    up |= way & (up << step);
    way &= way << step;
  }
  let down = seeds;
  way = open;
  for (let step: u64 = 1; step < 64; step <<= 1) {
    down |= way & (down >> step);
    way &= way >> step;
  }
  return up | down;
}

/** The lowest 16 bits as bytes of 0 and 1. */
// @ts-ignore: decorator
@inline
function bytesOf(bits: i32): v128 {
  const halves = i8x16.shuffle(i32x4.splat(bits), i32x4.splat(bits), 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
  return i8x16.neg(i8x16.eq(v128.and(halves, places()), places()));
}
