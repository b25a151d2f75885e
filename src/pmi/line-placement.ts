import { TurnedFrame, type Point } from '../content/geometry.js';
import type { Sheet } from '../content/sheet.js';
import type { LineIndex } from './line-index.js';
import { PMI_TYPE, type PmiTypeId } from './pmi.js';
import type { TextLine } from './text-lines.js';

/** A filled arrowhead; its place is that of the tip. */
export interface Arrowhead extends Point {
  /** Direction in which it points, length 1. */
  readonly dx: number;
  readonly dy: number;
  readonly length: number;
}

const MOST_ARROWS = 2_000;
/** Points of the path of a head, with those that are said twice. */
const MOST_CORNERS = 6;
/** How far the back of a head may be hollow, as a share of its length, and how far beside its axis that corner is. */
const HOLLOW = [-0.03, 0.6] as const;
const BESIDE_AXIS = 0.1;
/** An arrowhead is at least this many times as long as wide. */
const SLENDER = [1.2, 8] as const;
/** Longest arrowhead, share of the sheet's longer side. */
const LONGEST = 0.03;
/**
 * In letter heights: how far the dimension line may be above and below the baseline, and how far the value beyond its
 * ends.
 */
const ABOVE = 2;
const BELOW = 1.4;
const BESIDE = 6;
/** How much room between arrows counts as distance, and most room for a value between arrows that point at it. */
const FAR = 0.05;
const MOST_ROOM = 20;
/** How much of the line between its heads is drawn, at least: it may be broken. */
const LEAST_DRAWN = 0.4;
/** Arrows of one line are offset sideways by less than this, in letter heights. */
const SAME_LINE = 0.2;

/** Slender triangles that are filled or closed, the back straight or hollow. */
export function arrowheadsOf({ strokes: { count, points, starts }, width, height }: Sheet): Arrowhead[] {
  const found: Arrowhead[] = [];
  for (let stroke = 0; stroke < count && found.length < MOST_ARROWS; stroke++) {
    const start = starts[stroke];
    if (starts[stroke + 1] - start > MOST_CORNERS) continue;
    const corners: Point[] = [];
    for (let i = start; i < starts[stroke + 1]; i++) {
      const corner = { x: points[2 * i], y: points[2 * i + 1] };
      // A closed path ends where it begins, and a solid of CAD says its last corner twice.
      if (!corners.some(({ x, y }) => x === corner.x && y === corner.y)) corners.push(corner);
    }
    const arrow = headOf(corners);
    if (arrow !== undefined && arrow.length > 0 && arrow.length < LONGEST * Math.max(width, height)) found.push(arrow);
  }
  return found;
}

/** Whether four corners are those of a head with a hollow or divided back. */
export function isHollowHead(corners: readonly Point[]): boolean {
  return corners.length === 4 && (headOf(corners)?.length ?? 0) > 0;
}

/** The longest head of three corners, or of four, the one across from its tip in the middle of its back. */
function headOf(corners: readonly Point[]): Arrowhead | undefined {
  if (corners.length !== 3 && corners.length !== 4) return undefined;
  const turned = corners.map((_, i) => [...corners.slice(i), ...corners.slice(0, i)]);
  const heads = turned.map((each) =>
    each.length === 3 ? arrowOf(each[0], each[1], each[2]) : hollowArrowOf(each[0], each[1], each[2], each[3]),
  );
  return heads.sort((p, q) => q.length - p.length)[0];
}

/** As `arrowOf`, with a corner in its back. */
function hollowArrowOf(tip: Point, b: Point, back: Point, c: Point): Arrowhead {
  const arrow = arrowOf(tip, b, c);
  const { dx, dy, length } = arrow;
  const [x, y] = [back.x - (b.x + c.x) / 2, back.y - (b.y + c.y) / 2];
  const depth = x * dx + y * dy;
  const isInBack =
    depth >= HOLLOW[0] * length && depth < HOLLOW[1] * length && Math.abs(x * dy - y * dx) < BESIDE_AXIS * length;
  return isInBack ? arrow : { ...arrow, length: 0 };
}

/**
 * The arrowhead with its tip in the first corner; its length is 0 where the triangle is not slender or not symmetric.
 */
function arrowOf(tip: Point, b: Point, c: Point): Arrowhead {
  const dx = tip.x - (b.x + c.x) / 2,
    dy = tip.y - (b.y + c.y) / 2;
  const length = Math.hypot(dx, dy),
    base = Math.hypot(b.x - c.x, b.y - c.y);
  const isEven = Math.abs(dx * (b.x - c.x) + dy * (b.y - c.y)) < 0.15 * length * base;
  const isArrow = isEven && length > SLENDER[0] * base && length < SLENDER[1] * base;
  return { x: tip.x, y: tip.y, dx: dx / length, dy: dy / length, length: isArrow ? length : 0 };
}

/**
 * The type of a dimension by its arrows (types 0 and 7 to 10), found among the arrowheads and lines of a sheet without
 * entities. Type 6 where no pair of arrows belongs to the value.
 */
export function linePlacement(line: TextLine, arrows: readonly Arrowhead[], index: LineIndex): PmiTypeId {
  const frame = new TurnedFrame(line.angleRad),
    { height } = line;
  const along = arrows
    .flatMap((arrow) => {
      const t = frame.t(arrow.x, arrow.y),
        turn = frame.s(arrow.dx, arrow.dy);
      return Math.abs(turn) > 0.98 && t > line.t - ABOVE * height && t < line.t + BELOW * height
        ? [{ s: frame.s(arrow.x, arrow.y), t, points: Math.sign(turn), length: arrow.length }]
        : [];
    })
    .sort((a, b) => a.s - b.s);
  const middle = (line.start + line.end) / 2;
  let best: Pair | undefined,
    least = BESIDE * height;
  along.forEach((first, i) => {
    // Heads of two dimensions may meet at one place, tip to tip.
    const second = along
      .slice(i + 1)
      .find(({ s, t }) => Math.abs(t - first.t) < SAME_LINE * height && s - first.s > SAME_LINE * height);
    if (second === undefined || second.points === first.points) return;
    const pair = { first, second };
    // Arrows of two dimensions beside this one are farther apart than its own.
    const room = Math.max(0, second.s - first.s - (line.end - line.start));
    const away = Math.max(0, first.s - line.end, line.start - second.s) + 0.3 * Math.abs(first.t - line.t) + FAR * room;
    const isBetween = middle > first.s && middle < second.s;
    // What has neither a line from arrow to arrow nor the arrows right beside it is another one's.
    if (isBetween && (first.points < 0 ? !isJoined(pair, line, { frame, index }) : room > MOST_ROOM * height)) return;
    if (away < least) [least, best] = [away, pair];
  });
  if (best === undefined) return PMI_TYPE.arrows;
  const { first, second } = best as Pair;
  const isInside = middle > first.s && middle < second.s;
  if (first.points < 0) return isInside ? PMI_TYPE.arrowsInsideValueInside : PMI_TYPE.arrowsInsideValueOutside;
  if (isInside) return PMI_TYPE.gapValueInside;
  const covered = covering(first.s, second.s, first.t, { frame, index, height });
  return covered > 0.5 * (second.s - first.s) ? PMI_TYPE.arrowsOutsideValueOutside : PMI_TYPE.gapValueOutside;
}

/** Two arrows of one line; `points` is the sign of their direction along it. */
interface Pair {
  readonly first: PlacedArrow;
  readonly second: PlacedArrow;
}

interface PlacedArrow {
  readonly s: number;
  readonly t: number;
  readonly points: number;
  readonly length: number;
}

/** Whether a line leads from arrow to arrow, at most with a gap for the value. */
function isJoined(
  { first, second }: Pair,
  { start, end, height }: TextLine,
  of: { readonly frame: TurnedFrame; readonly index: LineIndex },
): boolean {
  // The line of filled heads may end in their backs.
  const [from, to] = [first.s + first.length, second.s - second.length];
  if (to - from < height) return true;
  const parts = [
    [from, Math.max(from, Math.min(start, to))],
    [Math.min(to, Math.max(end, from)), to],
  ] as const;
  const room = parts.reduce((sum, [from, to]) => sum + to - from, 0);
  const drawn = parts.reduce((sum, [from, to]) => sum + covering(from, to, first.t, { ...of, height }), 0);
  return drawn > LEAST_DRAWN * room || room < height;
}

/** How much of a stretch of a dimension line is drawn. */
function covering(
  from: number,
  to: number,
  t: number,
  { frame, index, height }: { readonly frame: TurnedFrame; readonly index: LineIndex; readonly height: number },
): number {
  return index
    .nearIn(frame, (from + to) / 2, t, (to - from) / 2)
    .filter(({ y0, y1 }) => Math.abs(y0 - t) + Math.abs(y1 - t) < SAME_LINE * height)
    .reduce(
      (sum, { x0, x1 }) => sum + Math.max(0, Math.min(to, Math.max(x0, x1)) - Math.max(from, Math.min(x0, x1))),
      0,
    );
}
