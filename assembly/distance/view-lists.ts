/**
 * Candidates of a search by views in a large library: views in lists by the nearest of fixed centres, and products of
 * short vectors. A row: i8[28], of length 127, then the number of its file, u32; 0: removed. A query: i16[32], the last
 * four 0. Two equal views have the product 16 129.
 */

const WIDE: usize = 64;
const ROW: usize = 32;
const NUMBER_AT: usize = 28;
const LENGTH: f64 = 127;
/** Cuts vectors i8[count][64] to rows of file `number`. */
export function narrowViews(vectors: usize, count: i32, number: u32, out: usize): void {
  for (let i = 0; i < count; i++) {
    const from = vectors + (<usize>i << 6), to = out + <usize>i * ROW;
    let squares = 0;
    for (let k: usize = 0; k < NUMBER_AT; k++) squares += <i32>load<i8>(from + k) * <i32>load<i8>(from + k);
    const scale = squares == 0 ? 0 : LENGTH / sqrt<f64>(<f64>squares);
    for (let k: usize = 0; k < NUMBER_AT; k++) store<i8>(to + k, <i8>nearest<f64>(<f64>load<i8>(from + k) * scale));
    store<u32>(to, number, NUMBER_AT);
  }
}

/**
 * The centre with the largest product of each row, the first of equal ones. centres: i16[centreCount][32]. out: u16.
 */
export function nearestCentres(rows: usize, count: i32, centres: usize, centreCount: i32, out: usize): void {
  for (let i = 0; i < count; i++) {
    const row = rows + <usize>i * ROW;
    let best = i32.MIN_VALUE, which = 0;
    for (let centre = 0; centre < centreCount; centre++) {
      const found = product(centres + <usize>centre * WIDE, row);
      if (found > best) {
        best = found;
        which = centre;
      }
    }
    store<u16>(out + (<usize>i << 1), <u16>which);
  }
}

/** Products of all queries with all centres, i32[count][centreCount]. */
export function centreProducts(queries: usize, count: i32, centres: usize, centreCount: i32, out: usize): void {
  for (let query = 0; query < count; query++) {
    const wide = queries + <usize>query * WIDE;
    for (let centre = 0; centre < centreCount; centre++) {
      store<i32>(out, wideProduct(wide, centres + <usize>centre * WIDE));
      out += 4;
    }
  }
}

/** Copies rows to where they follow each other. places: u32[count], in rows. */
export function gatherRows(rows: usize, places: usize, count: i32, out: usize): void {
  const end = places + (<usize>count << 2);
  for (let at = places; at < end; at += 4, out += ROW) {
    const row = rows + <usize>load<u32>(at) * ROW;
    v128.store(out, v128.load(row));
    v128.store(out, v128.load(row, 16), 16);
  }
}

/**
 * Raises the best product of each file with one view of the query by the rows of some lists. pairs: u32[pairCount][3]:
 * number of a query vector, the first chunk of a list, and rows of that to be read. starts: u32[]: place of the first
 * row of each chunk. links: u32[]: the next chunk of its list, 0 behind the last, and how often four rows are doubled
 * in the last three bits. Rows are read by fours; those that are not used are 0. best: i32[files]; what it says of file
 * 0, that of unused rows, means nothing.
 */
export function probeLists(
  queries: usize, pairs: usize, pairCount: i32, starts: usize, links: usize, rows: usize, best: usize,
): void {
  for (let i = 0; i < pairCount; i++, pairs += 12) {
    const query = queries + <usize>load<u32>(pairs) * WIDE;
    const q0 = v128.load(query), q1 = v128.load(query, 16), q2 = v128.load(query, 32), q3 = v128.load(query, 48);
    let count = load<u32>(pairs, 8);
    for (let chunk = load<u32>(pairs, 4); chunk != 0;) {
      let row = rows + <usize>load<u32>(starts + (<usize>chunk << 2)) * ROW;
      const end = row + <usize>count * ROW;
      for (; row < end; row += 4 * ROW) {
        const found = sumsOf(
          partsOf(q0, q1, q2, q3, row), partsOf(q0, q1, q2, q3, row + ROW), partsOf(q0, q1, q2, q3, row + 2 * ROW),
          partsOf(q0, q1, q2, q3, row + 3 * ROW),
        );
        raise(best, row, i32x4.extract_lane(found, 0));
        raise(best, row + ROW, i32x4.extract_lane(found, 1));
        raise(best, row + 2 * ROW, i32x4.extract_lane(found, 2));
        raise(best, row + 3 * ROW, i32x4.extract_lane(found, 3));
      }
      chunk = load<u32>(links + (<usize>chunk << 2)) >> 3;
      count = 4 << (load<u32>(links + (<usize>chunk << 2)) & 7);
    }
  }
}

// @ts-ignore: decorator
@inline
function partsOf(q0: v128, q1: v128, q2: v128, q3: v128, row: usize): v128 {
  const r0 = v128.load(row), r1 = v128.load(row, 16);
  const s0 = i32x4.add(i32x4.dot_i16x8_s(q0, i16x8.extend_low_i8x16_s(r0)),
    i32x4.dot_i16x8_s(q1, i16x8.extend_high_i8x16_s(r0)));
  const s1 = i32x4.add(i32x4.dot_i16x8_s(q2, i16x8.extend_low_i8x16_s(r1)),
    i32x4.dot_i16x8_s(q3, i16x8.extend_high_i8x16_s(r1)));
  return i32x4.add(s0, s1);
}

/** Raises the best product of the row's file. */
// @ts-ignore: decorator
@inline
function raise(best: usize, row: usize, found: i32): void {
  const to = best + (<usize>load<u32>(row, NUMBER_AT) << 2);
  // Without a branch, which nobody could foretell and which would wait for the memory.
  store<i32>(to, max(found, load<i32>(to)));
}

/**
 * As `scanFiles`, with rows of 32 bytes and four turns. The turns are multiplied together, each sum in its own lane:
 * 1.0 ns a product instead of 2.1; with rows of 64 bytes the same took 4.7, because so many registers there are not.
 */
export function scanNarrowFiles(
  queries: usize, viewCount: i32, rows: usize, ranges: usize, fileCount: i32, out: usize,
): void {
  for (let file = 0; file < fileCount; file++) {
    const first = load<u32>(ranges + (<usize>file << 3)), count = load<u32>(ranges + (<usize>file << 3), 4);
    const start = rows + <usize>first * ROW, end = start + <usize>count * ROW;
    for (let view = 0; view < viewCount; view++) {
      const query = queries + <usize>view * 4 * WIDE;
      let best = i32x4.splat(i32.MIN_VALUE);
      for (let row = start; row < end; row += ROW) {
        const r0 = v128.load(row), r1 = v128.load(row, 16);
        const e0 = i16x8.extend_low_i8x16_s(r0), e1 = i16x8.extend_high_i8x16_s(r0);
        const e2 = i16x8.extend_low_i8x16_s(r1), e3 = i16x8.extend_high_i8x16_s(r1);
        best = i32x4.max_s(best, sumsOf(
          lanesOf(query, e0, e1, e2, e3),
          lanesOf(query + WIDE, e0, e1, e2, e3),
          lanesOf(query + 2 * WIDE, e0, e1, e2, e3),
          lanesOf(query + 3 * WIDE, e0, e1, e2, e3),
        ));
      }
      store<i32>(out + (<usize>(view * fileCount + file) << 2), mostOf(best));
    }
  }
}

/** As `scanRows`, with rows of 32 bytes. */
export function scanNarrowRows(
  queries: usize, count: i32, rows: usize, ranges: usize, fileCount: i32, out: usize,
): void {
  const last = queries + <usize>count * WIDE;
  for (let file = 0; file < fileCount; file++) {
    const first = load<u32>(ranges + (<usize>file << 3)), length = load<u32>(ranges + (<usize>file << 3), 4);
    const start = rows + <usize>first * ROW, end = start + <usize>length * ROW;
    for (let row = start; row < end; row += ROW) {
      let best: i32 = i32.MIN_VALUE;
      for (let query = queries; query < last; query += WIDE) best = max(best, product(query, row));
      store<i32>(out, best);
      out += 4;
    }
  }
}

/**
 * Adds to `sums` (f32[files]) what one view of the query says of each file: `weight` times the logarithm of its best
 * product, at least `floor`. logs: f32[16130], of the products from 0 on.
 */
export function addLogs(best: usize, floor: i32, weight: f32, logs: usize, files: i32, sums: usize): void {
  for (let file = 0; file < files; file++) {
    const found = max(load<i32>(best + (<usize>file << 2)), floor);
    const to = sums + (<usize>file << 2);
    store<f32>(to, load<f32>(to) + weight * load<f32>(logs + (<usize>max(0, min(found, 16129)) << 2)));
  }
}

// @ts-ignore: decorator
@inline
function product(wide: usize, row: usize): i32 {
  const r0 = v128.load(row), r1 = v128.load(row, 16);
  return sumOf(lanesOf(
    wide, i16x8.extend_low_i8x16_s(r0), i16x8.extend_high_i8x16_s(r0), i16x8.extend_low_i8x16_s(r1),
    i16x8.extend_high_i8x16_s(r1),
  ));
}

/** The product in four parts. */
// @ts-ignore: decorator
@inline
function lanesOf(wide: usize, e0: v128, e1: v128, e2: v128, e3: v128): v128 {
  const s0 = i32x4.add(i32x4.dot_i16x8_s(e0, v128.load(wide)), i32x4.dot_i16x8_s(e1, v128.load(wide, 16)));
  const s1 = i32x4.add(i32x4.dot_i16x8_s(e2, v128.load(wide, 32)), i32x4.dot_i16x8_s(e3, v128.load(wide, 48)));
  return i32x4.add(s0, s1);
}

// @ts-ignore: decorator
@inline
function wideProduct(a: usize, b: usize): i32 {
  const s0 = i32x4.add(
    i32x4.dot_i16x8_s(v128.load(a), v128.load(b)),
    i32x4.dot_i16x8_s(v128.load(a, 16), v128.load(b, 16)),
  );
  const s1 = i32x4.add(
    i32x4.dot_i16x8_s(v128.load(a, 32), v128.load(b, 32)),
    i32x4.dot_i16x8_s(v128.load(a, 48), v128.load(b, 48)),
  );
  return sumOf(i32x4.add(s0, s1));
}

// @ts-ignore: decorator
@inline
function sumOf(lanes: v128): i32 {
  const sum = i32x4.add(lanes, i8x16.shuffle(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1);
}

/** The sums of the lanes of four vectors, one in each lane. */
// @ts-ignore: decorator
@inline
function sumsOf(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i64>(ab, cd, 0, 2), v128.shuffle<i64>(ab, cd, 1, 3));
}

/** The largest lane. */
// @ts-ignore: decorator
@inline
function mostOf(lanes: v128): i32 {
  return max(
    max(i32x4.extract_lane(lanes, 0), i32x4.extract_lane(lanes, 1)),
    max(i32x4.extract_lane(lanes, 2), i32x4.extract_lane(lanes, 3)),
  );
}
