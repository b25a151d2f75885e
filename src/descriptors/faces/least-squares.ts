/** Most rounds of {@link leastSquares}; those of exact faces need two to four. */
const ROUNDS = 8;
/** Step of a parameter for its derivative, and largest change of a round at which the search ends. */
const STEP = 1e-6;
const SETTLED = 1e-10;
/**
 * A search ends whose residuals are above what is good enough and changed by no more than this share in a round: it is
 * at a minimum. While they grow it may still come to a better one.
 */
const STALLED = 0.02;

/**
 * Parameters, each about 1 in size, that make the sum of squared residuals least, by Gauss-Newton steps. Undefined
 * where the residuals do not determine them, or where the least root mean square is found to be above `mostRms`.
 * @param residuals fills an array of `count` numbers.
 */
export function leastSquares(
  start: readonly number[],
  { count, mostRms }: { readonly count: number; readonly mostRms: number },
  residuals: (parameters: Float64Array, into: Float64Array) => void,
): Float64Array | undefined {
  const size = start.length,
    width = size + 1;
  const found = Float64Array.from(start),
    tried = new Float64Array(size);
  const here = new Float64Array(count),
    slopes = new Float64Array(size * count),
    system = new Float64Array(size * width);
  const rows = start.map((_, i) => slopes.subarray(i * count, (i + 1) * count));
  let before = 0;
  for (let round = 0; round < ROUNDS; round++) {
    residuals(found, here);
    let squares = 0;
    for (let j = 0; j < count; j++) squares += here[j] * here[j];
    const rms = Math.sqrt(squares / count);
    if (rms > mostRms && Math.abs(rms - before) <= STALLED * before) return undefined;
    before = rms;
    for (let i = 0; i < size; i++) {
      const there = rows[i];
      tried.set(found);
      tried[i] += STEP;
      residuals(tried, there);
      for (let j = 0; j < count; j++) there[j] = (there[j] - here[j]) / STEP;
    }
    for (let i = 0; i < size; i++) {
      const own = rows[i];
      let k = i;
      // Four sums at once, each in its own order: an addition need not wait for the one before it.
      for (; k + 3 < size; k += 4) {
        const one = rows[k],
          two = rows[k + 1],
          three = rows[k + 2],
          four = rows[k + 3];
        let p = 0,
          q = 0,
          r = 0,
          s = 0;
        for (let j = 0; j < count; j++) {
          const slope = own[j];
          p += slope * one[j];
          q += slope * two[j];
          r += slope * three[j];
          s += slope * four[j];
        }
        system[i * width + k] = system[k * width + i] = p;
        system[i * width + k + 1] = system[(k + 1) * width + i] = q;
        system[i * width + k + 2] = system[(k + 2) * width + i] = r;
        system[i * width + k + 3] = system[(k + 3) * width + i] = s;
      }
      for (; k < size; k++) {
        const other = rows[k];
        let sum = 0;
        for (let j = 0; j < count; j++) sum += own[j] * other[j];
        system[i * width + k] = system[k * width + i] = sum;
      }
      let sum = 0;
      for (let j = 0, a = i * count; j < count; j++) sum += slopes[a++] * here[j];
      system[i * width + size] = -sum;
    }
    if (!solveInPlace(system, size)) return undefined;
    let most = 0;
    for (let i = 0; i < size; i++) {
      const change = system[i * width + size];
      found[i] += change;
      if (!Number.isFinite(found[i])) return undefined;
      most = Math.max(most, Math.abs(change));
    }
    if (most <= SETTLED) break;
  }
  return found;
}

/** The solution of a square system, by elimination with pivots; undefined if it has none or many. */
export function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
  const count = right.length,
    width = count + 1;
  const system = new Float64Array(count * width);
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < count; k++) system[i * width + k] = matrix[i][k];
    system[i * width + count] = right[i];
  }
  if (!solveInPlace(system, count)) return undefined;
  return Array.from({ length: count }, (_, i) => system[i * width + count]);
}

/**
 * Solves a square system in place: rows of `count` factors and the right side, f64[count * (count + 1)], of which the
 * last column becomes the solution. False, with the system spoilt, if it has none or many.
 */
export function solveInPlace(system: Float64Array, count: number): boolean {
  const width = count + 1;
  let largest = 0;
  for (let i = 0; i < count; i++)
    for (let k = 0; k < count; k++) largest = Math.max(largest, Math.abs(system[i * width + k]));
  for (let column = 0; column < count; column++) {
    let pivot = column;
    for (let i = column + 1; i < count; i++)
      if (Math.abs(system[i * width + column]) > Math.abs(system[pivot * width + column])) pivot = i;
    // Also false for NaN.
    if (!(Math.abs(system[pivot * width + column]) > 1e-13 * largest)) return false;
    if (pivot !== column)
      for (let k = 0; k <= count; k++) {
        const held = system[column * width + k];
        system[column * width + k] = system[pivot * width + k];
        system[pivot * width + k] = held;
      }
    const from = column * width;
    for (let i = 0; i < count; i++) {
      if (i === column) continue;
      const to = i * width;
      const factor = system[to + column] / system[from + column];
      for (let k = column; k <= count; k++) system[to + k] -= factor * system[from + k];
    }
  }
  for (let i = 0; i < count; i++) system[i * width + count] /= system[i * width + i];
  return true;
}

/** Linear least squares of rows that are added one by one. */
export class LinearFit {
  readonly #count: number;
  /** Rows of factors and the right side. */
  readonly #system: Float64Array;

  constructor(count: number) {
    this.#count = count;
    this.#system = new Float64Array(count * (count + 1));
  }

  /** A row: the sum of factors times what is looked for should be this value. As many factors as there are unknowns. */
  add(value: number, a: number, b: number, c = 0, d = 0): void {
    const count = this.#count,
      system = this.#system;
    for (let i = 0, at = 0; i < count; i++) {
      const own = i === 0 ? a : i === 1 ? b : i === 2 ? c : d;
      system[at++] += own * a;
      system[at++] += own * b;
      if (count > 2) system[at++] += own * c;
      if (count > 3) system[at++] += own * d;
      system[at++] += own * value;
    }
  }

  /** Undefined without a unique solution. */
  solve(): number[] | undefined {
    const count = this.#count;
    if (!solveInPlace(this.#system, count)) return undefined;
    return Array.from({ length: count }, (_, i) => this.#system[i * (count + 1) + count]);
  }
}
