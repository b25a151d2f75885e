import { reserve } from '../arena';
import {
  ARRANGEMENTS, CHANNEL_LENGTH, IMAGES_LENGTH, POOLED_LENGTH, hogTable, imageTable, inverseOf, pooledTable,
} from '../describe/arrangement';
import { CELLS, DIRECTIONS, HOG_LENGTH } from '../describe/hog';

/**
 * The finer comparison of two parts. A fine descriptor is FINE_BYTES bytes: u8 hog[3 * CHANNEL_LENGTH], u8
 *   images[IMAGES_LENGTH], u8 pairs[480], u8 plain[480], u8 angles[48, 36 used], u8 shares[32, 17 used], f32 numbers[8]
 *   (not read here). Every distance is Euclidean over the stored bytes; for hog and images it is the minimum over the
 *   24 arrangements.
 */
export const HOG_BYTES: i32 = 3 * CHANNEL_LENGTH;
const IMAGES_AT: i32 = HOG_BYTES;
const PAIRS_AT: i32 = IMAGES_AT + IMAGES_LENGTH;
const PAIRS_BYTES: i32 = 480;
const PLAIN_AT: i32 = PAIRS_AT + PAIRS_BYTES;
const ANGLES_AT: i32 = PLAIN_AT + PAIRS_BYTES;
const ANGLES_BYTES: i32 = 48;
const SHARES_AT: i32 = ANGLES_AT + ANGLES_BYTES;
const SHARES_BYTES: i32 = 32;
export const FINE_BYTES: i32 = SHARES_AT + SHARES_BYTES + 32;

/**
 * Arrangements that are compared at once, each with two candidates: as many sums as fit in registers, over a part of
 * the query that stays in the first-level cache.
 */
const TOGETHER: i32 = 4;

/** Bytes that arrangeQuery fills: each block of 8 numbers of the query, in all arrangements, as i16. */
export const ARRANGED_BYTES: i32 = ARRANGEMENTS * (HOG_BYTES + IMAGES_LENGTH) * 2;

/**
 * Lays out the query's hog and images in every arrangement, so that a comparison reads memory sequentially:
 * i16[group of 4 arrangements][block of 8 numbers][arrangement in group][8].
 */
export function arrangeQuery(fine: usize, arranged: usize): void {
  for (let n = 0; n < ARRANGEMENTS; n++) {
    const group = n / TOGETHER, place = n % TOGETHER;
    const table = hogTable(n);
    let base = arranged + <usize>(group * HOG_BYTES * TOGETHER * 2);
    for (let channel = 0; channel < 3; channel++) {
      for (let i = 0; i < CHANNEL_LENGTH; i++) {
        const value = load<u8>(fine + <usize>(channel * CHANNEL_LENGTH) + <usize>load<u16>(table + (<usize>i << 1)));
        put(base, channel * CHANNEL_LENGTH + i, place, value);
      }
    }
    const images = imageTable(n);
    base = arranged + <usize>(ARRANGEMENTS * HOG_BYTES * 2 + group * IMAGES_LENGTH * TOGETHER * 2);
    for (let i = 0; i < IMAGES_LENGTH; i++) {
      put(base, i, place, load<u8>(fine + <usize>IMAGES_AT + <usize>load<u16>(images + (<usize>i << 1))));
    }
  }
}

// @ts-ignore: decorator
@inline
function put(base: usize, index: i32, place: i32, value: u8): void {
  store<i16>(base + (<usize>(((index >> 3) * TOGETHER + place) * 8 + (index & 7)) << 1), <i16>value);
}

/** Numbers that compareFine writes for each candidate. */
export const COMPARED: i32 = 7;

/**
 * query: the query's fine descriptor; arranged: from arrangeQuery. candidates: count fine descriptors, one after
 * another. out: f32[COMPARED * count]: distances of hog, images, pairs, plain, angles, shares, then the arrangement
 * (0–23) of the query that is nearest by hog.
 */
export function compareFine(query: usize, arranged: usize, candidates: usize, count: i32, out: usize): void {
  const queryHog = selfDot(query, HOG_BYTES), queryImages = selfDot(query + <usize>IMAGES_AT, IMAGES_LENGTH);
  // Until the distances are known, the largest scalar products are stored in their places, and their arrangements in
  // the last two.
  findMostDots(arranged, candidates, HOG_BYTES, count, out, out + 24);
  findMostDots(arranged + <usize>(ARRANGEMENTS * HOG_BYTES * 2), candidates + <usize>IMAGES_AT, IMAGES_LENGTH, count,
      out + 4, out + 20);
  for (let c = 0; c < count; c++) {
    const candidate = candidates + <usize>c * <usize>FINE_BYTES;
    const at = out + <usize>(c * COMPARED * 4);
    store<f32>(at, root(queryHog + selfDot(candidate, HOG_BYTES) - 2 * load<i32>(at)));
    store<f32>(at, root(queryImages + selfDot(candidate + <usize>IMAGES_AT, IMAGES_LENGTH) - 2 * load<i32>(at, 4)), 4);
    store<f32>(at, root(squares(query + <usize>PAIRS_AT, candidate + <usize>PAIRS_AT, PAIRS_BYTES)), 8);
    store<f32>(at, root(squares(query + <usize>PLAIN_AT, candidate + <usize>PLAIN_AT, PAIRS_BYTES)), 12);
    store<f32>(at, root(squares(query + <usize>ANGLES_AT, candidate + <usize>ANGLES_AT, ANGLES_BYTES)), 16);
    store<f32>(at, root(squares(query + <usize>SHARES_AT, candidate + <usize>SHARES_AT, SHARES_BYTES)), 20);
    store<f32>(at, <f32>load<i32>(at, 24), 24);
  }
}

/**
 * For each candidate the largest scalar product with any arrangement of the query, and that arrangement (the first of
 * equals): i32 each, at `most` and `which` and every COMPARED numbers further on. Tried and rejected: excluding
 * arrangements by an upper bound. Bounds by the norms of cells (Cauchy, Schwarz) leave 22.6 of 24 arrangements of hog
 * and, by blocks of 2 × 2 pixels, 12.4 of images, which saves less than the bounds cost.
 */
function findMostDots(arranged: usize, candidates: usize, length: i32, count: i32, most: usize, which: usize): void {
  for (let c = 0; c < count; c++) store<i32>(most + <usize>(c * COMPARED * 4), i32.MIN_VALUE);
  for (let group = 0; group < ARRANGEMENTS / TOGETHER; group++) {
    const query = arranged + <usize>(group * length * TOGETHER * 2);
    for (let c = 0; c < count; c += 2) {
      // The last one of an odd number is compared twice.
      const d = min(c + 1, count - 1);
      findMostDotsOfTwo(
        query, candidates + <usize>c * <usize>FINE_BYTES, candidates + <usize>d * <usize>FINE_BYTES, length,
            group * TOGETHER,
        <usize>(c * COMPARED * 4), <usize>(d * COMPARED * 4), most, which,
      );
    }
  }
}

function findMostDotsOfTwo(
  query: usize, c: usize, d: usize, length: i32, first: i32, rowC: usize, rowD: usize, most: usize, which: usize,
): void {
  let c0 = i32x4.splat(0), c1 = c0, c2 = c0, c3 = c0, d0 = c0, d1 = c0, d2 = c0, d3 = c0;
  let q = query;
  for (let i: usize = 0; i < <usize>length; i += 8) {
    const x = v128.load8x8_u(c + i), y = v128.load8x8_u(d + i);
    const q0 = v128.load(q), q1 = v128.load(q, 16), q2 = v128.load(q, 32), q3 = v128.load(q, 48);
    c0 = i32x4.add(c0, i32x4.dot_i16x8_s(x, q0));
    c1 = i32x4.add(c1, i32x4.dot_i16x8_s(x, q1));
    c2 = i32x4.add(c2, i32x4.dot_i16x8_s(x, q2));
    c3 = i32x4.add(c3, i32x4.dot_i16x8_s(x, q3));
    d0 = i32x4.add(d0, i32x4.dot_i16x8_s(y, q0));
    d1 = i32x4.add(d1, i32x4.dot_i16x8_s(y, q1));
    d2 = i32x4.add(d2, i32x4.dot_i16x8_s(y, q2));
    d3 = i32x4.add(d3, i32x4.dot_i16x8_s(y, q3));
    q += TOGETHER * 16;
  }
  takeLarger(most + rowC, which + rowC, c0, first); takeLarger(most + rowC, which + rowC, c1, first + 1);
  takeLarger(most + rowC, which + rowC, c2, first + 2); takeLarger(most + rowC, which + rowC, c3, first + 3);
  takeLarger(most + rowD, which + rowD, d0, first); takeLarger(most + rowD, which + rowD, d1, first + 1);
  takeLarger(most + rowD, which + rowD, d2, first + 2); takeLarger(most + rowD, which + rowD, d3, first + 3);
}

// @ts-ignore: decorator
@inline
function takeLarger(most: usize, which: usize, sum: v128, arrangement: i32): void {
  const total = lanes(sum);
  if (total <= load<i32>(most)) return;
  store<i32>(most, total);
  store<i32>(which, arrangement);
}

/**
 * Row of a candidate in the arrangement of a query: three channels of hog pooled to 2 × 2 cells, then pairs, angles and
 * shares, i16 each.
 */
const POOLED_ALL: i32 = 3 * POOLED_LENGTH;
const ALIGNED_LENGTH: i32 = POOLED_ALL + PAIRS_BYTES + ANGLES_BYTES + SHARES_BYTES;
const ALIGNED_ROW: usize = <usize>ALIGNED_LENGTH * 2;
/** Terms that compareAligned gives. */
const TERMS: i32 = 4;

/**
 * Distances between candidates that were each compared with one query, in the arrangements that put them nearest to it:
 * an upper bound of their true distance that needs no search over arrangements. arrangements: u8[count], as compareFine
 * found them. out: f32[4][count (count − 1) / 2]: distances of pooled hog, pairs, angles, shares; of each candidate
 * those to the ones before it.
 */
export function compareAligned(candidates: usize, arrangements: usize, count: i32, out: usize): i32 {
  // Three more rows are read; their results are not used.
  const rows = reserve((count + 3) * <u32>ALIGNED_ROW), squares = reserve((count + 3) * TERMS * 4),
      dots = reserve(TERMS * 16);
  if (rows == 0 || squares == 0 || dots == 0) return 2;
  for (let c = 0; c < count; c++) {
    const candidate = candidates + <usize>c * <usize>FINE_BYTES, row = rows + <usize>c * ALIGNED_ROW;
    poolAligned(candidate, inverseOf(<i32>load<u8>(arrangements + <usize>c)), row);
    widen(candidate + <usize>PAIRS_AT, row + <usize>(POOLED_ALL * 2), PAIRS_BYTES);
    widen(candidate + <usize>ANGLES_AT, row + <usize>((POOLED_ALL + PAIRS_BYTES) * 2), ANGLES_BYTES + SHARES_BYTES);
    dotFour(row, row, dots);
    for (let term: usize = 0; term < <usize>TERMS; term++)
      store<i32>(squares + (<usize>(c * TERMS) << 2) + (term << 2), load<i32>(dots + (term << 4)));
  }
  const plane = <usize>(count * (count - 1) / 2) << 2;
  for (let i = 1; i < count; i++) {
    const own = squares + (<usize>(i * TERMS) << 2);
    for (let j = 0; j < i; j += 4) {
      dotFour(rows + <usize>i * ALIGNED_ROW, rows + <usize>j * ALIGNED_ROW, dots);
      const among = min(4, i - j);
      for (let k = 0; k < among; k++) {
        const other = squares + (<usize>((j + k) * TERMS) << 2);
        const at = out + (<usize>(i * (i - 1) / 2 + j + k) << 2);
        for (let term: usize = 0; term < <usize>TERMS; term++) {
          const t = term << 2;
          store<f32>(at + term * plane,
              root(load<i32>(own + t) + load<i32>(other + t) - 2 * load<i32>(dots + (term << 4) + (<usize>k << 2))));
        }
      }
    }
  }
  return 0;
}

/** u8[length] to i16[length]; length a multiple of 8. */
function widen(from: usize, to: usize, length: i32): void {
  for (let i: usize = 0; i < <usize>length; i += 8) v128.store(to + (i << 1), v128.load8x8_u(from + i));
}

/** Scalar products of one row with four, term by term: i32[TERMS][4]. */
function dotFour(row: usize, four: usize, out: usize): void {
  let from: usize = 0;
  for (let term: usize = 0; term < <usize>TERMS; term++) {
    const end = from
        + <usize>(term == 0 ? POOLED_ALL * 2 : term == 1 ? PAIRS_BYTES * 2 : term == 2
        ? ANGLES_BYTES * 2 : SHARES_BYTES * 2);
    let s0 = i32x4.splat(0), s1 = s0, s2 = s0, s3 = s0;
    for (; from < end; from += 16) {
      const x = v128.load(row + from);
      const at = four + from;
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(x, v128.load(at)));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(x, v128.load(at + ALIGNED_ROW)));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(x, v128.load(at + 2 * ALIGNED_ROW)));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(x, v128.load(at + 3 * ALIGNED_ROW)));
    }
    const to = out + (term << 4);
    store<i32>(to, lanes(s0));
    store<i32>(to, lanes(s1), 4);
    store<i32>(to, lanes(s2), 8);
    store<i32>(to, lanes(s3), 12);
  }
}

const POOLED: usize = memory.data(POOLED_LENGTH * 2, 16);

function poolAligned(fine: usize, arrangement: i32, out: usize): void {
  const table = pooledTable(arrangement);
  for (let channel = 0; channel < 3; channel++) {
    memory.fill(POOLED, 0, POOLED_LENGTH * 2);
    for (let view = 0; view < 6; view++) {
      for (let row = 0; row < CELLS; row++) {
        for (let column = 0; column < CELLS; column++) {
          const from = fine
              + <usize>(channel * CHANNEL_LENGTH + view * HOG_LENGTH + (row * CELLS + column) * DIRECTIONS);
          const to = POOLED + (<usize>(((view * 2 + (row >> 1)) * 2 + (column >> 1)) * DIRECTIONS) << 1);
          const sum = i16x8.add(v128.load(to), v128.load8x8_u(from));
          v128.store(to, sum);
        }
      }
    }
    const target = out + <usize>(channel * POOLED_LENGTH * 2);
    for (let i: usize = 0; i < <usize>POOLED_LENGTH; i++) {
      store<i16>(target + (i << 1), load<i16>(POOLED + (<usize>load<u16>(table + (i << 1)) << 1)));
    }
  }
}

// @ts-ignore: decorator
@inline
function lanes(sum: v128): i32 {
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2)
      + i32x4.extract_lane(sum, 3);
}

/** Sum of squares of bytes; length a multiple of 8. */
function selfDot(a: usize, length: i32): i32 {
  let sum = i32x4.splat(0);
  for (let i: usize = 0; i < <usize>length; i += 8) {
    const x = v128.load8x8_u(a + i);
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(x, x));
  }
  return lanes(sum);
}

/** Sum of squared differences of bytes; length a multiple of 8. */
function squares(a: usize, b: usize, length: i32): i32 {
  let sum = i32x4.splat(0);
  for (let i: usize = 0; i < <usize>length; i += 8) {
    const d = i16x8.sub(v128.load8x8_u(a + i), v128.load8x8_u(b + i));
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(d, d));
  }
  return lanes(sum);
}

// @ts-ignore: decorator
@inline
function root(square: i32): f32 {
  return sqrt<f32>(<f32>max(square, 0));
}
