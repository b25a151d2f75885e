import { SIZE_MODIFIER } from '../dimension-words.js';
import type { DimensionReading } from './dimension.js';
import { LIMIT_ABOVE, LIMIT_BELOW } from './limit-words.js';
import { NUMBER, numberOf, plainSigns } from './numbers.js';

const NUMBERS = new RegExp(`${NUMBER}\\s?°?`, 'g');
/** Of chamfers that state none: equal legs, `C2`. */
const HALF_RIGHT = 45;
/** Modifiers of sizes (ISO 14405-1) in brackets or circles. */
const MODIFIERS = new RegExp(SIZE_MODIFIER, 'g');
/** Angles of chamfers that need no sign. */
const USUAL = /^(?:30|45|60)$/;

/**
 * What a size states beside its kind and its number, and what two equal numbers may differ in: `S` of a sphere, `max`
 * and `min` of a size that is a limit, `45°` of a chamfer, also of one that has equal legs, `E` of the envelope
 * requirement and other modifiers. '' for none.
 */
export function formOfSize({ kind, text }: Pick<DimensionReading, 'kind' | 'text'>): string {
  const plain = plainSigns(text);
  const said = [
    /(?:^|\s)\(?S(?=⌀|R\s?[\d.,])/.test(plain) ? 'S' : '',
    LIMIT_ABOVE.test(plain) ? 'max' : LIMIT_BELOW.test(plain) ? 'min' : '',
    kind === 'chamfer' ? chamferOf(plain) : '',
    modifiersIn(plain),
  ];
  return said.filter((each) => each !== '').join(' ');
}

function chamferOf(text: string): string {
  const all = text.match(NUMBERS) ?? [];
  const angle = all.find((each) => each.includes('°'));
  if (angle !== undefined) return `${numberOf(angle)}°`;
  const [leg, other] = all.slice(-2);
  if (other === undefined || numberOf(other) === numberOf(leg)) return `${HALF_RIGHT}°`;
  return USUAL.test(other) ? `${numberOf(other)}°` : `x${numberOf(other)}`;
}

function modifiersIn(text: string): string {
  const all = text.match(MODIFIERS) ?? [];
  return all.map((each) => each.normalize('NFKC').replace(/[()]/g, '')).join(' ');
}
