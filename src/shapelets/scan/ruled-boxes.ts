import { areaOf, longerSide } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import {
  bitmapOf,
  boxOf,
  componentBits,
  componentsOf,
  count,
  crop,
  inverse,
  open,
  type Bitmap,
  type FoundComponents,
  type PixelBox,
} from '../../bitmap/bitmap.js';
import { FEWEST_LETTERS, letterCount } from './sheet-signs.js';

/** Units of 1/2400 of the page's longer side: least sides of a table, and least height of a letter. */
const LEAST_LONG = 150;
const LEAST_SHORT = 20;
const LEAST_LETTER = 6;
/** Least letters of a table, letters of a word, and words. */
const LETTERS = 6;
const WORD = 3;
const WORDS = 2;
/** Heights of letters: widest gap within a word, and by how much letters of a line may be out of line. */
const WORD_GAP = 0.8;
const OUT_OF_LINE = 0.35;
/** Units: least length of a level or upright line of a table, and by how much lines of a scan sway. */
const RULE = 16;
const SWAY = 2;
/** Share of the ink of a table that lies in such lines, least share of a side that a line covers, and least lines. */
const RULED = 0.9;
const WHOLE = 0.9;
const LINES = 4;
/** Units that rules are narrower than, and largest share of the ink of a table alone that is not: shaded cells. */
const BOLD = 14;
const MOST_BOLD = 0.5;
/**
 * A table alone: least share of the ink's box that it takes, largest share of its own that a cell does, least cells,
 * and least share of them that hold letters. The drawing area of a sheet is a larger cell.
 */
const TABLE_SHARE = 0.4;
const LARGEST_CELL = 0.5;
const LEAST_CELLS = 4;
const FILLED_CELLS = 0.3;
/**
 * Units²: least area of a cell; share of the ink's longer side from which a piece in or beside a table is no letter.
 */
const CELL_AREA = 400;
const LARGEST_PIECE = 0.2;
/** Loops of dimensions: units by which their lines go on, and least shares of ink beside and behind the corners. */
const GOES_ON = 7;
const SIDE = 0.85;
const BEHIND = 0.95;

/** A line that is looked at: level or upright, from one place to another, with what lies beside it. */
interface Look {
  /** 0: level, 1: upright. */
  readonly along: 0 | 1;
  readonly across: number;
  readonly from: number;
  readonly to: number;
  /** Pixels. */
  readonly beside: number;
}

/**
 * The ink of tables without a frame, as title blocks are: pieces of only level and upright lines, of which four or more
 * reach from side to side, around words. Taken away first, because their lines are often heavier than any outline.
 * @param ink of lines and letters. @param pieces its components. @param letters those of them that are letters.
 * @param unit 1/2400 of the page's longer side, pixels.
 */
export function tablesOf(ink: Bitmap, pieces: FoundComponents, letters: Bitmap, unit: number): Bitmap {
  const isLetter = new Uint8Array(pieces.list.length);
  for (let i = 0; i < letters.bits.length; i++) if (letters.bits[i] === 1) isLetter[pieces.labels[i]] = 1;
  const letterBoxes = pieces.list.filter((_, number) => isLetter[number] === 1).map(({ box }) => box);
  const tables = pieces.list
    .filter(({ box }, number) => number > 0 && isLetter[number] === 0 && isTable(box, ink, letterBoxes, unit))
    .map(({ box }) => box);
  if (tables.length === 0) return bitmapOf(ink.width, ink.height);
  return componentBits(ink, pieces, ({ box }) => tables.some((table) => contains(table, box)));
}

/**
 * Whether a box is a loop of dimensions and extension lines: a rectangle of which two sides go on behind all corners.
 * Extension lines that begin at a view go on at one end.
 * @param lines that are left of the page. @param ink all but letters. @param unit 1/2400 of the longer side, pixels.
 */
export function isDimensionLoop(
  box: PixelBox,
  { lines, ink, lineWidth }: { readonly lines: Bitmap; readonly ink: Bitmap; readonly lineWidth: number },
  unit: number,
): boolean {
  const beside = Math.ceil(lineWidth / 2) + 1,
    half = Math.round(lineWidth / 2);
  const reach = Math.round(GOES_ON * unit),
    skip = Math.round(lineWidth);
  return ([0, 1] as const).some((along) => {
    const [low, high] = along === 0 ? [box.x0, box.x1] : [box.y0, box.y1];
    const sides = along === 0 ? [box.y0 + half, box.y1 - 1 - half] : [box.x0 + half, box.x1 - 1 - half];
    return sides.every((across) => {
      const look = { along, across, beside };
      return (
        coverage(lines, { ...look, from: low, to: high }) > SIDE &&
        coverage(ink, { ...look, from: low - skip - reach, to: low - skip }) > BEHIND &&
        coverage(ink, { ...look, from: high + skip, to: high + skip + reach }) > BEHIND
      );
    });
  });
}

/**
 * Whether a picture shows a table and nothing else but rows of letters, as one that was cut out around a title block
 * does: one piece of level and upright lines takes most of it, and most cells between them hold small pieces.
 */
export function isTableAlone(ink: Bitmap): boolean {
  const whole = boxOf(ink);
  if (whole === undefined) return false;
  const pieces = componentsOf(ink, 8);
  const number = pieces.list.reduce(
    (most, { box }, i) => (i > 0 && areaOf(box) > areaOf(pieces.list[most].box) ? i : most),
    1,
  );
  const { box, area } = pieces.list[number];
  if (areaOf(box) < TABLE_SHARE * areaOf(whole)) return false;
  const unit = Math.max(ink.width, ink.height) / 2400;
  const lines = crop(
    componentBits(ink, pieces, (_, i) => i === number),
    box,
    0,
  );
  if (ruledInk(lines, RULE * unit) < RULED * area) return false;
  // A shaded view holds long rows of ink too, and letters.
  if (count(open(lines, Math.max(1, Math.round(BOLD * unit)))) > MOST_BOLD * area) return false;
  const cells = componentsOf(inverse(lines), 4);
  const letters = pieces.list.filter((_, i) => i > 0 && i !== number).map((piece) => piece.box);
  const large = cells.list.filter(({ area: own }, i) => i > 0 && own > CELL_AREA * unit * unit);
  const filled = new Set(
    letters.flatMap(({ x0, x1, y0, y1 }) => {
      const [x, y] = [((x0 + x1) >> 1) - box.x0, ((y0 + y1) >> 1) - box.y0];
      const isInside = x >= 0 && y >= 0 && x < lines.width && y < lines.height;
      return isInside ? [cells.labels[y * lines.width + x]] : [];
    }),
  );
  filled.delete(0);
  return (
    large.length >= LEAST_CELLS &&
    letterCount(componentBits(ink, pieces, (_, i) => i !== number)) >= FEWEST_LETTERS &&
    filled.size >= FILLED_CELLS * large.length &&
    large.every(({ area: own }) => own < LARGEST_CELL * areaOf(box)) &&
    letters.every((letter) => longerSide(letter) < LARGEST_PIECE * longerSide(whole))
  );
}

function isTable(box: PixelBox, ink: Bitmap, letters: readonly PixelBox[], unit: number): boolean {
  const width = box.x1 - box.x0,
    height = box.y1 - box.y0;
  if (longerSide(box) <= LEAST_LONG * unit || Math.min(width, height) < LEAST_SHORT * unit) return false;
  const inner = letters.filter((letter) => contains(box, letter) && letter.y1 - letter.y0 > LEAST_LETTER * unit);
  if (inner.length < LETTERS || wordsOf(inner) < WORDS) return false;
  const own = crop(ink, box, 0);
  for (const { x0, x1, y0, y1 } of inner)
    for (let y = y0 - box.y0; y < y1 - box.y0; y++) own.bits.fill(0, y * width + x0 - box.x0, y * width + x1 - box.x0);
  if (ruledInk(own, RULE * unit) < RULED * count(own)) return false;
  const beside = Math.ceil(SWAY * unit);
  const level = wholeLines(own, 0, beside);
  return level >= 2 && level + wholeLines(own, 1, beside) >= LINES;
}

/** Words: letters that follow each other in a line. */
function wordsOf(letters: readonly PixelBox[]): number {
  const height = medianOf(letters.map(({ y0, y1 }) => y1 - y0))!;
  const left = [...letters].sort((a, b) => a.x0 - b.x0);
  let words = 0;
  while (left.length > 0) {
    let last = left.shift()!,
      length = 1;
    for (let i = 0; i < left.length; ) {
      const next = left[i];
      const isInLine = Math.min(Math.abs(next.y1 - last.y1), Math.abs(next.y0 - last.y0)) <= OUT_OF_LINE * height;
      if (!isInLine || next.x0 - last.x1 > WORD_GAP * height) {
        i++;
        continue;
      }
      last = next;
      length++;
      left.splice(i, 1);
    }
    if (length >= WORD) words++;
  }
  return words;
}

/** Pixels in level and upright runs of at least `least` pixels. */
function ruledInk({ width, height, bits }: Bitmap, least: number): number {
  const isRuled = new Uint8Array(bits.length);
  const look = (start: number, step: number, length: number): void => {
    let from = 0;
    for (let i = 0; i <= length; i++) {
      if (i < length && bits[start + i * step] === 1) continue;
      if (i - from >= least) for (let k = from; k < i; k++) isRuled[start + k * step] = 1;
      from = i + 1;
    }
  };
  for (let y = 0; y < height; y++) look(y * width, 1, width);
  for (let x = 0; x < width; x++) look(x, width, height);
  return count(bitmapOf(width, height, isRuled));
}

/** Number of level or upright lines from side to side. */
function wholeLines(map: Bitmap, along: 0 | 1, beside: number): number {
  const [lines, length] = along === 0 ? [map.height, map.width] : [map.width, map.height];
  let found = 0,
    last = -Infinity;
  for (let across = 0; across < lines; across++) {
    if (coverage(map, { along, across, from: 0, to: length, beside }) < WHOLE) continue;
    if (across - last > 2 * beside + 3) found++;
    last = across;
  }
  return found;
}

/** Share of the places along a line that have ink; places outside the picture have none. */
function coverage({ width, height, bits }: Bitmap, { along, across, from, to, beside }: Look): number {
  const [length, lines] = along === 0 ? [width, height] : [height, width];
  const first = Math.max(0, across - beside),
    end = Math.min(lines - 1, across + beside);
  let found = 0;
  for (let at = Math.max(0, from); at < Math.min(length, to); at++) {
    for (let line = first; line <= end; line++) {
      if (bits[along === 0 ? line * width + at : at * width + line] === 0) continue;
      found++;
      break;
    }
  }
  return to > from ? found / (to - from) : 0;
}

function contains(outer: PixelBox, { x0, y0, x1, y1 }: PixelBox): boolean {
  return x0 >= outer.x0 && x1 <= outer.x1 && y0 >= outer.y0 && y1 <= outer.y1;
}
