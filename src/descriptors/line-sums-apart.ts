import { LINE_DIRECTIONS, LINE_SUMS } from '../shapelets/sheet/line-sums.js';

/**
 * Largest difference of the lengths in any direction, as a share of all, after one sheet is brought to the size of the
 * other and turned by so many quarters. 0: the same lines. One program writes a circle as such and another as a
 * polygon, so each may count with chords or with arcs.
 */
export function lineSumsApart(a: Float32Array, b: Float32Array, quarters: number): number {
  const ways = [0, LINE_SUMS / 2];
  return Math.min(
    ...ways.flatMap((i) =>
      ways.map((j) => apart(a.subarray(i, i + LINE_SUMS / 2), b.subarray(j, j + LINE_SUMS / 2), quarters)),
    ),
  );
}

function apart(a: Float32Array, b: Float32Array, quarters: number): number {
  const total = a.subarray(0, LINE_DIRECTIONS).reduce((sum, length) => sum + length, 0);
  const times = a[LINE_DIRECTIONS] / b[LINE_DIRECTIONS];
  let most = 0;
  for (let i = 0; i < LINE_DIRECTIONS; i++) {
    const other = b[(i + (quarters * LINE_DIRECTIONS) / 2) % LINE_DIRECTIONS];
    most = Math.max(most, Math.abs(a[i] - times * other) / total);
  }
  return most;
}
