import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Begins packed views. Others are stored as they are. */
const MAGIC = 'SXVP';
/** Begins packed views of whose first part equal ones are stored once. */
const ONCE_MAGIC = 'SXVO';
/** Magic, then three decimal numbers: bytes unpacked, bytes in all, bytes of the first part (unpacked). */
const DIGITS = 8;
const HEAD_BYTES = MAGIC.length + 3 * DIGITS;
/** Where equal ones are stored once, two more numbers: views of the first part, and how many of them are stored. */
const ONCE_HEAD_BYTES = HEAD_BYTES + 2 * DIGITS;
/** Bytes of the number of the stored view that each view of the first part is. */
const NUMBER_BYTES = 2;
/** Fewer views are stored as they are. */
const LEAST_VIEWS = 8;

/** Begins a packed text, which is JSON otherwise. */
const TEXT_MAGIC = 'z';
const LEAST_TEXT = 1_000;
/** A file has some thousand places at most, 300 bytes each. */
const MOST_TEXT_BYTES = 64 * 2 ** 20;

const isMagic = (magic: string): string => `substr(bytes, 1, ${MAGIC.length}) = CAST('${magic}' AS BLOB)`;
const numberAt = (place: number): string =>
  `CAST(CAST(substr(bytes, ${MAGIC.length + 1 + place * DIGITS}, ${DIGITS}) AS TEXT) AS INTEGER)`;

/** SQL: whether the views or the places in a row are many and not packed, or packed by an engine of before. */
export const IS_UNPACKED = `count >= ${LEAST_VIEWS} AND (NOT (${isMagic(ONCE_MAGIC)} OR ${isMagic(MAGIC)})
  OR (${isMagic(MAGIC)} AND ${numberAt(2)} > 0)
  OR (length(places) >= ${LEAST_TEXT} AND substr(places, 1, 1) <> '${TEXT_MAGIC}'))`;

/** SQL: whether the views in a row have `count` times so many bytes (a parameter), packed or not. */
export function hasViewBytes(parameter: string): string {
  return `(length(bytes) = count * ${parameter} OR ((${isMagic(ONCE_MAGIC)} OR ${isMagic(MAGIC)})
    AND ${numberAt(0)} = count * ${parameter} AND ${numberAt(1)} = length(bytes)))`;
}

/**
 * Views as they are stored: the first ones, which every search by a drawing reads of some hundred files, as they are;
 * the others compressed. Of 30 and 50 views of a model, which take 52 kB, these take 20 and 11; a fifth of the first
 * ones are equal to others, because most parts are their own mirror images, and are stored once: 27 kB. With the first
 * ones compressed as well they took 17 kB, and a search by a drawing 25 % more time (60 µs a file).
 * first: number of views of the first part.
 */
export function packViews(bytes: Uint8Array, count: number, first: number): Uint8Array {
  if (count < LEAST_VIEWS) return bytes;
  const stride = bytes.length / count;
  const end = stride * first;
  const others = deflateRawSync(bytes.subarray(end));
  const once = onceOf(bytes.subarray(0, end), first);
  const head = once === undefined ? HEAD_BYTES : ONCE_HEAD_BYTES + NUMBER_BYTES * first;
  const length = head + (once?.stored.length ?? first) * stride + others.length;
  if (length >= bytes.length) return bytes;
  const digits = (values: readonly number[]): string =>
    values.map((value) => String(value).padStart(DIGITS, '0')).join('');
  const sizes = digits([bytes.length, length, end]);
  if (once === undefined) return Buffer.concat([Buffer.from(MAGIC + sizes), bytes.subarray(0, end), others]);
  const views = once.stored.map((view) => bytes.subarray(view * stride, (view + 1) * stride));
  const counts = digits([first, views.length]);
  return Buffer.concat([Buffer.from(ONCE_MAGIC + sizes + counts), once.numbers, ...views, others]);
}

/** The views that are equal to none before them, and of each view the number of the stored one; undefined: all are. */
function onceOf(bytes: Uint8Array, count: number): { readonly stored: number[]; readonly numbers: Buffer } | undefined {
  const stride = bytes.length / count;
  const known = new Map<string, number>();
  const stored: number[] = [];
  const numbers = Buffer.alloc(NUMBER_BYTES * count);
  for (let view = 0; view < count; view++) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset + view * stride, stride).toString('latin1');
    let number = known.get(text);
    if (number === undefined) {
      known.set(text, (number = stored.length));
      stored.push(view);
    }
    if (number >= 2 ** (8 * NUMBER_BYTES)) return undefined;
    numbers.writeUInt16LE(number, NUMBER_BYTES * view);
  }
  return stored.length === count ? undefined : { stored, numbers };
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
  const { first, packedAt } = firstOf(stored, head);
  if (first.length !== end) return new Uint8Array();
  if (part === 'first' && end > 0) return first;
  const others = inflated(stored.subarray(packedAt), length - end);
  return first.length + others.length === length ? Buffer.concat([first, others]) : new Uint8Array();
}

/** The first part, empty when it is damaged, and where the other one begins. */
function firstOf(
  stored: Uint8Array,
  [, , end, count, kept]: readonly number[],
): { readonly first: Uint8Array; readonly packedAt: number } {
  if (count === undefined) return { first: stored.subarray(HEAD_BYTES, HEAD_BYTES + end), packedAt: HEAD_BYTES + end };
  const stride = end / count;
  const viewsAt = ONCE_HEAD_BYTES + NUMBER_BYTES * count;
  const packedAt = viewsAt + kept * stride;
  if (!Number.isInteger(stride) || packedAt > stored.length) return { first: new Uint8Array(), packedAt };
  const first = Buffer.allocUnsafe(end);
  const numberOf = (view: number): number => {
    const at = ONCE_HEAD_BYTES + NUMBER_BYTES * view;
    return stored[at] + 256 * stored[at + 1];
  };
  // Most follow each other: a run is copied at once.
  for (let view = 0; view < count; ) {
    const number = numberOf(view);
    let run = 1;
    while (view + run < count && numberOf(view + run) === number + run) run++;
    if (number + run > kept) return { first: new Uint8Array(), packedAt };
    first.set(stored.subarray(viewsAt + number * stride, viewsAt + (number + run) * stride), view * stride);
    view += run;
  }
  return { first, packedAt };
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
  const head = Buffer.from(stored.buffer, stored.byteOffset, Math.min(stored.length, ONCE_HEAD_BYTES)).toString(
    'latin1',
  );
  const found = /^SXVP(\d{8})(\d{8})(\d{8})|^SXVO(\d{8})(\d{8})(\d{8})(\d{8})(\d{8})/.exec(head);
  const numbers = found?.slice(1).flatMap((digits) => (digits === undefined ? [] : [Number(digits)]));
  return numbers?.[1] === stored.length ? numbers : undefined;
}
