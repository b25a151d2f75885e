/**
 * The difference of the neighbourhoods of two parts: the Jaccard distance of their k-reciprocal neighbour sets
 * (Zhong, Zheng, Cao & Li 2017, "Re-ranking person re-identification with k-reciprocal encoding"). Parts of one kind
 * share neighbours even when a feature of one sets them apart; parts that are similar by chance do not.
 */

/** Options of {@link neighbourhoodDistances}. */
export interface NeighbourhoodOptions {
  /** Two items are neighbours when each is among the `k` nearest of the other. */
  readonly k: number;
  /** Nearest neighbours whose sets are averaged, including the part itself; at most `k` + 1. */
  readonly expand: number;
}

/** Picked on the set of `bench -- retrieval`. */
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
  // Every item is its own nearest neighbour, so lists have k + 1 entries.
  const width = Math.min(k + 1, count);
  const nearest = nearestLists(distances, count, width);
  const half = Math.min(Math.round(k / 2) + 1, width);
  const wide = reciprocal(nearest, count, width, width);
  const narrow = reciprocal(nearest, count, width, half);
  const weights = new Float64Array(count * count);
  const inWide = new Uint8Array(count);
  const isMember = new Uint8Array(count);
  const members = new Uint32Array(count);
  for (let i = 0; i < count; i++) {
    inWide.fill(0);
    for (const j of wide[i]) inWide[j] = 1;
    isMember.set(inWide);
    for (const j of wide[i]) {
      let shared = 0;
      for (const m of narrow[j]) shared += inWide[m];
      if (3 * shared > 2 * narrow[j].length) for (const m of narrow[j]) isMember[m] = 1;
    }
    const row = i * count;
    let sum = 0,
      memberCount = 0;
    for (let j = 0; j < count; j++) {
      if (isMember[j] === 0) continue;
      members[memberCount++] = j;
      sum += weights[row + j] = Math.exp(-distances[row + j]);
    }
    for (let k = 0; k < memberCount; k++) weights[row + members[k]] /= sum;
  }
  const reach = Math.min(expand, width);
  /** Mean of the weights that an item's nearest have at `member`. */
  const average = (i: number, member: number): number => {
    let averaged = 0;
    for (let e = 0; e < reach; e++) averaged += weights[nearest[i * width + e] * count + member] / reach;
    return averaged;
  };
  // Only members of item 0's set can be shared.
  const first = Float64Array.from({ length: count }, (_, j) => average(0, j));
  const firstMembers = [...first.keys()].filter((j) => first[j] > 0);
  const apart = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    let shared = 0;
    for (const j of firstMembers) shared += Math.min(first[j], average(i, j));
    apart[i] = 1 - shared / (2 - shared);
  }
  return apart;
}

/** Options of {@link chainedItems}. */
export interface Chain {
  /** Items so near to one that is reached are reached. */
  readonly step: number;
  /** Farther ones too, up to this, */
  readonly widest: number;
  /** where all that is not reached is so many times as far as the longest step. */
  readonly apart: number;
}

/**
 * The items that item 0 reaches over other items: sizes of one design are small steps apart however far the first is
 * from the last, and steps may be wider where the design stands apart from all others. distances: f64[count * count],
 * symmetric. u8[count]: 1 for item 0 and these.
 */
export function chainedItems(distances: Float64Array, count: number, { step, widest, apart }: Chain): Uint8Array {
  const isReached = new Uint8Array(count);
  /** Distance of each item from what is reached. */
  const away = distances.slice(0, count);
  let reached: readonly number[] = [],
    longest = 0;
  for (const order = [0]; ; ) {
    const last = order[order.length - 1];
    isReached[last] = 1;
    let next = -1;
    for (let i = 0; i < count; i++) {
      if (isReached[i] === 1) continue;
      away[i] = Math.min(away[i], distances[last * count + i]);
      if (next < 0 || away[i] < away[next]) next = i;
    }
    const gap = next < 0 ? Infinity : away[next];
    if (longest <= step || gap >= apart * longest) reached = [...order];
    if (next < 0 || gap > widest) break;
    longest = Math.max(longest, gap);
    order.push(next);
  }
  isReached.fill(0);
  for (const item of reached) isReached[item] = 1;
  return isReached;
}

/** u32[count][width]: the nearest items of each, itself first, ties by lower number. */
function nearestLists(distances: Float64Array, count: number, width: number): Uint32Array {
  const nearest = new Uint32Array(count * width);
  const held = new Float64Array(width);
  for (let i = 0; i < count; i++) {
    const row = i * count,
      list = i * width;
    nearest[list] = i;
    let filled = 1;
    let worst = filled === width ? 0 : Infinity;
    // Items are visited by rising number, and insertion keeps that order for equal distances.
    for (let item = 0; item < count; item++) {
      const distance = distances[row + item];
      if (distance >= worst || item === i) continue;
      let at = filled < width ? filled++ : width - 1;
      for (; at > 1 && held[at - 1] > distance; at--) {
        held[at] = held[at - 1];
        nearest[list + at] = nearest[list + at - 1];
      }
      held[at] = distance;
      nearest[list + at] = item;
      if (filled === width) worst = held[width - 1];
    }
  }
  return nearest;
}

/** For each item, those of its first `reach` neighbours that have it among their first `reach`. */
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
