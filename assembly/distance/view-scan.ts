/**
 * The first stage of a search by views: products of compact vectors, every row of a table against a few query vectors.
 * A vector: i8[64]. Two of length 1 at 127 have the product 16 129.
 */

const DIMENSION: usize = 64;
/** Bytes of a query vector, which is widened to i16 once and not per row. */
const WIDE: usize = 128;

/**
 * Computes compact vectors of views: the lines projected onto learned principal axes, scaled to length 127. rows:
 * views, `stride` bytes apart, with u8[512] lines at offset 128. axes: i8[64][512]. out: i8[count][64]; 0 for views
 * without lines.
 */
export function projectViews(rows: usize, stride: usize, count: i32, axes: usize, out: usize): void {
  let axisSquares: f64 = 0;
  for (let at: usize = 0; at < 512; at++) axisSquares += <f64>load<i8>(axes + at) * <f64>load<i8>(axes + at);
  for (let i = 0; i < count; i++) {
    const lines = rows + <usize>i * stride + 128;
    const squares = <f64>squaresOf(lines);
    const scale = squares == 0 ? 0 : 127 / sqrt<f64>(squares * axisSquares);
    const to = out + <usize>i * DIMENSION;
    for (let axis: usize = 0; axis < DIMENSION; axis++) {
      store<i8>(to + axis, <i8>nearest<f64>(<f64>along(lines, axes + axis * 512) * scale));
    }
  }
}

function squaresOf(lines: usize): i32 {
  let sum: i32 = 0;
  for (let at: usize = 0; at < 512; at++) sum += <i32>load<u8>(lines + at) * <i32>load<u8>(lines + at);
  return sum;
}

function along(lines: usize, axis: usize): i32 {
  let sum = i32x4.splat(0);
  for (let at: usize = 0; at < 512; at += 16) {
    const x = v128.load(lines + at), y = v128.load(axis + at);
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(x), i16x8.extend_low_i8x16_s(y)));
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(x), i16x8.extend_high_i8x16_s(y)));
  }
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2)
      + i32x4.extract_lane(sum, 3);
}

/**
 * The largest product of each query view, in any of its turns, with the rows of each file. queries: i16[viewCount *
 * turns][64]. rows: i8[][64]. ranges: u32[fileCount][2]: first row and number of rows, at least 1, of each file. out:
 * i32[viewCount * fileCount].
 */
export function scanFiles(
  queries: usize, viewCount: i32, turns: i32, rows: usize, ranges: usize, fileCount: i32, out: usize,
): void {
  for (let file = 0; file < fileCount; file++) {
    const first = load<u32>(ranges + (<usize>file << 3)), count = load<u32>(ranges + (<usize>file << 3), 4);
    const start = rows + <usize>first * DIMENSION, end = start + <usize>count * DIMENSION;
    for (let view = 0; view < viewCount; view++) {
      let best: i32 = i32.MIN_VALUE;
      for (let turn = 0; turn < turns; turn++) {
        const query = queries + <usize>(view * turns + turn) * WIDE;
        for (let row = start; row < end; row += DIMENSION) best = max(best, product(query, row));
      }
      store<i32>(out + (<usize>(view * fileCount + file) << 2), best);
    }
  }
}

/**
 * The largest product of each row of the files with any query vector.
 * queries: i16[count][64]. out: i32[rows of all ranges], in their order.
 */
export function scanRows(queries: usize, count: i32, rows: usize, ranges: usize, fileCount: i32, out: usize): void {
  const last = queries + <usize>count * WIDE;
  for (let file = 0; file < fileCount; file++) {
    const first = load<u32>(ranges + (<usize>file << 3)), length = load<u32>(ranges + (<usize>file << 3), 4);
    const start = rows + <usize>first * DIMENSION, end = start + <usize>length * DIMENSION;
    for (let row = start; row < end; row += DIMENSION) {
      let best: i32 = i32.MIN_VALUE;
      for (let query = queries; query < last; query += WIDE) best = max(best, product(query, row));
      store<i32>(out, best);
      out += 4;
    }
  }
}

// @ts-ignore: decorator
@inline
function product(wide: usize, row: usize): i32 {
  const r0 = v128.load(row), r1 = v128.load(row, 16), r2 = v128.load(row, 32), r3 = v128.load(row, 48);
  const s0 = i32x4.add(
    i32x4.dot_i16x8_s(v128.load(wide), i16x8.extend_low_i8x16_s(r0)),
    i32x4.dot_i16x8_s(v128.load(wide, 16), i16x8.extend_high_i8x16_s(r0)),
  );
  const s1 = i32x4.add(
    i32x4.dot_i16x8_s(v128.load(wide, 32), i16x8.extend_low_i8x16_s(r1)),
    i32x4.dot_i16x8_s(v128.load(wide, 48), i16x8.extend_high_i8x16_s(r1)),
  );
  const s2 = i32x4.add(
    i32x4.dot_i16x8_s(v128.load(wide, 64), i16x8.extend_low_i8x16_s(r2)),
    i32x4.dot_i16x8_s(v128.load(wide, 80), i16x8.extend_high_i8x16_s(r2)),
  );
  const s3 = i32x4.add(
    i32x4.dot_i16x8_s(v128.load(wide, 96), i16x8.extend_low_i8x16_s(r3)),
    i32x4.dot_i16x8_s(v128.load(wide, 112), i16x8.extend_high_i8x16_s(r3)),
  );
  let sum = i32x4.add(i32x4.add(s0, s1), i32x4.add(s2, s3));
  sum = i32x4.add(sum, i8x16.shuffle(sum, sum, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1);
}
