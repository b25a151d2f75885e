import { isLevel, TurnedFrame } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import type { Edge, LineIndex } from '../line-index.js';
import type { TextLine } from '../text-lines.js';

/** A row of boxes around a line of text, in the frame of the text. */
export interface Frame {
  /** Positions of its upper and lower line. */
  readonly top: number;
  readonly bottom: number;
  /** Where its upright lines cross the middle, ascending: n + 1 for n cells. */
  readonly bars: readonly number[];
  /** How far upright lines shift along the text from top to bottom: not 0 where the text is skewed. */
  readonly skew: number;
}

/**
 * In letter heights: distance of a frame's lines from the middle of the letters, of cells from the ends of the text,
 * thickness of what counts as one line, and the widest cell.
 */
const REACH = 1.7;
const ROW_REACH = 16;
const NEAREST = 0.38;
const THIN = 0.1;
const WIDEST = 40;
const MIDDLE = 0.35;
const MOST_CELLS = 8;
/** A line is level in the frame of a text; slanted ones of pixels are known to a degree, as their texts are. */
const LEVEL = 0.03;
const SLANTED = 0.1;
const LEVEL_SLANTED = 0.055;
/** What crosses a row and differs by more from the slope of its bars, width by height, is none of them. */
const OTHER_SLOPE = 0.4;
/** By which share the guessed width of a text is too large: a 1 of some fonts is narrower than other figures. */
const TOO_WIDE = 0.15;
/** As a share of a cell: what is missing at both ends of an arm of a symbol in it. */
const ARM = 0.12;
/** Around more level lines than this no boxes of cells are joined: it is a hatch. */
const MOST_JOINED = 100;
/** As shares of a row's height: the widest cell of a symbol that rows share, and how high it may be. */
const WIDEST_SIGN = 4;
const MOST_ROWS = 6;

/** The frame around a line of text; undefined when there is none. */
export function frameAbout(line: TextLine, index: LineIndex): Frame | undefined {
  return framesAbout(line, index, chain);
}

/**
 * The box of one cell that is drawn around a text for itself, as around exact sizes; undefined where lines of something
 * else happen to stand around it: three of its sides at least end at its corners.
 */
export function boxAbout(line: TextLine, index: LineIndex): Frame | undefined {
  return framesAbout(line, index, ownBox, MOST_SHEARED);
}

type FrameOf = (
  crossing: readonly Edge[],
  along: readonly Edge[],
  line: TextLine,
  rows: Pick<Frame, 'top' | 'bottom'>,
) => Frame | undefined;

/** How much narrower a line may be than guessed, where the widths of its letters are not known. */
function tooWide({ pieces }: TextLine): number {
  return TOO_WIDE * pieces.reduce((sum, { start, end, slack = 0 }) => sum + (slack > 0 ? end - start : 0), 0);
}

/** @param sheared how far its upper and lower line may be shifted against the text, in letter heights. */
function framesAbout(line: TextLine, index: LineIndex, frameOf: FrameOf, sheared = 0): Frame | undefined {
  const { angleRad, height, start, end } = line;
  const middle = line.t - MIDDLE * height;
  const reach = (end - start) / 2 + ROW_REACH * height;
  const edges = index.nearIn(new TurnedFrame(angleRad), (start + end) / 2, middle, reach);
  const isInReach = ({ y0, y1 }: Edge): boolean => Math.abs((y0 + y1) / 2 - middle) < (REACH + THIN) * height;
  const level = Math.abs(Math.sin(2 * angleRad)) > SLANTED ? LEVEL_SLANTED : LEVEL;
  const along = withJoined(
    edges.filter((edge) => isLevel(edge, level) && isInReach(edge) && Math.abs(edge.x1 - edge.x0) > 0.5 * height),
    THIN * height,
  );
  const over = (0.3 + sheared) * height;
  const isOver = ({ x0, x1 }: Edge): boolean =>
    Math.min(x0, x1) < start + over && Math.max(x0, x1) > end - over - tooWide(line);
  const levels = along.filter(isOver).map(({ y0, y1 }) => (y0 + y1) / 2 - middle);
  const tops = levels.filter((t) => t < -NEAREST * height && t > -REACH * height).sort((a, b) => b - a);
  const bottoms = levels.filter((t) => t > NEAREST * height && t < REACH * height).sort((a, b) => a - b);
  for (const above of tops.slice(0, 4)) {
    for (const below of bottoms.slice(0, 4)) {
      const top = middle + above,
        bottom = middle + below;
      const crossing = edges.filter(({ x0, y0, x1, y1 }) => {
        const upper = Math.min(y0, y1),
          lower = Math.max(y0, y1);
        return (
          Math.abs(x1 - x0) < 1.2 * (lower - upper) &&
          upper < top + THIN * height &&
          lower > bottom - THIN * height &&
          upper > top - 6 * height &&
          lower < bottom + 6 * height
        );
      });
      const frame = frameOf(crossing, along, line, { top, bottom });
      if (frame !== undefined) return frame;
    }
  }
  return undefined;
}

/**
 * The cell before a frame that is higher than the frame, as where rows share one symbol; undefined when there is none.
 */
export function tallCellBefore(
  { top, bottom, bars, skew }: Frame,
  line: TextLine,
  index: LineIndex,
): Frame | undefined {
  const { angleRad, height } = line;
  const high = bottom - top,
    lean = skew / high,
    middle = (top + bottom) / 2;
  const edges = index.nearIn(new TurnedFrame(angleRad), bars[0], middle, WIDEST_SIGN * high);
  // Where an upright line would cross the middle of the row.
  const pieces = edges
    .filter(
      ({ x0, y0, x1, y1 }) => Math.abs(y1 - y0) > 0.5 * high && Math.abs(x1 - x0 - lean * (y1 - y0)) < THIN * height,
    )
    .map(({ x0, y0, y1 }) => ({ at: x0 + lean * (middle - y0), upper: Math.min(y0, y1), lower: Math.max(y0, y1) }))
    .sort((a, b) => a.at - b.at || a.upper - b.upper);
  // A bar may be drawn in several pieces, one by the box of each row.
  const uprights: { at: number; upper: number; lower: number }[] = [];
  for (const piece of pieces) {
    const last = uprights.find(
      (each) =>
        Math.abs(each.at - piece.at) < THIN * height &&
        piece.upper < each.lower + THIN * height &&
        piece.lower > each.upper - THIN * height,
    );
    if (last === undefined) uprights.push({ ...piece });
    else [last.upper, last.lower] = [Math.min(last.upper, piece.upper), Math.max(last.lower, piece.lower)];
  }
  for (const { at, upper, lower } of uprights.toSorted((a, b) => b.at - a.at)) {
    const wide = bars[0] - at;
    if (
      wide < 0.6 * high ||
      wide > WIDEST_SIGN * high ||
      upper > top + THIN * height ||
      lower < bottom - THIN * height ||
      lower - upper < 1.5 * high ||
      lower - upper > MOST_ROWS * high
    )
      continue;
    const isClosed = [upper, lower].every((level) =>
      edges.some(
        (edge) =>
          isLevel(edge, 0.03) &&
          Math.abs((edge.y0 + edge.y1) / 2 - level) < THIN * height &&
          Math.min(edge.x0, edge.x1) < at + lean * (level - middle) + 0.3 * high &&
          Math.max(edge.x0, edge.x1) > bars[0] + lean * (level - middle) - 0.3 * high,
      ),
    );
    if (!isClosed) continue;
    // A frame's bars are those at its own middle.
    const shift = lean * ((upper + lower) / 2 - middle);
    return { top: upper, bottom: lower, bars: [at + shift, bars[0] + shift], skew: lean * (lower - upper) };
  }
  return undefined;
}

/** Level pieces, and the lines that touching pieces make together: some programs draw a box for each cell. */
function withJoined(pieces: readonly Edge[], thin: number): Edge[] {
  const joined: { edge: Edge; isLonger: boolean }[] = [];
  if (pieces.length > MOST_JOINED) return [...pieces];
  for (const piece of pieces.toSorted((a, b) => Math.min(a.x0, a.x1) - Math.min(b.x0, b.x1))) {
    const [left, right] = [Math.min(piece.x0, piece.x1), Math.max(piece.x0, piece.x1)];
    const last = joined.find(
      ({ edge: { x1, y0, y1 } }) => Math.abs((y0 + y1 - piece.y0 - piece.y1) / 2) < thin && left < x1 + thin,
    );
    if (last === undefined) joined.push({ edge: { ...piece, x0: left, x1: right }, isLonger: false });
    else if (right > last.edge.x1) [last.edge, last.isLonger] = [{ ...last.edge, x1: right }, true];
  }
  return [...pieces, ...joined.filter(({ isLonger }) => isLonger).map(({ edge }) => edge)];
}

/** Ends of a side are nearer to the corners of its box, in letter heights. */
const AT_CORNER = 0.35;
/** Most bars on a side of a text that may be those of its box. */
const MOST_BARS = 4;
/** The same where they lean: lines of a view or a dimension reach beyond each other there. */
const AT_LEANING_CORNER = 0.1;
/** Highest box of one text, and how far its upper and lower line are shifted where it is sheared, in letter heights. */
const HIGHEST_BOX = 2.4;
const MOST_SHEARED = 0.8;

function ownBox(
  crossing: readonly Edge[],
  along: readonly Edge[],
  { height, start, end }: TextLine,
  { top, bottom }: Pick<Frame, 'top' | 'bottom'>,
): Frame | undefined {
  const middle = (top + bottom) / 2;
  if (bottom - top > HIGHEST_BOX * height) return undefined;
  const bars = crossing.map((edge) => {
    const slope = (edge.x1 - edge.x0) / (edge.y1 - edge.y0);
    const [upper, lower] = [Math.min(edge.y0, edge.y1), Math.max(edge.y0, edge.y1)];
    // How far its ends are off the corners.
    const off = Math.max(Math.abs(upper - top), Math.abs(lower - bottom)) / height;
    return { at: edge.x0 + slope * (middle - edge.y0), skew: slope * (bottom - top), off };
  });
  const slack = 0.35 * height;
  const nearest = (from: number, isBeside: (at: number) => boolean): typeof bars =>
    bars
      .filter(({ at }) => isBeside(at))
      .sort((a, b) => Math.abs(a.at - from) - Math.abs(b.at - from))
      .slice(0, MOST_BARS);
  const lefts = nearest(start, (at) => at < start + slack && at > start - 2 * height);
  const rights = nearest(end, (at) => at > end - slack && at < end + 2 * height);
  for (const left of lefts)
    for (const right of rights) {
      if (Math.abs(left.skew - right.skew) > AT_CORNER * height) continue;
      const leans = Math.abs(left.skew) > AT_CORNER * height;
      const near = leans ? AT_LEANING_CORNER : AT_CORNER;
      const sides = [top, bottom].filter((t) =>
        along.some(({ x0, x1, y0, y1 }) => {
          const shift = left.skew * ((t - middle) / (bottom - top));
          return (
            Math.abs((y0 + y1) / 2 - t) < THIN * height &&
            Math.abs(Math.min(x0, x1) - left.at - shift) < near * height &&
            Math.abs(Math.max(x0, x1) - right.at - shift) < near * height
          );
        }),
      ).length;
      // Leaning lines about a size are more often those of a view than of a box.
      if (sides + Number(left.off < near) + Number(right.off < near) >= (leans ? 4 : 3))
        return { top, bottom, bars: [left.at, right.at], skew: left.skew };
    }
  return undefined;
}

function chain(
  crossing: readonly Edge[],
  along: readonly Edge[],
  line: TextLine,
  { top, bottom }: Pick<Frame, 'top' | 'bottom'>,
): Frame | undefined {
  const { height, start, end } = line;
  const middle = (top + bottom) / 2;
  const bars: number[] = [];
  const slopes: number[] = [];
  const crossed = crossing.map((edge) => ({
    at: edge.x0 + ((edge.x1 - edge.x0) * (middle - edge.y0)) / (edge.y1 - edge.y0),
    slope: (edge.x1 - edge.x0) / (edge.y1 - edge.y0),
    // Whether it goes on above the row and below it, as an edge of a view that crosses the row.
    passes:
      Math.min(edge.y0, edge.y1) < top - AT_CORNER * height && Math.max(edge.y0, edge.y1) > bottom + AT_CORNER * height,
  }));
  const own = medianOf(crossed.filter(({ passes }) => !passes).map(({ slope }) => slope));
  for (const { at, slope } of crossed
    .filter(({ slope, passes }) => !passes || own === undefined || Math.abs(slope - own) < OTHER_SLOPE)
    .sort((a, b) => a.at - b.at)) {
    if (bars.length > 0 && at - bars[bars.length - 1] < THIN * height) continue;
    bars.push(at);
    slopes.push(slope);
  }
  // Cells lie between bars that reach both lines, which a slanted row shifts. An arm of a symbol before two rows is
  // none of these: it ends before both bars.
  const isCovered = (from: number, to: number): boolean => {
    const [open, short] = [0.6 * height, ARM * (to - from)];
    return [top, bottom].every((t) =>
      along.some(({ x0, x1, y0, y1 }) => {
        if (Math.abs((y0 + y1) / 2 - t) >= THIN * height) return false;
        const [before, behind] = [Math.min(x0, x1) - from, to - Math.max(x0, x1)];
        return before < open && behind < open && Math.min(before, behind) < short;
      }),
    );
  };
  const slack = 0.35 * height;
  let first = bars.findLastIndex((bar) => bar < start + slack);
  let last = bars.findIndex((bar) => bar > end - slack - tooWide(line));
  if (first < 0 || last <= first) return undefined;
  while (first > 0 && bars[first] - bars[first - 1] < WIDEST * height && isCovered(bars[first - 1], bars[first]))
    first--;
  while (
    last + 1 < bars.length &&
    bars[last + 1] - bars[last] < WIDEST * height &&
    isCovered(bars[last], bars[last + 1])
  )
    last++;
  const within = bars.slice(first, last + 1);
  if (within.length - 1 > MOST_CELLS) return undefined;
  // Leaders and edges of views that cross the row beyond its cells lean by themselves.
  return { top, bottom, bars: within, skew: (medianOf(slopes.slice(first, last + 1)) ?? 0) * (bottom - top) };
}
