import { TurnedFrame } from '../../content/geometry.js';
import { medianOf } from '../../content/groups.js';
import type { Sheet, SheetText } from '../../content/sheet.js';
import { extentOf, pictureOf, type Extent, type Slant } from './blob-picture.js';
import { linesOfBlobs, slantsOf, upright, type BlobLine } from './blob-lines.js';
import { blobsOf, type Blob } from './blobs.js';
import { aligned } from './aligned-words.js';
import { likeliest } from './likeliest.js';
import type { GlyphCandidate } from '../glyph.js';
import { recogniseGlyph } from './recognise-glyph.js';

/** Most glyphs of a sheet that are recognised. */
const MOST_GLYPHS = 4_000;
/** A sheet has outlined text when it has at least as many lines of three or more glyphs. */
const FEWEST_LINES = 3;
/** Weight by which a line scores less when the bottoms of its letters differ by their whole height. */
const UNEVEN = 0.6;
/** Lengths of hyphens and their largest gap to a digit, as shares of the height of capitals. */
const HYPHEN = [0.25, 0.85] as const;
const HYPHEN_GAP = 0.62;
/** Lines with fewer glyphs do not determine their slant reliably. */
const FEW = 5;
/** Largest size of a point without its pen, and how far it is off the baseline, as shares of the height of capitals. */
const POINT = 0.1;
const LOW = 0.2;
const A_POINT: GlyphCandidate = { text: '.', probability: 1 };
/** Letters and signs of a line are lower than this in heights of most of them. */
const GIANT = 2.3;
/** Most glyphs of a line by which its slant is chosen. */
const SAMPLE = 10;
/** Most glyphs of a line by which the height of its capitals is found. */
const LEVEL_SAMPLE = 8;
/** Score from which the slant of a line is tried for others. */
const LENDS_SLANT = 0.75;
/** Least mean probability of a line, of a single letter, and of a sign beside a line. */
const LINE_TEXT = 0.55;
const LETTER_TEXT = 0.75;
const SIGN_TEXT = 0.5;
/** Score from which no other slant is tried. */
const SURE = 0.9;
/** Directions that differ by less are one, rad. */
const SAME_DIRECTION = 0.05;
/** A stroked letter that stands alone, as those of datums do, is as high as those of longer texts. */
const SAME_HEIGHT = 0.08;
const ALIKE: ReadonlySet<string> = new Set(['Ⓜ', 'Ⓤ']);
const MARKS = /^[-._,'"*:]$/;
/** Symbols that are drawn beside text which the file also holds as text. */
const NO_LETTER = /^[^\w.,:;'"*\-/|()[\]=<>]$/;
/** Most slants of other lines that are tried for short lines. */
const MOST_SLANTS = 6;
/**
 * As shares of the height of capitals: gap between words, largest gap between a sign and a line, height of the font.
 */
const WORD_GAP = 0.4;
/** The same beside the point of a number, and more beside a letter that is narrower than a share of the height. */
const POINT_GAP = 0.75;
const SPECK_GAP = 0.5;
const STROKE_GAP = 0.1;
const NARROW = 0.16;
const SIGN_GAP = 2.4;
const FONT = 1 / 0.72;
/** Least size of a sign beside a line, degrees excepted. */
const SMALLEST_SIGN = 0.5;
/** Parts of one glyph overlap along the line by this share of the narrower one. */
const SAME_GLYPH = 0.55;
/** Baselines of deviations above each other, in heights of their capitals. */
const STACKED = [1, 2] as const;
/** A glyph on its line. */
interface Glyph extends Extent {
  readonly blobs: readonly Blob[];
  readonly candidates: readonly GlyphCandidate[];
}

interface ReadLine {
  readonly glyphs: readonly Glyph[];
  readonly slant: Slant;
  /** Height of capitals. */
  readonly height: number;
  readonly baseline: number;
  readonly score: number;
}

/**
 * Text that is drawn as areas or strokes letter by letter, at any angle, also slanted as on pictorial views: its words
 * with their places. Empty where a sheet has no such text. On a sheet with very many small strokes only the first ones
 * are read.
 */
export function outlinedTexts(sheet: Sheet): SheetText[] {
  const blobs = blobsOf(sheet);
  let left = MOST_GLYPHS;
  const first: { readonly line: BlobLine; readonly found: ReadLine }[] = [];
  const short: BlobLine[] = [];
  for (const line of linesOfBlobs(sheet, blobs)) {
    if (line.blobs.length < FEW) {
      short.push(line);
      continue;
    }
    left -= line.blobs.length;
    if (left < 0) break;
    first.push({ line, found: readLine(sheet, line, slantsOf(sheet, line)) });
  }
  const slants = frequentSlants(first.filter(({ found }) => found.score >= LINE_TEXT).map(({ found }) => found));
  // A few letters may suggest a wrong slant; that of other lines in this direction is likelier.
  const read = first
    .map(({ line, found }) => (found.score >= SURE ? found : better(found, sheet, line, slants)))
    .filter(({ score }) => score >= LINE_TEXT);
  // Two strokes mean nothing unless the sheet has other text of strokes.
  const hasStrokeText = read.some(({ glyphs }) => glyphs.every(({ blobs: [blob] }) => !blob.isFill));
  const zeros: ReadLine[] = [];
  const heights = read.filter(({ score, glyphs }) => score >= SURE && glyphs.length >= 3).map(({ height }) => height);
  for (const line of short) {
    left -= line.blobs.length;
    if (left < 0) break;
    const found = readLine(sheet, line, [...slants, ...(line.blobs.length === 1 ? [] : slantsOf(sheet, line))]);
    // Marks alone are dust; beside a number they are its minus.
    if (found.glyphs.every(({ candidates: [best] }) => best !== undefined && MARKS.test(best.text))) continue;
    const isAlone = line.blobs.length === 1 || !line.blobs.some(({ isFill }) => isFill);
    if (
      Math.max(found.score, sureLetter(found)) >= (isAlone ? LETTER_TEXT : LINE_TEXT) &&
      (line.blobs.some(({ isFill }) => isFill) ||
        (hasStrokeText &&
          (line.blobs.length > 1 ||
            heights.some((height) => Math.abs(height - found.height) < SAME_HEIGHT * found.height))))
    )
      read.push(found);
    else if (line.blobs.length === 1 && isZero(found)) zeros.push(found);
  }
  // A zero that stands alone is a deviation above or below another one.
  const deviations = read.filter(({ glyphs: [first] }) => /^[+-]/.test(first?.candidates.at(0)?.text ?? ''));
  for (const zero of zeros)
    if (deviations.some((other) => isStacked(zero, other)))
      read.push({ ...zero, glyphs: [{ ...zero.glyphs[0], candidates: [{ text: '0', probability: zero.score }] }] });
  // A few words among much else are arrows and corners that look like letters.
  if (read.filter(({ glyphs }) => glyphs.length >= 3).length < FEWEST_LINES) return [];
  const used = new Set(read.flatMap(({ glyphs }) => glyphs.flatMap((glyph) => glyph.blobs)));
  const withSigns = read.map((line) => beside(sheet, line, blobs, used));
  return aligned(withSigns.flatMap((line) => (sheet.texts.length === 0 ? wordsOf(line) : wordsBeside(sheet, line))));
}

/** How sure a letter that stands alone is, small or capital: its height decides that (see likeliest). */
function sureLetter({ glyphs }: ReadLine): number {
  const [first, second] = glyphs.length === 1 ? glyphs[0].candidates : [];
  const isOneForm = second !== undefined && first.text.toLowerCase() === second.text.toLowerCase();
  return isOneForm ? first.probability + second.probability : 0;
}

function isZero({ glyphs }: ReadLine): boolean {
  return glyphs.length === 1 && /^[0OoQD]$/.test(glyphs[0].candidates.at(0)?.text ?? '');
}

/** Whether a line stands right above or below the beginning of another one and is of its size. */
function isStacked(a: ReadLine, b: ReadLine): boolean {
  if (Math.abs(a.slant.alongRad - b.slant.alongRad) > 0.1 || Math.abs(a.height - b.height) > 0.12 * b.height)
    return false;
  const start = Math.min(...b.glyphs.map(({ minS }) => minS));
  const apart = Math.abs(a.baseline - b.baseline) / b.height;
  return (
    apart > STACKED[0] &&
    apart < STACKED[1] &&
    a.glyphs[0].minS > start - b.height &&
    a.glyphs[0].minS < start + 2 * b.height
  );
}

/** The words of a line that the file does not also hold as text; of words that it holds in part, the missing signs. */
function wordsBeside(sheet: Sheet, line: ReadLine): SheetText[] {
  return wordsOf(line).flatMap((word) => {
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

/** The line in the slant with the best score. */
function readLine(sheet: Sheet, line: BlobLine, slants: readonly Slant[]): ReadLine {
  let best = slants[0];
  if (slants.length > 1) {
    const sample = line.blobs.slice(0, SAMPLE);
    let most = -Infinity;
    for (const slant of slants) {
      const { score } = readIn(sheet, sample, slant);
      if (score > most + 0.01) [most, best] = [score, slant];
    }
  }
  return readIn(sheet, line.blobs, best);
}

/** The line as it is, or in the slant of other lines of its direction if that scores better. */
function better(found: ReadLine, sheet: Sheet, line: BlobLine, slants: readonly Slant[]): ReadLine {
  const others = slants.filter(({ alongRad }) => Math.abs(alongRad - found.slant.alongRad) < SAME_DIRECTION);
  if (others.length === 0) return found;
  const again = readLine(sheet, line, others);
  return again.score > found.score ? again : found;
}

function readIn(sheet: Sheet, blobs: readonly Blob[], slant: Slant): ReadLine {
  const plain = withoutGiants(glyphsOf(sheet, blobs, slant));
  const tall = plain.toSorted((a, b) => b.maxH - b.minH - a.maxH + a.minH).slice(0, LEVEL_SAMPLE);
  const { height, baseline } = levelsOf(
    tall.map((glyph): Glyph => ({ ...glyph, candidates: recognised(sheet, glyph.blobs, slant) })),
  );
  const glyphs = plain.map((glyph): Glyph => {
    const place = { height: (glyph.maxH - glyph.minH) / height, bottom: (glyph.minH - baseline) / height };
    // A plotter's point has no size but that of its pen.
    const isPoint = Math.max(place.height, (glyph.maxS - glyph.minS) / height) < POINT && Math.abs(place.bottom) < LOW;
    return { ...glyph, candidates: isPoint ? [A_POINT] : recognised(sheet, glyph.blobs, slant, place) };
  });
  return { glyphs, slant, height, baseline, score: scoreOf(glyphs) - UNEVEN * unevennessOf(glyphs, height, baseline) };
}

/** Drops what is far higher than the letters beside it: marks and balloons. */
function withoutGiants(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (glyphs.length < FEW) return glyphs;
  const highest = GIANT * medianOf(glyphs.map(({ minH, maxH }) => maxH - minH))!;
  const kept = glyphs.filter(({ minH, maxH }) => maxH - minH < highest);
  return kept.length >= FEW - 1 ? kept : glyphs;
}

/** Mean probability of the likeliest candidates; small glyphs, which look like many things, count less. */
function scoreOf(glyphs: readonly Glyph[]): number {
  let sum = 0,
    total = 0;
  for (const {
    candidates: [first],
    minH,
    maxH,
    minS,
    maxS,
  } of glyphs) {
    const weight = Math.max(maxH - minH, maxS - minS);
    total += weight;
    if (first !== undefined && first.text !== '') sum += weight * first.probability;
  }
  return total > 0 ? sum / total : 0;
}

/** Mean distance of the bottoms of tall glyphs from the baseline, as a share of their height. */
function unevennessOf(glyphs: readonly Glyph[], height: number, baseline: number): number {
  const tall = glyphs.filter(({ minH, maxH }) => maxH - minH > 0.75 * height);
  return tall.reduce((sum, { minH }) => sum + Math.abs(minH - baseline) / height, 0) / Math.max(1, tall.length);
}

function recognised(
  sheet: Sheet,
  blobs: readonly Blob[],
  slant: Slant,
  place?: { readonly height: number; readonly bottom: number },
): GlyphCandidate[] {
  const { pixels, width, height } = pictureOf(sheet, { strokes: blobs.flatMap(({ strokes }) => strokes) }, slant);
  const [first, second, ...others] = recogniseGlyph(pixels, width, height, place);
  // The place decides later between these two (see plainModifiers), so their probabilities add up.
  if (second !== undefined && ALIKE.has(first.text) && ALIKE.has(second.text))
    return [{ text: first.text, probability: first.probability + second.probability }, ...others];
  return first === undefined ? [] : second === undefined ? [first] : [first, second, ...others];
}

/** Joins dots of letters and bars of signs: small blobs above or below others belong to them. */
function glyphsOf(sheet: Sheet, blobs: readonly Blob[], slant: Slant): Glyph[] {
  const placed = blobs
    .map((blob): Glyph => ({ blobs: [blob], candidates: [], ...extentOf(sheet, blob, slant) }))
    .sort((a, b) => a.minS - b.minS);
  const tallest = Math.max(...placed.map(({ minH, maxH }) => maxH - minH));
  const glyphs: Glyph[] = [];
  for (const each of placed) {
    const last = glyphs.at(-1);
    if (last !== undefined && isOneGlyph(last, each, tallest)) {
      glyphs[glyphs.length - 1] = {
        blobs: [...last.blobs, ...each.blobs],
        candidates: [],
        minS: Math.min(last.minS, each.minS),
        maxS: Math.max(last.maxS, each.maxS),
        minH: Math.min(last.minH, each.minH),
        maxH: Math.max(last.maxH, each.maxH),
      };
    } else glyphs.push(each);
  }
  return glyphs;
}

function isOneGlyph(a: Glyph, b: Glyph, tallest: number): boolean {
  const overlap = Math.min(a.maxS, b.maxS) - Math.max(a.minS, b.minS);
  if (overlap < SAME_GLYPH * Math.min(a.maxS - a.minS, b.maxS - b.minS)) return false;
  const heights = [a.maxH - a.minH, b.maxH - b.minH];
  return Math.min(...heights) < 0.45 * tallest && Math.max(a.maxH, b.maxH) - Math.min(a.minH, b.minH) < 1.35 * tallest;
}

/** Height and baseline of a line by its capitals and digits, or by its tallest glyph. */
function levelsOf(glyphs: readonly Glyph[]): { readonly height: number; readonly baseline: number } {
  const capitals = glyphs.filter(
    ({ candidates: [first] }) =>
      first !== undefined &&
      first.probability > 0.4 &&
      /^[0-9A-PR-Zbdfhkl±]$/.test(first.text) &&
      !/[OSVWXZCU]/.test(first.text),
  );
  const tallest = Math.max(...glyphs.map(({ minH, maxH }) => maxH - minH));
  const tall = capitals.filter(({ minH, maxH }) => maxH - minH > 0.6 * tallest);
  const base = tall.length > 0 ? tall : glyphs.filter(({ minH, maxH }) => maxH - minH > 0.85 * tallest);
  return {
    height: Math.max(1e-9, medianOf(base.map(({ minH, maxH }) => maxH - minH)) ?? 0),
    baseline: medianOf(base.map(({ minH }) => minH)) ?? 0,
  };
}

/** Level, upright, and the slants of other lines by their number of glyphs. */
function frequentSlants(lines: readonly ReadLine[]): Slant[] {
  const found: { slant: Slant; weight: number }[] = [upright(0), upright(-Math.PI / 2)].map((slant) => ({
    slant,
    weight: Infinity,
  }));
  for (const { slant, glyphs, score } of lines) {
    if (score < LENDS_SLANT) continue;
    const same = found.find(
      (each) =>
        Math.abs(each.slant.alongRad - slant.alongRad) < 0.03 && Math.abs(each.slant.upRad - slant.upRad) < 0.06,
    );
    if (same === undefined) found.push({ slant, weight: glyphs.length });
    else same.weight += glyphs.length;
  }
  return found
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_SLANTS)
    .map(({ slant }) => slant);
}

/** Adds the signs beside a line that are drawn out of order, or by strokes beside letters that are areas. */
function beside(sheet: Sheet, line: ReadLine, blobs: readonly Blob[], used: Set<Blob>): ReadLine {
  const { slant, height, baseline } = line;
  const glyphs = [...line.glyphs];
  const start = Math.min(...glyphs.map(({ minS }) => minS)),
    end = Math.max(...glyphs.map(({ maxS }) => maxS));
  for (const blob of blobs) {
    if (used.has(blob) || blob.isAround) continue;
    const extent = extentOf(sheet, blob, slant);
    const high = extent.maxH - extent.minH;
    if (
      extent.minS > end + SIGN_GAP * height ||
      extent.maxS < start - SIGN_GAP * height ||
      extent.minH < baseline - 0.6 * height ||
      extent.maxH > baseline + 1.7 * height
    )
      continue;
    if (high > 2.1 * height || extent.maxS - extent.minS > 2.6 * height) continue;
    if (isPointOf(glyphs, extent, line)) {
      used.add(blob);
      glyphs.push({ blobs: [blob], candidates: [A_POINT], ...extent });
      continue;
    }
    const [first] = recognised(sheet, [blob], slant, {
      height: high / height,
      bottom: (extent.minH - baseline) / height,
    });
    // A mark below the line is a minus of the line below.
    if (
      first === undefined ||
      first.text === '' ||
      first.text === '_' ||
      first.probability < SIGN_TEXT ||
      (blob.isLine && !isHyphen(first.text, extent, line, start, end))
    )
      continue;
    if (!blob.isFill && /^[A-Za-z0-9.,:'"]$/.test(first.text)) continue;
    // The points at which dimension lines end have lines through them.
    if (
      NO_LETTER.test(first.text) &&
      first.text !== '°' &&
      Math.max(high, extent.maxS - extent.minS) < SMALLEST_SIGN * height
    )
      continue;
    used.add(blob);
    glyphs.push({ blobs: [blob], candidates: [first], ...extent });
  }
  return { ...line, glyphs: glyphs.sort((a, b) => a.minS - b.minS) };
}

/** Whether a speck stands on the baseline right before or behind a digit. */
function isPointOf(glyphs: readonly Glyph[], speck: Extent, { height, baseline }: ReadLine): boolean {
  const { minS, maxS, minH, maxH } = speck;
  if (Math.max(maxS - minS, maxH - minH) > POINT * height || Math.abs(minH - baseline) > LOW * height) return false;
  return glyphs.some(
    (glyph) =>
      /^\d$/.test(glyph.candidates.at(0)?.text ?? '') &&
      Math.max(minS - glyph.maxS, glyph.minS - maxS) > 0 &&
      Math.max(minS - glyph.maxS, glyph.minS - maxS) < SPECK_GAP * height,
  );
}

/** Lines beside a text may also be its leader. */
function isHyphen(text: string, { minS, maxS }: Extent, { height }: ReadLine, start: number, end: number): boolean {
  const length = (maxS - minS) / height;
  return (
    text === '-' &&
    length > HYPHEN[0] &&
    length < HYPHEN[1] &&
    minS > start - (length + HYPHEN_GAP) * height &&
    maxS < end
  );
}

/** Mean probability of a word's letters. */
function sureness(word: readonly Glyph[]): number {
  return word.reduce((sum, { candidates: [first] }) => sum + (first?.probability ?? 0), 0) / word.length;
}

/** The widest gap within a word between two glyphs: plotters give a point the room of a letter. */
function gapOf(first: Glyph, second: Glyph, height: number): number {
  const [
    {
      candidates: [before],
    },
    {
      candidates: [after],
    },
  ] = [first, second];
  const isPoint = (text: string): boolean => text === '.' || text === ',';
  const isOfNumber =
    (isPoint(after.text) && /^[\dOIl⌀RS±+-]$/.test(before.text)) ||
    (isPoint(before.text) && /^[\dOIl]$/.test(after.text));
  // `2768-mK`, `UNC-2B`; a hyphen between digits may be the minus of a deviation.
  const isOfName =
    (after.text === '-' && /^[\dA-Z]$/.test(before.text)) || (before.text === '-' && /^[A-Za-z]$/.test(after.text));
  // A stroke such as `I` stands in the room of a wider letter.
  const strokes = [first, second].filter(({ minS, maxS }) => maxS - minS < NARROW * height).length;
  return isOfNumber || isOfName ? POINT_GAP : WORD_GAP + strokes * STROKE_GAP;
}

function wordsOf({ glyphs, slant, height, baseline }: ReadLine): SheetText[] {
  const words: Glyph[][] = [];
  for (const glyph of glyphs) {
    const last = words.at(-1),
      before = last?.at(-1);
    const isJunk =
      glyph.candidates.length === 0 || (glyph.candidates[0].text === '' && glyph.candidates[0].probability > 0.5);
    if (isJunk) words.push([]);
    else if (
      last === undefined ||
      before === undefined ||
      glyph.minS - before.maxS > gapOf(before, glyph, height) * height
    )
      words.push([glyph]);
    else last.push(glyph);
  }
  return words
    .filter((word) => word.length > 0)
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
