import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';
import { lineBehind, streamBehind, type PdfStream } from './stream-dictionary.js';
import { filterOf, isZlib, LATE_LZW, PACKING, TooLong } from './filters.js';

/** Most filters of one stream; real streams have up to two. */
const LONGEST_CHAIN = 8;
/** Nesting depth to which zlib data is unpacked in streams whose dictionary could not be parsed. */
const NESTED = 4;

/**
 * Unpacks the streams of a PDF one by one, only to measure them: pdfjs unpacks without a bound, and a file of a
 * megabyte can hold gigabytes. pdfjs offers no such limit, nor its filters by themselves; so the filters are repeated
 * here. A picture filter ends a chain, because pictures are bounded by their pixels.
 *
 * Streams of an encrypted PDF (one that opens with an empty password) cannot be measured, because only pdfjs decrypts
 * them. There a stream may have one compressing filter only, which bounds it to 1 032 times its length with Flate, the
 * usual filter.
 * @throws EngineError `LIMIT_EXCEEDED` when the streams unpack to more than `limits.unpackedBytes` together; when a
 * stream that is compressed twice exceeds `limits.archiveRatio`; or when a stream cannot be measured, because its
 * filters are in another object or it is encrypted and compressed more than once.
 */
export async function checkPdfStreams(bytes: Uint8Array, limits: Limits): Promise<void> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isEncrypted = file.includes('/Encrypt');
  const measure = new Measure(limits);
  const measured = new Set<number>();
  for (let at = file.indexOf('obj'); at >= 0; at = file.indexOf('obj', at + 3)) {
    if (isBehindEnd(file, at)) continue;
    const stream = streamBehind(file, at + 3);
    if (stream === undefined) continue;
    measured.add(stream.start);
    for (const chain of stream.chains) {
      if (chain === 'elsewhere') throw notMeasured('filters in another object', limits);
      if (chain.length > LONGEST_CHAIN) throw notMeasured(`${chain.length} filters`, limits);
      if (isEncrypted && chain.filter((name) => PACKING.has(name)).length > 1)
        throw notMeasured(`the filters ${chain.join(', ')} and is encrypted`, limits);
      await measure.chain(packedOf(file, stream), chain);
      // The variant of LZW (`/EarlyChange`) may be stated in another object, so both are measured. Read as the wrong
      // variant, a stream ends early or gives nonsense of similar size.
      if (chain.some(isLzw))
        await measure.chain(
          packedOf(file, stream),
          chain.map((name) => (isLzw(name) ? LATE_LZW : name)),
        );
    }
  }
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    const start = lineBehind(file, at + 6);
    if (isBehindEnd(file, at) || measured.has(start)) continue;
    let packed = file.subarray(start);
    for (let depth = 0; isZlib(packed) && depth < NESTED; depth++) packed = await measure.one(packed, 'FlateDecode');
  }
}

class Measure {
  readonly #limits: Limits;
  #left: number;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#left = limits.unpackedBytes;
  }

  async chain(packed: Buffer, names: readonly string[]): Promise<void> {
    // A white picture compressed once can have Flate's highest ratio, 1 032.
    const isPackedTwice = names.filter((name) => PACKING.has(name)).length > 1;
    const most = isPackedTwice ? Math.max(SMALL_BYTES, this.#limits.archiveRatio * packed.length) : Infinity;
    let unpacked = packed;
    for (const name of names) {
      if (filterOf(name) === undefined && PICTURES.has(name)) return;
      unpacked = await this.one(unpacked, name, most);
    }
  }

  /** Applies one filter; an unknown one returns its input. most: bytes that one stream may unpack to. */
  async one(packed: Buffer, name: string, most = Infinity): Promise<Buffer> {
    const decode = filterOf(name);
    if (decode === undefined) return packed;
    const { unpackedBytes, archiveRatio } = this.#limits;
    try {
      const bytes = await decode(packed, Math.min(this.#left, most));
      this.#left -= bytes.length;
      return bytes;
    } catch (cause) {
      if (!(cause instanceof TooLong)) throw cause;
      if (most < this.#left) {
        throw new EngineError(
          'LIMIT_EXCEEDED',
          `a stream of the PDF is packed twice and unpacks to more than ${most} bytes, ` +
            `limits.archiveRatio is ${archiveRatio}`,
          {
            details: { limit: 'archiveRatio', allowed: archiveRatio },
            cause,
          },
        );
      }
      throw new EngineError(
        'LIMIT_EXCEEDED',
        `the streams of the PDF unpack to more than limits.unpackedBytes, ${unpackedBytes}`,
        {
          details: { limit: 'unpackedBytes', allowed: unpackedBytes },
          cause,
        },
      );
    }
  }
}

/** Streams up to this size may have any ratio, bytes. */
const SMALL_BYTES = 1024 * 1024;

const PICTURES: ReadonlySet<string> = new Set([
  'DCTDecode',
  'DCT',
  'JPXDecode',
  'CCITTFaxDecode',
  'CCF',
  'JBIG2Decode',
]);

/**
 * The bytes of a stream, possibly with some behind it: most filters find their own end. A length that is too short is
 * corrected by the keyword `endstream`.
 */
function packedOf(file: Buffer, { start, length }: PdfStream): Buffer {
  if (length === undefined) return file.subarray(start);
  const end = file.indexOf('endstream', start);
  return file.subarray(start, end < 0 ? file.length : Math.max(end, start + length));
}

function isLzw(name: string): boolean {
  return name === 'LZWDecode' || name === 'LZW';
}

/** Whether the keyword at `at` is the tail of `endobj` or `endstream`. */
function isBehindEnd(file: Buffer, at: number): boolean {
  return file.toString('latin1', Math.max(0, at - 3), at) === 'end';
}

function notMeasured(found: string, { unpackedBytes: allowed }: Limits): EngineError {
  return new EngineError(
    'LIMIT_EXCEEDED',
    `a stream of the PDF has ${found}; it cannot be measured and may pass limits.unpackedBytes, ${allowed}`,
    {
      details: { limit: 'unpackedBytes', allowed },
    },
  );
}
