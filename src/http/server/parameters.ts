import { z } from '@hono/zod-openapi';

/** Longest value of a query parameter, characters once decoded. */
export const LENGTH_LIMIT = 65_536;
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const INT32 = 2 ** 31;

/** A GUID in one spelling (lower case, with hyphens, without braces); undefined when the text is not a GUID. */
export function guidOf(text: string): string | undefined {
  const bare = text
    .trim()
    .toLowerCase()
    .replace(/^\{(.*)\}$/, '$1')
    .replace(/^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/, '$1-$2-$3-$4-$5');
  return GUID.test(bare) ? bare : undefined;
}

/** Documentation and bounds of a parameter. */
interface Facts {
  readonly about: string;
  readonly deprecated?: true;
}

/** Text; an empty one counts as absent. */
export function text({ most = LENGTH_LIMIT, ...facts }: Facts & { readonly most?: number }) {
  return optional((value, refuse) =>
    value.length > most ? refuse(`must have at most ${most} characters, received ${value.length}`) : value,
  ).openapi({ type: 'string', maxLength: most, ...documented(facts) });
}

/** Required text. */
export function requiredText({ most = LENGTH_LIMIT, ...facts }: Facts & { readonly most?: number }) {
  return required((value, refuse) =>
    value.length > most ? refuse(`must have at most ${most} characters, received ${value.length}`) : value,
  ).openapi({ type: 'string', minLength: 1, maxLength: most, param: { required: true }, ...documented(facts) });
}

/** `true` or `false` in any letter case, 1 or 0. */
export function flag({ byDefault, ...facts }: Facts & { readonly byDefault: boolean }) {
  return optional(readFlag)
    .transform((value) => value ?? byDefault)
    .openapi({ type: 'boolean', default: byDefault, ...documented(facts) });
}

/** A flag whose absence differs from false. */
export function maybeFlag(facts: Facts) {
  return optional(readFlag).openapi({ type: 'boolean', ...documented(facts) });
}

/** A whole number of 32 bits. */
export function integer({
  byDefault,
  least = -INT32,
  most = INT32 - 1,
  ...facts
}: Facts & Range & { readonly byDefault: number }) {
  return optional(readInteger(least, most))
    .transform((value) => value ?? byDefault)
    .openapi({ type: 'integer', format: 'int32', default: byDefault, ...range(least, most), ...documented(facts) });
}

/** A whole number of 32 bits that may be absent. */
export function maybeInteger({ least = -INT32, most = INT32 - 1, ...facts }: Facts & Range) {
  return optional(readInteger(least, most)).openapi({
    type: 'integer',
    format: 'int32',
    ...range(least, most),
    ...documented(facts),
  });
}

/** A GUID. */
export function guid(facts: Facts) {
  return optional(readGuid).openapi({ type: 'string', format: 'uuid', ...documented(facts) });
}

/** A required GUID. */
export function requiredGuid(facts: Facts) {
  return required(readGuid).openapi({
    type: 'string',
    format: 'uuid',
    param: { required: true },
    ...documented(facts),
  });
}

/** Whole numbers from 0 and ranges of them, `3,4,7-9`, at most `most` numbers; required. */
export function numberList({ most, ...facts }: Facts & { readonly most: number }) {
  return required(readNumbers(most)).openapi({
    type: 'string',
    pattern: LIST.source,
    param: { required: true },
    ...documented(facts),
  });
}

/** One of these words, in any letter case; required. */
export function oneOf<const Word extends string>(words: readonly Word[], facts: Facts) {
  return required(
    (value, refuse): Word | undefined =>
      words.find((word) => word === value.toLowerCase()) ??
      refuse(`must be ${words.join(' or ')}, received ${quoted(value)}`),
  ).openapi({ type: 'string', enum: [...words], param: { required: true }, ...documented(facts) });
}

interface Range {
  readonly least?: number;
  readonly most?: number;
}

type Refuse = (message: string) => undefined;

function optional<T>(read: (value: string, refuse: Refuse) => T | undefined) {
  return z
    .string()
    .optional()
    .transform((value, context): T | undefined => {
      if (value === undefined || value === '') return undefined;
      return read(value, (message) => void context.addIssue({ code: 'custom', message }));
    });
}

function required<T>(read: (value: string, refuse: Refuse) => T | undefined) {
  return z
    .string()
    .optional()
    .transform((value, context): T => {
      const refuse = (message: string): undefined => void context.addIssue({ code: 'custom', message });
      return (value === undefined || value === '' ? refuse('is required') : read(value, refuse)) as T;
    });
}

/** A Map: an object would know `__proto__` and `constructor` as well. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function readFlag(value: string, refuse: Refuse): boolean | undefined {
  return FLAGS.get(value.toLowerCase()) ?? refuse(`must be true or false, received ${quoted(value)}`);
}

function readInteger(least: number, most: number) {
  return (value: string, refuse: Refuse): number | undefined => {
    const number = /^[+-]?\d{1,12}$/.test(value) ? Number(value) : NaN;
    return number >= least && number <= most
      ? number
      : refuse(`must be a whole number from ${least} to ${most}, received ${quoted(value)}`);
  };
}

const LIST = /^\d{1,7}(-\d{1,7})?(,\d{1,7}(-\d{1,7})?)*$/;

function readNumbers(most: number) {
  return (value: string, refuse: Refuse): number[] | undefined => {
    if (!LIST.test(value)) return refuse(`must be numbers such as 3,4,7-9, received ${quoted(value)}`);
    const numbers: number[] = [];
    for (const part of value.split(',')) {
      const [first, last = first] = part.split('-').map(Number);
      if (numbers.length + last - first >= most) return refuse(`must name at most ${most} numbers`);
      for (let number = first; number <= last; number++) numbers.push(number);
    }
    return numbers.length === 0 ? refuse('names no number') : numbers;
  };
}

function readGuid(value: string, refuse: Refuse): string | undefined {
  return guidOf(value) ?? refuse(`must be a GUID, received ${quoted(value)}`);
}

function quoted(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value);
}

function documented({ about, deprecated }: Facts): { description: string; deprecated?: true } {
  return { description: about, ...(deprecated === undefined ? {} : { deprecated }) };
}

function range(least: number, most: number): { minimum?: number; maximum?: number } {
  return { ...(least > -INT32 ? { minimum: least } : {}), ...(most < INT32 - 1 ? { maximum: most } : {}) };
}
