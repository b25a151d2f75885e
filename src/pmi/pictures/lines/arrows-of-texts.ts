import { TurnedFrame } from '../../../content/geometry.js';
import { medianOf } from '../../../content/groups.js';
import type { Edge, LineIndex } from '../../line-index.js';
import type { Arrowhead } from '../../line-placement.js';
import type { TextLine } from '../../placed-text.js';
import type { TipPlace } from './head-at-tip.js';

/** In letter heights: how far a dimension line is above and below the baseline, and beside its value. */
const ABOVE = 2;
const BELOW = 1.4;
const BESIDE = 6;
/** The least length of a line, and of what crosses it; how far before its end that may be, and beyond it. */
const LEAST = 0.8;
const BEFORE_END = 0.5;
const BEYOND_END = 4;
/** Lines of a direction, to this share of their length. */
const ALONG = 0.035;
const ACROSS = 0.1;
/** Places that are nearer to each other are one, in letter heights. */
const SAME = 0.15;
const ALONE = 1;
/** Most places of a text that are looked at. */
const MOST_PLACES = 60;

/** Height of the font, of which capitals have this share. */
const CAPITALS = 0.72;

/** The length of the head that has its tip at a place, 0 for none. @param letter height of capitals. */
export type HeadReader = (tip: TipPlace, letter: number) => number;

/**
 * The heads of arrows about the values of a sheet that was read from pixels: where a line across it passes a line in
 * the direction of a text, which is where their tips are.
 */
export function arrowsOfTexts(lines: readonly TextLine[], index: LineIndex, headAt: HeadReader): Arrowhead[] {
  const found: Arrowhead[] = [];
  const values = lines.filter(({ text }) => /\d/.test(text));
  const letter = CAPITALS * (medianOf(values.map(({ height }) => height)) ?? 0);
  for (const line of values)
    for (const arrow of arrowsOf(line, index, (tip) => headAt(tip, letter)))
      if (!found.some((other) => isSame(other, arrow, SAME * line.height))) found.push(arrow);
  return found;
}

function arrowsOf(line: TextLine, index: LineIndex, headAt: (tip: TipPlace) => number): Arrowhead[] {
  const { angleRad, start, end, t, height } = line;
  const frame = new TurnedFrame(angleRad);
  const found: Arrowhead[] = [];
  const reach = (end - start) / 2 + BESIDE * height;
  const near = index.nearIn(frame, (start + end) / 2, t, reach);
  const tips: { s: number; t: number; sides: readonly number[] }[] = [];
  for (const edge of near) {
    const [from, to] = [Math.min(edge.x0, edge.x1), Math.max(edge.x0, edge.x1)];
    const y = (edge.y0 + edge.y1) / 2;
    if (Math.abs(edge.y1 - edge.y0) > ALONG * (to - from) || to - from < LEAST * height) continue;
    if (y < t - ABOVE * height || y > t + BELOW * height) continue;
    if (from > end + BESIDE * height || to < start - BESIDE * height) continue;
    const [before, behind] = [from - BEYOND_END * height, to + BEYOND_END * height];
    const add = (s: number, sides: readonly number[], near = SAME): void => {
      if (s < before || s > behind || tips.length >= MOST_PLACES) return;
      if (!tips.some((tip) => Math.hypot(tip.s - s, tip.t - y) < near * height)) tips.push({ s, t: y, sides });
    };
    for (const [at, wide] of placesOn(from, to, height))
      for (const other of index.nearIn(frame, at, y, wide)) {
        const s = crossingOf(other, y, height);
        if (s !== undefined) add(s, [-1, 1]);
      }
    // Extension lines may end before they reach it.
    add(from, [-1], ALONE);
    add(to, [1], ALONE);
  }
  for (const tip of tips)
    for (const side of tip.sides) {
      const { x, y } = frame.point(tip.s, tip.t);
      const [dx, dy] = [side * frame.cos, side * frame.sin];
      const length = headAt({ x, y, dx, dy });
      if (length > 0) found.push({ x, y, dx, dy, length });
    }
  return found;
}

/** Where lines that cross a line are sought: near its ends, and along a short one. */
function placesOn(from: number, to: number, height: number): readonly (readonly [number, number])[] {
  const about = (BEFORE_END + BEYOND_END) * height;
  return to - from < 4 * about
    ? [[(from + to) / 2, (to - from) / 2 + about]]
    : [
        [from, about],
        [to, about],
      ];
}

/** Where a line passes a height of the frame, across it. */
function crossingOf({ x0, y0, x1, y1 }: Edge, y: number, height: number): number | undefined {
  const high = Math.abs(y1 - y0);
  if (high < LEAST * height || Math.abs(x1 - x0) > ACROSS * high) return undefined;
  if (Math.min(y0, y1) > y + BEFORE_END * height || Math.max(y0, y1) < y - BEFORE_END * height) return undefined;
  return x0 + ((x1 - x0) * (y - y0)) / (y1 - y0);
}

function isSame(a: Arrowhead, b: Arrowhead, near: number): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) < near && a.dx * b.dx + a.dy * b.dy > 0.9;
}
