import { longAxisOf, longerSide, TurnedFrame } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import type { PixelBox } from '../../bitmap/bitmap.js';
import type { InkGrid } from './text-blocks.js';

/** A piece of ink in the frame of its block after turning it upright, pixels. */
export interface UprightPiece extends PixelBox {
  /** u8 of its own box, row by row: darkness, 0 where the pixel belongs to another piece. */
  readonly ink: Uint8Array;
}

/** Pieces on one line. */
export interface PieceLine {
  readonly pieces: readonly UprightPiece[];
  readonly top: number;
  readonly bottom: number;
}

/**
 * Turns a block so that text in the given direction runs to the right.
 * @param angleRad clockwise on the page.
 */
export function turnUpright(grid: InkGrid, angleRad: number): InkGrid {
  const quarter = Math.round(angleRad / (Math.PI / 2));
  if (Math.abs(angleRad - (quarter * Math.PI) / 2) < 1e-6) return turnQuarters(grid, ((quarter % 4) + 4) % 4);
  const { width, height, ink } = grid;
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const w = Math.ceil(Math.abs(width * cos) + Math.abs(height * sin)) + 2,
    h = Math.ceil(Math.abs(width * sin) + Math.abs(height * cos)) + 2;
  const turned = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const dx = x + 0.5 - w / 2,
        dy = y + 0.5 - h / 2;
      const fromX = dx * cos - dy * sin + width / 2 - 0.5,
        fromY = dx * sin + dy * cos + height / 2 - 0.5;
      const left = Math.floor(fromX),
        upper = Math.floor(fromY),
        u = fromX - left,
        v = fromY - upper;
      const at = (i: number, j: number): number =>
        i < 0 || j < 0 || i >= width || j >= height ? 0 : ink[j * width + i];
      turned[y * w + x] =
        (1 - v) * ((1 - u) * at(left, upper) + u * at(left + 1, upper)) +
        v * ((1 - u) * at(left, upper + 1) + u * at(left + 1, upper + 1));
    }
  }
  return { width: w, height: h, ink: turned };
}

/** Maps the turned block back to the block. */
export function turnBackPoint(
  { width, height }: InkGrid,
  turned: InkGrid,
  angleRad: number,
  x: number,
  y: number,
): readonly [x: number, y: number] {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const dx = x - turned.width / 2,
    dy = y - turned.height / 2;
  return [dx * cos - dy * sin + width / 2, dx * sin + dy * cos + height / 2];
}

function turnQuarters(grid: InkGrid, quarters: number): InkGrid {
  if (quarters === 0) return grid;
  const { width, height, ink } = grid;
  const [w, h] = quarters === 2 ? [width, height] : [height, width];
  const turned = new Uint8Array(w * h);
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      const [fromX, fromY] =
        quarters === 1 ? [width - 1 - y, x] : quarters === 2 ? [width - 1 - x, height - 1 - y] : [y, height - 1 - x];
      turned[y * w + x] = ink[fromY * width + fromX];
    }
  }
  return { width: w, height: h, ink: turned };
}

/**
 * In letter heights: largest distance between the middles of letters of one line, between letters, and of small signs
 * above and below.
 */
const SAME_LINE = 0.24;
const WIDEST_GAP = 1.15;
/** How far small letters with a descender end below capitals, above and below. */
const DESCENT = [0.14, 0.42] as const;
const ABOVE = 0.3;
const BELOW = 0.14;
/**
 * Least height of letters as a share of the tallest ones; smaller signs are no further than the second from a letter.
 */
const LETTER = 0.56;
const SIGN_GAP = 0.9;
/** Weight of the distance above or below a line relative to a gap along it. */
const OUTSIDE = 4;

/** Whether there is ink in the middle of a piece, as of a plus or a minus, and not of a degree sign or a point. */
function hasMiddle({ x0, x1, y0, y1, ink }: UprightPiece): boolean {
  const width = x1 - x0;
  return width > 3 && ink[Math.floor((y1 - y0) / 2) * width + Math.floor(width / 2)] > 0;
}

/** Whether a piece ends above and below a line as `g` does; a deviation is further off. */
function isDescending(
  { y0, y1 }: UprightPiece,
  { top, bottom }: { readonly top: number; readonly bottom: number },
): boolean {
  const size = bottom - top;
  const [upper, lower] = [(y0 - top) / size, (y1 - bottom) / size];
  return upper > DESCENT[0] && upper < DESCENT[1] && lower > DESCENT[0] && lower < DESCENT[1];
}

/**
 * The pieces of an upright block as lines, by their left end.
 * @param least smaller pieces are specks, pixels.
 */
export function linesOfPieces(pieces: readonly UprightPiece[], tallest: number): PieceLine[] {
  const isLetter = ({ y0, y1 }: UprightPiece): boolean => y1 - y0 >= LETTER * tallest;
  const letters = pieces.filter(isLetter).sort((a, b) => a.x0 - b.x0 || a.y0 - b.y0);
  const lines: { pieces: UprightPiece[]; top: number; bottom: number; end: number }[] = [];
  /** The line that is least off, the first of equals. */
  const nearest = (offOf: (line: (typeof lines)[number]) => number): (typeof lines)[number] | undefined => {
    let [best, least]: [(typeof lines)[number] | undefined, number] = [undefined, Infinity];
    for (const line of lines) {
      const off = offOf(line);
      if (off < least) [best, least] = [line, off];
    }
    return best;
  };
  for (const piece of letters) {
    const middle = (piece.y0 + piece.y1) / 2,
      high = piece.y1 - piece.y0;
    const best = nearest((line) => {
      const size = Math.max(high, line.bottom - line.top);
      const off = Math.abs(middle - (line.top + line.bottom) / 2);
      if (isDescending(piece, line)) return piece.x0 - line.end > WIDEST_GAP * size ? Infinity : off;
      return off > SAME_LINE * size || piece.x0 - line.end > WIDEST_GAP * size ? Infinity : off;
    });
    if (best === undefined) lines.push({ pieces: [piece], top: piece.y0, bottom: piece.y1, end: piece.x1 });
    else {
      best.pieces.push(piece);
      best.end = Math.max(best.end, piece.x1);
      best.top = medianOf(best.pieces.filter(isLetter).map(({ y0 }) => y0))!;
      best.bottom = medianOf(best.pieces.filter(isLetter).map(({ y1 }) => y1))!;
    }
  }
  for (const sign of pieces) {
    if (isLetter(sign)) continue;
    const middle = (sign.y0 + sign.y1) / 2;
    const best = nearest((line) => {
      const high = line.bottom - line.top;
      if (middle < line.top - ABOVE * high || middle > line.bottom + BELOW * high) return Infinity;
      const letters = line.pieces.filter(isLetter);
      const gap = Math.min(...letters.map(({ x0, x1 }) => Math.max(0, x0 - sign.x1, sign.x0 - x1)));
      // Before smaller letters at its height a sign is that of a deviation, though the size before it is as near.
      const isBefore = hasMiddle(sign) && letters.every(({ x0 }) => x0 >= sign.x1);
      if (isBefore && middle > line.top && middle < line.bottom && gap < SIGN_GAP * high) return gap - (tallest - high);
      // Among lines above each other, the one whose letters are at its height.
      return gap > SIGN_GAP * high ? Infinity : gap + OUTSIDE * Math.max(0, line.top - middle, middle - line.bottom);
    });
    best?.pieces.push(sign);
  }
  return lines.map(({ pieces: own, top, bottom }) => ({ pieces: own, top, bottom }));
}

/**
 * Letters of a row are at least this share of the largest piece; how far the middle of one may be off the row, in the
 * size of that piece; rows nearer to level and upright are these, radians.
 */
const OF_ROW = 0.78;
const OFF_ROW = 0.12;
const LEAST_TILT = 0.07;

/**
 * The direction of a block whose letters stand in one slanted row, by their middles: two letters are enough, where the
 * ink as a whole shows no direction. Radians, clockwise, more than -π/2 and up to π/2; undefined where they stand level
 * or upright, or in no row.
 */
export function directionOfRow(pieces: readonly PixelBox[]): number | undefined {
  const size = Math.max(0, ...pieces.map(longerSide));
  const letters = pieces.filter((piece) => longerSide(piece) > OF_ROW * size);
  if (letters.length < 2) return undefined;
  const middles = letters.map(({ x0, y0, x1, y1 }) => ({ x: (x0 + x1) / 2, y: (y0 + y1) / 2 }));
  const { middle, rad } = longAxisOf(middles.flatMap(({ x, y }) => [x, y]));
  if (Math.abs(Math.sin(rad)) < LEAST_TILT || Math.abs(Math.cos(rad)) < LEAST_TILT) return undefined;
  const row = new TurnedFrame(rad);
  return middles.every(({ x, y }) => Math.abs(row.t(x - middle.x, y - middle.y)) < OFF_ROW * size) ? rad : undefined;
}
