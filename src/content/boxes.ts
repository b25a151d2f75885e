/** The bounding box of points in space: lowest and highest x, y, z. */
export interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** positions: f64[3 * n]. Without points `low` is Infinity and `high` is -Infinity. */
export function boxOf(positions: ArrayLike<number>): Box {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    const axis = i % 3;
    if (positions[i] < low[axis]) low[axis] = positions[i];
    if (positions[i] > high[axis]) high[axis] = positions[i];
  }
  return { low, high };
}

/** Length of a box's diagonal, in the unit of its points. */
export function diagonalOf({ low, high }: Box): number {
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
