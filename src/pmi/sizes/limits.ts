import type { DimensionReading } from './dimension.js';
import { ANGLE, decimalsOf, NUMBER, numberOf, UNIT, withoutNoise } from './numbers.js';

/** Signs between two limits, and a sign that stands before the second one too: `⌀8-⌀8.2`. */
const SECOND = new RegExp(
  String.raw`^\s?(-|/|…|\.{2,3}|÷|~|to\s|bis\s)\s?(?:⌀|R)?(${ANGLE}|${NUMBER})${UNIT}(?=\s|$)`,
  'i',
);
/**
 * Limits in any order differ by less, as a share of the larger one; a smaller one that is first, with a sign or with a
 * unit, is at least so much.
 */
const NEAR = 0.2;
const LEAST_SIGNED = 0.6;
const LEAST_IN_UNITS = 0.2;

/** The second limit of a size. */
export interface FoundLimits {
  /** As written, with the sign between both. */
  readonly said: string;
  /** The larger size, and the smaller one relative to it. */
  readonly upper: number;
  readonly lower: number;
  /** Whether the second one alone says that both are degrees: `1-2°`. */
  readonly isAngle: boolean;
  readonly rest: string;
}

/**
 * The limits of a size whose second number stands behind it: `8.20-8.00`, `5.8-5.85`, `44°-46°`. The smaller one first
 * needs no equal decimals. Undefined for a deviation, and for whole numbers without a sign or a unit: `10-12` may be the
 * number of a part.
 */
export function limitsAt({
  kind,
  nominal,
  said,
  behind,
}: Pick<DimensionReading, 'kind' | 'nominal'> & {
  readonly said: string;
  readonly behind: string;
}): FoundLimits | undefined {
  const found = kind === 'thread' || kind === 'chamfer' ? null : SECOND.exec(behind);
  if (found === null) return undefined;
  const other = numberOf(found[2]);
  const larger = Math.max(nominal, other);
  if (!areLimits({ kind, nominal, said, sign: found[1], second: found[0] }, other)) return undefined;
  return {
    said: found[0],
    upper: larger,
    lower: withoutNoise(Math.min(nominal, other) - larger),
    isAngle: found[2].includes('°'),
    rest: behind.slice(found[0].length),
  };
}

function areLimits(
  {
    kind,
    nominal,
    said,
    sign,
    second,
  }: Pick<DimensionReading, 'kind' | 'nominal'> & { said: string; sign: string; second: string },
  other: number,
): boolean {
  if (nominal === other) return false;
  const places = [decimalsOf(said.replace(/\s?(?:mm|in|["″°])$/i, '')), decimalsOf(second)];
  const apart = Math.abs(nominal - other) / Math.max(nominal, other);
  if (places[0] > 0 && places[0] === places[1] && apart <= NEAR) return true;
  if (nominal > other) return false;
  if (second.includes('°')) return kind === 'angle' || kind === 'length';
  if (kind === 'angle') return false;
  const hasUnit = /[a-z"″]/i.test(second.replace(sign, ''));
  const isSigned = kind !== 'length';
  // A fraction has a slash too.
  if (sign === '/') return isSigned && Math.min(...places) > 0 && nominal >= LEAST_SIGNED * other;
  if (hasUnit) return nominal >= LEAST_IN_UNITS * other;
  return isSigned ? nominal >= LEAST_SIGNED * other : apart <= NEAR && Math.max(...places) > 0;
}
