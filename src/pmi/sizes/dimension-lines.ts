import { MILLIMETRES } from '../../content/units.js';
import { isNamedDepth } from '../dimension-words.js';
import type { DimensionFacts } from '../../content/sheet.js';
import { plainSigns, readDimension, readTolerance, type DimensionReading } from '../dimension-text.js';
import type { TolerancedText } from '../pmi.js';
import { sizesIn, withTolerance } from './callouts.js';
import { areNearAsLimits } from './limits.js';
import { wordedSize } from './worded-sizes.js';
import { decimalsOf, FEET, FRACTION, NUMBER, numberOf, placesOf, withoutNoise } from './numbers.js';

/** Fits that a line holds alone; other letters are threads, radii and names. */
const FIT_ALONE =
  /^(?:(?:JS|[D-HKNP])\s?(?:[5-9]|1[0-4])(?:\s?\/\s?[a-z]{1,2}\d{1,2})?|(?:js|[d-hjkmnp])\s?(?:[4-9]|1[0-4]))$/;
/** Deviations that a line holds alone: the lower one may be a zero. */
const SIGNED_ALONE = /^(?:[±+-]|\(\s?[±+-]|0(?:[.,]0+)?[\s/][+-])/;
const ZERO = /^0(?:[.,]0+)?$/;
/** What a line below a size says of it: the most or the least, or that it is for reference. */
export const LIMIT_ALONE = /^\(?(?:max|min|ref)\.?\)?$/i;
/** A size that stands beside what is looked at. */
const ANY = '77';
const BARE = new RegExp(String.raw`^\(?\s?(${NUMBER})\s?\)?$`);
/** The lower one of two limits: its sign and its count are those of the upper one. */
const LOWER = new RegExp(String.raw`^(?:${FEET}|${FRACTION}|${NUMBER})\s?[°"″]?$`);
/** Most lines of a dimension's text that are taken together. */
const MOST_LINES = 40;
/** A name before the value of a dimension: `L=50`, `d3 = 83.0`, `dia1=38.5`. */
const NAMED = /^\p{L}{1,4}\d{0,2}\s?=\s?(?=[⌀R\d.,])(.+)$/u;

/** What of a dimension entity its text is held against. */
export type StatedFacts = Pick<DimensionFacts, 'measurement' | 'tolerance' | 'isBasic'> &
  Partial<Pick<DimensionFacts, 'type'>>;
/** `2x 15°` is elsewhere a chamfer, and `2'` are minutes. */
const COUNTED_ANGLE = /^(\d{1,2})\s?[x×]\s?(?=[\d.,]+\s?°)/;
const WHOLE_FEET = /^(\d{1,4})\s?['′]$/;

/**
 * The lines of a dimension's text, with those together that state one size: a tolerance, a fit or a count on a line of
 * its own, limits on each other (the larger one first), the size again in inches. Lines that are no size stay as they
 * are. The tolerance of the dimension style, or its frame for exact sizes, goes to the size that is measured, if no
 * line states one.
 */
export function partsOfDimension(text: string, facts: StatedFacts): TolerancedText[] {
  const lines = text
    .split('\n')
    .map((line) => {
      const plain = plainSigns(line);
      return facts.type === 'angular' ? plain.replace(COUNTED_ANGLE, '$1X ') : plain.replace(WHOLE_FEET, '$1\'-0"');
    })
    .filter((line) => line !== '');
  if (lines.length > MOST_LINES) return lines.map(asPart);
  const parts = withCounts(withLimits(withTolerances(lines)));
  return withStyle(withoutRepeat(parts), facts);
}

/** Lines of a dimension's text that hold a figure and are read as no size, as they are written. */
export function notUnderstoodIn(text: string, facts: StatedFacts): string[] {
  const parts = partsOfDimension(text, facts);
  let isBelowHole = isNamedDepth(text);
  return parts.flatMap((part, i) => {
    const said = withTolerance(part.text, withoutBasic(part));
    if (!/\p{Nd}/u.test(said) || (i > 0 && lowerLimitOf(parts[i - 1], part) !== undefined)) return [];
    const isDimension = parts.length === 1;
    const isRead = sizesIn(withoutName(said), { isBelowHole, isDimension }).length > 0;
    isBelowHole ||= isRead;
    return isRead ? [] : [said];
  });
}

/**
 * How much smaller the second of two parts is, where they are the limits of one size: below 0, in the unit of the text.
 * Undefined for two sizes.
 */
export function lowerLimitOf(upper: TolerancedText, lower: TolerancedText | undefined): number | undefined {
  if (lower === undefined || upper.tolerance !== undefined || lower.tolerance !== undefined) return undefined;
  const reading = LOWER.test(lower.text) ? readDimension(upper.text) : undefined;
  if (reading === undefined || !isPlain(reading)) return undefined;
  const least = numberOf(lower.text);
  return areNearAsLimits(reading.nominal, least, reading.kind) ? withoutNoise(least - reading.nominal) : undefined;
}

/** The sizes that parts state, each with what says it; limits are one size with its lower deviation. */
export function readingsOfParts(
  parts: readonly TolerancedText[],
): readonly { readonly said: string; readonly reading: DimensionReading }[] {
  return parts.flatMap((part, i) => {
    if (i > 0 && lowerLimitOf(parts[i - 1], part) !== undefined) return [];
    const said = withTolerance(part.text, withoutBasic(part));
    const lower = lowerLimitOf(part, parts[i + 1]);
    return sizesIn(withoutName(said)).map((reading) => ({
      said,
      reading: lower === undefined ? reading : { ...reading, tolerance: { upper: 0, lower } },
    }));
  });
}

function asPart(line: string): TolerancedText {
  const reading = readDimension(line) ?? wordedSize(line);
  if (reading === undefined) return { text: line };
  const { text, toleranceTexts: tolerance } = reading;
  return tolerance.length === 0 ? { text } : { text, tolerance };
}

function withoutBasic({ tolerance = [] }: TolerancedText): string[] {
  return tolerance.filter((each) => each !== 'basic');
}

/** What a dimension says, without the name of a parameter before it: `L=50 ±0.1`. */
export function withoutName(text: string): string {
  const value = NAMED.exec(text)?.[1];
  return value !== undefined && sizesIn(value).length > 0 ? value : text;
}

function isMeasured(nominal: number, text: string, measured: number): boolean {
  return Math.abs(nominal - measured) <= 0.5000001 * 10 ** -placesOf(text);
}

/** Lines that go on from the size above: its tolerance, its fit, what is behind its x. */
function withTolerances(lines: readonly string[]): TolerancedText[] {
  const parts: TolerancedText[] = [];
  for (let i = 0; i < lines.length; ) {
    const taken = sizesIn(lines[i]).length === 0 ? 0 : linesBehind(lines, i);
    parts.push(asPart(lines.slice(i, i + 1 + taken).join(' ')));
    i += 1 + taken;
  }
  return parts;
}

/** How many lines below one belong to it. */
function linesBehind(lines: readonly string[], at: number): number {
  let taken = 0;
  for (let next = at + 1; next < lines.length && next <= at + 3; next++) {
    const line = lines[next];
    const isPart =
      (SIGNED_ALONE.test(line) && readTolerance(line) !== undefined) ||
      FIT_ALONE.test(line) ||
      ZERO.test(line) ||
      /^[x×]\s?[\d.,]/i.test(line);
    if (!isPart && !LIMIT_ALONE.test(line)) break;
    // The upper one of two deviations may be a zero, which alone is none.
    const [before, said] = [taken, next - at].map((more) => lines.slice(at, at + 1 + more).join(' '));
    if (isPart ? statesMore(said, before) : isSameSize(said, before)) taken = next - at;
  }
  return taken;
}

function isSameSize(text: string, other: string): boolean {
  return sizesIn(text).length > 0 && sizesIn(text)[0].nominal === sizesIn(other)[0].nominal;
}

/** Whether a text states the same sizes as another one, and a tolerance or a size beyond these. */
function statesMore(text: string, than: string): boolean {
  const [more, less] = [sizesIn(text), sizesIn(than)];
  if (more.length < less.length || more[0].nominal !== less[0].nominal) return false;
  const stated = (sizes: readonly DimensionReading[]): number =>
    sizes.reduce((sum, { toleranceTexts, further = [] }) => sum + 1 + toleranceTexts.length + further.length, 0);
  return stated(more) > stated(less);
}

function isPlain({ toleranceTexts, further, tolerance, isReference, kind }: DimensionReading): boolean {
  const hasMore = toleranceTexts.length > 0 || further !== undefined || tolerance !== undefined;
  return !hasMore && !isReference && kind !== 'thread' && kind !== 'chamfer';
}

/** Limits on each other, a fit with the limits that it makes, and a size in both units become one. */
function withLimits(parts: readonly TolerancedText[]): TolerancedText[] {
  const found: TolerancedText[] = [];
  for (let i = 0; i < parts.length; i++) {
    const restated = restatedLimits(parts.slice(i, i + 3));
    const pair = restated === undefined ? pairOf(parts[i], parts[i + 1]) : undefined;
    found.push(...(restated ?? pair ?? [parts[i]]));
    if (restated !== undefined) i += 2;
    else if (pair !== undefined) i++;
  }
  return found;
}

/** `50 H7` with 50.025 and 50.000 below it: the deviations that these say. */
function restatedLimits([first, upper, lower]: readonly TolerancedText[]): TolerancedText[] | undefined {
  if (lower === undefined) return undefined;
  const reading = readDimension(withTolerance(first.text, withoutBasic(first)));
  if (reading?.fit === undefined || reading.toleranceTexts.length > 1) return undefined;
  const limits = [upper, lower].map(({ text }) => BARE.exec(text)?.[1]);
  if (limits.some((limit) => limit === undefined || decimalsOf(limit) === 0)) return undefined;
  const [most, least] = limits.map((limit) => numberOf(limit!));
  const { nominal, fit } = reading;
  if (!areNearAsLimits(Math.max(most, nominal), Math.min(least, nominal), 'length') || !(most > least))
    return undefined;
  return [{ text: reading.text, tolerance: [fit, ...[most, least].map((limit) => signed(limit - nominal))] }];
}

function pairOf(one: TolerancedText, other: TolerancedText | undefined): TolerancedText[] | undefined {
  if (other === undefined || one.tolerance !== undefined || other.tolerance !== undefined) return undefined;
  const [a, b] = [readDimension(one.text), readDimension(other.text)];
  if (a === undefined || b === undefined || !isPlain(a) || !isPlain(b)) return undefined;
  const value = valueOf(b.text);
  const inBoth = value === undefined ? undefined : inBothUnits(a, b, value);
  if (inBoth !== undefined) return [{ text: inBoth }];
  const isSame = (a.kind === b.kind || b.kind === 'length') && (b.count === 1 || a.count === b.count);
  if (!isSame) return undefined;
  // The smaller one first has the decimals of the larger one.
  const isTurned = a.nominal < b.nominal;
  if (isTurned && (decimalsOf(a.text) === 0 || decimalsOf(a.text) !== decimalsOf(b.text))) return undefined;
  // `⌀52` above `⌀48` are two steps.
  if (b.text !== value && decimalsOf(a.text) + decimalsOf(b.text) === 0) return undefined;
  const own = valueOf(a.text);
  if (own === undefined || value === undefined) return undefined;
  const pair = isTurned ? [{ text: a.text.replace(own, value) }, { text: own }] : [{ text: a.text }, { text: value }];
  return lowerLimitOf(pair[0], pair[1]) === undefined ? undefined : pair;
}

/** The number of a size whose words are none of it. */
function valueOf(text: string): string | undefined {
  const found = new RegExp(String.raw`^(?:\d{1,3}\s?[xX×]\s?)?\D{0,3}?(${NUMBER}\s?°?)(?:\s?mm)?$`).exec(text);
  return found?.[1];
}

/** `50.8` with `2.000` below it. */
function inBothUnits(a: DimensionReading, b: DimensionReading, value: string): string | undefined {
  const isInches = (mm: DimensionReading, inches: DimensionReading): boolean => {
    const slack = 0.5 * (10 ** -placesOf(mm.text) + MILLIMETRES.in * 10 ** -placesOf(inches.text));
    return placesOf(inches.text) > 0 && Math.abs(mm.nominal - MILLIMETRES.in * inches.nominal) <= slack;
  };
  if (a.kind === 'angle' || !(isInches(a, b) || isInches(b, a))) return undefined;
  const said = `${a.text} [${value}]`;
  return readDimension(said) === undefined ? undefined : said;
}

/** A count on a line of its own, before or behind its size. */
function withCounts(parts: readonly TolerancedText[]): TolerancedText[] {
  const all = [...parts];
  for (let i = 0; i < all.length; i++) {
    const { text, tolerance } = all[i];
    const count = tolerance === undefined ? countOf(text) : undefined;
    if (count === undefined) continue;
    const isSize = (each: TolerancedText): boolean => sizesIn(withTolerance(each.text, withoutBasic(each))).length > 0;
    const before = all.slice(0, i).findIndex(isSize);
    const at = before >= 0 ? before : all.findIndex((each, j) => j > i && isSize(each));
    if (at < 0) continue;
    const of = sizesIn(withTolerance(all[at].text, withoutBasic(all[at])));
    const said = `${count}x ${all[at].text}`;
    const counted = sizesIn(withTolerance(said, withoutBasic(all[at])));
    if (of[0].count !== 1 || counted[0]?.count !== count || counted[0].nominal !== of[0].nominal) continue;
    all[at] = { ...all[at], text: said };
    all.splice(i--, 1);
  }
  return all;
}

/** Of `4x`, `(4x)`, `4 PLACES`; undefined for what is none. */
function countOf(text: string): number | undefined {
  if (!/^\(?\d{1,3}\s?[\p{L}×]/u.test(text)) return undefined;
  const reading = readDimension(`${ANY} ${text}`);
  const isCount = reading?.nominal === Number(ANY) && isPlain(reading) && reading.count > 1;
  return isCount && sizesIn(text).length === 0 ? reading.count : undefined;
}

/** `50` above `50 H7`: the size once. */
function withoutRepeat(parts: readonly TolerancedText[]): TolerancedText[] {
  return parts.filter((part, i) => {
    const next = parts[i + 1];
    if (part.tolerance !== undefined || next?.tolerance === undefined) return true;
    const [one, other] = [readDimension(part.text), readDimension(next.text)];
    const isSame = one?.nominal === other?.nominal && one?.kind === other?.kind && one?.count === other?.count;
    return one === undefined || !isPlain(one) || !isSame;
  });
}

function withStyle(parts: readonly TolerancedText[], facts: StatedFacts): TolerancedText[] {
  const { tolerance, isBasic, measurement } = facts;
  const sizes = parts.map((part) => sizesIn(withoutName(withTolerance(part.text, withoutBasic(part)))));
  const isStated = (part: TolerancedText, i: number): boolean =>
    part.tolerance !== undefined ||
    lowerLimitOf(part, parts[i + 1]) !== undefined ||
    sizes[i].some((each) => each.toleranceTexts.length > 0 || each.tolerance !== undefined);
  if ((isBasic !== true && tolerance === undefined) || parts.length === 0 || parts.some(isStated)) return [...parts];
  const own = sizes.findIndex((all, i) => all.some(({ nominal }) => isMeasured(nominal, parts[i].text, measurement)));
  // `50 THRU` is read with its tolerance alone.
  const written = parts.findIndex(({ text }) => placeOfMeasured(text, measurement) !== undefined);
  const any = sizes.findIndex((all) => all.length > 0);
  const first = [own, written, any, 0].find((at) => at >= 0);
  return parts.map((part, i) => {
    if (i !== first) return part;
    if (isBasic === true || tolerance === undefined) return { ...part, tolerance: ['basic'] };
    return withDeviations(part, sizes[i], { measurement, deviations: deviationsOf(tolerance) });
  });
}

/** Deviations stand behind the size that is measured: `⌀8 +0.1 0 x 20`. */
function withDeviations(
  { text }: TolerancedText,
  sizes: readonly DimensionReading[],
  { measurement, deviations }: { readonly measurement: number; readonly deviations: readonly string[] },
): TolerancedText {
  if (sizes.length === 1 && sizes[0].further === undefined) return { text, tolerance: [...deviations] };
  const end = placeOfMeasured(text, measurement);
  if (end === undefined) return { text, tolerance: [...deviations] };
  const said = plainSigns(`${text.slice(0, end)} ${deviations.join(' ')} ${text.slice(end)}`);
  return sizesIn(said).length > 0 ? asPart(said) : { text, tolerance: [...deviations] };
}

/** Where the number ends that says what is measured. */
function placeOfMeasured(text: string, measured: number): number | undefined {
  const numbers = [...text.matchAll(new RegExp(String.raw`(?<![\d.,])${NUMBER}(?:\s?°)?(?!\s?[x×]\s?⌀)`, 'g'))];
  const own = numbers.find(([number]) => isMeasured(numberOf(number), number, measured));
  return own && own.index + own[0].length;
}

function deviationsOf({ upper, lower }: NonNullable<DimensionFacts['tolerance']>): string[] {
  return upper === -lower ? [`±${Number(upper.toPrecision(6))}`] : [signed(upper), signed(lower)];
}

function signed(value: number): string {
  const rounded = Number(withoutNoise(value).toPrecision(6));
  return `${rounded > 0 ? '+' : ''}${rounded || 0}`;
}
