import type { Sheet } from '../../content/sheet.js';
import type { LineIndex } from '../line-index.js';
import { type Extent, extentOf, slanted } from './blob-picture.js';
import type { Blob } from './blobs.js';
import { type Glyph, textOf } from './line-glyphs.js';
import type { ReadLine } from './read-line.js';

/**
 * Marks of feet and inches, of minutes and seconds, in heights of capitals: their length, how far their upper end is
 * from the top of capitals, how far they lean, as a share of their length, and how far behind a figure they stand.
 */
const PRIME = [0.18, 0.5] as const;
const PRIME_TOP = 0.15;
const PRIME_LEAN = 0.45;
const PRIME_GAP = 0.8;
/** Two of them are those of inches or seconds if they are no further apart. */
const PAIR = 0.45;
/** A dash of a broken line goes on in another one within so many of its lengths. */
const DASHES = 3;
/** Bars of an equals sign: how far one is above the other, in heights of capitals, and by how much they are shifted. */
const EQUALS = [0.15, 0.6] as const;
const SHIFTED = 0.1;
/** Stem of a small `i`, and its dot, in heights of capitals. */
const STEM = [0.55, 0.8] as const;
const DOT = [0.8, 1.15] as const;
const THIN = 0.12;

/** Whether it is a figure, or looks like one, or another mark. */
const isMarkBehind = (text: string): boolean => /^[\dOoDQIl'"°]$/.test(text);

/** Whether a straight stroke stands up at the top of a text right behind one of its figures: `11'`, `10'15"`. */
export function isPrime(
  blob: Blob,
  index: LineIndex,
  { glyphs, slant, height, baseline }: ReadLine,
  { minS, maxS, minH, maxH }: Extent,
): boolean {
  const long = maxH - minH;
  if (
    !blob.isLine ||
    long < PRIME[0] * height ||
    long > PRIME[1] * height ||
    maxS - minS > PRIME_LEAN * long ||
    Math.abs(maxH - baseline - height) > PRIME_TOP * height
  )
    return false;
  const isBehind = glyphs.some(
    (glyph) =>
      isMarkBehind(textOf([glyph])) &&
      glyph.maxH > maxH - PRIME_TOP * height &&
      minS - glyph.maxS > -PRIME_TOP * height &&
      minS - glyph.maxS < PRIME_GAP * height,
  );
  return isBehind && !isOfBrokenLine(blob, index, slanted(slant), long);
}

/** Whether another stroke stands in the line of this one, above or below it. */
function isOfBrokenLine(
  { box, strokes: [stroke] }: Blob,
  index: LineIndex,
  place: (x: number, y: number) => readonly [s: number, h: number],
  long: number,
): boolean {
  const [s, h] = place(box.x + box.width / 2, box.y + box.height / 2);
  return index.near(box.x + box.width / 2, box.y + box.height / 2, (DASHES / 2) * long).some((edge) => {
    if (edge.stroke === stroke) return false;
    const [[s0, h0], [s1, h1]] = [place(edge.x0, edge.y0), place(edge.x1, edge.y1)];
    const isApart = Math.max(h0, h1) < h - long / 2 || Math.min(h0, h1) > h + long / 2;
    return isApart && Math.abs(s0 - s1) < Math.abs(h0 - h1) && Math.abs((s0 + s1) / 2 - s) < SHIFTED * long;
  });
}

/** Glyphs in their order, two primes as one mark, and two bars above each other as an equals sign. */
export function withMarks(glyphs: readonly Glyph[], height: number): readonly Glyph[] {
  const found: Glyph[] = [];
  for (const glyph of glyphs) {
    const last = found.at(-1);
    const text = last === undefined ? undefined : pairOf(last, glyph, height);
    if (last === undefined || text === undefined) found.push(glyph);
    else
      found[found.length - 1] = {
        blobs: [...last.blobs, ...glyph.blobs],
        candidates: [{ text, probability: Math.min(last.candidates[0].probability, glyph.candidates[0].probability) }],
        minS: Math.min(last.minS, glyph.minS),
        maxS: Math.max(last.maxS, glyph.maxS),
        minH: Math.min(last.minH, glyph.minH),
        maxH: Math.max(last.maxH, glyph.maxH),
      };
  }
  return found;
}

function pairOf(a: Glyph, b: Glyph, height: number): string | undefined {
  const text = textOf([a]);
  if (text !== textOf([b]) || ![a, b].every(({ blobs }) => blobs.length === 1 && blobs[0].isLine)) return undefined;
  if (text === "'") return b.minS - a.minS < PAIR * height ? '"' : undefined;
  const up = Math.abs(a.minH - b.minH) / height;
  const isShifted = Math.max(Math.abs(a.minS - b.minS), Math.abs(a.maxS - b.maxS)) > SHIFTED * height;
  return text === '-' && !isShifted && up > EQUALS[0] && up < EQUALS[1] ? '=' : undefined;
}

/** The small `i` that a stem and the dot above it are, between letters of a text. */
export function smallI(
  sheet: Sheet,
  [stem, dot]: readonly (Blob | undefined)[],
  { glyphs, slant, height, baseline }: ReadLine,
): Glyph | undefined {
  if (stem?.isLine !== true || dot?.isLine !== true) return undefined;
  const own = extentOf(sheet, stem, slant),
    above = extentOf(sheet, dot, slant);
  const high = (own.maxH - own.minH) / height,
    low = (above.minH - baseline) / height,
    top = (above.maxH - baseline) / height;
  const isStem =
    high > STEM[0] &&
    high < STEM[1] &&
    own.maxS - own.minS < THIN * height &&
    Math.abs(own.minH - baseline) < THIN * height;
  const isDot =
    low > DOT[0] &&
    top < DOT[1] &&
    above.maxS - above.minS < THIN * height &&
    Math.abs(above.minS - own.minS) < 2 * THIN * height;
  const isAmong = glyphs.some(
    (glyph) =>
      /^[A-Za-z]$/.test(textOf([glyph])) && Math.max(glyph.minS - own.maxS, own.minS - glyph.maxS) < PRIME_GAP * height,
  );
  if (!isStem || !isDot || !isAmong) return undefined;
  return {
    blobs: [stem, dot],
    candidates: [{ text: 'i', probability: 0.9 }],
    minS: Math.min(own.minS, above.minS),
    maxS: Math.max(own.maxS, above.maxS),
    minH: own.minH,
    maxH: above.maxH,
  };
}
