import type { Property } from '../content/text.js';
import { numberOf, readDimension, type DimensionReading } from './dimension-text.js';
import { inReadingOrder, standTogether } from './inspection-order.js';
import { generalRules, whyNoRules, type GeneralRules } from './tolerances/general-tolerance.js';
import { sizesIn, withTolerance } from './sizes/callouts.js';
import { goingOn, type Holes } from './sizes/holes.js';
import { deviationsOfFit } from './tolerances/iso-286.js';
import { isRepeated, nameOfPmiType, PMI_TYPE, sentenceOf, type Pmi, type PmiObject } from './pmi.js';
import { inStatedUnit } from './stated-unit.js';

/** A characteristic of a part that is inspected. */
export interface InspectionRow {
  /** Number of its balloon, from 1, over all pages. */
  readonly number: number;
  readonly page: number;
  /** Id of its annotation on that page. */
  readonly id: number;
  /** `diameter`, `control frame`. */
  readonly kind: string;
  /** What is written. */
  readonly reading: string;
  /** How many features it holds for. */
  readonly count: number;
  /** Absent for what is no size. In the drawing's unit; degrees for angles. */
  readonly nominal?: number;
  readonly unit: string;
  /** Signed deviations from the nominal size; absent where nothing states them. */
  readonly upper?: number;
  readonly lower?: number;
  /**
   * Where the deviations come from: `written`, `limits`, `ISO 286`, the general tolerance's name, `basic` or
   * `reference` for sizes that have none, or `` when nothing states them.
   */
  readonly from: string;
  /**
   * Why a size has no deviations: why the general tolerance that is stated does not hold for it, or what a pair of fits
   * or a fit outside of the tables is. Absent where it has some.
   */
  readonly why?: string;
  /** How likely it was read right, 0 to 1, as its annotation has it; absent for models. */
  readonly confidence?: number;
}

const MM_PER_INCH = 25.4;
/** Most sizes before one that it may go on from. */
const MOST_BESIDE = 8;

/** Signs within control frames are no characteristics of their own. */
const isSign = ({ typeId }: PmiObject): boolean =>
  typeId === PMI_TYPE.diameterSymbol || (typeId >= PMI_TYPE.parallel && typeId <= PMI_TYPE.position);

const isSize = ({ group, typeId }: PmiObject): boolean => group === 'Measurement' || typeId === PMI_TYPE.leader;

const isInspected = (object: PmiObject): boolean =>
  !isSign(object) && (isSize(object) || object.group === 'GD&T' || object.group === 'SurfaceFinish');

/**
 * The characteristics of a drawing as an inspector's list, page by page in the order of reading, each entity once where
 * layouts show it again: sizes with their deviations, fits
 * resolved by ISO 286-1, general tolerances (ISO 2768-1, ISO 22081, by decimals) for sizes without one; what is no size
 * as it is written. An angle has its general tolerance by ISO 2768 from its shorter side, which no list knows:
 * `from` has the range. A pair of fits (`H7/g6`) has no single pair of deviations: `why` has those of both. Fits and
 * general tolerances are resolved by the size in mm, in inches too: their deviations are then in inches, to 0.00001.
 * @param attributes those of the file: `Units` (mm unless it says `in`) and `General tolerance`.
 */
export function inspectionList(
  pmi: Pmi,
  attributes: readonly Pick<Property, 'name' | 'value'>[] = [],
): InspectionRow[] {
  const valuesOf = (wanted: string): string[] =>
    attributes.filter(({ name }) => name === wanted).map(({ value }) => value);
  const isInch = /\bin/i.test(valuesOf('Units')[0] ?? '');
  const stated = valuesOf('General tolerance');
  const [general] = stated.flatMap((each) => generalRules(each) ?? []);
  const context: Context = { isInch, general, stated: stated[0], note: noteOfTolerances(pmi) };
  const rows: Omit<InspectionRow, 'number'>[] = [];
  const isListed = (object: PmiObject): boolean => isInspected(object) && !isRepeated(object, pmi.pages);
  for (const { page, objects, heightPx } of pmi.pages) {
    let holes: Holes = { count: 1 };
    // Objects that stand together with one of these.
    let together: readonly PmiObject[] = [];
    for (const object of inReadingOrder(objects.filter(isListed), heightPx)) {
      if (isSize(object)) {
        const isBeside = together.some((each) => standTogether(each, object));
        const isBelowHole = isBeside || object.typeId === PMI_TYPE.depth;
        const sizes = sizesOf(object, page, { ...context, holes: isBeside ? holes : { count: 1 }, isBelowHole });
        rows.push(...sizes.rows);
        holes = sizes.holes;
        together = isBeside ? [...together.slice(1 - MOST_BESIDE), object] : [object];
      } else rows.push({ ...writtenRow(object, page), reading: rowsOfFrame(object), from: 'written' });
    }
  }
  return rows.map((row, i) => ({ number: i + 1, ...row }));
}

/** A control frame with each of its rows and notes behind a stroke; anything else as a sentence. */
function rowsOfFrame(object: PmiObject): string {
  if (object.typeId !== PMI_TYPE.controlFrame) return sentenceOf(object);
  return object.parts.map((part) => sentenceOf({ parts: [part] })).join(' / ');
}

/** A note about general tolerances; undefined for none. */
function noteOfTolerances({ pages }: Pmi): string | undefined {
  const note = pages.flatMap(({ objects }) => objects.find(({ group }) => group === 'GeneralTolerance') ?? []);
  return note.length === 0 ? undefined : sentenceOf(note[0]);
}

interface Context {
  readonly isInch: boolean;
  readonly general: GeneralRules | undefined;
  /** As it is written; undefined where none is. */
  readonly stated: string | undefined;
  /** Said where nothing is stated: what it says was not understood, or read too unsurely. */
  readonly note: string | undefined;
}

function writtenRow(object: PmiObject, page: number): Omit<InspectionRow, 'number'> {
  const { typeId, confidence } = object;
  return {
    page,
    id: object.id,
    kind: nameOfPmiType(typeId),
    reading: sentenceOf(object),
    count: 1,
    unit: '',
    from: '',
    ...(confidence !== undefined && { confidence }),
  };
}

/**
 * @param context holes: how many the size before it is stated for, where they stand together; isBelowHole: whether they
 * do, or it was found to be a depth by its place.
 */
function sizesOf(
  object: PmiObject,
  page: number,
  context: Context & { readonly holes: Holes; readonly isBelowHole: boolean },
): { readonly rows: readonly Omit<InspectionRow, 'number'>[]; readonly holes: Holes } {
  const row = writtenRow(object, page);
  const [first, second] = object.parts;
  if (object.parts.length === 2 && first.tolerance === undefined && /^[\d.,]+$/.test(second.text)) {
    const reading = readDimension(first.text);
    const lower = numberOf(second.text) - (reading?.nominal ?? Number.NaN);
    if (reading !== undefined && lower < 0)
      return {
        rows: [{ ...row, ...sizeOf(reading, context), upper: 0, lower: rounded(lower), from: 'limits' }],
        holes: goingOn(reading, { count: 1 }).holes,
      };
  }
  let { holes } = context;
  let { isBelowHole } = context;
  const rows = object.parts.flatMap(({ text, tolerance = [] }) => {
    const isBasic = tolerance.includes('basic');
    const stated = tolerance.filter((each) => each !== 'basic');
    const readings = sizesIn(withTolerance(text, stated), { isBelowHole });
    isBelowHole ||= readings.length > 0;
    return readings.flatMap((each) => {
      // Of a callout, the first size says how many holes there are.
      const found = goingOn(each, holes);
      holes = found.holes;
      const said =
        readings.length > 1
          ? withTolerance(each.text, each.toleranceTexts)
          : isBasic
            ? [text, ...tolerance].join(' ')
            : withTolerance(text, tolerance);
      return rowsOfReading(found.reading, { ...row, reading: said }, isBasic, context);
    });
  });
  return { rows, holes };
}

/** A size and the further ones that it states: `⌀8 x 20`, `20 x 30 x 5`, `CSK ⌀12 x 90°`. */
function rowsOfReading(
  reading: DimensionReading,
  row: Omit<InspectionRow, 'number'>,
  isBasic: boolean,
  context: Context,
): Omit<InspectionRow, 'number'>[] {
  const { further = [], tolerance, fit, toleranceTexts, count, isReference } = reading;
  const stated = { toleranceTexts, ...(tolerance !== undefined && { tolerance }), ...(fit !== undefined && { fit }) };
  const none = { toleranceTexts: [] };
  // Words and decimals of what follows are none of the first size.
  const text = further.reduce((left, { text: said }) => left.replace(said, ''), reading.text);
  const areSides = reading.kind === 'length' && further.some(({ kind }) => kind === 'length');
  const first = { ...row, ...sizeOf(reading, context), ...deviationsOf({ ...reading, text }, isBasic, context) };
  return [
    first,
    ...further.map((each) => {
      const inInch = reading.isInch === true && reading.kind !== 'thread' && { isInch: true as const };
      // Holes lie on one circle.
      const features = each.kind === 'diameter' ? 1 : count;
      const size: DimensionReading = {
        ...each,
        count: features,
        isReference,
        ...inInch,
        ...(areSides ? stated : none),
      };
      const said = [each.text, ...(areSides ? toleranceTexts : [])].join(' ');
      return {
        ...row,
        reading: said,
        kind: NAMES_OF_FURTHER[each.kind] ?? row.kind,
        ...sizeOf(size, context),
        ...deviationsOf(size, isBasic, context),
      };
    }),
  ];
}

const NAMES_OF_FURTHER: Readonly<Partial<Record<DimensionReading['kind'], string>>> = {
  depth: nameOfPmiType(PMI_TYPE.depth),
  diameter: nameOfPmiType(PMI_TYPE.diameter),
  angle: nameOfPmiType(PMI_TYPE.arrows),
  length: nameOfPmiType(PMI_TYPE.arrows),
};

function sizeOf(said: DimensionReading, context: Context): Pick<InspectionRow, 'nominal' | 'count' | 'unit'> {
  const { reading, isInch } = inStatedUnit(said, context.isInch);
  const { nominal, count, kind } = reading;
  return { nominal: rounded(nominal), count, unit: kind === 'angle' ? '°' : isInch ? 'in' : 'mm' };
}

function deviationsOf(
  said: DimensionReading,
  isBasic: boolean,
  context: Context,
): Pick<InspectionRow, 'upper' | 'lower' | 'from' | 'why'> {
  const { general, stated, note } = context;
  const { reading, isInch } = inStatedUnit(said, context.isInch);
  const { kind, text, nominal, tolerance, fit, isReference, toleranceTexts } = reading;
  if (isBasic) return { from: 'basic' };
  if (isReference) return { from: 'reference' };
  if (tolerance !== undefined)
    return {
      upper: rounded(tolerance.upper),
      lower: rounded(tolerance.lower),
      from: toleranceTexts.length === 0 ? 'limits' : 'written',
    };
  if (fit !== undefined) {
    const found = deviationsOfFit(fit, isInch ? nominal * MM_PER_INCH : nominal);
    if (found === undefined) return { from: '', why: whyNoFit(fit, nominal, isInch) };
    return { upper: inUnit(found.upper, isInch), lower: inUnit(found.lower, isInch), from: 'ISO 286' };
  }
  if (EXACT.test(text)) return { from: 'basic' };
  // A size that is stated as a limit is no nominal size; its other limit is not stated.
  if (LIMIT_ABOVE.test(text)) return { upper: 0, from: 'written' };
  if (LIMIT_BELOW.test(text)) return { lower: 0, from: 'written' };
  if (stated === undefined)
    return note === undefined ? { from: '' } : { from: '', why: `not understood, or read unsurely: ${note}` };
  if (general === undefined) return { from: '', why: whyNoRules(stated) };
  const size = { kind, nominal, places: placesOf(text), isInch, isDrawingInch: context.isInch };
  const found = general.of(size);
  if (found === undefined) return { from: '', why: general.whyNot(size) };
  const { half, from } = found;
  return half === undefined ? { from } : { upper: half, lower: -half, from };
}

/** A size that is not to be exceeded, or to be reached at least: `12.5 MAX`, `12.5MAX`, `≤ 3`. */
const LIMIT_ABOVE = /(?<![a-z])max(?![a-z])|^[≤<]/i;
const LIMIT_BELOW = /(?<![a-z])min(?![a-z])|^[≥>]/i;
/** Words of theoretically exact sizes. */
const EXACT = /\b(?:BSC|BASIC|TED)\b/i;

/** In words, why a fit has no single pair of deviations; of a pair with those of both. */
function whyNoFit(fit: string, nominal: number, isInch: boolean): string {
  const size = isInch ? nominal * MM_PER_INCH : nominal;
  const [hole, shaft] = fit.split('/');
  if (shaft === undefined) return `ISO 286 has no ${fit} for ${rounded(size)} mm in the tables that are known here`;
  const said = (name: string): string => {
    const found = deviationsOfFit(name, size);
    if (found === undefined) return `${name} not known for this size`;
    return [found.upper, found.lower].map((value) => signed(inUnit(value, isInch))).join(' ');
  };
  return `a pair of fits: hole ${said(hole)}, shaft ${said(shaft)}`;
}

function signed(value: number): string {
  return value > 0 ? `+${value}` : String(value);
}

/** Decimals of the size that is written first. */
export function placesOf(text: string): number {
  return (/\d*[.,](\d+)/.exec(text)?.[1] ?? '').length;
}

/** Millimetres in the unit of the drawing. */
function inUnit(mm: number, isInch: boolean): number {
  return isInch ? Math.round((mm / MM_PER_INCH) * 1e5) / 1e5 || 0 : mm;
}

function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
