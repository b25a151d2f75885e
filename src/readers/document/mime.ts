import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';
import type { UnpackBudget } from '../package/archive.js';
import { headerText, parametersOf, type Parameters } from './mime-headers.js';

/** A message, or a part of one (RFC 2045). */
export interface MimePart {
  /** Lower-case names; the first one counts. Values are unfolded and decoded. */
  readonly headers: ReadonlyMap<string, string>;
  /** Media type in lower case: `text/plain`. */
  readonly type: Parameters;
  readonly disposition: Parameters;
  /** Of an attachment; '' when it has none. */
  readonly fileName: string;
  /** As it stands in the file, still in its transfer encoding; empty for a part that has parts. */
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
const LONGEST_HEADER = 1024 * 1024;
/** Most header fields of a part. */
const MOST_FIELDS = 1_000;
/** Base64 is decoded in pieces, because a string has an end. */
const PIECE_BYTES = 16 * 1024 * 1024;

/**
 * Reads the structure of a message. Bodies are views of its bytes and are not decoded, but for messages in it.
 * @throws EngineError `LIMIT_EXCEEDED` for parts nested beyond `limits.depth`, for more of them than
 * `limits.archiveEntries`, or when messages in it decode to more than the budget has left.
 */
export function readMime(bytes: Uint8Array, limits: Limits, budget: UnpackBudget): MimePart {
  return new MimeReader(limits, budget).read(bytes, 1, 'text/plain');
}

/**
 * A part's body without its transfer encoding (RFC 2045, 6).
 * @param budget counts the bytes, where they are kept: a message in a message in a message is decoded as often.
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

class MimeReader {
  readonly #limits: Limits;
  readonly #budget: UnpackBudget;
  #parts = 0;

  constructor(limits: Limits, budget: UnpackBudget) {
    this.#limits = limits;
    this.#budget = budget;
  }

  read(bytes: Uint8Array, depth: number, usualType: string): MimePart {
    if (depth > this.#limits.depth) refuse('depth', this.#limits.depth, depth);
    if (++this.#parts > this.#limits.archiveEntries) refuse('archiveEntries', this.#limits.archiveEntries, this.#parts);
    const end = endOfHeader(bytes);
    const headers = fieldsOf(headerText(bytes.subarray(0, Math.min(end, LONGEST_HEADER))));
    const type = parametersOf(headers.get('content-type') ?? usualType);
    const disposition = parametersOf(headers.get('content-disposition') ?? '');
    const fileName = disposition.parameters.get('filename') ?? type.parameters.get('name') ?? '';
    const part: MimePart = { headers, type, disposition, fileName, body: bytes.subarray(end), parts: [] };
    const boundary = type.parameters.get('boundary') ?? '';
    if (type.value.startsWith('multipart/') && boundary !== '') {
      const inner = type.value === 'multipart/digest' ? 'message/rfc822' : 'text/plain';
      const parts = splitAt(part.body, boundary, this.#limits.archiveEntries).map((piece) =>
        this.read(piece, depth + 1, inner),
      );
      // Without a line of its boundary it is one part.
      return parts.length === 0 ? part : { ...part, body: new Uint8Array(), parts };
    }
    if (type.value !== 'message/rfc822') return part;
    return {
      ...part,
      body: new Uint8Array(),
      parts: [this.read(decodedBody(part, this.#budget), depth + 1, 'text/plain')],
    };
  }
}

/** First byte behind the empty line. */
function endOfHeader(bytes: Uint8Array): number {
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, at);
    if (newline < 0) return bytes.length;
    if (newline === at || (newline === at + 1 && bytes[at] === RETURN)) return newline + 1;
    at = newline + 1;
  }
  return bytes.length;
}

function fieldsOf(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  const lines = text.split(/\r?\n/);
  for (let i = 0; i < lines.length && fields.size < MOST_FIELDS; i++) {
    const colon = lines[i].indexOf(':');
    const name = lines[i].slice(0, Math.max(0, colon)).trim().toLowerCase();
    // A field goes on in lines that begin with a blank.
    const value = [lines[i].slice(colon + 1)];
    while (i + 1 < lines.length && /^[ \t]/.test(lines[i + 1])) value.push(lines[++i]);
    if (/^[!-9;-~]+$/.test(name) && !fields.has(name)) fields.set(name, value.join('').trim());
  }
  return fields;
}

/** What stands between lines of `--boundary` (RFC 2046, 5.1.1); the last part may end with the file. */
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

function refuse(limit: 'depth' | 'archiveEntries', allowed: number, found: number): never {
  throw new EngineError('LIMIT_EXCEEDED', `the message's parts pass limits.${limit}, ${allowed}: found ${found}`, {
    details: { limit, allowed, found },
  });
}
