import PostalMime, { decodeWords } from 'postal-mime';
import { checkLimit } from '../../errors.js';
import type { Limits } from '../../options.js';
import type { UnpackBudget } from '../package/archive.js';
import { decodeText, fromWindows1252 } from '../text/text-encoding.js';

// postal-mime reads header fields, encoded words (RFC 2047) and file names (RFC 2231). It does not read whole messages
// here, because it holds every line of a body as an object: 64 MB of text took 23 s and 1.9 GB, 8 MB of line ends more
// than two minutes (Node 20). Splitting into parts and decoding bodies stay here, where they work on views of the bytes
// and count against limits.

/** A message, or a part of one (RFC 2045). */
export interface MimePart {
  /** Unfolded values by lower-case name; the first field of a name counts. Encoded words are not decoded. */
  readonly headers: ReadonlyMap<string, string>;
  /** Media type in lower case: `text/plain`. */
  readonly type: string;
  readonly charset: string | undefined;
  /** Whether its disposition is `attachment`. */
  readonly isAttachment: boolean;
  /** '' when it has none. */
  readonly fileName: string;
  /** The bytes in the file, still in their transfer encoding; empty for a part that has parts. */
  readonly body: Uint8Array;
  readonly parts: readonly MimePart[];
}

const NEWLINE = 0x0a,
  RETURN = 0x0d,
  SPACE = 0x20,
  TAB = 0x09,
  DASH = 0x2d,
  EQUALS = 0x3d;

/** Most bytes of a header that are read; real ones have some kilobytes. */
const LONGEST_HEADER = 256 * 1024;
/** Most header fields of a part. */
const MOST_FIELDS = 1_000;
/** Most characters of a structured header field that are read. */
const LONGEST_FIELD = 8_192;
/** Base64 is decoded in pieces of this size, because the length of a string is bounded. */
const PIECE_BYTES = 16 * 1024 * 1024;

/**
 * Reads the structure of a message. Bodies are views of its bytes and are not decoded, except those of messages inside
 * it.
 * @throws EngineError `LIMIT_EXCEEDED` for parts nested beyond `limits.depth`, for more of them than
 * `limits.archiveEntries`, or when messages inside it decode to more than the budget has left.
 */
export async function readMime(message: Uint8Array, limits: Limits, budget: UnpackBudget): Promise<MimePart> {
  let count = 0;
  const read = async (bytes: Uint8Array, depth: number, defaultType: string): Promise<MimePart> => {
    checkLimit('the message', limits, 'depth', depth);
    checkLimit('the message', limits, 'archiveEntries', ++count);
    const end = endOfHeader(bytes);
    const headers = await fieldsOf(bytes.subarray(0, Math.min(end, LONGEST_HEADER)));
    const contentType = (headers.get('content-type') ?? defaultType).slice(0, LONGEST_FIELD);
    const disposition = (headers.get('content-disposition') ?? '').slice(0, LONGEST_FIELD);
    const type = valueOf(contentType);
    const part: MimePart = {
      headers,
      type,
      charset: parameterOf(contentType, 'charset'),
      isAttachment: valueOf(disposition) === 'attachment',
      fileName: await fileNameOf(contentType, disposition),
      body: bytes.subarray(end),
      parts: [],
    };
    const boundary = parameterOf(contentType, 'boundary') ?? '';
    const parts: MimePart[] = [];
    if (type.startsWith('multipart/') && boundary !== '') {
      const inner = type === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
      for (const piece of splitAt(part.body, boundary, limits.archiveEntries))
        parts.push(await read(piece, depth + 1, inner));
    } else if (type === 'message/rfc822') {
      parts.push(await read(decodedBody(part, budget), depth + 1, 'text/plain'));
    }
    // A multipart without any line of its boundary is read as one part.
    return parts.length === 0 ? part : { ...part, body: new Uint8Array(), parts };
  };
  return read(message, 1, 'text/plain');
}

/** Decodes the encoded words of a header field (RFC 2047): `=?utf-8?q?Zo=C3=AB?=`. */
export function decodeField(value: string): string {
  return fromWindows1252(decodeWords(hexWords(value)));
}

/**
 * Rewrites base64 words as hexadecimal ones: `=?utf-8?B?w5g=?=` becomes `=?utf-8?Q?=c3=98?=`. Some programs split a
 * letter between two base64 words with padding, which postal-mime joins only in this form.
 */
function hexWords(value: string): string {
  return value.replace(
    /=\?([\w.:+*-]{1,80})\?B\?([^?]*)\?=/gi,
    (_, label: string, base64: string) =>
      `=?${label}?Q?${Buffer.from(base64, 'base64').toString('hex').replace(/../g, '=$&')}?=`,
  );
}

/**
 * The body of a part without its transfer encoding (RFC 2045, 6).
 * @param budget counts the decoded bytes where they are kept, because nested messages are decoded once per level.
 * @throws EngineError `LIMIT_EXCEEDED`.
 */
export function decodedBody({ headers, body }: MimePart, budget?: UnpackBudget): Uint8Array {
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase();
  const decode = encoding.includes('base64')
    ? fromBase64
    : encoding.includes('quoted-printable')
      ? fromQuotedPrintable
      : undefined;
  if (decode === undefined) return body;
  const decoded = decode(body);
  budget?.count(decoded.length, { packed: body.length, unpacked: decoded.length });
  return decoded;
}

/** Offset of the first byte after the empty line. */
function endOfHeader(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline < 0) return bytes.length;
    if (newline === at || (newline === at + 1 && bytes[at] === RETURN)) return newline + 1;
    at = newline + 1;
  }
  return bytes.length;
}

async function fieldsOf(header: Uint8Array): Promise<Map<string, string>> {
  // Decoded here, because postal-mime takes every header for UTF-8 and old ones are Latin-1.
  const text = decodeText(header, LONGEST_HEADER);
  const { headers } = await PostalMime.parse(text, { maxHeadersSize: 4 * LONGEST_HEADER });
  const fields = new Map<string, string>();
  for (const { key, value } of headers)
    if (fields.size < MOST_FIELDS && !fields.has(key) && key !== '') fields.set(key, value);
  return fields;
}

/** The file name by both fields, also one in several pieces or with a stated character set (RFC 2231). */
async function fileNameOf(contentType: string, disposition: string): Promise<string> {
  if (!/name/i.test(contentType + disposition)) return '';
  const parameters = (field: string): string => /;.*/s.exec(field)?.[0] ?? '';
  const { attachments } = await PostalMime.parse(
    `Content-Type: application/octet-stream${hexWords(parameters(contentType))}\r\n` +
      `Content-Disposition: attachment${hexWords(parameters(disposition))}\r\n\r\n`,
  );
  return fromWindows1252(attachments[0]?.filename ?? '');
}

/** The value of a structured field, lower case: `text/plain` of `text/plain; charset=utf-8`. */
function valueOf(field: string): string {
  return field.split(';', 1)[0].trim().toLowerCase();
}

/** A parameter of a structured field; postal-mime does not return these two, `boundary` and `charset`. */
function parameterOf(field: string, name: 'boundary' | 'charset'): string | undefined {
  const found = new RegExp(`;\\s*${name}\\s*=\\s*(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i').exec(field);
  return found?.[1]?.replace(/\\(.)/g, '$1') ?? found?.[2];
}

/** The pieces between lines of `--boundary` (RFC 2046, 5.1.1), at most `most` + 1; the last may end with the file. */
function splitAt(body: Uint8Array, boundary: string, most: number): Uint8Array[] {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`--${boundary}`, 'latin1');
  const pieces: Uint8Array[] = [];
  let start: number | undefined;
  for (let at = 0; pieces.length <= most; ) {
    const found = buffer.indexOf(delimiter, at);
    if (found < 0) break;
    let end = found + delimiter.length;
    const last = body[end] === DASH && body[end + 1] === DASH;
    if (last) end += 2;
    while (body[end] === SPACE || body[end] === TAB || body[end] === RETURN) end++;
    at = end;
    if ((found > 0 && body[found - 1] !== NEWLINE) || (end < body.length && body[end] !== NEWLINE)) continue;
    if (start !== undefined) pieces.push(body.subarray(start, Math.max(start, found - 1)));
    start = end + 1;
    if (last) return pieces;
  }
  if (start !== undefined) pieces.push(body.subarray(Math.min(start, body.length)));
  return pieces;
}

function fromBase64(body: Uint8Array): Uint8Array {
  const buffer = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const pieces: Uint8Array[] = [];
  let rest = '';
  for (let at = 0; at < buffer.length; at += PIECE_BYTES) {
    const text = rest + buffer.toString('latin1', at, at + PIECE_BYTES).replace(/[^A-Za-z0-9+/]+/g, '');
    const whole = text.length - (text.length % 4);
    pieces.push(Buffer.from(text.slice(0, whole), 'base64'));
    rest = text.slice(whole);
  }
  return Buffer.concat([...pieces, Buffer.from(rest, 'base64')]);
}

function fromQuotedPrintable(body: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(body.length);
  let length = 0;
  for (let at = 0; at < body.length; at++) {
    if (body[at] !== EQUALS) {
      decoded[length++] = body[at];
      continue;
    }
    const code = parseInt(String.fromCharCode(body[at + 1] ?? 0, body[at + 2] ?? 0), 16);
    if (body[at + 1] === NEWLINE) at += 1;
    else if (body[at + 1] === RETURN && body[at + 2] === NEWLINE) at += 2;
    else if (Number.isNaN(code)) decoded[length++] = EQUALS;
    else {
      decoded[length++] = code;
      at += 2;
    }
  }
  return decoded.subarray(0, length);
}
