import { reserve } from '../arena';

/**
 * The finer comparison of two parts. A fine descriptor is FINE_BYTES bytes: i8 views[VIEWS_BYTES], i8
 *   spread[SPREAD_BYTES], i8 family[FAMILY_BYTES], u8 plain[PLAIN_BYTES], f32 numbers[8] (not read here).
 *
 * Views and spread views are coefficients on the rotation group of the cube (see `src/descriptors/cube-harmonics.ts`),
 * in planes: one that no arrangement of the frame changes, one that odd arrangements negate, three that are exchanged
 * as the axes are, three that turn like a vector, three that turn like a vector and are negated by odd arrangements.
 * Scalar products of planes give those of all 24 arrangements.
 *
 * Distances of views, spread views and family are those of the vectors brought to length 1 (0 to 2), for the first two
 * in the arrangement that brings them nearest; that of plain is Euclidean over the stored bytes.
 */
const VIEWS_BYTES: i32 = 24 + 8 + 3 * (32 + 24 + 16);
const SPREAD_BYTES: i32 = 8 + 8 + 3 * (16 + 16 + 8);
const FAMILY_BYTES: i32 = 128;
const PLAIN_BYTES: i32 = 480;
const SPREAD_AT: usize = VIEWS_BYTES;
const FAMILY_AT: usize = SPREAD_AT + SPREAD_BYTES;
const PLAIN_AT: usize = FAMILY_AT + FAMILY_BYTES;
const FINE_BYTES: usize = PLAIN_AT + PLAIN_BYTES + 32;

/** Terms of a comparison: views, spread views, family, plain. */
const TERMS: i32 = 4;
/** i32[3]: squared lengths of a part's views, spread views and family. */
const LENGTHS_BYTES: i32 = 12;

/**
 * query: a fine descriptor. candidates: count of them, one after another. out: f32[TERMS * count], the terms of each
 * candidate one after another. Returns 0, or 2 if memory is short.
 */
export function compareFine(query: usize, candidates: usize, count: i32, out: usize): i32 {
  const own = reserve(LENGTHS_BYTES), lengths = reserve(LENGTHS_BYTES);
  if (own == 0 || lengths == 0) return 2;
  putLengths(query, own);
  for (let c = 0; c < count; c++) {
    const candidate = candidates + <usize>c * FINE_BYTES;
    putLengths(candidate, lengths);
    compare(query, own, candidate, lengths, out + <usize>(c * TERMS * 4), 4);
  }
  return 0;
}

/**
 * Compares parts pairwise. out: f32[TERMS][count (count − 1) / 2]: of each part the distances to the ones before it.
 * Returns 0, or 2 if memory is short.
 */
export function comparePairs(parts: usize, count: i32, out: usize): i32 {
  const lengths = reserve(count * LENGTHS_BYTES);
  if (lengths == 0) return 2;
  for (let i = 0; i < count; i++)
    putLengths(parts + <usize>i * FINE_BYTES, lengths + <usize>(i * LENGTHS_BYTES));
  const plane = <usize>(count * (count - 1) / 2) << 2;
  let at = out;
  for (let i = 1; i < count; i++) {
    for (let j = 0; j < i; j++) {
      compare(parts + <usize>i * FINE_BYTES, lengths + <usize>(i * LENGTHS_BYTES),
          parts + <usize>j * FINE_BYTES, lengths + <usize>(j * LENGTHS_BYTES), at, plane);
      at += 4;
    }
  }
  return 0;
}

function putLengths(fine: usize, out: usize): void {
  store<i32>(out, dot(fine, fine, VIEWS_BYTES));
  store<i32>(out, dot(fine + SPREAD_AT, fine + SPREAD_AT, SPREAD_BYTES), 4);
  store<i32>(out, dot(fine + FAMILY_AT, fine + FAMILY_AT, FAMILY_BYTES), 8);
}

/** Writes the terms of one pair to out, out + step, … */
function compare(a: usize, lengthsOfA: usize, b: usize, lengthsOfB: usize, out: usize, step: usize): void {
  store<f32>(out, apart(arrangedDot(a, b, 24, 8, 32, 24, 16), load<i32>(lengthsOfA), load<i32>(lengthsOfB)));
  store<f32>(out + step, apart(arrangedDot(a + SPREAD_AT, b + SPREAD_AT, 8, 8, 16, 16, 8),
      load<i32>(lengthsOfA, 4), load<i32>(lengthsOfB, 4)));
  store<f32>(out + 2 * step, apart(dot(a + FAMILY_AT, b + FAMILY_AT, FAMILY_BYTES),
      load<i32>(lengthsOfA, 8), load<i32>(lengthsOfB, 8)));
  store<f32>(out + 3 * step, sqrt<f32>(<f32>squares(a + PLAIN_AT, b + PLAIN_AT, PLAIN_BYTES)));
}

/** Distance of two vectors brought to length 1, from their scalar product and squared lengths; 0 of two that are 0. */
function apart(product: i32, squaredA: i32, squaredB: i32): f32 {
  if (squaredA == 0 || squaredB == 0) return squaredA == squaredB ? 0 : <f32>Math.SQRT2;
  const cosine = <f64>product / sqrt<f64>(<f64>squaredA * <f64>squaredB);
  return <f32>sqrt<f64>(max<f64>(0, 2 - 2 * cosine));
}

/** i32[3][9]: scalar products of the planes of axes, of vectors and of negated vectors; [plane of a][plane of b]. */
const PRODUCTS: usize = memory.data(3 * 9 * 4, 16);

/** The largest scalar product of two blocks over the 24 arrangements; the lengths of their planes follow. */
function arrangedDot(a: usize, b: usize, same: i32, odd: i32, axes: i32, vectors: i32, oddVectors: i32): i32 {
  let at: usize = same;
  const negated = dot(a + at, b + at, odd);
  at += odd;
  putProducts(a + at, b + at, axes, PRODUCTS);
  at += 3 * axes;
  putProducts(a + at, b + at, vectors, PRODUCTS + 36);
  at += 3 * vectors;
  putProducts(a + at, b + at, oddVectors, PRODUCTS + 72);
  let most = i32.MIN_VALUE;
  for (let first = 0; first < 3; first++) {
    const next = first == 2 ? 0 : first + 1, last = first == 0 ? 2 : first - 1;
    most = max(most, turnedDot(first, next, last, 1) + negated);
    most = max(most, turnedDot(first, last, next, -1) - negated);
  }
  return most + dot(a, b, same);
}

/**
 * The largest product over the four ways to turn axes round when a's axes take the places p, q, r of b's. Without
 * mirroring, an even number of axes is turned round if the permutation is even (sign 1), else an odd number.
 */
// @ts-ignore: decorator
@inline
function turnedDot(p: usize, q: usize, r: usize, sign: i32): i32 {
  const u = PRODUCTS + (p << 2), v = PRODUCTS + ((3 + q) << 2), w = PRODUCTS + ((6 + r) << 2);
  const x = load<i32>(u, 36) + sign * load<i32>(u, 72);
  const y = load<i32>(v, 36) + sign * load<i32>(v, 72);
  const z = load<i32>(w, 36) + sign * load<i32>(w, 72);
  const most = abs(x) + abs(y) + abs(z);
  // The signs that make all three positive are allowed, or the least of them has to be negative.
  const isAllowed = (x ^ y ^ z ^ sign) >= 0;
  const turned = isAllowed ? most : most - 2 * min(abs(x), min(abs(y), abs(z)));
  return load<i32>(u) + load<i32>(v) + load<i32>(w) + turned;
}

function putProducts(a: usize, b: usize, length: i32, out: usize): void {
  const step = <usize>length;
  let s0 = i32x4.splat(0), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0, s8 = s0;
  for (let i: usize = 0; i < step; i += 8) {
    const a0 = v128.load8x8_s(a + i), a1 = v128.load8x8_s(a + step + i), a2 = v128.load8x8_s(a + 2 * step + i);
    const b0 = v128.load8x8_s(b + i), b1 = v128.load8x8_s(b + step + i), b2 = v128.load8x8_s(b + 2 * step + i);
    s0 = i32x4.add(s0, i32x4.dot_i16x8_s(a0, b0));
    s1 = i32x4.add(s1, i32x4.dot_i16x8_s(a0, b1));
    s2 = i32x4.add(s2, i32x4.dot_i16x8_s(a0, b2));
    s3 = i32x4.add(s3, i32x4.dot_i16x8_s(a1, b0));
    s4 = i32x4.add(s4, i32x4.dot_i16x8_s(a1, b1));
    s5 = i32x4.add(s5, i32x4.dot_i16x8_s(a1, b2));
    s6 = i32x4.add(s6, i32x4.dot_i16x8_s(a2, b0));
    s7 = i32x4.add(s7, i32x4.dot_i16x8_s(a2, b1));
    s8 = i32x4.add(s8, i32x4.dot_i16x8_s(a2, b2));
  }
  v128.store(out, sums(s0, s1, s2, s3));
  v128.store(out, sums(s4, s5, s6, s7), 16);
  store<i32>(out, lanes(s8), 32);
}

/** Sums of the lanes of four vectors. */
// @ts-ignore: decorator
@inline
function sums(a: v128, b: v128, c: v128, d: v128): v128 {
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 4, 1, 5), v128.shuffle<i32>(a, b, 2, 6, 3, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 4, 1, 5), v128.shuffle<i32>(c, d, 2, 6, 3, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 1, 4, 5), v128.shuffle<i32>(ab, cd, 2, 3, 6, 7));
}

/** Scalar product of signed bytes; length a multiple of 8. */
// @ts-ignore: decorator
@inline
function dot(a: usize, b: usize, length: i32): i32 {
  let sum = i32x4.splat(0);
  for (let i: usize = 0; i < <usize>length; i += 8)
    sum = i32x4.add(sum, i32x4.dot_i16x8_s(v128.load8x8_s(a + i), v128.load8x8_s(b + i)));
  return lanes(sum);
}

/** Sum of squared differences of unsigned bytes; length a multiple of 8. */
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
function lanes(sum: v128): i32 {
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2)
      + i32x4.extract_lane(sum, 3);
}
