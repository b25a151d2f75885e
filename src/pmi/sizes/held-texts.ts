import { TurnedFrame } from '../../content/geometry.js';
import type { LineIndex } from '../line-index.js';
import type { TextLine } from '../text-lines.js';

/** In letter heights: how far a dimension line is below and above the baseline, and beside its value. */
const BELOW = 1.4;
const ABOVE = 2;
const BESIDE = 6;
/** How long it is, and how near to its end an extension line passes, which reaches as far across it. */
const LEAST = 1;
const AT_END = 0.4;
/** Ticks at the ends of a dimension line: how long they are, in letter heights, and how steep (ISO 129-1: 45°). */
const TICK = [0.25, 2.5] as const;
const STEEP = [0.5, 2] as const;
/**
 * Strokes of an open arrowhead: how long they are, in letter heights, and how far they spread (ISO 129-1: 15° to 45°).
 */
const BARB = [0.25, 2.5] as const;
const SPREAD = [0.08, 0.7] as const;
/** In letter heights: how near to the end of a line the tip of its head is. */
const AT_TIP = 0.15;
/** In letter heights: how near to a text the end of its leader is. */
const AT_TEXT = 0.8;
/** In letter heights: how far below the baseline the level part of a leader is, and how near its corner is met. */
const SHOULDER = 0.9;
const AT_CORNER = 0.15;
/** How steep the slanted part of a leader is at least. */
const SLANTED = 0.1;
/** Lines are level, or upright, to this share of their length. */
const STRAIGHT = 0.02;

/**
 * Whether a line in the direction of a text, at whose end a line across it passes, is near: a dimension line.
 * @param isOwn whether only one counts that the middle of the text stands on, and at whose both ends lines pass: that
 * of a neighbour is none.
 */
export function hasDimensionLine(
  { angleRad, start, end, t, height }: TextLine,
  index: LineIndex,
  { isOwn = false, ends }: { readonly isOwn?: boolean; readonly ends?: 'ticks' | 'heads' } = {},
): boolean {
  const frame = new TurnedFrame(angleRad);
  const reach = (end - start) / 2 + BESIDE * height;
  const near = index.nearIn(frame, (start + end) / 2, t, reach);
  const across = near.filter(({ x0, y0, x1, y1 }) => Math.abs(x1 - x0) <= STRAIGHT * Math.abs(y1 - y0));
  const isMet = (s: number, y: number): boolean =>
    across.some(
      ({ x0, y0, x1, y1 }) =>
        Math.abs((x0 + x1) / 2 - s) < AT_END * height &&
        Math.min(y0, y1) < y + AT_END * height &&
        Math.max(y0, y1) > y - AT_END * height &&
        Math.abs(y1 - y0) > LEAST * height,
    );
  const isTick = (s: number, y: number): boolean =>
    near.some(({ x0, y0, x1, y1 }) => {
      const [wide, high] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
      const size = Math.hypot(wide, high);
      return (
        high > STEEP[0] * wide &&
        high < STEEP[1] * wide &&
        size > TICK[0] * height &&
        size < TICK[1] * height &&
        Math.hypot((x0 + x1) / 2 - s, (y0 + y1) / 2 - y) < AT_END * height
      );
    });
  // Two strokes from the tip, one above the line and one below it.
  const isHead = (s: number, y: number): boolean => {
    const sides = index.nearIn(frame, s, y, BARB[1] * height).flatMap(({ x0, y0, x1, y1 }) => {
      const isFirst = Math.hypot(x0 - s, y0 - y) < AT_TIP * height;
      if (!isFirst && Math.hypot(x1 - s, y1 - y) >= AT_TIP * height) return [];
      const [wide, high] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
      const size = Math.hypot(wide, high);
      const isBarb =
        size > BARB[0] * height && size < BARB[1] * height && high > SPREAD[0] * wide && high < SPREAD[1] * wide;
      return isBarb ? [Math.sign((y1 - y0) * (isFirst ? 1 : -1))] : [];
    });
    return sides.includes(1) && sides.includes(-1);
  };
  return near.some(({ x0, y0, x1, y1 }) => {
    const [from, to] = [Math.min(x0, x1), Math.max(x0, x1)];
    const y = (y0 + y1) / 2;
    if (Math.abs(y1 - y0) > STRAIGHT * (to - from) || to - from < LEAST * height) return false;
    if (y < t - ABOVE * height || y > t + BELOW * height) return false;
    if (from > end + BESIDE * height || to < start - BESIDE * height) return false;
    if (!isOwn) return isMet(from, y) || isMet(to, y);
    const middle = (start + end) / 2;
    if (ends === 'ticks' && !(isTick(from, y) && isTick(to, y))) return false;
    if (!(from < middle && to > middle)) return false;
    return ends === 'heads' ? isHead(from, y) && isHead(to, y) : isMet(from, y) && isMet(to, y);
  });
}

/** Whether a text stands on a dimension line of its own that ends in slanted ticks, as those of frames do not. */
export function hasTicks(line: TextLine, index: LineIndex): boolean {
  return hasDimensionLine(line, index, { isOwn: true, ends: 'ticks' });
}

/** Whether a text stands on a dimension line of its own that ends in heads of two strokes each. */
export function hasOpenHeads(line: TextLine, index: LineIndex): boolean {
  return hasDimensionLine(line, index, { isOwn: true, ends: 'heads' });
}

/** Whether a line ends beside a text, at one of its ends, as a leader does, or a leader goes on below it. */
export function hasLeader(line: TextLine, index: LineIndex): boolean {
  const { angleRad, start, end, t, height } = line;
  const frame = new TurnedFrame(angleRad);
  if (isOnShoulder(line, index, frame)) return true;
  const y = t - AT_TEXT * 0.4 * height;
  return [start, end].some((s) =>
    index.nearIn(frame, s, y, height).some(({ x0, y0, x1, y1 }) =>
      [
        [x0, y0],
        [x1, y1],
      ].some(([u, v]) => Math.hypot(u - s, v - y) < AT_TEXT * height),
    ),
  );
}

/** Whether a text stands on the level part of a leader, which a slanted line meets at one of its ends. */
function isOnShoulder({ start, end, t, height }: TextLine, index: LineIndex, frame: TurnedFrame): boolean {
  const reach = (end - start) / 2 + BESIDE * height;
  const near = index.nearIn(frame, (start + end) / 2, t, reach);
  const isMet = (s: number, y: number): boolean =>
    near.some(
      ({ x0, y0, x1, y1 }) =>
        Math.abs(y1 - y0) > SLANTED * Math.abs(x1 - x0) &&
        Math.abs(x1 - x0) > STRAIGHT * Math.abs(y1 - y0) &&
        Math.min(Math.hypot(x0 - s, y0 - y), Math.hypot(x1 - s, y1 - y)) < AT_CORNER * height,
    );
  return near.some(({ x0, y0, x1, y1 }) => {
    const [from, to] = [Math.min(x0, x1), Math.max(x0, x1)];
    const y = (y0 + y1) / 2;
    const isLevel = Math.abs(y1 - y0) <= STRAIGHT * (to - from) && to - from > LEAST * height;
    const isBelow = y > t && y < t + SHOULDER * height && from < end && to > start;
    return isLevel && isBelow && (isMet(from, y) || isMet(to, y));
  });
}
