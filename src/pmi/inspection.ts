import type { Property } from '../content/text.js';
import { isNamedDepth } from './dimension-words.js';
import { readDimension, type DimensionReading } from './dimension-text.js';
import { typeOfReading } from './finding.js';
import { inReadingOrder, standTogether } from './inspection-order.js';
import { deviationsOf, rounded, sizeOf, type SizeContext } from './tolerances/deviations-of-size.js';
import { generalRules } from './tolerances/general-tolerance.js';
import { hasCountBehind, sizesIn, withTolerance } from './sizes/callouts.js';
import { lowerLimitOf, withoutName } from './sizes/dimension-lines.js';
import { holesOfTable } from './lists/hole-tables.js';
import { goingOn, type Holes } from './sizes/holes.js';
import { isRepeated, nameOfPmiType, PMI_TYPE, sentenceOf, type Pmi, type PmiObject } from './pmi.js';
import { unitByForm } from './sizes/unit-of-sheet.js';

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
  /**
   * `mm`, `in`, `°`; `unknown` where the drawing states none and its sizes may be in inches; '' for what is no size.
   */
  readonly unit: string;
  /** Signed deviations from the nominal size; absent where nothing states them. */
  readonly upper?: number;
  readonly lower?: number;
  /**
   * Where the deviations come from: `written` (of a thread its class, whose deviations are not listed), `limits`,
   * `ISO 286`, the general tolerance's name, `basic` or `reference` for sizes that have none, or `` when nothing states
   * them.
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
 * layouts show it again, sizes in tables of holes last: sizes with their deviations, fits resolved by ISO 286-1,
 * general tolerances (ISO 2768-1, ISO 22081, by decimals) for sizes without one; what is no size as it is written. An
 * angle has its general tolerance by ISO 2768 from its shorter side, which no list knows: `from` has the range. A pair
 * of fits (`H7/g6`) has no single pair of deviations: `why` has those of both. Fits and general tolerances are resolved
 * by the size in mm, in inches too: their deviations are then in inches, to 0.00001.
 * @param attributes those of the file: `Units` (mm unless it says `in`) and `General tolerance`.
 */
export function inspectionList(
  pmi: Pmi,
  attributes: readonly Pick<Property, 'name' | 'value'>[] = [],
): InspectionRow[] {
  const valuesOf = (wanted: string): string[] =>
    attributes.filter(({ name }) => name === wanted).map(({ value }) => value);
  const [unit] = valuesOf('Units');
  const byForm = unit === undefined ? unitByForm(pmi.pages.filter(({ widthPx }) => widthPx > 0)) : undefined;
  const isInch = /\bin/i.test(unit ?? byForm ?? '');
  const stated = valuesOf('General tolerance');
  const [general] = stated.flatMap((each) => generalRules(each) ?? []);
  const isUnknown = byForm === 'unknown';
  const context: SizeContext = { isInch, isUnknown, general, stated: stated[0], note: noteOfTolerances(pmi) };
  const rows: Omit<InspectionRow, 'number'>[] = [];
  const read = readEachOnce();
  const isListed = (object: PmiObject): boolean => isInspected(object) && !isRepeated(object, pmi.pages);
  for (const { page, objects, heightPx } of pmi.pages) {
    let holes: Holes = { count: 1 };
    // Objects that stand together with one of these.
    let together: readonly PmiObject[] = [];
    /** Where the rows of these begin. */
    let first = rows.length;
    for (const object of inReadingOrder(objects.filter(isListed), heightPx)) {
      if (isSize(object)) {
        const isBeside = together.some((each) => standTogether(each, object));
        const isBelowHole = isBeside || object.typeId === PMI_TYPE.depth || isNamedDepth(object.parts[0]?.text ?? '');
        const sizes = sizesOf(object, page, { ...context, read, holes: isBeside ? holes : { count: 1 }, isBelowHole });
        if (!isBeside) first = rows.length;
        const count = sizes.rows[0]?.count ?? 1;
        // `⌀9 ↧10 (4x)`: the count behind a callout is that of its hole.
        if (isBeside && GO_ON.has(object.typeId) && hasCountBehind(object.parts.at(-1)?.text ?? ''))
          for (let i = first; i < rows.length; i++) if (rows[i].count === 1) rows[i] = { ...rows[i], count };
        rows.push(...sizes.rows);
        holes = sizes.holes;
        together = isBeside ? [...together.slice(1 - MOST_BESIDE), object] : [object];
      } else rows.push({ ...writtenRow(object, page), reading: rowsOfFrame(object), from: 'written' });
    }
    const tabled = objects.filter((object) => !isRepeated(object, pmi.pages)).flatMap(holesOfTable);
    const alone = { ...context, read, holes: { count: 1 }, isBelowHole: false };
    rows.push(...tabled.flatMap((object) => sizesOf(object, page, alone).rows));
  }
  return rows.map((row, i) => ({ number: i + 1, ...row }));
}

/** Types of what goes on from a hole. */
const GO_ON: ReadonlySet<PmiObject['typeId']> = new Set([PMI_TYPE.depth, PMI_TYPE.counterbore]);

/** The sizes of a text, of a leader or of a dimension, whose names before values are left out. */
type ReadSizes = (
  text: string,
  where: { readonly isLeader: boolean; readonly isBelowHole: boolean; readonly isDimension: boolean },
) => readonly DimensionReading[];

/** Sheets have many equal sizes: each text is read once. */
function readEachOnce(): ReadSizes {
  const known = new Map<string, readonly DimensionReading[]>();
  return (text, { isLeader, ...where }) => {
    const key = `${isLeader} ${where.isBelowHole} ${where.isDimension} ${text}`;
    const found = known.get(key) ?? sizesIn(isLeader ? text : withoutName(text), where);
    known.set(key, found);
    return found;
  };
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
  context: SizeContext & { readonly holes: Holes; readonly isBelowHole: boolean; readonly read: ReadSizes },
): { readonly rows: readonly Omit<InspectionRow, 'number'>[]; readonly holes: Holes } {
  const row = writtenRow(object, page);
  let { holes } = context;
  let { isBelowHole } = context;
  let isFirst = true;
  const { parts } = object;
  const rows = parts.flatMap((part, i) => {
    if (i > 0 && lowerLimitOf(parts[i - 1], part) !== undefined) return [];
    const { text, tolerance = [] } = part;
    const lower = lowerLimitOf(part, parts[i + 1]);
    const limits = lower === undefined ? undefined : readDimension(text);
    if (limits !== undefined && lower !== undefined) {
      const { reading, holes: own } = goingOn(limits, { count: 1 });
      holes = own;
      isBelowHole = true;
      const kind = isFirst ? row.kind : kindOf(limits, row.kind);
      isFirst = false;
      const said = `${text} ${parts[i + 1].text}`;
      const size = sizeOf(reading, context);
      return [{ ...row, kind, reading: said, ...size, upper: 0, lower: rounded(lower), from: 'limits' }];
    }
    const isBasic = tolerance.includes('basic');
    const stated = tolerance.filter((each) => each !== 'basic');
    const whole = withTolerance(text, stated);
    const isLeader = object.typeId === PMI_TYPE.leader;
    const isDimension = !isLeader && parts.length === 1;
    const readings = context.read(whole, { isLeader, isBelowHole, isDimension });
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
      const kind = isFirst && !OTHER_THAN_ROUND.has(each.kind) ? row.kind : kindOf(each, row.kind);
      isFirst = false;
      return rowsOfReading(found.reading, { ...row, kind, reading: said }, isBasic, context);
    });
  });
  return { rows, holes };
}

/** Kinds that no diameter or radius is, in whose dimension they may stand. */
const OTHER_THAN_ROUND: ReadonlySet<DimensionReading['kind']> = new Set(['angle', 'depth', 'thread', 'chamfer']);

/** The name of a size that is not the only one of its annotation: that of its own kind. */
function kindOf(reading: DimensionReading, ofObject: string): string {
  const name = nameOfPmiType(typeOfReading(reading));
  // Placements of arrows are dimensions, too, and sizes on leaders are named by these.
  return isRoundName(ofObject) || isRoundName(name) ? name : ofObject;
}

const isRoundName = (name: string): boolean => ROUND_NAMES.has(name);
const ROUND_NAMES: ReadonlySet<string> = new Set(
  [PMI_TYPE.diameter, PMI_TYPE.radius, PMI_TYPE.depth, PMI_TYPE.counterbore].map(nameOfPmiType),
);

/** A size and the further ones that it states: `⌀8 x 20`, `20 x 30 x 5`, `CSK ⌀12 x 90°`. */
function rowsOfReading(
  reading: DimensionReading,
  row: Omit<InspectionRow, 'number'>,
  isBasic: boolean,
  context: SizeContext,
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
        ...(areSides || each.tolerance !== undefined ? { ...stated, ...each } : none),
      };
      const said = [each.text, ...size.toleranceTexts].join(' ');
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
