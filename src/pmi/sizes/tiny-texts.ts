import type { Sheet, SheetText } from '../../content/sheet.js';

/** Smaller letters are not read by people, mm on paper (ISO 3098-1 has 1.8 as the smallest). */
const SMALLEST_MM = 0.5;
/**
 * On pages that were made smaller as a whole all letters are: such are less than this share of the usual height, of
 * all letters and of sizes. Notes of a plan may be much larger than its sizes.
 */
const SHARE_OF_USUAL = 0.5;
/** What looks like a size: a figure, more than one or with a sign. */
const SIZE = /^(?:\d{1,2}\s?[xX×]\s?)?(?:[⌀∅ØRM±]\s?\d|\d+[.,]?\d)[\d.,]*(?![\w/:-])/;
/** Most texts whose heights are compared. */
const MOST_TEXTS = 20_000;

/**
 * A sheet of paper without the texts that nobody can read, and how many of them have figures: marks of programs and
 * leftovers. A page whose letters are all small keeps them.
 */
export function withoutTinyTexts(sheet: Sheet): { readonly sheet: Sheet; readonly tiny: number } {
  const { texts, unitMm, space } = sheet;
  const none = { sheet, tiny: 0 };
  if (space !== 'paper' || unitMm === null || texts.length === 0) return none;
  const isSmall = ({ height }: SheetText): boolean => height * unitMm < SMALLEST_MM;
  if (!texts.some(isSmall)) return none;
  const compared = texts.slice(0, MOST_TEXTS);
  const sizes = compared.filter(({ text }) => SIZE.test(text.trim()));
  const usual = Math.min(usualHeight(compared), sizes.length === 0 ? Infinity : usualHeight(sizes));
  const isTiny = (text: SheetText): boolean => isSmall(text) && text.height < SHARE_OF_USUAL * usual;
  const tiny = texts.filter((text) => isTiny(text) && /\d/.test(text.text)).length;
  return tiny === 0 ? none : { sheet: { ...sheet, texts: texts.filter((text) => !isTiny(text)) }, tiny };
}

/** The height of most letters. */
function usualHeight(texts: readonly SheetText[]): number {
  const sorted = texts.toSorted((a, b) => a.height - b.height);
  const half = sorted.reduce((sum, { text }) => sum + text.length, 0) / 2;
  let seen = 0;
  return sorted.find(({ text }) => (seen += text.length) >= half)?.height ?? 0;
}
