import { readDimension, type DimensionKind } from '../dimension-text.js';
import type { PmiObject } from '../pmi.js';
import type { TextLine } from '../text-lines.js';
import { decimalsOf } from './numbers.js';

/** Numbers below one, with a zero before the point and without one. */
const WITH_ZERO = /(?<![\d.,])0([.,])\d/;
const WITHOUT_ZERO = /(?<![\d.,])[.,]\d/;
/**
 * A deviation, and the value of a control frame, whose point was not seen: no number begins with a zero and a figure.
 */
const DEVIATION = /(?<=[±+\-−]\s?0)(?=\d{1,3}(?![\d.,°]))(?=\d*[1-9])/g;
const VALUE = /(?<=^S?⌀?0)(?=\d{1,3}(?![\d.,]))(?=\d*[1-9])/;

/** Numbers with a zero for each one without, which lost its zero. */
const MANY = 8;

/**
 * The decimal sign of a sheet that writes numbers below one with a zero before it, `0.2`; undefined where some have
 * none, as in inches, or nothing tells.
 */
export function pointBehindZero(lines: readonly TextLine[]): string | undefined {
  let without = 0;
  const signs: string[] = [];
  for (const { text } of lines) {
    if (WITHOUT_ZERO.test(text)) without++;
    const found = WITH_ZERO.exec(text);
    if (found !== null) signs.push(found[1]);
  }
  return signs.length < MANY * without ? undefined : signs[0];
}

/** A line whose deviations have their points again: `R20 +016 -0.4` is `R20 +0.16 -0.4`. */
export function withPoints(line: TextLine, point: string | undefined): TextLine {
  if (point === undefined) return line;
  const text = line.text.replace(DEVIATION, point);
  return text === line.text ? line : { ...line, text };
}

/** The value of a control frame with its point: `020` is `0.20`. */
export function valueWithPoint(value: string, point: string | undefined): string {
  return point === undefined ? value : value.replace(VALUE, point);
}

/** Kinds of sizes that a sheet writes with the same decimals. */
const ALIKE: ReadonlySet<DimensionKind> = new Set(['length', 'diameter', 'radius']);
/** Fewest sizes of a page, least share of them with decimals, and least size without, that tell of a lost point. */
const FEWEST = 6;
const MOST_HAVE = 0.7;
const THREE_FIGURES = 100;

/**
 * Sizes of a page of pixels whose point may be lost, `610` for `61.0`: whole numbers that are larger than all with
 * decimals, on a page where most have some.
 */
export function sizesWithoutPoint(objects: readonly PmiObject[]): PmiObject[] {
  const sizes = objects.flatMap((object) => {
    const reading = readDimension(object.parts[0]?.text ?? '');
    if (reading === undefined || !ALIKE.has(reading.kind)) return [];
    return [{ object, nominal: reading.nominal, hasPoint: decimalsOf(reading.text) > 0 }];
  });
  const pointed = sizes.filter(({ hasPoint }) => hasPoint).map(({ nominal }) => nominal);
  if (sizes.length < FEWEST || pointed.length < MOST_HAVE * sizes.length) return [];
  const least = Math.max(THREE_FIGURES, ...pointed);
  return sizes.flatMap(({ object, nominal, hasPoint }) => (!hasPoint && nominal >= least ? [object] : []));
}
