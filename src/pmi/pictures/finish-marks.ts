import { boxOfBoxes, boxOfPoints } from '../page-frame.js';
import { isLevel, lengthOf, TurnedFrame } from '../../content/geometry.js';
import type { DrawnSymbol } from '../drawn-symbols.js';
import type { Edge, LineIndex } from '../line-index.js';
import { PMI_TYPE, type PmiTypeId } from '../pmi.js';
import { boxOfLine, type TextLine } from '../text-lines.js';

/** Values of surface texture: those that a mark needs beside them, and those that say what they are. */
const PLAIN = /^(?:0[.,](?:0?25|05|1|2|4|8)|1[.,]6|3[.,]2|6[.,]3|12[.,]5|25|50|100)$/;
const NAMED = /^R[az]\s?\d+(?:[.,]\d+)?$/;
/** Values whose point was not seen: none in µm is written so; those in µin are, on sheets that begin with points. */
const WITHOUT_POINT = /^(?:Ra\s?)?(?:0[248]|16|32|63|125)$/;
/** Height of capitals as a share of the font's. */
const CAPITALS = 0.72;
/** Direction of the long leg, and how far it may be off, degrees. */
const LEG_DEG = 60;
const OFF_DEG = 7;
/** Length of the leg, or of what stands above its bar, in heights of capitals. */
const LEG = [1.3, 6] as const;
/** Ends of lines that meet, in the same. */
const MEETS = 0.4;
/** A value without a name ends so far before the leg at its height. */
const BEFORE = [-0.6, 2.6] as const;
/** Share of the long leg that stands above the bar (ISO 1302). */
const ABOVE_BAR = 1.2 / 2.2;
/**
 * The circle in a mark touches both legs, so that its middle is twice its radius above the foot: how far that is, in
 * heights of the mark, and how many places between are tried.
 */
const RING_UP = [0.2, 0.34] as const;
const RING_STEPS = 8;
/** Most lines about a value that are tried. */
const MOST = 60;

/** Whether a circle of a radius stands about a place of a page of pixels, which lines may touch. */
export type RingReader = (x: number, y: number, radius: number) => boolean;

/**
 * Marks of surface texture on pages of pixels, where the short leg is no longer than a letter and is no line: the long
 * one beside its value, with what else is there: the bar that closes the mark, a circle in it, the bar above `Ra`.
 * @param point the decimal sign of a sheet that writes numbers below one with a zero before it.
 * @param ringAt finds circles that are smaller than those of the page's lines.
 */
export function finishMarks(
  lines: readonly TextLine[],
  index: LineIndex,
  point?: string,
  ringAt?: RingReader,
): DrawnSymbol[] {
  return lines.flatMap((line): DrawnSymbol[] => {
    const isNamed = NAMED.test(line.text);
    const text = point !== undefined && WITHOUT_POINT.test(line.text) ? withPoint(line.text, point) : line.text;
    if (!isNamed && !PLAIN.test(text)) return [];
    const mark = markBeside(line, { index, isNamed, ringAt });
    if (mark === undefined) return [];
    const { type, box } = mark;
    return [{ lines: [line], finding: { type, box: boxOfBoxes([box, boxOfLine(line)]), parts: [{ text }] } }];
  });
}

/** A value with its point before its last figure. */
function withPoint(text: string, point: string): string {
  return `${text.slice(0, -1)}${point}${text.slice(-1)}`;
}

function markBeside(
  line: TextLine,
  {
    index,
    isNamed,
    ringAt,
  }: { readonly index: LineIndex; readonly isNamed: boolean; readonly ringAt: RingReader | undefined },
): { readonly type: PmiTypeId; readonly box: ReturnType<typeof boxOfPoints> } | undefined {
  const frame = new TurnedFrame(line.angleRad);
  const capital = CAPITALS * line.height;
  const middle = line.t - capital / 2;
  const near = index.nearIn(frame, (line.start + line.end) / 2, middle, (line.end - line.start) / 2 + 4 * capital);
  const level = near.filter((edge) => isLevel(edge, 0.05) && lengthOf(edge) > 0.8 * capital).slice(0, MOST);
  const meets = (x: number, y: number, toX: number, toY: number): boolean =>
    Math.hypot(x - toX, y - toY) < MEETS * capital;
  for (const edge of near.slice(0, 4 * MOST)) {
    const leg = edge.y0 > edge.y1 ? edge : { ...edge, x0: edge.x1, y0: edge.y1, x1: edge.x0, y1: edge.y0 };
    const long = lengthOf(leg);
    const degrees = (Math.atan2(leg.y0 - leg.y1, leg.x1 - leg.x0) * 180) / Math.PI;
    if (long < LEG[0] * capital || long > LEG[1] * capital || Math.abs(degrees - LEG_DEG) > OFF_DEG) continue;
    const above = level.find((each) => meets(Math.min(each.x0, each.x1), each.y0, leg.x1, leg.y1));
    if (isNamed ? !isBelow(line, above, capital) : above !== undefined || !isBefore(line, leg, capital)) continue;
    // A bar that ends at the foot of what stands above it; otherwise the whole leg stands on a line.
    const bar = level.find((each) => meets(Math.max(each.x0, each.x1), each.y0, leg.x0, leg.y0) && each !== above);
    const share = bar === undefined ? 1 : 1 / ABOVE_BAR;
    const [high, wide] = [share * (leg.y0 - leg.y1), share * (leg.x1 - leg.x0)];
    const [footX, footY] = [leg.x1 - wide, leg.y1 + high];
    const isStanding = level.some(
      (each) =>
        Math.abs(each.y0 - footY) < MEETS * capital &&
        Math.min(each.x0, each.x1) < footX &&
        Math.max(each.x0, each.x1) > footX,
    );
    if (bar === undefined && !isNamed && !isStanding) continue;
    const isRound = index.rings.some(({ x, y, radius }) => {
      const [s, t] = [frame.s(x, y), frame.t(x, y)];
      const isThere = Math.abs(s - footX) < 0.2 * high && t < footY && t > footY - 0.5 * high && radius < 0.3 * high;
      // The triangle of a closed mark looks like a circle to those who seek larger ones.
      return isThere && (ringAt === undefined || ringAt(x, y, radius));
    });
    const isTouching =
      !isRound && ringAt !== undefined && hasRing(ringAt, (up) => frame.point(footX, footY - up * high), high);
    const right = Math.max(leg.x1, ...(above === undefined ? [] : [above.x0, above.x1]));
    const corners = [frame.point(footX - (1 - ABOVE_BAR) * wide, leg.y1), frame.point(right, footY)];
    return {
      type: typeOf({ isNamed, isRound: isRound || isTouching, isClosed: bar !== undefined }),
      box: boxOfPoints(corners),
    };
  }
  return undefined;
}

/** Whether a circle stands above the foot of a mark. @param at the place so far above it, in heights of the mark. */
function hasRing(ringAt: RingReader, at: (up: number) => { readonly x: number; readonly y: number }, high: number) {
  return Array.from(
    { length: RING_STEPS + 1 },
    (_, i) => RING_UP[0] + ((RING_UP[1] - RING_UP[0]) * i) / RING_STEPS,
  ).some((up) => {
    const { x, y } = at(up);
    return ringAt(x, y, (up * high) / 2);
  });
}

/** Whether a named value stands below the bar that begins at the leg. */
function isBelow({ start, end, t }: TextLine, bar: Edge | undefined, capital: number): boolean {
  if (bar === undefined) return false;
  const [left, right] = [Math.min(bar.x0, bar.x1), Math.max(bar.x0, bar.x1)];
  const down = t - capital - bar.y0;
  return start > left - MEETS * capital && end < right + capital && down > -0.1 * capital && down < 1.2 * capital;
}

/** Whether a value stands before the leg, above where the short one ends. */
function isBefore({ end, t }: TextLine, leg: Pick<Edge, 'x0' | 'y0' | 'x1' | 'y1'>, capital: number): boolean {
  const middle = t - capital / 2;
  if (middle < leg.y1 - 0.5 * capital || middle > leg.y0 + 0.5 * capital) return false;
  const there = leg.x0 + ((leg.x1 - leg.x0) * (leg.y0 - middle)) / (leg.y0 - leg.y1);
  return there - end > BEFORE[0] * capital && there - end < BEFORE[1] * capital;
}

function typeOf(mark: { readonly isNamed: boolean; readonly isRound: boolean; readonly isClosed: boolean }): PmiTypeId {
  const { isNamed, isRound, isClosed } = mark;
  if (isRound) return isNamed ? PMI_TYPE.textureProhibited : PMI_TYPE.finishProhibited;
  if (isClosed) return isNamed ? PMI_TYPE.textureRequired : PMI_TYPE.finishMachining;
  return isNamed ? PMI_TYPE.textureAny : PMI_TYPE.finishAny;
}
