import { PMI_TYPE, type PmiTypeId } from './pmi.js';

/** Symbols of geometric characteristics (ISO 1101, ASME Y14.5) and their types. */
const TYPES: Readonly<Record<string, PmiTypeId>> = Object.freeze({
  '∥': PMI_TYPE.parallel,
  '⏥': PMI_TYPE.flat,
  '⊥': PMI_TYPE.perpendicular,
  '⏤': PMI_TYPE.straight,
  '⌒': PMI_TYPE.lineProfile,
  '⌓': PMI_TYPE.surfaceProfile,
  '∠': PMI_TYPE.angular,
  '⌭': PMI_TYPE.cylindrical,
  '○': PMI_TYPE.circular,
  '↗': PMI_TYPE.circularRunout,
  '⌯': PMI_TYPE.symmetry,
  '◎': PMI_TYPE.concentric,
  '⌰': PMI_TYPE.totalRunout,
  '⌖': PMI_TYPE.position,
});

const NAMES = new Map<PmiTypeId, string>([
  [PMI_TYPE.parallel, 'parallelism'],
  [PMI_TYPE.flat, 'flatness'],
  [PMI_TYPE.perpendicular, 'perpendicularity'],
  [PMI_TYPE.straight, 'straightness'],
  [PMI_TYPE.lineProfile, 'profile of a line'],
  [PMI_TYPE.surfaceProfile, 'profile of a surface'],
  [PMI_TYPE.angular, 'angularity'],
  [PMI_TYPE.cylindrical, 'cylindricity'],
  [PMI_TYPE.circular, 'roundness'],
  [PMI_TYPE.circularRunout, 'circular run-out'],
  [PMI_TYPE.symmetry, 'symmetry'],
  [PMI_TYPE.concentric, 'concentricity'],
  [PMI_TYPE.totalRunout, 'total run-out'],
  [PMI_TYPE.position, 'position'],
]);

/** The name of the characteristic whose symbol has this type; undefined for other types. */
export function nameOfCharacteristic(type: PmiTypeId): string | undefined {
  return NAMES.get(type);
}

/** Other characters that are written for these symbols. */
const LIKE: Readonly<Record<string, string>> = Object.freeze({
  '//': '∥',
  '▱': '⏥',
  '⟂': '⊥',
  '⏊': '⊥',
  '—': '⏤',
  '⊕': '⌖',
  '◯': '○',
  '⌯': '⌯',
  '≡': '⌯',
  '⩵': '⌯',
  '⌲': '⌖',
});

/** The symbol in the form that {@link typeOfCharacteristic} knows. */
export function plainCharacteristic(sign: string): string {
  return LIKE[sign] ?? sign;
}

/** The type of a symbol; undefined for other characters. */
export function typeOfCharacteristic(sign: string): PmiTypeId | undefined {
  return TYPES[plainCharacteristic(sign)];
}

/** The cells of a control frame's row that is written as one string, symbol first; undefined for other strings. */
export function cellsOf(row: string): readonly string[] | undefined {
  const cells = row.split(/\s*\|\s*|\s+/).filter((cell) => cell !== '');
  if (cells.length === 0 || typeOfCharacteristic(cells[0]) === undefined) return undefined;
  return [plainCharacteristic(cells[0]), ...cells.slice(1)];
}
