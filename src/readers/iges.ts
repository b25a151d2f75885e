import type { LengthUnit } from '../content/units.js';
import { EngineError } from '../errors.js';

/** What the start of an IGES file tells without reading its geometry. */
export interface IgesFacts {
  /** Unit of the file's numbers; undefined when it is none that we name (mile, kilometre, mil …). */
  readonly unit: LengthUnit | undefined;
  /** False when the terminate section is missing. */
  readonly complete: boolean;
}

/** Fixed-format IGES has lines of 80 columns; column 73 names the section. */
const SECTION_COLUMN = 72;
/** Global sections have a few lines; more are not looked at. */
const GLOBAL_LINES = 200;
/** Bytes in which start and global section are looked for. */
const OPENING_BYTES = 262_144;

/** Units flag of the global section, IGES 5.3, 2.2.4.3.14. */
const UNIT_FLAGS: Readonly<Record<string, LengthUnit>> = {
  '1': 'in', '2': 'mm', '4': 'ft', '6': 'm', '9': 'um', '10': 'cm',
};
/** Unit names used with flag 3, IGES 5.3, 2.2.4.3.15. */
const UNIT_NAMES: Readonly<Record<string, LengthUnit>> = {
  IN: 'in', INCH: 'in', MM: 'mm', FT: 'ft', M: 'm', UM: 'um', CM: 'cm',
};

/**
 * Checks the frame of an IGES file (IGES 5.3, fixed ASCII format) and reads its unit.
 * @throws EngineError `FILE_MALFORMED` when the lines are not those of an IGES file.
 */
export function inspectIges(bytes: Uint8Array): IgesFacts {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lines = text.toString('latin1', 0, OPENING_BYTES).split(/\r\n|\n|\r/);
  const sections = new Set(lines.map((line) => line[SECTION_COLUMN]));
  if (!sections.has('S') && !sections.has('G')) {
    throw new EngineError('FILE_MALFORMED', 'an IGES file has S or G in column 73 of its first lines; found neither');
  }
  const global = lines.filter((line) => line[SECTION_COLUMN] === 'G').slice(0, GLOBAL_LINES);
  const fields = globalFields(global.map((line) => line.slice(0, SECTION_COLUMN)).join(''));
  const flag = fields[13] ?? '';
  const tail = text.toString('latin1', Math.max(0, text.length - 400));
  return {
    // An empty flag means inches by the standard's default.
    unit: flag === '3' ? UNIT_NAMES[(fields[14] ?? '').toUpperCase()] : UNIT_FLAGS[flag === '' ? '1' : flag],
    complete: tail.split(/\r\n|\n|\r/).some((line) => line[SECTION_COLUMN] === 'T'),
  };
}

/** Splits the global section at its own delimiters; strings are in Hollerith form (`4HINCH`). */
function globalFields(text: string): string[] {
  const delimiter = text.startsWith('1H') ? text[2] : ',';
  const end = /^1H.[^1]*1H(.)/.exec(text)?.[1] ?? ';';
  const fields: string[] = [];
  let at = 0;
  while (at < text.length) {
    const hollerith = /^\s*(\d{1,5})H/.exec(text.slice(at, at + 16));
    let field: string;
    if (hollerith !== null) {
      const start = at + hollerith[0].length;
      const length = Number(hollerith[1]);
      field = text.slice(start, start + length);
      at = start + length;
      while (at < text.length && text[at] !== delimiter && text[at] !== end) at++;
    } else {
      const from = at;
      while (at < text.length && text[at] !== delimiter && text[at] !== end) at++;
      field = text.slice(from, at).trim();
    }
    fields.push(field);
    if (text[at] === end) break;
    at++;
  }
  return fields;
}
