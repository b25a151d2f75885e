import type { LengthUnit } from '../../content/units.js';
import type { Property } from '../../content/text.js';
import { fileMalformed } from '../../errors.js';
import { PropertyList } from '../metadata/property-list.js';

/** What the start of an IGES file says without reading its geometry. */
export interface IgesFacts {
  /** Unit of the file's numbers; undefined for one without a `LengthUnit` (mile, kilometre, mil …). */
  readonly unit: LengthUnit | undefined;
  /** False when the terminate section is missing. */
  readonly complete: boolean;
  /** Properties from the global section. */
  readonly properties: readonly Property[];
}

/** Fixed-format IGES has lines of 80 columns; column 73 names the section. */
const SECTION_COLUMN = 72;
/** Most lines of the global section that are read; real ones have a few. */
const GLOBAL_LINES = 200;
/** The start and global sections are searched within this many bytes. */
const OPENING_BYTES = 262_144;

/** Units flag of the global section, IGES 5.3, 2.2.4.3.14. */
const UNIT_FLAGS: Readonly<Record<string, LengthUnit>> = {
  '1': 'in',
  '2': 'mm',
  '4': 'ft',
  '6': 'm',
  '9': 'um',
  '10': 'cm',
};
/** Unit names used with flag 3, IGES 5.3, 2.2.4.3.15. */
const UNIT_NAMES: Readonly<Record<string, LengthUnit>> = {
  IN: 'in',
  INCH: 'in',
  MM: 'mm',
  FT: 'ft',
  M: 'm',
  UM: 'um',
  CM: 'cm',
};

/**
 * Checks the outer structure of an IGES file (IGES 5.3, fixed ASCII format) and reads its unit and properties.
 * @throws EngineError `FILE_MALFORMED` when the lines are not those of an IGES file.
 */
export function inspectIges(bytes: Uint8Array): IgesFacts {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines = text.toString('latin1', 0, OPENING_BYTES).split(/\r\n|\n|\r/);
  const sections = new Set(lines.map((line) => line[SECTION_COLUMN]));
  if (!sections.has('S') && !sections.has('G')) {
    throw fileMalformed('an IGES file has S or G in column 73 of its first lines; found neither');
  }
  const global = lines.filter((line) => line[SECTION_COLUMN] === 'G').slice(0, GLOBAL_LINES);
  const fields = globalFields(global.map((line) => line.slice(0, SECTION_COLUMN)).join(''));
  const flag = fields[13] ?? '';
  const tail = text.toString('latin1', Math.max(0, text.length - 400));
  return {
    // An empty flag means inches, by the standard's default.
    unit: flag === '3' ? UNIT_NAMES[(fields[14] ?? '').toUpperCase()] : UNIT_FLAGS[flag === '' ? '1' : flag],
    complete: tail.split(/\r\n|\n|\r/).some((line) => line[SECTION_COLUMN] === 'T'),
    properties: propertiesOf(fields),
  };
}

/** Parameters of the global section (IGES 5.3, 2.2.4.3), counted from 0, and their property names. */
const PROPERTIES: readonly (readonly [parameter: number, name: string])[] = [
  [2, 'Product id'],
  [3, 'File name'],
  [4, 'Originating system'],
  [5, 'Preprocessor'],
  [17, 'Time stamp'],
  [20, 'Author'],
  [21, 'Organization'],
  [24, 'Modified'],
];

function propertiesOf(fields: readonly string[]): readonly Property[] {
  const list = new PropertyList();
  for (const [parameter, name] of PROPERTIES) {
    const value = (fields[parameter] ?? '').trim();
    if (/^(null|none|unknown|unspecified)?$/i.test(value)) continue;
    list.add(name, name === 'Time stamp' || name === 'Modified' ? dateOf(value) : value);
  }
  return list.properties;
}

/** Converts `20180102.030405`, also with a two-digit year, to `2018-01-02T03:04:05`; returns other text unchanged. */
function dateOf(text: string): string {
  const parts = /^(\d{4}|\d\d)(\d\d)(\d\d)\.(\d\d)(\d\d)(\d\d)$/.exec(text);
  if (parts === null) return text;
  const [, year, month, day, hour, minute, second] = parts;
  const full = year.length === 4 ? year : `${Number(year) < 70 ? 20 : 19}${year}`;
  return `${full}-${month}-${day}T${hour}:${minute}:${second}`;
}

/**
 * Splits the global section at its delimiters, which are its first two fields; strings are in Hollerith form
 * (`4HINCH`).
 */
export function globalFields(text: string): string[] {
  const delimiter = text.startsWith('1H') ? text[2] : ',';
  const end = /^1H.[^1]*1H(.)/.exec(text)?.[1] ?? ';';
  const fields: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const hollerith = /^\s*(\d{1,5})H/.exec(text.slice(at, at + 16));
    const start = at + (hollerith?.[0].length ?? 0);
    at = hollerith === null ? at : start + Number(hollerith[1]);
    const stated = text.slice(start, at);
    while (at < text.length && text[at] !== delimiter && text[at] !== end) at++;
    fields.push(hollerith === null ? text.slice(start, at).trim() : stated);
    if (text[at] === end) break;
  }
  return fields;
}
