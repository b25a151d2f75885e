import type { LengthUnit } from '../../../content/units.js';
import { EngineError } from '../../../errors.js';

/** What the text of a STEP file tells without reading its geometry. */
export interface Part21Facts {
  /** First name of FILE_SCHEMA, such as AUTOMOTIVE_DESIGN; empty when there is none. */
  readonly schema: string;
  /** Unit of length of the first geometric context; undefined when none is found or it is not one that we name. */
  readonly unit: LengthUnit | undefined;
  /** Names of other files that this one refers to, without repeats, in order. */
  readonly references: readonly string[];
  /** The text with its last line put back where only that was cut off; the given bytes otherwise. */
  readonly closed: Uint8Array;
  /** False when the last line, `END-ISO-10303-21;`, was missing. */
  readonly complete: boolean;
  /** Whether any face, boundary or tessellation is in the text. */
  readonly hasSurfaces: boolean;
}

/** The opening keyword may follow a byte order mark, blanks or comments; it must start within this many bytes. */
const OPENING_BYTES = 4096;
/** The header is searched for the schema up to here. */
const HEADER_BYTES = 65_536;
/** Longest instance that is looked at, bytes. */
const INSTANCE_BYTES = 4096;
/** Entities without which there is nothing to make triangles of. */
const SURFACE_WORDS = [
  'ADVANCED_FACE',
  'FACE_SURFACE',
  '_BREP',
  'SURFACE_MODEL',
  'TESSELLATED_',
  'COMPLEX_TRIANGULATED_',
];
/** Most references to other files that are named. */
const REFERENCES_NAMED = 100;
/** Most instances looked at for each kind of reference. */
const INSTANCES_TRIED = 10_000;

/**
 * Checks the frame of a STEP file (ISO 10303-21) and looks up a few facts by searching the bytes: a few ms for a megabyte.
 * @throws EngineError `FILE_MALFORMED` when the frame is not that of a STEP file, or breaks off before the end of the data: the
 * kernel would refuse it without a reason.
 */
export function inspectPart21(bytes: Uint8Array): Part21Facts {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = text.subarray(0, OPENING_BYTES).indexOf('ISO-10303-21');
  if (start < 0) {
    throw malformed(`does not open with ISO-10303-21, but with ${JSON.stringify(slice(text, 0, 24))}`);
  }
  const complete = text.lastIndexOf('END-ISO-10303-21') > start;
  const data = text.indexOf('DATA', start);
  const header = slice(text, start, start + HEADER_BYTES);
  if (data < 0) {
    throw malformed(
      complete ? 'has no DATA section' : `breaks off after ${bytes.length} bytes, before its DATA section`,
    );
  }
  const lastSection = text.lastIndexOf('ENDSEC');
  if (!complete && lastSection < data)
    throw malformed(`breaks off after ${bytes.length} bytes, inside its DATA section`);
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
  return new EngineError('FILE_MALFORMED', `the STEP file ${what}`);
}

/** Follows the first GLOBAL_UNIT_ASSIGNED_CONTEXT((#1,#2,#3)) to the instance that is a LENGTH_UNIT. */
function lengthUnit(text: Buffer): LengthUnit | undefined {
  const at = text.indexOf('GLOBAL_UNIT_ASSIGNED_CONTEXT');
  if (at < 0) return undefined;
  const list = /^\w+\s*\(\s*\(([^)]*)\)/.exec(slice(text, at, at + INSTANCE_BYTES))?.[1] ?? '';
  for (const id of list.match(/#\d+/g)?.slice(0, 8) ?? []) {
    const instance = findInstance(text, id);
    if (!instance.includes('LENGTH_UNIT')) continue;
    if (/'(INCH|IN)'/i.test(instance)) return 'in';
    if (/'(FOOT|FEET|FT)'/i.test(instance)) return 'ft';
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

/** Text of the instance `id` (such as `#12`), up to its semicolon; empty when there is none. */
function findInstance(text: Buffer, id: string): string {
  for (const start of [`${id}=`, `${id} =`]) {
    const at = text.indexOf(start);
    if (at >= 0) return slice(text, at, at + INSTANCE_BYTES).split(';', 1)[0];
  }
  return '';
}

/** Bytes as text, one character each; bounds may lie beyond the end. */
function slice(text: Buffer, start: number, end: number): string {
  return text.toString('latin1', start, end);
}

/**
 * Files named by APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT and DOCUMENT_FILE (CAx-IF recommended practices for external
 * references), and by the REFERENCE section of edition 3. A name counts when it ends like a file name.
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
