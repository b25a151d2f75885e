import type { Sheet } from '../../content/sheet.js';
import { upright } from './blob-directions.js';
import { type Glyph, textOf } from './line-glyphs.js';
import { type ReadLine, readIn } from './read-line.js';

/** Figures that look like no other one upside down, and texts that read as well upside down. */
const TELLING = /[2-57]/;
const BOTH_WAYS = /^[0689.,+-]*[69][0689.,+-]*$/;
/** A point of a number that is read upside down stands at its top: `6'08`. */
const POINT_ABOVE = /^[0-9lI]*['"°][0-9lI]+$/;
const WITH_POINT = /^\d*[.,]\d+$/;
/** Lines from this score on tell how upright texts of the sheet are read. */
const SURE = 0.9;
const UPRIGHT = Math.PI / 2;
const STRAIGHT = 0.05;

const isAlong = ({ slant }: ReadLine, angleRad: number): boolean => Math.abs(slant.alongRad - angleRad) < STRAIGHT;

/** The direction of most upright texts of a sheet, rad; undefined where there are as many of either. */
export function directionOfUpright(read: readonly ReadLine[]): number | undefined {
  const sure = read.filter(({ score, glyphs }) => score >= SURE && TELLING.test(textOf(glyphs)));
  const [up, down] = [UPRIGHT, -UPRIGHT].map((angle) => sure.filter((line) => isAlong(line, angle)).length);
  return up === down ? undefined : up > down ? UPRIGHT : -UPRIGHT;
}

/** Upright figures that are others upside down, as most of the sheet are read: `86`, `9`. */
export function asMostUpright(sheet: Sheet, line: ReadLine, angleRad: number): ReadLine {
  if (!isAlong(line, -angleRad) || !BOTH_WAYS.test(textOf(line.glyphs))) return line;
  const blobs = line.glyphs.flatMap(({ blobs: own }: Glyph) => own);
  const again = readIn(sheet, blobs, upright(angleRad));
  return BOTH_WAYS.test(textOf(again.glyphs)) ? again : line;
}

/** An upright number whose point stands at its top, read the other way. */
export function withPointBelow(sheet: Sheet, line: ReadLine): ReadLine {
  const { alongRad } = line.slant;
  if (Math.abs(Math.abs(alongRad) - UPRIGHT) > STRAIGHT || !POINT_ABOVE.test(textOf(line.glyphs))) return line;
  const blobs = line.glyphs.flatMap(({ blobs: own }: Glyph) => own);
  const turned = readIn(sheet, blobs, upright(alongRad > 0 ? -UPRIGHT : UPRIGHT));
  return WITH_POINT.test(textOf(turned.glyphs)) ? turned : line;
}
