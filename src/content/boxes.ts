/** The bounding box of points in space: lowest and highest x, y, z. */
export interface Box {
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** positions: f64[3 * n]. Without points `low` is Infinity and `high` is -Infinity. */
export function boxOf(positions: ArrayLike<number>): Box {
  let [x0, y0, z0] = [Infinity, Infinity, Infinity];
  let [x1, y1, z1] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i + 2 < positions.length; i += 3) {
    const x = positions[i],
      y = positions[i + 1],
      z = positions[i + 2];
    if (x < x0) x0 = x;
    if (x > x1) x1 = x;
    if (y < y0) y0 = y;
    if (y > y1) y1 = y;
    if (z < z0) z0 = z;
    if (z > z1) z1 = z;
  }
  return { low: [x0, y0, z0], high: [x1, y1, z1] };
}

/** Length of a box's diagonal, in the unit of its points. */
export function diagonalOf({ low, high }: Box): number {
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}
