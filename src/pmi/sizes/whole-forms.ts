import type { DimensionReading } from './dimension.js';
import { MILLIMETRES } from '../../content/units.js';
import { decimalsOf, NUMBER, numberOf, plainSigns } from './numbers.js';

/** Second sizes that are rounded by more than this share say nothing about their unit. */
const LEAST_EXACT = 0.03;
const IN_BRACKETS = /\s?(?:\[([^\][]+)\]|\(([^()]+)\))/g;

/** A size in two units: which part of it is written in brackets, and whether the first one is in inches. */
export interface SecondUnit {
  /** As written, with the space before it. */
  readonly said: string;
  readonly isInch: boolean;
}

/**
 * The size of the other unit behind a size, in square or round brackets: `12.7 [.500]`, `.500 (12.7)`. Undefined where
 * no brackets hold the same size, in inches or in mm.
 * @param sizeIn reads a string as a dimension.
 */
export function secondUnit(
  text: string,
  sizeIn: (text: string) => DimensionReading | undefined,
): SecondUnit | undefined {
  for (const found of text.matchAll(IN_BRACKETS)) {
    const inner = sizeIn(found[1] ?? found[2]);
    if (inner === undefined || !/[.,]\d|["″]/.test(text)) continue;
    const outer = sizeIn(plainSigns(`${text.slice(0, found.index)}${text.slice(found.index + found[0].length)}`));
    if (outer === undefined) continue;
    if (isSameSize(outer, inner)) return { said: found[0], isInch: false };
    if (isSameSize(inner, outer)) return { said: found[0], isInch: true };
  }
  return undefined;
}

/** Whether a size in mm and one in inches are the same, as exactly as both are written. */
function isSameSize(mm: DimensionReading, inch: DimensionReading): boolean {
  const slackOf = ({ text }: DimensionReading): number => 0.51 * 10 ** -decimalsOf(text.replace(/\D*$/, ''));
  // Whole inches that say their unit are exact: `25,4 (1")`.
  if (inch.isInch === true && Math.abs(MILLIMETRES.in * inch.nominal - mm.nominal) <= slackOf(mm)) return true;
  const slack = slackOf(mm) + MILLIMETRES.in * slackOf(inch);
  return slack < LEAST_EXACT * mm.nominal && Math.abs(MILLIMETRES.in * inch.nominal - mm.nominal) <= slack;
}

const CHAIN = new RegExp(
  String.raw`^(\d{1,3})\s?[x×X]\s?(${NUMBER})(\s?°)?\s?(?:=\s?(${NUMBER})|\(\s?=?\s?(${NUMBER})\s?°?\))\s?°?$`,
);

/** Equal steps with their sum: `3x10=30`, `5 x 18 (=90)`, `6x30° (=180°)`; undefined where the sum is another. */
export function equalSteps(plain: string): DimensionReading | undefined {
  const [, count, step, degree, sum, bracketed] = CHAIN.exec(plain) ?? [];
  if (count === undefined) return undefined;
  const [number, nominal, whole] = [Number(count), numberOf(step), numberOf(sum ?? bracketed)];
  const slack = 0.51 * (number * 10 ** -decimalsOf(step) + 10 ** -decimalsOf(sum ?? bracketed));
  if (number < 2 || Math.abs(number * nominal - whole) > Math.min(slack, 0.03 * whole)) return undefined;
  const kind = degree === undefined ? 'length' : 'angle';
  return { kind, text: plain, toleranceTexts: [], count: number, nominal, isReference: false };
}

const PRODUCT = new RegExp(
  String.raw`^(${NUMBER})(\s?(?:mm)?\s?)[x×X]\s?${NUMBER}(?:\s?mm)?(\s?[x×X]\s?${NUMBER}(?:\s?mm)?)?` +
    // `2 x 0.5 x 45°`: two chamfers.
    String.raw`(?=$|\s)(?!\s?[x×X]\s?[\d.,]+\s?°)`,
);
/** Largest whole numbers that are counts before a bare size, written close to the x and apart from it. */
const MOST_CLOSE = 10;
const MOST_APART = 6;

/**
 * The sides of something, `20 x 30`, `10 x 10 x 5`, `5,2 x 20mm`, where the first number is no count: it has decimals,
 * is large or as large as the second, or there are three. `4x 12` and `2 x 30` are counts.
 */
export function sidesIn(plain: string): { readonly said: string; readonly first: string } | undefined {
  const found = PRODUCT.exec(plain);
  if (found === null) return undefined;
  const [said, first, between, third] = found;
  const second = said.slice(first.length + between.length + 1);
  const isSpacedCount = between === '' && /^\d{1,3}$/.test(first) && second.startsWith(' ');
  const isWhole = /^\d{1,3}$/.test(first) && !between.includes('mm');
  const isCount =
    isSpacedCount ||
    (isWhole &&
      third === undefined &&
      Number(first) > 0 &&
      (between === ''
        ? Number(first) <= MOST_CLOSE
        : Number(first) <= MOST_APART && Number(first) < numberOf(second.trim())));
  return isCount ? undefined : { said, first };
}
