import type { Sheet } from '../../content/sheet.js';
import { classesIn, HEADS } from './tolerance-words.js';

/**
 * Standards of tolerances whose values are not known here: of welded, cast, stamped, moulded, forged, rubber and cut
 * parts, of DIN before ISO 2768, and degrees of ISO 286 for all sizes. With what names the class.
 */
const OTHERS = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:(?:(?:DIN|UNI|BS|NF|EN)\s)*ISO\s?(?:13920|8062(?:-\d)?|20457|3302(?:-\d)?|9013)|` +
    String.raw`(?:DIN\s)?EN\s?10243(?:-\d)?|DIN\s?(?:6930(?:-\d)?|7168|16742|16901|7715)|SMS\s?715|ГОСТ\s?(?:25670|26645))` +
    String.raw`(?!\d)(?:[\s:-]{1,2}[\p{L}\p{N}]{1,8}){0,2}|` +
    String.raw`(?<![\p{L}\p{N}])H1[0-8]\s?[,;]\s?(?:\p{L}+\s)?h1[0-8](?:\s?[,;]\s?(?:\p{L}+\s)?±\s?IT\s?1[0-8](?:/2)?)?(?![\p{L}\p{N}])`,
  'gu',
);
/** Standards of how tolerances are to be understood (GPS, ASME), with their years. */
const PRINCIPLES = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:ISO\s?(?:8015|14405(?:-\d)?|1101|5459)|ASME\s?Y14\.5M?|DIN\s?7167)(?!\d)` +
    String.raw`(?:\s?[-:]\s?(?:19|20)\d\d)?`,
  'gu',
);
/** What names general tolerances without a standard, such as the head of a table by ranges of sizes. */
const HEAD = new RegExp(
  String.raw`${HEADS}|zulässige abweichung|grenzabma(?:ß|ss)e|permissible deviation|(?:maße|mass?e) ohne toleranz`,
  'iu',
);
const LONGEST_NAMED = 60;
/** Most that are named. */
const MOST_NAMED = 10;
const ISO_2768 = /(?:ISO|EN)\s?2?2768[^\n;,]{0,20}/g;

/** Standards that a text names of how tolerances are to be understood, each once: `ISO 8015`, `ASME Y14.5-2018`. */
export function principlesIn(text: string): string[] {
  const spaced = [...text.matchAll(PRINCIPLES)].map(([named]) => named.replace(/^(ISO|ASME|DIN)\s?/, '$1 '));
  return [...new Set(spaced.map((named) => named.replace(/\s?([-:])\s?/g, '$1')))];
}

/** A text without the standards that {@link principlesIn} finds. */
export function withoutPrinciples(text: string): string {
  return text.replaceAll(PRINCIPLES, '').trim();
}

/** A sentence where sheets name general tolerances that are not resolved: none, or one. */
export function namedStandards(sheets: readonly Sheet[], isStated: boolean): string[] {
  const texts = sheets.flatMap((sheet) => sheet.texts.map(({ text }) => text));
  const found = texts.flatMap((text) => {
    const others = [...text.matchAll(OTHERS)].map(([named]) => named.trim());
    // The class in words, or nowhere.
    const unclear =
      isStated || classesIn(text).length > 0 ? [] : [...text.matchAll(ISO_2768)].map(([named]) => named.trim());
    const heads = isStated || !HEAD.test(text) ? [] : [text.trim().slice(0, LONGEST_NAMED)];
    return others.length + unclear.length > 0 ? [...others, ...unclear] : heads;
  });
  const all = [...new Set(found)].slice(0, MOST_NAMED);
  return all.length === 0
    ? []
    : [`general tolerances are named whose values are not known here, and sizes have none of them: ${all.join('; ')}`];
}
