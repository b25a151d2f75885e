import { decodePart21 } from './part21-header.js';

/**
 * A value in a Part 21 instance (ISO 10303-21): a number, a decoded text, a list, `#12`, `.WORD.`, `WORD(…)`, or null
 * for `$`, `*` and anything unreadable.
 */
export type Part21Value = number | string | null | readonly Part21Value[] | Part21Reference | Part21Word;

/** A reference such as `#12`. */
export interface Part21Reference {
  readonly id: number;
}

/** An enumeration `.WORD.` (no arguments) or a typed value `WORD(…)`. */
export interface Part21Word {
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
  read(id: number): Part21Instance | undefined {
    const text = this.#textOf(id);
    return text === undefined ? undefined : new ValueReader(text).instance();
  }

  /**
   * The keyword of an instance and the numbers of the instances that it refers to, in order; cheaper than `read`. The
   * keyword is '' for a complex instance.
   */
  links(id: number): { readonly keyword: string; readonly ids: readonly number[] } | undefined {
    const text = this.#textOf(id);
    if (text === undefined) return undefined;
    const ids = [...text.replace(/'[^']*'/g, '').matchAll(/#(\d{1,10})/g)].map(([, digits]) => Number(digits));
    return { keyword: /^\s*([A-Z_0-9]+)/.exec(text)?.[1] ?? '', ids };
  }

  #textOf(id: number): string | undefined {
    const start = this.#starts.get(id);
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

/** Parses the values of one instance. A malformed value becomes null or ends the list early. */
class ValueReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  instance(): Part21Instance | undefined {
    const types = new Map<string, readonly Part21Value[]>();
    let token = this.#next();
    const isComplex = token?.[6] === '(';
    if (isComplex) token = this.#next();
    while (token?.[4] !== undefined) {
      if (this.#next()?.[6] !== '(') break;
      types.set(token[4].toUpperCase(), this.#list(0));
      if (!isComplex) break;
      token = this.#next();
    }
    return types.size === 0 ? undefined : types;
  }

  /** Values up to the closing bracket. */
  #list(depth: number): Part21Value[] {
    const values: Part21Value[] = [];
    for (let token = this.#next(); token !== undefined; token = this.#next()) {
      const [, reference, text, enumeration, word, number, sign] = token;
      if (sign === ')') return values;
      if (sign === ',') continue;
      if (sign === '(') {
        if (depth >= LIST_DEPTH) return values;
        values.push(this.#list(depth + 1));
      } else if (reference !== undefined) values.push({ id: Number(reference) });
      else if (text !== undefined) values.push(decodePart21(text));
      else if (enumeration !== undefined) values.push({ word: enumeration.toUpperCase(), arguments: [] });
      else if (word !== undefined) {
        const isCall = this.#next()?.[6] === '(';
        if (!isCall || depth >= LIST_DEPTH) return values;
        values.push({ word: word.toUpperCase(), arguments: this.#list(depth + 1) });
      } else if (number !== undefined) values.push(Number.isFinite(Number(number)) ? Number(number) : null);
      else values.push(null);
    }
    return values;
  }

  #next(): RegExpExecArray | undefined {
    TOKEN.lastIndex = this.#at;
    const token = TOKEN.exec(this.#text);
    if (token === null) return undefined;
    this.#at = TOKEN.lastIndex;
    return token;
  }
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
