import { medianOf } from '../../content/groups.js';
import type { Sheet, SheetText } from '../../content/sheet.js';
import { LineIndex } from '../line-index.js';
import { aligned } from './aligned-words.js';
import { QUARTER, boxDirections, isInLevelBox, slantsOf, upright } from './blob-directions.js';
import { linesOfBlobs } from './blob-lines.js';
import { type BlobLine, sizeOf } from './blob-places.js';
import type { Slant } from './blob-picture.js';
import { withBrackets } from './brackets.js';
import { blobsOf, type Blob } from './blobs.js';
import { FEW, type Glyph, textOf, NO_LETTER, sureForm } from './line-glyphs.js';
import { beside, signsOfLimits } from './line-signs.js';
import { letterGapOf, wordsBeside, wordsOf } from './line-words.js';
import { DEVIATION, MOST_ZEROS, asZeros, isStacked, isZero } from './lone-zeros.js';
import { asMostUpright, directionOfUpright, withPointBelow } from './upright-lines.js';
import { type ReadLine, better, frequentSlants, leaning, leanOf, readIn, readLine } from './read-line.js';

/** Most glyphs of a sheet that are recognised. */
const MOST_GLYPHS = 4_000;
/** A sheet has outlined text when it has at least as many lines of three or more glyphs. */
const FEWEST_LINES = 3;
/** Least mean probability of a line, of a single letter, and of a sign beside a line. */
const LINE_TEXT = 0.55;
const LETTER_TEXT = 0.75;
/** A letter is certain from this probability. */
const CERTAIN = 0.95;
/** Score from which no other slant is tried. */
const SURE = 0.9;
/** A stroked letter that stands alone, as those of datums do, is as high as those of longer texts. */
const SAME_HEIGHT = 0.08;
/** Nothing that stands alone is this many times as high as the highest line, unless something else is as high. */
const HIGHEST_ALONE = 1.9;
const AS_HIGH = 0.12;
/** What belongs to a sign in a cell of a frame begins within so many of its sizes. */
const BESIDE_DATUM = 3;
/** A zero and the letter that looks like it. */
const ROUND: ReadonlySet<string> = new Set(['0O', 'O0', '0o', 'o0']);
/** Its partner begins within so many heights of capitals. */
const NEAR_ZERO = 5;
/** Directions of level and of upright lines are as exact, rad. */
const STRAIGHT = 0.05;
/** Short lines of strokes are text from so many different letters on; bars and rounds are no sure ones. */
const FEWEST_LETTERS = 3;
const TOLD_APART = /^[2-9A-HJKMNPR-Za-kmnp-z]$/;
const MARKS = /^[-._,'"*:<>]$/;

/**
 * Text that is drawn as areas or strokes letter by letter, at any angle, also slanted as on pictorial views: its words
 * with their places. Empty where a sheet has no such text. On a sheet with very many small strokes only the first ones
 * are read.
 */
export function outlinedTexts(sheet: Sheet): SheetText[] {
  const blobs = blobsOf(sheet);
  const index = new LineIndex(sheet);
  let left = MOST_GLYPHS;
  const first: { readonly line: BlobLine; readonly found: ReadLine }[] = [];
  const short: BlobLine[] = [];
  for (const line of linesOfBlobs(sheet, blobs, index)) {
    if (line.blobs.length < FEW) {
      short.push(line);
      continue;
    }
    left -= line.blobs.length;
    if (left < 0) break;
    first.push({ line, found: readLine(sheet, line, slantsOf(sheet, line)) });
  }
  const slants = frequentSlants(first.filter(({ found }) => found.score >= LINE_TEXT).map(({ found }) => found));
  const lean = leanOf(first.map(({ found }) => found));
  // A few letters may suggest a wrong slant; that of other lines in this direction is likelier.
  const read = first
    .map(({ line, found }) => {
      const likely = found.score >= SURE ? found : better(found, sheet, line, slants);
      return lean === undefined ? likely : leaning(likely, sheet, line, lean);
    })
    .filter(({ score }) => score >= LINE_TEXT);
  const several: { readonly line: BlobLine; readonly found: ReadLine }[] = [];
  const asOthers = (found: ReadLine, line: BlobLine): ReadLine =>
    lean === undefined ? found : leaning(found, sheet, line, lean);
  for (const line of short.filter(({ blobs: own }) => own.length > 1)) {
    left -= line.blobs.length;
    if (left < 0) break;
    several.push({ line, found: asOthers(readLine(sheet, line, [...slants, ...slantsOf(sheet, line)]), line) });
  }
  // Two strokes mean nothing unless the sheet has other text of strokes: a long one, or short ones of one height.
  const hasLong = read.some(isOfStrokes);
  const lettering = hasLong ? [] : shortLettering(several.map(({ found }) => found));
  const hasStrokeText = hasLong || lettering.length > 0;
  const zeros: { readonly found: ReadLine; readonly isText: boolean }[] = [];
  const heights = [...read, ...lettering].filter(isSure).map(({ height }) => height);
  const letterHeight = medianOf(heights) ?? 0;
  const takeShort = ({ line, found }: { readonly line: BlobLine; readonly found: ReadLine }): void => {
    // Marks alone are dust; beside a number they are its minus.
    if (found.glyphs.every(({ candidates: [best] }) => best !== undefined && MARKS.test(best.text))) return;
    if (isSpeck(found, letterHeight) || isOversize(found, read, heights)) return;
    const isAlone = line.blobs.length === 1 || !line.blobs.some(({ isFill }) => isFill);
    const isText =
      Math.max(found.score, sureLetter(found), sureWord(found)) >= (isAlone ? LETTER_TEXT : LINE_TEXT) &&
      (line.blobs.some(({ isFill }) => isFill) ||
        (hasStrokeText &&
          (line.blobs.length > 1 ||
            heights.some((height) => Math.abs(height - found.height) < SAME_HEIGHT * found.height))));
    if (isZero(found) && zeros.length < MOST_ZEROS) zeros.push({ found, isText });
    else if (isText) read.push(found);
  };
  several.forEach(takeShort);
  // Letters that stand alone are read as most texts of several letters are.
  const turn = directionOfUpright(read);
  for (const line of short.filter(({ blobs: own }) => own.length === 1)) {
    left--;
    if (left < 0) break;
    const boxed = boxDirections(line.blobs[0], index).map(upright);
    const usual = boxed.length > 0 ? boxed : turn === undefined || turn < 0 ? slants : withUpright(slants, turn);
    const found = asOthers(readLine(sheet, line, usual), line);
    takeShort({ line, found: upwardDatum(sheet, found, blobs, index) ?? found });
  }
  // A zero that stands alone is a deviation above or below another one, in whose direction it is read.
  const deviations = read.filter(({ glyphs }) => DEVIATION.test(textOf(glyphs)));
  for (const { found, isText } of zeros) {
    const [at] = found.glyphs[0].blobs;
    // Only what stands near it is tried: each try reads the glyph again.
    const zero = deviations
      .filter(({ glyphs: [first], height }) => isNearBlob(first.blobs[0], at, NEAR_ZERO * height))
      .map((other) => ({
        other,
        again: readIn(
          sheet,
          found.glyphs.flatMap(({ blobs: own }) => own),
          other.slant,
        ),
      }))
      .find(({ other, again }) => isZero(again) && isStacked(again, other))?.again;
    if (zero !== undefined) read.push(asZeros(zero));
    else if (isText) read.push(found);
  }
  read.forEach((line, i) => {
    read[i] = withPointBelow(sheet, line);
  });
  const most = directionOfUpright(read);
  if (most !== undefined)
    read.forEach((line, i) => {
      read[i] = asMostUpright(sheet, line, most);
    });
  // A few words among much else are arrows and corners that look like letters.
  if (read.filter(({ glyphs }) => glyphs.length >= 3).length < FEWEST_LINES) return [];
  const used = new Set(read.flatMap(({ glyphs }) => glyphs.flatMap((glyph) => glyph.blobs)));
  const signs = signsOfLimits(sheet, read, blobs, used);
  const complete = read.map((line) => beside({ sheet, index }, line, blobs, used));
  const withSigns = [...withBrackets(sheet, complete), ...signs];
  const gap = letterGapOf(read);
  return aligned(
    withSigns.flatMap((line) => (sheet.texts.length === 0 ? wordsOf(line, gap) : wordsBeside(sheet, line, gap))),
  );
}

/**
 * The letter of a datum that stands upwards in its box, and is a sign as it is read level: A, D, L as `<`, `⌓`, `⌴`.
 * Signs in the cells of frames have something beside them.
 */
function upwardDatum(sheet: Sheet, found: ReadLine, blobs: readonly Blob[], index: LineIndex): ReadLine | undefined {
  const [glyph, ...others] = found.glyphs;
  if (glyph === undefined || others.length > 0 || /^[A-Za-z\d]$/.test(glyph.candidates.at(0)?.text ?? ''))
    return undefined;
  const [letter] = glyph.blobs;
  if (!isInLevelBox(letter, index)) return undefined;
  const reach = BESIDE_DATUM * sizeOf(letter);
  const isBeside = (other: Blob): boolean =>
    !other.isAround && !other.isArrow && !other.isLine && isNearBlob(other, letter, reach);
  if (blobs.some((other) => !glyph.blobs.includes(other) && isBeside(other))) return undefined;
  const bars = blobs.filter((other) => other.isLine && isWithin(other, letter));
  const read = readIn(sheet, [...glyph.blobs, ...bars], upright(-QUARTER));
  return read.score > LINE_TEXT && /^[A-Z]$/.test(textOf(read.glyphs)) ? read : undefined;
}

function isWithin({ box: a }: Blob, { box: b }: Blob): boolean {
  return a.x >= b.x && a.y >= b.y && a.x + a.width <= b.x + b.width && a.y + a.height <= b.y + b.height;
}

function isOfStrokes({ glyphs }: ReadLine): boolean {
  return glyphs.every(({ blobs: [blob] }) => !blob.isFill);
}

function isSure({ score, glyphs }: ReadLine): boolean {
  return score >= SURE && glyphs.length >= 3;
}

/** Short lines of strokes that are text without a longer one: they are of one height and of several letters. */
function shortLettering(lines: readonly ReadLine[]): readonly ReadLine[] {
  const sure = lines.filter((line) => isSure(line) && isOfStrokes(line));
  const most = medianOf(sure.map(({ height }) => height)) ?? 0;
  const alike = sure.filter(({ height }) => Math.abs(height - most) < SAME_HEIGHT * most);
  const letters = new Set(alike.flatMap(({ glyphs }) => [...textOf(glyphs)].filter((each) => TOLD_APART.test(each))));
  return alike.length >= FEWEST_LINES && letters.size >= FEWEST_LETTERS ? alike : [];
}

/** Slants of which the upright one goes the other way. */
function withUpright(slants: readonly Slant[], angleRad: number): readonly Slant[] {
  const others = slants.filter(({ alongRad }) => Math.abs(alongRad - angleRad) > STRAIGHT);
  const at = others.findIndex(({ alongRad }) => Math.abs(alongRad + angleRad) < STRAIGHT);
  return at < 0 ? [upright(angleRad), ...others] : others.with(at, upright(angleRad));
}

function isNearBlob({ box: a }: Blob, { box: b }: Blob, reach: number): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) < reach;
}

/** How sure a letter that stands alone is, small or capital: its height decides that (see likeliest). */
function sureLetter({ glyphs }: ReadLine): number {
  const [first, second] = glyphs.length === 1 ? glyphs[0].candidates : [];
  const isOneForm =
    second !== undefined &&
    (first.text.toLowerCase() === second.text.toLowerCase() || ROUND.has(first.text + second.text));
  return isOneForm ? first.probability + second.probability : 0;
}

/** How sure a short word of strokes is in which the form of one letter alone is certain: `01`, `lb`. */
function sureWord({ glyphs, score }: ReadLine): number {
  const isCertain = ({ candidates: [first] }: Glyph): boolean =>
    first !== undefined && first.probability > CERTAIN && /^[\dA-Za-z]$/.test(first.text);
  return glyphs.length > 1 && glyphs.some(isCertain) && score > LINE_TEXT ? Math.min(...glyphs.map(sureForm)) : 0;
}

/**
 * Whether a line is one sign that is much lower than the letters of the sheet: the dot at the end of a dimension line.
 */
function isSpeck({ glyphs: [first, ...others], height }: ReadLine, letterHeight: number): boolean {
  const text = first.candidates.at(0)?.text ?? '';
  return others.length === 0 && NO_LETTER.test(text) && text !== '°' && height < 0.5 * letterHeight;
}

/**
 * Whether a line is one sign far higher than all letters of the sheet: the curve of a lug that looks like a 9.
 * @param read other lines of the sheet.
 * @param heights those of lines that were read surely, sheet units; empty: nothing is oversize.
 */
export function isOversize(
  { glyphs, height }: Pick<ReadLine, 'glyphs' | 'height'>,
  read: readonly Pick<ReadLine, 'height'>[],
  heights: readonly number[],
): boolean {
  const highest = heights.reduce((most, each) => Math.max(most, each), 0);
  return (
    glyphs.length === 1 &&
    highest > 0 &&
    height > HIGHEST_ALONE * highest &&
    !read.some((other) => Math.abs(other.height - height) < AS_HIGH * height)
  );
}
