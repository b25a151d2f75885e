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
/** A text counts as drawn by filled areas when there are at least this many areas per letter. */
const MOST_MISSING = 0.6;
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
  return sheet.texts.map((text, i) => {
    if (i >= MOST_TEXTS) return text;
    const { x, y, angleRad, height, width } = text;
    const cos = Math.cos(angleRad),
      sin = Math.sin(angleRad);
    let count = 0,
      last = 0;
    fills.near(x + (width / 2) * cos, y + (width / 2) * sin, width / 2 + height, (fillX, fillY) => {
      const s = (fillX - x) * cos + (fillY - y) * sin,
        t = (fillY - y) * cos - (fillX - x) * sin;
      if (s < -HALF * height || s > width || t < -ABOVE * height || t > BELOW * height) return;
      count++;
      last = Math.max(last, s);
    });
    const drawn = last + HALF * height;
    const letters = text.text.replace(/\s/g, '').length;
    return count < MOST_MISSING * letters || drawn > width || drawn < SHORTEST * width
      ? text
      : { ...text, width: drawn };
  });
}

interface Fills {
  near(x: number, y: number, reach: number, see: (x: number, y: number) => void): void;
}

/** Middles of areas of the size of letters; undefined where there are none. */
function smallFills({
  strokes: { count, points, starts, styles },
  styles: all,
  width,
  height,
}: Sheet): Fills | undefined {
  const largest = LARGEST * Math.max(width, height);
  const cells = new Map<number, [number, number][]>();
  const cellOf = (value: number): number => Math.floor(value / largest);
  let left = MOST_FILLS;
  for (let stroke = 0; stroke < count && left > 0; stroke++) {
    if (!all[styles[stroke]].isFill) continue;
    let minX = Infinity,
      minY = Infinity,
      maxX = -Infinity,
      maxY = -Infinity;
    for (let i = starts[stroke]; i < starts[stroke + 1]; i++) {
      minX = Math.min(minX, points[2 * i]);
      maxX = Math.max(maxX, points[2 * i]);
      minY = Math.min(minY, points[2 * i + 1]);
      maxY = Math.max(maxY, points[2 * i + 1]);
    }
    if (!(Math.max(maxX - minX, maxY - minY) <= largest)) continue;
    left--;
    const x = (minX + maxX) / 2,
      y = (minY + maxY) / 2,
      key = cellOf(x) * 100_003 + cellOf(y);
    const cell = cells.get(key);
    if (cell === undefined) cells.set(key, [[x, y]]);
    else cell.push([x, y]);
  }
  if (cells.size === 0) return undefined;
  return {
    near(x, y, reach, see) {
      // Texts are hardly longer than the page; longer claims are not followed.
      const most = Math.min(reach, 40 * largest);
      for (let column = cellOf(x - most); column <= cellOf(x + most); column++) {
        for (let row = cellOf(y - most); row <= cellOf(y + most); row++)
          for (const [fillX, fillY] of cells.get(column * 100_003 + row) ?? []) see(fillX, fillY);
      }
    },
  };
}
