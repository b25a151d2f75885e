import { isDepthByWord } from '../dimension-words.js';
import type { ReadLine } from '../stacked-tolerances.js';
import type { DimensionKind } from './dimension.js';

/** Sizes that a depth goes on from; a plain number before it on its line too: `12 Tiefe 4 ±0.1`. */
const HOLES: ReadonlySet<DimensionKind> = new Set(['diameter', 'thread', 'counterbore', 'countersink', 'square']);
/** In letter heights: from the baseline of a hole's line to that of the depth below it, and gaps along the line. */
const BELOW = 2.6;
const ALONG = 1.5;
const WORD_GAP = 0.8;
const SAME_LINE = 0.3;
/** Directions of one callout differ by less, rad. */
const SAME_ANGLE = 0.05;

/**
 * Sizes without the depths that a word alone makes, `DP 10`, where no size of a hole stands before them on their line
 * or above it: there they are a pitch, a name or a row of a list. A depth below one that counts counts too.
 */
export function depthsOfHoles(sizes: readonly ReadLine[]): readonly ReadLine[] {
  const isWord = ({ reading }: ReadLine): boolean => isDepthByWord(reading.text);
  if (!sizes.some(isWord)) return sizes;
  const others = sizes.filter((each) => !isWord(each));
  return sizes.filter((each) => !isWord(each) || others.some((other) => goesOn(other, each)));
}

function goesOn({ line, reading, taken }: ReadLine, { line: depth }: ReadLine): boolean {
  // Small deviations stand between both.
  const hole = { ...line, end: Math.max(line.end, ...taken.map(({ end }) => end)) };
  const height = Math.max(hole.height, depth.height);
  if (Math.abs(hole.angleRad - depth.angleRad) > SAME_ANGLE) return false;
  if (depth.start > hole.end + ALONG * height || hole.start > depth.end + ALONG * height) return false;
  const down = depth.t - hole.t;
  const isHole = HOLES.has(reading.kind);
  if (Math.abs(down) < SAME_LINE * height)
    return hole.start < depth.start && (isHole || depth.start < hole.end + WORD_GAP * height);
  return isHole && down > 0 && down < BELOW * height;
}
