import type { DimensionReading } from './dimension.js';
import { ANGLE, decimalsOf, NUMBER, numberOf, UNIT, withoutNoise } from './numbers.js';

/** Signs between two limits, and a sign that stands before the second one too: `⌀8-⌀8.2`. */
const SECOND = new RegExp(
  String.raw`^\s?(-|/|…|\.{2,3}|÷|~|to\s|bis\s)\s?(?:⌀|R)?(${ANGLE}|${NUMBER})${UNIT}(?=\s|$)`,
  'i',
);
/** Limits in any order differ by less, as a share of the larger one; a smaller one that is first is at least so much. */
const NEAR = 0.2;
const LEAST_FIRST = 0.6;

/** The second limit of a size. */
export interface FoundLimits {
  /** As written, with the sign between both. */
  readonly said: string;
  /** The larger size, and the smaller one relative to it. */
  readonly upper: number;
  readonly lower: number;
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
  if (kind === 'angle') return second.includes('°') && nominal < other;
  const isMeasured = kind !== 'length' || /[a-z"″]/i.test(said + second.replace(sign, ''));
  // A fraction has a slash too.
  if (nominal > other || (sign === '/' && !(isMeasured && Math.min(...places) > 0))) return false;
  return isMeasured ? nominal >= LEAST_FIRST * other : apart <= NEAR && Math.max(...places) > 0;
}
