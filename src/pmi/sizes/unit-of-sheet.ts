import { readDimension } from '../dimension-text.js';
import { PMI_TYPE, sentenceOf, type PmiObject, type PmiPage } from '../pmi.js';
import { NUMBER } from './numbers.js';

/** Most objects that are looked at. */
const MOST = 2_000;
/** Sizes without a zero before their point that tell inches (ASME Y14.5, 1.6.2). */
const FEW_INCHES = 2;
/** Sizes with three decimals and more, and their share of those with decimals, that may be inches too. */
const FEW_FINE = 3;
const SHARE_OF_FINE = 0.8;

const NO_ZERO = /(?<![\d.,])\.\d{2,}/;
const ZERO = /(?<![\d.,])0[.,]\d/;
const COMMA = /\d,\d/;
const FINE = /\.\d{3,}/;
const DECIMAL = /\.\d/;
/** Standards whose numbers are millimetres. */
const OF_MM = /\b(?:ISO\s?2768|ISO\s?22081|ISO\s?8015|JIS\s?B|GB\/?T|DIN)\b/;
const METRIC_UNIT = new RegExp(String.raw`${NUMBER}\s?mm\b`);

/**
 * The unit of sizes on a drawing that states none, by how they are written: a decimal comma, a fit, a metric thread, a
 * standard of ISO are those of millimetres; sizes below one without a zero before their point are those of inches (ASME
 * Y14.5 writes .50, and 0.5 for millimetres). `unknown` where both are there, or where only three decimals hint at
 * inches. Undefined where nothing hints at inches: millimetres, as on most drawings.
 */
export function unitByForm(pages: readonly PmiPage[]): 'in' | 'unknown' | undefined {
  let [metric, threads, zeros, inches, small, fine, decimals] = [0, 0, 0, 0, 0, 0, 0];
  for (const object of pages.flatMap(({ objects }) => objects).slice(0, MOST)) {
    const text = sentenceOf(object);
    if (object.group === 'GeneralTolerance' && OF_MM.test(text)) metric++;
    const isFrame = object.typeId === PMI_TYPE.controlFrame;
    if (!isFrame && object.group !== 'Measurement' && object.typeId !== PMI_TYPE.leader) continue;
    if (COMMA.test(text) || METRIC_UNIT.test(text)) metric++;
    if (ZERO.test(text)) zeros++;
    if (isFrame) {
      if (NO_ZERO.test(text)) small++;
      continue;
    }
    const nominal = nominalOf(object);
    if (nominal === undefined) continue;
    if (nominal.isMetric) metric++;
    if (nominal.isThread) threads++;
    if (nominal.text === '') continue;
    if (NO_ZERO.test(nominal.text)) inches++;
    else if (NO_ZERO.test(text)) small++;
    if (DECIMAL.test(nominal.text)) decimals++;
    if (FINE.test(nominal.text)) fine++;
  }
  // Drawings in inches have metric threads, too.
  if (inches < FEW_INCHES) metric += threads;
  if (metric > 0) return inches > metric ? 'unknown' : undefined;
  if (zeros === 0 && inches >= FEW_INCHES) return 'in';
  if (inches > 0) return 'unknown';
  const areFine = fine >= FEW_FINE && fine >= SHARE_OF_FINE * decimals;
  return areFine && (zeros === 0 || small > 0) ? 'unknown' : undefined;
}

/** A size as it is written, '' for threads and angles, and what of it is of the metric system. */
interface Nominal {
  readonly text: string;
  readonly isMetric: boolean;
  readonly isThread: boolean;
}

function nominalOf({ parts }: PmiObject): Nominal | undefined {
  const [part] = parts;
  if (part === undefined) return undefined;
  const reading = readDimension([part.text, ...(part.tolerance ?? []).filter((each) => each !== 'basic')].join(' '));
  if (reading === undefined || reading.isInch === true) return undefined;
  if (reading.kind === 'thread')
    return { text: '', isMetric: false, isThread: /^(?:\d+\s?[x×]\s?)?M\s?\d/i.test(reading.text) };
  const text = reading.kind === 'angle' ? '' : reading.text;
  return { text, isMetric: reading.fit !== undefined, isThread: false };
}
