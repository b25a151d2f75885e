import { brotliDecompressSync, constants, createInflateRaw, inflateRawSync } from 'node:zlib';

/** A filter produced more bytes than allowed. */
export class TooLong extends Error {}

/** Decodes as much of the input as is sound. @throws TooLong for more than `mostBytes` bytes of output. */
type Decode = (packed: Buffer, mostBytes: number) => Buffer | Promise<Buffer>;

/** Our own name, not one of PDF, for LZW with `/EarlyChange 0`. */
export const LATE_LZW = 'LZWDecode /EarlyChange 0';

/** Filters by their long and short names (ISO 32000-1, 7.4), without those of pictures. */
const FILTERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['FlateDecode', inflate],
  ['Fl', inflate],
  ['LZWDecode', fromLzwEarly],
  ['LZW', fromLzwEarly],
  [LATE_LZW, fromLzwLate],
  ['RunLengthDecode', fromRunLengths],
  ['RL', fromRunLengths],
  ['ASCII85Decode', fromAscii85],
  ['A85', fromAscii85],
  ['ASCIIHexDecode', fromAsciiHex],
  ['AHx', fromAsciiHex],
  ['BrotliDecode', fromBrotli],
]);

/** Filters that compress. */
export const PACKING: ReadonlySet<string> = new Set([
  'FlateDecode',
  'Fl',
  'LZWDecode',
  'LZW',
  'RunLengthDecode',
  'RL',
  'BrotliDecode',
]);

export function filterOf(name: string): Decode | undefined {
  return FILTERS.get(name);
}

/** Whether the bytes begin with a zlib header: method 8, no preset dictionary, correct check bits (RFC 1950, 2.2). */
export function isZlib(bytes: Buffer): boolean {
  return (
    bytes.length > 2 && (bytes[0] & 0x0f) === 8 && (bytes[1] & 0x20) === 0 && (256 * bytes[0] + bytes[1]) % 31 === 0
  );
}

/** Like pdfjs, ignores checksums and keeps what precedes damage. */
async function inflate(packed: Buffer, mostBytes: number): Promise<Buffer> {
  if (!isZlib(packed)) return Buffer.alloc(0);
  const raw = packed.subarray(2);
  try {
    return inflateRawSync(raw, { maxOutputLength: Math.max(1, mostBytes), finishFlush: constants.Z_SYNC_FLUSH });
  } catch (cause) {
    if (isTooLarge(cause)) throw new TooLong();
  }
  // The synchronous call above discards what precedes damage; a stream delivers it.
  const stream = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    stream.end(raw);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > mostBytes) throw new TooLong();
    }
  } catch (cause) {
    if (cause instanceof TooLong) throw cause;
  }
  return Buffer.concat(chunks);
}

function fromBrotli(packed: Buffer, mostBytes: number): Buffer {
  try {
    return brotliDecompressSync(packed, {
      maxOutputLength: Math.max(1, mostBytes),
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    });
  } catch (cause) {
    if (isTooLarge(cause)) throw new TooLong();
    return Buffer.alloc(0);
  }
}

function isTooLarge(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE';
}

function fromAsciiHex(packed: Buffer, mostBytes: number): Buffer {
  const end = packed.indexOf('>');
  const digits = end < 0 ? packed : packed.subarray(0, end);
  const output = Buffer.alloc(Math.ceil(digits.length / 2));
  let length = 0,
    first = -1;
  for (const byte of digits) {
    const digit =
      byte >= 0x30 && byte <= 0x39
        ? byte - 0x30
        : (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66
          ? (byte | 0x20) - 0x57
          : -1;
    if (digit < 0) continue;
    if (first >= 0) output[length++] = 16 * first + digit;
    first = first < 0 ? digit : -1;
  }
  if (first >= 0) output[length++] = 16 * first;
  return within(output.subarray(0, length), mostBytes);
}

function fromAscii85(packed: Buffer, mostBytes: number): Buffer {
  const end = packed.indexOf('~');
  const output = new Output(mostBytes);
  let value = 0,
    count = 0;
  for (const byte of end < 0 ? packed : packed.subarray(0, end)) {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d) continue;
    if (byte === 0x7a && count === 0) {
      output.repeat(0, 4);
      continue;
    }
    value = 85 * value + byte - 0x21;
    if (++count < 5) continue;
    for (let shift = 3; shift >= 0; shift--) output.push(Math.floor(value / 256 ** shift) & 255);
    value = count = 0;
  }
  if (count > 0) {
    for (let i = count; i < 5; i++) value = 85 * value + 84;
    for (let i = 0; i < count - 1; i++) output.push(Math.floor(value / 256 ** (3 - i)) & 255);
  }
  return output.bytes;
}

function fromRunLengths(packed: Buffer, mostBytes: number): Buffer {
  const output = new Output(mostBytes);
  for (let at = 0; at + 1 < packed.length && packed[at] !== 128; ) {
    const count = packed[at++];
    if (count > 128) output.repeat(packed[at++], 257 - count);
    else for (const end = Math.min(packed.length, at + count + 1); at < end; at++) output.push(packed[at]);
  }
  return output.bytes;
}

/** early: `/EarlyChange`, the number of codes before the table is full at which codes become wider: 1 (usual) or 0. */
function fromLzw(packed: Buffer, mostBytes: number, early: 0 | 1): Buffer {
  const output = new Output(mostBytes);
  // The string of each code occurs in the output already: its offset and length there.
  const starts = new Uint32Array(4_097),
    lengths = new Uint16Array(4_097);
  let width = 9,
    next = 258,
    bits = 0,
    held = 0,
    lastStart = 0,
    lastLength = 0;
  for (const byte of packed) {
    held = ((held << 8) | byte) & 0xffffff;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (held >>> bits) & ((1 << width) - 1);
    if (code === 257) break;
    if (code === 256) {
      width = 9;
      next = 258;
      lastLength = 0;
      continue;
    }
    const start = output.length;
    if (code < 256) output.push(code);
    else if (code < next) output.copy(starts[code], lengths[code]);
    else if (lastLength > 0) output.copy(lastStart, lastLength + 1);
    else output.push(0);
    if (lastLength > 0 && next < 4_096) {
      // The string of the previous code plus the first byte of this one, which follows it in the output.
      starts[next] = lastStart;
      lengths[next++] = lastLength + 1;
      if (next + early >= 1 << width && width < 12) width++;
    }
    lastStart = start;
    lastLength = output.length - start;
  }
  return output.bytes;
}

function fromLzwEarly(packed: Buffer, mostBytes: number): Buffer {
  return fromLzw(packed, mostBytes, 1);
}

function fromLzwLate(packed: Buffer, mostBytes: number): Buffer {
  return fromLzw(packed, mostBytes, 0);
}

function within(bytes: Buffer, mostBytes: number): Buffer {
  if (bytes.length > mostBytes) throw new TooLong();
  return bytes;
}

/** A growing byte buffer with a bound. */
class Output {
  readonly #most: number;
  #bytes = Buffer.alloc(1_024);
  #length = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  push(byte: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  repeat(byte: number, count: number): void {
    this.#reserve(count);
    this.#bytes.fill(byte, this.#length, this.#length + count);
    this.#length += count;
  }

  /** Appends bytes that it already holds; the range may overlap what is being appended. */
  copy(start: number, count: number): void {
    this.#reserve(count);
    for (let i = 0; i < count; i++) this.#bytes[this.#length++] = this.#bytes[start + i];
  }

  #reserve(count: number): void {
    if (this.#length + count > this.#most) throw new TooLong();
    if (this.#length + count <= this.#bytes.length) return;
    const larger = Buffer.alloc(Math.min(this.#most, 2 * (this.#length + count)));
    larger.set(this.bytes);
    this.#bytes = larger;
  }
}
