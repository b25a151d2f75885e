/** A fact about a file, given as `name=value` or `name(unit)=value`. */
export interface Attribute {
  /** As given, with its casing. */
  readonly text: string;
  readonly name: string;
  /** '' when there is none. */
  readonly unit: string;
  /** Several values of one attribute are separated by `|`. */
  readonly value: string;
}

/** Most attributes of one file, and longest text of one. */
const ATTRIBUTE_COUNT_LIMIT = 1_000;
const ATTRIBUTE_LENGTH_LIMIT = 10_000;

/** @throws TypeError or RangeError that names the attribute and what is wrong with it. */
export function parseAttributes(texts: unknown): Attribute[] {
  if (!Array.isArray(texts)) throw new TypeError('attributes must be an array of "name=value" strings');
  if (texts.length > ATTRIBUTE_COUNT_LIMIT) {
    throw new RangeError(`attributes must be at most ${ATTRIBUTE_COUNT_LIMIT}, received ${texts.length}`);
  }
  return texts.map((text: unknown, position) => parseAttribute(text, position));
}

function parseAttribute(text: unknown, position: number): Attribute {
  if (typeof text !== 'string') throw new TypeError(`attributes[${position}] must be a string, received ${typeof text}`);
  if (text.length > ATTRIBUTE_LENGTH_LIMIT) {
    throw new RangeError(`attributes[${position}] must have at most ${ATTRIBUTE_LENGTH_LIMIT} characters, received ${text.length}`);
  }
  const match = /^\s*([^=]*?)\s*(?:\(([^()=]*)\))?\s*=(.*)$/su.exec(text);
  if (match === null || match[1] === '') {
    throw new TypeError(`attributes[${position}] must be "name=value" or "name(unit)=value", received ${JSON.stringify(text)}`);
  }
  return { text, name: match[1], unit: match[2]?.trim() ?? '', value: match[3] };
}
