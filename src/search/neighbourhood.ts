/**
 * How differently two parts sit among their neighbours: the Jaccard distance of their k-reciprocal neighbour sets
 * (Zhong, Zheng, Cao & Li 2017, "Re-ranking person re-identification with k-reciprocal encoding"). Two parts of one kind
 * share their neighbours even when a feature of one sets them apart; a chance likeness does not.
 */

/** Options of {@link neighbourhoodDistances}. */
export interface NeighbourhoodOptions {
  /** Neighbours that count: both must have the other among their nearest `k`. */
  readonly k: number;
  /** Nearest neighbours whose sets are averaged, the part itself included; at most `k` + 1. */
  readonly expand: number;
}

/** Picked on a development set; see the README's table. */
export const NEIGHBOURHOOD_DEFAULTS: NeighbourhoodOptions = Object.freeze({ k: 12, expand: 3 });

/**
 * distances: f64[count * count], symmetric, 0 on the diagonal, about 1 between unrelated items.
 * Returns f64[count]: the distance of item 0 to every item, 0 to 1.
 */
export function neighbourhoodDistances(
  distances: Float64Array,
  count: number,
  { k, expand }: NeighbourhoodOptions = NEIGHBOURHOOD_DEFAULTS,
): Float64Array {
  // Every item is its own nearest, so lists are one longer than k.
  const width = Math.min(k + 1, count);
  const nearest = nearestLists(distances, count, width);
  const half = Math.min(Math.round(k / 2) + 1, width);
  const wide = reciprocal(nearest, count, width, width);
  const narrow = reciprocal(nearest, count, width, half);
  const weights = new Float64Array(count * count);
  const inWide = new Uint8Array(count);
  const members = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    inWide.fill(0);
    for (const j of wide[i]) inWide[j] = 1;
    members.set(inWide);
    for (const j of wide[i]) {
      let shared = 0;
      for (const m of narrow[j]) shared += inWide[m];
      if (3 * shared > 2 * narrow[j].length) for (const m of narrow[j]) members[m] = 1;
    }
    let sum = 0;
    for (let j = 0; j < count; j++) if (members[j] === 1) sum += weights[i * count + j] = Math.exp(-distances[i * count + j]);
    for (let j = 0; j < count; j++) weights[i * count + j] /= sum;
  }
  const reach = Math.min(expand, width);
  /** Mean of the weights of an item's nearest. */
  const average = (i: number, averaged: Float64Array): void => {
    averaged.fill(0);
    for (let e = 0; e < reach; e++) {
      const from = nearest[i * width + e] * count;
      for (let j = 0; j < count; j++) averaged[j] += weights[from + j] / reach;
    }
  };
  const first = new Float64Array(count);
  const other = new Float64Array(count);
  const apart = new Float64Array(count);
  average(0, first);
  for (let i = 0; i < count; i++) {
    average(i, other);
    let shared = 0;
    for (let j = 0; j < count; j++) shared += first[j] < other[j] ? first[j] : other[j];
    apart[i] = 1 - shared / (2 - shared);
  }
  return apart;
}

/** u32[count][width]: the nearest items of each, itself first, ties by lower number. */
function nearestLists(distances: Float64Array, count: number, width: number): Uint32Array {
  const nearest = new Uint32Array(count * width);
  for (let i = 0; i < count; i++) {
    const row = i * count, list = i * width;
    let held = 0;
    for (let n = 0; n < count; n++) {
      // Itself first, then the rest in order: insertion keeps equal distances in the order of their numbers.
      const item = n === 0 ? i : n <= i ? n - 1 : n;
      const distance = distances[row + item];
      if (held === width && distance >= distances[row + nearest[list + held - 1]]) continue;
      let at = held < width ? held++ : width - 1;
      for (; at > 1 && distances[row + nearest[list + at - 1]] > distance; at--) nearest[list + at] = nearest[list + at - 1];
      nearest[list + at] = item;
    }
  }
  return nearest;
}

/** For each item those of its first `reach` neighbours that have it among theirs. */
function reciprocal(nearest: Uint32Array, count: number, width: number, reach: number): number[][] {
  return Array.from({ length: count }, (_, i) => {
    const mutual: number[] = [];
    for (let a = 0; a < reach; a++) {
      const j = nearest[i * width + a];
      for (let b = 0; b < reach; b++) {
        if (nearest[j * width + b] === i) {
          mutual.push(j);
          break;
        }
      }
    }
    return mutual;
  });
}
