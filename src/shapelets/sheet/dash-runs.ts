import type { Sheet } from '../../content/sheet.js';
import type { SheetMeasures } from './sheet-measures.js';

/** Points: the longest dash, the longest gap, and the largest offset of a dash from its line. */
const LONGEST = 60;
const GAP = 9;
const OFF = 0.3;
/** Fewest dashes of a line, and the largest relative difference between its gaps. */
const FEWEST = 4;
const UNEVEN = 0.35;
/** Least ratio of the long dashes of a centre line to its short ones. */
const LONG = 1.8;

/** The meaning of a line that is drawn dash by dash. */
export type DashedLine = 'hidden' | 'center';

/**
 * Finds lines whose dashes are separate strokes, as many programs write them: consecutive short straight strokes of one
 * style, on one line, with equal gaps.
 * @param each is called with every stroke of such a line.
 */
export function findDashRuns(
  { strokes: { count, points, starts, styles } }: Sheet,
  { lengths, point }: SheetMeasures,
  each: (stroke: number, line: DashedLine) => void,
): void {
  const isDash = (i: number): boolean =>
    starts[i + 1] - starts[i] === 2 && lengths[i] <= LONGEST * point && lengths[i] > 0;
  /** The gap from one dash to the next; undefined if the second does not continue the first. */
  const gapOf = (a: number, b: number): number | undefined => {
    if (styles[a] !== styles[b]) return undefined;
    const x = points[2 * starts[a]],
      y = points[2 * starts[a] + 1],
      endX = points[2 * starts[a] + 2],
      endY = points[2 * starts[a] + 3];
    const ux = (endX - x) / lengths[a],
      uy = (endY - y) / lengths[a];
    const along: number[] = [];
    for (let p = starts[b]; p < starts[b + 1]; p++) {
      const dx = points[2 * p] - endX,
        dy = points[2 * p + 1] - endY;
      // The direction of a short dash is imprecise, so the offset of the next one is tested, with more tolerance if it
      // is far.
      if (Math.abs(dx * uy - dy * ux) > OFF * point * (1 + Math.hypot(dx, dy) / Math.max(lengths[a], point) / 4))
        return undefined;
      along.push(dx * ux + dy * uy);
    }
    const gap = Math.min(along[0], along[1]);
    return gap > 0.2 * point && gap <= GAP * point ? gap : undefined;
  };
  for (let first = 0; first < count; first++) {
    if (!isDash(first)) continue;
    const gaps: number[] = [];
    let last = first;
    for (; last + 1 < count && isDash(last + 1); last++) {
      const gap = gapOf(last, last + 1);
      if (gap === undefined || (gaps.length > 0 && Math.abs(gap - gaps[0]) > UNEVEN * gaps[0])) break;
      gaps.push(gap);
    }
    if (gaps.length + 1 < FEWEST) continue;
    // The dashes at both ends may be cut short.
    const inner = Array.from(lengths.subarray(first + 1, last));
    const line = Math.max(...inner) > LONG * Math.min(...inner) ? 'center' : 'hidden';
    for (let i = first; i <= last; i++) each(i, line);
    first = last;
  }
}
