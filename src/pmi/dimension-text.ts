import { areWordsOfCount, areWordsOfSize, countBefore } from './dimension-words.js';

/** What a string on a drawing measures. */
export type DimensionKind =
  | 'length'
  | 'diameter'
  | 'radius'
  | 'angle'
  | 'chamfer'
  | 'thread'
  | 'square'
  | 'depth'
  | 'counterbore'
  | 'countersink'
  | 'arcLength';

/** A dimension as written: count, kind, nominal size, tolerance. */
export interface DimensionReading {
  readonly kind: DimensionKind;
  /** The string without its tolerance, with the signs of {@link plainSigns}: `4x ⌀6.60`, `(R5)`, `M3x6mm`. */
  readonly text: string;
  /** Tolerance strings as in {@link import('./pmi.js').TolerancedText}; empty without a tolerance. */
  readonly toleranceTexts: readonly string[];
  /** Number of features: 4 in `4x ⌀6.60` and in `⌀6.60 (4 holes)`. */
  readonly count: number;
  /** For a size given by its limits, the larger one. Degrees for angles. */
  readonly nominal: number;
  /**
   * Signed upper and lower deviation; for limits, relative to the nominal size. Absent without a tolerance and for
   * fits.
   */
  readonly tolerance?: { readonly upper: number; readonly lower: number };
  /** `H7`, `H7/g6`. */
  readonly fit?: string;
  /** Whether the size itself says that it is in inches: `3 1/2"`, `5'-3"`. */
  readonly isInch?: true;
  /** In round brackets or marked REF: a reference dimension, stated elsewhere and not inspected. */
  readonly isReference: boolean;
}

/** Longer strings are not read as dimensions. */
const LONGEST = 80;
/** Largest plausible size; a longer number is a part number. */
const LARGEST = 1e6;

/** Largest deviation, in sizes: the states of edges have several times their size. */
const MOST_DEVIATION = 5;

const NUMBER = String.raw`(?:\d{1,6}(?:[.,]\d{1,6})?|[.,]\d{1,6})`;
const FRACTION = String.raw`(?:\d{1,4}[ -])?\d{1,3}/(?:2|4|8|16|32|64)(?=\s*["″]|$)`;
/** Feet, and inches behind them: `5'-3 1/2"`. */
const FEET = String.raw`\d{1,4}\s?['′]\s?-?\s?(?:(?:\d{1,2}[ -])?\d{1,2}/\d{1,3}|\d{1,2}(?:[.,]\d{1,4})?)(?=\s*["″])`;
const ANGLE = String.raw`${NUMBER}\s?°(?:\s?\d{1,2}['′](?:\s?\d{1,2}["″])?)?`;
const UNIT = String.raw`(?:\s?(?:mm|cm|MM|in|IN|["″]))?`;
/** ISO 286: holes have capitals, shafts small letters; I, L, O, Q and W are not used. */
const FIT = String.raw`(?:CD|EF|FG|JS|Z[ABC]|[A-HJKMNPR-VX-Z])\s?(?:1[0-8]|0[1]?|[1-9])`;
const SHAFT = String.raw`(?:cd|ef|fg|js|z[abc]|[a-hjkmnpr-vx-z])\s?(?:1[0-8]|0[1]?|[1-9])`;
const FITS = new RegExp(String.raw`^(?:${FIT}(?:\s?/\s?${SHAFT})?|${SHAFT})$`);

/** Signs before a size, and the kind of dimension that they make. */
const SIGNS: readonly (readonly [pattern: RegExp, kind: DimensionKind])[] = [
  [/^⌴\s?⌀?/, 'counterbore'],
  [/^⌵\s?⌀?/, 'countersink'],
  [/^↧/, 'depth'],
  [/^⌒/, 'arcLength'],
  [/^□/, 'square'],
  [/^S?⌀/, 'diameter'],
  [/^(?:SR|CR|R)(?=\s?[\d.,])/, 'radius'],
  [/^C(?=\s?[\d.,])/, 'chamfer'],
];

const SIZE = new RegExp(`^(${ANGLE}|${FEET}|${FRACTION}|${NUMBER})${UNIT}`);
const THREAD = new RegExp(
  String.raw`^(?:M\s?(${NUMBER})(?:\s?[xX×]\s?${NUMBER}(?:mm)?)*|` +
    String.raw`(?:Tr|G|R[pc]?|NPTF?|BSP[PT]?|P[Gg])\s?(\d{1,3}(?:/\d{1,2})?)(?:\s?[xX×]\s?${NUMBER})?(?:\s[AB](?!\w))?|` +
    String.raw`(?:\d{1,2}[ -])?\d{1,2}(?:/\d{1,2})?\s?["″]?\s?(?:NPTF?|BSP[PT]?)|` +
    String.raw`(?:#\d{1,2}|${NUMBER}|(?:\d[ -])?\d{1,2}/\d{1,2})\s?["″]?\s?-\s?(?:\d{1,2})\s?` +
    String.raw`(?:UN(?:J?[CF]|EF|S)?|NPTF?|NPSM?|BS[WF]))` +
    String.raw`(?:[-\s]*(?:[4-9][GHgh]{1,2}(?:/[4-9][gh]{1,2})?|[123][AB]|LH|RH))*`,
);
const CHAMFER = new RegExp(String.raw`^(${NUMBER})\s?(?:mm)?\s?[xX×]\s?(${ANGLE}|${NUMBER})`);
/** The count behind the size, in brackets. */
const COUNT_BEHIND = /(?<=\S)\s?\((\d{1,3})\s?(?:[xX×]|HOLES?|PLACES|PLCS?\.?|TIMES|OFF|Stk\.?|Stück|trous?)\)/i;
const SIGNED = String.raw`(?:[+-]\s?${NUMBER}|(?<![\d.,])0(?:[.,]0+)?(?![\d.,]))\s?°?`;
const PLUS_MINUS = new RegExp(String.raw`^±\s?(${NUMBER})\s?(?:°|mm|')?`);
const TWO = new RegExp(String.raw`^(${SIGNED})\s?/?\s?(${SIGNED})`);
const ONE = new RegExp(String.raw`^([+-]\s?${NUMBER})\s?°?`);
const LIMITS = new RegExp(String.raw`^\s?[-–/]\s?(${NUMBER})$`);
/** Units behind a tolerance. */
const UNIT_BEHIND = /^(?:°|mm)\s*/;

/** `4-12-2013` is a date, not a 4 with two deviations. */
const DATE = /^\d{1,4}([-./])\d{1,2}\1\d{2,4}$/;

/**
 * Replaces lookalike characters by one: ⌀ for a diameter, ° for a degree, ± also where typed as `+/-`, plain spaces and
 * hyphens.
 */
export function plainSigns(text: string): string {
  return text
    .normalize('NFC')
    .replace(/[ØøΦφϕ∅ɸ⦰]/g, '⌀')
    .replace(/[º˚]/g, '°')
    .replace(/[−‐‑–]/g, '-')
    .replace(/\+\s?\/\s?-|\+\\-/g, '±')
    .replace(/[✕✖]/g, '×')
    .replace(/⏊/g, '⊥')
    .replace(/[\s\u00a0\u2000-\u200b\u202f]+/g, ' ')
    .trim();
}

/** Reads one line of text; undefined when it is no dimension. */
export function readDimension(text: string): DimensionReading | undefined {
  if (text.length > LONGEST) return undefined;
  const plain = plainSigns(text);
  if (DATE.test(plain)) return undefined;
  const behind = COUNT_BEHIND.exec(plain);
  if (behind === null) return readBracketed(plain);
  const reading = readBracketed(plainSigns(plain.replace(behind[0], ' ')));
  return (
    reading && { ...reading, text: `${reading.text} ${behind[0].trim()}`, count: Number(behind[1]) * reading.count }
  );
}

/**
 * Whether a text has a number that no drawing writes, `01` or `00.5`: of pixels, what was misread or has lost a sign.
 */
export function hasLeadingZero(text: string): boolean {
  return /(?<![\d.,])0\d/.test(text);
}

/** Reads what follows or stands above a size: deviations or a fit; undefined when it is no tolerance. */
export function readTolerance(
  text: string,
): Pick<DimensionReading, 'toleranceTexts' | 'tolerance' | 'fit'> | undefined {
  const plain = plainSigns(text);
  const found = toleranceAt(plain);
  return found !== undefined && found.rest === '' && found.toleranceTexts.length > 0
    ? { toleranceTexts: found.toleranceTexts, tolerance: found.tolerance, fit: found.fit }
    : undefined;
}

/** The thread at the beginning of a size, without count and words: `M8x1-6H` of `4x M8x1-6H 20 tief`. */
export function threadIn(text: string): string {
  const plain = plainSigns(text).replace(/^\((.+)\)$/, '$1');
  const body = plain.slice(countBefore(plain)?.said.length ?? 0);
  return (THREAD.exec(body)?.[0] ?? body).trim();
}

/**
 * A number as drawings write it: with a point or a comma, possibly without a leading zero; feet are inches by twelves.
 */
export function numberOf(text: string): number {
  const feet = /^(\d+)\s?['′]\s?-?\s?(.+)$/.exec(text.trim());
  if (feet !== null) return 12 * Number(feet[1]) + numberOf(feet[2]);
  const parts = /^(?:(\d+)[ -])?(\d+)\/(\d+)/.exec(text.trim());
  if (parts !== null) return Number(parts[1] ?? 0) + Number(parts[2]) / Number(parts[3]);
  return Number(/[+-]?[\d.]+/.exec(text.replace(/\s/g, '').replace(',', '.'))?.[0] ?? Number.NaN);
}

function readBracketed(plain: string): DimensionReading | undefined {
  const counted = countBefore(plain);
  // `4x (R5)`: the count stands before the brackets.
  if (counted !== undefined && plain[counted.said.length] === '(') {
    const reading = readBracketed(plain.slice(counted.said.length));
    if (reading !== undefined && reading.count === 1)
      return { ...reading, text: `${counted.said}${reading.text}`, count: counted.count };
  }
  const bracketed = /^\((.+)\)$/.exec(plain);
  const reading = readPlain(bracketed?.[1].trim() ?? plain);
  if (reading === undefined || bracketed === null) return reading;
  return { ...reading, text: `(${reading.text})`, isReference: true };
}

function readPlain(plain: string): DimensionReading | undefined {
  const counted = countBefore(plain);
  // `2x45°` is a chamfer, `2x 45°` are two angles; `4x3` are four of 3.
  const chamfer = /^[\d.,]+(?:\s?mm)?[x×]\s?[\d.,]+\s?°/.test(plain) ? readSized(plain, '', 1) : undefined;
  if (chamfer !== undefined) return chamfer;
  if (counted === undefined) return readSized(plain, '', 1);
  return readSized(plain.slice(counted.said.length), counted.said, counted.count) ?? readSized(plain, '', 1);
}

/** @param before the count, as it is written. */
function readSized(body: string, before: string, count: number): DimensionReading | undefined {
  const finished = (kind: DimensionKind, said: string, size: string): DimensionReading | undefined =>
    finish({ kind, before, said: said.trim(), behind: body.slice(said.length), nominal: numberOf(size), count });
  const thread = THREAD.exec(body);
  if (thread !== null && !/^R\s?[\d.,]/.test(body))
    return finished('thread', thread[0], thread[1] ?? thread[2] ?? thread[0].replace(/^\D+/, ''));
  const chamfer = CHAMFER.exec(body);
  if (chamfer !== null) return finished('chamfer', chamfer[0], chamfer[1]);
  const named = /^CHAMFER\s+/i.exec(body);
  const sign = SIGNS.find(([pattern]) => pattern.test(body));
  const prefix = named?.[0] ?? (sign === undefined ? '' : sign[0].exec(body)![0]);
  const rest = body.slice(prefix.length).trimStart();
  const size = SIZE.exec(rest);
  if (size === null) return undefined;
  const kind = named !== null ? 'chamfer' : (sign?.[1] ?? (size[1].includes('°') ? 'angle' : 'length'));
  return finished(kind, body.slice(0, body.length - rest.length) + size[0], size[1]);
}

/** A dimension string taken apart: count, size with its signs, what follows. */
interface SizeParts extends Pick<DimensionReading, 'kind' | 'nominal' | 'count'> {
  readonly before: string;
  readonly said: string;
  readonly behind: string;
}

function finish({ kind, before, said, behind, nominal, count }: SizeParts): DimensionReading | undefined {
  if (!Number.isFinite(nominal) || nominal >= LARGEST) return undefined;
  const limits = LIMITS.exec(behind);
  if (limits !== null && kind !== 'thread' && areLimits(said, limits[1])) {
    const other = numberOf(limits[1]);
    const [upper, lower] = [Math.max(nominal, other), Math.min(nominal, other)];
    return {
      kind,
      text: `${before}${said}${behind}`,
      toleranceTexts: [],
      count,
      nominal: upper,
      tolerance: { upper: 0, lower: lower - upper },
      isReference: false,
    };
  }
  const found = toleranceAt(behind.trimStart());
  if (found === undefined) return undefined;
  // `26-8249` is a number of a part, not a 26 with a deviation.
  if (kind === 'length' && isFarOff(nominal, found.tolerance)) return undefined;
  // Letters directly behind a number make it part of a name.
  const named = found.rest.replace(UNIT_BEHIND, '');
  if (named !== '' && !areWordsOfSize(named)) return undefined;
  const bare = /^(\d+\s?[xX×]\s?)?\d+$/.exec(said);
  if (bare !== null && found.toleranceTexts.length === 0 && areWordsOfCount(named, bare[1] ?? before)) return undefined;
  const isReference = /\bREF\b/i.test(found.rest);
  const words = found.rest === '' || found.rest === behind ? found.rest : ` ${found.rest}`;
  return {
    kind,
    text: `${before}${said}${words}`.trim(),
    toleranceTexts: found.toleranceTexts,
    count,
    nominal,
    isReference,
    ...(kind !== 'angle' && /["″]/.test(said) && { isInch: true as const }),
    ...(found.tolerance !== undefined && { tolerance: found.tolerance }),
    ...(found.fit !== undefined && { fit: found.fit }),
  };
}

/** Whether a deviation to one side is many times its size. One that has two sides is written as a tolerance. */
function isFarOff(nominal: number, tolerance: DimensionReading['tolerance']): boolean {
  if (tolerance === undefined || nominal === 0 || (tolerance.upper !== 0 && tolerance.lower !== 0)) return false;
  return Math.max(tolerance.upper, -tolerance.lower) > MOST_DEVIATION * nominal;
}

/** Whether two strings can be the limits of one size: same form, sizes near each other. */
function areLimits(first: string, second: string): boolean {
  const [a, b] = [numberOf(first.replace(/^[^\d.,]+/, '')), numberOf(second)];
  const places = (text: string): number => /[.,](\d+)\D*$/.exec(text)?.[1].length ?? 0;
  return places(first) > 0 && places(first) === places(second) && a !== b && Math.abs(a - b) <= 0.2 * Math.max(a, b);
}

interface FoundTolerance extends Pick<DimensionReading, 'toleranceTexts' | 'tolerance' | 'fit'> {
  /** What follows the tolerance. */
  readonly rest: string;
}

function toleranceAt(text: string): FoundTolerance | undefined {
  if (text === '') return { toleranceTexts: [], rest: '' };
  const behind = ([found]: RegExpExecArray): string => text.slice(found.length).trim();
  const equal = PLUS_MINUS.exec(text);
  if (equal !== null) {
    const tolerance = { upper: numberOf(equal[1]), lower: -numberOf(equal[1]) };
    return { toleranceTexts: [squeezed(equal[0])], tolerance, rest: behind(equal) };
  }
  const two = TWO.exec(text);
  if (two !== null && /[+-]/.test(two[0])) return deviations([two[1], two[2]], behind(two));
  const one = ONE.exec(text);
  if (one !== null) return deviations([one[1]], behind(one));
  const fit = /^\(?([A-Za-z]{1,2}\s?\d{1,2}(?:\s?\/\s?[a-z]{1,2}\s?\d{1,2})?)\)?(?=\s|$|\()/.exec(text);
  // `x 12 deep` is a depth.
  if (fit === null || !FITS.test(fit[1]) || /^x\s/i.test(fit[1])) return { toleranceTexts: [], rest: text.trim() };
  const rest = behind(fit);
  const inner = /^\((.+)\)$/.exec(rest)?.[1] ?? rest;
  const more = inner === '' ? undefined : toleranceAt(inner);
  const name = squeezed(fit[1]);
  return more === undefined || more.toleranceTexts.length === 0 || more.fit !== undefined
    ? { toleranceTexts: [name], fit: name, rest }
    : { ...more, toleranceTexts: [name, ...more.toleranceTexts], fit: name };
}

function deviations(written: readonly string[], rest: string): FoundTolerance | undefined {
  // Dates have this form, deviations do not.
  if (written.some((text) => /^[+-]0\d/.test(text))) return undefined;
  const values = written.map(numberOf);
  // A single deviation stands on one side of the size.
  const all = values.length === 1 ? [0, ...values] : values;
  const tolerance = { upper: Math.max(...all), lower: Math.min(...all) };
  return { toleranceTexts: written.map(squeezed), tolerance, rest };
}

function squeezed(text: string): string {
  return text.replace(/\s/g, '');
}
