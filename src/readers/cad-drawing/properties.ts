import type { CadDocument } from '@node-projects/acad-ts';
import { MILLIMETRES } from '../../content/units.js';
import { decodeText } from '../metadata/exif.js';
import { plainMtext } from './mtext.js';
import type { PropertyList } from '../metadata/property-list.js';

/** DXF header variables that become properties, with the properties' names. acad-ts keeps these of DWG files only. */
const DXF_VARIABLES: Readonly<Record<string, string>> = {
  $TITLE: 'Title',
  $SUBJECT: 'Subject',
  $AUTHOR: 'Author',
  $KEYWORDS: 'Keywords',
  $COMMENTS: 'Description',
  $REVISIONNUMBER: 'Revision',
  $LASTSAVEDBY: 'Last saved by',
  $PROJECTNAME: 'Project',
};
/** The header of a DXF file is searched within this many bytes. */
const HEADER_BYTES = 2 * 1024 * 1024;

/** Unit names by `$INSUNITS`. */
const UNITS: readonly string[] = ['', ...'in ft mi mm cm m km µin mil yd Å nm µm dm'.split(' ')];

/** Millimetres per unit, by `$INSUNITS`; 0 for none. */
const UNITS_MM = [
  0,
  MILLIMETRES.in,
  MILLIMETRES.ft,
  1_609_344,
  1,
  10,
  1_000,
  1_000_000,
  2.54e-5,
  0.0254,
  914.4,
  1e-7,
  1e-6,
  1e-3,
  100,
];

/** Millimetres per unit of `$INSUNITS`; null when it names no unit or an unknown one. */
export function millimetresOf(insUnits: number | undefined): number | null {
  return UNITS_MM[insUnits ?? 0] || null;
}

/** AutoCAD releases by file version. */
const RELEASES: Readonly<Record<string, string>> = {
  AC1009: 'R11/R12',
  AC1012: 'R13',
  AC1014: 'R14',
  AC1015: '2000',
  AC1018: '2004',
  AC1021: '2007',
  AC1024: '2010',
  AC1027: '2013',
  AC1032: '2018',
};

/** `AutoCAD 2010 (AC1024)`, or the bare version when the release is not known. */
export function releaseOf(version: string): string {
  const release = RELEASES[version];
  return release === undefined ? version : `AutoCAD ${release} (${version})`;
}

/** Adds the properties in the header and summary of a DWG file. */
export function addDwgHeader(list: PropertyList, { header, summaryInfo }: CadDocument): void {
  if (summaryInfo !== null) {
    list.add('Title', summaryInfo.title);
    list.add('Subject', summaryInfo.subject);
    list.add('Author', summaryInfo.author);
    list.add('Keywords', summaryInfo.keywords);
    list.add('Description', summaryInfo.comments);
    list.add('Last saved by', summaryInfo.lastSavedBy);
    list.add('Revision', summaryInfo.revisionNumber);
    for (const [name, value] of summaryInfo.properties) list.add(name, value);
  }
  if (header === null) return;
  list.add('Project', header.projectName);
  list.add('Created', dateOf(header.createDateTime));
  list.add('Modified', dateOf(header.updateDateTime));
  list.add('Units', UNITS[header.insUnits]);
  list.add('Version', releaseOf(header.versionString));
}

/** Adds the properties in the header of an ASCII DXF file, including custom ones. */
export function addDxfHeader(list: PropertyList, bytes: Uint8Array): void {
  const text = decodeText(bytes.subarray(0, HEADER_BYTES));
  const start = /(^|\n)\s*2\r?\n\s*HEADER\s*\r?\n/.exec(text);
  if (start === null) return;
  const end = /\n\s*0\r?\n\s*ENDSEC/.exec(text.slice(start.index));
  const lines = text
    .slice(start.index + start[0].length, end === null ? undefined : start.index + end.index)
    .split(/\r?\n/);
  let custom = '';
  for (let i = 0; i + 3 < lines.length; i += 2) {
    if (lines[i].trim() !== '9') continue;
    const variable = lines[i + 1].trim();
    const value = plainMtext(lines[i + 3]);
    if (variable === '$CUSTOMPROPERTYTAG') custom = value;
    else if (variable === '$CUSTOMPROPERTY') list.add(custom, value);
    else if (variable === '$ACADVER') list.add('Version', releaseOf(value.trim()));
    else if (variable === '$INSUNITS') list.add('Units', UNITS[Number(value)]);
    else if (variable === '$TDCREATE') list.add('Created', dateOf(dateOfJulian(Number(value))));
    else if (variable === '$TDUPDATE') list.add('Modified', dateOf(dateOfJulian(Number(value))));
    else if (Object.hasOwn(DXF_VARIABLES, variable)) list.add(DXF_VARIABLES[variable], value);
  }
}

/** Converts days since 1 January 4713 BC, counted from midnight, to a date. */
function dateOfJulian(days: number): Date {
  return new Date(Math.round((days - 2_440_588) * 86_400) * 1_000);
}

/** The date to the second, in local time as the file states it; undefined when there is none. */
function dateOf(date: Date | undefined): string | undefined {
  // An empty date is read as the first day of its calendar.
  if (
    date === undefined ||
    Number.isNaN(date.getTime()) ||
    date.getUTCFullYear() < 1980 ||
    date.getUTCFullYear() > 2200
  )
    return undefined;
  return date.toISOString().slice(0, 19);
}
