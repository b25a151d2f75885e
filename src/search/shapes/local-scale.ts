/**
 * Distances in units of how near things are about both items ("local scaling": Zelnik-Manor, Perona 2004). Some parts
 * are near to many others, others far from all of their own family; each is measured by the distance of its neighbour of
 * a certain rank.
 */

/**
 * Rank of that neighbour. Of 6 and 12, and of the root and the fourth root of the scales, chosen on generated families
 * that trained no table.
 */
const NEIGHBOUR = 12;
/** Mean distance of that neighbour among generated parts of families that trained no table: the unit of a scale. */
const USUAL = 0.43;
/**
 * Least distance of that neighbour that counts. A part of which a library has many copies has them all about it, and
 * would be far from everything else, its nearest relatives too. With this, copies at half the distance of another part
 * stay before it.
 */
const LEAST = 0.12;

/**
 * f64[count * count]: the distances, each divided by the roots of the scales of both items.
 * @param distances f64[count * count], symmetric, 0 on the diagonal
 */
export function locallyScaled(distances: Float64Array, count: number): Float64Array {
  const roots = new Float64Array(count);
  for (let i = 0; i < count; i++) {
    // The item itself is the first one.
    const sorted = distances.slice(i * count, (i + 1) * count).sort();
    const reach = Math.max(LEAST, sorted[Math.min(NEIGHBOUR, count - 1)]);
    roots[i] = Math.sqrt(reach / USUAL);
  }
  return distances.map((distance, at) => distance / (roots[Math.floor(at / count)] * roots[at % count]));
}
