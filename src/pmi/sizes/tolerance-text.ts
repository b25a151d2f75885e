import type { DimensionKind, DimensionReading } from './dimension.js';
import { degreesOf, NUMBER, numberOf, plainSigns } from './numbers.js';

/** The tolerance of a string. */
export type ToleranceReading = Pick<DimensionReading, 'toleranceTexts' | 'tolerance' | 'fit'>;

/** A tolerance at the beginning of a text, and what follows it. */
export interface FoundTolerance extends ToleranceReading {
  readonly rest: string;
}

/** ISO 286: holes have capitals, shafts small letters; I, L, O, Q and W are not used. */
const FIT = String.raw`(?:CD|EF|FG|JS|Z[ABC]|[A-HJKMNPR-VX-Z])\s?(?:1[0-8]|0[1]?|[1-9])`;
const SHAFT = String.raw`(?:cd|ef|fg|js|z[abc]|[a-hjkmnpr-vx-z])\s?(?:1[0-8]|0[1]?|[1-9])`;
const FITS = new RegExp(String.raw`^(?:${FIT}(?:\s?/\s?${SHAFT})?|${SHAFT}(?:\s?/\s?${FIT})?)$`);
const FIT_AT = /^\(?([A-Za-z]{1,2}\s?\d{1,2}(?:\s?\/\s?[A-Za-z]{1,2}\s?\d{1,2})?)\)?(?=\s|$|\(|[x×]\s?[\d.,])/;
/** A pair whose shaft is written first: `e8/H8`. */
const SHAFT_FIRST = /^([a-z]+\d+)\/([A-Z]+\d+)$/;
/** Half of a grade to both sides, which is a shaft js: `±IT8/2`. */
const HALF_GRADE = /^±\s?IT\s?(\d{1,2})\s?\/\s?2(?!\d)/;

/** Degrees, minutes and seconds of a deviation: `1°`, `0°30'`, `30'`, `20"`. */
const TURN =
  String.raw`(?:${NUMBER}\s?°(?:\s?\d{1,2}\s?['′](?:\s?\d{1,2}\s?["″])?)?|` +
  String.raw`\d{1,2}(?:[.,]\d+)?\s?['′](?:\s?\d{1,2}\s?["″])?|\d{1,2}\s?["″])`;
/** Of inches: `±1/64`. */
const FRACTION = String.raw`(?:\d{1,2}[ -])?\d{1,2}/(?:2|4|8|16|32|64)(?![\d/.,])`;
const DEVIATION = String.raw`(?:${TURN}|${FRACTION}|${NUMBER})`;
const SIGNED = String.raw`(?:[+-]\s?${DEVIATION}|(?<![\d.,])0(?:[.,]0+)?(?![\d.,]))\s?°?`;
const PLUS_MINUS = new RegExp(String.raw`^±\s?(${DEVIATION})\s?(?:mm|in(?![a-z])|["″])?`);
const TWO = new RegExp(String.raw`^(${SIGNED})(?:\s?/?\s?|\s?[,;]\s?(?=[+-]))(${SIGNED})`);
const ONE = new RegExp(String.raw`^([+-]\s?${DEVIATION})`);
const MINUTES = /['′]/;

/** Reads what follows or stands above a size: deviations or a fit; undefined when it is no tolerance. */
export function readTolerance(text: string): ToleranceReading | undefined {
  const found = toleranceAt(plainSigns(text));
  return found !== undefined && found.rest === '' && found.toleranceTexts.length > 0
    ? { toleranceTexts: found.toleranceTexts, tolerance: found.tolerance, fit: found.fit }
    : undefined;
}

/** The value of a signed deviation: degrees where it is written in degrees or minutes. */
export function deviationOf(text: string, kind?: DimensionKind): number {
  return kind === 'angle' || /[°'′]/.test(text) ? degreesOf(text) : numberOf(text);
}

/**
 * The tolerance at the beginning of a text; without strings where there is none, undefined where what stands there
 * cannot be one.
 * @param kind of the size, where it is known: only angles have minutes.
 */
export function toleranceAt(text: string, kind?: DimensionKind): FoundTolerance | undefined {
  if (text === '') return { toleranceTexts: [], rest: '' };
  const behind = ([found]: RegExpExecArray): string => text.slice(found.length).trim();
  const hasNoMinutes = (written: string): boolean => kind === undefined || kind === 'angle' || !MINUTES.test(written);
  // `10 (+0.1/-0.05)`: the brackets belong to neither; `10 (0-5)` has a range, whose first part has no sign.
  const bracketed = /^[([]\s?([±+-][^()[\]]*|0(?:[.,]0+)?\s?(?:\/\s?|\s)[+-][\d.,][^()[\]]*)[)\]]/.exec(text);
  const inner = bracketed === null ? undefined : toleranceAt(bracketed[1].trim(), kind);
  if (bracketed !== null && inner?.rest === '' && inner.fit === undefined && inner.toleranceTexts.length > 0)
    return { ...inner, rest: behind(bracketed) };
  const grade = kind === 'angle' ? null : HALF_GRADE.exec(text);
  if (grade !== null) return { toleranceTexts: [squeezed(grade[0])], fit: `js${grade[1]}`, rest: behind(grade) };
  const equal = PLUS_MINUS.exec(text);
  if (equal !== null) {
    if (!hasNoMinutes(equal[0])) return undefined;
    const half = deviationOf(equal[1], kind);
    return { toleranceTexts: [squeezed(equal[0])], tolerance: { upper: half, lower: -half }, rest: behind(equal) };
  }
  const two = TWO.exec(text);
  if (two !== null && /[+-]/.test(two[0]) && hasNoMinutes(two[0]))
    return deviations([two[1], two[2]], behind(two), kind);
  const one = ONE.exec(text);
  if (one !== null) return hasNoMinutes(one[0]) ? deviations([one[1]], behind(one), kind) : undefined;
  // Angles have no fits: `45°x1`.
  const fit = kind === 'angle' ? null : FIT_AT.exec(text);
  // `x 12 deep` is a depth.
  if (fit === null || !FITS.test(fit[1]) || /^x\s/i.test(fit[1])) return { toleranceTexts: [], rest: text.trim() };
  const rest = behind(fit);
  const more = rest === '' ? undefined : toleranceAt(/^\((.+)\)$/.exec(rest)?.[1] ?? rest, kind);
  const name = squeezed(fit[1]);
  const pair = name.replace(SHAFT_FIRST, '$2/$1');
  return more === undefined || more.toleranceTexts.length === 0 || more.fit !== undefined
    ? { toleranceTexts: [name], fit: pair, rest }
    : { ...more, toleranceTexts: [name, ...more.toleranceTexts], fit: pair };
}

function deviations(written: readonly string[], rest: string, kind?: DimensionKind): FoundTolerance | undefined {
  // Dates have this form, deviations do not.
  if (written.some((text) => /^[+-]0\d/.test(text))) return undefined;
  const values = written.map((text) => deviationOf(text, kind));
  // A single deviation stands on one side of the size.
  const all = values.length === 1 ? [0, ...values] : values;
  const tolerance = { upper: Math.max(...all), lower: Math.min(...all) };
  return { toleranceTexts: written.map(squeezed), tolerance, rest };
}

function squeezed(text: string): string {
  return text.replace(/\s/g, '');
}
