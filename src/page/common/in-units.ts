import type { AttributeParts } from './attribute-text.js';
import { figure, INCH } from './figures.js';
import { units } from './units.js';

/** Units that the switch changes: what they become with inches, and with millimetres, and by which factor. */
const METRIC: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  mm: ['in', 1 / INCH],
  cm: ['in', 10 / INCH],
  m: ['in', 1000 / INCH],
  mm2: ['in2', 1 / INCH ** 2],
  cm2: ['in2', 100 / INCH ** 2],
  mm3: ['in3', 1 / INCH ** 3],
  cm3: ['in3', 1000 / INCH ** 3],
  g: ['lb', 1 / 453.592_37],
  kg: ['lb', 1 / 0.453_592_37],
};
const OF_INCHES: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  in: ['mm', INCH],
  inch: ['mm', INCH],
  ft: ['mm', 12 * INCH],
  in2: ['mm2', INCH ** 2],
  in3: ['mm3', INCH ** 3],
  lb: ['kg', 0.453_592_37],
};

/** The unit in which the user reads values of a unit, and the factor from it. */
export interface ReadUnit {
  readonly unit: string;
  readonly factor: number;
}

/** The user's unit for values of `unit`, as attributes write it; the same where the switch says nothing of it. */
export function readUnit(unit: string): ReadUnit {
  const found = (units.value === 'in' ? METRIC : OF_INCHES)[unit.replace('²', '2').replace('³', '3')];
  return found === undefined ? { unit, factor: 1 } : { unit: found[0], factor: found[1] };
}

/** A value of an attribute in the user's unit; texts and dates as they are. */
export function readValue(value: string, { factor }: ReadUnit): string {
  const number = Number(value);
  return factor === 1 || value.trim() === '' || !Number.isFinite(number) ? value : figure(number * factor, 5);
}

/** An attribute with its values in the user's unit. */
export function attributeInUnits({ name, unit, values }: AttributeParts): AttributeParts {
  const read = readUnit(unit);
  return { name, unit: read.unit, values: values.map((value) => readValue(value, read)) };
}

/** {@link readValue} as a field takes it: without spaces between thousands. */
export function plainValue(value: string, unit: ReadUnit): string {
  return readValue(value, unit).replaceAll('\u202f', '');
}

/** The inverse of {@link plainValue}, for what the user types: as exact as the number allows. */
export function writtenValue(value: string, { factor }: ReadUnit): string {
  const number = Number(value);
  return factor === 1 || value.trim() === '' || !Number.isFinite(number)
    ? value
    : String(Number((number / factor).toPrecision(12)));
}

const NUMBER = '\\d[\\d\\u202f]*(?:\\.\\d+)?';
const BARE_DIAMETER = new RegExp(`⌀ ?(${NUMBER})(?![\\d.\\u202f]| ?(?:mm|cm|dm))`, 'g');
/** A radius in a sentence about sizes; one in words that are quoted stays as it is. */
const BARE_RADIUS = new RegExp(`(?<=(?:states|of|and|another|×|,) )R(${NUMBER})(?![\\d.\\u202f])`, 'g');
const WITH_UNIT = new RegExp(
  `((?:${NUMBER}(?: × | and |, | instead of | to )(?:another )?)*${NUMBER})\\s?([mcd]m[²³]?)(?![\\w²³])`,
  'g',
);
/** Inches, square inches and cubic inches of these units. */
const INCHES: Readonly<Record<string, readonly [factor: number, unit: string]>> = Object.fromEntries(
  Object.entries({ mm: 1, cm: 10, dm: 100 }).flatMap(([unit, mm]) =>
    ['', '²', '³'].map((power, i) => [`${unit}${power}`, [(mm / INCH) ** (i + 1), `in${power}`]]),
  ),
);

/** Digits of a sentence, and of one in which two sizes that differ would be written alike. */
const DIGITS = 4;
const MORE_DIGITS = 7;
const ALIKE = /(?:^|\s)(\S+)(?: in)? instead of \1(?![\d.])/;

/**
 * A sentence of the engine with its lengths, areas and volumes in the user's units: `12.7 instead of 25.4 mm` becomes
 * `0.5 instead of 1 in`. A diameter or a radius without a unit is in mm.
 */
export function sentenceInUnits(text: string): string {
  if (units.value === 'mm') return text;
  const read = inInches(text, DIGITS);
  return ALIKE.test(read) ? inInches(text, MORE_DIGITS) : read;
}

function inInches(text: string, digits: number): string {
  const converted = (number: string, factor: number): string =>
    figure(Number(number.replaceAll('\u202f', '')) * factor, digits);
  return text
    .replace(BARE_DIAMETER, (_, number: string) => `⌀${converted(number, 1 / INCH)} in`)
    .replace(BARE_RADIUS, (_, number: string) => `R${converted(number, 1 / INCH)} in`)
    .replace(WITH_UNIT, (whole, chain: string, unit: string) => {
      const found = INCHES[unit];
      if (found === undefined) return whole;
      const [factor, inch] = found;
      return `${chain.replace(new RegExp(NUMBER, 'g'), (number) => converted(number, factor))} ${inch}`;
    });
}
