import { optionError } from '../errors.js';
import { checkInteger, withDefaults, type Defaults } from '../options.js';

/** Requirements for a text. */
export interface TextForm {
  /** Least number of characters. Default 0. */
  readonly least?: number;
  readonly most: number;
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const EMAIL_LIMIT = 254;

/**
 * Checks that a value is a text of this length without control characters.
 * @throws TypeError or RangeError that names `what`.
 */
export function checkText(what: string, value: unknown, { least = 0, most }: TextForm): string {
  if (typeof value !== 'string') throw optionError(TypeError, what, `must be a string, received ${typeof value}`);
  if (value.length < least || value.length > most)
    throw optionError(RangeError, what, `must have ${least} to ${most} characters, received ${value.length}`);
  if (/[^\P{Cc}\t\n\r]|\p{Cs}/u.test(value))
    throw optionError(RangeError, what, 'must not have control characters or unpaired surrogates');
  return value;
}

/** {@link checkText} that also accepts undefined. */
export function checkOptionalText(what: string, value: unknown, form: TextForm): string | undefined {
  return value === undefined ? undefined : checkText(what, value, form);
}

/**
 * The GUID in lower case.
 * @throws TypeError or RangeError that names `what`, unless it is a GUID.
 */
export function checkGuid(what: string, value: unknown): string {
  if (typeof value !== 'string') throw optionError(TypeError, what, `must be a GUID string, received ${typeof value}`);
  const lower = value.toLowerCase();
  if (!GUID.test(lower))
    throw optionError(RangeError, what, `must be a GUID, received ${JSON.stringify(value.slice(0, 100))}`);
  return lower;
}

/**
 * The normal form in which e-mail addresses are compared.
 * @throws TypeError or RangeError unless it has a name and a domain.
 */
export function checkEmail(what: string, value: unknown): string {
  const key = checkText(what, value, { least: 3, most: EMAIL_LIMIT }).normalize('NFC').trim().toLowerCase();
  if (!/^[^\s@]+@[^\s@]+$/.test(key))
    throw optionError(RangeError, what, `must be an e-mail address, received ${JSON.stringify(value)}`);
  return key;
}

/**
 * Checks the number of bytes.
 * @throws TypeError or RangeError that names `what`.
 */
export function checkBytes(what: string, value: unknown, { least, most }: { least: number; most: number }): Uint8Array {
  if (!(value instanceof Uint8Array))
    throw optionError(TypeError, what, `must be a Uint8Array, received ${typeof value}`);
  if (value.length < least || value.length > most)
    throw optionError(
      RangeError,
      what,
      `must have ${least === most ? least : `${least} to ${most}`} bytes, received ${value.length}`,
    );
  return value;
}

/** Which page of a list to return; lists are sorted newest first. */
export interface LogPage {
  /** 1 to 1 000. Default 100. */
  readonly limit?: number;
  /** The last id of the previous page. */
  readonly before?: string;
}

const DEFAULTS = Object.freeze({ limit: 100, before: undefined } satisfies Defaults<LogPage>);
const PAGE_LIMIT = 1_000;

/**
 * Checks the page and fills in its defaults.
 * @throws TypeError or RangeError that names the wrong field.
 */
export function checkPage(page: LogPage | undefined): { limit: number; before?: string } {
  const { limit, before } = withDefaults('page', page, DEFAULTS);
  checkInteger('page.limit', limit, 1, PAGE_LIMIT);
  return { limit, before: before === undefined ? undefined : checkGuid('page.before', before) };
}
