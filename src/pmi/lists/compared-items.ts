import { addTo } from '../../content/groups.js';
import { plainThread } from '../../content/thread-names.js';
import { MILLIMETRES } from '../../content/units.js';
import type { Property } from '../../content/text.js';
import { cellsOf, isFrameNote } from '../characteristics.js';
import {
  numberOf,
  plainSigns,
  readDimension,
  threadIn,
  type DimensionKind,
  type DimensionReading,
} from '../dimension-text.js';
import { isGeneral } from '../tolerances/general-tolerance.js';
import { placesOf, withoutNoise, withoutThousands } from '../sizes/numbers.js';
import { inspectionList, type InspectionRow } from '../inspection.js';
import { isRepeated, PMI_TYPE, sentenceOf, nameOfPmiType, type Pmi, type PmiObject, type PmiPage } from '../pmi.js';
import { sizesIn } from '../sizes/callouts.js';
import { formOfSize } from '../sizes/form-of-size.js';
import { roughnessOf } from '../roughness.js';
import { companyOf } from './company.js';

/** An annotation of one of two compared files. */
export interface ComparedAnnotation {
  /** From 1; 0 for what the title block says, and for what was measured on the shape of a model. */
  readonly page: number;
  /** Its id on that page; 0 for what the title block says, and for notes. */
  readonly id: number;
  /** `diameter`, `control frame`, `datum`, `note`; `Material` and the like for fields of a title block. */
  readonly kind: string;
  /** What is written. */
  readonly reading: string;
  /** How likely it was read right, 0 to 1, as its annotation has it; absent for models. */
  readonly confidence?: number;
}

/** The middle of an annotation's box, as shares of the page's longer side. */
export interface ItemPlace {
  readonly page: number;
  readonly x: number;
  readonly y: number;
}

interface ItemOfAny {
  readonly said: ComparedAnnotation;
  /** Absent for annotations of a model. */
  readonly place?: ItemPlace;
  readonly count: number;
  /** What stands with it on the sheet, or on the same faces of a model: equal strings for what is the same. */
  readonly around?: readonly string[];
}

/** A size. Lengths in mm, angles in degrees. */
export interface SizeItem extends ItemOfAny {
  readonly family: 'size';
  readonly kind: DimensionKind;
  readonly nominal: number;
  /**
   * Half of the last digit that is written, mm or degrees: sizes that differ by less may be the same in another unit.
   */
  readonly slack: number;
  readonly unit: string;
  /** Largest and smallest size; absent where nothing states them. */
  readonly limits?: { readonly most: number; readonly least: number };
  readonly fit?: string;
  readonly state: 'toleranced' | 'general' | 'basic' | 'reference' | 'none';
  /** What equal numbers may differ in: the angle of a chamfer, a sphere, the largest or the smallest size alone. */
  readonly form: string;
  /** What follows the nominal size of a thread: pitch and class. */
  readonly thread?: string;
}

/** A row of a control frame; widths in mm. */
export interface ZoneRow {
  readonly sign: string;
  readonly zone: string;
  readonly width: number;
  /** Modifiers and everything else in the cell of the value. */
  readonly modifiers: string;
  readonly datums: string;
}

/** A control frame. */
export interface FrameItem extends ItemOfAny {
  readonly family: 'frame';
  readonly rows: readonly ZoneRow[];
  /** What stands in it and is neither a row nor a note that restricts it; '' where all of it was understood. */
  readonly unread: string;
}

/**
 * What is compared as a text: a datum, a finish, a field of the title block, a line of a note, a size that is no size
 * as it was read.
 */
export interface TextItem extends ItemOfAny {
  readonly family: 'datum' | 'finish' | 'fact' | 'note' | 'unread';
  /** Equal for what is the same. */
  readonly key: string;
  /** The size of a datum target's area, where it is stated: `⌀10`. */
  readonly area?: string;
}

export type ComparedItem = SizeItem | FrameItem | TextItem;

/** Equal holes of a model, as its faces show them. Lengths in mm. */
export interface MeasuredHole {
  readonly count: number;
  readonly diameterMm?: number;
  readonly depthMm?: number;
  readonly isThrough?: boolean;
  /** The wider mouth, and how wide and how deep it is. */
  readonly sunk?: 'counterbored' | 'countersunk';
  readonly sunkDiameterMm?: number;
  readonly sunkDepthMm?: number;
}

/** Annotations of a file, with its attributes: `Units`, `General tolerance` and the fields of its title block. */
export interface ComparedSide {
  /** Of a model: its holes, which tell of mouths and depths that its annotations do not state. */
  readonly holes?: readonly MeasuredHole[];
  readonly pmi: Pmi;
  readonly attributes: readonly Pick<Property, 'name' | 'value'>[];
}

/** The attributes of a record, `name=value` or `name(unit)=value`, each value by itself. */
export function attributesOfTexts(texts: readonly string[]): Pick<Property, 'name' | 'value'>[] {
  return texts.flatMap((text) => {
    const at = text.indexOf('=');
    return text
      .slice(at + 1)
      .split(/(?<!\\)\|/)
      .map((value) => ({ name: text.slice(0, at), value }));
  });
}

/** Fields of a title block that say something about the part, and the scale of the sheet. */
const FACTS: ReadonlySet<string> = new Set([
  'Part number',
  'Material',
  'Finish',
  'Mass',
  'Revision',
  'General tolerance',
  'Name',
  'Scale',
]);
/** Sizes about an annotation are told apart by so many of a millimetre, and of a degree. */
const FINEST = 1e4;

/**
 * What of a file's annotations can be compared, in the order of the pages.
 * @param isAlone: without what stands about each, which takes as long as all else.
 */
export function comparedItems(
  { pmi, attributes }: ComparedSide,
  { isAlone = false }: { readonly isAlone?: boolean } = {},
): readonly ComparedItem[] {
  const isInch = attributes.some(({ name, value }) => name === 'Units' && /\bin/i.test(value));
  const objects = new Map(
    pmi.pages.flatMap((page) => page.objects.map((object) => [`${page.page} ${object.id}`, { page, object }] as const)),
  );
  const items: ComparedItem[] = [];
  const sized = new Set<PmiObject>();
  const read = readEachOnce();
  for (const row of inspectionList(pmi, attributes)) {
    const { page, object } = objects.get(`${row.page} ${row.id}`)!;
    const found = row.nominal === undefined ? [] : sizeItem(row, object, { page, read });
    if (found.length > 0) sized.add(object);
    items.push(...found);
  }
  const datums = new Map<string, TextItem>();
  for (const page of pmi.pages) {
    for (const object of page.objects) {
      const { typeId, group } = object;
      if (isRepeated(object, pmi.pages)) continue;
      const said = saidOf(object, page.page);
      const place = placeOf(object, page);
      if (typeId === PMI_TYPE.controlFrame)
        items.push({ family: 'frame', said, place, count: 1, ...rowsOf(object, isInch ? 'in' : 'mm') });
      else if (group === 'Datum') {
        const item = datumItem(object, { said, place });
        const known = datums.get(item.key);
        // A datum may be marked in several views.
        if (known !== undefined && known.area === undefined) items.splice(items.indexOf(known), 1, item);
        else if (known === undefined || (item.area !== undefined && known.area !== item.area)) items.push(item);
        datums.set(item.key, known?.area === undefined ? item : known);
      } else if (group === 'SurfaceFinish') {
        const key = object.parts
          .flatMap(({ text }) => roughnessOf(text, isInch))
          .map(({ parameter, valueUm }) => `${parameter} ${valueUm}`)
          .join(' ');
        if (key !== '') items.push({ family: 'finish', said, place, count: 1, key });
      } else if (group === 'Measurement' && !sized.has(object) && said.reading !== '')
        items.push({ family: 'unread', said, place, count: 1, key: said.reading.replace(/\s/g, '') });
    }
  }
  const placed = isAlone ? items : [...withCompany(items, objects), ...pmi.pages.flatMap(notesOf)];
  for (const { name, value } of attributes) {
    if (!FACTS.has(name)) continue;
    const field = pmi.fields?.find((each) => each.name === name && each.value === value);
    const said = { page: 0, id: 0, kind: name, reading: value, ...confidenceOf(field ?? {}) };
    placed.push({ family: 'fact', said, count: 1, key: keyOfFact(name, value) });
  }
  return placed;
}

/** The number of a note, which changes with those before it. */
const NUMBER_OF_NOTE = /^\(?\d{1,2}[.)]\s*/;

function notesOf(page: PmiPage): TextItem[] {
  // A note that was misread in one of two files is no difference between them.
  const held = (page.notes ?? []).filter(({ confidence }) => confidence === undefined);
  return held.map(({ text, box }) => ({
    family: 'note',
    said: { page: page.page, id: 0, kind: 'note', reading: text },
    place: placeOf({ box }, page),
    count: 1,
    key: keyOfWords(text.replace(NUMBER_OF_NOTE, '')),
  }));
}

/** Equal for texts of the same letters and numbers; the micro of units has two codes, one in CAD and one in PDF. */
function keyOfWords(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(?<=\d),(?=\d)/g, '.')
    .replace(/[\s\-_;:]+|[.,](?!\d)/g, '');
}

const MASS = /^[~≈]?\s?([\d.,]*\d)\s?(kg|kilogramm?s?|кг|gr?|gramm?s?|г|t|lbs?|oz)\.?$/i;
/** Grams of a unit of mass, by its first letters. */
const GRAMS: readonly (readonly [unit: RegExp, grams: number])[] = [
  [/^(?:k|кг)/i, 1e3],
  [/^t/i, 1e6],
  [/^lb/i, 453.59237],
  [/^oz/i, 28.349523125],
  [/^/, 1],
];

/** Equal for fields that say the same: a mass by its grams, others by their letters and figures. */
function keyOfFact(name: string, value: string): string {
  const [, number, unit] = (name === 'Mass' && MASS.exec(value.trim())) || [];
  // Groups of a number are parted by points, spaces or nothing.
  if (name === 'Part number') return value.toLowerCase().replace(/[\s\-_.,;:]+/g, '');
  if (unit === undefined) return keyOfWords(value);
  const [, grams] = GRAMS.find(([pattern]) => pattern.test(unit))!;
  return `${withoutNoise(grams * numberOf(withoutThousands(number).plain))} g`;
}

/** @param objects by page and id. */
function withCompany(
  items: readonly ComparedItem[],
  objects: ReadonlyMap<string, { readonly page: PmiPage; readonly object: PmiObject }>,
): ComparedItem[] {
  const keysOf = new Map<PmiObject, string[]>();
  const objectOf = ({ said }: ComparedItem): PmiObject | undefined => objects.get(`${said.page} ${said.id}`)?.object;
  for (const item of items) {
    const object = objectOf(item);
    if (object !== undefined) addTo(keysOf, object, keyOf(item));
  }
  const pages = new Set([...objects.values()].map(({ page }) => page));
  const company = new Map([...pages].flatMap((page) => [...companyOf(page, (object) => keysOf.get(object) ?? [])]));
  return items.map((item) => {
    const object = objectOf(item);
    const around = object && company.get(object);
    return around === undefined || around.length === 0 ? item : { ...item, around };
  });
}

/** Equal for what is the same but for its tolerance. */
function keyOf(item: ComparedItem): string {
  if (item.family === 'size') return `${item.kind} ${Math.round(item.nominal * FINEST) / FINEST}`;
  if (item.family !== 'frame') return `${item.family} ${item.key}`;
  return item.rows.map(({ sign, zone, width, datums }) => `${sign} ${zone}${width} ${datums}`).join(' / ');
}

function saidOf(object: PmiObject, page: number): ComparedAnnotation {
  const reading =
    object.typeId === PMI_TYPE.controlFrame ? object.parts.map(({ text }) => text).join(' / ') : sentenceOf(object);
  return { page, id: object.id, kind: nameOfPmiType(object.typeId), reading, ...confidenceOf(object) };
}

function confidenceOf({ confidence }: Pick<PmiObject, 'confidence'>): Pick<ComparedAnnotation, 'confidence'> {
  return confidence === undefined ? {} : { confidence };
}

/** A datum by its letter, a target by its name; the size of a target's area stands above that. */
function datumItem({ parts }: PmiObject, { said, place }: Pick<ItemOfAny, 'said' | 'place'>): TextItem {
  const texts = parts.map(({ text }) => text.trim()).filter((text) => text !== '');
  const name = texts.find((text) => /^[A-Z]\d{1,2}$/.test(text));
  const area = name === undefined ? '' : plainSigns(texts.filter((text) => text !== name).join(' ')).replace(/\s/g, '');
  const key = name ?? texts[0] ?? '';
  return { family: 'datum', said, place, count: 1, key, ...(area !== '' && { area: area.replace(/,/g, '.') }) };
}

function placeOf({ box: [x, y, width, height] }: Pick<PmiObject, 'box'>, page: PmiPage): ItemOfAny['place'] {
  const side = Math.max(page.widthPx, page.heightPx);
  return side === 0 ? undefined : { page: page.page, x: (x + width / 2) / side, y: (y + height / 2) / side };
}

/** The size of a row, by its words, or else by the first ones of its annotation. Sheets have many equal ones. */
function readEachOnce(): (reading: string, first: string) => DimensionReading | undefined {
  const known = new Map<string, DimensionReading | undefined>();
  return (reading, first) => {
    const key = `${reading}\n${first}`;
    if (known.has(key)) return known.get(key);
    // Limits on two lines are no string that a dimension has.
    const found = sizesIn(reading.replace(/ basic$/, ''))[0] ?? readDimension(first);
    known.set(key, found);
    return found;
  };
}

function sizeItem(
  row: InspectionRow,
  object: PmiObject,
  { page, read: readOf }: { readonly page: PmiPage; readonly read: ReturnType<typeof readEachOnce> },
): SizeItem[] {
  const { id, kind, reading, nominal = 0, upper, lower, unit, from, count } = row;
  const read = readOf(reading, object.parts[0]?.text ?? '');
  if (read === undefined) return [];
  const scale = unit === 'in' ? MILLIMETRES.in : 1;
  const isLimit = from === 'basic' || from === 'reference';
  const limits =
    upper === undefined || lower === undefined || isLimit
      ? undefined
      : { most: scale * (nominal + upper), least: scale * (nominal + lower) };
  return [
    {
      family: 'size',
      said: { page: page.page, id, kind, reading, ...confidenceOf(object) },
      place: placeOf(object, page),
      count,
      kind: read.kind,
      nominal: scale * nominal,
      slack: (scale * 0.5) / 10 ** placesOf(read.text),
      unit,
      ...(limits !== undefined && { limits }),
      ...(read.fit !== undefined && { fit: read.fit }),
      state: isGeneral(from)
        ? 'general'
        : from === 'basic' || from === 'reference'
          ? from
          : limits !== undefined || read.fit !== undefined || (from === 'written' && read.kind !== 'thread')
            ? 'toleranced'
            : 'none',
      ...(read.kind === 'thread' && { thread: threadOf(read.text) }),
      form: formOfSize(read),
    },
  ];
}

/** Tolerance class at the end of a metric thread: of a nut `6H`, of a bolt `6h` (ISO 965-1). */
const METRIC_CLASS = /(?<=^m.*)(?:\d[a-z]){1,2}$/i;

/** `m8x1.25-6H`: a thread without count and spaces, in small letters but for its class. */
function threadOf(text: string): string {
  const thread = plainThread(threadIn(text)).replace(/\s/g, '');
  const ofClass = METRIC_CLASS.exec(thread)?.[0] ?? '';
  return thread.slice(0, thread.length - ofClass.length).toLowerCase() + ofClass;
}

/** Rows of a frame; a row without a symbol of its own shares that of the row above. Notes below a frame are no rows. */
function rowsOf({ parts }: PmiObject, unit: 'in' | 'mm'): Pick<FrameItem, 'rows' | 'unread'> {
  const rows: ZoneRow[] = [];
  const unread: string[] = [];
  for (const { text } of parts) {
    const plain = plainSigns(text);
    if (isFrameNote(plain)) continue;
    const cells = plain.split(/\s*\|\s*/);
    const own = cellsOf(cells[0])?.[0];
    const sign = own ?? rows.at(-1)?.sign ?? '';
    const [value = '', ...datums] = own === undefined ? cells : cells.slice(1);
    const found = /^(S?⌀)?\s?(\d[\d.,]*|[.,]\d+)(.*)$/.exec(value);
    if (found === null || sign === '') {
      unread.push(plain);
      continue;
    }
    rows.push({
      sign,
      zone: found[1] ?? '',
      width: numberOf(found[2]) * (unit === 'in' ? MILLIMETRES.in : 1),
      modifiers: found[3].replace(/\s/g, ''),
      datums: datums.map((datum) => datum.replace(/\s/g, '')).join('|'),
    });
  }
  return { rows, unread: unread.join(' / ') };
}
