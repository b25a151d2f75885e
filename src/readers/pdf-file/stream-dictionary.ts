/** A stream of a PDF as described by its dictionary. */
export interface PdfStream {
  /** Offset of the first byte after the line of the keyword `stream`. */
  readonly start: number;
  /** `/Length`; 0 when there is none, undefined when it is in another object. */
  readonly length: number | undefined;
  /** The filters of each `/Filter` or `/F` in decoding order; 'elsewhere' when they are in another object. */
  readonly chains: readonly (readonly string[] | 'elsewhere')[];
  /** `/Width` and `/Height` of a picture; absent in other streams. */
  readonly width?: Size;
  readonly height?: Size;
  /** Whether it is a stencil or a picture of one bit a pixel. */
  readonly isOneBit: boolean;
  /** A shading of triangles or patches; absent in other streams. */
  readonly mesh?: PdfMesh;
}

/** A number, or the object that holds it. */
export type Size = number | { readonly object: number };

/** What the dictionary of a shading of triangles or patches says of its points. */
export interface PdfMesh {
  /** 4: triangles, 5: a lattice, 6 and 7: patches. */
  readonly type: number;
  readonly coordinateBits: number;
  readonly componentBits: number;
}

/** Longest dictionary that is parsed, bytes. */
const LONGEST_DICTIONARY = 1024 * 1024;

const NEWLINE = 0x0a,
  RETURN = 0x0d,
  PERCENT = 0x25,
  OPEN = 0x28,
  CLOSE = 0x29,
  SLASH = 0x2f,
  LESS = 0x3c,
  GREATER = 0x3e,
  BACKSLASH = 0x5c;

/**
 * The stream of the object whose keyword `obj` ends at `at`; undefined when the object is not a stream. Only the length
 * and the filters are taken from the dictionary (ISO 32000-1, 7.2 and 7.3.8). `parsed` is told its length, bytes.
 */
export function streamBehind(file: Buffer, at: number, parsed: (byteLength: number) => void): PdfStream | undefined {
  const tokens = new Tokens(file.subarray(at, at + LONGEST_DICTIONARY));
  if (tokens.next() !== '<<') return undefined;
  const chains: (readonly string[] | 'elsewhere')[] = [];
  let length: number | undefined = 0;
  const sizes = new Map<string, Size>();
  const mesh = { type: 0, coordinateBits: 1, componentBits: 1 };
  let isOneBit = false;
  for (let depth = 1, token = tokens.next(); token !== undefined; token = tokens.next()) {
    if (token === '<<' || token === '[') depth++;
    else if ((token === '>>' || token === ']') && --depth === 0) break;
    if (depth !== 1) continue;
    if (token === '/Filter' || token === '/F') chains.push(...chainOf(tokens.ahead()));
    else if (token === '/ImageMask') isOneBit ||= tokens.ahead()[0] === 'true';
    else if (token === '/BitsPerComponent') {
      const [bits] = tokens.ahead();
      isOneBit ||= bits === '1';
      mesh.componentBits = Number(bits) || 1;
    } else if (token === '/BitsPerCoordinate') mesh.coordinateBits = Number(tokens.ahead()[0]) || 1;
    else if (token === '/ShadingType') mesh.type = Number(tokens.ahead()[0]);
    else if (token === '/Width' || token === '/Height') {
      const [first, second] = tokens.ahead();
      if (isNumber(first)) sizes.set(token, isNumber(second) ? { object: Number(first) } : Number(first));
    } else if (token === '/Length') {
      const [first, second] = tokens.ahead();
      // The greatest of several lengths counts; `5 0 R` refers to another object.
      if (isNumber(second)) length = undefined;
      else if (isNumber(first) && length !== undefined) length = Math.max(length, Number(first));
    }
  }
  parsed(tokens.at);
  if (tokens.next() !== 'stream') return undefined;
  return {
    start: lineBehind(file, at + tokens.at),
    length,
    chains,
    width: sizes.get('/Width'),
    height: sizes.get('/Height'),
    isOneBit,
    ...(mesh.type >= 4 && { mesh }),
  };
}

/** Bytes that are looked at on both sides of the keyword `obj`. */
const NEAR = 40;

/** The number of the object whose keyword `obj` is at `at`; NaN where none stands before it. */
export function objectNumber(file: Buffer, at: number): number {
  const found = /(\d{1,10})\s+\d{1,5}\s+$/.exec(file.toString('latin1', Math.max(0, at - NEAR), at));
  return found === null ? Number.NaN : Number(found[1]);
}

/** The objects of a file that are a whole number each, by their number. Of several versions the greatest counts. */
export function wholeNumbers(file: Buffer): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (let at = file.indexOf('obj'); at >= 0; at = file.indexOf('obj', at + 3)) {
    const number = objectNumber(file, at);
    const value = /^\s*(\d{1,15})\s*endobj/.exec(file.toString('latin1', at + 3, at + 3 + NEAR));
    if (Number.isNaN(number) || value === null) continue;
    found.set(number, Math.max(Number(value[1]), found.get(number) ?? 0));
  }
  return found;
}

/**
 * The filter names at the start of a value, single or in an array; none for another value, such as a file name under
 * `/F`.
 */
function chainOf(value: readonly string[]): (readonly string[] | 'elsewhere')[] {
  if (isNumber(value[0])) return ['elsewhere'];
  if (value[0]?.startsWith('/')) return [[value[0].slice(1)]];
  if (value[0] !== '[') return [];
  const end = value.indexOf(']');
  const names = value.slice(1, end < 0 ? undefined : end);
  return [names.some(isNumber) ? 'elsewhere' : names.map((name) => name.slice(1))];
}

function isNumber(token: string | undefined): boolean {
  return token !== undefined && /^\d+$/.test(token);
}

/** Offset of the next line. Like pdfjs, ignores anything after `stream` on its line. */
export function lineBehind(file: Buffer, at: number): number {
  while (at < file.length && file[at] !== NEWLINE && file[at] !== RETURN) at++;
  return file[at] === RETURN && file[at + 1] === NEWLINE ? at + 2 : at + 1;
}

/** Tokens of PDF syntax: names with their slash, brackets, words, and `()` in place of any string. */
class Tokens {
  readonly #bytes: Buffer;
  at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  next(): string | undefined {
    this.#skipBlanks();
    const bytes = this.#bytes;
    const start = this.at;
    const first = bytes[start];
    if (first === undefined) return undefined;
    this.at++;
    if (first === OPEN) return this.#string();
    if (first === LESS && bytes[start + 1] !== LESS) return this.#hexString();
    if (first === LESS || (first === GREATER && bytes[start + 1] === GREATER)) this.at++;
    else if (!DELIMITERS.has(first) || first === SLASH) {
      while (this.at < bytes.length && !isBlank(bytes[this.at]) && !DELIMITERS.has(bytes[this.at])) this.at++;
    }
    const token = bytes.toString('latin1', start, Math.min(this.at, start + LONGEST_TOKEN));
    return first === SLASH
      ? token.replace(/#([0-9a-fA-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      : token;
  }

  /** Looks ahead at the next few tokens without consuming them. */
  ahead(): string[] {
    const { at } = this;
    const tokens: string[] = [];
    for (let token = this.next(); token !== undefined && tokens.length < MOST_AHEAD; token = this.next()) {
      tokens.push(token);
      if (token === ']' || token === '>>') break;
    }
    this.at = at;
    return tokens;
  }

  #skipBlanks(): void {
    const bytes = this.#bytes;
    for (; this.at < bytes.length; this.at++) {
      if (bytes[this.at] === PERCENT)
        while (this.at < bytes.length && bytes[this.at] !== NEWLINE && bytes[this.at] !== RETURN) this.at++;
      else if (!isBlank(bytes[this.at])) return;
    }
  }

  #string(): string {
    const bytes = this.#bytes;
    for (let depth = 1; this.at < bytes.length && depth > 0; this.at++) {
      if (bytes[this.at] === BACKSLASH) this.at++;
      else if (bytes[this.at] === OPEN) depth++;
      else if (bytes[this.at] === CLOSE) depth--;
    }
    return '()';
  }

  #hexString(): string {
    const end = this.#bytes.indexOf(GREATER, this.at);
    this.at = end < 0 ? this.#bytes.length : end + 1;
    return '()';
  }
}

/** Tokens of one look-ahead: more than the longest chain of filters allowed. */
const MOST_AHEAD = 20;
/** Longest token kept; names of filters are shorter. */
const LONGEST_TOKEN = 100;

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === NEWLINE || byte === RETURN || byte === 0x09 || byte === 0x0c || byte === 0;
}

const DELIMITERS: ReadonlySet<number> = new Set(Buffer.from('()<>[]{}/%'));
