import type { SheetBox, SheetText } from '../content/sheet.js';
import { boxOfText } from './page-frame.js';
import type { Finding } from './finding.js';

/** Where the texts of a sheet come from. */
export type TextSource = 'file' | 'outlines' | 'pixels';

/** Share of objects that are right where the file itself holds the text (`bench pmi --generated`). */
const OF_FILE = 0.99;
/** The same where nothing is written, as of symbols and views. */
const WITHOUT_TEXT = 0.8;
/** Most texts of a sheet among which those of an object are sought. */
const MOST_TEXTS = 20_000;

/**
 * Both scales are measured on drawings made by code, half of them unseen when the readers were made: outlines on 14 drawings
 * (589 objects), pixels on 7, each as a picture, a scan and a photo (678 objects). Rows: sureness of the least sure word,
 * share of objects that are right; linear between them. How sure a network is of letters says little: what is wrong is mostly
 * a part of a text, well read.
 */
const SCALES: Readonly<Record<Exclude<TextSource, 'file'>, readonly (readonly [sureness: number, right: number])[]>> = {
  outlines: [
    [0.4, 0.8],
    [0.8, 0.86],
    [1, 0.88],
  ],
  pixels: [
    [0.4, 0.3],
    [0.66, 0.42],
    [0.74, 0.58],
    [0.82, 0.69],
    [0.91, 0.76],
    [1, 0.78],
  ],
};

/**
 * How likely each finding of a sheet is right as it stands, 0 to 1, to two places: by the least sure of the texts that it
 * is made of. `bench pmi` prints the reliability.
 */
export function confidencesOf(
  findings: readonly Finding[],
  texts: readonly SheetText[],
  source: TextSource,
): readonly number[] {
  if (source === 'file') return findings.map(() => OF_FILE);
  const read = texts
    .slice(0, MOST_TEXTS)
    .map((text) => ({ box: boxOfText(text, true), sureness: text.confidence }))
    .filter((text): text is Read => text.sureness !== undefined);
  return findings.map(({ box, parts }) => {
    if (parts.length === 0) return WITHOUT_TEXT;
    const own = read.filter((text) => isWithin(text.box, box));
    return own.length === 0 ? OF_FILE : onScale(Math.min(...own.map(({ sureness }) => sureness)), SCALES[source]);
  });
}

interface Read {
  readonly box: SheetBox;
  readonly sureness: number;
}

/** Whether the middle of one box lies in the other. */
function isWithin({ x, y, width, height }: SheetBox, outer: SheetBox): boolean {
  const middleX = x + width / 2,
    middleY = y + height / 2;
  return (
    middleX >= outer.x && middleX <= outer.x + outer.width && middleY >= outer.y && middleY <= outer.y + outer.height
  );
}

function onScale(sureness: number, scale: readonly (readonly [sureness: number, right: number])[]): number {
  const at = scale.findIndex(([least]) => least >= sureness);
  if (at <= 0) return scale[at === 0 ? 0 : scale.length - 1][1];
  const [[x0, y0], [x1, y1]] = [scale[at - 1], scale[at]];
  return Math.round(100 * (y0 + ((y1 - y0) * (sureness - x0)) / (x1 - x0))) / 100;
}
