import { deflateSync } from 'node:zlib';
import type { Core } from '../core/core.js';
import { drawShaded, type ColoredMesh } from '../core/shaded.js';
import { CREASE_RAD, cornersOf } from './attitude.js';
import { checkThumbnailOptions, type ThumbnailOptions } from './thumbnail-options.js';

/**
 * A shaded picture of a part with its feature lines, as PNG. The part lies flat with its longest side to the right,
 * seen from above, turned to the side that shows most, in its own colors if it has any. Equal meshes give equal pixels.
 * @throws EngineError `NO_GEOMETRY` or `FILE_MALFORMED` as for {@link renderView}; TypeError or RangeError for wrong
 *   options.
 */
export async function thumbnail(
  core: Core,
  mesh: ColoredMesh,
  options?: Partial<Omit<ThumbnailOptions, 'page'>>,
): Promise<Uint8Array> {
  const { size, background } = checkThumbnailOptions(options);
  const pixels = drawShaded(core, mesh, { cameras: cornersOf(core, mesh).slice(0, 4), size, creaseRad: CREASE_RAD });
  return squarePng(background === 'white' ? onWhite(pixels) : pixels, size);
}

/** u8[size²][3] of u8[size²][4]. */
function onWhite(pixels: Uint8Array): Uint8Array {
  const opaque = new Uint8Array((3 * pixels.length) / 4);
  for (let from = 0, to = 0; from < pixels.length; from += 4, to += 3) {
    const opacity = pixels[from + 3] / 255;
    for (let channel = 0; channel < 3; channel++)
      opaque[to + channel] = Math.round(opacity * pixels[from + channel] + 255 * (1 - opacity));
  }
  return opaque;
}

/**
 * u8[size²][3 or 4] (red, green, blue and, with four, opacity) as PNG. Small pictures of flat colours need neither
 * filters nor the image library, which loads slowly and starts threads for each picture.
 */
export function squarePng(pixels: Uint8Array, size: number): Uint8Array {
  const rowBytes = pixels.length / size;
  const rows = new Uint8Array(size * (rowBytes + 1));
  for (let row = 0; row < size; row++)
    rows.set(pixels.subarray(rowBytes * row, rowBytes * (row + 1)), (rowBytes + 1) * row + 1);
  const head = new Uint8Array(13);
  const sizes = new DataView(head.buffer);
  sizes.setUint32(0, size);
  sizes.setUint32(4, size);
  head.set([8, rowBytes === 4 * size ? 6 : 2], 8); // Eight bits of each color, with opacity or without.
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', new Uint8Array()),
  ]);
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

function chunk(type: string, data: Uint8Array): Uint8Array {
  const whole = Buffer.alloc(data.length + 12);
  whole.writeUInt32BE(data.length, 0);
  whole.write(type, 4, 'latin1');
  whole.set(data, 8);
  whole.writeUInt32BE(crcOf(whole.subarray(4, -4)), data.length + 8);
  return whole;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crcOf(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = CRC_TABLE[(crc ^ byte) & 255] ^ (crc >>> 8);
  return ~crc >>> 0;
}
