import { frameAbout } from './drawn-frames.js';
import { placeOfCell, type SignReader } from './control-frames.js';
import { isLevel, middleOf, TurnedFrame, type Point } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import type { Edge, LineIndex } from '../line-index.js';
import { boxOfLine, type TextLine } from '../text-lines.js';

/** What the letter of a datum looks like when it is read across: few letters, which are a letter or figures. */
const ACROSS = /^[A-Z\d]{1,3}$/;
/** In heights of a font: its capitals, and how far the middle of them is above the baseline. */
const CAPITAL = 0.72;
const MIDDLE = 0.36;
/** The box of a datum is twice as high as its letter and about as wide; how much a side may differ from the other. */
const OF_BOX = 0.5;
const SQUARE = 1.35;
/** How far from the middle of a side a leader begins, in sides; how far from the middle of the box it ends. */
const AT_SIDE = 0.2;
const OUTSIDE = 0.8;
/** Side of the box in heights of capitals of what was read across: those are as high as the letter is wide. */
const SIDE = [1.5, 5] as const;
/** How level the sides of a box are, how far from its corners they end, in sides, and most lines that may be one. */
const LEVEL = 0.05;
const AT_CORNER = 0.2;
const MOST_TOPS = 2_000;

/**
 * A text of one letter has no direction of its own, and is read upwards where that looks better: `R` as `70`. In a
 * square box that is level it is read again as the letter of a datum, which is always level; other lines stay as they
 * are.
 */
export function withLevelLetter(line: TextLine, index: LineIndex, textIn: SignReader['textIn']): TextLine {
  if (textIn === undefined || Math.abs(Math.sin(line.angleRad)) < 0.9 || !ACROSS.test(line.text)) return line;
  const frame = new TurnedFrame(line.angleRad);
  const { x, y } = frame.point((line.start + line.end) / 2, line.t - MIDDLE * line.height);
  const high = Math.max(line.end - line.start, CAPITAL * line.height);
  const asLevel = (capital: number): TextLine => ({
    ...line,
    angleRad: 0,
    height: capital / CAPITAL,
    start: x - 0.35 * capital,
    end: x + 0.35 * capital,
    t: y + 0.5 * capital,
  });
  const box = frameAbout(asLevel(high), index);
  if (box === undefined || box.bars.length !== 2) return line;
  const [wide, tall] = [box.bars[1] - box.bars[0], box.bottom - box.top];
  if (Math.max(wide, tall) > SQUARE * Math.min(wide, tall)) return line;
  if (tall < SIDE[0] * CAPITAL * line.height || tall > SIDE[1] * CAPITAL * line.height) return line;
  if (!hasLeader({ left: box.bars[0], right: box.bars[1], top: box.top, bottom: box.bottom }, index)) return line;
  const letter = asLevel(OF_BOX * tall);
  const said = textIn(placeOfCell(letter, box, 0), OF_BOX * tall);
  if (said === undefined || !/^[A-Z]$/.test(said)) return line;
  const [piece] = line.pieces;
  return { ...letter, text: said, pieces: [{ ...piece, text: said, start: letter.start, end: letter.end }] };
}

/**
 * The lines with the letters of datums that were not read, or read as something else: square boxes with a leader are
 * sought by their sides, and read as cells. What else was read in such a box is none of the lines.
 */
export function withLettersOfBoxes(
  lines: readonly TextLine[],
  index: LineIndex,
  textIn: SignReader['textIn'],
): readonly TextLine[] {
  const height = medianOf(lines.map((line) => line.height));
  if (textIn === undefined || height === undefined) return lines;
  const middles = lines.map((line) => middleOf(boxOfLine(line)));
  const taken = new Set<TextLine>();
  const letters: TextLine[] = [];
  const [least, most] = SIDE.map((sides) => sides * CAPITAL * height);
  const tops = index.edges.filter(
    (edge) => isLevel(edge, LEVEL) && Math.abs(edge.x1 - edge.x0) > least && Math.abs(edge.x1 - edge.x0) < most,
  );
  for (const top of tops.slice(0, MOST_TOPS)) {
    const box = squareBelow(top, index);
    if (box === undefined) continue;
    const within = lines.filter(
      (_, i) =>
        middles[i].x > box.left && middles[i].x < box.right && middles[i].y > box.top && middles[i].y < box.bottom,
    );
    if (within.some(({ text }) => /^[A-Z]$/.test(text)) || !hasLeader(box, index)) continue;
    const [wide, tall] = [box.right - box.left, box.bottom - box.top];
    const [x, y, capital] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2, OF_BOX * tall];
    const said = textIn({ x, y, angleRad: 0, width: wide, height: tall }, capital);
    if (said === undefined || !/^[A-Z]$/.test(said)) continue;
    for (const line of within) taken.add(line);
    letters.push(levelLine(said, { x, y }, capital));
  }
  return letters.length === 0 ? lines : [...lines.filter((line) => !taken.has(line)), ...letters];
}

/** A level line of one text about a middle. */
export function levelLine(text: string, { x, y }: Point, capital: number): TextLine {
  const [start, end] = [x - 0.35 * capital * text.length, x + 0.35 * capital * text.length];
  return {
    text,
    angleRad: 0,
    height: capital / CAPITAL,
    start,
    end,
    t: y + 0.5 * capital,
    pieces: [{ text, start, end }],
  };
}

interface LevelBox {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** The level square below a line; undefined where its other sides are not there. */
function squareBelow(top: Edge, index: LineIndex): LevelBox | undefined {
  const [left, right] = [Math.min(top.x0, top.x1), Math.max(top.x0, top.x1)];
  const [side, y] = [right - left, (top.y0 + top.y1) / 2];
  const off = AT_CORNER * side;
  const near = index.near((left + right) / 2, y + side / 2, side);
  const bottom = near.find(
    ({ x0, x1, y0, y1 }) =>
      Math.abs(y1 - y0) <= LEVEL * Math.abs(x1 - x0) &&
      Math.abs(Math.min(x0, x1) - left) < off &&
      Math.abs(Math.max(x0, x1) - right) < off &&
      (y0 + y1) / 2 - y > side / SQUARE &&
      (y0 + y1) / 2 - y < side * SQUARE,
  );
  if (bottom === undefined) return undefined;
  const low = (bottom.y0 + bottom.y1) / 2;
  const isClosed = [left, right].every((x) =>
    near.some(
      ({ x0, x1, y0, y1 }) =>
        Math.abs((x0 + x1) / 2 - x) < off &&
        Math.abs(Math.min(y0, y1) - y) < off &&
        Math.abs(Math.max(y0, y1) - low) < off,
    ),
  );
  return isClosed ? { left, right, top: y, bottom: low } : undefined;
}

/**
 * Whether a line goes out from the middle of a side of a box, as the leader of a datum does; boxes of sizes have none.
 */
function hasLeader({ left, right, top, bottom }: LevelBox, index: LineIndex): boolean {
  const [x, y, side] = [(left + right) / 2, (top + bottom) / 2, Math.min(right - left, bottom - top)];
  const isOut = (nearX: number, nearY: number, farX: number, farY: number): boolean =>
    [
      [x, top],
      [x, bottom],
      [left, y],
      [right, y],
    ].some(([u, v]) => Math.hypot(nearX - u, nearY - v) < AT_SIDE * side) &&
    Math.max(Math.abs(farX - x) / (right - left), Math.abs(farY - y) / (bottom - top)) > OUTSIDE;
  return index.near(x, y, side).some(({ x0, y0, x1, y1 }) => isOut(x0, y0, x1, y1) || isOut(x1, y1, x0, y0));
}
