import type { SheetBox, SheetText } from '../content/sheet.js';
import { boxOfText } from './page-frame.js';
import type { Finding } from './finding.js';
import { TARGET } from './frames/datum-targets.js';
import { PMI_TYPE } from './pmi.js';

/** Where the texts of a sheet come from. */
export type TextSource = 'file' | 'outlines' | 'pixels';

/** Share of objects that are right where the file itself holds the text (`bench pmi --generated`). */
const OF_FILE = 0.99;
/** The same where nothing is written, as of symbols and views. */
const WITHOUT_TEXT = 0.8;
/** At least, that of a datum target: the circle and the form of its name are sure. */
const OF_TARGET = 0.7;
/** At most, that of a control frame whose symbol is not known, or fits none of its datums. */
const OF_DOUBTFUL = 0.5;
/** Most texts of a sheet among which those of an object are sought. */
const MOST_TEXTS = 20_000;

type Scale = readonly (readonly [sureness: number, right: number])[];

/**
 * Measured on drawings made by code, half of them unseen when the reader was made: 14 drawings, 589 objects. Rows:
 * sureness of the least sure word, share of objects that are right; linear between them. How sure a network is of
 * letters says little: what is wrong is mostly a part of a text, well read.
 */
const OUTLINES: Scale = [
  [0.4, 0.8],
  [0.8, 0.86],
  [1, 0.88],
];
/**
 * The same for pixels, on 10 drawings (seeds 41 to 45, 700 to 704), each as a picture, a scan and a photo: 980 objects;
 * the last row of each on 352 objects of seeds 700 to 702 since lines are read as wholes. What is invented is mostly a
 * whole number: of a table, or a piece of a line.
 */
const PIXELS: Readonly<Record<Form, Scale>> = {
  note: [
    [0.4, 0.6],
    [0.74, 0.78],
    [0.91, 0.96],
  ],
  'short with a point': [
    [0.4, 0.6],
    [0.74, 0.78],
    [0.91, 0.95],
  ],
  'with a point': [
    [0.4, 0.45],
    [0.74, 0.77],
    [0.91, 0.94],
  ],
  'short without a point': [
    [0.4, 0.3],
    [0.74, 0.33],
    [0.91, 0.81],
  ],
  'without a point': [
    [0.4, 0.25],
    [0.74, 0.27],
    [0.91, 0.79],
  ],
};
/** Forms of what was read: radii and leader notes; others by point and number of figures. */
type Form = 'note' | 'short with a point' | 'with a point' | 'short without a point' | 'without a point';
/** Numbers with at least as many figures are long. */
const LONG = 3;

function formOf({ type, parts }: Finding): Form {
  if (type === PMI_TYPE.leader || type === PMI_TYPE.radius) return 'note';
  const text = parts.map((part) => part.text).join(' ');
  const isShort = text.replace(/\D/g, '').length < LONG;
  if (/\d?[.,]\d/.test(text)) return isShort ? 'short with a point' : 'with a point';
  return isShort ? 'short without a point' : 'without a point';
}

/**
 * How likely each finding of a sheet is right as it stands, 0 to 1, to two places: by the least sure of the texts that
 * it is made of. `bench pmi` prints the reliability.
 */
export function confidencesOf(
  findings: readonly Finding[],
  texts: readonly SheetText[],
  source: TextSource,
): readonly number[] {
  const asWhole = (finding: Finding, said: number): number =>
    finding.isDoubtful === true ? Math.min(OF_DOUBTFUL, said) : said;
  if (source === 'file') return findings.map((finding) => asWhole(finding, OF_FILE));
  const read = texts
    .slice(0, MOST_TEXTS)
    .map((text) => ({ box: boxOfText(text, true), sureness: text.confidence, said: text.text }))
    .filter((text): text is Read => text.sureness !== undefined);
  return findings.map((finding) => {
    const { box, parts } = finding;
    if (parts.length === 0) return WITHOUT_TEXT;
    const own = read.filter((text) => isWithin(text.box, box));
    // A letter in a box that was read there alone, or again, as its text said something else.
    const isReadAgain = finding.type === PMI_TYPE.datum && !own.some(({ said }) => said.includes(parts[0].text));
    if (isReadAgain && (source === 'pixels' || own.length > 0)) return WITHOUT_TEXT;
    if (own.length === 0) return asWhole(finding, OF_FILE);
    const said = onScale(
      Math.min(...own.map(({ sureness }) => sureness)),
      source === 'pixels' ? PIXELS[formOf(finding)] : OUTLINES,
    );
    const isTarget = finding.type === PMI_TYPE.datum && TARGET.test(parts.at(-1)?.text ?? '');
    return asWhole(finding, isTarget ? Math.max(OF_TARGET, said) : said);
  });
}

/**
 * What was read from pixels with less confidence is no object of the page: of drawings made by code (pictures and scans
 * of 26 and 27 November, 5,500 objects) 19 of 187 such were right, and 20 of 65 between .6 and .7.
 */
export const LEAST_CONFIDENCE = 0.6;

/** Least confidence of a field of a title block that becomes an attribute of its file. */
const SURE_FIELD = 0.74;

/**
 * Fields of title blocks by the sureness of their least sure word, as the scales above: where the file holds the text
 * (real drawings: what is given is right, with one value of another cell in some 30), of outlines, of pixels: 150
 * fields of 24 sheets made by code (seeds 4000 to 4024, in turn a picture, a scan and a photo) have 5 of 9 right below
 * .85, 66 of 69 up to .97, all of 72 above.
 * Of outlines 160 of 161 fields of 24 sheets (seeds 9300 to 9323) are right, also all 26 between .6 and .85: letters of
 * one form, such as I and l, share their probability, and the form of the value decides.
 */
const OF_FILE_FIELD = 0.97;
const FIELD_OF_OUTLINES: Scale = [
  [0.4, 0.6],
  [0.6, 0.85],
  [0.85, 0.93],
  [1, 0.97],
];
const FIELD_OF_PIXELS: Scale = [
  [0.4, 0.4],
  [0.8, 0.55],
  [0.88, 0.86],
  [0.97, 0.97],
];

/** How likely a field of a title block is right, 0 to 1, to two places; measured by `bench title-blocks`. */
export function confidenceOfField({ sureness }: { readonly sureness?: number }, source: TextSource): number {
  if (source === 'file' || sureness === undefined) return OF_FILE_FIELD;
  return onScale(sureness, source === 'pixels' ? FIELD_OF_PIXELS : FIELD_OF_OUTLINES);
}

/** Whether a field of a title block was read surely enough to become an attribute of its file. */
export function isSureField(field: { readonly sureness?: number }, source: TextSource): boolean {
  return confidenceOfField(field, source) >= SURE_FIELD;
}

interface Read {
  readonly said: string;
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

function onScale(sureness: number, scale: Scale): number {
  const at = scale.findIndex(([least]) => least >= sureness);
  if (at <= 0) return scale[at === 0 ? 0 : scale.length - 1][1];
  const [[x0, y0], [x1, y1]] = [scale[at - 1], scale[at]];
  return Math.round(100 * (y0 + ((y1 - y0) * (sureness - x0)) / (x1 - x0))) / 100;
}
