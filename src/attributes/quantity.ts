import { UNITS, unitOf } from './quantity-units.js';

/** A number and what it measures. */
export interface Quantity {
  /** What is measured: 'length', 'area', 'mass', 'date' …; '' for a plain number. Only equal dimensions compare. */
  readonly dimension: string;
  /** In the base unit of the dimension (see {@link BASE_UNITS}); of a date, ms since 1970 UTC. */
  readonly value: number;
  /** As written, in its own unit; equal to `value` for a date. */
  readonly number: number;
}

/** The unit that {@link Quantity.value} is in, by dimension. '' (a plain number) and 'date' have none. */
export const BASE_UNITS: Readonly<Record<string, string>> = Object.freeze(
  Object.fromEntries(UNITS.map(([dimension, base]) => [dimension, base])),
);

/** Longest text that is parsed, UTF-16 units. */
const TEXT_LIMIT = 64;

/**
 * The quantity that a value states, undefined when it states none.
 *
 * A number with point or comma (`25.4`, `25,4`), with grouping where it is plain (`1,234.5`, `1.234,5`, `1 234 567`),
 * with an exponent (`1e3`), a fraction or a mixed number (`1/2`, `1 1/2`, `1½`); behind it, with or without a space, a
 * unit. The value's own unit counts before `unit`, which is that of the attribute; a unit that is not known makes a
 * plain number of it. A single comma is a decimal comma. ISO dates (`2024-05-31`, also with a time; without a zone it
 * is UTC) have the dimension 'date'. Anything else around the number (`Ø12`, `10-20`, `>5`, `M8x20`) makes it no
 * quantity. Time is linear in the length, which is at most 64.
 * @throws TypeError when one of them is no string.
 */
export function parseQuantity(value: string, unit = ''): Quantity | undefined {
  if (typeof value !== 'string') throw new TypeError(`value must be a string, received ${typeof value}`);
  if (typeof unit !== 'string') throw new TypeError(`unit must be a string, received ${typeof unit}`);
  if (value.length > TEXT_LIMIT) return undefined;
  const text = withPlainFractions(value.trim());
  const date = parseDate(text);
  if (date !== undefined) return { dimension: 'date', value: date, number: date };
  const [number, end] = readNumber(text);
  if (number === undefined) return undefined;
  const written = text.slice(end).trim();
  // People abbreviate with a point: `1 in.`
  const own = written === '' ? undefined : (unitOf(written) ?? unitOf(written.replace(/\.$/, '')));
  if (written !== '' && own === undefined) return undefined;
  const known = own ?? unitOf(unit.trim());
  if (known === undefined) return { dimension: '', value: number, number };
  // A number that overflows the base unit still compares as larger, or smaller, than all others.
  const base = Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number * known.factor + known.offset));
  return { dimension: known.dimension, value: base, number };
}

const FRACTION_SIGNS = /[\u00bc-\u00be\u2150-\u215e]/u;

/** `1½` as `1 1/2`. */
function withPlainFractions(text: string): string {
  const at = text.search(FRACTION_SIGNS);
  if (at < 0) return text.replace('\u2044', '/');
  const before = text.slice(0, at).trimEnd();
  const fraction = text[at].normalize('NFKC').replace('\u2044', '/');
  return `${before}${/\d$/.test(before) ? ' ' : ''}${fraction}${text.slice(at + 1)}`;
}

/** The number at the beginning, and where it ends. */
function readNumber(text: string): [number: number | undefined, end: number] {
  let at = 0;
  let sign = 1;
  if (text[at] === '+' || text[at] === '-' || text[at] === '\u2212') sign = text[at++] === '+' ? 1 : -1;
  const whole = readDecimal(text, at);
  if (whole === undefined) return [undefined, at];
  at = whole.end;
  if (whole.integer) {
    // 3/4, or 1 3/4 (also written 1-3/4).
    const over = readFraction(text, at, whole.value);
    if (over !== undefined) return [finite(sign * over.value), over.end];
    const gap = text[at] === ' ' || text[at] === '-' ? readInteger(text, at + 1) : undefined;
    const part = gap && readFraction(text, gap.end, gap.value);
    if (part !== undefined && part.value < 1) return [finite(sign * (whole.value + part.value)), part.end];
  }
  return [finite(sign * whole.value), at];
}

interface Read {
  readonly value: number;
  readonly end: number;
}

function readFraction(text: string, at: number, numerator: number): Read | undefined {
  if (text[at] !== '/') return undefined;
  const under = readInteger(text, at + 1);
  return under === undefined || under.value === 0 ? undefined : { value: numerator / under.value, end: under.end };
}

function readInteger(text: string, at: number): Read | undefined {
  const end = digitsEnd(text, at);
  return end === at ? undefined : { value: Number(text.slice(at, end)), end };
}

/** Digits with grouping, decimals and exponent. */
function readDecimal(text: string, start: number): (Read & { integer: boolean }) | undefined {
  // All digits and the marks between them; what the marks mean shows when all are known.
  const pieces: string[] = [];
  const marks: string[] = [];
  let at = start;
  for (;;) {
    const end = digitsEnd(text, at);
    pieces.push(text.slice(at, end));
    at = end;
    if (!isMark(text[at]) || !(isDigit(text[at + 1]) || (pieces.length === 1 && text[at] !== ' ' && pieces[0] !== '')))
      break;
    // A space groups only when three digits follow: `1 1/2` is a mixed number.
    if (text[at] !== '.' && text[at] !== ',' && digitsEnd(text, at + 1) !== at + 4) break;
    marks.push(text[at++]);
  }
  const digits = plainDigits(pieces, marks);
  if (digits === undefined) return undefined;
  const exponent = exponentEnd(text, at);
  const value = Number(digits + text.slice(at, exponent));
  return { value, end: exponent, integer: marks.length === 0 && exponent === at };
}

/** The digits with a point as the decimal mark; undefined when the marks make no number. */
function plainDigits(pieces: readonly string[], marks: readonly string[]): string | undefined {
  const last = marks.at(-1);
  if (last === undefined) return pieces[0] === '' ? undefined : pieces[0];
  const group = marks[0];
  // One point or comma is the decimal mark; of several, the last one if it differs from those before.
  const decimal = (last === '.' || last === ',') && (marks.length === 1 || last !== group) ? pieces.at(-1) : undefined;
  const whole = decimal === undefined ? pieces : pieces.slice(0, -1);
  const groups = decimal === undefined ? marks : marks.slice(0, -1);
  if (groups.some((mark) => mark !== group) || whole.slice(1).some(({ length }) => length !== 3)) return undefined;
  if (groups.length > 0 && (whole[0] === '' || whole[0].length > 3)) return undefined;
  const integer = whole.join('');
  return integer === '' && (decimal ?? '') === '' ? undefined : `${integer === '' ? '0' : integer}.${decimal ?? ''}`;
}

/** After `e-12` and the like, if it is there; an `e` without digits belongs to a unit. */
function exponentEnd(text: string, at: number): number {
  if (text[at] !== 'e' && text[at] !== 'E') return at;
  const digits = text[at + 1] === '-' || text[at + 1] === '+' ? at + 2 : at + 1;
  const end = digitsEnd(text, digits);
  return end === digits ? at : end;
}

function digitsEnd(text: string, at: number): number {
  let end = at;
  while (isDigit(text[end])) end++;
  return end;
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9';
}

function isMark(character: string | undefined): boolean {
  return character !== undefined && ".,' \u00A0\u202F".includes(character);
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}

const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

function parseDate(text: string): number | undefined {
  const match = ISO_DATE.exec(text);
  if (match === null) return undefined;
  const [, year, month, day] = match;
  // 2024-02-31 would quietly become a day of March.
  if (Number(day) < 1 || Number(day) > new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate())
    return undefined;
  const zoned = text.length === 10 || /(?:Z|[+-]\d{2}:?\d{2})$/.test(text.slice(10)) ? text : `${text}Z`;
  const time = Date.parse(zoned.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/, text.length > 10 ? '$1:$2' : '$&'));
  return Number.isFinite(time) ? time : undefined;
}
