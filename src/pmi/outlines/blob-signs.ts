import { medianOf } from '../../content/groups.js';
import type { Extent } from './blob-picture.js';
import { type Placed, gapOf, heightOf, sizeOf } from './blob-places.js';
import type { Blob } from './blobs.js';

/**
 * Deviations behind a size, in heights of its letters: they are lower than the first; the upper one begins above the
 * second and ends above the third; the lower one begins below the fourth, negative, and ends below the fifth. The
 * middle of a hyphen is between the two of HYPHEN.
 */
const DEVIATION = 0.88;
/**
 * A letter that opens a line and is narrower than this share of its height may be a bracket, which is higher than the
 * letters in it and begins below them: these are at least so high, in heights of the bracket.
 */
const NARROW = 0.45;
const IN_BRACKET = 0.66;
const RAISED = 0.2;
const UPPER_TOP = 0.98;
const LOWERED = 0.12;
const LOWER_TOP = 0.62;
const MARK = 0.45;
const OVER = 0.25;
/** Of fewer letters, a symbol before a number among them, the highest ones tell where their line is. */
const FEW_STANDING = 3;
const HYPHEN = [0.22, 0.66] as const;
/** Least length of the hyphen of a printed font, in heights of the letters before it. */
const SHORT_HYPHEN = 0.12;
/** A point is as low as the letter before it, and no wider than this, in heights of letters. */
const ON_BASE = 0.06;
const WIDE_POINT = 0.3;
/** A plus is at least so high; a point is lower. */
const PLUS = 0.22;
/** Length of a letter that is one straight stroke, and its largest gap, as shares of the letter beside it. */
const STEM = 1.12;
const STEM_GAP = 0.7;
/** What is this many times as large as another letter beside a stem is none. */
const BESIDE_A_STEM = 2;
/** Shorter strokes are no letters, unless they are points. */
const SHORT_STEM = 0.75;
/** What is smaller, as a share of the height of a line's letters, is a speck. */
export const SPECK = 0.15;
/** Blobs before and after one, in the order of strokes, and how many times their size it may have. */
const GIANT_NEAR = 6;
const GIANT = 2.8;
/**
 * Bars of a letter: the least share of the bar that is over or under the letter, which leans in some fonts; its longest
 * and shortest length in widths of the letter; how far below the letter, in heights of it.
 */
const BAR_OVER = 0.68;
const BAR_WIDEST = 1.25;
const BAR_LEAST = 0.35;
const BAR_BELOW = 0.55;
/** Commas, in heights of letters: their length, how far above the baseline they begin, and how far behind a letter. */
const COMMA = [0.12, 0.65] as const;
const COMMA_TOP = 0.32;
const COMMA_GAP = 0.66;
/** Bars of a colon, in heights of letters: how high they are, and how far one is above the other. */
const COLON_BAR = 0.22;
const COLON = [0.3, 0.75] as const;
const COLON_LEAN = 0.2;
/**
 * Values of neighbouring dimension lines, in heights of letters: how far one is higher than the other, by how much
 * their letters differ in size, and the gap between them.
 */
const OTHER_LINE = 0.12;
/** Upper deviations end no lower than the letters before them, but for what round letters reach further. */
const OVERSHOOT = 0.04;
const SAME_SIZE = 0.04;
const APART = 0.4;
/** Fits and deviations that are as high as their size: the same two. */
const HALF_LINE = 0.4;
const NEXT = 0.15;

/** Whether a short steep stroke stands on the baseline or hangs from it, right behind a letter of full height. */
export function isCommaBehind(stroke: Extent, letter: Extent, high: number): boolean {
  const own = heightOf(stroke),
    gap = stroke.minS - letter.maxS;
  return (
    heightOf(letter) > 0.8 * high &&
    own > 1.2 * (stroke.maxS - stroke.minS) &&
    own > COMMA[0] * high &&
    own < COMMA[1] * high &&
    stroke.maxH < letter.minH + COMMA_TOP * high &&
    stroke.maxH > letter.minH - 0.05 * high &&
    stroke.minH < letter.minH + 0.05 * high &&
    gap > -0.3 * high &&
    gap < COMMA_GAP * high
  );
}

/** Whether a short steep stroke stands above another one that was found behind a letter: the upper half of a colon. */
export function isOverComma(stroke: Extent, comma: Extent, high: number): boolean {
  const up = (stroke.minH - comma.minH) / high;
  return (
    Math.abs(heightOf(stroke) - heightOf(comma)) < 0.03 * high &&
    Math.abs(stroke.minS - comma.minS) < COLON_LEAN * high &&
    heightOf(stroke) < COLON_BAR * high &&
    up > COLON[0] &&
    up < COLON[1]
  );
}

export function isBarOf(bar: Extent, letter: Extent): boolean {
  const wide = bar.maxS - bar.minS,
    high = letter.maxH - letter.minH,
    letterWide = letter.maxS - letter.minS;
  const overlap = Math.min(bar.maxS, letter.maxS) - Math.max(bar.minS, letter.minS);
  return (
    bar.maxH - bar.minH < 0.15 * wide &&
    overlap > BAR_OVER * wide &&
    wide < BAR_WIDEST * letterWide &&
    wide > BAR_LEAST * letterWide &&
    bar.minH > letter.minH - BAR_BELOW * high &&
    bar.maxH < letter.maxH
  );
}

/** Whether a blob is much larger than what is drawn before and after it: a leader with its arrow, and no letter. */
export function isGiant(blobs: readonly Blob[], at: number): boolean {
  const around = blobs
    .slice(Math.max(0, at - GIANT_NEAR), at + GIANT_NEAR + 1)
    .filter((other) => other !== blobs[at] && !other.isLine && !other.isArrow)
    .map(sizeOf)
    .sort((a, b) => a - b);
  return around.length > GIANT_NEAR / 2 && sizeOf(blobs[at]) > GIANT * around[Math.floor(0.75 * around.length)];
}

/**
 * Whether a straight stroke is drawn before or behind a stroked letter beside it, and is no longer than letters are.
 */
export function isStem(blobs: readonly Blob[], at: number): boolean {
  const size = sizeOf(blobs[at]);
  const beside = blobs
    .slice(Math.max(0, at - 2), at + 3)
    .filter(
      (other, i) =>
        !other.isLine &&
        !other.isAround &&
        !isGiant(blobs, Math.max(0, at - 2) + i) &&
        gapOf(other, blobs[at]) < STEM_GAP * sizeOf(other),
    );
  const smallest = Math.min(...beside.map(sizeOf).filter((each) => each > 0.5 * size));
  // A leader beside a text is no letter.
  const tall = beside.filter((other) => sizeOf(other) > 0.5 * size && sizeOf(other) < BESIDE_A_STEM * smallest);
  // Hyphens and the bars of signs are found beside the line when it is read.
  return (
    tall.length > 0 &&
    tall.every(
      (other) =>
        !other.isFill &&
        size < STEM * sizeOf(other) &&
        (size > SHORT_STEM * sizeOf(other) || size < SPECK * sizeOf(other)),
    )
  );
}

/** Whether a blob behind a line's letters is smaller than these, and above or below their middle. */
export function isDeviation(letters: readonly Placed[], { blob, minS, maxS, minH, maxH }: Placed): boolean {
  const high = Math.max(...letters.map((each) => each.maxH - each.minH));
  const tall = letters.filter((each) => each.maxH - each.minH > 0.75 * high);
  // Those with a foot below the line, as `p`, are fewer than others.
  const standing = letters.filter(
    (each) => heightOf(each) > 0.5 * high && !mayBePlus(each.blob, (each.maxS - each.minS) / heightOf(each)),
  );
  const size = medianOf(tall.map((each) => each.maxH - each.minH))!,
    bottom = medianOf((standing.length >= FEW_STANDING ? standing : tall).map((each) => each.minH))!,
    ceiling = Math.max(...tall.map((each) => each.maxH));
  // The bar of a plus-minus sign stands below its cross.
  const last = letters[letters.length - 1];
  if (Math.min(maxS, last.maxS) - Math.max(minS, last.minS) > OVER * Math.min(maxS - minS, last.maxS - last.minS))
    return false;
  const own = (maxH - minH) / size,
    low = (minH - bottom) / size,
    top = (maxH - bottom) / size;
  if (own < MARK) {
    const isLong = maxS - minS > 1.5 * (maxH - minH) && maxS - minS > SHORT_HYPHEN * size;
    const middle = (low + top) / 2;
    // The point of wide letters is as long as a hyphen, and stands on their baseline.
    if (Math.abs(minH - last.minH) < ON_BASE * size && maxS - minS < WIDE_POINT * size) return false;
    // Signs before a number may stand higher than its figures.
    const lowerThanLast = (minH - last.minH) / size;
    if (mayBePlus(blob, (maxS - minS) / (maxH - minH)) && own > PLUS) return middle > HYPHEN[1];
    // The point of a lower deviation stands below the baseline of the size.
    return isLong ? middle < HYPHEN[0] || middle > HYPHEN[1] : Math.max(low, lowerThanLast) < -LOWERED && top < 0;
  }
  // The value of another dimension line, a little higher or lower.
  if (Math.abs(own - 1) < SAME_SIZE && Math.abs(low) > OTHER_LINE && minS - last.maxS > APART * size) return true;
  // One of two fits, of the height of their size.
  if (Math.abs(own - 1) < SAME_SIZE && Math.abs(low) > HALF_LINE && minS - last.maxS > NEXT * size) return true;
  const mayBeInBracket = letters.length === 1 && last.maxS - last.minS < NARROW * size;
  return (
    own < (mayBeInBracket ? IN_BRACKET : DEVIATION) &&
    ((low > RAISED && top > UPPER_TOP && maxH > ceiling - OVERSHOOT * size) || (low < -LOWERED && top < LOWER_TOP))
  );
}

/** Whether a speck stands below and behind a plus that begins the line: `+.003`. */
export function isPointBehindPlus(line: readonly Placed[], { minS, maxS, minH, maxH }: Placed): boolean {
  const [plus] = line;
  const wide = plus.maxS - plus.minS,
    high = heightOf(plus);
  return (
    line.length === 1 &&
    mayBePlus(plus.blob, wide / high) &&
    Math.max(maxS - minS, maxH - minH) < OVER * high &&
    minS > plus.minS + wide / 2 &&
    minS < plus.maxS + high &&
    maxH < plus.minH &&
    minH > plus.minH - high
  );
}

/**
 * Whether a small sign is as wide as high and drawn like a plus: of two strokes or one area; a degree sign is a ring.
 */
function mayBePlus({ isFill, strokes }: Blob, proportion: number): boolean {
  return strokes.length === (isFill ? 1 : 2) && proportion > 0.75 && proportion < 1.34;
}
