import type { DimensionReading } from './sizes/dimension.js';
import { threadIn } from './dimension-text.js';
import { isPipeSize } from './sizes/pipe-threads.js';

const METRIC = /[\d.]\s?(mm|cm)(?![a-z])/i;
/** `in` is a word, too: `12 IN 3 PLACES` is no size of 12 inches. */
const INCH = /[\d.]\s?(?:inch(?:es)?(?![a-z])|in\.?\s*(?:$|[±+\-()]|(?:thru|deep|ref|typ|max|min)\b))/i;
/** Sizes in a second unit. */
const SECOND = /\[[^\]]*\]|(?<=\S)\s?\([^)]*\)/g;
const MM_PER_CM = 10;

/** A text without sizes in a second unit: `12.70` of `12.70 [.500]`. */
export function withoutSecond(text: string): string {
  return text.replace(SECOND, '');
}

/** A size with its unit. */
interface SizeInUnit {
  readonly reading: DimensionReading;
  readonly isInch: boolean;
  /** Whether it says the unit itself. */
  readonly isOwn: boolean;
}

/**
 * A size with the unit that it says itself: `5 mm`, `1.5 IN`, `3 1/2"`, `M8`; else that of its sheet. Centimetres
 * become millimetres.
 * @param isInch whether sizes of the sheet that name no unit are in inches.
 */
export function inStatedUnit(reading: DimensionReading, isInch: boolean): SizeInUnit {
  if (reading.kind === 'radius' && isPipeSize(reading.text))
    return { reading: isInch ? reading : { ...reading, kind: 'thread' }, isInch: true, isOwn: true };
  if (reading.isInch !== undefined) return { reading, isInch: reading.isInch, isOwn: true };
  if (reading.kind === 'thread' && /^M/.test(threadIn(reading.text))) return { reading, isInch: false, isOwn: true };
  const own = withoutSecond(reading.text);
  const metric = METRIC.exec(own)?.[1].toLowerCase();
  if (metric === undefined) return { reading, isInch: isInch || INCH.test(own), isOwn: INCH.test(own) };
  if (metric === 'mm') return { reading, isInch: false, isOwn: true };
  const { nominal, tolerance } = reading;
  const scaled = tolerance && { upper: MM_PER_CM * tolerance.upper, lower: MM_PER_CM * tolerance.lower };
  return {
    reading: { ...reading, nominal: MM_PER_CM * nominal, ...(scaled && { tolerance: scaled }) },
    isInch: false,
    isOwn: true,
  };
}
