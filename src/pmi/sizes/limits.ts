import type { DimensionReading } from './dimension.js';
import { ANGLE, decimalsOf, NUMBER, numberOf, plainSigns, UNIT, withoutNoise } from './numbers.js';

/** Signs between two limits, and a sign that stands before the second one too: `⌀8-⌀8.2`. */
const SECOND = new RegExp(
  String.raw`^\s?(-|/|…|\.{2,3}|÷|~|to\s|bis\s)\s?(?:⌀|R)?(${ANGLE}|${NUMBER})${UNIT}(?=\s|$)`,
  'i',
);
/**
 * Limits in any order differ by less, as a share of the larger one; a smaller one that is first, with a sign or with a
 * unit, is at least so much. The larger one first with other decimals is nearer.
 */
const NEAR = 0.2;
const NEAR_UNLIKE = 0.05;
const LEAST_SIGNED = 0.6;
const LEAST_IN_UNITS = 0.2;

/**
 * Widest tolerances: grade 18 of ISO 286-1, 2560 times 0.45 cube root of D + 0.001 D (in µm, D in mm), and of
 * angles those of ISO 2768-1 very coarse, to both sides.
 */
const GRADE_18 = 2.56;
const OF_ROOT = 0.45;
const OF_SIZE = 0.001;
const WIDEST_ANGLE = 6;

/** Whether a larger and a smaller number may be the limits of one size, in mm or degrees. */
export function areNearAsLimits(upper: number, lower: number, kind: DimensionReading['kind']): boolean {
  if (!(upper > lower && lower >= LEAST_SIGNED * upper)) return false;
  const width = withoutNoise(upper - lower);
  if (kind === 'angle') return width <= WIDEST_ANGLE;
  // Without the cube root, which machines round differently.
  const root = (width / GRADE_18 - OF_SIZE * upper) / OF_ROOT;
  return root * root * root <= upper;
}

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
 * The limits of a size whose second number stands behind it: `8.20-8.00`, `5.8-5.85`, `44°-46°`, `100-99.95`. The
 * smaller one first needs no equal decimals. Undefined for a deviation, and without a sign or a unit for whole numbers
 * (`10-12` may be the number of a part), steels, days and times.
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
  if (kind === 'length' && areOtherNumbers(said, second.replace(sign, '').trim())) return false;
  if (places[0] > 0 && places[0] === places[1] && apart <= NEAR) return true;
  if (nominal > other) return Math.max(...places) > 0 && apart <= NEAR_UNLIKE;
  // `60°/120°` are two angles, or a choice of them.
  // `90°-120°` is a range of travel: tolerances of angles are narrower.
  if (second.includes('°'))
    return (
      (kind === 'angle' || kind === 'length') &&
      (sign !== '/' || apart <= NEAR) &&
      Math.abs(nominal - other) <= WIDEST_ANGLE
    );
  if (kind === 'angle') return false;
  const hasUnit = /[a-z"″]/i.test(second.replace(sign, ''));
  const isSigned = kind !== 'length';
  // A gap may close: `0.0-0.5 mm`.
  if (nominal === 0) return (hasUnit || isSigned) && places[0] > 0 && places[0] === places[1];
  // A fraction has a slash too.
  if (sign === '/') return isSigned && Math.min(...places) > 0 && nominal >= LEAST_SIGNED * other;
  if (hasUnit) return nominal >= LEAST_IN_UNITS * other;
  return isSigned ? nominal >= LEAST_SIGNED * other : apart <= NEAR && Math.max(...places) > 0;
}

/** Steels, `1.4301` (EN 10027-2). */
const STEEL = /^1\.\d{4}$/;
/** Days of a year, `27.11`, and times of a day, `10.30`. */
const DAY = /^(?:0?[1-9]|[12]\d|3[01])\.(?:0[1-9]|1[0-2])$/;
const TIME = /^(?:[01]?\d|2[0-3])\.[0-5]\d$/;
/** Ranges of days and times are as long as this; limits of so small sizes are nearer. */
const LEAST_RANGE = 0.5;

/** Whether two bare numbers are steels, days or times. Near ones are limits: `10.30-10.45`. */
function areOtherNumbers(first: string, second: string): boolean {
  const both = (pattern: RegExp): boolean => pattern.test(first) && pattern.test(second);
  if (both(STEEL)) return true;
  return (both(DAY) || both(TIME)) && Number(second) - Number(first) >= LEAST_RANGE;
}

const SPACED = new RegExp(
  String.raw`^(?:(\d{1,3})\s?[xX×]\s?)?(⌀|R|)\s?(${NUMBER})\s?(°?)\s\2?\s?(${NUMBER})\s?\4((?:\sTYP\.?)?)$`,
);

/**
 * The two limits of a dimension that stand behind each other with nothing between them, the upper one first: `350.1
 * 349.85`. Only of a text that is one dimension, as those of CAD programs are: elsewhere they are two sizes.
 */
export function spacedLimits(text: string): DimensionReading | undefined {
  const plain = plainSigns(text).trim();
  const [, count = '1', sign, first, degrees, second] = SPACED.exec(plain) ?? [];
  if (first === undefined || !(/[.,]/.test(first + second) || degrees !== '')) return undefined;
  if (degrees !== '' && sign !== '') return undefined;
  const [upper, lower] = [numberOf(first), numberOf(second)];
  const kind = degrees !== '' ? 'angle' : sign === '' ? 'length' : sign === 'R' ? 'radius' : 'diameter';
  if (!areNearAsLimits(upper, lower, kind) || lower <= (1 - NEAR) * upper) return undefined;
  return {
    kind,
    text: plain,
    toleranceTexts: [],
    count: Number(count),
    nominal: upper,
    tolerance: { upper: 0, lower: withoutNoise(lower - upper) },
    isReference: false,
  };
}
