import { ByteList } from '../server/byte-list.js';
import { badField } from '../server/problem.js';

/** Characters that JSON writers escape in base64 text, and those that old encoders break lines with. */
const ESCAPES: Readonly<Record<string, string>> = { '/': '/', n: '', r: '', t: '' };

/**
 * Decodes a JSON string of base64 as it arrives: memory holds one chunk, however long the string is.
 * @param leastLength least number of characters of base64.
 * @throws Problem 400 about the body when it is not a JSON string, not base64 or too short.
 */
export async function* base64OfJson(
  source: AsyncIterable<Uint8Array>,
  leastLength: number,
): AsyncGenerator<Uint8Array, void, void> {
  const decoder = new Base64Decoder();
  let state: 'before' | 'inside' | 'after' = 'before';
  let rest = '';
  for await (const chunk of source) {
    let text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    rest = '';
    if (state === 'before') {
      // A byte order mark is read as white space.
      text = text.replace(/^[\s\xef\xbb\xbf]+/, '');
      if (text === '') continue;
      if (!text.startsWith('"'))
        throw badField(
          'body',
          `must be a JSON string of base64, received one that begins with ${JSON.stringify(text.slice(0, 1))}`,
        );
      text = text.slice(1);
      state = 'inside';
    }
    if (state === 'inside') {
      const { length, ended } = spanOf(text);
      const bytes = decoder.decodeEscaped(text.slice(0, length));
      if (bytes.length > 0) yield bytes;
      if (!ended) {
        rest = text.slice(length);
        continue;
      }
      text = text.slice(length + 1);
      state = 'after';
    }
    if (/\S/.test(text)) throw badField('body', 'must be one JSON string, received more after it');
  }
  if (state !== 'after') throw badField('body', 'must be a JSON string of base64, received one without an end');
  if (decoder.length < leastLength) throw tooSmall(decoder.length, leastLength, 'characters of base64');
  const last = decoder.end();
  if (last.length > 0) yield last;
}

/**
 * The bytes of a body that is a JSON string of base64, decoded as it arrives; none without a body, or of `null`.
 * @throws Problem 400
 */
export async function bytesOfJson(source: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const bytes = new ByteList();
  for await (const part of base64OfJson(source, 0)) bytes.append(part);
  return bytes.whole();
}

/** 400 for an upload below the minimum size. */
export function tooSmall(found: number, least: number, what: string): Error {
  return badField('body', `must have at least ${least} ${what}, received ${found}`);
}

/**
 * How much of the text, which begins inside a JSON string, belongs to that string: up to its quote where it `ended`,
 * else without an escape that the text cuts.
 */
export function spanOf(text: string): { readonly length: number; readonly ended: boolean } {
  let quote = text.indexOf('"');
  let at = 0;
  for (;;) {
    const escape = text.indexOf('\\', at);
    if (quote >= 0 && (escape < 0 || quote < escape)) return { length: quote, ended: true };
    if (escape < 0) return { length: text.length, ended: false };
    at = escape + (text[escape + 1] === 'u' ? 6 : 2);
    if (at > text.length) return { length: escape, ended: false };
    if (quote >= 0 && quote < at) quote = text.indexOf('"', at);
  }
}

/**
 * Unlike Buffer, it checks the alphabet and the padding; white space is ignored. @throws Problem 400 about the body.
 */
export class Base64Decoder {
  #rest = '';
  #padding = 0;
  #length = 0;

  /** Number of characters so far, with padding, without white space. */
  get length(): number {
    return this.#length;
  }

  /** Text as it stands in JSON. */
  decodeEscaped(text: string): Uint8Array {
    return this.decode(text.includes('\\') ? unescaped(text) : text);
  }

  decode(text: string): Uint8Array {
    const dense = /\s/.test(text) ? text.replace(/\s+/g, '') : text;
    this.#length += dense.length;
    const end = dense.indexOf('=');
    const digits = end < 0 ? dense : dense.slice(0, end);
    const padding = end < 0 ? '' : dense.slice(end);
    if ((this.#padding > 0 && digits !== '') || !/^[A-Za-z0-9+/]*$/.test(digits) || !/^=*$/.test(padding)) {
      const wrong = /[^A-Za-z0-9+/=]/.exec(dense)?.[0] ?? '=';
      throw badField('body', `must be base64, received the character ${JSON.stringify(wrong)} where none may be`);
    }
    this.#padding += padding.length;
    const all = this.#rest + digits;
    const whole = all.length - (all.length % 4);
    this.#rest = all.slice(whole);
    return Buffer.from(whole === all.length ? all : all.slice(0, whole), 'base64');
  }

  /** The last, incomplete group of characters. */
  end(): Uint8Array {
    // Missing padding is accepted: some writers leave it out.
    const complete =
      this.#padding === 0 ? this.#rest.length !== 1 : this.#rest.length + this.#padding === 4 && this.#rest.length >= 2;
    if (!complete) throw badField('body', 'must be base64, received one that ends inside a group of four characters');
    return Buffer.from(this.#rest, 'base64');
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(u[0-9a-fA-F]{4}|.|$)/gs, (all, escape: string) => {
    if (escape.length === 5) return String.fromCharCode(parseInt(escape.slice(1), 16));
    const meant = ESCAPES[escape];
    if (meant === undefined)
      throw badField('body', `must be a JSON string of base64, received the escape ${JSON.stringify(all)}`);
    return meant;
  });
}
