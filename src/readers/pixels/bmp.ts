import { EngineError } from '../../errors.js';

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
  if (bytes.length < 26)
    throw new EngineError('FILE_MALFORMED', `the BMP file breaks off after ${bytes.length} bytes, inside its header`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerBytes = view.getUint32(14, true);
  const core = headerBytes === 12;
  if (!core && bytes.length < 54)
    throw new EngineError('FILE_MALFORMED', `the BMP file breaks off after ${bytes.length} bytes, inside its header`);
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
    throw new EngineError(
      'FILE_MALFORMED',
      `the BMP file is ${header.widthPx} by ${header.heightPx} pixels of ${header.bitsPerPixel} bits; ` +
        'expected positive sizes and 1, 4, 8, 16, 24 or 32 bits',
    );
  }
  return header;
}

/**
 * Decodes the pixels to u8[3 * widthPx * heightPx]: red, green, blue, row by row from the upper left, transparent ones
 * blended with white. Returns undefined for a compression that is not supported (embedded JPEG or PNG, run lengths at a
 * depth other than 4 or 8). Missing rows are black; pixels that run lengths skip get the first palette colour. Written
 * here because sharp reads no BMP.
 */
export function decodeBmp(bytes: Uint8Array, header: BmpHeader): Uint8Array | undefined {
  const { bitsPerPixel, compression } = header;
  if ((compression === 1 && bitsPerPixel === 8) || (compression === 2 && bitsPerPixel === 4))
    return decodePalette(bytes, header, unpackRuns(bytes, header));
  if (compression !== 0 && compression !== 3) return undefined;
  if (bitsPerPixel === 16 || (bitsPerPixel === 32 && compression === 3)) return decodeMasked(bytes, header);
  return bitsPerPixel <= 8 ? decodePalette(bytes, header, unpackBits(bytes, header)) : decodeColors(bytes, header);
}

/** Pixels of 24 and 32 bits; the fourth byte is unused. */
function decodeColors(bytes: Uint8Array, header: BmpHeader): Uint8Array {
  const { widthPx, bitsPerPixel } = header;
  const pixels = new Uint8Array(3 * widthPx * header.heightPx);
  for (const { row, start } of rowsOf(bytes, header)) {
    for (let column = 0, to = 3 * row * widthPx; column < widthPx; column++, to += 3) {
      const from = start + (column * bitsPerPixel) / 8;
      for (let channel = 0; channel < 3; channel++) pixels[to + channel] = bytes[from + 2 - channel] ?? 0;
    }
  }
  return pixels;
}

/** Pixels of 16 and 32 bits with a bit mask per colour; 16 bits without masks have 5 bits per colour. */
function decodeMasked(bytes: Uint8Array, header: BmpHeader): Uint8Array {
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
  const pixels = new Uint8Array(3 * widthPx * header.heightPx);
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
  return pixels;
}

function decodePalette(bytes: Uint8Array, { paletteAt, paletteStep }: BmpHeader, indices: Int16Array): Uint8Array {
  const pixels = new Uint8Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    if (indices[i] < 0) continue;
    for (let channel = 0; channel < 3; channel++)
      pixels[3 * i + channel] = bytes[paletteAt + paletteStep * indices[i] + 2 - channel] ?? 0;
  }
  return pixels;
}

/** Palette index of each pixel, row by row from the upper left; -1 in missing rows. */
function unpackBits(bytes: Uint8Array, header: BmpHeader): Int16Array {
  const { widthPx, bitsPerPixel } = header;
  const indices = new Int16Array(widthPx * header.heightPx).fill(-1);
  const perByte = 8 / bitsPerPixel;
  for (const { row, start } of rowsOf(bytes, header)) {
    for (let column = 0; column < widthPx; column++) {
      const byte = bytes[start + Math.floor(column / perByte)];
      if (byte === undefined) break;
      indices[row * widthPx + column] =
        (byte >> (bitsPerPixel * (perByte - 1 - (column % perByte)))) & (2 ** bitsPerPixel - 1);
    }
  }
  return indices;
}

/**
 * Palette indices of run-length encoded pixels: pairs of a count and a value. With count 0 the value is an escape: 0
 * ends the row, 1 ends the picture, 2 moves right and up, 3 or more copies that number of values.
 */
function unpackRuns(bytes: Uint8Array, { widthPx, heightPx, bitsPerPixel, topDown, pixelsAt }: BmpHeader): Int16Array {
  const indices = new Int16Array(widthPx * heightPx);
  let x = 0,
    y = 0;
  const put = (value: number): void => {
    if (x < widthPx && y < heightPx) indices[(topDown ? y : heightPx - 1 - y) * widthPx + x] = value;
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
  return indices;
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
