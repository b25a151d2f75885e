/** Least length that counts, mm: smaller numbers are mostly tolerances, counts and names of zones. */
const LEAST_MM = 3;
/** Logarithm by which a score falls, at most: that of a page which states all lengths that tell files apart. */
const WEIGHT = 1;

/**
 * For each file, what is left of its score: below 1 where it states lengths that were read in a picture, the more, and
 * the fewer of the files state them, the lower; 1 where no file or each of them states them.
 * @param readMm read in the picture, mm, each once. @param stated of each file, mm, each once; none: unknown
 */
export function leftByLengths(readMm: readonly number[], stated: readonly (readonly number[])[]): number[] {
  const counted = new Map(readMm.filter((length) => length >= LEAST_MM).map((length) => [length, 0]));
  const shared = stated.map((lengths) => lengths.filter((length) => counted.has(length)));
  for (const length of shared.flat()) counted.set(length, counted.get(length)! + 1);
  const files = stated.filter((lengths) => lengths.length > 0).length;
  const weightOf = (length: number): number => Math.log(files / counted.get(length)!);
  const all = sumOf([...counted.keys()].filter((length) => counted.get(length)! > 0).map(weightOf));
  // One length may agree by chance, so that what a single file states is added once more to what all state.
  const most = all + Math.log(Math.max(1, files));
  return shared.map((lengths) => (most === 0 ? 1 : Math.exp((-WEIGHT * sumOf(lengths.map(weightOf))) / most)));
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
