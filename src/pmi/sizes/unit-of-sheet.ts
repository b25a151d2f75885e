import { numberOf, readDimension } from '../dimension-text.js';
import { MILLIMETRES } from '../../content/units.js';
import { PMI_TYPE, sentenceOf, type PmiObject, type PmiPage } from '../pmi.js';
import { withoutSecond } from '../stated-unit.js';
import { NUMBER } from './numbers.js';

/** Most objects that are looked at. */
const MOST = 2_000;
/** Sizes without a zero before their point that tell inches (ASME Y14.5, 1.6.2), at least. */
const FEW_INCHES = 2;
/** Certain hints at millimetres against what the file states, at least. */
const FEW_METRIC = 2;
/**
 * Inches are guessed where such are at least this share of the sizes; or where with those of three decimals, which
 * inches have too, they are nearly all.
 */
const SHARE_OF_INCHES = 0.5;
const SOME_INCHES = 0.25;
const NEARLY_ALL = 0.75;
/** What hints at millimetres for every so many of them changes nothing: drawings in inches have metric threads, too. */
const INCHES_PER_HINT = 10;
/** Whole numbers from here on are millimetres: inches are written `12.00`. */
const LARGE = 10;
/** Sizes with three decimals and more, and their share of those with decimals, that may be inches too. */
const FEW_FINE = 3;
const SHARE_OF_FINE = 0.8;
/** A second size in inches is the first one in millimetres to this share. */
const SAME = 0.01;

/** `.50`, and fractions: `1 1/8`. */
const NO_ZERO = /(?<![\d.,])\.\d{2,}|(?<![\d/.,])\d{1,2}\/(?:2|4|8|16|32|64)(?![\d/])/;
const ZERO = /(?<![\d.,])0[.,]\d/;
const COMMA = /\d,\d/;
const FINE = /\.\d{3,}/;
const DECIMAL = /\.\d/;
/** Standards whose numbers are millimetres. */
const OF_MM = /\b(?:ISO\s?2768|ISO\s?22081|ISO\s?8015|JIS\s?B|GB\/?T|DIN)\b/;
const METRIC_UNIT = new RegExp(String.raw`${NUMBER}\s?mm\b`);

/**
 * The unit of sizes on a drawing that states none, by how they are written: a decimal comma, a fit, a standard of ISO,
 * a second unit of inches are those of millimetres, and metric threads and large whole numbers hint at them; sizes
 * below one without a zero before their point are those of inches (ASME Y14.5 writes .50, and 0.5 for millimetres)
 * where most sizes are like that, or have a second one in millimetres, and nothing hints at millimetres. `unknown`
 * where both are there, or where only three decimals hint at inches. Undefined where nothing hints at inches, or more
 * at millimetres: those, as on most drawings.
 */
export function unitByForm(pages: readonly PmiPage[]): 'in' | 'unknown' | undefined {
  const { hints, zeros, inches, small, fine, decimals, sizes, inchLike, duals, ...form } = formOf(pages);
  const metric = form.metric + (hints * INCHES_PER_HINT > inches + duals ? hints : 0);
  if (metric > 0) return inches + duals > metric ? 'unknown' : undefined;
  if (duals >= FEW_INCHES && duals + inches >= SHARE_OF_INCHES * (sizes + duals)) return 'in';
  const areMost =
    inches >= SHARE_OF_INCHES * sizes || (inches >= SOME_INCHES * sizes && inchLike >= NEARLY_ALL * sizes);
  if (zeros === 0 && inches >= FEW_INCHES && areMost) return 'in';
  if (inches > 0) return 'unknown';
  const areFine = fine >= FEW_FINE && fine >= SHARE_OF_FINE * decimals;
  return areFine && (zeros === 0 || small > 0) ? 'unknown' : undefined;
}

/**
 * Whether sizes are surely in millimetres by how they are written: several of those hints that are certain, and nothing
 * of inches.
 */
export function areMetricByForm(pages: readonly PmiPage[]): boolean {
  const { metric, inches, small, fine, duals } = formOf(pages);
  return metric >= FEW_METRIC && inches + small + fine + duals === 0;
}

/** How many sizes and other annotations are written in ways that hint at a unit. */
type Form = Readonly<
  Record<
    'metric' | 'hints' | 'zeros' | 'inches' | 'small' | 'fine' | 'decimals' | 'sizes' | 'inchLike' | 'duals',
    number
  >
>;

function formOf(pages: readonly PmiPage[]): Form {
  let [metric, hints, zeros, inches, small, fine, decimals, sizes, inchLike] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  let duals = 0;
  for (const object of pages.flatMap(({ objects }) => objects).slice(0, MOST)) {
    const text = withoutSecond(sentenceOf(object));
    if (object.group === 'GeneralTolerance' && OF_MM.test(text)) metric++;
    const isFrame = object.typeId === PMI_TYPE.controlFrame;
    if (!isFrame && object.group !== 'Measurement' && object.typeId !== PMI_TYPE.leader) continue;
    const isSaid = COMMA.test(text) || METRIC_UNIT.test(text);
    if (isSaid) metric++;
    if (ZERO.test(text)) zeros++;
    if (isFrame) {
      if (NO_ZERO.test(text)) small++;
      continue;
    }
    const nominal = nominalOf(object);
    if (nominal === 'dual') duals++;
    if (nominal === undefined || nominal === 'dual') continue;
    if (nominal.isMetric) metric++;
    else if (nominal.isHint && !isSaid) hints++;
    if (nominal.text === '') continue;
    sizes++;
    if (NO_ZERO.test(nominal.text)) inches++;
    else if (NO_ZERO.test(text)) small++;
    if (NO_ZERO.test(nominal.text) || FINE.test(nominal.text)) inchLike++;
    if (DECIMAL.test(nominal.text)) decimals++;
    if (FINE.test(nominal.text)) fine++;
  }
  return { metric, hints, zeros, inches, small, fine, decimals, sizes, inchLike, duals };
}

/** A size as it is written, without a second one, '' for threads and angles, and what of it is of the metric system. */
interface Nominal {
  readonly text: string;
  readonly isMetric: boolean;
  /** A metric thread or a large whole number, which drawings in inches have now and then. */
  readonly isHint: boolean;
}

/** Of a size; `dual` where it is in inches by its second one in millimetres, `.500 [12.7]`. */
function nominalOf({ parts }: PmiObject): Nominal | 'dual' | undefined {
  const [part] = parts;
  if (part === undefined) return undefined;
  const reading = readDimension([part.text, ...(part.tolerance ?? []).filter((each) => each !== 'basic')].join(' '));
  if (reading?.isInch === true && /[\])]/.test(reading.text) && reading.kind !== 'thread') return 'dual';
  if (reading === undefined || reading.isInch === true) return undefined;
  if (reading.kind === 'thread')
    return { text: '', isMetric: false, isHint: /^(?:\d+\s?[x×]\s?)?M\s?\d/i.test(reading.text) };
  const text = reading.kind === 'angle' ? '' : withoutSecond(reading.text);
  const inInches = numberOf(/\[\D*([\d.,]*\d)/.exec(reading.text)?.[1] ?? '');
  const isDual = Math.abs(inInches * MILLIMETRES.in - reading.nominal) < SAME * reading.nominal;
  const isHint = text !== '' && reading.nominal >= LARGE && !/[.,]\d/.test(text);
  return { text, isMetric: reading.fit !== undefined || isDual, isHint };
}
