import { medianOf } from '../../content/groups.js';
import type { Sheet } from '../../content/sheet.js';
import { upright } from './blob-directions.js';
import type { BlobLine } from './blob-places.js';
import type { Slant } from './blob-picture.js';
import type { Blob } from './blobs.js';
import {
  A_COLON,
  A_POINT,
  FEW,
  isColon,
  type Glyph,
  LOW,
  POINT,
  glyphsOf,
  levelsOf,
  recognised,
  sureForm,
  withoutEnds,
  withoutGiants,
} from './line-glyphs.js';

/** Weight by which a line scores less when the bottoms of its letters differ by their whole height. */
const UNEVEN = 0.6;
/** Most glyphs of a line by which its slant is chosen. */
const SAMPLE = 10;
/** Most glyphs of a line by which the height of its capitals is found. */
const LEVEL_SAMPLE = 8;
/** Score from which the slant of a line is tried for others. */
const LENDS_SLANT = 0.75;
/** Directions that differ by less are one, rad. */
const SAME_DIRECTION = 0.05;
/** Strokes that lean like a slash and are lower are commas, in heights of capitals. */
const COMMA_HEIGHT = 0.65;
/** Dots at the ends of a dimension line below its value begin lower than this, in heights of capitals. */
const BELOW_LINE = -0.3;
/** Size of the dot of a letter, and how far above the baseline one is no point, in heights of capitals. */
const DOT = 0.15;
const DOT_ABOVE = 0.2;
/**
 * Letters that lean do so by more, rad; they are those of a sheet if at least so many lines lean, with this share of
 * its letters; and a line that was read upright is one of them if it reads no worse than by the last.
 */
const LEAST_LEAN = 0.12;
const SAME_LEAN = 0.08;
const FEWEST_LEANING = 4;
const LEANING = 0.5;
const AS_WELL = 0.04;
/** Most slants of other lines that are tried for short lines. */
const MOST_SLANTS = 6;

/** Glyphs of one line, in a slant. */
export interface ReadLine {
  readonly glyphs: readonly Glyph[];
  readonly slant: Slant;
  /** Height of capitals. */
  readonly height: number;
  readonly baseline: number;
  readonly score: number;
}

/** The line in the slant with the best score. */
export function readLine(sheet: Sheet, line: BlobLine, slants: readonly Slant[]): ReadLine {
  let best = slants[0];
  if (slants.length > 1) {
    const sample = line.blobs.slice(0, SAMPLE);
    let most = -Infinity;
    for (const slant of slants) {
      const read = readIn(sheet, sample, slant);
      // In a short line each zero, which looks like an O, weighs much; in a long one forms say less about its slant.
      const isShort = line.blobs.length > 1 && line.blobs.length < FEW;
      const score = isShort ? scoreOfForms(read) : read.score;
      if (score > most + 0.01) [most, best] = [score, slant];
    }
  }
  return readIn(sheet, line.blobs, best);
}

/** The line as it is, or in the slant of other lines of its direction if that scores better. */
export function better(found: ReadLine, sheet: Sheet, line: BlobLine, slants: readonly Slant[]): ReadLine {
  const others = slants.filter(({ alongRad }) => Math.abs(alongRad - found.slant.alongRad) < SAME_DIRECTION);
  if (others.length === 0) return found;
  const again = readLine(sheet, line, others);
  return scoreOfForms(again) > scoreOfForms(found) ? again : found;
}

/**
 * By how much the letters of a sheet lean back from the perpendicular of their lines, rad, where most of them do: the
 * median of the lines that do. Undefined on sheets of upright letters.
 */
export function leanOf(lines: readonly ReadLine[]): number | undefined {
  const sure = lines.filter(({ score, glyphs }) => score >= LENDS_SLANT && glyphs.length >= FEW);
  const leans = sure.filter((line) => leanIn(line) > LEAST_LEAN);
  const letters = (all: readonly ReadLine[]): number => all.reduce((sum, { glyphs }) => sum + glyphs.length, 0);
  return leans.length < FEWEST_LEANING || letters(leans) < LEANING * letters(sure)
    ? undefined
    : medianOf(leans.map(leanIn));
}

/** The line with letters that lean as most of the sheet do, if it reads about as well so. */
export function leaning(found: ReadLine, sheet: Sheet, line: BlobLine, lean: number): ReadLine {
  if (Math.abs(leanIn(found) - lean) < SAME_LEAN) return found;
  const { alongRad } = found.slant;
  const again = readIn(sheet, line.blobs, { alongRad, upRad: upright(alongRad).upRad + lean });
  return scoreOfForms(again) > scoreOfForms(found) - AS_WELL ? again : found;
}

/** The score of a line, where letters that look alike count as one: `I`, `l` and `1` of strokes, zero and `O`. */
function scoreOfForms(line: ReadLine): number {
  const forms = line.glyphs.map((glyph) => ({ ...glyph, candidates: [{ text: '?', probability: sureForm(glyph) }] }));
  return scoreOf(forms) - UNEVEN * unevennessOf(line.glyphs, line.height, line.baseline);
}

function leanIn({ slant: { alongRad, upRad } }: ReadLine): number {
  return upRad - upright(alongRad).upRad;
}

/** The glyphs of blobs in a slant, with the height of their capitals, their baseline, and how likely they are text. */
export function readIn(sheet: Sheet, blobs: readonly Blob[], slant: Slant): ReadLine {
  const plain = withoutEnds(sheet, withoutGiants(glyphsOf(sheet, blobs, slant)));
  const tall = plain.toSorted((a, b) => b.maxH - b.minH - a.maxH + a.minH).slice(0, LEVEL_SAMPLE);
  const { height, baseline } = levelsOf(
    tall.map((glyph): Glyph => ({ ...glyph, candidates: recognised(sheet, glyph.blobs, slant) })),
  );
  const glyphs = plain.map((glyph): Glyph => {
    const place = { height: (glyph.maxH - glyph.minH) / height, bottom: (glyph.minH - baseline) / height };
    // A plotter's point has no size but that of its pen.
    const isPoint = Math.max(place.height, (glyph.maxS - glyph.minS) / height) < POINT && Math.abs(place.bottom) < LOW;
    const candidates = isPoint
      ? [A_POINT]
      : isColon(glyph, baseline, height)
        ? [A_COLON]
        : recognised(sheet, glyph.blobs, slant, place);
    // A leaning stroke on the baseline that is lower than a slash.
    const isComma = candidates.at(0)?.text === '/' && place.height < COMMA_HEIGHT && place.bottom + place.height < 0.4;
    return { ...glyph, candidates: isComma ? [{ ...candidates[0], text: ',' }] : candidates };
  });
  const isDot = ({ candidates: [first], minH, maxH }: Glyph): boolean =>
    first !== undefined &&
    (first.text === '.' || first.text === '_' || first.text === '⌖') &&
    maxH - minH < 0.5 * height &&
    (minH - baseline) / height < BELOW_LINE;
  // The dot of a `j` in a lower line beside the end.
  const isDotAbove = ({ blobs: own, minS, maxS, minH, maxH }: Glyph): boolean =>
    own.length === 1 &&
    Math.max(maxS - minS, maxH - minH) < DOT * height &&
    minH - baseline > DOT_ABOVE * height &&
    glyphs.length > 1;
  const isLetter = (glyph: Glyph): boolean => !isDot(glyph) && !isDotAbove(glyph);
  const ends = [glyphs.findIndex(isLetter), glyphs.findLastIndex(isLetter) + 1];
  const kept = ends[0] < 0 ? glyphs : glyphs.slice(...ends);
  return {
    glyphs: kept,
    slant,
    height,
    baseline,
    score: scoreOf(kept) - UNEVEN * unevennessOf(kept, height, baseline),
  };
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

/** Level, upright, and the slants of other lines by their number of glyphs. */
export function frequentSlants(lines: readonly ReadLine[]): Slant[] {
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
