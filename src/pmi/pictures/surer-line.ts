import { hasLeadingZero, readDimension, readTolerance } from '../dimension-text.js';
import { likelierSize } from './likelier-size.js';
import type { PictureText, PictureWord } from './picture-text.js';
import type { WholeLetter, WholeLine } from './whole-line.js';
import { asGeneralTolerance } from './word-forms.js';

/** Least confidence of a line that is read as a whole. */
const LEAST = -0.6;
/** Half the width of a letter, in heights of a capital. */
const HALF_LETTER = 0.35;
/** Least gap between words, in heights of a capital: words that are nearer are one where lines are joined. */
const LEAST_GAP = 0.3;
/** Letters of a line no further from its end reach to it. */
const FROM_END = 0.6;
const SAME_FORM = /^[COSUVWXZcosuvwxz]$/;

/** How a line that is read as a whole stands beside one read letter by letter: its score, for each letter. */
const WEIGHT = 1.2;
/** What a line that is no size loses of it: read upside down, letters may look well. */
const NO_SIZE = 0.3;
/** Marks of surface texture beside their value. */
const MARK_BEFORE = /^[/√∥]+ ?(?=(?:R[az] ?)?\d)/;
const MARK_BEHIND = /^((?:R[az] ?)?\d+[.,]?\d*) ?[/√∥]+$/;
/**
 * Remains of the dimension line behind a text that interrupts it, and those before it; heads of arrows between texts.
 */
const DASHES_BEHIND = /[\s\-_<>(]*[-_<>(]$/;
const DASHES_BEFORE = /^[-_<>][\s\-_<>]*/;
const ARROW = /[-+4 ]*[<>][-+4<> ]*/g;
const LINE_ENDS = /^[-_] ?(?=[\d⌀R])|(?<=[\d°)]) ?[-_]$/g;
/** The end of a leader before a size. */
const STROKES_BEFORE = /^(?:[/_.,'|∠√ ]|\(?°)+/;
/** Brackets that hold neither a letter nor a figure; the least confidence of the letters that stand there. */
const HOLLOW = /^(?=.*[()])[^\p{L}\p{N}]*$/u;
const SURELY = -0.1;
/** A figure that neither a bar nor a circle looks like. */
const LONE_FIGURE = /^[2-9]$/;
/** What remains of lines looks like. */
const ONLY_BARS = /^[1Iil|/\\\-_.,:' ]+$/;

/** The score of a whole line in the sense of `LineReading.score`, where the network is sure of it; else undefined. */
export function scoreOfWhole(whole: WholeLine | undefined): number | undefined {
  return whole === undefined || whole.confidence < LEAST || whole.letters.length < 2 || ONLY_BARS.test(whole.text)
    ? undefined
    : WEIGHT * whole.confidence - (isSizeInLine(whole) ? 0 : NO_SIZE);
}

/** Whether a line is a size: upside down it hardly is, and `10` is `01`, which no drawing writes. */
export function isSize({ text }: Pick<WholeLine, 'text'>): boolean {
  return !hasLeadingZero(text) && readDimension(text) !== undefined;
}

/** The same of a line with ends of the dimension line that it interrupts. */
function isSizeInLine({ text }: WholeLine): boolean {
  return isSize({ text: text.replace(LINE_ENDS, '') });
}

/** How far ink that was taken for no letter reaches before and behind a text, and the line as the network reads it. */
export interface LineAround {
  readonly before: number;
  readonly behind: number;
  readonly whole: WholeLine | undefined;
}

/**
 * A line as the network of whole lines reads it, where that is sure of it; else as it was read letter by letter. The
 * network sees all that is dark about the line: what was cut away as a line, and points that are no pieces. Undefined
 * for what only looks like a letter.
 */
export function asWholeLine(text: PictureText, { before, behind, whole: read }: LineAround): PictureText | undefined {
  const whole = read && asSize(read);
  const cos = Math.cos(text.angleRad),
    sin = Math.sin(text.angleRad);
  if (whole?.text === '' && ONLY_BARS.test(text.text)) return undefined;
  if (whole === undefined || whole.confidence < LEAST) return text;
  // The network seldom sees brackets about a single figure: `(8)` is `()` or `(Ⓟ` for it.
  if (HOLLOW.test(whole.text) && text.confidence > SURELY && isSize(text)) return text;
  if (text.count === 1 && /^[A-Z]$/.test(text.text) && whole.text.toUpperCase() !== text.text)
    return /^[A-Z]$/.test(whole.text) ? withText(text, whole.text) : undefined;
  // A lone figure, on its dimension line most of all, is seldom read surely by its form alone.
  if (LONE_FIGURE.test(text.text) && whole.text === text.text) return surer(text, whole.confidence);
  if (whole.letters.length < 2) return text;
  // A dash that only the whole line has is the rest of a line.
  if (/^[-_]/.test(whole.text) && whole.text.slice(1) === text.text) return { ...text, confidence: whole.confidence };
  const width = before + text.width + behind;
  const plain = withoutLines(withoutMark({ ...whole, letters: inForm(withCase(whole.letters, text.text)) }));
  if (plain.letters.length === 0) return text;
  const words = wordsOf(plain, { ...text, width }, before);
  const [x, y] = [text.x - before * cos, text.y - before * sin];
  const start = words[0].start,
    last = words[words.length - 1];
  return {
    ...text,
    text: words.map((word) => word.text).join(' '),
    confidence: whole.confidence,
    count: plain.letters.filter(({ text: letter }) => letter !== ' ').length,
    x: x + start * cos,
    y: y + start * sin,
    width: last.start + last.width - start,
    words: words.map((word) => ({ ...word, start: word.start - start })),
  };
}

/** What has figures and reads as no size, as the likeliest size that it may be; other lines stay as they are. */
function asSize(whole: WholeLine): WholeLine {
  const { text, letters, confidence, scores } = whole;
  if (confidence < LEAST || letters.length < 2 || !/\d/.test(text) || /[A-Za-z]{3}/.test(text) || isSizeInLine(whole))
    return whole;
  if (readTolerance(text) !== undefined) return whole;
  const marks = STROKES_BEFORE.exec(text)?.[0].length ?? 0;
  if (marks > 0 && readDimension(text.slice(marks)) !== undefined)
    return { ...whole, text: text.slice(marks), letters: letters.slice(marks) };
  const likelier = likelierSize(scores);
  if (likelier === undefined) return whole;
  const first = letters[0],
    last = letters[letters.length - 1];
  const step = letters.length < 2 ? 1 : (last.at - first.at) / Math.max(1, likelier.text.length - 1);
  return {
    ...whole,
    text: likelier.text,
    confidence: confidence + likelier.less / Math.max(1, likelier.text.length),
    letters: [...likelier.text].map((text, i) => ({ ...first, text, at: first.at + i * step, sure: confidence })),
  };
}

/**
 * Letters without what the sides of a counterbore were read as beside it, and the gap between it and its size; the
 * small letter of a roughness.
 */
function inForm(letters: readonly WholeLetter[]): readonly WholeLetter[] {
  const textAt = (i: number): string => letters[i]?.text ?? '';
  return letters.flatMap((letter, i) => {
    const { text } = letter;
    const isLeft = /^[LUI|]$/.test(text) && textAt(i + 1) === '⌴';
    const isSide = isLeft || (/^[JI|1]$/.test(text) && textAt(i - 1) === '⌴');
    const isGap = text === ' ' && textAt(i + 1) === '⌀' && (textAt(i - 1) === '⌴' || textAt(i - 2) === '⌴');
    if (isSide || isGap) return [];
    const isRoughness = i === 1 && textAt(0) === 'R' && /[\d ]/.test(textAt(2)) && /^[AZ]$/.test(text);
    return isRoughness ? [{ ...letter, text: text.toLowerCase() }] : [letter];
  });
}

/** A text of one word as another one. */
function withText(text: PictureText, said: string): PictureText {
  return { ...text, text: said, words: text.words.map((word) => ({ ...word, text: said })) };
}

/** A text of one word that two readers say, as sure as the surer one. */
function surer(text: PictureText, confidence: number): PictureText {
  const most = Math.max(text.confidence, confidence);
  return { ...text, confidence: most, words: text.words.map((word) => ({ ...word, confidence: most })) };
}

/** A line without the dashes and arrowheads of the dimension line that it interrupts. */
function withoutLines(whole: WholeLine): WholeLine {
  const apart = whole.letters.map((letter) => ({ ...letter }));
  for (const { 0: found, index } of whole.text.matchAll(ARROW))
    for (let i = index; i < index + found.length; i++) apart[i].text = ' ';
  const text = apart.map((letter) => letter.text).join('');
  const behind = DASHES_BEHIND.exec(text)?.[0].length ?? 0;
  const before = behind > 0 || text !== whole.text ? (DASHES_BEFORE.exec(text)?.[0].length ?? 0) : 0;
  const letters = apart.slice(before, text.length - behind);
  while (letters[0]?.text === ' ') letters.shift();
  while (letters.at(-1)?.text === ' ') letters.pop();
  return { ...whole, text: letters.map((letter) => letter.text).join(''), letters };
}

/** A value of surface texture without the strokes of its mark. */
function withoutMark(whole: WholeLine): WholeLine {
  const { text, letters } = whole;
  const before = MARK_BEFORE.exec(text)?.[0].length ?? 0;
  const kept = MARK_BEHIND.exec(text)?.[1].length ?? text.length;
  return { ...whole, text: text.slice(before, kept), letters: letters.slice(before, kept) };
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
  const placed = full.map((word, i) => {
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
  // Places are estimated, and a gap that was read is one.
  placed.slice(1).forEach((word, i) => {
    const before = placed[i];
    const less = (before.start + before.width + LEAST_GAP * height - word.start) / 2;
    if (less <= 0) return;
    before.width = Math.max(1, before.width - less);
    word.start += less;
    word.width = Math.max(1, word.width - less);
  });
  return placed;
}
