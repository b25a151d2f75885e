import { checkLimit, fileMalformed, limitExceeded } from '../../errors.js';
import type { Limits } from '../../options.js';
import { checkBytes, checkFullness } from '../decoding/decoded-bytes.js';
import { sharp, type Sharp } from '../decoding/decoder.js';

/** What the header of a Windows bitmap says. */
export interface BmpHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitsPerPixel: number;
  /** Pixels per metre; 0 when not given. */
  readonly pixelsPerMetre: number;
  /** `biCompression`; 0 when the pixels are not compressed. */
  readonly compression: number;
  readonly topDown: boolean;
  /** Offsets of the pixels and of the palette, bytes from the start of the file. */
  readonly pixelsAt: number;
  readonly paletteAt: number;
  /** Bytes of one palette entry. */
  readonly paletteStep: number;
}

/**
 * Reads the header: BITMAPCOREHEADER of OS/2, or BITMAPINFOHEADER and its successors.
 * @throws EngineError `FILE_MALFORMED`.
 */
export function readBmpHeader(bytes: Uint8Array): BmpHeader {
  if (bytes.length < 26) throw fileMalformed(`the BMP file breaks off after ${bytes.length} bytes, inside its header`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerBytes = view.getUint32(14, true);
  const core = headerBytes === 12;
  if (!core && bytes.length < 54)
    throw fileMalformed(`the BMP file breaks off after ${bytes.length} bytes, inside its header`);
  const height = core ? view.getUint16(20, true) : view.getInt32(22, true);
  const header = {
    widthPx: core ? view.getUint16(18, true) : view.getInt32(18, true),
    heightPx: Math.abs(height),
    bitsPerPixel: view.getUint16(core ? 24 : 28, true),
    pixelsPerMetre: core ? 0 : view.getInt32(38, true),
    compression: core ? 0 : view.getUint32(30, true),
    topDown: height < 0,
    pixelsAt: view.getUint32(10, true),
    paletteAt: 14 + headerBytes,
    paletteStep: core ? 3 : 4,
  };
  if (header.widthPx <= 0 || header.heightPx === 0 || ![1, 4, 8, 16, 24, 32].includes(header.bitsPerPixel)) {
    throw fileMalformed(
      `the BMP file is ${header.widthPx} by ${header.heightPx} pixels of ${header.bitsPerPixel} bits; ` +
        'expected positive sizes and 1, 4, 8, 16, 24 or 32 bits',
    );
  }
  return header;
}

/** Longest side that libvips accepts, pixels. */
const LONGEST_SIDE_PX = 100_000_000;

/**
 * Checks the header before anything is allocated.
 * @throws EngineError `LIMIT_EXCEEDED` for more than `limits.imagePixels` or `limits.decodedBytes`, a longer side than
 * {@link LONGEST_SIDE_PX}, or more pixels a byte than `limits.archiveRatio`.
 */
export function checkBmp(bytes: Uint8Array, header: BmpHeader, limits: Limits): void {
  const { widthPx, heightPx } = header;
  checkLimit('the image', limits, 'imagePixels', widthPx * heightPx);
  const longest = Math.max(widthPx, heightPx);
  if (longest > LONGEST_SIDE_PX)
    throw limitExceeded('the image', 'the longest side of a picture', LONGEST_SIDE_PX, longest);
  checkBytes('the image', channelsOf(bytes, header) * widthPx * heightPx, limits);
  checkFullness('the image', bytes.length, widthPx * heightPx, limits);
}

/** The pixels of a bitmap. */
export interface BmpPixels {
  readonly widthPx: number;
  readonly heightPx: number;
  /** 1 when the palette has only greys; else 3: red, green, blue. */
  readonly channels: 1 | 3;
  /** u8[channels * widthPx * heightPx]: row by row from the upper left, transparent pixels blended with white. */
  readonly data: Uint8Array;
}

/**
 * Decodes the pixels. Returns undefined for a compression that is not supported (embedded JPEG or PNG, run lengths at a
 * depth other than 4 or 8). Missing rows are black; pixels that run lengths skip get the first palette colour. Written
 * here because sharp reads no BMP. Call {@link checkBmp} before.
 */
export function decodeBmp(bytes: Uint8Array, header: BmpHeader): BmpPixels | undefined {
  const { bitsPerPixel, compression, widthPx, heightPx } = header;
  const isRuns = (compression === 1 && bitsPerPixel === 8) || (compression === 2 && bitsPerPixel === 4);
  if (!isRuns && compression !== 0 && compression !== 3) return undefined;
  const channels = channelsOf(bytes, header);
  const pixels = { widthPx, heightPx, channels, data: new Uint8Array(channels * widthPx * heightPx) };
  if (isRuns) decodeRuns(bytes, header, pixels);
  else if (bitsPerPixel === 16 || (bitsPerPixel === 32 && compression === 3)) decodeMasked(bytes, header, pixels.data);
  else if (bitsPerPixel <= 8) decodeIndices(bytes, header, pixels);
  else decodeColors(bytes, header, pixels.data);
  return pixels;
}

/** The pixels as a picture of libvips, which uses them without a copy. */
export function sharpOfBmp({ data, widthPx: width, heightPx: height, channels }: BmpPixels): Sharp {
  return sharp(data, { raw: { width, height, channels }, limitInputPixels: false });
}

function channelsOf(bytes: Uint8Array, header: BmpHeader): 1 | 3 {
  if (header.bitsPerPixel > 8) return 3;
  const palette = paletteOf(bytes, header);
  for (let at = 0; at < palette.length; at += 3)
    if (palette[at] !== palette[at + 1] || palette[at] !== palette[at + 2]) return 3;
  return 1;
}

/** u8[3 * 2^bitsPerPixel]: red, green, blue of each palette entry; black where the file has none. */
function paletteOf(bytes: Uint8Array, { paletteAt, paletteStep, bitsPerPixel }: BmpHeader): Uint8Array {
  return Uint8Array.from(
    { length: 3 * 2 ** bitsPerPixel },
    (_, i) => bytes[paletteAt + paletteStep * Math.floor(i / 3) + 2 - (i % 3)] ?? 0,
  );
}

/** Pixels of 24 and 32 bits; the fourth byte is unused. */
function decodeColors(bytes: Uint8Array, header: BmpHeader, pixels: Uint8Array): void {
  const { widthPx, bitsPerPixel } = header;
  for (const { row, start } of rowsOf(bytes, header)) {
    for (let column = 0, to = 3 * row * widthPx; column < widthPx; column++, to += 3) {
      const from = start + (column * bitsPerPixel) / 8;
      for (let channel = 0; channel < 3; channel++) pixels[to + channel] = bytes[from + 2 - channel] ?? 0;
    }
  }
}

/** Pixels of 16 and 32 bits with a bit mask per colour; 16 bits without masks have 5 bits per colour. */
function decodeMasked(bytes: Uint8Array, header: BmpHeader, pixels: Uint8Array): void {
  const { widthPx, bitsPerPixel, compression, paletteAt } = header;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const maskAt = (index: number): number =>
    54 + 4 * index + 4 <= bytes.length ? view.getUint32(54 + 4 * index, true) : 0;
  const masks = compression === 3 ? [maskAt(0), maskAt(1), maskAt(2)] : [0x7c00, 0x3e0, 0x1f];
  // Headers of 56 bytes and more have an opacity mask.
  const opacity = compression === 3 && paletteAt >= 14 + 56 ? maskAt(3) : 0;
  const channels = [...masks, opacity].map((mask) => {
    const shift = mask === 0 ? 0 : Math.log2((mask & -mask) >>> 0);
    return { mask, shift, most: mask >>> shift };
  });
  for (const { row, start } of rowsOf(bytes, header)) {
    for (let column = 0, to = 3 * row * widthPx; column < widthPx; column++, to += 3) {
      const from = start + (column * bitsPerPixel) / 8;
      if (from + bitsPerPixel / 8 > bytes.length) break;
      const value = bitsPerPixel === 16 ? view.getUint16(from, true) : view.getUint32(from, true);
      const share = (index: number): number => {
        const { mask, shift, most } = channels[index];
        return most === 0 ? 0 : ((value & mask) >>> shift) / most;
      };
      const cover = opacity === 0 ? 1 : share(3);
      for (let channel = 0; channel < 3; channel++)
        pixels[to + channel] = Math.round(255 * (1 - cover + cover * share(channel)));
    }
  }
}

/** Writes the colour of a palette entry to a pixel. */
function painter({ channels, data }: BmpPixels, palette: Uint8Array): (pixel: number, index: number) => void {
  return channels === 1
    ? (pixel, index) => {
        data[pixel] = palette[3 * index];
      }
    : (pixel, index) => {
        for (let channel = 0; channel < 3; channel++) data[3 * pixel + channel] = palette[3 * index + channel];
      };
}

/** Pixels of up to 8 bits, each the index of a palette entry. */
function decodeIndices(bytes: Uint8Array, header: BmpHeader, pixels: BmpPixels): void {
  const { widthPx, bitsPerPixel } = header;
  const paint = painter(pixels, paletteOf(bytes, header));
  const perByte = 8 / bitsPerPixel;
  for (const { row, start } of rowsOf(bytes, header)) {
    for (let column = 0; column < widthPx; column++) {
      const byte = bytes[start + Math.floor(column / perByte)];
      if (byte === undefined) break;
      paint(
        row * widthPx + column,
        (byte >> (bitsPerPixel * (perByte - 1 - (column % perByte)))) & (2 ** bitsPerPixel - 1),
      );
    }
  }
}

/**
 * Run-length encoded palette indices: pairs of a count and a value. With count 0 the value is an escape: 0
 * ends the row, 1 ends the picture, 2 moves right and up, 3 or more copies that number of values.
 */
function decodeRuns(bytes: Uint8Array, header: BmpHeader, pixels: BmpPixels): void {
  const { widthPx, heightPx, bitsPerPixel, topDown, pixelsAt } = header;
  const palette = paletteOf(bytes, header);
  const paint = painter(pixels, palette);
  // Zeros are there already.
  if (palette.subarray(0, 3).some((value) => value > 0))
    for (let pixel = 0; pixel < widthPx * heightPx; pixel++) paint(pixel, 0);
  let x = 0,
    y = 0;
  const put = (value: number): void => {
    if (x < widthPx && y < heightPx) paint((topDown ? y : heightPx - 1 - y) * widthPx + x, value);
    x++;
  };
  for (let at = pixelsAt; at + 1 < bytes.length && y < heightPx; at += 2) {
    const count = bytes[at],
      value = bytes[at + 1];
    if (count > 0) {
      for (let i = 0; i < count; i++) put(bitsPerPixel === 8 ? value : i % 2 === 0 ? value >> 4 : value & 15);
    } else if (value === 0) {
      x = 0;
      y++;
    } else if (value === 1) {
      break;
    } else if (value === 2) {
      x += bytes[at + 2] ?? 0;
      y += bytes[at + 3] ?? 0;
      at += 2;
    } else {
      const packed = Math.ceil((value * bitsPerPixel) / 8);
      for (let i = 0; i < value; i++) {
        const byte = bytes[at + 2 + (bitsPerPixel === 8 ? i : i >> 1)] ?? 0;
        put(bitsPerPixel === 8 ? byte : i % 2 === 0 ? byte >> 4 : byte & 15);
      }
      // Copied values are padded to an even number of bytes.
      at += packed + (packed % 2);
    }
  }
}

/** The pixel rows present in the file, numbered from the top, with the offset of each. */
function* rowsOf(
  bytes: Uint8Array,
  { widthPx, heightPx, bitsPerPixel, topDown, pixelsAt }: BmpHeader,
): Generator<{ row: number; start: number }> {
  const rowBytes = 4 * Math.ceil((widthPx * bitsPerPixel) / 32);
  for (let row = 0; row < heightPx; row++) {
    const start = pixelsAt + (topDown ? row : heightPx - 1 - row) * rowBytes;
    if (start < bytes.length) yield { row, start };
  }
}
