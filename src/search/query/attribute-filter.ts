import { parseQuantity } from '../../attributes/quantity.js';
import type { AttributeOperator, AttributeTest } from './expression.js';

/**
 * A condition on one value of an attribute. Names and values are compared without regard to case.
 *
 * `contains`: the value has these words, in any order; a number also matches in other units and forms. `equals`: the
 * whole value, or an equal quantity (`1in` equals 25.4 mm). `prefix`: the value has words with these beginnings.
 * `exists`: the file has the attribute, with any value. `below`, `above`, `least`, `most`: the value is less than, more
 * than, at least, at most this number, quantity (`20mm`) or ISO date (`2024-05-31`).
 *
 * `unit` applies to a number without a unit of its own. Without it, such a number is in the unit of the attribute, or
 * if that has none, in the unit of each value.
 */
export type AttributeFilter = { readonly name: string; readonly unit?: string } & (
  | { readonly contains: string }
  | { readonly equals: string | number }
  | { readonly prefix: string }
  | { readonly exists: true }
  | { readonly below: number | string }
  | { readonly above: number | string }
  | { readonly least: number | string }
  | { readonly most: number | string }
);

const OPERATORS: Readonly<Record<string, AttributeOperator>> = {
  contains: 'contains',
  equals: 'equals',
  prefix: 'prefix',
  exists: 'exists',
  below: '<',
  most: '<=',
  above: '>',
  least: '>=',
};
const TEXT_LENGTH_LIMIT = 10_000;
const QUOTED_LENGTH = 100;

/** @throws TypeError or RangeError that names `what` and the field. */
export function checkAttributeFilter(what: string, filter: unknown): AttributeTest {
  if (typeof filter !== 'object' || filter === null)
    throw new TypeError(`${what} must be an object, received ${String(filter)}`);
  const { name, unit = '', ...tests } = filter as Record<string, unknown>;
  checkText(`${what}.name`, name);
  if (name.trim() === '') throw new RangeError(`${what}.name must not be empty`);
  checkText(`${what}.unit`, unit);
  const given = Object.entries(tests).filter(([, value]) => value !== undefined);
  const unknown = given.find(([key]) => !Object.hasOwn(OPERATORS, key));
  if (unknown !== undefined)
    throw new TypeError(
      `${what}.${unknown[0]} is not a field; known are name, unit, ${Object.keys(OPERATORS).join(', ')}`,
    );
  if (given.length !== 1)
    throw new TypeError(`${what} must have exactly one of ${Object.keys(OPERATORS).join(', ')}, has ${given.length}`);
  const [key, value] = given[0];
  const operator = OPERATORS[key];
  if (operator === 'exists') {
    if (value !== true) throw new TypeError(`${what}.exists must be true, received ${String(value)}`);
    return { name: name.trim(), unit, operator, value: '' };
  }
  const compares = '<>'.includes(operator[0]);
  if (compares && unit.trim() !== '' && parseQuantity('1', unit)?.dimension === '') {
    throw new RangeError(
      `${what}.unit must be a unit that is known, received ${JSON.stringify(unit.slice(0, QUOTED_LENGTH))}`,
    );
  }
  if (typeof value === 'number' && (compares || operator === 'equals')) {
    if (!Number.isFinite(value)) throw new RangeError(`${what}.${key} must be finite, received ${value}`);
    return { name: name.trim(), unit, operator, value: String(value) };
  }
  if (compares && typeof value !== 'string')
    throw new TypeError(`${what}.${key} must be a number or a string, received ${typeof value}`);
  checkText(`${what}.${key}`, value);
  if (compares && parseQuantity(value, unit) === undefined) {
    throw new RangeError(
      `${what}.${key} must be a number, a quantity like 20mm or a date like 2024-05-31, received ` +
        JSON.stringify(value.slice(0, QUOTED_LENGTH)),
    );
  }
  if (operator !== 'equals' && value.trim() === '') throw new RangeError(`${what}.${key} must not be empty`);
  return { name: name.trim(), unit, operator, value };
}

function checkText(what: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new TypeError(`${what} must be a string, received ${typeof value}`);
  if (value.length > TEXT_LENGTH_LIMIT)
    throw new RangeError(`${what} must have at most ${TEXT_LENGTH_LIMIT} characters, received ${value.length}`);
}
