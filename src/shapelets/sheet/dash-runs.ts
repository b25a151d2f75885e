import type { Sheet } from '../../content/sheet.js';
import type { SheetMeasures } from '../sheet-measures.js';

/** Points: the longest dash and the longest gap; how far dashes of one line are apart across it. */
const LONGEST = 60;
const GAP = 9;
const OFF = 0.3;
/** Dashes that make a line, and by how much gaps of one line differ. */
const FEWEST = 4;
const UNEVEN = 0.35;
/** The long dashes of a centre line are so many times longer than its short ones. */
const LONG = 1.8;

/** What a line that is drawn dash by dash says. */
export type DashedLine = 'hidden' | 'center';

/**
 * Finds lines whose dashes are strokes of their own, as many programs write them: short straight strokes of one style that follow each
 * other in the file, on one line, with equal gaps.
 * @param each is called with every stroke of such a line.
 */
export function findDashRuns(
  { strokes: { count, points, starts, styles } }: Sheet,
  { lengths, point }: SheetMeasures,
  each: (stroke: number, line: DashedLine) => void,
): void {
  const isDash = (i: number): boolean =>
    starts[i + 1] - starts[i] === 2 && lengths[i] <= LONGEST * point && lengths[i] > 0;
  /** The gap from one dash to the next; undefined where they do not go on from each other. */
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
      // Directions of short dashes are rough: what counts is how far the next one lies off.
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
    // The dashes at both ends are cut as it comes.
    const inner = Array.from(lengths.subarray(first + 1, last));
    const line = Math.max(...inner) > LONG * Math.min(...inner) ? 'center' : 'hidden';
    for (let i = first; i <= last; i++) each(i, line);
    first = last;
  }
}
