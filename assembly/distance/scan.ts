/**
 * Exact nearest neighbours by reading every row of a table: no graph, no approximation, no build.
 *
 * The sum over a row runs in four lanes of four accumulators and is folded in a fixed order, so that the distance of a
 * row does not depend on its neighbours or on the variant that reads it.
 *
 * Tried and rejected: leaving a row when 16 of its 64 terms already exceed the worst distance kept. Memory bandwidth is
 * the limit, and the rest of the row is loaded anyway: 1.48 against 1.44 ms for 100 000 rows whose terms decay, 3.6
 * against 1.5 ms where they do not.
 */

/** Codes a unit. Components of unit vectors are seldom above .6; what lies beyond .79 is cut, which only costs time. */
const CODE_STEPS: f32 = 160;

/** After the codes of a row: i32 sum of their squares, f32 no less than how far they lie from the row. */
const CODE_FACTS: usize = 8;

/** More than what f32 may be wrong by in distances and bounds: 64 sums of 24 bits. */
const SLACK: f32 = 1e-4;
const LEAST_SLACK: f32 = 1e-6;

// @ts-ignore: decorator
@inline
function codedLength(dimension: i32): usize {
  return <usize>((dimension + 15) & ~15);
}

/** Codes of a row that lie apart, so that a scan reads them first: those of its first, largest components. */
const HEAD: usize = 16;

/**
 * Of so many rows, in so many runs that are spread over the table, heads are measured before a scan: the rows with the
 * nearest heads, a share of all or four times those that are wanted, are read first, because nearly all others are then
 * farther than the worst that is kept.
 */
const SAMPLED = 4_096, RUNS = 64;
const FIRST_SHARE = 100;
/** Counts of their squared distances, in steps; codes of vectors of length 1 are at most 102 400 apart. */
const BINS = 2_048, BIN_BITS = 6;
const bins = memory.data(BINS << 2);
const FAR = 2_000_000_000;

/**
 * The codes of rows, which {@link scanTop} reads first: a quarter of the bytes. vectors: f32[dimension * count],
 * finite. dimension: a multiple of 4. For each row heads: i8[16], the first codes; tails: i8[dimension rounded up to 16
 * - 16], the others, then its facts, 8 bytes. Returns no less than how far any of these rows lies from its codes.
 */
export function codeRows(vectors: usize, dimension: i32, count: i32, heads: usize, tails: usize): f32 {
  const tail = codedLength(dimension) - HEAD;
  let at = vectors;
  let mostRest: f32 = 0;
  for (let i = 0; i < count; i++) {
    memory.fill(heads, 0, HEAD);
    memory.fill(tails, 0, tail);
    let squares = i32x4.splat(0);
    let rest = f32x4.splat(0);
    for (let place: usize = 0; place < <usize>dimension; place += 4, at += 16) {
      const x = v128.load(at);
      const wide = i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(x, f32x4.splat(CODE_STEPS))));
      const code = i32x4.max_s(i32x4.splat(-127), i32x4.min_s(i32x4.splat(127), wide));
      const words = i16x8.narrow_i32x4_s(code, code);
      const out = place < HEAD ? heads + place : tails + place - HEAD;
      v128.store32_lane(out, i8x16.narrow_i16x8_s(words, words), 0);
      squares = i32x4.add(squares, i32x4.mul(code, code));
      const left = f32x4.sub(x, f32x4.mul(f32x4.convert_i32x4_s(code), f32x4.splat(1 / CODE_STEPS)));
      rest = f32x4.add(rest, f32x4.mul(left, left));
    }
    store<i32>(tails + tail, sumOf(squares));
    const zero = f32x4.splat(0);
    const away = sqrt<f32>(fold(rest, zero, zero, zero)) * (1 + SLACK) + LEAST_SLACK;
    store<f32>(tails + tail, away, 4);
    mostRest = max<f32>(mostRest, away);
    heads += HEAD;
    tails += tail + CODE_FACTS;
  }
  return mostRest;
}

// @ts-ignore: decorator
@inline
function sumOf(lanes: v128): i32 {
  const pairs = i32x4.add(lanes, i8x16.shuffle(lanes, lanes, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return i32x4.extract_lane(pairs, 0) + i32x4.extract_lane(pairs, 1);
}

/**
 * Finds the k rows nearest to a query by Euclidean distance, ties by smaller label. query: f32[dimension]. vectors:
 * f32[dimension * tableRows]. labels: u32[tableRows], distinct. All finite. dimension: a multiple of 4, at least 4.
 * heads, tails, mostRest: of all rows, by {@link codeRows}; or 0. queryCodes: the head of the query, its tail, then
 * room for 2 bytes a code. They only decide which rows are not read: the distance of codes, and that of their heads
 * alone, less how far both lie from theirs, is no more than the true one (triangle inequality). rows: u32[count] row
 * numbers to read, or 0 for rows 0 to count - 1. wanted: one bit per row, u32[(tableRows + 31) / 32], set for rows that
 * may be returned, or 0 for all. outDistances: f32[k], ascending. outLabels: u32[k]. Returns the number of rows found:
 * at most k.
 */
export function scanTop(
  query: usize, dimension: i32, vectors: usize, labels: usize, heads: usize, tails: usize, mostRest: f32,
      queryCodes: usize, rows: usize, count: i32, wanted: usize, k: i32, outDistances: usize, outLabels: usize,
): i32 {
  const stride = <usize>dimension << 2;
  const length = codedLength(dimension);
  const tail = length - HEAD;
  const words = queryCodes + length + CODE_FACTS;
  let querySquares = 0;
  let queryRest: f32 = 0;
  if (heads != 0) {
    for (let at: usize = 0; at < length; at += 8) v128.store(words + 2 * at, v128.load8x8_s(queryCodes + at));
    querySquares = load<i32>(queryCodes + length);
    queryRest = load<f32>(queryCodes + length, 4);
  }
  const first = heads == 0 ? i16x8.splat(0) : v128.load(words),
    second = heads == 0 ? i16x8.splat(0) : v128.load(words, 16);
  const near = heads != 0 && rows == 0 ? nearHeads(first, second, heads, count, k) : FAR;
  let held = 0;
  let headBound = FAR;
  for (let pass = 0; pass < 2; pass++) {
    // What has a near head was read by the first pass; the others matter where they may be as near as what is kept.
    if (pass == 1 && headBound <= near) break;
    const least = pass == 0 ? -1 : near, most = pass == 0 ? near : FAR;
    // Of the four rows before `fourEnd`, by bits, those that this pass leaves out.
    let left = 0, fourEnd = 0;
    for (let i = 0; i < count; i++) {
      const row: u32 = rows == 0 ? <u32>i : load<u32>(rows + (<usize>i << 2));
      if (heads != 0) {
        const head = heads + <usize>row * HEAD;
        const bound = min<i32>(most, headBound);
        if (rows == 0 && i + 4 <= count) {
          if (i >= fourEnd) {
            const four = fourHeads(first, second, head);
            left = i32x4.bitmask(v128.or(i32x4.gt_s(four, i32x4.splat(bound)), i32x4.le_s(four, i32x4.splat(least))));
            fourEnd = i + 4;
            if (left == 15) {
              i += 3;
              continue;
            }
          }
          if ((left >> (i + 4 - fourEnd)) & 1) continue;
        } else {
          const away = sumOf(headOf(first, second, head));
          if (away > bound || away <= least) continue;
        }
        if (held == k) {
          const code = tails + <usize>row * (tail + CODE_FACTS);
          const product = productOf(words, head, HEAD) + productOf(words + 2 * HEAD, code, tail);
          const squares = querySquares + load<i32>(code + tail) - 2 * product;
          if (<f32>squares > reachOf(load<f32>(outDistances), queryRest, load<f32>(code + tail, 4))) continue;
        }
      }
      const distance = distanceOf(query, vectors + <usize>row * stride, stride);
      if (held == k && distance > load<f32>(outDistances)) continue;
      // The bit is tested last, because few rows get here, and for the others it would cost more than the distance.
      if (wanted != 0 && ((load<u32>(wanted + (<usize>(row >> 5) << 2)) >> (row & 31)) & 1) == 0) continue;
      const label = load<u32>(labels + (<usize>row << 2));
      if (held < k) {
        siftUp(outDistances, outLabels, held++, distance, label);
      } else if (comesBefore(distance, label, load<f32>(outDistances), load<u32>(outLabels))) {
        siftDown(outDistances, outLabels, held, distance, label);
      } else continue;
      if (held == k) headBound = <i32>min<f32>(reachOf(load<f32>(outDistances), queryRest, mostRest), <f32>FAR);
    }
    if (near == FAR) break;
  }
  sortHeap(outDistances, outLabels, held);
  return held;
}

/** Squares of codes that are farther apart than this are farther than the worst distance that is kept. */
// @ts-ignore: decorator
@inline
function reachOf(worst: f32, queryRest: f32, rest: f32): f32 {
  const reach = ((worst + queryRest) * (1 + SLACK) + rest) * CODE_STEPS;
  return reach * reach * (1 + SLACK);
}

/** The squared distance below which the heads of the rows lie that are read first; FAR: all are read at once. */
function nearHeads(first: v128, second: v128, heads: usize, count: i32, k: i32): i32 {
  if (count < 4 * SAMPLED) return FAR;
  const wanted = max<i32>(SAMPLED / FIRST_SHARE, <i32>(4 * <i64>k * SAMPLED / count));
  if (wanted > SAMPLED / 4) return FAR;
  memory.fill(bins, 0, BINS << 2);
  const apart = count / RUNS;
  for (let run = 0; run < RUNS; run++)
    for (let i = 0; i < SAMPLED / RUNS; i++) {
      const away = sumOf(headOf(first, second, heads + <usize>(run * apart + i) * HEAD));
      const bin = bins + (<usize>min<i32>(BINS - 1, away >> BIN_BITS) << 2);
      store<i32>(bin, load<i32>(bin) + 1);
    }
  let counted = 0;
  for (let bin = 0; bin < BINS - 1; bin++) {
    counted += load<i32>(bins + (<usize>bin << 2));
    if (counted >= wanted) return (bin + 1) << BIN_BITS;
  }
  return FAR;
}

/** The squared distance of the head of a row from that of the query, i16[16], in four parts. */
// @ts-ignore: decorator
@inline
function headOf(first: v128, second: v128, head: usize): v128 {
  const a = i16x8.sub(v128.load8x8_s(head), first), b = i16x8.sub(v128.load8x8_s(head, 8), second);
  return i32x4.add(i32x4.dot_i16x8_s(a, a), i32x4.dot_i16x8_s(b, b));
}

/** The squared distances of the heads of four rows that follow each other. */
// @ts-ignore: decorator
@inline
function fourHeads(first: v128, second: v128, head: usize): v128 {
  const a = headOf(first, second, head), b = headOf(first, second, head + HEAD);
  const c = headOf(first, second, head + 2 * HEAD), d = headOf(first, second, head + 3 * HEAD);
  const ab = i32x4.add(v128.shuffle<i32>(a, b, 0, 1, 4, 5), v128.shuffle<i32>(a, b, 2, 3, 6, 7));
  const cd = i32x4.add(v128.shuffle<i32>(c, d, 0, 1, 4, 5), v128.shuffle<i32>(c, d, 2, 3, 6, 7));
  return i32x4.add(v128.shuffle<i32>(ab, cd, 0, 2, 4, 6), v128.shuffle<i32>(ab, cd, 1, 3, 5, 7));
}

// @ts-ignore: decorator
@inline
function productOf(words: usize, code: usize, length: usize): i32 {
  let s0 = i32x4.splat(0), s1 = i32x4.splat(0);
  for (let at: usize = 0; at < length; at += 16) {
    s0 = i32x4.add(s0, i32x4.dot_i16x8_s(v128.load(words + 2 * at), v128.load8x8_s(code + at)));
    s1 = i32x4.add(s1, i32x4.dot_i16x8_s(v128.load(words + 2 * at, 16), v128.load8x8_s(code + at, 8)));
  }
  return sumOf(i32x4.add(s0, s1));
}

// @ts-ignore: decorator
@inline
function distanceOf(a: usize, b: usize, byteLength: usize): f32 {
  let s0 = f32x4.splat(0), s1 = f32x4.splat(0), s2 = f32x4.splat(0), s3 = f32x4.splat(0);
  let at: usize = 0;
  for (; at + 64 <= byteLength; at += 64) {
    const d0 = f32x4.sub(v128.load(a + at), v128.load(b + at));
    const d1 = f32x4.sub(v128.load(a + at, 16), v128.load(b + at, 16));
    const d2 = f32x4.sub(v128.load(a + at, 32), v128.load(b + at, 32));
    const d3 = f32x4.sub(v128.load(a + at, 48), v128.load(b + at, 48));
    s0 = f32x4.add(s0, f32x4.mul(d0, d0));
    s1 = f32x4.add(s1, f32x4.mul(d1, d1));
    s2 = f32x4.add(s2, f32x4.mul(d2, d2));
    s3 = f32x4.add(s3, f32x4.mul(d3, d3));
  }
  for (; at < byteLength; at += 16) {
    const d = f32x4.sub(v128.load(a + at), v128.load(b + at));
    s0 = f32x4.add(s0, f32x4.mul(d, d));
  }
  // The root is taken here and not only of the results: two sums may have equal roots, and then the label decides.
  return sqrt<f32>(fold(s0, s1, s2, s3));
}

// @ts-ignore: decorator
@inline
function fold(s0: v128, s1: v128, s2: v128, s3: v128): f32 {
  let sum = f32x4.add(f32x4.add(s0, s1), f32x4.add(s2, s3));
  sum = f32x4.add(sum, i8x16.shuffle(sum, sum, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7));
  return f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1);
}

// @ts-ignore: decorator
@inline
function comesBefore(distanceA: f32, labelA: u32, distanceB: f32, labelB: u32): bool {
  return distanceA < distanceB || (distanceA == distanceB && labelA < labelB);
}

/** Adds an entry to a heap of `length` entries whose root is the farthest. */
function siftUp(distances: usize, labels: usize, length: i32, distance: f32, label: u32): void {
  let at = length;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const parentDistance = load<f32>(distances + (<usize>parent << 2));
    const parentLabel = load<u32>(labels + (<usize>parent << 2));
    if (!comesBefore(parentDistance, parentLabel, distance, label)) break;
    store<f32>(distances + (<usize>at << 2), parentDistance);
    store<u32>(labels + (<usize>at << 2), parentLabel);
    at = parent;
  }
  store<f32>(distances + (<usize>at << 2), distance);
  store<u32>(labels + (<usize>at << 2), label);
}

/** Replaces the root of a heap of `length` entries. */
function siftDown(distances: usize, labels: usize, length: i32, distance: f32, label: u32): void {
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= length) break;
    let childDistance = load<f32>(distances + (<usize>child << 2));
    let childLabel = load<u32>(labels + (<usize>child << 2));
    if (child + 1 < length) {
      const otherDistance = load<f32>(distances + (<usize>child << 2), 4);
      const otherLabel = load<u32>(labels + (<usize>child << 2), 4);
      if (comesBefore(childDistance, childLabel, otherDistance, otherLabel)) {
        child++;
        childDistance = otherDistance;
        childLabel = otherLabel;
      }
    }
    if (!comesBefore(distance, label, childDistance, childLabel)) break;
    store<f32>(distances + (<usize>at << 2), childDistance);
    store<u32>(labels + (<usize>at << 2), childLabel);
    at = child;
  }
  store<f32>(distances + (<usize>at << 2), distance);
  store<u32>(labels + (<usize>at << 2), label);
}

/** Turns the heap into an ascending list by repeatedly moving the root, which is the farthest, to the end. */
function sortHeap(distances: usize, labels: usize, length: i32): void {
  for (let last = length - 1; last > 0; last--) {
    const distance = load<f32>(distances + (<usize>last << 2));
    const label = load<u32>(labels + (<usize>last << 2));
    store<f32>(distances + (<usize>last << 2), load<f32>(distances));
    store<u32>(labels + (<usize>last << 2), load<u32>(labels));
    siftDown(distances, labels, last, distance, label);
  }
}

/**
 * A 64-bit hash of the bits of each vector.
 * vectors: f32[dimension * count]; dimension: a multiple of 4. out: u64[count].
 * Blocks are mixed as in MurmurHash3 x64 (Appleby), one lane.
 */
export function hashVectors(vectors: usize, dimension: i32, count: i32, out: usize): void {
  let at = vectors;
  for (let i = 0; i < count; i++) {
    let hash: u64 = 0;
    for (const end = at + (<usize>dimension << 2); at < end; at += 8) {
      hash ^= rotl<u64>(load<u64>(at) * 0x87c37b91114253d5, 31) * 0x4cf5ad432745937f;
      hash = rotl<u64>(hash, 27) * 5 + 0x52dce729;
    }
    hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
    hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
    store<u64>(out + (<usize>i << 3), hash ^ (hash >> 33));
  }
}
