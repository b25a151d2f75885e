import { checkLimit, EngineError, limitExceeded } from '../../errors.js';
import type { Limits } from '../../options.js';
import { checkBytes, checkFullness, checkJpeg, mostDecodedBytes } from '../decoding/decoded-bytes.js';
import { claimedJbig2Pixels } from '../decoding/jbig2-header.js';
import { checkPaths } from './claimed-paths.js';
import { ClaimedRows } from './claimed-rows.js';
import {
  lineBehind,
  objectNumber,
  streamBehind,
  wholeNumbers,
  type PdfMesh,
  type PdfStream,
  type Size,
} from './stream-dictionary.js';
import { filterOf, isZlib, LATE_LZW, PACKING, TooLong } from './filters.js';

/** Most filters of one stream; real streams have up to two. */
const LONGEST_CHAIN = 8;
/** How often the bytes of a file may be parsed as dictionaries, and bytes beyond that. */
const MOST_PARSED = 4,
  PARSED_BYTES = 16 * 1024 * 1024;
/** Nesting depth to which zlib data is unpacked in streams whose dictionary could not be parsed. */
const NESTED = 4;

/**
 * Unpacks the streams of a PDF one by one, only to measure them: pdfjs unpacks without a bound, and a file of a
 * megabyte can hold gigabytes. pdfjs offers no such limit, nor its filters by themselves; so the filters are repeated
 * here. A picture filter ends a chain, because pictures are bounded by their pixels: what decoding one takes is
 * estimated from its dictionary, and from the header of a JPEG, JPEG 2000 or JBIG2 picture.
 *
 * Streams of an encrypted PDF (one that opens with an empty password) cannot be measured, because only pdfjs decrypts
 * them. There a stream may have one compressing filter only, which bounds it to 1 032 times its length with Flate, the
 * usual filter.
 * @throws EngineError `LIMIT_EXCEEDED` when a stream paints more paths than `limits.entities`; when the streams unpack
 *   to more than `limits.unpackedBytes` together; when a picture passes `limits.decodedBytes` or, with all that JBIG2
 *   decodes for it, `limits.imagePixels`, or promises more pixels a byte than `limits.archiveRatio`; when a stream that
 *   is compressed twice exceeds `limits.archiveRatio`; or when a stream cannot be measured, because its filters are in
 *   another object or it is encrypted and compressed more than once.
 */
export async function checkPdfStreams(bytes: Uint8Array, limits: Limits): Promise<Checked> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isEncrypted = file.includes('/Encrypt');
  const measure = new Measure(limits);
  const measured = new Set<number>();
  const pictures = new PictureSizes(file, limits);
  const shared = sharedByJbig2(file);
  const rows = new ClaimedRows();
  rows.see(file);
  // Dictionaries do not hold objects: where each begins inside the one before, all would be parsed to the same end.
  const allowed = file.length * MOST_PARSED + PARSED_BYTES;
  let total = 0;
  const parsed = (byteLength: number): void => {
    total += byteLength;
    if (total > allowed) throw limitExceeded('the PDF', 'the length of dictionaries inside each other', allowed, total);
  };
  for (let at = file.indexOf('obj'); at >= 0; at = file.indexOf('obj', at + 3)) {
    if (isBehindEnd(file, at)) continue;
    const stream = streamBehind(file, at + 3, parsed);
    if (stream === undefined) continue;
    measured.add(stream.start);
    for (const chain of stream.chains.length === 0 ? [[]] : stream.chains) {
      if (chain === 'elsewhere') throw notMeasured('filters in another object', limits);
      if (chain.length > LONGEST_CHAIN) throw notMeasured(`${chain.length} filters`, limits);
      if (isEncrypted && chain.filter((name) => PACKING.has(name)).length > 1)
        throw notMeasured(`the filters ${chain.join(', ')} and is encrypted`, limits);
      const packed = packedOf(file, stream);
      const held = await measure.chain(packed, chain);
      rows.see(held.bytes);
      checkPaths(held.bytes, limits);
      // What is encrypted cannot be compared with what it promises.
      checkPicture(pictures.take(stream), held, isEncrypted ? Infinity : held.bytes.length, limits);
      if (shared.has(objectNumber(file, at))) checkJbig2(held.bytes, limits);
      if (stream.mesh !== undefined) checkMesh(stream.mesh, held.bytes.length, limits);
      // The variant of LZW (`/EarlyChange`) may be stated in another object, so both are measured. Read as the wrong
      // variant, a stream ends early or gives nonsense of similar size.
      if (chain.some(isLzw))
        await measure.chain(
          packed,
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
  rows.check(limits);
  return { mostPixels: pictures.most };
}

/** What was found of a file that passes. */
interface Checked {
  /** Most pixels of a picture that pdfjs may decode; it leaves out larger ones. */
  readonly mostPixels: number;
}

/** The sizes of pictures, which may stand in other objects. */
class PictureSizes {
  readonly #file: Buffer;
  readonly #limits: Limits;
  #numbers: ReadonlyMap<number, number> | undefined;
  /** See {@link Checked}. */
  most: number;

  constructor(file: Buffer, limits: Limits) {
    this.#file = file;
    this.#limits = limits;
    this.most = limits.imagePixels;
  }

  /** Where a size is in a packed object, only pdfjs finds it: then it must not decode more than can be held. */
  take({ width, height, isOneBit }: PdfStream): PictureSize {
    if (width === undefined || height === undefined) return { pixels: 0, isOneBit };
    const pixels = this.#valueOf(width) * this.#valueOf(height);
    if (!Number.isNaN(pixels)) return { pixels, isOneBit };
    const bytes = isOneBit ? ONE_BIT_BYTES : PIXEL_BYTES;
    this.most = Math.min(this.most, Math.floor(mostDecodedBytes(this.#limits) / bytes));
    return { pixels: 0, isOneBit };
  }

  #valueOf(size: Size): number {
    if (typeof size === 'number') return size;
    this.#numbers ??= wholeNumbers(this.#file);
    return this.#numbers.get(size.object) ?? Number.NaN;
  }
}

interface PictureSize {
  /** 0 for other streams, and for pictures whose size is not known. */
  readonly pixels: number;
  readonly isOneBit: boolean;
}

/** Memory of pdfjs for a point of a shading, with its colour, bytes; and of a patch, which is cut into 9 or more. */
const POINT_BYTES = 400,
  PATCH_BYTES = 16 * POINT_BYTES;
/** Points of a patch whose other points are those of the patch before it. */
const PATCH_POINTS = 8;

function checkMesh({ type, coordinateBits, componentBits }: PdfMesh, byteLength: number, limits: Limits): void {
  const pointBits = 2 * coordinateBits;
  const bytes =
    type >= 6
      ? (PATCH_BYTES * 8 * byteLength) / (PATCH_POINTS * pointBits + 2 * componentBits)
      : (POINT_BYTES * 8 * byteLength) / (pointBits + componentBits);
  checkBytes('a shading of the PDF', bytes, limits);
}

/** What a chain of filters gives. */
interface Unpacked {
  readonly bytes: Buffer;
  /** The picture filter that ends the chain; undefined when there is none. */
  readonly picture?: string;
}

/**
 * Memory of pdfjs for each pixel of a picture, bytes: its samples, their copy, the colours (measured 7), and for JPEG
 * the coefficients. A picture of one bit a pixel is kept as bits, and becomes one byte a pixel for its sheet.
 */
const PIXEL_BYTES = 7,
  ONE_BIT_BYTES = 3,
  COEFFICIENT_BYTES = 2;

/** The start of a JPEG 2000 codestream: SOC, then SIZ (ISO/IEC 15444-1, A.5.1). */
const JPEG_2000 = Buffer.from([0xff, 0x4f, 0xff, 0x51]);
/** Memory of a sample of JPEG 2000, bytes: 32 bits, and the colours that it becomes. */
const SAMPLE_BYTES = 5;

/** Memory that a JPEG 2000 picture takes by its own header, which counts, whatever the dictionary says. */
function jpeg2000Bytes(bytes: Buffer): number {
  const at = bytes.indexOf(JPEG_2000);
  if (at < 0 || at + 42 > bytes.length) return 0;
  const side = (offset: number): number => bytes.readUInt32BE(at + offset) - bytes.readUInt32BE(at + offset + 8);
  return SAMPLE_BYTES * Math.max(0, side(8)) * Math.max(0, side(12)) * Math.max(1, bytes.readUInt16BE(at + 40));
}

/** @param byteLength bytes to compare with the pixels that they promise. */
function checkPicture(
  { pixels, isOneBit }: PictureSize,
  { bytes, picture }: Unpacked,
  byteLength: number,
  limits: Limits,
): void {
  const what = 'a picture of the PDF';
  const isJpeg = picture === 'DCTDecode' || picture === 'DCT';
  checkBytes(what, (isOneBit ? ONE_BIT_BYTES : PIXEL_BYTES) * pixels, limits);
  // A byte of the other picture filters may hold any number of pixels.
  if (picture === undefined || isJpeg) checkFullness(what, byteLength, pixels, limits);
  if (picture === 'JBIG2Decode') checkJbig2(bytes, limits);
  if (picture === 'JPXDecode') checkBytes(what, jpeg2000Bytes(bytes), limits);
  if (isJpeg)
    checkJpeg(
      what,
      bytes,
      limits,
      ({ widthPx, heightPx, coefficients }) => PIXEL_BYTES * widthPx * heightPx + COEFFICIENT_BYTES * coefficients,
    );
}

function checkJbig2(bytes: Buffer, limits: Limits): void {
  checkLimit('a JBIG2 picture of the PDF', limits, 'imagePixels', claimedJbig2Pixels(bytes));
}

/** The numbers of the objects that hold segments which JBIG2 pictures share. */
function sharedByJbig2(file: Buffer): ReadonlySet<number> {
  const key = '/JBIG2Globals';
  const found = new Set<number>();
  for (let at = file.indexOf(key); at >= 0; at = file.indexOf(key, at + 1)) {
    const number = /^\s*(\d{1,10})\s/.exec(file.toString('latin1', at + key.length, at + key.length + 40));
    if (number !== null) found.add(Number(number[1]));
  }
  return found;
}

class Measure {
  readonly #limits: Limits;
  #left: number;

  constructor(limits: Limits) {
    this.#limits = limits;
    this.#left = limits.unpackedBytes;
  }

  async chain(packed: Buffer, names: readonly string[]): Promise<Unpacked> {
    // A white picture compressed once can have Flate's highest ratio, 1 032.
    const isPackedTwice = names.filter((name) => PACKING.has(name)).length > 1;
    const most = isPackedTwice ? Math.max(SMALL_BYTES, this.#limits.archiveRatio * packed.length) : Infinity;
    let unpacked = packed;
    for (const name of names) {
      if (filterOf(name) === undefined && PICTURES.has(name)) return { bytes: unpacked, picture: name };
      unpacked = await this.one(unpacked, name, most);
    }
    return { bytes: unpacked };
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
      throw most < this.#left
        ? limitExceeded('a stream of the PDF that is packed twice', 'limits.archiveRatio', archiveRatio)
        : limitExceeded('the streams of the PDF', 'limits.unpackedBytes', unpackedBytes);
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
