/**
 * One distance of a file from its distances to several inputs, which are views or versions of one part, on the scale
 * of one input alone: that of the nearest input where the file is like no other one, and less where it is. Each further
 * input counts by how much nearer than `unrelated` it is, in reciprocals, so that the nearest count most; one that the
 * file is not like, or that shows nothing of it, says nothing. The order is that of the harmonic mean, in which an
 * input counts as at most unrelated. 0 if one is 0; the distance to one input alone is returned as it is.
 * unrelated: distance of unrelated parts.
 */
export function poolDistances(distances: readonly number[], unrelated: number): number {
  const least = Math.min(...distances);
  if (distances.length === 1 || least === 0 || least >= unrelated) return least;
  // By size, so that the order of the inputs changes no digit.
  const [nearest, ...others] = Float64Array.from(distances).sort();
  const nearer = others.reduce((sum, distance) => sum + Math.max(0, 1 / distance - 1 / unrelated), 0);
  return 1 / (1 / nearest + nearer);
}

/** Index of the least distance, the first one of equals. */
export function nearestInput(distances: readonly number[]): number {
  return distances.indexOf(Math.min(...distances));
}
