import type { AttributeOperator, AttributeTest } from './expression.js';

/**
 * What must hold of one value of an attribute; names and values are compared without regard to case.
 *
 * `contains`: its words stand in the value, in any order; a number is also found in other units and forms. `equals`: the whole
 * value, or a quantity of the same size (`1in` is 25.4 mm). `prefix`: the value has words that begin so. `below`, `above`,
 * `least`, `most`: the value is a number less than, more than, at least, at most this.
 *
 * `unit` is that of a number which has none itself; absent, the number is in the unit of the attribute, or where that has none
 * in the unit of each value.
 */
export type AttributeFilter = { readonly name: string; readonly unit?: string } & (
  | { readonly contains: string }
  | { readonly equals: string | number }
  | { readonly prefix: string }
  | { readonly below: number }
  | { readonly above: number }
  | { readonly least: number }
  | { readonly most: number }
);

const OPERATORS: Readonly<Record<string, AttributeOperator>> = {
  contains: 'contains', equals: 'equals', prefix: 'prefix', below: '<', most: '<=', above: '>', least: '>=',
};
const TEXT_LENGTH_LIMIT = 10_000;

/** @throws TypeError or RangeError that names `what` and the field. */
export function checkAttributeFilter(what: string, filter: unknown): AttributeTest {
  if (typeof filter !== 'object' || filter === null) throw new TypeError(`${what} must be an object, received ${String(filter)}`);
  const { name, unit = '', ...tests } = filter as Record<string, unknown>;
  checkText(`${what}.name`, name);
  if (name.trim() === '') throw new RangeError(`${what}.name must not be empty`);
  checkText(`${what}.unit`, unit);
  const given = Object.entries(tests).filter(([, value]) => value !== undefined);
  const unknown = given.find(([key]) => !Object.hasOwn(OPERATORS, key));
  if (unknown !== undefined) throw new TypeError(`${what}.${unknown[0]} is not a field; known are name, unit, ${Object.keys(OPERATORS).join(', ')}`);
  if (given.length !== 1) throw new TypeError(`${what} must have exactly one of ${Object.keys(OPERATORS).join(', ')}, has ${given.length}`);
  const [key, value] = given[0];
  const operator = OPERATORS[key];
  const takesNumber = operator === 'equals' || '<>'.includes(operator[0]);
  if (takesNumber && typeof value === 'number') {
    if (!Number.isFinite(value)) throw new RangeError(`${what}.${key} must be finite, received ${value}`);
    return { name: name.trim(), unit, operator, value: String(value) };
  }
  if ('<>'.includes(operator[0])) throw new TypeError(`${what}.${key} must be a number, received ${typeof value}`);
  checkText(`${what}.${key}`, value);
  if (operator !== 'equals' && value.trim() === '') throw new RangeError(`${what}.${key} must not be empty`);
  return { name: name.trim(), unit, operator, value };
}

function checkText(what: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string, received ${typeof value}`);
  if (value.length > TEXT_LENGTH_LIMIT) throw new RangeError(`${what} must have at most ${TEXT_LENGTH_LIMIT} characters, received ${value.length}`);
}
