import type { Characteristic } from '../content/model-annotation.js';
import { nameOfPmiType, PMI_TYPE, type PmiTypeId } from './pmi.js';

/** Symbols of geometric characteristics (ISO 1101, ASME Y14.5) and their types. */
export const CHARACTERISTICS: Readonly<Record<Characteristic, readonly [sign: string, type: PmiTypeId]>> =
  Object.freeze({
    parallelism: ['∥', PMI_TYPE.parallel],
    flatness: ['⏥', PMI_TYPE.flat],
    perpendicularity: ['⊥', PMI_TYPE.perpendicular],
    straightness: ['⏤', PMI_TYPE.straight],
    lineProfile: ['⌒', PMI_TYPE.lineProfile],
    surfaceProfile: ['⌓', PMI_TYPE.surfaceProfile],
    angularity: ['∠', PMI_TYPE.angular],
    cylindricity: ['⌭', PMI_TYPE.cylindrical],
    roundness: ['○', PMI_TYPE.circular],
    circularRunout: ['↗', PMI_TYPE.circularRunout],
    symmetry: ['⌯', PMI_TYPE.symmetry],
    concentricity: ['◎', PMI_TYPE.concentric],
    totalRunout: ['⌰', PMI_TYPE.totalRunout],
    position: ['⌖', PMI_TYPE.position],
  });
const TYPES: ReadonlyMap<string, PmiTypeId> = new Map(Object.values(CHARACTERISTICS));

/** Other characters that are written for these symbols. */
const LIKE: ReadonlyMap<string, string> = new Map([
  ['//', '∥'],
  ['▱', '⏥'],
  ['⟂', '⊥'],
  ['⏊', '⊥'],
  ['—', '⏤'],
  ['⊕', '⌖'],
  ['⌲', '⌖'],
  ['◯', '○'],
  ['≡', '⌯'],
  ['⩵', '⌯'],
]);

/** Signs by their letters in fonts of symbols (gdt.shx, AMGDT), which CAD texts name by a style that may be lost. */
const BY_LETTER: ReadonlyMap<string, string> = new Map(
  'a∠ b⊥ c⏥ d⌓ e○ f∥ g⌭ h↗ i⌯ j⌖ k⌒ r◎ t⌰ u⏤'.split(' ').map(([letter, sign]) => [letter, sign]),
);

/** Where Unicode has the letters of such fonts for private use. */
const SYMBOL_FONT = 0xf000;

/** The sign that a letter of a font of symbols draws, also in the range that such fonts have for private use. */
export function signOfLetter(letter: string): string | undefined {
  const code = letter.codePointAt(0) ?? 0;
  return BY_LETTER.get(
    code > SYMBOL_FONT && code <= SYMBOL_FONT + 0x7f ? String.fromCharCode(code - SYMBOL_FONT) : letter,
  );
}

/** The name of the characteristic whose symbol has this type; undefined for other types. */
export function nameOfCharacteristic(type: PmiTypeId): string | undefined {
  return type >= PMI_TYPE.parallel && type <= PMI_TYPE.position ? nameOfPmiType(type) : undefined;
}

/** The symbol in the form that {@link typeOfCharacteristic} knows. */
export function plainCharacteristic(sign: string): string {
  return LIKE.get(sign) ?? sign;
}

/** The type of a symbol; undefined for other characters. */
export function typeOfCharacteristic(sign: string): PmiTypeId | undefined {
  return TYPES.get(plainCharacteristic(sign));
}

const OF_FORM: ReadonlySet<PmiTypeId> = new Set([
  PMI_TYPE.flat,
  PMI_TYPE.straight,
  PMI_TYPE.circular,
  PMI_TYPE.cylindrical,
]);

/** Whether a symbol is that of a tolerance of form, which has no datum (ISO 1101, ASME Y14.5). */
export function isOfForm(sign: string): boolean {
  const type = typeOfCharacteristic(sign);
  return type !== undefined && OF_FORM.has(type);
}

/** The cells of a control frame's row that is written as one string, symbol first; undefined for other strings. */
export function cellsOf(row: string): readonly string[] | undefined {
  const cells = row.split(/\s*\|\s*|\s+/).filter((cell) => cell !== '');
  if (cells.length === 0 || typeOfCharacteristic(cells[0]) === undefined) return undefined;
  return [plainCharacteristic(cells[0]), ...cells.slice(1)];
}

/** Notes that restrict frames and datums (ASME Y14.5). */
const NOTE = new RegExp(
  String.raw`^(?:\d{1,3}X\s+)?(?:INDIVIDUALLY|\d{1,3} SURFACES|SIM(?:ULTANEOUS)? REQ\S*(?: \d+)?|` +
    String.raw`SEP(?:ARATE)? REQ\S*(?: \d+)?|ALL (?:OVER|AROUND)|[A-Z]\d? ?↔ ?[A-Z]\d?|BETWEEN .{1,12})$`,
);

/** Whether a text below or behind a control frame restricts it: `4X INDIVIDUALLY`, `SIM REQT 1`, `2 SURFACES`. */
export function isFrameNote(text: string): boolean {
  return NOTE.test(text);
}
