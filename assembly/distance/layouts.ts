/**
 * Scalar products of distributions of ink over pages: u8[cells] a page against queries of i16[cells], 0 to 4095. A
 * product of 1 024 cells is below 2^31: 4095 · 255 · 1024.
 */

/**
 * cells: a multiple of 32, at most 1 024. queries: i16[count][cells]. pages: u8[pageCount][cells]. out:
 * i32[count][pageCount].
 */
export function scanLayouts(
  cells: usize, queries: usize, count: i32, pages: usize, pageCount: i32, out: usize,
): void {
  for (let i = 0; i < pageCount; i++) {
    const page = pages + <usize>i * cells;
    for (let query = 0; query < count; query++) {
      store<i32>(out + (<usize>(query * pageCount + i) << 2), product(queries + <usize>query * 2 * cells, page, cells));
    }
  }
}

// @ts-ignore: decorator
@inline
function product(query: usize, page: usize, cells: usize): i32 {
  let even = i32x4.splat(0), odd = i32x4.splat(0);
  for (let at: usize = 0; at < cells; at += 32) {
    const low = v128.load(page + at), high = v128.load(page + at, 16);
    const wide = query + 2 * at;
    even = i32x4.add(even, i32x4.dot_i16x8_s(v128.load(wide), i16x8.extend_low_i8x16_u(low)));
    odd = i32x4.add(odd, i32x4.dot_i16x8_s(v128.load(wide, 16), i16x8.extend_high_i8x16_u(low)));
    even = i32x4.add(even, i32x4.dot_i16x8_s(v128.load(wide, 32), i16x8.extend_low_i8x16_u(high)));
    odd = i32x4.add(odd, i32x4.dot_i16x8_s(v128.load(wide, 48), i16x8.extend_high_i8x16_u(high)));
  }
  const sum = i32x4.add(even, odd);
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2)
      + i32x4.extract_lane(sum, 3);
}
