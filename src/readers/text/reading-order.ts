/**
 * Pieces on one baseline without a wide gap, in a frame turned by their angle: s runs along the line, t down across
 * lines.
 */
export interface Segment {
  readonly text: string;
  readonly sStart: number;
  readonly sEnd: number;
  /** The baseline. */
  readonly t: number;
  readonly height: number;
}

/** Most lines among which columns are searched, which takes quadratic time; more are ordered by place alone. */
const MOST_FOR_COLUMNS = 3_000;
/** Least width of the gutter between columns, in letter sizes. */
const GUTTER = 0.9;
/** Least median length, in letter sizes, and least number of the lines on each side of a gutter. */
const LINE_LENGTH = 9;
const LINES = 3;

/**
 * Sorts the lines of a page into reading order by recursive XY cuts (Nagy and Seth 1984): the page is divided at its
 * widest blank horizontal stripe, again and again. A vertical stripe divides only columns of running text, because
 * tables are read row by row.
 */
export function readingOrder(segments: readonly Segment[]): Segment[] {
  if (segments.length > MOST_FOR_COLUMNS) return byRow(segments);
  const ordered: Segment[] = [];
  const pending: (readonly Segment[])[] = [segments];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    const halves = part.length < 2 ? undefined : (atGutter(part) ?? atGap(part));
    if (halves === undefined) for (const segment of byRow(part)) ordered.push(segment);
    else pending.push(halves[1], halves[0]);
  }
  return ordered;
}

/** Sorts by line and within a line by place; baselines that differ a little are one line. */
function byRow(segments: readonly Segment[]): Segment[] {
  const sorted = [...segments].sort((a, b) => a.t - b.t || a.sStart - b.sStart);
  const ordered: Segment[] = [];
  for (let first = 0; first < sorted.length; ) {
    let last = first + 1;
    while (
      last < sorted.length &&
      sorted[last].t - sorted[first].t <= 0.3 * Math.min(sorted[last].height, sorted[first].height)
    )
      last++;
    for (const segment of sorted.slice(first, last).sort((a, b) => a.sStart - b.sStart)) ordered.push(segment);
    first = last;
  }
  return ordered;
}

type Halves = readonly [Segment[], Segment[]];

/** The parts left and right of the widest gutter with running text on both sides. */
function atGutter(segments: readonly Segment[]): Halves | undefined {
  if (segments.length < 2 * LINES) return undefined;
  const sorted = [...segments].sort((a, b) => a.sStart - b.sStart);
  const least = GUTTER * median(segments.map(({ height }) => height));
  let end = sorted[0].sEnd;
  let best: { at: number; width: number } | undefined;
  for (let i = 1; i < sorted.length; i++) {
    const width = sorted[i].sStart - end;
    if (width >= least && width > (best?.width ?? 0) && i >= LINES && sorted.length - i >= LINES) {
      if (isRunningText(sorted.slice(0, i)) && isRunningText(sorted.slice(i))) best = { at: i, width };
    }
    end = Math.max(end, sorted[i].sEnd);
  }
  return best === undefined ? undefined : [sorted.slice(0, best.at), sorted.slice(best.at)];
}

/** The parts above and below the widest gap between lines. */
function atGap(segments: readonly Segment[]): Halves | undefined {
  const sorted = [...segments].sort((a, b) => top(a) - top(b));
  let bottom = sorted[0].t;
  let best: { at: number; width: number } | undefined;
  for (let i = 1; i < sorted.length; i++) {
    const width = top(sorted[i]) - bottom;
    if (width > (best?.width ?? 0)) best = { at: i, width };
    bottom = Math.max(bottom, sorted[i].t);
  }
  return best === undefined ? undefined : [sorted.slice(0, best.at), sorted.slice(best.at)];
}

function isRunningText(segments: readonly Segment[]): boolean {
  return median(segments.map(({ sStart, sEnd, height }) => (sEnd - sStart) / height)) >= LINE_LENGTH;
}

/** Top of a line, taken at half the letter size, so that closely set lines still have a gap. */
function top({ t, height }: Segment): number {
  return t - 0.5 * height;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
