import { cornersOf, longerSide, TurnedFrame, type Point } from '../content/geometry.js';
import { addTo } from '../content/groups.js';
import type { Sheet, SheetText } from '../content/sheet.js';

/** Largest letter as a share of the sheet's longer side, and most letters of a sheet. */
const LARGEST = 0.04;
const MOST_FILLS = 40_000;
const MOST_TEXTS = 20_000;
/**
 * Shares of the font's height: how far letters reach above and below the baseline, and from the middle of the last
 * letter to its end.
 */
const ABOVE = 1;
const BELOW = 0.3;
const HALF = 0.35;
/** Smaller areas are points and the ends of dimension lines, and no letters. */
const LEAST_LETTER = 0.25;
/** A text counts as drawn by filled areas when there are at least this many areas per letter. */
const MOST_MISSING = 0.6;
/** A file draws its letters by areas when at least this share of its words of so many letters are. */
const SHARE_DRAWN = 0.3;
const LETTERS_OF_WORD = 3;
/** Texts are never shortened below this share of their width. */
const SHORTEST = 0.6;

/**
 * The texts of a sheet with their visible widths. Some files draw letters as filled areas and lay invisible text of
 * another font over them for searching; that text begins where the letters do and ends elsewhere. Texts drawn by their
 * own font stay as they are.
 */
export function textsAsDrawn(sheet: Sheet): readonly SheetText[] {
  const fills = smallFills(sheet);
  if (fills === undefined) return sheet.texts;
  const asDrawn = sheet.texts.map((text, i) => (i < MOST_TEXTS ? drawnText(text, fills) : text));
  // Heads of arrows and ends of dimension lines are areas, too: a file draws its letters so, or it does not.
  const words = sheet.texts.map((text, i) => ({ text, i })).filter(({ text }) => lettersOf(text) >= LETTERS_OF_WORD);
  const drawn = words.filter(({ text, i }) => asDrawn[i] !== text);
  return drawn.length >= SHARE_DRAWN * words.length && drawn.length > 0 ? asDrawn : sheet.texts;
}

/** A text with its visible width where areas draw it; the same object where they do not. */
function drawnText(text: SheetText, fills: (x: number, y: number, reach: number) => Fill[]): SheetText {
  const { x, y, angleRad, height, width } = text;
  const frame = new TurnedFrame(angleRad);
  const { cos, sin } = frame;
  let count = 0,
    last = 0;
  for (const fill of fills(x + (width / 2) * cos, y + (width / 2) * sin, width / 2 + height)) {
    const s = frame.s(fill.x - x, fill.y - y),
      t = frame.t(fill.x - x, fill.y - y);
    if (fill.long < LEAST_LETTER * height) continue;
    if (s < -HALF * height || s > width || t < -ABOVE * height || t > BELOW * height) continue;
    count++;
    last = Math.max(last, s);
  }
  const drawn = last + HALF * height;
  return count < MOST_MISSING * lettersOf(text) || drawn > width || drawn < SHORTEST * width
    ? text
    : { ...text, width: drawn };
}

function lettersOf({ text }: SheetText): number {
  return text.replace(/\s/g, '').length;
}

/** The middle of an area and its longer side. */
interface Fill extends Point {
  readonly long: number;
}

/** Finds the areas of the size of letters around a place; undefined where there are none. */
function smallFills(sheet: Sheet): ((x: number, y: number, reach: number) => Fill[]) | undefined {
  const { count, points, starts, styles } = sheet.strokes;
  const largest = LARGEST * Math.max(sheet.width, sheet.height);
  const cells = new Map<number, Fill[]>();
  const cellOf = (value: number): number => Math.floor(value / largest);
  let left = MOST_FILLS;
  for (let stroke = 0; stroke < count && left > 0; stroke++) {
    if (!sheet.styles[styles[stroke]].isFill) continue;
    const corners = cornersOf(points, starts[stroke], starts[stroke + 1]);
    if (!(longerSide(corners) <= largest)) continue;
    left--;
    const x = (corners.x0 + corners.x1) / 2,
      y = (corners.y0 + corners.y1) / 2;
    addTo(cells, cellOf(x) * 100_003 + cellOf(y), { x, y, long: longerSide(corners) });
  }
  if (cells.size === 0) return undefined;
  return (x, y, reach) => {
    // Texts are hardly longer than the page; longer claims are not followed.
    const most = Math.min(reach, 40 * largest);
    const found: Fill[][] = [];
    for (let column = cellOf(x - most); column <= cellOf(x + most); column++)
      for (let row = cellOf(y - most); row <= cellOf(y + most); row++)
        found.push(cells.get(column * 100_003 + row) ?? []);
    return found.flat();
  };
}
