import type { Sheet } from '../../content/sheet.js';
import { extentOf } from './blob-picture.js';
import { textOf, type Glyph } from './line-glyphs.js';
import type { ReadLine } from './read-line.js';

/** A bracket, with the letter of a sphere or a radius, of which the sign behind it was drawn by other means. */
const OPENING = /^\([SsR]?$/;
const CLOSING_ALONE = /^[^(]*\d\)/;
/** How near a bracket ends to its line, and how far it reaches below and above the baseline, in heights of capitals. */
const GAP = [-0.2, 0.8] as const;
const REACH = [-0.45, 1.45] as const;

/**
 * Lines that end with a bracket, with the one that opens it: before a sign that is drawn by strokes it is a line of its
 * own, which is higher than letters and ends below them.
 */
export function withBrackets(sheet: Sheet, lines: readonly ReadLine[]): readonly ReadLine[] {
  const openings = lines.filter(({ glyphs }) => OPENING.test(textOf(glyphs)));
  if (openings.length === 0) return lines;
  const taken = new Set<ReadLine>();
  const joined = lines.map((line): ReadLine => {
    if (!CLOSING_ALONE.test(textOf(line.glyphs))) return line;
    const { slant, height, baseline } = line;
    const start = Math.min(...line.glyphs.map(({ minS }) => minS));
    for (const opening of openings) {
      if (taken.has(opening)) continue;
      const glyphs = opening.glyphs.map((glyph): Glyph => {
        const strokes = glyph.blobs.flatMap((blob) => blob.strokes);
        return { ...glyph, ...extentOf(sheet, { strokes }, slant) };
      });
      const gap = (start - Math.max(...glyphs.map(({ maxS }) => maxS))) / height;
      const isBeside = glyphs.every(
        ({ minH, maxH }) => minH > baseline + REACH[0] * height && maxH < baseline + REACH[1] * height,
      );
      if (!isBeside || gap < GAP[0] || gap > GAP[1]) continue;
      taken.add(opening);
      return { ...line, glyphs: [...glyphs, ...line.glyphs] };
    }
    return line;
  });
  return joined.filter((line) => !taken.has(line));
}
