import { EngineError } from '../errors.js';

/** What the header of a Windows bitmap says. */
export interface BmpHeader {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bitsPerPixel: number;
  /** Pixels per metre; 0 when not given. */
  readonly pixelsPerMetre: number;
  /** How pixels are packed: 0 is not at all. */
  readonly compression: number;
  readonly topDown: boolean;
  /** Where pixels and colours begin. */
  readonly pixelsAt: number;
  readonly paletteAt: number;
  /** Bytes of one colour of the palette. */
  readonly paletteStep: number;
}

/** Reads the header (BITMAPCOREHEADER of OS/2 and BITMAPINFOHEADER with its successors). @throws EngineError `FILE_MALFORMED`. */
export function readBmpHeader(bytes: Uint8Array): BmpHeader {
  if (bytes.length < 26) throw new EngineError('FILE_MALFORMED', `the BMP file breaks off after ${bytes.length} bytes, inside its header`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const headerBytes = view.getUint32(14, true);
  const core = headerBytes === 12;
  if (!core && bytes.length < 54) throw new EngineError('FILE_MALFORMED', `the BMP file breaks off after ${bytes.length} bytes, inside its header`);
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
    throw new EngineError('FILE_MALFORMED', `the BMP file is ${header.widthPx} by ${header.heightPx} pixels of ${header.bitsPerPixel} bits; expected positive sizes and 1, 4, 8, 16, 24 or 32 bits`);
  }
  return header;
}

/**
 * Pixels of a bitmap that is not packed, u8[3 * widthPx * heightPx], red, green, blue, from the upper left; undefined for packed ones
 * (run lengths, embedded JPEG and PNG). Rows that the file lacks are black. sharp reads no BMP.
 */
export function decodeBmp(bytes: Uint8Array, header: BmpHeader): Uint8Array | undefined {
  const { widthPx, heightPx, bitsPerPixel, topDown, pixelsAt, paletteAt, paletteStep, compression } = header;
  // 3 says that masks tell the colours apart; the masks in use are those of uncompressed files.
  if (compression !== 0 && compression !== 3) return undefined;
  const rowBytes = 4 * Math.ceil((widthPx * bitsPerPixel) / 32);
  const pixels = new Uint8Array(3 * widthPx * heightPx);
  for (let row = 0; row < heightPx; row++) {
    const start = pixelsAt + (topDown ? row : heightPx - 1 - row) * rowBytes;
    for (let column = 0; column < widthPx; column++) {
      const to = 3 * (row * widthPx + column);
      if (bitsPerPixel >= 24) {
        const from = start + (column * bitsPerPixel) / 8;
        for (let channel = 0; channel < 3; channel++) pixels[to + channel] = bytes[from + 2 - channel] ?? 0;
      } else if (bitsPerPixel === 16) {
        const value = (bytes[start + 2 * column] ?? 0) + 256 * (bytes[start + 2 * column + 1] ?? 0);
        const five = (bits: number): number => Math.round(((bits & 31) * 255) / 31);
        const green = compression === 3 ? Math.round((((value >> 5) & 63) * 255) / 63) : five(value >> 5);
        pixels.set([five(value >> (compression === 3 ? 11 : 10)), green, five(value)], to);
      } else {
        const perByte = 8 / bitsPerPixel;
        const byte = bytes[start + Math.floor(column / perByte)] ?? 0;
        const index = (byte >> (bitsPerPixel * (perByte - 1 - (column % perByte)))) & (2 ** bitsPerPixel - 1);
        for (let channel = 0; channel < 3; channel++) pixels[to + channel] = bytes[paletteAt + paletteStep * index + 2 - channel] ?? 0;
      }
    }
  }
  return pixels;
}
