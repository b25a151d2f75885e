import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Begins packed views. Others are stored as they are. */
const MAGIC = 'SXVP';
/** Magic, then three decimal numbers: bytes unpacked, bytes in all, bytes of the first part. */
const DIGITS = 8;
const HEAD_BYTES = MAGIC.length + 3 * DIGITS;
/** Fewer views are stored as they are. */
const LEAST_VIEWS = 8;

/** Begins a packed text, which is JSON otherwise. */
const TEXT_MAGIC = 'z';
const LEAST_TEXT = 1_000;
/** A file has some thousand places at most, 300 bytes each. */
const MOST_TEXT_BYTES = 64 * 2 ** 20;

/** SQL: whether the views or the places in a row are many and not packed. */
export const IS_UNPACKED = `count >= ${LEAST_VIEWS} AND (substr(bytes, 1, ${MAGIC.length}) <> CAST('${MAGIC}' AS BLOB)
  OR (length(places) >= ${LEAST_TEXT} AND substr(places, 1, 1) <> '${TEXT_MAGIC}'))`;

/** SQL: whether the views in a row have `count` times so many bytes (a parameter), packed or not. */
export function hasViewBytes(parameter: string): string {
  const number = (at: number): string => `CAST(CAST(substr(bytes, ${at}, ${DIGITS}) AS TEXT) AS INTEGER)`;
  return `(length(bytes) = count * ${parameter} OR (substr(bytes, 1, ${MAGIC.length}) = CAST('${MAGIC}' AS BLOB)
    AND ${number(MAGIC.length + 1)} = count * ${parameter} AND ${number(MAGIC.length + 1 + DIGITS)} = length(bytes)))`;
}

/**
 * Views as they are stored: the first ones, which every search by a drawing reads of some hundred files, as they are;
 * the others compressed. 30 and 50 views of a model take 30 kB instead of 52. With the first ones compressed as well
 * they took 17 kB, and a search by a drawing 25 % more time (60 µs a file).
 * first: number of views of the first part.
 */
export function packViews(bytes: Uint8Array, count: number, first: number): Uint8Array {
  if (count < LEAST_VIEWS) return bytes;
  const end = (bytes.length / count) * first;
  const others = deflateRawSync(bytes.subarray(end));
  const length = HEAD_BYTES + end + others.length;
  if (length >= bytes.length) return bytes;
  const numbers = [bytes.length, length, end].map((value) => String(value).padStart(DIGITS, '0'));
  return Buffer.concat([Buffer.from(MAGIC + numbers.join('')), bytes.subarray(0, end), others]);
}

/** Other bytes as they are stored: compressed, where that is smaller; {@link unpackViews} unpacks them. */
export function packBytes(bytes: Uint8Array): Uint8Array {
  return packViews(bytes, LEAST_VIEWS, 0);
}

/**
 * What {@link packViews} packed, or what is stored as it is. Empty when it is damaged.
 * part: 'first': of packed views only the first part.
 */
export function unpackViews(stored: Uint8Array, part: 'all' | 'first' = 'all'): Uint8Array {
  const head = headOf(stored);
  if (head === undefined) return stored;
  const [length, , end] = head;
  const first = stored.subarray(HEAD_BYTES, HEAD_BYTES + end);
  if (part === 'first' && end > 0) return first;
  const others = inflated(stored.subarray(HEAD_BYTES + end), length - end);
  return first.length + others.length === length ? Buffer.concat([first, others]) : new Uint8Array();
}

/** A long JSON text as it is stored: of 80 places 2 kB instead of 20. */
export function packText(json: string): string {
  return json.length < LEAST_TEXT ? json : TEXT_MAGIC + deflateRawSync(json).toString('base64');
}

/** What {@link packText} packed, or what is stored as it is. Empty, which is no JSON, when it is damaged. */
export function unpackText(stored: string): string {
  if (!stored.startsWith(TEXT_MAGIC)) return stored;
  try {
    const packed = Buffer.from(stored.slice(TEXT_MAGIC.length), 'base64');
    return inflateRawSync(packed, { maxOutputLength: MOST_TEXT_BYTES }).toString('utf8');
  } catch {
    // Whoever parses it says that the row is damaged.
    return '';
  }
}

/** Empty when it is damaged. */
function inflated(packed: Uint8Array, length: number): Uint8Array {
  try {
    const bytes = inflateRawSync(packed, { maxOutputLength: Math.max(1, length) });
    return bytes.length === length ? bytes : new Uint8Array();
  } catch {
    // Whoever reads a row of another length leaves it out and has its file indexed again.
    return new Uint8Array();
  }
}

function headOf(stored: Uint8Array): readonly number[] | undefined {
  if (stored.length < HEAD_BYTES || stored[0] !== MAGIC.charCodeAt(0)) return undefined;
  const text = Buffer.from(stored.buffer, stored.byteOffset, HEAD_BYTES).toString('latin1');
  if (!/^SXVP\d{24}$/.test(text)) return undefined;
  const head = [0, 1, 2].map((i) => Number(text.slice(MAGIC.length + i * DIGITS, MAGIC.length + (i + 1) * DIGITS)));
  return head[1] === stored.length ? head : undefined;
}
