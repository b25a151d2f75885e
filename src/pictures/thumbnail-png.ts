import { deflateSync } from 'node:zlib';

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
