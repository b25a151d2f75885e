/**
 * Ratio of the lengths in which a broken view is compared. A drawing breaks a part to any length; a model is rendered
 * in these lengths alone, and views of pages are drawn out to the next of them.
 */
const NEXT = 1.5;
/** Share by which a length may exceed one of them and still counts as it. */
const NEARLY = 0.02;

/** The least of the lengths width × 1.5 ^ k that is not below `length`. */
export function brokenLength(length: number, width: number): number {
  return width * NEXT ** Math.ceil(Math.log(length / width) / Math.log(NEXT) - NEARLY);
}

/** The length after one of {@link brokenLength}. */
export function nextBrokenLength(length: number): number {
  return NEXT * length;
}
