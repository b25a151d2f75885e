import { frameAbout } from './drawn-frames.js';
import { placeOfCell, type SignReader } from './control-frames.js';
import { TurnedFrame } from '../../content/geometry.js';
import type { LineIndex } from '../line-index.js';
import type { TextLine } from '../text-lines.js';

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
 * Whether a line goes out from the middle of a side of a box, as the leader of a datum does; boxes of sizes have none.
 */
function hasLeader(
  { left, right, top, bottom }: { left: number; right: number; top: number; bottom: number },
  index: LineIndex,
): boolean {
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
