import type { Placed } from '../placed-text.js';

/** Deviations and fits. */
const TOLERANCE = /^(?:[+\-−]?\s?[\d.,]+|[A-Za-z]{1,2}\d{1,2})°?$/;
/** In heights: how the two begin beside each other, and how far their baselines are apart. */
const SAME_START = 0.8;
const APART = [0.55, 1.4] as const;
/** Their heights, and how much higher the size before them is at least. */
const SAME_HEIGHT = 1.35;
const HIGHER = 1.12;
/** In heights of the size: how far it ends before them. */
const BEFORE = [-0.3, 1] as const;
/** In heights: pieces of one line. */
const SAME_LINE = 0.22;
const BESIDE = 0.4;
/** Most pieces that may be tolerances; each is held against its neighbours. */
const MOST = 2_000;

/**
 * Texts of pixels that stand above each other behind a higher one: the deviations or the fits of a size. The lower one
 * may have the baseline of the size, of which it is no part.
 */
export function stackedPieces(placed: readonly Placed[]): ReadonlySet<Placed> {
  const small = placed.filter(({ text }) => TOLERANCE.test(text.trim())).slice(0, MOST);
  const found = new Set<Placed>();
  const ofSizes = new Set<Placed>();
  const sorted = small.toSorted((a, b) => a.start - b.start);
  const reach = SAME_START * Math.max(0, ...small.map(({ height }) => height));
  sorted.forEach((first, i) => {
    for (let j = i + 1; j < sorted.length && sorted[j].start - first.start < reach; j++) {
      const [upper, lower] = first.t < sorted[j].t ? [first, sorted[j]] : [sorted[j], first];
      const height = Math.max(upper.height, lower.height);
      const down = (lower.t - upper.t) / height;
      if (
        Math.abs(lower.start - upper.start) > SAME_START * height ||
        height > SAME_HEIGHT * Math.min(upper.height, lower.height) ||
        down < APART[0] ||
        down > APART[1]
      )
        continue;
      const isSize = (other: Placed): boolean => {
        const gap = (Math.min(upper.start, lower.start) - other.end) / other.height;
        return (
          other.height > HIGHER * height &&
          gap > BEFORE[0] &&
          gap < BEFORE[1] &&
          other.t > upper.t &&
          other.t < lower.t + SAME_HEIGHT * 0.2 * height
        );
      };
      const sizes = placed.filter(isSize);
      if (sizes.length === 0) continue;
      found.add(upper);
      found.add(lower);
      for (const size of sizes) ofSizes.add(size);
    }
  });
  for (const piece of placed)
    if (!found.has(piece) && !ofSizes.has(piece) && [...found].some((other) => isBeside(piece, other)))
      found.add(piece);
  return found;
}

/** Whether two pieces stand beside each other on one line, as a letter that was read apart from its fit. */
function isBeside(piece: Placed, other: Placed): boolean {
  const height = Math.max(piece.height, other.height);
  return (
    height < SAME_HEIGHT * Math.min(piece.height, other.height) &&
    Math.abs(piece.t - other.t) < SAME_LINE * height &&
    piece.start < other.end + BESIDE * height &&
    other.start < piece.end + BESIDE * height
  );
}
