/** Exponent of the power mean; see {@link poolDistances}. */
const POWER = -1;

/**
 * One distance of a file from its distances to several inputs, which are views or versions of one part: a power mean
 * in which the nearest input counts most. An input that the file is not like, or that shows nothing of it, says little,
 * so a distance beyond `unrelated` counts as that, unless all are beyond. The distance to one input alone is returned
 * as it is; 0 if one is 0.
 * unrelated: distance of unrelated parts.
 */
export function poolDistances(distances: readonly number[], unrelated: number): number {
  const least = Math.min(...distances);
  if (distances.length === 1 || least === 0 || least === Infinity) return least;
  const most = Math.max(unrelated, least);
  // By size, so that the order of the inputs changes no digit.
  const rising = Float64Array.from(distances).sort();
  const sum = rising.reduce((total, distance) => total + Math.min(distance, most) ** POWER, 0);
  return (sum / distances.length) ** (1 / POWER);
}

/** Index of the least distance, the first one of equals. */
export function nearestInput(distances: readonly number[]): number {
  return distances.indexOf(Math.min(...distances));
}
