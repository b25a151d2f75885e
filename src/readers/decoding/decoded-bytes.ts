import { checkLimit, EngineError, limitExceeded } from '../../errors.js';
import type { Limits } from '../../options.js';
import type { Metadata } from './decoder.js';
import { readJpegHeader, type JpegHeader } from './jpeg-header.js';
import { readTiffPictures, type TiffPicture } from './tiff-header.js';

/** What the header of a picture says, as far as a decoder's memory depends on it. */
export interface PictureHeader {
  readonly format: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly channels: number;
  /** Bytes of one channel of one pixel. */
  readonly depthBytes: number;
  /** Interlaced PNG. */
  readonly isInterlaced: boolean;
  /** So many of its first pages may be decoded, one after the other. */
  readonly pages: number;
}

/** The header of a picture as libvips read it. pages: so many of the first may be decoded. */
export function pictureHeader(format: string, metadata: Metadata, pages = 1): PictureHeader {
  const { width: widthPx, height: heightPx, channels, depth, isProgressive } = metadata;
  const depthBytes = depth === 'ushort' || depth === 'short' ? 2 : 1;
  return { format, widthPx, heightPx, channels, depthBytes, isInterlaced: isProgressive, pages };
}

/**
 * Memory of libvips 8.18 for each pixel of formats that it decodes as a whole, bytes. Measured with pictures of 16 and
 * 64 million pixels: AVIF 18.6 (planes, their conversion and the result), lossless or animated WebP 4.3, other WebP 1,
 * GIF 4.7, an interlaced PNG 1.15 times its pixels. Other formats are decoded some rows at a time.
 */
const AVIF_BYTES = 19,
  WHOLE_WEBP_BYTES = 4.5,
  LOSSY_WEBP_BYTES = 1.5,
  GIF_BYTES = 5,
  INTERLACED_SHARE = 1.2;

/**
 * Bytes of one stored coefficient of JPEG. Beside them libvips 8.18 takes 20 to 37 MiB for rows and the result, of 24
 * to 289 million pixels and turned pictures too (5,000 pixels a side, for recognising text: 100 MiB).
 */
const COEFFICIENT_BYTES = 2;

/** Most scans of a JPEG picture; libjpeg writes 10, and libvips refuses more than 100. */
const MOST_SCANS = 100;

/**
 * Rows of a TIFF picture that libvips 8.18 holds while it makes it smaller, and rows of tiles, or of strips that it
 * reads as a whole, that it holds before that. Measured with 30 shapes, see the README of this room.
 */
const REDUCED_ROWS = Object.freeze({ least: 650, share: 0.25, most: 1_700, factor: 1.2 }),
  TILE_ROWS = 2,
  WHOLE_STRIPS = 2.3;

/** Pictures that take less than this are decoded however few bytes they have, bytes. */
const SMALL_BYTES = 16 * 1024 ** 2;

/**
 * Checks a picture before it is decoded: the memory that its decoder will take, estimated from the header.
 * @param what such as "the image".
 * @throws EngineError `LIMIT_EXCEEDED` for more than {@link mostDecodedBytes}, for more scans of a JPEG than
 * {@link MOST_SCANS}, or for a JPEG of more pixels a byte than `limits.archiveRatio`; `FILE_MALFORMED` for a TIFF whose
 * sizes are missing or others than the decoder's.
 */
export function checkDecoding(what: string, bytes: Uint8Array, header: PictureHeader, limits: Limits): void {
  const pixels = header.widthPx * header.heightPx;
  if (header.format === 'jpeg')
    checkJpeg(what, bytes, limits, ({ coefficients, isCollected }) =>
      isCollected ? COEFFICIENT_BYTES * coefficients : 0,
    );
  else if (header.format === 'avif' || header.format === 'heif') checkBytes(what, AVIF_BYTES * pixels, limits);
  else if (header.format === 'webp') checkBytes(what, webpBytes(bytes) * pixels, limits);
  else if (header.format === 'gif') checkBytes(what, GIF_BYTES * pixels, limits);
  else if (header.format === 'png' && header.isInterlaced)
    checkBytes(what, INTERLACED_SHARE * header.channels * header.depthBytes * pixels, limits);
  else if (header.format === 'tiff') checkTiff(what, bytes, header, limits);
}

/** A size that is missing, or another one than the decoder's, would make the estimate that of another picture. */
function checkTiff(what: string, bytes: Uint8Array, header: PictureHeader, limits: Limits): void {
  const pictures = readTiffPictures(bytes, header.pages);
  const [first] = pictures;
  const sizes = pictures.flatMap(({ tile, ...picture }) => [picture, ...(tile === undefined ? [] : [tile])]);
  if (
    first?.widthPx !== header.widthPx ||
    first.heightPx !== header.heightPx ||
    sizes.some(({ widthPx, heightPx }) => widthPx === 0 || heightPx === 0)
  )
    throw new EngineError('FILE_MALFORMED', `${what} has a size that cannot be made out`);
  checkBytes(what, Math.max(...pictures.map(tiffBytes)), limits);
}

/**
 * Checks the headers of a JPEG file.
 * @param bytesOf memory that a decoder takes for it, bytes.
 * @throws EngineError like {@link checkDecoding}.
 */
export function checkJpeg(
  what: string,
  bytes: Uint8Array,
  limits: Limits,
  bytesOf: (header: JpegHeader) => number,
): void {
  const header = readJpegHeader(bytes);
  if (header === undefined) return;
  checkBytes(what, bytesOf(header), limits);
  if (header.scans > MOST_SCANS) throw limitExceeded(what, 'the number of scans of a JPEG', MOST_SCANS, header.scans);
  checkFullness(what, bytes.length, header.widthPx * header.heightPx, limits);
}

/**
 * Checks that a file holds a fair part of the pixels that its header promises. For formats in which a byte cannot hold
 * more than some hundred pixels: JPEG (512, where every block is one bit) and BMP (127, in a run).
 * @throws EngineError `LIMIT_EXCEEDED` for more pixels a byte than `limits.archiveRatio`.
 */
export function checkFullness(what: string, byteLength: number, pixels: number, { archiveRatio }: Limits): void {
  if (pixels <= SMALL_BYTES || pixels <= archiveRatio * byteLength) return;
  throw limitExceeded(
    `${what} has ${byteLength} bytes for ${pixels} pixels; their ratio`,
    'limits.archiveRatio',
    archiveRatio,
    Math.round(pixels / byteLength),
  );
}

/** Memory for a page of a TIFF file. */
function tiffBytes({ widthPx, heightPx, samples, bitsPerSample, tile, rowsPerStrip, ...form }: TiffPicture): number {
  const pixelBytes = samples * Math.max(1, Math.ceil(bitsPerSample / 8));
  const { least, share, most, factor } = REDUCED_ROWS;
  const reduced = factor * Math.min(heightPx, least + share * heightPx, most) * widthPx;
  let rows = 0;
  if (tile !== undefined) rows = Math.min(TILE_ROWS, Math.ceil(heightPx / tile.heightPx)) * tile.heightPx;
  else if (form.isPlanar || form.isJpeg) rows = WHOLE_STRIPS * rowsPerStrip;
  const width = tile === undefined ? widthPx : Math.ceil(widthPx / tile.widthPx) * tile.widthPx;
  return pixelBytes * (reduced + rows * width);
}

/** Memory for a pixel of a WebP file: one that holds a lossless picture or an animation is decoded as a whole. */
function webpBytes(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return file.includes('VP8L') || file.includes('ANIM') ? WHOLE_WEBP_BYTES : LOSSY_WEBP_BYTES;
}

/** Share of a reading process's memory that decoding may take; the rest is for the process itself and the result. */
const DECODING_SHARE = 0.75;
const MIB = 2 ** 20;

/** Memory that decoding a picture may take, bytes: `limits.decodedBytes`, or less where a reading process has less. */
export function mostDecodedBytes(limits: Limits): number {
  return Math.min(limits.decodedBytes, mostHeldBytes(limits));
}

/** Memory that what is read of a file may take in its process, bytes. */
export function mostHeldBytes({ workerMemoryMiB }: Limits): number {
  return Math.floor(DECODING_SHARE * workerMemoryMiB * MIB);
}

/** @throws EngineError `LIMIT_EXCEEDED` for more than {@link mostHeldBytes}. */
export function checkHeldBytes(what: string, byteLength: number, limits: Limits): void {
  if (byteLength <= mostHeldBytes(limits)) return;
  const { workerMemoryMiB } = limits;
  throw limitExceeded(what, 'limits.workerMemoryMiB', workerMemoryMiB, Math.ceil(byteLength / MIB));
}

/** @throws EngineError `LIMIT_EXCEEDED` for more than {@link mostDecodedBytes}; it names the limit that is passed. */
export function checkBytes(what: string, byteLength: number, limits: Limits): void {
  checkLimit(`decoding ${what}`, limits, 'decodedBytes', Math.ceil(byteLength));
  checkHeldBytes(`decoding ${what}`, byteLength, limits);
}
