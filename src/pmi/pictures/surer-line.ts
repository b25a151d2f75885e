import type { PictureText, PictureWord } from './picture-text.js';
import type { BlockInk } from './text-blocks.js';
import { readWholeLine, type WholeLetter, type WholeLine } from './whole-line.js';
import { asGeneralTolerance } from './word-forms.js';

/** Least confidence of a line that is read as a whole. */
const LEAST = -0.6;
/** Half the width of a letter, in heights of a capital. */
const HALF_LETTER = 0.35;
/** Letters of a line no further from its end reach to it. */
const FROM_END = 0.6;
const SAME_FORM = /^[CKOPSUVWXZckopsuvwxz]$/;

/**
 * A line as the network of whole lines reads it, where that is sure of it; else as it was read letter by letter. The
 * network sees all that is dark about the line: what was cut away as a line, and points that are no pieces.
 * @param ends how far ink that was taken for no letter reaches before and behind the text.
 */
export function asWholeLine(
  text: PictureText,
  around: BlockInk['around'],
  { before, behind }: { readonly before: number; readonly behind: number },
): PictureText {
  const cos = Math.cos(text.angleRad),
    sin = Math.sin(text.angleRad);
  const [x, y] = [text.x - before * cos, text.y - before * sin];
  const width = before + text.width + behind;
  const whole = readWholeLine(around, { ...text, x: x + around.x0, y: y + around.y0, width });
  if (whole === undefined || whole.confidence < LEAST || whole.letters.length === 1) return text;
  const words = wordsOf({ ...whole, letters: withCase(whole.letters, text.text) }, { ...text, width }, before);
  const start = words[0].start,
    last = words[words.length - 1];
  return {
    ...text,
    text: words.map((word) => word.text).join(' '),
    confidence: whole.confidence,
    count: whole.letters.filter(({ text: letter }) => letter !== ' ').length,
    x: x + start * cos,
    y: y + start * sin,
    width: last.start + last.width - start,
    words: words.map((word) => ({ ...word, start: word.start - start })),
  };
}

/** Letters that are small or large by their height alone, as the reader of letters knows it better. */
function withCase(letters: readonly WholeLetter[], read: string): readonly WholeLetter[] {
  const known = [...read.replaceAll(' ', '')];
  if (known.length !== letters.filter(({ text }) => text !== ' ').length) return letters;
  let at = 0;
  return letters.map((letter) => {
    if (letter.text === ' ') return letter;
    const other = known[at++];
    return SAME_FORM.test(other) && other.toLowerCase() === letter.text.toLowerCase()
      ? { ...letter, text: other }
      : letter;
  });
}

/** The words of a whole line, with their places: those of the reader of letters where it found as many. */
function wordsOf(
  { letters, text: said, confidence }: WholeLine,
  { words: known, width, height }: PictureText,
  before: number,
): PictureWord[] {
  const general = asGeneralTolerance(said);
  if (general !== undefined) return [{ text: general, confidence, start: 0, width }];
  const words: WholeLetter[][] = [[]];
  for (const letter of letters)
    if (letter.text === ' ') words.push([]);
    else words[words.length - 1].push(letter);
  const full = words.filter((word) => word.length > 0);
  return full.map((word, i) => {
    const [from, to] = [word[0].at, word[word.length - 1].at];
    const isFirst = i === 0 && from < FROM_END * height,
      isLast = i === full.length - 1 && to > width - FROM_END * height;
    const same = full.length === known.length ? known[i] : undefined;
    const start = isFirst ? 0 : same !== undefined ? before + same.start : Math.max(0, from - HALF_LETTER * height);
    const end = isLast ? width : same !== undefined ? before + same.start + same.width : to + HALF_LETTER * height;
    return {
      text: word.map(({ text }) => text).join(''),
      confidence: word.reduce((sum, { sure }) => sum + sure, 0) / word.length,
      start,
      width: Math.max(1, end - start),
    };
  });
}
