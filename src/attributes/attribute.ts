import { optionError } from '../errors.js';
import { ATTRIBUTE_LIMITS } from '../options.js';
import type { Attribute } from '../store/catalog/attribute.js';

export type { Attribute };

/** Normal form of a name: equal for names that count as the same. */
export type KeyOf = (name: string) => string;

/**
 * Parses attributes: `name=value` or `name(unit)=value`. Several values are joined by `|`; a `|` inside a value is
 * escaped as `\|`, a backslash as `\\` (before any other character a single backslash is accepted, as in `C:\parts`). A
 * repeated name and unit adds values to the first, so that `Color=red` and `color=blue` become `Color=red|blue`.
 *
 * @throws TypeError or RangeError that names the attribute and what is wrong with it.
 */
export function parseAttributes(texts: unknown, keyOf: KeyOf): Attribute[] {
  if (!Array.isArray(texts)) throw optionError(TypeError, 'attributes', 'must be an array of "name=value" strings');
  const { count, characters, totalCharacters } = ATTRIBUTE_LIMITS;
  checkCount(texts.length);
  let total = 0;
  texts.forEach((text: unknown, position) => {
    if (typeof text !== 'string')
      throw optionError(TypeError, `attributes[${position}]`, `must be a string, received ${typeof text}`);
    if (text.length > characters) {
      throw optionError(
        RangeError,
        `attributes[${position}]`,
        `must have at most ${characters} characters, received ${text.length}`,
      );
    }
    if (/[\0\p{Cs}]/u.test(text)) {
      throw optionError(
        RangeError,
        `attributes[${position}]`,
        `must be well-formed Unicode without NUL, received ${JSON.stringify(text)}`,
      );
    }
    total += text.length;
  });
  if (total > totalCharacters) {
    throw optionError(
      RangeError,
      'attributes',
      `must have at most ${totalCharacters} characters together (${count} attributes), received ${total}`,
    );
  }
  return mergeAttributes(
    texts.map((text: string, position) => readAttribute(text, position)),
    keyOf,
  );
}

/** Merges more attributes into those of a file. @throws RangeError when the result exceeds the limits. */
export function addAttributes(given: readonly Attribute[], more: readonly Attribute[], keyOf: KeyOf): Attribute[] {
  const all = mergeAttributes([...given, ...more], keyOf);
  checkCount(all.length);
  const total = all.reduce((sum, attribute) => sum + printAttribute(attribute).length, 0);
  if (total > ATTRIBUTE_LIMITS.totalCharacters) {
    throw optionError(
      RangeError,
      'attributes',
      `must have at most ${ATTRIBUTE_LIMITS.totalCharacters} characters together, ` +
        `received ${total} with those that the file has`,
    );
  }
  return all;
}

/** @throws RangeError for more attributes than allowed. */
function checkCount(count: number): void {
  if (count > ATTRIBUTE_LIMITS.count)
    throw optionError(RangeError, 'attributes', `must be at most ${ATTRIBUTE_LIMITS.count}, received ${count}`);
}

/** One attribute for each name and unit, with all their values. */
export function mergeAttributes(attributes: readonly Attribute[], keyOf: KeyOf): Attribute[] {
  const merged = new Map<string, { name: string; unit: string; values: Set<string> }>();
  for (const { name, unit, values } of attributes) {
    const key = JSON.stringify([keyOf(name), unit]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { name, unit, values: new Set(values) });
    else for (const value of values) known.values.add(value);
  }
  return [...merged.values()].map(({ name, unit, values }) => ({ name, unit, values: [...values] }));
}

/** An attribute as text that {@link parseAttributes} reads. */
export function printAttribute({ name, unit, values }: Attribute): string {
  return `${name}${unit === '' ? '' : `(${unit})`}=${joinValues(values)}`;
}

/** The text after the equals sign for several values. */
export function joinValues(values: readonly string[]): string {
  // A backslash is doubled only where it would escape the next character, so that paths stay as people write them.
  return values.map((value) => value.replaceAll(/\\(?=[\\|]|$)/g, '\\\\').replaceAll('|', '\\|')).join('|');
}

/** The values of a text from {@link joinValues}. */
export function splitValues(text: string): string[] {
  if (!text.includes('|') && !text.includes('\\')) return [text];
  const values: string[] = [];
  let value = '';
  for (let at = 0; at < text.length; at++) {
    const next = text[at + 1];
    if (text[at] === '\\' && (next === '\\' || next === '|')) value += text[++at];
    else if (text[at] === '|') {
      values.push(value);
      value = '';
    } else value += text[at];
  }
  return [...values, value];
}

function readAttribute(text: string, position: number): Attribute {
  const equals = text.indexOf('=');
  const head = text.slice(0, Math.max(0, equals)).trim();
  const open = head.endsWith(')') ? head.lastIndexOf('(') : -1;
  const unit = open < 0 ? '' : head.slice(open + 1, -1);
  const hasUnit = open >= 0 && !unit.includes(')');
  const name = hasUnit ? head.slice(0, open).trimEnd() : head;
  if (name === '') {
    throw optionError(
      TypeError,
      `attributes[${position}]`,
      `must be "name=value" or "name(unit)=value", received ${JSON.stringify(text)}`,
    );
  }
  return { name, unit: hasUnit ? unit.trim() : '', values: [...new Set(splitValues(text.slice(equals + 1)))] };
}
