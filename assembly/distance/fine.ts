import { reserve } from '../arena';
import {
  ARRANGEMENTS, CHANNEL_LENGTH, IMAGES_LENGTH, POOLED_LENGTH, hogTable, imageTable, inverseOf, pooledTable,
} from '../describe/arrangement';
import { CELLS, DIRECTIONS, HOG_LENGTH } from '../describe/hog';

/**
 * The finer comparison of two parts. A fine descriptor is FINE_BYTES bytes:
 *   u8 hog[3 * CHANNEL_LENGTH], u8 images[IMAGES_LENGTH], u8 pairs[480], u8 plain[480], u8 angles[48, 36 used], u8 shares[32, 17 used],
 *   f32 numbers[8] (not read here).
 * Every distance is Euclidean over the stored bytes; hog and images take the least over the 24 arrangements.
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

/** Arrangements compared at once; as many sums as fit in registers beside the operands. */
const TOGETHER: i32 = 8;

/** Bytes that arrangeQuery fills: each block of 8 numbers of the query, in all arrangements, as i16. */
export const ARRANGED_BYTES: i32 = ARRANGEMENTS * (HOG_BYTES + IMAGES_LENGTH) * 2;

/**
 * Lays out the query's hog and images in every arrangement, so that comparing reads memory straight on:
 * i16[group of 8 arrangements][block of 8 numbers][arrangement in group][8].
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
 * query: the query's fine descriptor; arranged: from arrangeQuery. candidates: count fine descriptors, one after another.
 * out: f32[COMPARED * count]: distances of hog, images, pairs, plain, angles, shares, then the arrangement (0–23) of the query
 * that is nearest by hog.
 */
export function compareFine(query: usize, arranged: usize, candidates: usize, count: i32, out: usize): void {
  const arrangedImages = arranged + <usize>(ARRANGEMENTS * HOG_BYTES * 2);
  const queryHog = selfDot(query, HOG_BYTES), queryImages = selfDot(query + <usize>IMAGES_AT, IMAGES_LENGTH);
  for (let c = 0; c < count; c++) {
    const candidate = candidates + <usize>c * <usize>FINE_BYTES;
    const at = out + <usize>(c * COMPARED * 4);
    let most = mostDot(arranged, candidate, HOG_BYTES);
    store<f32>(at, root(queryHog + selfDot(candidate, HOG_BYTES) - 2 * most));
    store<f32>(at, <f32>mostAt, 24);
    const images = candidate + <usize>IMAGES_AT;
    most = mostDot(arrangedImages, images, IMAGES_LENGTH);
    store<f32>(at, root(queryImages + selfDot(images, IMAGES_LENGTH) - 2 * most), 4);
    store<f32>(at, root(squares(query + <usize>PAIRS_AT, candidate + <usize>PAIRS_AT, PAIRS_BYTES)), 8);
    store<f32>(at, root(squares(query + <usize>PLAIN_AT, candidate + <usize>PLAIN_AT, PAIRS_BYTES)), 12);
    store<f32>(at, root(squares(query + <usize>ANGLES_AT, candidate + <usize>ANGLES_AT, ANGLES_BYTES)), 16);
    store<f32>(at, root(squares(query + <usize>SHARES_AT, candidate + <usize>SHARES_AT, SHARES_BYTES)), 20);
  }
}

/** Numbers of one aligned vector: three channels of hog pooled to 2 × 2 cells. */
export const ALIGNED_LENGTH: i32 = 3 * POOLED_LENGTH;

/**
 * Distances between candidates that were each compared with one query, in the arrangements that put them nearest to it:
 * an upper bound of their true distance that needs no search over arrangements.
 * arrangements: u8[count], as compareFine found them.
 * out: f32[4][count][count]: distances of pooled hog, pairs, angles, shares.
 */
export function compareAligned(candidates: usize, arrangements: usize, count: i32, out: usize): i32 {
  const pooled = reserve(<u32>(count * ALIGNED_LENGTH * 2));
  if (pooled == 0) return 2;
  for (let c = 0; c < count; c++) {
    const inverse = inverseOf(<i32>load<u8>(arrangements + <usize>c));
    poolAligned(candidates + <usize>c * <usize>FINE_BYTES, inverse, pooled + <usize>(c * ALIGNED_LENGTH * 2));
  }
  const plane = <usize>(count * count) << 2;
  for (let i = 0; i < count; i++) {
    const a = candidates + <usize>i * <usize>FINE_BYTES;
    for (let j = i; j < count; j++) {
      const b = candidates + <usize>j * <usize>FINE_BYTES;
      const ij = out + (<usize>(i * count + j) << 2), ji = out + (<usize>(j * count + i) << 2);
      both(ij, ji, root(squares16(pooled + <usize>(i * ALIGNED_LENGTH * 2), pooled + <usize>(j * ALIGNED_LENGTH * 2), ALIGNED_LENGTH)));
      both(ij + plane, ji + plane, root(squares(a + <usize>PAIRS_AT, b + <usize>PAIRS_AT, PAIRS_BYTES)));
      both(ij + 2 * plane, ji + 2 * plane, root(squares(a + <usize>ANGLES_AT, b + <usize>ANGLES_AT, ANGLES_BYTES)));
      both(ij + 3 * plane, ji + 3 * plane, root(squares(a + <usize>SHARES_AT, b + <usize>SHARES_AT, SHARES_BYTES)));
    }
  }
  return 0;
}

// @ts-ignore: decorator
@inline
function both(a: usize, b: usize, value: f32): void {
  store<f32>(a, value);
  store<f32>(b, value);
}

const POOLED: usize = memory.data(POOLED_LENGTH * 2, 16);

function poolAligned(fine: usize, arrangement: i32, out: usize): void {
  const table = pooledTable(arrangement);
  for (let channel = 0; channel < 3; channel++) {
    memory.fill(POOLED, 0, POOLED_LENGTH * 2);
    for (let view = 0; view < 6; view++) {
      for (let row = 0; row < CELLS; row++) {
        for (let column = 0; column < CELLS; column++) {
          const from = fine + <usize>(channel * CHANNEL_LENGTH + view * HOG_LENGTH + (row * CELLS + column) * DIRECTIONS);
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

let mostAt: i32 = 0;

/** The largest scalar product of the candidate with any arrangement of the query; mostAt says which (the first of equals). */
function mostDot(arranged: usize, candidate: usize, length: i32): i32 {
  let most = i32.MIN_VALUE;
  for (let group = 0; group < ARRANGEMENTS / TOGETHER; group++) {
    let s0 = i32x4.splat(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
    let q = arranged + <usize>(group * length * TOGETHER * 2);
    for (let i: usize = 0; i < <usize>length; i += 8) {
      const c = v128.load8x8_u(candidate + i);
      s0 = i32x4.add(s0, i32x4.dot_i16x8_s(c, v128.load(q)));
      s1 = i32x4.add(s1, i32x4.dot_i16x8_s(c, v128.load(q, 16)));
      s2 = i32x4.add(s2, i32x4.dot_i16x8_s(c, v128.load(q, 32)));
      s3 = i32x4.add(s3, i32x4.dot_i16x8_s(c, v128.load(q, 48)));
      s4 = i32x4.add(s4, i32x4.dot_i16x8_s(c, v128.load(q, 64)));
      s5 = i32x4.add(s5, i32x4.dot_i16x8_s(c, v128.load(q, 80)));
      s6 = i32x4.add(s6, i32x4.dot_i16x8_s(c, v128.load(q, 96)));
      s7 = i32x4.add(s7, i32x4.dot_i16x8_s(c, v128.load(q, 112)));
      q += 128;
    }
    const first = group * TOGETHER;
    most = better(most, s0, first); most = better(most, s1, first + 1);
    most = better(most, s2, first + 2); most = better(most, s3, first + 3);
    most = better(most, s4, first + 4); most = better(most, s5, first + 5);
    most = better(most, s6, first + 6); most = better(most, s7, first + 7);
  }
  return most;
}

// @ts-ignore: decorator
@inline
function better(most: i32, sum: v128, arrangement: i32): i32 {
  const total = lanes(sum);
  if (total <= most) return most;
  mostAt = arrangement;
  return total;
}

// @ts-ignore: decorator
@inline
function lanes(sum: v128): i32 {
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
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

/** Sum of squared differences of i16; length a multiple of 8. */
function squares16(a: usize, b: usize, length: i32): i32 {
  let sum = i32x4.splat(0);
  for (let i: usize = 0; i < <usize>length << 1; i += 16) {
    const d = i16x8.sub(v128.load(a + i), v128.load(b + i));
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(d, d));
  }
  return lanes(sum);
}

// @ts-ignore: decorator
@inline
function root(square: i32): f32 {
  return sqrt<f32>(<f32>max(square, 0));
}
