import { type Glyph, textOf } from './line-glyphs.js';
import type { ReadLine } from './read-line.js';

/** What a zero may stand above or below; zeros of it may look like letters. */
export const DEVIATION = /^[+-]|^[\dOoDQ]*[.,][\dOoDQ]+$/;
/** Most zeros that stand alone. */
export const MOST_ZEROS = 60;
/** Baselines of deviations above each other, in heights of their capitals. */
const STACKED = [1, 2] as const;

/** Whether a line is one zero, or zeros around a point: some of its rings may look like letters. */
export function isZero({ glyphs }: ReadLine): boolean {
  const text = textOf(glyphs);
  return glyphs.length === 1 ? /^[0OoQD°]$/.test(text) : /^[0OoQD⏥][.,]?[0OoQD⏥]{1,3}$/.test(text);
}

/** The line with each of its rings as a zero. */
export function asZeros(line: ReadLine): ReadLine {
  const glyphs = line.glyphs.map((glyph): Glyph => {
    const isPoint = /^[.,]$/.test(glyph.candidates.at(0)?.text ?? '');
    return isPoint ? glyph : { ...glyph, candidates: [{ text: '0', probability: line.score }] };
  });
  return { ...line, glyphs };
}

/** Whether a line stands right above or below the beginning of another one and is of its size. */
export function isStacked(a: ReadLine, b: ReadLine): boolean {
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
