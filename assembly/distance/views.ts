/**
 * Comparison of views: the likeness of lines, with a small weight the overlap of silhouettes, and proportions, which
 * pictures of 64 pixels do not show of long, thin parts.
 *
 * A row here: u8[128] bits of the silhouette, u8[512] lines, as describe/view.ts makes them, and, 12 bytes later, the
 * logarithm of width over height, f32, and flags at byte 648. Rows lie `stride` bytes apart.
 */

import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';

const SILHOUETTE: usize = 128;
const LINES: usize = 512;
const FLAGS: usize = 648;
const ASPECT: usize = 652;

/** Bits of the flags: rendered from a model; turned to its longest axis. */
const CAMERA: u8 = 1;
const FREE: u8 = 4;

const OVERLAP_WEIGHT: f32 = 0.05;
/** Weight of the difference of the logarithms, and its bound: views with a break are drawn shorter than the part is. */
const ASPECT_WEIGHT: f32 = 0.35;
const MOST_ASPECT: f32 = 0.4;
/** Upper bound of a cosine, including rounding. */
const MOST_COSINE: f32 = 1.000001;

/**
 * Likeness, 1 for equal views and as little as -0.2, of the best pair of each query view with each file's views.
 * queries: rows; those of one view, its turns, follow each other: turns a view. starts: u32[fileCount + 1]: first row
 * of each file. outLikeness: f32[viewCount * fileCount]; outRow: u32 of the same size, the candidate's row within its
 * file; outTurn: u8 of the same size. Of equal pairs the first is kept. A file without views has likeness -1. Returns a
 * status.
 */
export function compareViews(
  queries: usize, viewCount: i32, turns: i32, rows: usize, stride: usize, starts: usize, fileCount: i32,
  outLikeness: usize, outRow: usize, outTurn: usize,
): i32 {
  const scratch = mark();
  const queryCount = viewCount * turns, rowCount = <i32>load<u32>(starts + (<usize>fileCount << 2));
  const querySums = reserve(<u32>queryCount << 3), rowSums = reserve(<u32>rowCount << 3);
  if (querySums == 0 || rowSums == 0) return OUT_OF_MEMORY;
  sumRows(queries, stride, queryCount, querySums);
  sumRows(rows, stride, rowCount, rowSums);
  for (let view = 0; view < viewCount; view++) {
    for (let file = 0; file < fileCount; file++) {
      const first = load<u32>(starts + (<usize>file << 2)), end = load<u32>(starts + (<usize>file << 2), 4);
      let best: f32 = -1, bestRow: u32 = 0, bestTurn = 0;
      for (let turn = 0; turn < turns; turn++) {
        const query = queries + <usize>(view * turns + turn) * stride,
            sums = querySums + (<usize>(view * turns + turn) << 3);
        const flags = load<u8>(query, FLAGS);
        for (let row = first; row < end; row++) {
          const candidate = rows + <usize>row * stride;
          if (!areComparable(flags, load<u8>(candidate, FLAGS))) continue;
          const likeness = likenessOf(query, sums, candidate, rowSums + (<usize>row << 3), best);
          if (likeness > best) {
            best = likeness;
            bestRow = row - first;
            bestTurn = turn;
          }
        }
      }
      const at = <usize>(view * fileCount + file);
      store<f32>(outLikeness + (at << 2), best);
      store<u32>(outRow + (at << 2), bestRow);
      store<u8>(outTurn + at, <u8>bestTurn);
    }
  }
  reset(scratch);
  return DONE;
}

/**
 * Writes each row in four versions: unturned, and turned clockwise by one, two and three quarters. After the lines,
 * turned rows hold only flags and proportions. out: rows, 4 * count.
 */
export function turnViews(rows: usize, stride: usize, count: i32, out: usize): void {
  for (let i = 0; i < count; i++, rows += stride, out += 4 * stride) {
    memory.copy(out, rows, stride);
    for (let turn: usize = 1; turn < 4; turn++) turnRow(out + (turn - 1) * stride, out + turn * stride, stride);
  }
}

/** 32 rows of the bits of a silhouette. */
const BITS: usize = memory.data(128, 16);

/**
 * A quarter turn clockwise: row r, column c goes to row c, column n - 1 - r; a gradient's direction increases by 90
 * degrees, which is four of its eight steps.
 */
function turnRow(row: usize, out: usize, stride: usize): void {
  memory.fill(out + SILHOUETTE + LINES, 0, stride - SILHOUETTE - LINES);
  // The rows from the last to the first, transposed: bits change places in blocks of 16, 8, 4, 2 and 1.
  for (let r: usize = 0; r < 32; r++) store<u32>(BITS + (r << 2), load<u32>(row + (31 - r << 2)));
  for (let side: u32 = 16, low: u32 = 0xffff; side != 0; side >>= 1, low ^= low << side) {
    for (let r: u32 = 0; r < 32; r = (r + side + 1) & ~side) {
      const a = BITS + (<usize>r << 2), b = a + (<usize>side << 2);
      const moved = (load<u32>(a) >> side ^ load<u32>(b)) & low;
      store<u32>(b, load<u32>(b) ^ moved);
      store<u32>(a, load<u32>(a) ^ moved << side);
    }
  }
  memory.copy(out, BITS, SILHOUETTE);
  for (let r: usize = 0; r < 8; r++)
    for (let c: usize = 0; c < 8; c++) {
      const cell = load<u64>(row + (8 * r + c << 3), SILHOUETTE);
      store<u64>(out + (8 * c + 7 - r << 3), rotl<u64>(cell, 32), SILHOUETTE);
    }
  store<u8>(out, load<u8>(row, FLAGS), FLAGS);
  store<f32>(out, -load<f32>(row, ASPECT), ASPECT);
}

/** Sum of squares of the lines and number of silhouette bits of each row: u32[2 * count] out. */
function sumRows(rows: usize, stride: usize, count: i32, out: usize): void {
  for (let i = 0; i < count; i++, rows += stride, out += 8) {
    let squares = i32x4.splat(0), bits = i8x16.splat(0);
    for (let at: usize = 0; at < LINES; at += 16) {
      const x = v128.load(rows + SILHOUETTE + at);
      squares = i32x4.add(squares, dot(x, x));
    }
    for (let at: usize = 0; at < SILHOUETTE; at += 16) bits = i8x16.add(bits, i8x16.popcnt(v128.load(rows + at)));
    store<i32>(out, sumLanes(squares));
    store<i32>(out, sumBytes(bits), 4);
  }
}

/** A model has views of both kinds; only views of one kind are compared. */
// @ts-ignore: decorator
@inline
function areComparable(a: u8, b: u8): bool {
  return ((a ^ b) & FREE) == 0 || ((a | b) & CAMERA) == 0;
}

/** aSums, bSums: from sumRows. least: results that are not above it need not be exact. */
// @ts-ignore: decorator
@inline
function likenessOf(a: usize, aSums: usize, b: usize, bSums: usize, least: f32): f32 {
  const turn = abs<f32>(load<f32>(a, ASPECT) - load<f32>(b, ASPECT));
  const lost = ASPECT_WEIGHT * min<f32>(turn, MOST_ASPECT);
  // Rounding is monotonic, so a skipped pair could not have been above.
  if (OVERLAP_WEIGHT + (<f32>1 - OVERLAP_WEIGHT) * MOST_COSINE - lost <= least) return least;
  const alike: f32 = (<f32>1 - OVERLAP_WEIGHT) * cosineOf(a + SILHOUETTE, aSums, b + SILHOUETTE, bSums);
  if (OVERLAP_WEIGHT + alike - lost <= least) return least;
  return OVERLAP_WEIGHT * overlapOf(a, aSums, b, bSums) + alike - lost;
}

/** Bits of both over bits of either; 0 when both are empty. */
// @ts-ignore: decorator
@inline
function overlapOf(a: usize, aSums: usize, b: usize, bSums: usize): f32 {
  let shared = i8x16.splat(0);
  for (let at: usize = 0; at < SILHOUETTE; at += 16)
    shared = i8x16.add(shared, i8x16.popcnt(v128.and(v128.load(a + at), v128.load(b + at))));
  const both = sumBytes(shared), union = load<i32>(aSums, 4) + load<i32>(bSums, 4) - both;
  return union == 0 ? 0 : <f32>both / <f32>union;
}

// @ts-ignore: decorator
@inline
function sumBytes(bytes: v128): i32 {
  return sumLanes(i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes)));
}

// @ts-ignore: decorator
@inline
function sumLanes(lanes: v128): i32 {
  return i32x4.extract_lane(lanes, 0) + i32x4.extract_lane(lanes, 1) + i32x4.extract_lane(lanes, 2)
      + i32x4.extract_lane(lanes, 3);
}

/** 0 when one is empty. */
// @ts-ignore: decorator
@inline
function cosineOf(a: usize, aSums: usize, b: usize, bSums: usize): f32 {
  const lengths = <f64>load<i32>(aSums) * <f64>load<i32>(bSums);
  if (lengths == 0) return 0;
  let ab = i32x4.splat(0);
  for (let at: usize = 0; at < LINES; at += 16) ab = i32x4.add(ab, dot(v128.load(a + at), v128.load(b + at)));
  return <f32>(<f64>sumLanes(ab) / sqrt<f64>(lengths));
}

// @ts-ignore: decorator
@inline
function dot(x: v128, y: v128): v128 {
  return i32x4.add(
    i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_low_i8x16_u(x, y)),
    i32x4.extadd_pairwise_i16x8_u(i16x8.extmul_high_i8x16_u(x, y)),
  );
}
