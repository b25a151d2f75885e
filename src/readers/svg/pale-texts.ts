import type { Sheet } from '../../content/sheet.js';
import type { Bounds } from '../geometry/affine.js';
import { darkestOf, WHITE } from '../sheet/ink-colors.js';
import { shownBy } from '../sheet/shown-texts.js';
import type { TextPiece } from '../text/text-layout.js';

/**
 * A sheet without the white texts that nothing shows on white paper, and how many those are. Those over a dark area or
 * a picture stay, and so do all where half of the lines are white too: such a drawing is made for a dark screen.
 * @param white texts that are drawn with white alone, as they are placed on the sheet.
 * @param pictures areas of pictures, of which a sheet has no strokes.
 */
export function withoutWhiteTexts(
  sheet: Sheet,
  white: readonly TextPiece[],
  pictures: readonly Bounds[],
): { readonly sheet: Sheet; readonly unseen: number } {
  if (white.length === 0 || isOfDarkScreen(sheet)) return { sheet, unseen: 0 };
  const isShown = shownBy(sheet, pictures);
  const gone = new Map<string, number>();
  for (const piece of white) if (!isShown(piece)) gone.set(keyOf(piece), (gone.get(keyOf(piece)) ?? 0) + 1);
  if (gone.size === 0) return { sheet, unseen: 0 };
  const left: string[] = [];
  const texts = sheet.texts.filter((text) => {
    const key = keyOf(text);
    const further = gone.get(key) ?? 0;
    if (further === 0) return true;
    gone.set(key, further - 1);
    left.push(key);
    return false;
  });
  // White edges of dark letters are drawn in the same place.
  const seen = new Set(texts.map(keyOf));
  return { sheet: { ...sheet, texts }, unseen: left.filter((key) => !seen.has(key)).length };
}

function isOfDarkScreen({ strokes, styles }: Sheet): boolean {
  let pale = 0,
    all = 0;
  for (let stroke = 0; stroke < strokes.count; stroke++) {
    const { color, isFill } = styles[strokes.styles[stroke]];
    if (isFill) continue;
    all++;
    if (isWhite(color)) pale++;
  }
  return 2 * pale >= all;
}

/** Whether a colour, 0xRRGGBB, is not seen on white paper. */
export function isWhite(color: number): boolean {
  return darkestOf(color) >= WHITE;
}

/** The text and its place. */
function keyOf({ text, x, y }: Pick<TextPiece, 'text' | 'x' | 'y'>): string {
  return `${Math.round(1_000 * x)} ${Math.round(1_000 * y)} ${text}`;
}
