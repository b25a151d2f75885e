import { TurnedFrame } from '../../content/geometry.js';
import { addTo } from '../../content/groups.js';
import type { SheetText } from '../../content/sheet.js';

/** How often a letter is followed by another one at least for its width to be known. */
const LEAST_SEEN = 3;
/** So many of them, and this share, have it within such a factor. */
const LEAST_ALIKE = 2;
const LEAST_SHARE = 0.25;
const ALIKE = 1.03;
/** By which factor widths of fonts differ from the usual ones at most. */
const NARROWEST = 0.4;
const WIDEST = 1.75;
/** In heights of the font: letters of one line stand on one baseline, and a word goes on within so much. */
const ON_LINE = 0.05;
const FARTHEST = 1.4;
/** Directions and heights that are as near to each other are one. */
const STEPS_OF_TURN = 200;
const STEPS_OF_HEIGHT = 20;
/** Fewer texts of one letter are no words in pieces. */
const FEWEST = 24;

/**
 * Texts with the widths of their letters, where a file holds each letter as a text of its own and no widths: that of a
 * letter is the least usual distance to what follows it, for words have no gaps. Letters that are followed too seldom
 * keep the usual width.
 */
export function withLetterWidths(texts: readonly SheetText[]): readonly SheetText[] {
  const isLetter = ({ text, width, height }: SheetText): boolean =>
    [...text.trim()].length === 1 && width > 0 && height > 0;
  const letters = texts.filter(isLetter);
  if (letters.length < FEWEST) return texts;
  const shares = learnedShares(letters);
  if (shares.size === 0) return texts;
  return texts.map((text) => {
    const share = isLetter(text) ? shares.get(text.text.trim()) : undefined;
    return share === undefined ? text : { ...text, width: share * text.width };
  });
}

/** Of each letter its width as a share of the usual one. */
function learnedShares(letters: readonly SheetText[]): ReadonlyMap<string, number> {
  const lines = new Map<string, { readonly letter: SheetText; readonly s: number; readonly t: number }[]>();
  for (const letter of letters) {
    const frame = new TurnedFrame(letter.angleRad);
    const { x, y, height, angleRad } = letter;
    const [s, t] = [frame.s(x, y), frame.t(x, y)];
    const key = [
      Math.round(angleRad * STEPS_OF_TURN),
      Math.round(STEPS_OF_HEIGHT * Math.log(height)),
      Math.round(t / (2 * ON_LINE * height)),
    ].join();
    addTo(lines, key, { letter, s, t });
  }
  const seen = new Map<string, number[]>();
  for (const line of lines.values()) {
    line.sort((a, b) => a.s - b.s);
    line.forEach(({ letter, s }, i) => {
      const next = line.at(i + 1);
      if (next === undefined || next.s - s > FARTHEST * letter.height || next.s <= s) return;
      addTo(seen, letter.text.trim(), (next.s - s) / letter.width);
    });
  }
  return new Map(
    [...seen].flatMap(([letter, shares]) => {
      const share = leastOf(shares);
      return share !== undefined && share >= NARROWEST && share <= WIDEST ? [[letter, share] as const] : [];
    }),
  );
}

/** The least value that is there often: what few have comes from texts that lie on each other. */
function leastOf(values: readonly number[]): number | undefined {
  if (values.length < LEAST_SEEN) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const least = Math.max(LEAST_ALIKE, LEAST_SHARE * values.length);
  const step = Math.ceil(least) - 1;
  return sorted.find((value, i) => i + step < sorted.length && sorted[i + step] <= ALIKE * value);
}
