import { decodeAs, encodingNamed } from '../text/text-encoding.js';

/** A structured header: `text/plain; charset=utf-8`. */
export interface Parameters {
  /** Lower case, without blanks. */
  readonly value: string;
  /** Lower-case names. */
  readonly parameters: ReadonlyMap<string, string>;
}

/** Most characters of a structured header that are looked at. */
const LONGEST = 8_192;

/** The characters of a header: UTF-8 (RFC 6532), or Latin letters of old where it is not that. */
export function headerText(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8').decode(bytes);
  return text.includes('\ufffd') ? decodeAs('windows-1252', bytes) : text;
}

/** Value and parameters, with the extensions of RFC 2231: character sets and values in several pieces. */
export function parametersOf(header: string): Parameters {
  const text = header.slice(0, LONGEST);
  const pieces = new Map<string, { value: string; extended: boolean }[]>();
  for (const [, name, index, star, quoted, bare] of text.matchAll(
    /;\s*([\w!#$&.+^`|~-]+)(?:\*(\d{1,3}))?(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s]*))/g,
  )) {
    const key = name.toLowerCase();
    const list = pieces.get(key) ?? [];
    list[Number(index ?? 0)] ??= { value: quoted?.replace(/\\(.)/g, '$1') ?? bare, extended: star !== undefined };
    pieces.set(key, list);
  }
  const parameters = new Map<string, string>();
  for (const [name, list] of pieces) parameters.set(name, joined(list.filter((piece) => piece !== undefined)));
  return { value: text.split(';', 1)[0].trim().toLowerCase(), parameters };
}

/** Text of a header in which words may be encoded (RFC 2047): `=?utf-8?q?Zo=C3=AB?=`. */
export function decodeWords(header: string): string {
  let text = '';
  let from = 0;
  let encoding = '';
  let bytes: Uint8Array[] = [];
  const flush = (): void => {
    if (bytes.length > 0) text += decodeAs(encodingNamed(encoding) ?? 'windows-1252', Buffer.concat(bytes));
    bytes = [];
  };
  for (const match of header.matchAll(/=\?([\w.:+-]{1,40})(?:\*[\w-]{0,40})?\?([BQ])\?([^?]*)\?=/gi)) {
    const between = header.slice(from, match.index);
    // Blanks between encoded words are none of the text; a letter may be split between two words.
    if (between.trim() !== '' || from === 0) {
      flush();
      text += between;
    }
    if (match[1].toLowerCase() !== encoding) flush();
    encoding = match[1].toLowerCase();
    bytes.push(/b/i.test(match[2]) ? Buffer.from(match[3], 'base64') : fromQ(match[3]));
    from = match.index + match[0].length;
  }
  flush();
  return text + header.slice(from);
}

function joined(pieces: readonly { value: string; extended: boolean }[]): string {
  if (!pieces.some(({ extended }) => extended)) return decodeWords(pieces.map(({ value }) => value).join(''));
  const [, encoding, first] = /^([\w.:-]*)'[^']*'(.*)$/s.exec(pieces[0].value) ?? [undefined, 'utf-8', pieces[0].value];
  const bytes = pieces.map(({ value, extended }, i) => {
    const text = i === 0 ? first : value;
    return extended ? fromEscapes(text, '%') : Buffer.from(text);
  });
  return decodeAs(encodingNamed(encoding) ?? 'utf-8', Buffer.concat(bytes));
}

function fromQ(word: string): Uint8Array {
  return fromEscapes(word.replaceAll('_', ' '), '=');
}

/** Bytes out of text in which some are written as two hexadecimal digits behind a sign. */
function fromEscapes(text: string, sign: '%' | '='): Uint8Array {
  const escapes = sign === '%' ? /%([0-9a-f]{2})/gi : /=([0-9a-f]{2})/gi;
  const pieces: Uint8Array[] = [];
  let from = 0;
  for (const match of text.matchAll(escapes)) {
    pieces.push(Buffer.from(text.slice(from, match.index)), Uint8Array.of(parseInt(match[1], 16)));
    from = match.index + 3;
  }
  return Buffer.concat([...pieces, Buffer.from(text.slice(from))]);
}
