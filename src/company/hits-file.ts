import { EngineError } from '../errors.js';
import { withDefaults, type Defaults } from '../options.js';
import { csv, type Cell } from '../pmi/lists/csv.js';
import { xlsx } from '../pmi/lists/xlsx.js';
import { becauseText } from '../search/query/because-text.js';
import { MOST_PRINTED_ROWS, type SheetRow } from '../pictures/print-sheet.js';
import type { SearchHit, SearchQuery } from '../search/query/query.js';
import { checkBoolean, checkOneOf } from './checks.js';

/** Most columns for attributes; those that most hits have come first. */
const MOST_ATTRIBUTE_COLUMNS = 100;
/** Longest text of a cell: what spreadsheets take. */
const MOST_CHARACTERS = 32_000;
/** Side of a picture in a workbook, pixels. */
const PICTURE_PX = 96;

/** Most lines of a table that get a picture; the others have none. */
const MOST_PICTURES = 500;
/** Pictures that are asked for at a time. */
const PICTURES_AT_A_TIME = 4;

/** How a table is written to a file. */
export interface TableFileOptions {
  /** 'pdf': pages to be printed, the first 500 lines; needs the package `pdfkit`. Default 'csv'. */
  readonly format?: TableFormat;
  /** With a picture on each of the first 500 lines; never of CSV. Default: of PDF alone. */
  readonly pictures?: boolean;
}

/** How a table is written. */
export type TableFormat = 'csv' | 'xlsx' | 'pdf';

const TABLE_FILE_DEFAULTS = Object.freeze({
  format: 'csv',
  pictures: undefined,
} satisfies Defaults<TableFileOptions>);

/**
 * Checks the options.
 * @throws TypeError, RangeError.
 */
export function checkTableFile(options: TableFileOptions | undefined): Required<TableFileOptions> {
  const checked = withDefaults('table file options', options, TABLE_FILE_DEFAULTS);
  const { format, pictures = format === 'pdf' } = checked;
  checkOneOf('table file options.format', format, ['csv', 'xlsx', 'pdf']);
  checkBoolean('table file options.pictures', pictures);
  return { format, pictures: pictures && format !== 'csv' };
}

/**
 * Pictures of the first 500 of these files or components, PNG; undefined of those that have none. draw: as
 * `Company.thumbnail`.
 */
export async function picturesOf(
  uids: readonly (string | null)[],
  draw: (uid: string) => Promise<Uint8Array>,
): Promise<(Uint8Array | undefined)[]> {
  const pictures: (Uint8Array | undefined)[] = uids.map(() => undefined);
  const most = Math.min(uids.length, MOST_PICTURES);
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < most) {
      const at = next++;
      const uid = uids[at];
      if (uid !== null) pictures[at] = await draw(uid).catch(noneOf);
    }
  };
  await Promise.all(Array.from({ length: PICTURES_AT_A_TIME }, work));
  return pictures;
}

/** A file that has no picture, or was deleted meanwhile, has an empty cell. */
function noneOf(cause: unknown): undefined {
  if (cause instanceof EngineError && (cause.code === 'NO_GEOMETRY' || cause.code === 'FILE_UNKNOWN')) return undefined;
  throw cause;
}

/** How hits are written to a file. */
interface HitsFileParts {
  readonly hits: readonly SearchHit[];
  readonly format: 'csv' | 'xlsx';
  /** Names of categories by id. */
  readonly categories: ReadonlyMap<number, string>;
  /** PNG of each hit, for a workbook; undefined: none. */
  readonly pictures?: readonly (Uint8Array | undefined)[];
}

/**
 * Hits as a table, in their order: CSV, or a workbook (XLSX) with pictures in its last column. A column for each
 * attribute follows the measures; several values of one stand in one cell, separated by `; `. Lengths are
 * millimetres.
 */
export function hitsFile({ hits, format, categories, pictures }: HitsFileParts): Uint8Array {
  const attributes = attributeColumns(hits);
  const titles = [
    ...['No.', 'Name', 'Path', 'Kind', 'Match', 'Similarity (%)', 'Why', 'Length (mm)', 'Width (mm)', 'Height (mm)'],
    ...['Volume (mm³)', 'Surface (mm²)', 'Category', ...attributes, 'UID'],
  ];
  const rows = hits.map((hit, i): Cell[] => {
    const values = new Map(hit.attributes.map(parted));
    return [
      i + 1,
      hit.displayName,
      hit.path,
      hit.kind,
      hit.matchClass ?? undefined,
      hit.similarity === null ? undefined : Math.round(hit.similarity * 10) / 10,
      hit.because.map(becauseText).join('; '),
      ...[0, 1, 2].map((side) => short(hit.bboxSizeMm?.[side])),
      short(hit.volumeMm3),
      short(hit.surfaceAreaMm2),
      hit.categoryId === null ? undefined : categories.get(hit.categoryId),
      ...attributes.map((name) => cut(values.get(name))),
      hit.uid,
    ];
  });
  if (format === 'csv') return new TextEncoder().encode(csv([titles, ...rows]));
  if (pictures === undefined) return xlsx('Files', [titles, ...rows]);
  return xlsx('Files', [[...titles, 'Picture'], ...rows], {
    rows: pictures,
    column: titles.length,
    sidePx: PICTURE_PX,
  });
}

/** Hits as rows of a sheet to be printed, in their order. */
export function hitRows({ hits, categories, pictures = [] }: Omit<HitsFileParts, 'format'>): SheetRow[] {
  return hits.slice(0, MOST_PRINTED_ROWS).map((hit, i): SheetRow => {
    const { component, similarity, matchClass, categoryId } = hit;
    const alike = similarity === null ? [] : [`${Math.round(similarity * 10) / 10} %`];
    const held = component === undefined ? [] : [`${component.occurrences} × ${component.name || 'a part'} in it`];
    const sizes = hit.bboxSizeMm?.map((edge) => figure(edge)).join(' × ');
    const measures = [
      ...(sizes === undefined ? [] : [`${sizes} mm`]),
      ...(hit.volumeMm3 === null ? [] : [`${figure(hit.volumeMm3)} mm³`]),
      ...(hit.surfaceAreaMm2 === null ? [] : [`${figure(hit.surfaceAreaMm2)} mm²`]),
    ];
    const lines = [
      hit.path,
      [...alike, ...(matchClass === null ? [] : [matchClass]), ...held, ...hit.because.map(becauseText)].join(', '),
      measures.join(', '),
    ];
    const category = categoryId === null ? undefined : categories.get(categoryId);
    return {
      picture: pictures[i],
      title: `${i + 1}  ${hit.displayName}`,
      lines: lines.filter((line) => line !== ''),
      notes: [
        ...(category === undefined ? [] : [`Category: ${category}`]),
        ...hit.attributes.map((one) => parted(one).join(': ')),
      ],
      level: 0,
    };
  });
}

/**
 * What a query asks for, in a line for people. name: of the file that it asks with, where that is one of the library.
 */
export function askedFor({ like, contains, text, attributes, kinds }: SearchQuery, name: string | undefined): string {
  const inputs = [like ?? []].flat().length;
  const asked = [
    ...(contains === undefined ? [] : [`files that hold ${name ?? 'a shape'}`]),
    ...(inputs === 0 ? [] : [`files like ${name ?? (inputs === 1 ? 'a file' : `${inputs} files`)}`]),
    ...[text ?? []].flat().map((one) => `“${one}”`),
    ...(attributes ?? []).map(({ name: attribute }) => attribute),
    ...(kinds ?? []),
  ];
  return asked.length === 0 ? 'Files' : asked.join(', ').replace(/^./, (first) => first.toUpperCase());
}

/** Four figures and more where they stand before the point. */
function figure(value: number): string {
  return String(value >= 1_000 ? Math.round(value) : Number(value.toPrecision(4)));
}

/** Names of the attributes with their units, the most frequent first, ties by name. */
function attributeColumns(hits: readonly SearchHit[]): string[] {
  const counts = new Map<string, number>();
  for (const { attributes } of hits)
    for (const [name] of attributes.map(parted)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
    .slice(0, MOST_ATTRIBUTE_COLUMNS)
    .map(([name]) => name);
}

/** Name with unit, and values, of an attribute as records hold it. */
function parted(text: string): readonly [name: string, values: string] {
  const at = text.indexOf('=');
  const values = text.slice(at + 1).split(/(?<!\\)\|/);
  return [text.slice(0, at), values.map((value) => value.replace(/\\([|\\])/g, '$1')).join('; ')];
}

/** A number without the noise of its last digits. */
function short(value: number | null | undefined): number | undefined {
  return value === null || value === undefined ? undefined : Number(value.toPrecision(9));
}

/** A text that a cell holds; a number where it is one. */
function cut(text: string | undefined): Cell {
  if (text === undefined) return undefined;
  return /^-?(0|[1-9]\d{0,14})(\.\d{1,15})?$/.test(text) ? Number(text) : text.slice(0, MOST_CHARACTERS);
}
