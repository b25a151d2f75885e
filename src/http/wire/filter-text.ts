import { EngineError, parseTolerance, SEARCH_LIMITS, type FileKind, type SearchQuery } from '../../index.js';

/**
 * The part of a {@link SearchQuery} that a filter text can express. It can be merged into a query or searched with as
 * it is.
 */
export type SearchFilter = Pick<SearchQuery, 'kinds' | 'volume' | 'bboxVolume' | 'surfaceArea'> & {
  readonly like?: readonly { readonly uid: string }[];
  readonly text?: readonly string[];
};

/** Longest filter text, characters, once decoded. */
const FILTER_LENGTH_LIMIT = 65_536;
const TOLERANCES = { v: 'volume', bbv: 'bboxVolume', sa: 'surfaceArea' } as const;
const LISTS = ['like', 'kinds', 'text'];
const FIELDS = [...LISTS, ...Object.values<string>(TOLERANCES)];
const KEYS = ['fileUID', 'resultFileType', 'FT', ...Object.keys(TOLERANCES)];
const UID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const LONE_SURROGATE = /\p{Cs}/u;

/**
 * Parses a filter text: `key=value` pairs joined by `&`, in any order, after the HTTP layer decoded the query parameter
 * `filterStr` once. Values may still be percent-encoded; those of `FT` always are (double encoding), and in them `+` is
 * a space. In all other values `+` stays a plus sign. Empty pairs (`a&&b`) are ignored; an empty text is an empty
 * filter.
 *
 * | key | value |
 * |---|---|
 * | `fileUID` | UIDs to search with, separated by commas |
 * | `resultFileType` | `Image`, `ThreeD`, `TwoD` or `Text`, in any casing |
 * | `FT` | an expression of free text, see the README; may repeat |
 * | `v`, `bbv`, `sa` | tolerance of volume, volume of the smallest box, surface area: `.1`, `+.2`, `-.5`, `+0.3/-0.4` |
 *
 * @throws EngineError `QUERY_INVALID` whose message and `details` (`name`, `text`) name the problem; TypeError if it is
 *   not a string.
 */
export function parseFilter(filterText: string): SearchFilter {
  if (typeof filterText !== 'string')
    throw new TypeError(`filter text must be a string, received ${typeof filterText}`);
  if (filterText.length > FILTER_LENGTH_LIMIT) {
    throw invalid(
      'filterStr',
      filterText,
      `filterStr must have at most ${FILTER_LENGTH_LIMIT} characters, received ${filterText.length}`,
    );
  }
  const filter: { -readonly [Key in keyof SearchFilter]: SearchFilter[Key] } = {};
  const seen = new Set<string>();
  const texts: string[] = [];
  for (const pair of filterText.split('&')) {
    if (pair === '') continue;
    const { key, value } = readPair(pair);
    if (key !== 'FT' && seen.has(key))
      throw invalid(key, pair, `the filter key ${key} may be given once, received ${quote(pair)} after another`);
    seen.add(key);
    if (key === 'FT') texts.push(readText(value));
    else if (key === 'fileUID') filter.like = readUids(value);
    else if (key === 'resultFileType') filter.kinds = [readKind(value)];
    else filter[TOLERANCES[key as keyof typeof TOLERANCES]] = readTolerance(key, value);
  }
  if (texts.length > SEARCH_LIMITS.texts)
    throw invalid(
      'FT',
      filterText,
      `the filter key FT may be given ${SEARCH_LIMITS.texts} times, received ${texts.length}`,
    );
  if (texts.length > 0) filter.text = texts;
  return filter;
}

/**
 * The text that {@link parseFilter} reads as this filter, keys in a fixed order, `FT` values percent-encoded. To put it
 * into a URL, encode it whole once more: {@link encodeFilter}.
 * @throws TypeError or RangeError that names a field that a filter text cannot express: another field of a query, two
 *   kinds, an invalid tolerance or UID.
 */
export function printFilter(filter: SearchFilter): string {
  checkFields(filter);
  const pairs: string[] = [];
  if (filter.like !== undefined)
    pairs.push(
      `fileUID=${said('like', () => readUids(filter.like!.map(({ uid }) => uid).join(',')))
        .map(({ uid }) => uid)
        .join(',')}`,
    );
  if (filter.kinds !== undefined) {
    if (filter.kinds.length !== 1)
      throw new RangeError(`filter.kinds must hold one kind, received ${filter.kinds.length}`);
    pairs.push(`resultFileType=${said('kinds', () => readKind(filter.kinds![0]))}`);
  }
  if (filter.text !== undefined && filter.text.length > SEARCH_LIMITS.texts)
    throw new RangeError(`filter.text must hold at most ${SEARCH_LIMITS.texts} texts, received ${filter.text.length}`);
  for (const text of filter.text ?? []) pairs.push(`FT=${encodeURIComponent(said('text', () => readText(text)))}`);
  for (const [key, name] of Object.entries(TOLERANCES)) {
    const tolerance = filter[name];
    if (tolerance !== undefined) pairs.push(`${key}=${said(name, () => readTolerance(key, tolerance))}`);
  }
  const printed = pairs.join('&');
  if (printed.length > FILTER_LENGTH_LIMIT)
    throw new RangeError(
      `the filter must have at most ${FILTER_LENGTH_LIMIT} characters when printed, has ${printed.length}`,
    );
  return printed;
}

/** {@link printFilter}, percent-encoded as a whole: the value of `filterStr` in a URL. */
export function encodeFilter(filter: SearchFilter): string {
  return encodeURIComponent(printFilter(filter));
}

/** Refuses unknown fields, because ignoring one would find more files. */
function checkFields(filter: unknown): void {
  if (typeof filter !== 'object' || filter === null)
    throw new TypeError(`filter must be an object, received ${String(filter)}`);
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined) continue;
    if (!FIELDS.includes(name))
      throw new TypeError(`filter.${name} has no form in a filter text; it may hold ${FIELDS.join(', ')}`);
    if (LISTS.includes(name) ? !Array.isArray(value) : typeof value !== 'string') {
      throw new TypeError(
        `filter.${name} must be ${LISTS.includes(name) ? 'a list' : 'a string'}, received ${String(value)}`,
      );
    }
  }
  for (const input of (filter as SearchFilter).like ?? []) {
    const other = Object.entries(Object(input)).find(([key, value]) => key !== 'uid' && value !== undefined);
    if (other !== undefined)
      throw new TypeError(`filter.like must hold { uid } alone; ${other[0]} has no form in a filter text`);
  }
}

function readPair(pair: string): { key: string; value: string } {
  const at = pair.indexOf('=');
  const key = at < 0 ? pair : pair.slice(0, at);
  if (!KEYS.includes(key)) throw invalid(key, pair, `${quote(key)} is not a filter key; known are ${KEYS.join(', ')}`);
  if (at < 0)
    throw invalid(key, pair, `the filter key ${key} must be followed by = and a value, received ${quote(pair)}`);
  const written = pair.slice(at + 1);
  try {
    return { key, value: decodeURIComponent(key === 'FT' ? written.replaceAll('+', ' ') : written) };
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw invalid(
      key,
      written,
      `the value of ${key} must be percent-encoded UTF-8, received ${quote(written)}; a percent sign is %25`,
    );
  }
}

function readText(value: string): string {
  if (value === '') throw invalid('FT', value, 'FT must hold something to search for, received an empty value');
  if (value.length > SEARCH_LIMITS.textLength)
    throw invalid('FT', value, `FT must have at most ${SEARCH_LIMITS.textLength} characters, received ${value.length}`);
  if (LONE_SURROGATE.test(value))
    throw invalid('FT', value, 'FT must be well-formed Unicode, received half of a surrogate pair');
  return value;
}

function readUids(value: string): { uid: string }[] {
  const uids = value.split(',');
  if (uids.length > SEARCH_LIMITS.inputs)
    throw invalid('fileUID', value, `fileUID must name at most ${SEARCH_LIMITS.inputs} files, received ${uids.length}`);
  return uids.map((text) => {
    const uid = text.trim().toLowerCase();
    if (!UID.test(uid))
      throw invalid('fileUID', text, `fileUID must be a GUID or several separated by commas, received ${quote(text)}`);
    return { uid };
  });
}

function readKind(value: string): FileKind {
  const kind = SEARCH_LIMITS.kinds.find((name) => name.toLowerCase() === String(value).toLowerCase());
  if (kind === undefined)
    throw invalid(
      'resultFileType',
      value,
      `resultFileType must be one of ${SEARCH_LIMITS.kinds.join(', ')}, received ${quote(value)}`,
    );
  return kind;
}

function readTolerance(key: string, value: string): string {
  // An unencoded plus sign arrives as a space; without the sign the tolerance would have another meaning.
  if (/\s/.test(value))
    throw invalid(
      key,
      value,
      `${key} must be a tolerance without spaces, received ${quote(value)}; in a URL a plus sign is %2B`,
    );
  parseTolerance(key, value);
  return value;
}

/** Converts the parser's error for a value to a RangeError of the printer. */
function said<T>(name: keyof SearchFilter, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof EngineError)) throw cause;
    throw new RangeError(`filter.${name} cannot be printed: ${cause.message}`, { cause });
  }
}

function invalid(key: string, text: string, message: string): EngineError {
  return new EngineError('QUERY_INVALID', message, { details: { name: key, text: shortened(text) } });
}

const QUOTED_LENGTH = 200;

function shortened(text: string): string {
  return text.length <= QUOTED_LENGTH ? text : `${text.slice(0, QUOTED_LENGTH)}…`;
}

function quote(text: string): string {
  return JSON.stringify(shortened(String(text)));
}
