import { medianOf } from '../../content/groups.js';
import type { Sheet } from '../../content/sheet.js';
import type { GlyphCandidate, GlyphPlace } from '../glyph.js';
import { type Extent, type Slant, extentOf } from './blob-picture.js';
import type { Blob } from './blobs.js';
import { shownGlyphs } from './glyph-shapes.js';
import { SAME_FORM } from './likeliest.js';

/** Largest size of a point without its pen, and how far it is off the baseline, as shares of the height of capitals. */
export const POINT = 0.1;
export const LOW = 0.2;
/** Letters that points stand behind are higher than this share of the highest one. */
const TALL = 0.6;
/** What two specks above each other are. */
export const A_COLON: GlyphCandidate = { text: ':', probability: 1 };
/** What a speck on the baseline is. */
export const A_POINT: GlyphCandidate = { text: '.', probability: 1 };
/** Letters and signs of a line are lower than this in heights of most of them. */
const GIANT = 2;
/** Lines with fewer glyphs do not determine their slant reliably. */
export const FEW = 5;
/** A longer level stroke is no hyphen, in heights of capitals; how high strokes may be, as a share of their length. */
const LONGEST_HYPHEN = 1;
const FLAT = 0.2;
/** Legs are this many times as high as the letters beside them, and reach so far below and above these, in heights. */
const LEG = 1.5;
const LARGEST_LEG = 4;
const HEAD_POINTS = 4;
const LEG_BELOW = 0.6;
const LEG_ABOVE = 1.6;
/** A point or comma beside an upright stroke begins at its foot or below and ends so high, in its heights. */
const AT_FOOT = 0.1;
const COMMA = 0.4;
const ALIKE: ReadonlySet<string> = new Set(['Ⓜ', 'Ⓤ']);
const CIRCLED = /^[ⒺⒻⓁⓂⓅⓈⓉⓊ]$/;
/** Symbols that are drawn beside text which the file also holds as text. */
export const NO_LETTER = /^[^\w.,:;'"*\-/|()[\]=<>]$/;
/** How far the points of a colon are above each other, and one behind the other, in heights of the highest letter. */
const COLON = [0.2, 0.75] as const;
const COLON_LEAN = 0.22;
/** Largest size of its points or bars. */
const COLON_MARK = 0.2;
/** Parts of one glyph overlap along the line by this share of the narrower one. */
const SAME_GLYPH = 0.55;
/** Two halves of one are at least so high, and meet, in heights of the highest letter. */
const HALF = 0.35;
const MEET = 0.08;

/** Letters and digits of one form in many fonts: their neighbours tell them apart. */
const ONE_FORM = ['Il1|', '0OoDQ'] as const;

/** A glyph on its line. */
export interface Glyph extends Extent {
  readonly blobs: readonly Blob[];
  readonly candidates: readonly GlyphCandidate[];
}

/** The likeliest characters of glyphs, in their order. */
export function textOf(glyphs: readonly Glyph[]): string {
  return glyphs.map(({ candidates: [first] }) => first?.text ?? '').join('');
}

/** How surely a glyph has one of the forms that look like its likeliest character. */
export function sureForm({ candidates }: Pick<Glyph, 'candidates'>): number {
  const [first] = candidates;
  if (first === undefined || first.text === '') return 0;
  const alike = ONE_FORM.find((letters) => letters.includes(first.text));
  return alike === undefined
    ? first.probability
    : candidates.reduce((sum, { text, probability }) => sum + (alike.includes(text) ? probability : 0), 0);
}

/** Joins dots of letters and bars of signs: small blobs above or below others belong to them. */
export function glyphsOf(sheet: Sheet, blobs: readonly Blob[], slant: Slant): Glyph[] {
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
  if (isMark(a, tallest) && isMark(b, tallest)) return areColon(a, b, tallest);
  const overlap = Math.min(a.maxS, b.maxS) - Math.max(a.minS, b.minS);
  if (overlap < SAME_GLYPH * Math.min(a.maxS - a.minS, b.maxS - b.minS)) return false;
  const heights = [a.maxH - a.minH, b.maxH - b.minH];
  if (areHalves(a, b, tallest)) return true;
  // The point behind a leaning `1` stands below its top.
  if (Math.min(...heights) < POINT * tallest && Math.max(...heights) > TALL * tallest) {
    const [speck, letter] = heights[0] < heights[1] ? [a, b] : [b, a];
    if (speck.maxS - speck.minS < POINT * tallest && Math.abs(speck.minH - letter.minH) < POINT * tallest) return false;
  }
  return Math.min(...heights) < 0.45 * tallest && Math.max(a.maxH, b.maxH) - Math.min(a.minH, b.minH) < 1.35 * tallest;
}

/** Whether two arcs stand on each other and are as high as a letter together: a 3 of two strokes, sheared. */
function areHalves(a: Glyph, b: Glyph, tallest: number): boolean {
  const [low, high] = a.minH < b.minH ? [a, b] : [b, a];
  const gap = (high.minH - low.maxH) / tallest;
  return (
    [a, b].every(
      ({ blobs, minH, maxH }) =>
        blobs.length === 1 && !blobs[0].isFill && !blobs[0].isLine && maxH - minH > HALF * tallest,
    ) &&
    Math.abs(gap) < MEET &&
    high.maxH - low.minH < (1 + MEET) * tallest
  );
}

/** Drops what is far higher than the letters beside it: marks and balloons. */
export function withoutGiants(glyphs: readonly Glyph[]): readonly Glyph[] {
  if (glyphs.length < FEW) return glyphs;
  const highest = GIANT * medianOf(glyphs.map(({ minH, maxH }) => maxH - minH))!;
  const kept = glyphs.filter(({ minH, maxH }) => maxH - minH < highest);
  return kept.length >= FEW - 1 ? kept : glyphs;
}

/**
 * Drops pieces of a dimension line at both ends of its value: level strokes that are longer than hyphens, and extension
 * lines and leaders with their heads, which are far higher than the letters and reach far below them.
 */
export function withoutEnds(sheet: Sheet, all: readonly Glyph[]): readonly Glyph[] {
  const glyphs = withoutLegs(sheet, all);
  const high = Math.max(...glyphs.map(({ minH, maxH }) => maxH - minH));
  const isPiece = ({ minS, maxS, minH, maxH }: Glyph): boolean =>
    maxS - minS > LONGEST_HYPHEN * high && maxH - minH < FLAT * (maxS - minS);
  const first = glyphs.findIndex((glyph) => !isPiece(glyph)),
    last = glyphs.findLastIndex((glyph) => !isPiece(glyph));
  return first < 0 ? glyphs : glyphs.slice(first, last + 1);
}

function withoutLegs({ strokes: { starts } }: Sheet, glyphs: readonly Glyph[]): readonly Glyph[] {
  // Lines and open heads; letters in circles are higher than others too.
  const isOfLines = (blobs: readonly Blob[]): boolean =>
    blobs.every(
      ({ isFill, strokes }) => !isFill && strokes.every((each) => starts[each + 1] - starts[each] <= HEAD_POINTS),
    );
  const isLeg = ({ blobs, minH, maxH }: Glyph, beside: readonly Glyph[]): boolean => {
    const inner = beside.filter((other) => other.maxH - other.minH < (maxH - minH) / LEG);
    // `1,7` and `.1`: a mark at the foot of a stroke is no letter that the stroke could be a leg of.
    if (beside.length === 1 && isMarkAtFoot(beside[0], { minH, maxH })) return false;
    const high = Math.max(0, ...inner.map((other) => other.maxH - other.minH));
    const bottom = medianOf(inner.filter((other) => other.maxH - other.minH > TALL * high).map((other) => other.minH));
    return (
      bottom !== undefined &&
      inner.length === beside.length &&
      LARGEST_LEG * high > maxH - minH &&
      isOfLines(blobs) &&
      (minH < bottom - LEG_BELOW * high || maxH > bottom + LEG_ABOVE * high)
    );
  };
  const isMarkAtFoot = (mark: Glyph, { minH, maxH }: Pick<Glyph, 'minH' | 'maxH'>): boolean =>
    mark.minH < minH + AT_FOOT * (maxH - minH) && mark.maxH < minH + COMMA * (maxH - minH);
  let from = 0,
    to = glyphs.length;
  if (to > 1 && isLeg(glyphs[0], glyphs.slice(1, -1).length > 0 ? glyphs.slice(1, -1) : glyphs.slice(1))) from++;
  if (to - from > 1 && isLeg(glyphs[to - 1], glyphs.slice(from, to - 1))) to--;
  return glyphs.slice(from, to);
}

/** Signs of marks that do not touch: the dot of a `j` above its line is none. */
const OF_TWO = /^["=:%]$/;

/**
 * What blobs show as one glyph of a slant, likeliest first. Forms that only place or height tells apart count as one.
 * @param place height of the glyph and its lower end above the baseline, in heights of capitals.
 */
export function recognised(
  sheet: Sheet,
  blobs: readonly Blob[],
  slant: Slant,
  place?: GlyphPlace,
): readonly GlyphCandidate[] {
  const shown = shownGlyphs(sheet, blobs, slant, place);
  const isOne = blobs.length === 1 && blobs[0].strokes.length === 1;
  const found = isOne ? shown.filter(({ text }) => !OF_TWO.test(text)) : shown;
  const [first, second] = found;
  // The place or the height decides later between these two (see plainModifiers, likeliest): their probabilities add
  // up.
  if (second !== undefined && isAlike(first.text, second.text))
    return [{ text: first.text, probability: first.probability + second.probability }, ...found.slice(2)];
  return found;
}

/** Whether the two are the small and the capital form of one letter, or circled letters that look alike. */
function isAlike(a: string, b: string): boolean {
  return (ALIKE.has(a) && ALIKE.has(b)) || (a.toLowerCase() === b.toLowerCase() && SAME_FORM.includes(a.toLowerCase()));
}

/** Whether a glyph is as small as a point of a colon, which printed fonts draw as areas and some plotters as bars. */
function isMark({ minS, maxS, minH, maxH }: Extent, tallest: number): boolean {
  return Math.max(maxS - minS, maxH - minH) < COLON_MARK * tallest;
}

/** Whether two marks stand above each other, one a little further where letters lean. */
function areColon(a: Extent, b: Extent, tallest: number): boolean {
  const up = Math.abs(a.minH - b.minH) / tallest,
    along = Math.abs(a.minS - b.minS) / tallest;
  return up > COLON[0] && up < COLON[1] && along < COLON_LEAN;
}

/** Whether a glyph is two specks or short bars, one on the baseline. */
export function isColon({ blobs, minS, maxS, minH, maxH }: Glyph, baseline: number, height: number): boolean {
  return (
    blobs.length === 2 &&
    maxS - minS < (POINT + COLON_LEAN) * height &&
    maxH - minH > COLON[0] * height &&
    maxH - minH < (COLON[1] + POINT) * height &&
    Math.abs(minH - baseline) < LOW * height &&
    blobs.every(({ box }) => Math.max(box.width, box.height) < COLON_MARK * height)
  );
}

/** Height and baseline of a line by its capitals and digits, or by its tallest glyph. */
export function levelsOf(glyphs: readonly Glyph[]): { readonly height: number; readonly baseline: number } {
  const capitals = glyphs.filter(
    ({ candidates: [first] }) =>
      first !== undefined &&
      first.probability > 0.4 &&
      /^[0-9A-PR-Zbdfhkl±]$/.test(first.text) &&
      !/[OSVWXZCU]/.test(first.text),
  );
  const tallest = Math.max(...glyphs.map(({ minH, maxH }) => maxH - minH));
  // A small round letter may look like a zero.
  const highest = Math.max(0, ...capitals.map(({ minH, maxH }) => maxH - minH));
  const tall = capitals.filter(({ minH, maxH }) => maxH - minH > Math.max(0.6 * tallest, 0.85 * highest));
  // Circled letters are higher than capitals.
  const round = glyphs.filter(
    ({ candidates: [first], minH, maxH }) =>
      /^[OSVWXZCUQJ]$/.test(first?.text.toUpperCase() ?? '') && maxH - minH > 0.6 * tallest,
  );
  const others = glyphs.some(({ candidates: [first] }) => CIRCLED.test(first?.text ?? '')) ? round : [];
  const base =
    tall.length > 0
      ? tall
      : others.length > 0
        ? others
        : glyphs.filter(({ minH, maxH }) => maxH - minH > 0.85 * tallest);
  return {
    height: Math.max(1e-9, medianOf(base.map(({ minH, maxH }) => maxH - minH)) ?? 0),
    baseline: medianOf(base.map(({ minH }) => minH)) ?? 0,
  };
}
