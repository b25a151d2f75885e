import { TurnedFrame } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import type { Sheet, SheetText } from '../../content/sheet.js';
import { likeliest } from './likeliest.js';
import { type Glyph, NO_LETTER } from './line-glyphs.js';
import type { ReadLine } from './read-line.js';

/**
 * As shares of the height of capitals: gap between words, largest gap between a sign and a line, height of the font.
 */
const WORD_GAP = 0.4;
/** The same beside the point of a number, and more beside a letter that is narrower than a share of the height. */
const POINT_GAP = 0.75;
/** Between letters of a printed font. */
const LETTER_GAP = 0.3;
const STROKE_GAP = 0.1;
const NARROW = 0.16;
/**
 * Plotters give narrow letters the room of wide ones: beside strokes, words part at this many gaps between wide letters
 * of the sheet, at most at the second, in heights of capitals. Of at least so many gaps, which are less than the last.
 */
const LETTER_GAPS = 2.6;
const WIDEST_GAP = 0.8;
const FEW_GAPS = 6;
const LEAST_WIDE = 0.3;
const FONT = 1 / 0.72;
/** A ring that is no letter stands so far above the line and is lower than that, in heights of capitals. */
const RAISED = 0.1;
const RING = 0.75;
/** Usual widths of digits and of capitals, shares of the height of capitals; those of narrow letters say nothing. */
const WIDTHS = [
  [/^[023456789]$/, 0.64],
  [/^[ABCDEFGHKNOPQRSTUVXYZ]$/, 0.84],
] as const;
/**
 * Letters in a plane that is seen at an angle are wider than high, and so are their gaps: from the first factor on, at
 * most by the second; of at least so many letters.
 */
const STRETCH = [1.25, 1.8] as const;
const FEW_WIDTHS = 2;

/**
 * The usual gap between wide stroked letters of a sheet, in heights of capitals; 0 where there are too few.
 */
export function letterGapOf(lines: readonly ReadLine[]): number {
  const gaps = lines.flatMap(({ glyphs, height }) =>
    glyphs.slice(1).flatMap((glyph, i) => {
      const gap = (glyph.minS - glyphs[i].maxS) / height;
      const isWide = [glyphs[i], glyph].every(
        ({ blobs, candidates: [first], minS, maxS }) =>
          /^[A-Z2-9]$/.test(first?.text ?? '') &&
          !blobs.some(({ isFill }) => isFill) &&
          maxS - minS > LEAST_WIDE * height,
      );
      return isWide && gap > 0 && gap < WORD_GAP ? [gap] : [];
    }),
  );
  return gaps.length < FEW_GAPS ? 0 : medianOf(gaps)!;
}

/**
 * The words of a line.
 * @param letterGap of the sheet: see {@link letterGapOf}.
 */
export function wordsOf({ glyphs, slant, height, baseline }: ReadLine, letterGap = 0): SheetText[] {
  const words: Glyph[][] = [];
  const stretch = stretchOf(glyphs, height);
  for (const glyph of glyphs) {
    const last = words.at(-1),
      before = last?.at(-1);
    const isJunk =
      glyph.candidates.length === 0 || (glyph.candidates[0].text === '' && glyph.candidates[0].probability > 0.5);
    if (isJunk) words.push([]);
    else if (
      last === undefined ||
      before === undefined ||
      glyph.minS - before.maxS > stretch * gapOf(last, glyph, height, letterGap) * height
    )
      words.push([glyph]);
    else last.push(glyph);
  }
  // A small ring above the line is that of a symbol: no word is a raised `o`.
  const isRing = ([{ candidates, minH, maxH }, ...others]: readonly Glyph[]): boolean =>
    others.length === 0 &&
    words.length > 1 &&
    /^[oO0]$/.test(candidates[0].text) &&
    minH - baseline > RAISED * height &&
    maxH - minH < RING * height;
  return words
    .filter((word) => word.length > 0 && !isRing(word) && !(words.length > 1 && isOpenHead(word)))
    .map((word): SheetText => {
      const start = Math.min(...word.map(({ minS }) => minS)),
        end = Math.max(...word.map(({ maxS }) => maxS));
      const x = start * Math.cos(slant.alongRad) + baseline * Math.cos(slant.upRad),
        y = start * Math.sin(slant.alongRad) + baseline * Math.sin(slant.upRad);
      const across = Math.abs(Math.sin(slant.upRad - slant.alongRad));
      return {
        text: likeliest(word.map(({ candidates, minH, maxH }) => ({ candidates, height: (maxH - minH) / height }))),
        x,
        y,
        angleRad: slant.alongRad,
        height: FONT * height * across,
        width: end - start,
        annotation: -1,
        confidence: sureness(word),
      };
    });
}

/** Whether a word is an open head of a dimension line beside its value: `< 97.34`. Printed signs are areas. */
function isOpenHead([{ blobs, candidates }, ...others]: readonly Glyph[]): boolean {
  return others.length === 0 && /^[<>]$/.test(candidates[0].text) && !blobs.some(({ isFill }) => isFill);
}

/** By how much the letters of a line are wider than usual ones; 1 where they are not. */
function stretchOf(glyphs: readonly Glyph[], height: number): number {
  const all = glyphs
    .flatMap(({ candidates: [first], minS, maxS }) => {
      const usual = first && WIDTHS.find(([letters]) => letters.test(first.text))?.[1];
      return usual === undefined ? [] : [(maxS - minS) / (usual * height)];
    })
    .sort((a, b) => a - b);
  const middle = all.length < FEW_WIDTHS ? 1 : all[(all.length - 1) >> 1];
  return middle < STRETCH[0] ? 1 : Math.min(STRETCH[1], middle);
}

/** The words of a line that the file does not also hold as text; of words that it holds in part, the missing signs. */
export function wordsBeside(sheet: Sheet, line: ReadLine, letterGap: number): SheetText[] {
  return wordsOf(line, letterGap).flatMap((word) => {
    const over = sheet.texts.filter((text) => isNear(text, word));
    if (over.length === 0) return [word];
    const end = word.x * Math.cos(word.angleRad) + word.y * Math.sin(word.angleRad) + word.width;
    const start = end - word.width;
    const glyphs = line.glyphs
      .filter(({ minS, maxS }) => minS >= start - 1e-6 && maxS <= end + 1e-6)
      .flatMap((glyph) => wordsOf({ ...line, glyphs: [glyph] }));
    const isSigns = over.some((text) => isOver(text, word));
    return isSigns
      ? glyphs.filter((glyph) => NO_LETTER.test(glyph.text) && !over.some((text) => isOver(text, glyph)))
      : [word];
  });
}

/** Mean probability of a word's letters. */
function sureness(word: readonly Glyph[]): number {
  return word.reduce((sum, { candidates: [first] }) => sum + (first?.probability ?? 0), 0) / word.length;
}

/** The widest gap between a word and a glyph that goes on in it: plotters give a point the room of a letter. */
function gapOf(word: readonly Glyph[], second: Glyph, height: number, letterGap: number): number {
  const first = word[word.length - 1];
  const [
    {
      candidates: [before],
    },
    {
      candidates: [after],
    },
  ] = [first, second];
  const isPoint = (text: string): boolean => text === '.' || text === ',';
  const isPrinted = [first, second].every(({ blobs }) => blobs.every(({ isFill }) => isFill));
  if (isPrinted && /^[\dA-Za-z.,:;]$/.test(before.text) && /^[A-Za-z]$/.test(after.text)) {
    const narrow = [first, second].filter(({ minS, maxS }) => maxS - minS < NARROW * height).length;
    return LETTER_GAP + narrow * STROKE_GAP;
  }
  if (after.text === ')' && /^[\d°]$/.test(before.text)) return POINT_GAP;
  // What begins with its point has no other.
  const isOther = isPoint(after.text) && isPoint(word[0].candidates[0].text);
  const isOfNumber =
    (isPoint(after.text) && !isOther && /^[\dOoDQIl⌀RS±+-]$/.test(before.text)) ||
    (isPoint(before.text) && (/^\d$/.test(after.text) || (/^[OoDQIl]$/.test(after.text) && !isInitial(word))));
  // `2768-mK`, `UNC-2B`; a hyphen between digits may be the minus of a deviation.
  const isOfName =
    (after.text === '-' && /^[\dA-Z]$/.test(before.text)) || (before.text === '-' && /^[A-Za-z]$/.test(after.text));
  if (isInitial(word) && letterGap > 0) return Math.max(WORD_GAP, LETTER_GAPS * letterGap);
  // A stroke such as `I` stands in the room of a wider letter.
  const strokes = [first, second].filter(({ minS, maxS }) => maxS - minS < NARROW * height).length;
  const beside = strokes === 0 ? 0 : Math.min(WIDEST_GAP, LETTER_GAPS * letterGap);
  return isOfNumber || isOfName ? POINT_GAP : Math.max(beside, WORD_GAP + strokes * STROKE_GAP);
}

/** Whether a word is a letter and a point, as first names are shortened; `R.` and `S.` begin sizes. */
function isInitial([first, point, ...others]: readonly Glyph[]): boolean {
  const isPoint = point?.candidates.at(0)?.text === '.';
  return others.length === 0 && isPoint && /^[A-CE-HJ-NPT-Z]$/.test(first.candidates.at(0)?.text ?? '');
}

/** Whether the two boxes may touch. */
function isNear(text: SheetText, word: SheetText): boolean {
  return Math.hypot(text.x - word.x, text.y - word.y) < text.width + word.width + text.height + word.height;
}

/** Whether a text stands where a word does: some files hold both, outlines to be seen and text to be searched. */
function isOver(text: SheetText, word: SheetText): boolean {
  const frame = new TurnedFrame(text.angleRad);
  const middle = word.width / 2,
    up = 0.35 * word.height;
  const x = word.x + middle * Math.cos(word.angleRad) + up * Math.sin(word.angleRad) - text.x,
    y = word.y + middle * Math.sin(word.angleRad) - up * Math.cos(word.angleRad) - text.y;
  const s = frame.s(x, y),
    t = frame.t(x, y);
  return (
    s > -0.2 * text.height && s < text.width + 0.2 * text.height && t > -1.1 * text.height && t < 0.3 * text.height
  );
}
