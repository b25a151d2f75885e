import type { Dimension } from '@node-projects/acad-ts';
import type { DimensionFacts } from '../../content/sheet.js';

export type DimensionStyle = Dimension['style'];

/** Formats of lengths that are not decimal (DIMLUNIT, DIMALTU). */
const ENGINEERING = 3;
const ARCHITECTURAL = 4;
const FRACTIONAL = 5;
/** The same of files before 2000 (DIMUNIT), whose fractions may be stacked or not. */
const EARLIER: Readonly<Record<number, number>> = { 3: 3, 4: 4, 5: 5, 6: 4, 7: 5 };
/** Bits of how decimals have zeros (DIMZIN). */
const HIDES_LEADING = 4;
const HIDES_TRAILING = 8;
/** The rest of DIMZIN: what of `0'-6"` and `2'-0"` is written. */
const FEET_ZEROS = 3;
const SHOWS_BOTH = 1;
const SHOWS_ZERO_FEET = 2;
const SHOWS_ZERO_INCHES = 3;
/** Degrees, minutes and seconds (DIMAUNIT), and up to how many places (DIMADEC) they have no minutes or seconds. */
const SEXAGESIMAL = 1;
const NO_MINUTES = 0;
const NO_SECONDS = 2;
const WHOLE_SECONDS = 4;
/** Bits of how angles have zeros (DIMAZIN). */
const ANGLE_HIDES_LEADING = 1;
const ANGLE_HIDES_TRAILING = 2;
const MOST_PLACES = 8;

/** How a length is written: its unit, its places (of fractions the power of two below), its zeros. */
interface Format {
  readonly unit: number;
  readonly places: number;
  readonly zeros: number;
  readonly rounding: number;
  readonly separator: string;
}

/** What stands for the measurement, its tolerance in it, and the same in a second unit, in brackets; '' for none. */
export interface GeneratedTexts {
  readonly primary: string;
  readonly alternate: string;
}

/** Whether a style writes lengths as fractions of an inch. */
export function writesFractions(style: DimensionStyle | undefined): boolean {
  return [ARCHITECTURAL, FRACTIONAL].includes(unitOf(style));
}

/**
 * The text of a measurement as its style has it: unit, decimals, zeros, prefix (which replaces the sign of the kind)
 * and suffix, deviations behind it or limits on two lines, and the second unit, which limits have none of here.
 * @param sign of the kind: `⌀`, `R`, or ''.
 */
export function generatedTexts(
  { type, measurement, tolerance }: DimensionFacts,
  style: DimensionStyle | undefined,
  sign: string,
): GeneratedTexts {
  if (type === 'angular') {
    const places = style?.toleranceDecimalPlaces ?? 2;
    const format = (degrees: number): string => angleIn(degrees, style);
    const ofTolerance = (degrees: number): string => angleIn(degrees, style, places);
    return { primary: toleranced(measurement, tolerance, format, ofTolerance), alternate: '' };
  }
  const [prefix, suffix] = around(style?.postFix, '<>');
  const own = formatOf(style);
  const ofTolerance = { ...own, places: style?.toleranceDecimalPlaces ?? 2, zeros: style?.toleranceZeroHandling ?? 0 };
  const [first, ...rest] = toleranced(
    measurement,
    tolerance,
    (length) => lengthIn(length, tolerance?.shown === 'limits' ? { ...own, places: ofTolerance.places } : own),
    (length) => lengthIn(length, { ...ofTolerance, rounding: 0 }),
  ).split('\n');
  const primary = [`${prefix === '' ? sign : prefix}${first}${suffix}`, ...rest].join('\n');
  if (style?.alternateUnitDimensioning !== true || tolerance?.shown === 'limits') return { primary, alternate: '' };
  const factor = style.alternateUnitScaleFactor;
  if (!(Number.isFinite(factor) && factor > 0)) return { primary, alternate: '' };
  const second: Format = {
    ...own,
    unit: style.alternateUnitFormat,
    places: style.alternateUnitDecimalPlaces,
    zeros: style.alternateUnitZeroHandling,
    rounding: style.alternateUnitRounding,
  };
  const said = toleranced(
    measurement * factor,
    tolerance && { ...tolerance, upper: tolerance.upper * factor, lower: tolerance.lower * factor },
    (length) => lengthIn(length, second),
    (length) => lengthIn(length, { ...second, places: style.alternateUnitToleranceDecimalPlaces, rounding: 0 }),
  );
  const [before, behind] = around(style.alternateDimensioningSuffix, '[]');
  return { primary, alternate: `[${before}${said}${behind}]` };
}

function unitOf(style: DimensionStyle | undefined): number {
  const { linearUnitFormat = 2, dimensionUnit = 2 } = style ?? {};
  return EARLIER[linearUnitFormat] ?? EARLIER[dimensionUnit] ?? linearUnitFormat;
}

function formatOf(style: DimensionStyle | undefined): Format {
  const { rounding = 0, zeroHandling = HIDES_TRAILING, decimalSeparator = '.', decimalPlaces = 2 } = style ?? {};
  const separator = decimalSeparator === ',' ? ',' : '.';
  return { unit: unitOf(style), places: decimalPlaces, zeros: zeroHandling, rounding, separator };
}

/** What a style writes before and behind a place: `2x <> TYP`; without a place for it, behind it. */
function around(post: string | undefined, place: string): readonly [before: string, behind: string] {
  if (post === undefined || post === '') return ['', ''];
  const at = post.indexOf(place);
  return at < 0 ? ['', post] : [post.slice(0, at), post.slice(at + place.length)];
}

function toleranced(
  size: number,
  tolerance: DimensionFacts['tolerance'],
  format: (size: number) => string,
  ofTolerance: (size: number) => string,
): string {
  if (tolerance === undefined) return format(size);
  const { upper, lower, shown } = tolerance;
  if (shown === 'limits') return `${format(size + upper)}\n${format(size + lower)}`;
  // What so few decimals make a zero has more of them.
  const half = (value: number): string => {
    const written = ofTolerance(Math.abs(value));
    return /[1-9]/.test(written) ? written : String(Number(Math.abs(value).toPrecision(6)));
  };
  const signed = (value: number): string => (value === 0 ? '0' : `${value < 0 ? '-' : '+'}${half(value)}`);
  const said = upper === -lower ? `±${half(upper)}` : `${signed(upper)} ${signed(lower)}`;
  return `${format(size)} ${said}`;
}

function placesIn(places: number): number {
  return Math.max(0, Math.min(MOST_PLACES, Math.trunc(places) || 0));
}

/** A length as a style rounds it (DIMRND) and writes it. */
function lengthIn(length: number, format: Format): string {
  const { unit, rounding } = format;
  const rounded = Number.isFinite(rounding) && rounding > 0 ? rounding * Math.round(length / rounding) : length;
  const sign = rounded < 0 ? '-' : '';
  const size = Math.abs(rounded);
  if (unit === ENGINEERING) return sign + inFeet(size, 10 ** -placesIn(format.places), format, decimalIn);
  if (unit === ARCHITECTURAL) return sign + inFeet(size, 2 ** -placesIn(format.places), format, fractionIn);
  return sign + (unit === FRACTIONAL ? fractionIn(size, format) : decimalIn(size, format));
}

function decimalIn(size: number, { places, zeros, separator }: Format): string {
  let said = size.toFixed(placesIn(places));
  if ((zeros & HIDES_TRAILING) !== 0 && said.includes('.')) said = said.replace(/\.?0+$/, '');
  if ((zeros & HIDES_LEADING) !== 0) said = said.replace(/^0(?=\.\d)/, '');
  return said.replace('.', separator);
}

/** `1 1/8`, in lowest terms. */
function fractionIn(size: number, { places }: Format): string {
  let below = 2 ** placesIn(places);
  const all = Math.round(size * below);
  const whole = Math.floor(all / below);
  let above = all - whole * below;
  if (above === 0) return String(whole);
  for (; above % 2 === 0; above /= 2) below /= 2;
  return `${whole === 0 ? '' : `${whole} `}${above}/${below}`;
}

/** Feet and inches: `1'-3 1/2"`. */
function inFeet(size: number, step: number, format: Format, write: (size: number, format: Format) => string): string {
  const rounded = Math.round(size / step) * step;
  const feet = Math.floor(rounded / 12);
  const inches = rounded - 12 * feet;
  const zeros = format.zeros & FEET_ZEROS;
  const hasFeet = feet > 0 || zeros === SHOWS_BOTH || zeros === SHOWS_ZERO_FEET;
  const hasInches = inches > 0 || !hasFeet || zeros === SHOWS_BOTH || zeros === SHOWS_ZERO_INCHES;
  return [...(hasFeet ? [`${feet}'`] : []), ...(hasInches ? [`${write(inches, format)}"`] : [])].join('-');
}

/** An angle in degrees with decimals, or with minutes and seconds: also where the style has other units of angles. */
function angleIn(degrees: number, style: DimensionStyle | undefined, least = 0): string {
  const { decimalPlaces = 2, angularDecimalPlaces = -1, angularUnit = 0, angularZeroHandling = 0 } = style ?? {};
  // -1 stands for those of lengths.
  const own = placesIn(angularDecimalPlaces >= 0 ? angularDecimalPlaces : decimalPlaces);
  const places = Math.max(own, placesIn(least));
  const size = Math.abs(degrees);
  if (angularUnit === SEXAGESIMAL && places > NO_MINUTES) return sexagesimal(size, places);
  let said = size.toFixed(angularUnit === SEXAGESIMAL ? 0 : places);
  if ((angularZeroHandling & ANGLE_HIDES_TRAILING) !== 0 && said.includes('.')) said = said.replace(/\.?0+$/, '');
  if ((angularZeroHandling & ANGLE_HIDES_LEADING) !== 0) said = said.replace(/^0(?=\.\d)/, '');
  return `${said.replace('.', style?.decimalSeparator === ',' ? ',' : '.')}°`;
}

function sexagesimal(degrees: number, places: number): string {
  const decimals = Math.max(0, places - WHOLE_SECONDS);
  const step = places <= NO_SECONDS ? 60 : 10 ** -decimals;
  const seconds = Math.round((degrees * 3600) / step) * step;
  const said = `${Math.floor(seconds / 3600)}°${Math.floor((seconds % 3600) / 60)}'`;
  return places <= NO_SECONDS ? said : `${said}${(seconds % 60).toFixed(decimals)}"`;
}
