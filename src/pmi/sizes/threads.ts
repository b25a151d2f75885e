import { NUMBER, numberOf } from './numbers.js';

const MIXED = String.raw`(?:(?:\d[ -])?\d{1,2}/\d{1,2}|\d{1,3})`;
const TIMES = String.raw`\s?[xX×]\s?`;
const SERIES = String.raw`(?:UN(?:[JR]?[CF]|J?EF|S)?|NPTF?|NPSM?|BS[WF])`;
/** Numbers of inch threads, `#10-32`, `No. 8-32`. */
const NUMBERED = String.raw`(?:#|N[oO]\.?\s?)\d{1,2}`;
const HAND =
  String.raw`(?:[LR]H|(?:[Ll]inks|LINKS|[Rr]echts|RECHTS|[Ll]eft|LEFT|[Rr]ight|RIGHT)(?:[\s-]?(?:[Hh]and(?:ed)?|HAND(?:ED)?))?|` +
  String.raw`(?:à )?gauche|sinistr[oaei]|izquierda)(?!\p{L})`;
const TOLERANCE_CLASS = String.raw`(?:[3-9][EFGHc-h]{1,2}(?:/[3-9][c-h]{1,2})?|[123][AB])`;
const CLASS = String.raw`(?:${TOLERANCE_CLASS}|${HAND})`;

/** Diameters of buttress threads (DIN 513) that have the pitch behind them; `S20x30` is something else. */
const BUTTRESS = [
  ['1[0-8]|20', '[2-4]'],
  ['2[2468]', '[358]'],
  ['3[0246]', '3|6|10'],
  ['38|4[024]', '3|7|10|12'],
  ['4[68]|5[02]', '3|8|12'],
  ['55|60', '3|9|14'],
  ['65|7[05]|80', '4|10|16'],
  ['85|9[05]|100|110', '4|12|18|20'],
]
  .map(([sizes, pitches]) => String.raw`(?:${sizes})(?=${TIMES}(?:${pitches})(?!\d))`)
  .join('|');
/** Unified threads of the usual series (ASME B1.1), which need not be named: `1/4-20`. */
const UNIFIED =
  '(?:1/4-2[08]|5/16-(?:18|24)|3/8-(?:16|24)|7/16-(?:14|20)|1/2-(?:13|20)|9/16-1[28]|5/8-1[18]|3/4-1[06]|' +
  '7/8-(?:9|14)|(?:#|N[oO]\\.?\\s?)(?:[45]-40|[68]-32|10-(?:24|32)))';

/**
 * A thread at the beginning of a text: metric (ISO 261, ISO 965: `M8x1-6g LH`, `M16xPh3P1.5`), trapezoidal (ISO 2904:
 * `Tr40x14(P7)-7e`), buttress (DIN 513: `S40x7`), round (DIN 405: `Rd 20x1/8`), of pipes (ISO 228, ISO 7: `G1/2"`, `G1
 * 1/4 A`, `1/4 NPT`), unified (ASME B1.1: `1/4-20 UNC-2B`, `#10-32 UNF`, `8-32 TAP`).
 */
export const THREAD = new RegExp(
  String.raw`^(?:M(?:J(?=\s?[\d.,]+${TIMES}\d))?\s?(${NUMBER})(?:${TIMES}Ph\s?${NUMBER}\s?P\s?${NUMBER})?` +
    String.raw`(?:${TIMES}${NUMBER}(?:mm)?|\s?-\s?${NUMBER}(?![\d.,A-Za-z]))*|` +
    String.raw`(?:Tr|TR(?=\s?\d{1,3}${TIMES}\d))\s?(\d{1,3})` +
    String.raw`(?:${TIMES}${NUMBER}(?:\s?\(\s?P\s?${NUMBER}\s?\)|\s?P\s?${NUMBER})?)?|` +
    String.raw`S\s?(${BUTTRESS})${TIMES}\d{1,2}(?![\d.,])|` +
    String.raw`Rd\s?(\d{1,3})${TIMES}1/\d{1,2}(?:\s?["″])?|P[Gg]\s?(\d{1,3})|` +
    String.raw`(?:G|R[pc]?|NPTF?|BSP[PT]?)\s?(${MIXED})(?:\s?["″])?(?:\s?-?\s?[AB](?![\w]))?|` +
    String.raw`(?:\d{1,2}[ -])?\d{1,2}(?:/\d{1,2})?\s?["″]?\s?(?:NPTF?|BSP[PT]?)|` +
    String.raw`(?:${NUMBERED}|${NUMBER}|(?:\d[ -])?\d{1,2}/\d{1,2})\s?["″]?\s?-\s?\d{1,2}\s?${SERIES}|` +
    String.raw`${SERIES}\s(?:${NUMBER}|(?:\d[ -])?\d{1,2}/\d{1,2})\s?-\s?\d{1,2}(?!\d)|` +
    String.raw`(?:(?:${NUMBERED}|(?:\d[ -])?\d{1,2}/\d{1,2})\s?-\s?\d{1,2}|` +
    String.raw`\d{1,2}\s?-\s?(?:2[48]|3[26]|4[048]|56|64|72|80))(?=\s?TAP)|${UNIFIED}(?!\d|[/.,-]\d(?![AB])))` +
    String.raw`(?:[-\s]*${CLASS}|\s?\([4-9][GHgh]{1,2}\))*`,
  'u',
);

const WITH_CLASS = new RegExp(String.raw`[-\s(]${TOLERANCE_CLASS}\)?(?:[-\s]*${HAND})?$`, 'u');

/** Whether a thread ends with its tolerance class (ISO 965-1, ISO 2903, ASME B1.1): `M8-6H`, `1/4-20 UNC-2B`. */
export function hasThreadClass(text: string): boolean {
  return WITH_CLASS.test(text);
}

/** The pitch of a metric thread in words, before or behind it: `Pas 1,25 M8`, `M10 Steigung 1`, `M8 P1.25`. */
const PITCH = String.raw`(?:Pas|Steigung|Stg\.?|Pitch|passo|paso|skok|шаг|P)\s?=?\s?(${NUMBER})(?:\s?mm)?`;
const PITCH_BEFORE = new RegExp(String.raw`^((?:\d{1,3}\s?[x×]\s?)?)${PITCH}[\s,]\s?(M\s?\d{1,3})(?!\s?[x×\d.,])`, 'i');
const PITCH_BEHIND = new RegExp(String.raw`^((?:\d{1,3}\s?[x×]\s?)?M\s?\d{1,3})\s${PITCH}(?![\d.,])`, 'i');

/** A text whose pitch is named in words as threads are written: `M8x1,25`; undefined for others. */
export function withPitchBehind(plain: string): string | undefined {
  if (PITCH_BEFORE.test(plain)) return plain.replace(PITCH_BEFORE, '$1$3x$2');
  return PITCH_BEHIND.test(plain) ? plain.replace(PITCH_BEHIND, '$1x$2') : undefined;
}

/** Threads whose numbers are inches; of `Pg` they are none. */
const INCH = new RegExp(
  String.raw`^(?:G|R[pc]?|NPT|BSP)\s?F?[PT]?\s?\d|UN|NP[TS]|BS[PWF]|` +
    String.raw`^[^A-Za-z]*(?:N[oO]\.?)?[^A-Za-z]*-\s?\d{1,2}(?:[-\s]+[123][AB])?$`,
);
const OF_NUMBER = /^(#|N[oO]\.?\s?)?(\d{1,2})\s?-\s?(\d{1,2})(?!\d)/;
/** So many threads an inch and more has no inch thread of a whole size, but the numbered one of its name has them. */
const FINE = 24;
const FINE_OF_ONE = 56;

/** Outer diameters in mm of threads of steel conduits (DIN 40430), which are not the numbers of their names. */
const CONDUITS: Readonly<Record<string, string>> = {
  7: '12.5', 9: '15.2', 11: '18.6', 13: '20.4', 16: '22.5', 21: '28.3', 29: '37', 36: '47', 42: '54', 48: '59.3',
}; // biome-ignore format: a table

/** Whether the size of a thread, as it is written, is in inches. */
export function isInchThread(said: string): boolean {
  return INCH.test(said);
}

/**
 * The size of a thread that {@link THREAD} found, in its own unit: inches of `1/4-20 UNC` and `.250-20 UNC`; by its
 * number (ASME B1.1) of `#10-32 UNF`, which is written `10-32 UNF` too.
 */
export function sizeOfThread([said, ...sizes]: RegExpExecArray): string {
  const conduit = /^P[Gg]\s?(\d{1,3})/.exec(said)?.[1];
  if (conduit !== undefined) return CONDUITS[conduit] ?? conduit;
  const size = sizes.find((each) => each !== undefined);
  if (size !== undefined) return size;
  const [, sign, number, pitch] = OF_NUMBER.exec(said) ?? [];
  if (number === undefined) return said.replace(/^[^\d.,]+/, '');
  const isNumbered = sign !== undefined || number === '0' || Number(pitch) >= (number === '1' ? FINE_OF_ONE : FINE);
  return isNumbered ? (0.06 + 0.013 * numberOf(number)).toFixed(3) : number;
}
