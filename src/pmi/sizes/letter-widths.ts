import { TurnedFrame } from '../../content/geometry.js';
import { addTo, medianOf } from '../../content/groups.js';
import type { SheetText } from '../../content/sheet.js';

/** How often a letter is followed by another one at least for its width to be known. */
const LEAST_SEEN = 3;
/** So many of them, and this share, have it within such a factor. */
const LEAST_ALIKE = 2;
const LEAST_SHARE = 0.25;
const ALIKE = 1.03;
/** By which factor widths of fonts differ from the usual ones at most; signs may be a bit wider than figures. */
const NARROWEST = 0.4;
const WIDEST = 1.75;
const WIDEST_SIGN = 1.2;
/** A capital may end words alone, whose space is then taken for a part of it: how many others say how wide it is. */
const FEWEST_CAPITALS = 4;
/** By so much it is wider than these at least, and without a space as wide within so much, as shares. */
const TOO_WIDE = 1.25;
const AS_WIDE = 0.2;
/** Spaces of fonts, in heights. */
const SPACE = [0.15, 0.9] as const;
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
  const usual = new Map<string, number>();
  for (const line of lines.values()) {
    line.sort((a, b) => a.s - b.s);
    line.forEach(({ letter, s }, i) => {
      const next = line.at(i + 1);
      if (next === undefined || next.s - s > FARTHEST * letter.height || next.s <= s) return;
      const text = letter.text.trim();
      addTo(seen, text, (next.s - s) / letter.height);
      usual.set(text, letter.width / letter.height);
    });
  }
  const least = new Map<string, number>();
  for (const [letter, far] of seen) {
    const width = leastOf(far);
    if (width !== undefined && width >= NARROWEST * usual.get(letter)!) least.set(letter, width);
  }
  const figure = medianOf([...least].filter(([letter]) => /\d/.test(letter)).map(([, width]) => width)) ?? 0;
  for (const [letter, width] of least)
    if (width > WIDEST * usual.get(letter)! && (width > WIDEST_SIGN * figure || /[\dA-Z]/.test(letter)))
      least.delete(letter);
  const plain = withoutSpaces(least, seen, usual);
  return new Map([...plain].map(([letter, width]) => [letter, width / usual.get(letter)!]));
}

/**
 * Widths of letters, in heights, of which capitals that are wider than the others by a space, as in words that end with
 * them, are as wide as the others.
 * @param usual those of common fonts, of which some letters are wide.
 */
function withoutSpaces(
  widths: ReadonlyMap<string, number>,
  seen: ReadonlyMap<string, readonly number[]>,
  usual: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> {
  const capitals = [...widths].filter(([letter]) => /[A-Z]/.test(letter));
  const capital = medianOf(capitals.map(([, width]) => width));
  const share = medianOf(capitals.map(([letter, width]) => width / usual.get(letter)!));
  if (capital === undefined || share === undefined || capitals.length < FEWEST_CAPITALS) return widths;
  const space = leastOf(
    [...widths].flatMap(([letter, width]) =>
      seen
        .get(letter)!
        .map((far) => far - width)
        .filter((gap) => gap > SPACE[0] && gap < SPACE[1]),
    ),
  );
  if (space === undefined) return widths;
  const withoutSpace = (letter: string, width: number): number => {
    const wanted = Math.max(capital, share * usual.get(letter)!);
    const isWithSpace =
      /[A-Z]/.test(letter) && width > TOO_WIDE * wanted && Math.abs(width - space - wanted) < AS_WIDE * wanted;
    return isWithSpace ? width - space : width;
  };
  return new Map([...widths].map(([letter, width]) => [letter, withoutSpace(letter, width)]));
}

/** The least value that is there often: what few have comes from texts that lie on each other. */
function leastOf(values: readonly number[]): number | undefined {
  if (values.length < LEAST_SEEN) return undefined;
  const sorted = values.toSorted((a, b) => a - b);
  const least = Math.max(LEAST_ALIKE, LEAST_SHARE * values.length);
  const step = Math.ceil(least) - 1;
  return sorted.find((value, i) => i + step < sorted.length && sorted[i + step] <= ALIKE * value);
}
