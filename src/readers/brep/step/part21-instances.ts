import { decodeText } from '../../metadata/exif.js';

/**
 * A value in a Part 21 instance (ISO 10303-21): a number, a decoded text, a list, `#12`, `.WORD.`, `WORD(…)`, or null
 * for `$`, `*` and anything unreadable.
 */
export type Part21Value = number | string | null | readonly Part21Value[] | Part21Reference | Part21Word;

/** A reference such as `#12`. */
interface Part21Reference {
  readonly id: number;
}

/** An enumeration `.WORD.` (no arguments) or a typed value `WORD(…)`. */
interface Part21Word {
  readonly word: string;
  readonly arguments: readonly Part21Value[];
}

/** The arguments of an instance by keyword. A complex instance has several keywords. */
export type Part21Instance = ReadonlyMap<string, readonly Part21Value[]>;

const QUOTE = 0x27,
  OPEN = 0x28,
  SLASH = 0x2f,
  STAR = 0x2a,
  SEMICOLON = 0x3b,
  HASH = 0x23,
  EQUALS = 0x3d,
  SPACE = 0x20,
  ZERO = 0x30,
  NINE = 0x39;

/** Most instances that are indexed. A file with more (hundreds of MB) is beyond the kernel's memory as well. */
const INSTANCES_LISTED = 5_000_000;
/** Longest instance that is read, bytes. */
const INSTANCE_BYTES = 4_194_304;
/** Deepest nesting of lists in one instance. */
const LIST_DEPTH = 16;

/** Pseudo-keyword that lists complex instances, such as `(LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.))`. */
export const SEVERAL_TYPES = '(';

/**
 * The instances of a STEP file's data sections. They are located in one pass over the bytes (about 5 ns per byte) and
 * parsed on request. When several instances have the same number, the last one counts.
 */
export class Part21Instances {
  readonly #text: Buffer;
  /** Offset of the text behind the `=`, by instance number. */
  readonly #starts = new Map<number, number>();
  readonly #listed = new Map<string, number[]>();

  /** @param keywords types whose instances `listed` returns; {@link SEVERAL_TYPES} stands for complex instances. */
  constructor(bytes: Uint8Array, keywords: readonly string[]) {
    this.#text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (const keyword of keywords) this.#listed.set(keyword, []);
    this.#scan(Math.max(0, this.#text.indexOf('DATA')));
  }

  /** Numbers of the instances of exactly this type, in file order. */
  listed(keyword: string): readonly number[] {
    return this.#listed.get(keyword) ?? [];
  }

  /** The instance of that number; undefined when there is none or it cannot be parsed. */
  read(id: number | undefined): Part21Instance | undefined {
    const text = this.#textOf(id);
    return text === undefined ? undefined : parseInstance(text);
  }

  /** The arguments of an instance of a type; none when it is not of that type. */
  arguments(id: number | undefined, keyword: string): readonly Part21Value[] {
    return this.read(id)?.get(keyword) ?? [];
  }

  /**
   * The keyword of an instance and the numbers of the instances that it refers to, in order; cheaper than `read`. The
   * keyword is '' for a complex instance.
   */
  links(id: number | undefined): { readonly keyword: string; readonly ids: readonly number[] } | undefined {
    const text = this.#textOf(id);
    if (text === undefined) return undefined;
    const ids = [...text.replace(/'[^']*'/g, '').matchAll(/#(\d{1,10})/g)].map(([, digits]) => Number(digits));
    return { keyword: /^\s*([A-Z_0-9]+)/.exec(text)?.[1] ?? '', ids };
  }

  #textOf(id: number | undefined): string | undefined {
    const start = id === undefined ? undefined : this.#starts.get(id);
    if (start === undefined) return undefined;
    const end = this.#endOf(start);
    return end - start > INSTANCE_BYTES ? undefined : this.#text.toString('latin1', start, end);
  }

  #endOf(start: number): number {
    const text = this.#text;
    for (let at = start; at < text.length; at++) {
      if (text[at] === SEMICOLON) return at;
      if (text[at] === QUOTE) at = pastQuote(text, at) - 1;
    }
    return text.length;
  }

  #scan(from: number): void {
    const text = this.#text;
    let opens = false;
    for (let at = from; at < text.length && this.#starts.size < INSTANCES_LISTED; ) {
      const byte = text[at];
      if (byte === QUOTE) at = pastQuote(text, at);
      else if (byte === SLASH && text[at + 1] === STAR) at = pastComment(text, at);
      else if (byte === HASH && opens) {
        at = this.#open(at + 1);
        opens = false;
      } else {
        if (byte === SEMICOLON) opens = true;
        at++;
      }
    }
  }

  /** Records the instance whose number begins at `at`. Returns the offset where scanning continues. */
  #open(at: number): number {
    const text = this.#text;
    let id = 0;
    for (; text[at] >= ZERO && text[at] <= NINE; at++)
      id = Math.min(Number.MAX_SAFE_INTEGER / 16, 10 * id + text[at] - ZERO);
    while (text[at] <= SPACE) at++;
    if (text[at] !== EQUALS) return at;
    at++;
    while (text[at] <= SPACE) at++;
    this.#starts.set(id, at);
    let end = at;
    while (end < text.length && text[end] > SPACE && text[end] !== OPEN) end++;
    if (text[at] === OPEN) this.#listed.get(SEVERAL_TYPES)?.push(id);
    else if (end > at && end - at < 64) this.#listed.get(text.toString('latin1', at, end))?.push(id);
    return at;
  }
}

function pastQuote(text: Buffer, at: number): number {
  const end = text.indexOf(QUOTE, at + 1);
  return end < 0 ? text.length : end + 1;
}

function pastComment(text: Buffer, at: number): number {
  const end = text.indexOf('*/', at + 2);
  return end < 0 ? text.length : end + 2;
}

/** One token, after blanks and comments: a reference, text, enumeration, keyword, number or punctuation mark. */
const TOKEN = new RegExp(
  String.raw`(?:\s|\/\*[\s\S]*?\*\/)*(?:#(\d{1,10})|'((?:[^']|'')*)'|\.([A-Z_0-9]+)\.` +
    String.raw`|([A-Z_][A-Z_0-9]*)|([-+]?\d[-+.\dE]*)|([(),$*]))`,
  'iy',
);

/**
 * Parses the text of one instance from its keyword on; undefined when it has none. A malformed value becomes null or
 * ends the list early.
 */
export function parseInstance(text: string): Part21Instance | undefined {
  let at = 0;
  const next = (): RegExpExecArray | undefined => {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text) ?? undefined;
    if (token !== undefined) at = TOKEN.lastIndex;
    return token;
  };
  /** Values up to the closing bracket. */
  const list = (depth: number): Part21Value[] => {
    const values: Part21Value[] = [];
    for (let token = next(); token !== undefined; token = next()) {
      const [, reference, string, enumeration, word, number, sign] = token;
      if (sign === ')') return values;
      if (sign === ',') continue;
      if (sign === '(') {
        if (depth >= LIST_DEPTH) return values;
        values.push(list(depth + 1));
      } else if (reference !== undefined) values.push({ id: Number(reference) });
      else if (string !== undefined) values.push(decodePart21(string));
      else if (enumeration !== undefined) values.push({ word: enumeration.toUpperCase(), arguments: [] });
      else if (word !== undefined) {
        const isCall = next()?.[6] === '(';
        if (!isCall || depth >= LIST_DEPTH) return values;
        values.push({ word: word.toUpperCase(), arguments: list(depth + 1) });
      } else if (number !== undefined) values.push(Number.isFinite(Number(number)) ? Number(number) : null);
      else values.push(null);
    }
    return values;
  };
  const types = new Map<string, readonly Part21Value[]>();
  let token = next();
  const isComplex = token?.[6] === '(';
  if (isComplex) token = next();
  while (token?.[4] !== undefined) {
    if (next()?.[6] !== '(') break;
    types.set(token[4].toUpperCase(), list(0));
    if (!isComplex) break;
    token = next();
  }
  return types.size === 0 ? undefined : types;
}

/** The instance number of a reference; undefined for any other value. */
export function idOf(value: Part21Value | undefined): number | undefined {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
}

/** The instance numbers of the references in a list. */
export function idsOf(value: Part21Value | undefined): number[] {
  return isList(value) ? value.map(idOf).filter((id) => id !== undefined) : [];
}

/** The {@link idsOf} a list, or of the list in a typed value such as `SET_REPRESENTATION_ITEM((#1,#2))`. */
export function idsWithin(value: Part21Value | undefined): number[] {
  const isTyped = typeof value === 'object' && value !== null && 'arguments' in value;
  return idsOf(isTyped ? value.arguments[0] : value);
}

/** A text, trimmed; '' for any other value. */
export function textOf(value: Part21Value | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** A product's name, trimmed; '' for the words by which programs say that it has none. */
export function nameOf(value: Part21Value | undefined): string {
  const name = textOf(value);
  return /^(none|unidentified_product)$/i.test(name) ? '' : name;
}

/** A number, also inside a typed value such as `LENGTH_MEASURE(25.4)`. */
export function numberOf(value: Part21Value | undefined): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'object' && value !== null && 'word' in value && typeof value.arguments[0] === 'number'
    ? value.arguments[0]
    : undefined;
}

/** The keyword of an enumeration or typed value; '' for any other value. */
export function wordOf(value: Part21Value | undefined): string {
  return typeof value === 'object' && value !== null && 'word' in value ? value.word : '';
}

export function isList(value: Part21Value | undefined): value is readonly Part21Value[] {
  return Array.isArray(value);
}

/**
 * Decodes a Part 21 string (ISO 10303-21, 6.4.3), given with one character per byte: `''`, `\\`, `\S\c` (upper half of
 * the ISO 8859 page that `\PA\` to `\PI\` select), `\X\hh`, `\X2\hhhh…\X0\` (UTF-16) and `\X4\hhhhhhhh…\X0\`. The
 * standard allows ASCII only; other bytes are decoded as UTF-8 or Windows-1252.
 */
export function decodePart21(text: string): string {
  let page = 1;
  // Runs between escapes are decoded one by one: their bytes may be UTF-8, those of the escapes are not.
  const plain = (run: string): string => (/[^\0-\x7f]/.test(run) ? decodeText(Buffer.from(run, 'latin1')) : run);
  let decoded = '';
  let last = 0;
  for (const found of text.replaceAll("''", "'").matchAll(ESCAPES)) {
    decoded += plain(found.input.slice(last, found.index));
    last = found.index + found[0].length;
    const { two, four, hex, upper, letter } = found.groups as Readonly<Record<string, string | undefined>>;
    if (two !== undefined)
      decoded += (two.match(/.{4}/g) ?? []).map((unit) => String.fromCharCode(parseInt(unit, 16))).join('');
    else if (four !== undefined)
      decoded += (four.match(/.{8}/g) ?? []).map((unit) => characterOf(parseInt(unit, 16))).join('');
    else if (hex !== undefined) decoded += String.fromCharCode(parseInt(hex, 16));
    else if (upper !== undefined) decoded += upperHalf(upper, page);
    else if (letter !== undefined) page = letter.charCodeAt(0) - 64;
    else decoded += '\\';
  }
  return decoded + plain(text.replaceAll("''", "'").slice(last));
}

const ESCAPES = new RegExp(
  String.raw`\\X2\\(?<two>[0-9A-F]*?)\\X0\\|\\X4\\(?<four>[0-9A-F]*?)\\X0\\|\\X\\(?<hex>[0-9A-F]{2})` +
    String.raw`|\\S\\(?<upper>[ -~])|\\P(?<letter>[A-I])\\|\\\\`,
  'gi',
);

function characterOf(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd';
}

function upperHalf(character: string, page: number): string {
  return new TextDecoder(`iso-8859-${page}`).decode(Uint8Array.of(character.charCodeAt(0) + 128));
}
