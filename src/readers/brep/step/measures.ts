import { idOf, idsOf, numberOf, textOf, wordOf, type Part21Instances, type Part21Value } from './part21-instances.js';

/** A number with its unit and its display format. */
export interface Measure {
  /** Its name in the representation: `nominal value`, `upper limit`; '' when it has none. */
  readonly name: string;
  readonly value: number;
  /** `mm`, `in`, `deg` …; '' for an unknown unit. */
  readonly unit: string;
  readonly decimals: number | undefined;
  /** False when 0.5 is to be shown as `.5`. */
  readonly hasLeadingZero: boolean;
}

const MEASURES = [
  'MEASURE_WITH_UNIT',
  'LENGTH_MEASURE_WITH_UNIT',
  'PLANE_ANGLE_MEASURE_WITH_UNIT',
  'MEASURE_REPRESENTATION_ITEM',
];
const METRES: Readonly<Record<string, string>> = {
  KILO: 'km',
  '': 'm',
  DECI: 'dm',
  CENTI: 'cm',
  MILLI: 'mm',
  MICRO: 'um',
  NANO: 'nm',
};
const CONVERTED: Readonly<Record<string, string>> = {
  INCH: 'in',
  FOOT: 'ft',
  DEGREE: 'deg',
  MILLIMETRE: 'mm',
  MILLIMETER: 'mm',
  CENTIMETRE: 'cm',
  METRE: 'm',
};

/** Reads a measure (ISO 10303-41, -45) with its qualifiers; undefined when the instance is not a measure. */
export function readMeasure(instances: Part21Instances, id: number | undefined): Measure | undefined {
  const types = instances.read(id);
  const keyword = MEASURES.find((word) => numberIn(types?.get(word)) !== undefined);
  if (types === undefined || keyword === undefined) return undefined;
  const values = types.get(keyword)!;
  const isItem = keyword === 'MEASURE_REPRESENTATION_ITEM';
  const [value, unit] = isItem ? values.slice(-2) : values;
  const name = isItem && values.length > 2 ? textOf(values[0]) : textOf(types.get('REPRESENTATION_ITEM')?.[0]);
  const format = idsOf(types.get('QUALIFIED_REPRESENTATION_ITEM')?.at(-1))
    .map((qualifier) => textOf(instances.read(qualifier)?.get('VALUE_FORMAT_TYPE_QUALIFIER')?.[0]))
    .find((text) => text !== '');
  // `NR2 1.3` (ISO 13584-42) means one digit before the point and three after it; `0.3` means no leading zero.
  const places = /(\d+)\.(\d+)/.exec(format ?? '');
  return {
    name,
    value: numberOf(value)!,
    unit: unitOf(instances, unit),
    decimals: places === null ? undefined : Math.min(12, Number(places[2])),
    hasLeadingZero: places?.[1] !== '0',
  };
}

function numberIn(values: readonly Part21Value[] | undefined): number | undefined {
  return values === undefined || values.length < 2 ? undefined : numberOf(values[values.length - 2]);
}

function unitOf(instances: Part21Instances, value: Part21Value | undefined): string {
  const types = instances.read(idOf(value));
  const converted = types?.get('CONVERSION_BASED_UNIT');
  if (converted !== undefined) return CONVERTED[textOf(converted[0]).toUpperCase()] ?? '';
  const si = types?.get('SI_UNIT');
  if (si === undefined) return '';
  const [prefix, name] = si.slice(-2).map(wordOf);
  return name === 'METRE' ? (METRES[prefix] ?? '') : name === 'RADIAN' && prefix === '' ? 'rad' : '';
}
