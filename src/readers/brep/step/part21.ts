import type { LengthUnit } from '../../../content/units.js';
import { type EngineError, fileMalformed } from '../../../errors.js';

/** What the text of a STEP file says without reading its geometry. */
export interface Part21Facts {
  /** First name of FILE_SCHEMA, such as AUTOMOTIVE_DESIGN; empty when there is none. */
  readonly schema: string;
  /** Length unit of the first geometric context; undefined when there is none or it has no name here. */
  readonly unit: LengthUnit | undefined;
  /** Names of the other files that this one refers to, each once, in order. */
  readonly references: readonly string[];
  /** The bytes to hand to the kernel: with the closing lines added when only those were missing, else unchanged. */
  readonly closed: Uint8Array;
  /** False when the closing line, `END-ISO-10303-21;`, is missing. */
  readonly complete: boolean;
  /** Whether the text mentions any face, boundary representation or tessellation. */
  readonly hasSurfaces: boolean;
}

/** The opening keyword may follow a byte order mark, blanks or comments; it must start within this many bytes. */
const OPENING_BYTES = 4096;
/** The header is searched for the schema within this many bytes. */
const HEADER_BYTES = 65_536;
/** Longest instance that is read, bytes. */
const INSTANCE_BYTES = 4096;
/** Words of which at least one occurs in every file that can be tessellated. */
const SURFACE_WORDS = [
  'ADVANCED_FACE',
  'FACE_SURFACE',
  '_BREP',
  'SURFACE_MODEL',
  'TESSELLATED_',
  'COMPLEX_TRIANGULATED_',
];
/** Most external files that are listed. */
const REFERENCES_NAMED = 100;
/** Most instances examined for each kind of reference. */
const INSTANCES_TRIED = 10_000;

/**
 * Checks the outer structure of a STEP file (ISO 10303-21) and finds a few facts by searching the bytes: a few ms per
 * MB.
 * @throws EngineError `FILE_MALFORMED` when the structure is not that of a STEP file, or the file ends inside its data.
 * The kernel would refuse such a file without a reason.
 */
export function inspectPart21(bytes: Uint8Array): Part21Facts {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = text.subarray(0, OPENING_BYTES).indexOf('ISO-10303-21');
  if (start < 0) {
    throw malformed(`opens with ${JSON.stringify(slice(text, 0, 24))}; expected ISO-10303-21`);
  }
  const complete = text.lastIndexOf('END-ISO-10303-21') > start;
  const data = text.indexOf('DATA', start);
  const header = slice(text, start, start + HEADER_BYTES);
  if (data < 0) {
    throw malformed(
      complete ? 'has no DATA section' : `is truncated after ${bytes.length} bytes, before its DATA section`,
    );
  }
  const lastSection = text.lastIndexOf('ENDSEC');
  if (!complete && lastSection < data)
    throw malformed(`is truncated after ${bytes.length} bytes, inside its DATA section`);
  return {
    schema: /FILE_SCHEMA\s*\(\s*\(\s*'\s*([^'{]*?)\s*['{]/.exec(header)?.[1] ?? '',
    unit: lengthUnit(text),
    references: references(text),
    closed: complete
      ? bytes
      : Buffer.concat([text.subarray(0, lastSection), Buffer.from('ENDSEC;\nEND-ISO-10303-21;\n')]),
    complete,
    hasSurfaces: SURFACE_WORDS.some((word) => text.indexOf(word, start) >= 0),
  };
}

function malformed(what: string): EngineError {
  return fileMalformed(`the STEP file ${what}`);
}

/** Follows the first GLOBAL_UNIT_ASSIGNED_CONTEXT((#1,#2,#3)) to the instance that is a LENGTH_UNIT. */
function lengthUnit(text: Buffer): LengthUnit | undefined {
  const at = text.indexOf('GLOBAL_UNIT_ASSIGNED_CONTEXT');
  if (at < 0) return undefined;
  const list = /^\w+\s*\(\s*\(([^)]*)\)/.exec(slice(text, at, at + INSTANCE_BYTES))?.[1] ?? '';
  for (const id of list.match(/#\d+/g)?.slice(0, 8) ?? []) {
    const instance = findInstance(text, id);
    if (!instance.includes('LENGTH_UNIT')) continue;
    // Some exporters write metres, too, as a unit that they convert (by 1.0).
    const named = /CONVERSION_BASED_UNIT\s*\(\s*'\s*([^']*?)\s*'/.exec(instance)?.[1];
    const converted = named === undefined ? undefined : NAMED_UNITS[named.toUpperCase().replace(/METER$/, 'METRE')];
    if (converted !== undefined) return converted;
    const prefix = /SI_UNIT\s*\(\s*(\$|\.\w+\.)\s*,\s*\.METRE\./.exec(instance)?.[1];
    if (prefix !== undefined) return SI_PREFIXES[prefix];
  }
  return undefined;
}

const SI_PREFIXES: Readonly<Record<string, LengthUnit>> = {
  $: 'm',
  '.CENTI.': 'cm',
  '.MILLI.': 'mm',
  '.MICRO.': 'um',
};

/** Names of units that are given by their conversion. */
const NAMED_UNITS: Readonly<Record<string, LengthUnit>> = {
  INCH: 'in',
  IN: 'in',
  FOOT: 'ft',
  FEET: 'ft',
  FT: 'ft',
  METRE: 'm',
  CENTIMETRE: 'cm',
  MILLIMETRE: 'mm',
  MICROMETRE: 'um',
};

/** Text of the instance `id` (such as `#12`) up to its semicolon; '' when there is none. */
function findInstance(text: Buffer, id: string): string {
  for (const start of [`${id}=`, `${id} =`]) {
    const at = text.indexOf(start);
    if (at >= 0) return slice(text, at, at + INSTANCE_BYTES).split(';', 1)[0];
  }
  return '';
}

/** Bytes as text, one character per byte. The bounds may lie beyond the end. */
function slice(text: Buffer, start: number, end: number): string {
  return text.toString('latin1', start, end);
}

/**
 * External files named by APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT and DOCUMENT_FILE (CAx-IF recommended practices
 * for external references), or by the REFERENCE section of edition 3. A text counts as a file name when it ends in an
 * extension.
 */
function references(text: Buffer): string[] {
  const names = new Set<string>();
  for (const keyword of ['EXTERNAL_IDENTIFICATION_ASSIGNMENT', 'DOCUMENT_FILE']) {
    for (
      let at = text.indexOf(keyword), tried = 0;
      at >= 0 && tried < INSTANCES_TRIED;
      at = text.indexOf(keyword, at + 1), tried++
    ) {
      const name = /^\w+\s*\(\s*'([^']*\.\w{1,8})'/.exec(slice(text, at, at + INSTANCE_BYTES))?.[1];
      if (name !== undefined && names.size < REFERENCES_NAMED) names.add(name);
    }
  }
  const section = text.indexOf('REFERENCE;');
  if (section >= 0 && /(ENDSEC|ISO-10303-21)\s*;\s*$/.test(slice(text, Math.max(0, section - 64), section))) {
    const end = text.indexOf('ENDSEC', section);
    for (const [, name] of slice(text, section, Math.min(end < 0 ? section : end, section + HEADER_BYTES)).matchAll(
      /<([^<>#]+)#/g,
    )) {
      if (names.size < REFERENCES_NAMED) names.add(name);
    }
  }
  return [...names];
}
