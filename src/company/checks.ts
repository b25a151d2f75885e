import { optionError } from '../errors.js';
import { checkInput } from '../search/query/check-query.js';
import type { SearchInput } from '../search/query/query.js';

const UID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The UID in lower case. @throws TypeError or RangeError unless it is a GUID. */
export function checkUid(uid: unknown): string {
  if (typeof uid !== 'string') throw new TypeError(`uid must be a GUID string, received ${typeof uid}`);
  const lower = uid.toLowerCase();
  if (!UID.test(lower)) {
    const received = JSON.stringify(uid.slice(0, 100));
    throw new RangeError(`uid must be a GUID, received ${received}; company.find(path) gives the file of a path`);
  }
  return lower;
}

/** @throws TypeError that names `what`. */
export function checkBoolean(what: string, value: unknown): asserts value is boolean {
  if (typeof value !== 'boolean')
    throw optionError(TypeError, what, `must be true or false, received ${String(value)}`);
}

/** @throws TypeError that names `what`. */
export function checkString(what: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw optionError(TypeError, what, `must be a string, received ${typeof value}`);
}

/** @throws RangeError that names `what` and the allowed words. */
export function checkOneOf(what: string, value: unknown, words: readonly string[]): void {
  if (!words.includes(value as string))
    throw optionError(RangeError, what, `must be one of ${words.join(', ')}, received ${String(value)}`);
}

/**
 * Display text: trimmed, Unicode NFC.
 * @throws TypeError or RangeError unless it is 1 to `limit` printable characters.
 */
export function checkLabel(what: string, value: unknown, limit: number): string {
  checkString(what, value);
  const label = value.normalize('NFC').trim();
  if (label === '' || label.length > limit || /\p{Cc}|\p{Cs}/u.test(label)) {
    throw new RangeError(`${what} must be 1 to ${limit} printable characters, received ${JSON.stringify(value)}`);
  }
  return label;
}

/**
 * A file of the company, by its UID, or bytes that are not stored.
 * @throws TypeError or RangeError that names `what`.
 */
export function checkPart(what: string, part: string | SearchInput): SearchInput {
  const input = typeof part === 'string' ? { uid: part } : part;
  checkInput(what, input);
  return 'uid' in input ? { ...input, uid: checkUid(input.uid) } : input;
}
