import { EngineError } from '../../errors.js';
import type { Limits } from '../../options.js';
import { lineBehind, streamBehind, type PdfStream } from './pdf-dictionary.js';
import { filterOf, isZlib, LATE_LZW, PACKING, TooLong } from './pdf-filters.js';

/** Longest chain of filters; real ones have two. */
const LONGEST_CHAIN = 8;
/** In streams without a dictionary that is understood, streams packed into streams are looked into so deep. */
const NESTED = 4;

/**
 * Unpacks the streams of a PDF one by one, only to measure them: pdfjs itself unpacks without a bound, and a file of a megabyte can
 * hold gigabytes. Filters of pictures end a chain: pictures have a bound of their own, their pixels.
 *
 * What is encrypted (with an empty password, otherwise nothing is read) cannot be measured before it is decrypted, which only pdfjs
 * does. There each stream may be packed once and not twice, which bounds it to 1 032 times its length for Flate, the usual filter.
 * @throws EngineError `LIMIT_EXCEEDED` when together they are longer than `limits.unpackedBytes`, one that is packed twice passes
 * `limits.archiveRatio`, or they cannot be measured because their filters stand in another object or, encrypted, pack more than once.
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
      if (chain === 'elsewhere') throw notMeasured('filters that stand in another object', limits);
      if (chain.length > LONGEST_CHAIN) throw notMeasured(`${chain.length} filters`, limits);
      if (isEncrypted && chain.filter((name) => PACKING.has(name)).length > 1)
        throw notMeasured(`the filters ${chain.join(', ')} and is encrypted`, limits);
      await measure.chain(packedOf(file, stream), chain);
      // Which kind of LZW it is may stand elsewhere. Read as the other kind it ends soon, or in nonsense of a like size.
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
    // Packed once, a white picture may well have the highest ratio that there is, 1 032.
    const isPackedTwice = names.filter((name) => PACKING.has(name)).length > 1;
    const most = isPackedTwice ? Math.max(SMALL_BYTES, this.#limits.archiveRatio * packed.length) : Infinity;
    let unpacked = packed;
    for (const name of names) {
      if (filterOf(name) === undefined && PICTURES.has(name)) return;
      unpacked = await this.one(unpacked, name, most);
    }
  }

  /** Filters that are not known change nothing. most: bytes that may come out of one stream. */
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
          `a stream of the PDF is packed twice and unpacks to more than ${most} bytes, limits.archiveRatio is ${archiveRatio}`,
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

/** The bytes of a stream, or more: most filters know their own end. A length that is wrong is put right by the keyword behind. */
function packedOf(file: Buffer, { start, length }: PdfStream): Buffer {
  if (length === undefined) return file.subarray(start);
  const end = file.indexOf('endstream', start);
  return file.subarray(start, end < 0 ? file.length : Math.max(end, start + length));
}

function isLzw(name: string): boolean {
  return name === 'LZWDecode' || name === 'LZW';
}

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
