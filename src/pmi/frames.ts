import type { Edge, LineIndex } from './line-index.js';
import type { TextLine } from './text-lines.js';

/** A row of boxes about a line of text, in the frame of the text. */
export interface Frame {
  /** Its upper and lower line. */
  readonly top: number;
  readonly bottom: number;
  /** Where its upright lines cross the middle, rising. n + 1 of n cells. */
  readonly bars: readonly number[];
  /** How far upright lines move along the text from top to bottom: not 0 where the text is skewed. */
  readonly skew: number;
}

/** As shares of the letters' height: reach of a frame's lines from the middle of the letters, of a row's cells from its ends, thickness of what counts as one line, and the widest cell. */
const REACH = 1.7;
const ROW_REACH = 16;
const NEAREST = 0.38;
const THIN = 0.1;
const WIDEST = 40;
const MIDDLE = 0.35;
const MOST_CELLS = 8;

/** The frame that a line of text stands in; undefined when there is none. */
export function frameAbout(line: TextLine, index: LineIndex): Frame | undefined {
  const { angleRad, height, start, end } = line;
  const cos = Math.cos(angleRad), sin = Math.sin(angleRad);
  const middle = line.t - MIDDLE * height;
  const s = (start + end) / 2;
  const half = (end - start) / 2;
  const edges = index.near(s * cos - middle * sin, s * sin + middle * cos, half + ROW_REACH * height)
    .map((edge) => turned(edge, cos, sin));
  const along = edges.filter(({ y0, y1, x0, x1 }) => Math.abs(y1 - y0) < 0.03 * Math.abs(x1 - x0) && Math.abs(x1 - x0) > 0.5 * height);
  const isOver = ({ x0, x1 }: Edge): boolean => Math.min(x0, x1) < start + 0.3 * height && Math.max(x0, x1) > end - 0.3 * height;
  const levels = along.filter(isOver).map(({ y0, y1 }) => (y0 + y1) / 2 - middle);
  const tops = levels.filter((t) => t < -NEAREST * height && t > -REACH * height).sort((a, b) => b - a);
  const bottoms = levels.filter((t) => t > NEAREST * height && t < REACH * height).sort((a, b) => a - b);
  for (const above of tops.slice(0, 4)) {
    for (const below of bottoms.slice(0, 4)) {
      const top = middle + above, bottom = middle + below;
      const crossing = edges.filter(({ x0, y0, x1, y1 }) => {
        const upper = Math.min(y0, y1), lower = Math.max(y0, y1);
        return Math.abs(x1 - x0) < 1.2 * (lower - upper) && upper < top + THIN * height && lower > bottom - THIN * height
          && upper > top - 6 * height && lower < bottom + 6 * height;
      });
      const frame = chain(crossing, along, { top, bottom, height, start, end });
      if (frame !== undefined) return frame;
    }
  }
  return undefined;
}

interface Band {
  readonly top: number;
  readonly bottom: number;
  readonly height: number;
  readonly start: number;
  readonly end: number;
}

function chain(crossing: readonly Edge[], along: readonly Edge[], { top, bottom, height, start, end }: Band): Frame | undefined {
  const middle = (top + bottom) / 2;
  const bars: number[] = [];
  let skew = 0;
  for (const { at, slope } of crossing.map((edge) => ({ at: edge.x0 + ((edge.x1 - edge.x0) * (middle - edge.y0)) / (edge.y1 - edge.y0), slope: (edge.x1 - edge.x0) / (edge.y1 - edge.y0) })).sort((a, b) => a.at - b.at)) {
    if (bars.length > 0 && at - bars[bars.length - 1] < THIN * height) continue;
    bars.push(at);
    skew = slope * (bottom - top);
  }
  // The cells are those between bars that both lines reach over.
  const isCovered = (from: number, to: number): boolean => [top, bottom].every((t) => along.some(({ x0, x1, y0, y1 }) => Math.abs((y0 + y1) / 2 - t) < THIN * height
    && Math.min(x0, x1) < from + 0.6 * height && Math.max(x0, x1) > to - 0.6 * height));
  const slack = 0.35 * height;
  let first = bars.findLastIndex((bar) => bar < start + slack);
  let last = bars.findIndex((bar) => bar > end - slack);
  if (first < 0 || last <= first) return undefined;
  while (first > 0 && bars[first] - bars[first - 1] < WIDEST * height && isCovered(bars[first - 1], bars[first])) first--;
  while (last + 1 < bars.length && bars[last + 1] - bars[last] < WIDEST * height && isCovered(bars[last], bars[last + 1])) last++;
  const within = bars.slice(first, last + 1);
  return within.length - 1 > MOST_CELLS ? undefined : { top, bottom, bars: within, skew };
}

/** An edge in the frame of a direction. */
export function turned({ x0, y0, x1, y1, stroke }: Edge, cos: number, sin: number): Edge {
  return { x0: x0 * cos + y0 * sin, y0: y0 * cos - x0 * sin, x1: x1 * cos + y1 * sin, y1: y1 * cos - x1 * sin, stroke };
}
