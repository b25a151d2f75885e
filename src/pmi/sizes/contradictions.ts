import type { DimensionFacts, Sheet } from '../../content/sheet.js';
import { MILLIMETRES } from '../../content/units.js';
import { readDimension, type DimensionReading } from '../dimension-text.js';
import type { PmiPage } from '../pmi.js';
import { withTolerance } from './callouts.js';
import { partsOfDimension, readingsOfParts } from './dimension-lines.js';
import { LIMIT_ABOVE, LIMIT_BELOW } from './limit-words.js';
import { placesOf } from './numbers.js';

/** Most of them that are named; the others are counted. */
const MOST_NAMED = 8;
const FULL_TURN = 360;
/** Sizes in fractions are rounded to so many parts of an inch. */
const FRACTIONS = 64;
/** So many dimensions, and half of those that say otherwise, make a scale of the sheet. */
const LEAST_ALIKE = 3;
/** A scale is known as exactly as the size that it is taken from. */
const SCALE_SLACK = 0.005;
/** Annotations that were read less surely may be misread. */
const SURE = 0.9;

/** A dimension's text, with what it measures. */
interface Said {
  readonly said: string;
  readonly measured: number;
  readonly type: DimensionFacts['type'];
  readonly roundedTo: number;
  readonly reading: DimensionReading;
  /** Further sizes that its text says, in its own line and those below. */
  readonly others: readonly DimensionReading[];
}

/**
 * Sentences about dimensions of CAD drawings that say another size than they measure, because their text is typed, or
 * because the block that draws them is older than they are; and about such whose block has another text than they
 * state. Not where a rounding, another unit, a half view or a scale that most of them have in common explains it.
 */
export function overriddenSizes(sheets: readonly Sheet[]): string[] {
  const all = sheets.flatMap(({ annotations, space }) => annotations.map((annotation) => ({ annotation, space })));
  const seen = new Set<number>();
  const shown = all.filter(({ annotation: { dimension, entity, box } }) => {
    if (dimension === undefined || !(box.width > 0 || box.height > 0)) return false;
    if (entity === undefined) return true;
    return !seen.has(entity) && seen.add(entity);
  });
  const typed = shown.flatMap(({ annotation: { text, dimension } }) =>
    dimension?.isTyped === true ? saidBy(text, dimension) : [],
  );
  // What a layout's dimension measures may be the paper, or the model behind it.
  const drawn = shown.flatMap(({ annotation: { text, dimension }, space }) =>
    dimension !== undefined && dimension.isTyped !== true && space === 'model' ? saidBy(text, dimension) : [],
  );
  const replaced = shown.flatMap(({ annotation: { text, dimension } }) => {
    const [old] = dimension?.stated === undefined ? [] : saidBy(text, dimension);
    const [own] = dimension?.stated === undefined ? [] : saidBy(dimension.stated, dimension);
    return own === undefined || old?.reading.nominal === own.reading.nominal
      ? []
      : [`states ${own.said}, shows ${old?.said ?? text.split('\n')[0]}`];
  });
  return [
    ...told('dimensions have typed texts that are not what they measure', unlike(typed, 'says')),
    ...told(
      'dimensions show other sizes than they measure, as drawn before they were changed; ' +
        'those that are shown were read',
      unlike(drawn, 'shows'),
    ),
    ...told('dimensions are drawn with other texts than they state; those that are shown were read', replaced),
  ];
}

function told(what: string, named: readonly string[]): string[] {
  return named.length === 0 ? [] : [`${named.length} ${what}: ${someOf(named, '; ')}`];
}

function saidBy(text: string, { type, measurement, roundedTo = 0 }: DimensionFacts): Said[] {
  if (type === 'ordinate' || type === 'arcLength' || !(measurement > 0)) return [];
  const [first, ...further] = readingsOfParts(partsOfDimension(text, { type, measurement }));
  if (first === undefined) return [];
  const { reading, said } = first;
  const isComparable = reading.kind !== 'thread' && (reading.kind === 'angle') === (type === 'angular');
  const others = further.map((each) => each.reading);
  return isComparable ? [{ said, measured: measurement, type, roundedTo, reading, others }] : [];
}

/** Those that say something else than they measure, in words. */
function unlike(all: readonly Said[], says: string): string[] {
  const others = all.filter((each) => !fits(each, 1, 0));
  const scale = commonScale(others);
  const left = scale === undefined ? others : others.filter((each) => !fits(each, scale, SCALE_SLACK));
  return left.map(({ said, measured }) => `drawn ${Number(measured.toPrecision(6))}, ${says} ${said}`);
}

/** The scale that most of some dimensions have in common; undefined for none. */
function commonScale(all: readonly Said[]): number | undefined {
  const lengths = all.filter(({ type }) => type !== 'angular');
  // The largest sizes tell it most exactly.
  const largest = [...lengths].sort((a, b) => b.reading.nominal - a.reading.nominal).slice(0, 2 * LEAST_ALIKE);
  return largest
    .map(({ reading, measured }) => reading.nominal / measured)
    .find((scale) => {
      const alike = lengths.filter((each) => fits(each, scale, SCALE_SLACK)).length;
      return alike >= LEAST_ALIKE && 2 * alike >= lengths.length;
    });
}

/** @param slack of the scale, as a share. */
function fits({ reading, others, ...drawn }: Said, scale: number, slack: number): boolean {
  return [reading, ...others].some((each) => isAsDrawn({ ...drawn, reading: each }, scale, slack));
}

function isAsDrawn(
  { reading, measured, type, roundedTo }: Omit<Said, 'said' | 'others'>,
  scale: number,
  slack: number,
): boolean {
  const { text, nominal, count, tolerance, further = [], kind } = reading;
  const rounding = Math.max(
    /\d\/\d/.test(text) ? 1 / FRACTIONS : 0.5000001 * 10 ** -placesOf(text),
    0.5000001 * roundedTo,
  );
  // What a limit bounds may be smaller, or larger, but not by as much as another unit makes it.
  const upper = LIMIT_BELOW.test(text) ? nominal : (tolerance?.upper ?? 0),
    lower = LIMIT_ABOVE.test(text) ? -nominal / 2 : (tolerance?.lower ?? 0);
  const drawn = measured * scale;
  const values =
    type === 'angular'
      ? [measured, FULL_TURN / 2 - measured, FULL_TURN - measured]
      : [drawn, drawn * MILLIMETRES.in, drawn / MILLIMETRES.in];
  // Diameters of which one half is drawn, and radii that are drawn as diameters.
  if (kind === 'diameter' || type === 'radius') values.push(2 * drawn);
  if (kind === 'radius' || type === 'diameter') values.push(drawn / 2);
  const sizes = [nominal, nominal * count, ...further.map((each) => each.nominal)];
  return values.some((value) => {
    const most = rounding + slack * value;
    return sizes.some((size) => value >= size + Math.min(0, lower) - most && value <= size + Math.max(0, upper) + most);
  });
}

/**
 * Sentences about sizes like `2,500`, whose comma may part thousands: not where other sizes have a comma before their
 * decimals.
 */
export function openThousands(pages: readonly PmiPage[]): string[] {
  const said = readingsOf(pages).map(({ said: each }) => each);
  if (said.some((each) => COMMA_OF_DECIMALS.test(each))) return [];
  const told = [...new Set(said.filter((each) => COMMA_OF_EITHER.test(each)))];
  if (told.length === 0) return [];
  return [
    `${told.length} sizes may be a thousand times as large, if the comma parts thousands; ` +
      `it was read as that of decimals: ${someOf(told, '; ')}`,
  ];
}

/** A comma with one, two or four figures behind it, or behind a zero. */
const COMMA_OF_DECIMALS = /\d,(?:\d{1,2}|\d{4,})(?![\d.,])|(?<!\d)0?,\d/;
const COMMA_OF_EITHER = /(?<![\d.,])[1-9]\d{0,2},\d{3}(?![\d.,])/;

/** The sizes of pages that were read surely, with their tolerances, each as it is written. */
export function readingsOf(pages: readonly PmiPage[]): readonly (DimensionReading & { readonly said: string })[] {
  return pages.flatMap(({ objects }) =>
    objects.flatMap(({ parts, confidence = 0, group }) =>
      group !== 'Measurement' || confidence < SURE
        ? []
        : parts.flatMap(({ text, tolerance = [] }) => {
            const said = withTolerance(text, tolerance);
            const reading = readDimension(said);
            return reading === undefined ? [] : [{ ...reading, said }];
          }),
    ),
  );
}

/** The first few of some texts, and how many more there are. */
export function someOf(texts: readonly string[], between: string, most = MOST_NAMED): string {
  const more = texts.length - most;
  return texts.slice(0, most).join(between) + (more > 0 ? `${between}and ${more} more` : '');
}
