/** Throws a TypeError that names the place `at` unless the value has the expected form. */
export type Check = (value: unknown, at: string) => void;

/** A check for each field, the optional ones included; other fields are not looked at. */
export type Fields<Type> = { readonly [Name in keyof Required<Type>]: Check };

function expected(what: string, value: unknown, at: string): TypeError {
  const shown = typeof value === 'object' && value !== null ? 'an object' : String(value).slice(0, 50);
  return new TypeError(`${at} is ${shown}, expected ${what}`);
}

function primitive(type: 'string' | 'number' | 'boolean'): Check {
  return (value, at) => {
    if (typeof value !== type) throw expected(`a ${type}`, value, at);
  };
}

export const string = primitive('string');
/** Also NaN and the infinities. */
export const number = primitive('number');
export const boolean = primitive('boolean');

export const finite: Check = (value, at) => {
  if (!Number.isFinite(value)) throw expected('a finite number', value, at);
};

/** A whole number from 0. */
export const count: Check = (value, at) => {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw expected('a whole number from 0', value, at);
};

/** bytes: their number. Absent: any. */
/** bytes: their exact number; most: the largest number. */
export function byteArray(bytes?: number, most = Infinity): Check {
  return (value, at) => {
    if (!(value instanceof Uint8Array)) throw expected('bytes', value, at);
    if (bytes !== undefined && value.length !== bytes) throw expected(`${bytes} bytes`, value.length, at);
    if (value.length > most) throw expected(`at most ${most} bytes`, value.length, at);
  };
}

export function oneOf(...values: readonly unknown[]): Check {
  return (value, at) => {
    if (!values.includes(value)) throw expected(`one of ${values.join(', ')}`, value, at);
  };
}

export function optional(check: Check): Check {
  return (value, at) => {
    if (value !== undefined) check(value, at);
  };
}

export function nullable(check: Check): Check {
  return (value, at) => {
    if (value !== null) check(value, at);
  };
}

/** length: the number of elements. Absent: any. */
export function list(check: Check, length?: number): Check {
  return (value, at) => {
    if (!Array.isArray(value)) throw expected('a list', value, at);
    if (length !== undefined && value.length !== length) throw expected(`${length} elements`, value.length, at);
    for (const element of value) check(element, at);
  };
}

export function fields<Type>(checks: Fields<Type>): Check {
  const named = Object.entries<Check>(checks);
  return (value, at) => {
    if (typeof value !== 'object' || value === null) throw expected('an object', value, at);
    for (const [name, check] of named) check((value as Record<string, unknown>)[name], name);
  };
}
