/** Most rounds of {@link leastSquares}; those of exact faces need two to four. */
const ROUNDS = 8;
/** Step of a parameter for its derivative, and largest change of a round at which the search ends. */
const STEP = 1e-6;
const SETTLED = 1e-10;

/**
 * Parameters, each about 1 in size, that make the sum of squared residuals least, by Gauss-Newton steps. Undefined where
 * the residuals do not determine them.
 * @param residuals fills an array of `count` numbers.
 */
export function leastSquares(
  start: readonly number[],
  count: number,
  residuals: (parameters: readonly number[], into: Float64Array) => void,
): number[] | undefined {
  const size = start.length;
  let found = [...start];
  const here = new Float64Array(count);
  const there = Array.from({ length: size }, () => new Float64Array(count));
  for (let round = 0; round < ROUNDS; round++) {
    residuals(found, here);
    for (let i = 0; i < size; i++) {
      residuals(
        found.map((value, k) => (k === i ? value + STEP : value)),
        there[i],
      );
      for (let j = 0; j < count; j++) there[i][j] = (there[i][j] - here[j]) / STEP;
    }
    const matrix = there.map((row) => there.map((other) => row.reduce((sum, value, j) => sum + value * other[j], 0)));
    const right = there.map((row) => -row.reduce((sum, value, j) => sum + value * here[j], 0));
    const change = solved(matrix, right);
    if (change === undefined) return undefined;
    found = found.map((value, i) => value + change[i]);
    if (!found.every(Number.isFinite)) return undefined;
    if (Math.max(...change.map(Math.abs)) <= SETTLED) break;
  }
  return found;
}

/** The solution of a square system, by elimination with pivots; undefined if it has none or many. */
export function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
  const count = right.length;
  const rows = matrix.map((row, i) => [...row, right[i]]);
  const largest = Math.max(...matrix.flat().map(Math.abs));
  for (let column = 0; column < count; column++) {
    let pivot = column;
    for (let i = column + 1; i < count; i++) if (Math.abs(rows[i][column]) > Math.abs(rows[pivot][column])) pivot = i;
    if (!(Math.abs(rows[pivot][column]) > 1e-13 * largest)) return undefined;
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    for (let i = 0; i < count; i++) {
      if (i === column) continue;
      const factor = rows[i][column] / rows[column][column];
      for (let j = column; j <= count; j++) rows[i][j] -= factor * rows[column][j];
    }
  }
  return rows.map((row, i) => row[count] / row[i]);
}
