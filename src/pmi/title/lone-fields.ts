import type { TextLine } from '../text-lines.js';
import { asksFor, FORMS, type TextLabel } from './title-labels.js';

/** A value without a block is a name or a figure, no sentence. */
const MOST_WORDS = 5;
const MOST_CHARACTERS = 60;
/** Words of sentences: `see note 3`, `to be deburred`. */
const OF_SENTENCES = /(?<!\p{L})(?:see|notes?|unless|shall|must|should|to be|siehe|wird|werden|voir|vedi)(?!\p{L})/iu;
/** Those that names and standards have in capitals: `IS 2062`, `ALL-STEEL`. */
const LOW_WORDS = /(?<!\p{L})(?:is|are|only|not|all|laut|nach(?! (?:DIN|EN|ISO)(?!\p{L})))(?!\p{L})|\p{Ll}{3,}\.$/u;
const NOTES =
  /^(?:GENERAL )?(?:NOTES?|REMARKS?|HINWEISE?|ANMERKUNG(?:EN)?|BEMERKUNG(?:EN)?|REMARQUES?|NOTE GENERALI)\b/i;
/** Lines of a paragraph stand closer, in heights, and a line of one has so many words. */
const PARAGRAPH = 2.6;
const PROSE_WORDS = 7;
/** Sentences that drawings have beside their fields. */
const ABOUT_THE_SHEET =
  /^(?:ALL|DIMENSIONS?|UNLESS|GENERAL|TOLERANCES?|ALLE|MA(?:SS|\u00df)E|ALLGEMEIN|COTES|QUOTE)(?!\p{L})/iu;

/**
 * Fields that stand as plain text, a label with a colon and its value: `Material: C45`. Read on sheets whose labels are
 * too few for a block. A line of notes or of a paragraph is none, and neither is a name that has two values, as where
 * several parts stand on a sheet. What has a form of its own, `Scale 1:1`, needs no colon in a column with such lines,
 * or in a cell.
 * @param isInCell whether lines are drawn about a text.
 */
export function loneFields(
  labels: readonly (Omit<TextLabel, 'isInline'> & { readonly line: TextLine })[],
  level: readonly TextLine[],
  isInCell: (line: TextLine) => boolean,
): Omit<TextLabel, 'isInline'>[] {
  const found = labels.flatMap(({ line, name, value }) => {
    if (name === '' || !isPlain(name, value)) return [];
    const hasColon = line.text.trimEnd().slice(0, -value.length).trimEnd().endsWith(':');
    const near = neighboursOf(line, level);
    return isOfText(line, near) ? [] : [{ line, near, hasColon, name, value }];
  });
  const certain = new Set(found.filter(({ hasColon }) => hasColon).map(({ line }) => line));
  const kept = found.filter(
    ({ line, name, hasColon, near }) =>
      hasColon || (name in FORMS && (near.some((other) => certain.has(other)) || isInCell(line))),
  );
  const values = new Map<string, Set<string>>();
  for (const { name, value } of kept) values.set(name, (values.get(name) ?? new Set()).add(value));
  return [...values].flatMap(([name, said]) => (said.size === 1 ? [{ name, value: [...said][0] }] : []));
}

function isPlain(name: string, value: string): boolean {
  if (value === '' || asksFor(value) || value.length > MOST_CHARACTERS || FORMS[name]?.test(value) === false)
    return false;
  return (
    /[\p{L}\d]/u.test(value) &&
    value.split(/\s+/).length <= MOST_WORDS &&
    !OF_SENTENCES.test(value) &&
    !LOW_WORDS.test(value)
  );
}

/** The lines of the same column right above and below one. */
function neighboursOf(line: TextLine, level: readonly TextLine[]): TextLine[] {
  return level.filter(
    (other) =>
      other !== line &&
      Math.abs(other.t - line.t) < PARAGRAPH * Math.max(line.height, other.height) &&
      Math.abs(other.t - line.t) > 0.5 * line.height &&
      Math.abs(other.start - line.start) < 2 * line.height,
  );
}

/** Whether a line is one of notes, or goes on in a sentence above or below it. */
function isOfText(line: TextLine, near: readonly TextLine[]): boolean {
  return near.some(({ text, t }) => {
    if (NOTES.test(text) || /^\(?\d{1,2}[.)]\s+\p{L}/u.test(text)) return true;
    const isProse = text.split(/\s+/).length >= PROSE_WORDS && !ABOUT_THE_SHEET.test(text);
    return isProse || (t > line.t && /^\p{Ll}{2,}/u.test(text));
  });
}
