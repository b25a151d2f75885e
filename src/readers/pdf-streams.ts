import { constants, inflateSync } from 'node:zlib';
import { EngineError } from '../errors.js';
import type { Limits } from '../options.js';

/** Streams packed into streams are looked into so deep. */
const NESTED = 4;

/**
 * Unpacks the compressed streams of a PDF one by one, only to measure them: pdfjs itself unpacks without a bound, and a file of a
 * megabyte can hold gigabytes. Streams that are encrypted or damaged are passed over: they fail in pdfjs too.
 * @throws EngineError `LIMIT_EXCEEDED` when together they are longer than `limits.unpackedBytes`.
 */
export function checkPdfStreams(bytes: Uint8Array, limits: Limits): void {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let left = limits.unpackedBytes;
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    if (file.toString('latin1', Math.max(0, at - 3), at) === 'end') continue;
    let start = at + 6;
    if (file[start] === 0x0d) start++;
    if (file[start] === 0x0a) start++;
    let packed = file.subarray(start);
    for (let depth = 0; isZlib(packed) && depth < NESTED; depth++) {
      packed = inflated(packed, left, limits);
      left -= packed.length;
    }
  }
}

/** Empty when it is no zlib stream or a damaged one. @throws EngineError `LIMIT_EXCEEDED`. */
function inflated(packed: Buffer, mostBytes: number, limits: Limits): Buffer {
  try {
    // What follows the stream in the file is ignored; a missing end is forgiven.
    return inflateSync(packed, { maxOutputLength: Math.max(1, mostBytes), finishFlush: constants.Z_SYNC_FLUSH });
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'ERR_BUFFER_TOO_LARGE') return Buffer.alloc(0);
    throw new EngineError('LIMIT_EXCEEDED', `the streams of the PDF unpack to more than limits.unpackedBytes, ${limits.unpackedBytes}`, {
      details: { limit: 'unpackedBytes', allowed: limits.unpackedBytes }, cause,
    });
  }
}

/** RFC 1950, 2.2: method 8 and a check of the first two bytes. */
function isZlib(bytes: Buffer): boolean {
  return bytes.length > 2 && (bytes[0] & 0x0f) === 8 && (256 * bytes[0] + bytes[1]) % 31 === 0;
}
