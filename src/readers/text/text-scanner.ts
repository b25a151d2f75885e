/** Bytes that the scanners look for. */
const NEWLINE = 0x0a,
  RETURN = 0x0d,
  SPACE = 0x20,
  HASH = 0x23,
  PLUS = 0x2b,
  MINUS = 0x2d,
  POINT = 0x2e,
  ZERO = 0x30,
  NINE = 0x39;
const BACKSLASH = 0x5c,
  LOWER_E = 0x65;
const LOWER_CASE = 0x20;

/** Longest word or name that becomes a string, bytes; longer ones are cut (names) or refused (numbers). */
const LONGEST_STRING = 1_024;

/** Powers of ten that a double holds exactly. */
const TENS = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`));

/**
 * Walks over the words of an ASCII text without creating strings. A word is a run of bytes above the space; line ends
 * are LF, CR or both. After {@link next} or {@link nextInLine} returned true, the word is `bytes[start]` to
 * `bytes[stop]`.
 */
export class TextScanner {
  readonly bytes: Uint8Array;
  /** First byte of the word. */
  start = 0;
  /** One past the last byte of the word, where scanning continues. */
  stop: number;
  readonly #comments: boolean;
  readonly #continuations: boolean;

  /**
   * @param options.comments a word that begins with `#` hides the rest of its line.
   * @param options.continuations a backslash before a line end joins the lines.
   */
  constructor(bytes: Uint8Array, options: { comments?: boolean; continuations?: boolean; from?: number } = {}) {
    this.bytes = bytes;
    this.stop = options.from ?? byteOrderMarkLength(bytes);
    this.#comments = options.comments ?? false;
    this.#continuations = options.continuations ?? false;
  }

  /** Goes to the next word, over line ends. False at the end of the text. */
  next(): boolean {
    while (!this.nextInLine()) {
      if (!this.nextLine()) return false;
    }
    return true;
  }

  /** Goes to the next word of this line. False at the line's end; the scanner then stays there. */
  nextInLine(): boolean {
    const { bytes } = this;
    let at = this.stop;
    for (; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte > SPACE) {
        if (byte === HASH && this.#comments) {
          while (at < bytes.length && !isLineEnd(bytes[at])) at++;
          break;
        }
        if (byte === BACKSLASH && this.#continuations && isLineEnd(bytes[at + 1])) {
          at += bytes[at + 1] === RETURN && bytes[at + 2] === NEWLINE ? 2 : 1;
          continue;
        }
        this.start = at;
        while (at < bytes.length && bytes[at] > SPACE) at++;
        // A continuation may directly follow a word.
        if (this.#continuations && bytes[at - 1] === BACKSLASH && isLineEnd(bytes[at])) at--;
        this.stop = at;
        return true;
      }
      if (isLineEnd(byte)) break;
    }
    this.stop = at;
    return false;
  }

  /** Goes to the start of the next line. False when there is none. */
  nextLine(): boolean {
    while (this.nextInLine()) {
      // Stepping over the words applies comments and continuations.
    }
    const { bytes } = this;
    if (this.stop >= bytes.length) return false;
    this.stop += bytes[this.stop] === RETURN && bytes[this.stop + 1] === NEWLINE ? 2 : 1;
    return true;
  }

  /** The rest of this line, trimmed; the scanner stops before the line end. */
  restOfLine(): string {
    let end = this.stop;
    while (end < this.bytes.length && !isLineEnd(this.bytes[end])) end++;
    const text = new TextDecoder()
      .decode(this.bytes.subarray(this.stop, Math.min(end, this.stop + LONGEST_STRING)))
      .trim();
    this.stop = end;
    return text;
  }

  /** Compares the word with `word`, given in lower case, ignoring case. */
  is(word: string): boolean {
    if (this.stop - this.start !== word.length) return false;
    for (let i = 0; i < word.length; i++) {
      const byte = this.bytes[this.start + i];
      const lower = byte >= 0x41 && byte <= 0x5a ? byte | LOWER_CASE : byte;
      if (lower !== word.charCodeAt(i)) return false;
    }
    return true;
  }

  /** The word as text. */
  word(): string {
    return new TextDecoder().decode(this.bytes.subarray(this.start, Math.min(this.stop, this.start + LONGEST_STRING)));
  }

  /** The word as a number, correctly rounded; NaN when it is not one. */
  number(): number {
    return parseNumber(this.bytes, this.start, this.stop);
  }

  /** The next word, over line ends, as a number; NaN when it is not one or the text ends. */
  nextNumber(): number {
    return this.next() ? this.number() : NaN;
  }
}

/**
 * The decimal number in `bytes[start]` to `bytes[stop]`, correctly rounded; NaN when the bytes are not one number from
 * end to end. Fifteen digits and a power of ten up to 22 are exact in doubles, so one product or quotient rounds
 * correctly (Clinger 1990); any other number goes through `Number`.
 */
export function parseNumber(bytes: Uint8Array, start: number, stop: number): number {
  let at = start;
  const negative = bytes[at] === MINUS;
  if (negative || bytes[at] === PLUS) at++;
  let mantissa = 0;
  let digits = 0;
  let exponent = 0;
  let seen = false;
  for (; at < stop && bytes[at] >= ZERO && bytes[at] <= NINE; at++) {
    mantissa = 10 * mantissa + (bytes[at] - ZERO);
    if (mantissa !== 0) digits++;
    seen = true;
  }
  if (at < stop && bytes[at] === POINT) {
    for (at++; at < stop && bytes[at] >= ZERO && bytes[at] <= NINE; at++) {
      mantissa = 10 * mantissa + (bytes[at] - ZERO);
      if (mantissa !== 0) digits++;
      exponent--;
      seen = true;
    }
  }
  if (!seen) return NaN;
  if (at < stop && (bytes[at] | LOWER_CASE) === LOWER_E) {
    at++;
    const falls = bytes[at] === MINUS;
    if (falls || bytes[at] === PLUS) at++;
    if (at >= stop) return NaN;
    let power = 0;
    for (; at < stop && bytes[at] >= ZERO && bytes[at] <= NINE; at++)
      power = Math.min(100_000, 10 * power + (bytes[at] - ZERO));
    exponent += falls ? -power : power;
  }
  if (at !== stop) return NaN;
  if (digits > 15 || exponent < -22 || exponent > 22) {
    return stop - start > LONGEST_STRING ? NaN : Number(latin1(bytes, start, stop));
  }
  const size = exponent < 0 ? mantissa / TENS[-exponent] : mantissa * TENS[exponent];
  return negative ? -size : size;
}

/** Length of the UTF-8 byte order mark at the start: 3 or 0. */
export function byteOrderMarkLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === NEWLINE || byte === RETURN;
}

/** A short run of bytes as text, one character per byte. */
export function latin1(bytes: Uint8Array, start: number, stop: number): string {
  let text = '';
  for (let i = start; i < stop; i++) text += String.fromCharCode(bytes[i]);
  return text;
}
