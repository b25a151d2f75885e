import { longerSide } from '../../content/geometry.js';
import {
  boxOf,
  componentsOf,
  dilate,
  inverse,
  shrink,
  type Bitmap,
  type Component,
  type Components,
} from '../../bitmap/bitmap.js';

/** Fewer letters say nothing: a sketch, or a view that was cut out, may have some. */
export const FEWEST_LETTERS = 6;
/** Least area of a letter, pixels, and least ratio of its sides: dashes are narrower. */
const LETTER_AREA = 12;
const LETTER_WIDTH = 0.3;
/** Pieces whose width along their shorter axis is less than this share of their length are straight strokes. */
const STROKE_WIDTH = 0.3;
/** Longer over shorter side of paper: ISO, and letter and tabloid; and by how much a picture of it may be off. */
const PAPER = [Math.SQRT2, 11 / 8.5, 17 / 11] as const;
const PAPER_OFF = 0.01;
/** A frame takes at least so much of both sides of its sheet. */
const FRAME_SHARE = 0.85;
/** What is between the two lines of a frame takes so much of both sides. */
const RING_SHARE = 0.8;
/** A frame encloses no less of its sheet than the second share; outlines of the first share are those of a view. */
const LEAST_AREA = 0.2;
const MOST_OUTLINE = 0.5;
/** Cells of tables are smaller than this share of the sheet, and are segmented in a picture reduced by this factor. */
const CELL_AREA = 0.12;
const SHRINK = 4;

/**
 * Whether lines near the edges of a picture are the frame of a sheet: they are double, or the picture has the sides of
 * paper, or letters, and these are in cells of a table, or the frame takes nearly all of the picture. A view that was
 * cut out of its page is bounded by its own outlines, which look like a frame.
 * @param frame those lines. @param most longer side of the largest letters, pixels.
 */
export function isFrameOfSheet(ink: Bitmap, frame: Bitmap, most: number): boolean {
  const { width, height } = ink;
  const box = boxOf(frame);
  if (box === undefined) return false;
  const isWide = box.x1 - box.x0 >= FRAME_SHARE * width && box.y1 - box.y0 >= FRAME_SHARE * height;
  if (isWide && hasPaperSides(ink)) return true;
  const { largest, hasRing, isCell } = enclosedBy(frame);
  if (isWide && hasRing) return true;
  const found = componentsOf(ink, 8);
  const isStraight = straightPieces(ink, found);
  const letters = found.list.filter(
    (piece, number) => number > 0 && longerSide(piece.box) <= most && isLetter(piece) && !isStraight(number),
  );
  if (letters.length < FEWEST_LETTERS) return false;
  if (letters.filter((letter) => isCell(...middleOf(letter))).length >= FEWEST_LETTERS) return true;
  return isWide && (largest < LEAST_AREA || largest >= MOST_OUTLINE);
}

/** Whether a page has the sides of a usual paper, in any size. */
export function hasPaperSides({ width, height }: { readonly width: number; readonly height: number }): boolean {
  const ratio = Math.max(width, height) / Math.min(width, height);
  return PAPER.some((paper) => Math.abs(ratio / paper - 1) <= PAPER_OFF);
}

/**
 * Number of pieces that are as large and as wide as letters; none where most pieces are straight strokes, as the flanks
 * of teeth in a sketch: of a text few signs are.
 */
export function letterCount(letters: Bitmap): number {
  const found = componentsOf(letters, 8);
  const isStraight = straightPieces(letters, found);
  const pieces = found.list.map((piece, number) => ({ piece, isStroke: isStraight(number) }));
  const large = pieces.filter(({ piece: { area } }) => area > LETTER_AREA);
  if (2 * large.filter(({ isStroke }) => isStroke).length > large.length) return 0;
  return large.filter(({ piece }) => isLetter(piece)).length;
}

/** Whether a piece, by its number, is a straight stroke in any direction: by the moments of its pixels. */
function straightPieces({ width }: Bitmap, { list, labels }: Components): (number: number) => boolean {
  const sums = new Float64Array(6 * list.length);
  for (let at = 0; at < labels.length; at++) {
    const number = labels[at];
    if (number === 0) continue;
    const { box } = list[number];
    const x = (at % width) - box.x0,
      y = Math.floor(at / width) - box.y0;
    sums[6 * number]++;
    sums[6 * number + 1] += x;
    sums[6 * number + 2] += y;
    sums[6 * number + 3] += x * x;
    sums[6 * number + 4] += x * y;
    sums[6 * number + 5] += y * y;
  }
  return (number) => {
    const [count, x, y, xx, xy, yy] = sums.subarray(6 * number, 6 * number + 6);
    if (count === 0) return false;
    const [a, b, c] = [xx - (x * x) / count, xy - (x * y) / count, yy - (y * y) / count];
    const spread = Math.hypot(a - c, 2 * b);
    return a + c - spread < STROKE_WIDTH ** 2 * (a + c + spread);
  };
}

function isLetter({ box, area }: Component): boolean {
  return area > LETTER_AREA && Math.min(box.x1 - box.x0, box.y1 - box.y0) > LETTER_WIDTH * longerSide(box);
}

function middleOf({ box: { x0, y0, x1, y1 } }: Component): readonly [x: number, y: number] {
  return [(x0 + x1) >> 1, (y0 + y1) >> 1];
}

/** The areas that lines enclose. */
interface Enclosed {
  /** Share of the picture that the largest one takes. */
  readonly largest: number;
  /** Whether one is between two lines around nearly all of the picture. */
  readonly hasRing: boolean;
  /** Whether a place is in a small one. */
  readonly isCell: (x: number, y: number) => boolean;
}

function enclosedBy(lines: Bitmap): Enclosed {
  const { width, shares, labels } = areasOf(dilate(shrink(lines, SHRINK), 1));
  // Lines of a double frame are near each other.
  const fine = areasOf(shrink(lines, SHRINK / 2));
  const hasRing = fine.list.some(
    ({ box: { x0, y0, x1, y1 } }, number) =>
      fine.shares[number] > 0 &&
      fine.shares[number] < LEAST_AREA &&
      x1 - x0 >= RING_SHARE * fine.width &&
      y1 - y0 >= RING_SHARE * fine.height,
  );
  const shareAt = (x: number, y: number): number =>
    shares[labels[Math.floor(y / SHRINK) * width + Math.floor(x / SHRINK)]];
  const isCell = (x: number, y: number): boolean => shareAt(x, y) > 0 && shareAt(x, y) < CELL_AREA;
  return { largest: shares.reduce((most, share) => Math.max(most, share), 0), hasRing, isCell };
}

/** The areas between lines, and which share of the picture each takes: 0 for those that reach its edge. */
function areasOf(lines: Bitmap): Components & {
  readonly width: number;
  readonly height: number;
  readonly shares: readonly number[];
} {
  const { width, height } = lines;
  const { list, labels } = componentsOf(inverse(lines), 4);
  const shares = list.map(({ area, box: { x0, y0, x1, y1 } }, number) =>
    number > 0 && x0 > 0 && y0 > 0 && x1 < width && y1 < height ? area / (width * height) : 0,
  );
  return { width, height, list, labels, shares };
}
