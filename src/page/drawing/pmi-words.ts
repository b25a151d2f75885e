import type { PmiGroup, PmiObject } from '../../index.js';

/** Groups of annotations in display order, with their displayed names. */
const PMI_GROUPS: readonly { readonly group: PmiGroup; readonly name: string }[] = [
  { group: 'Measurement', name: 'Dimensions' },
  { group: 'GD&T', name: 'Geometric tolerances' },
  { group: 'Datum', name: 'Datums' },
  { group: 'SurfaceFinish', name: 'Surface finish' },
  { group: 'GeneralTolerance', name: 'General tolerances' },
  { group: '', name: 'Others' },
];

/** Displayed names of annotation types, by their numbers in the HTTP interface. */
const TYPE_NAMES: Readonly<Record<number, string>> = {
  1: 'First angle projection',
  2: 'Third angle projection',
  3: 'Diameter',
  4: 'View',
  5: 'Control frame',
  16: 'Surface finish',
  17: 'Machined finish',
  18: 'Diameter sign',
  19: 'Ordinate dimension',
  20: 'Parallelism',
  21: 'Flatness',
  22: 'Perpendicularity',
  23: 'Straightness',
  24: 'Profile of a line',
  25: 'Profile of a surface',
  26: 'Angularity',
  27: 'Cylindricity',
  28: 'Circularity',
  29: 'Circular run-out',
  30: 'Symmetry',
  31: 'Concentricity',
  32: 'Total run-out',
  33: 'True position',
  34: 'Datum',
  35: 'Radius',
  36: 'Outer edges',
  37: 'Inner edges',
  38: 'Finish, no removal',
  39: 'Plus or minus',
  40: 'Leader',
  41: 'Depth',
  42: '3D view',
  44: 'Surface texture',
  45: 'Texture, no removal',
  46: 'Texture, removal',
  47: 'Table',
  48: 'Counterbore',
};

/** The members of each group in display order; groups without members are left out. */
export function grouped<T extends { readonly group?: PmiGroup }>(all: readonly T[]) {
  return PMI_GROUPS.map((one) => ({ ...one, members: all.filter(({ group }) => group === one.group) })).filter(
    ({ members }) => members.length > 0,
  );
}

/** Whether it is a view; views are not listed as annotations but in the view list. */
export function isView({ typeId: type }: Pick<PmiObject, 'typeId'>): boolean {
  return type === 4 || type === 42;
}

/** Displayed name of the type, such as `Diameter`; `Dimension` for plain dimensions. */
export function typeName({ typeId: type }: Pick<PmiObject, 'typeId'>): string {
  return TYPE_NAMES[type] ?? 'Dimension';
}

/** The confidence of text that stands in the file: nobody asks how sure it is. */
const SURE = 0.99;

/**
 * What is said of a reading, and how sure it is where it is one of lines or pixels: `Diameter, 62 % sure`. Text in the
 * file is sure, so nothing is added.
 */
export function withSureness(said: string, { confidence }: Pick<PmiObject, 'confidence'>): string {
  const sure = confidence === undefined || confidence >= SURE ? '' : `${Math.round(100 * confidence)} % sure`;
  return [said, sure].filter((part) => part !== '').join(', ');
}

/** The text of an annotation on one line: `⌀6.60 +0.40 −0.10`. */
export function readingOf({ parts }: Pick<PmiObject, 'parts'>): string {
  return parts
    .map(({ text, tolerance = [] }) => [text, ...tolerance].join(' '))
    .join(' · ')
    .replace(/(^| )-(?=[\d.])/g, '$1\u2212')
    .replace(/\s+/g, ' ')
    .trim();
}
