import { badField } from '../server/problem.js';
import { Base64Decoder, spanOf } from './base64.js';
import { ByteList } from '../server/byte-list.js';

type Where = 'start' | 'first' | 'value' | 'inside' | 'behind' | 'after';

/**
 * Files of a body that is a JSON array of base64 strings, or a JSON string that holds such an array. They are decoded
 * as they arrive: nothing but their bytes is built, whatever else the body holds (120 MB of brackets took `JSON.parse`
 * a minute and a gigabyte). Undefined when there is no body, an empty text or `null`.
 * @param most most files that are taken.
 * @throws Problem 400 about the body.
 */
export async function filesOfJson(source: AsyncIterable<Uint8Array>, most: number): Promise<Uint8Array[] | undefined> {
  const reader = new FilesReader(most);
  for await (const text of unwrapped(source)) reader.read(text);
  return reader.end();
}

class FilesReader {
  readonly #most: number;
  readonly #files: Uint8Array[] = [];
  #where: Where = 'start';
  #decoder = new Base64Decoder();
  #bytes = new ByteList();
  /** The beginning of what has not arrived as a whole. */
  #rest = '';

  constructor(most: number) {
    this.#most = most;
  }

  read(piece: string): void {
    let text = this.#rest + piece;
    this.#rest = '';
    while (text !== '') {
      if (this.#where === 'inside') {
        const { length, ended } = spanOf(text);
        this.#bytes.append(this.#decoder.decodeEscaped(text.slice(0, length)));
        if (!ended) {
          this.#rest = text.slice(length);
          return;
        }
        this.#bytes.append(this.#decoder.end());
        this.#files.push(this.#bytes.whole());
        this.#where = 'behind';
        text = text.slice(length + 1);
        continue;
      }
      text = text.trimStart();
      if (text === '') return;
      if (this.#where === 'start' && 'null'.startsWith(text.trimEnd())) {
        this.#rest = text.trimEnd();
        return;
      }
      this.#mark(text[0]);
      text = text.slice(1);
    }
  }

  /** The files, or undefined where there was no array. @throws Problem 400 */
  end(): Uint8Array[] | undefined {
    if (this.#where === 'after') return this.#files;
    if (this.#where === 'start' && ['', 'null'].includes(this.#rest)) return undefined;
    throw badField('body', 'must be a JSON array of strings, received one without an end');
  }

  #mark(mark: string): void {
    const where = this.#where;
    const isValue = where === 'first' || where === 'value';
    if (where === 'start' && mark === '[') this.#where = 'first';
    else if (isValue && mark === '"') this.#begin();
    else if ((where === 'first' || where === 'behind') && mark === ']') this.#where = 'after';
    else if (where === 'behind' && mark === ',') this.#where = 'value';
    else throw badField('body', `must be a JSON array of strings, received ${this.#found(mark)}`);
  }

  #begin(): void {
    if (this.#files.length === this.#most)
      throw badField('body', `must hold at most ${this.#most} files, received more`);
    this.#where = 'inside';
    this.#decoder = new Base64Decoder();
    this.#bytes = new ByteList();
  }

  #found(mark: string): string {
    const named = { '[': 'an array', '{': 'an object' }[mark] ?? `one that has ${JSON.stringify(mark)}`;
    return this.#where === 'start' ? named : `${named} at position ${this.#files.length}`;
  }
}

/** The text of the body as it arrives; that in a JSON string where it is one. */
async function* unwrapped(source: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, void> {
  let where: 'before' | 'plain' | 'inside' | 'after' = 'before';
  let rest = '';
  for await (const chunk of source) {
    let text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    rest = '';
    if (where === 'before') {
      // A byte order mark is read as white space.
      text = text.replace(/^[\s\xef\xbb\xbf]+/, '');
      if (text === '') continue;
      where = text.startsWith('"') ? 'inside' : 'plain';
      if (where === 'inside') text = text.slice(1);
    }
    if (where === 'plain') yield text;
    if (where === 'inside') {
      const { length, ended } = spanOf(text);
      yield unquoted(text.slice(0, length));
      if (!ended) {
        rest = text.slice(length);
        continue;
      }
      where = 'after';
      text = text.slice(length + 1);
    }
    if (where === 'after' && /\S/.test(text)) throw badField('body', 'must be one JSON value, received more after it');
  }
  if (where === 'inside') throw badField('body', 'must be JSON, received a string without an end');
}

function unquoted(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw badField('body', `must be JSON: ${cause.message.slice(0, 200)}`);
  }
}
