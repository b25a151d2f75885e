import { deflateSync } from 'node:zlib';
import sharp from 'sharp';

/**
 * Pictures whose headers promise far more than their bytes hold, or whose bytes ask a decoder to work without end.
 * Each is `[name, bytes]`; the extension of the name is that of the format.
 */
export async function pictureBombs() {
  return [...(await jpegBombs()), ...(await pngBombs()), ...bmpBombs(), ...(await otherPictureBombs()), ...tiffBombs()];
}

/** A small JPEG whose frame header claims other sizes. */
export async function claimedJpeg(width, height, { progressive = true, chroma = '4:4:4' } = {}) {
  const jpeg = await sharp({ create: { width: 256, height: 256, channels: 3, background: '#4080c0' } })
    .jpeg({ progressive, chromaSubsampling: chroma })
    .toBuffer();
  return withFrameSize(jpeg, width, height);
}

/** The JPEG with other sizes in its frame header (SOF0 to SOF2). */
export function withFrameSize(jpeg, width, height) {
  const copy = Buffer.from(jpeg);
  for (let at = 2; copy[at] === 0xff && copy[at + 1] !== 0xda; at += 2 + copy.readUInt16BE(at + 2)) {
    if (copy[at + 1] < 0xc0 || copy[at + 1] > 0xc2) continue;
    copy.writeUInt16BE(height, at + 5);
    copy.writeUInt16BE(width, at + 7);
  }
  return copy;
}

/** A progressive JPEG whose last scan is repeated. */
export async function manyScans(width, height, count) {
  const jpeg = await sharp({ create: { width, height, channels: 3, background: '#4080c0' } })
    .jpeg({ progressive: true })
    .toBuffer();
  const last = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
  const scan = jpeg.subarray(last, jpeg.length - 2);
  return Buffer.concat([jpeg.subarray(0, jpeg.length - 2), ...new Array(count).fill(scan), Buffer.from([0xff, 0xd9])]);
}

async function jpegBombs() {
  const turned = await sharp(await claimedJpeg(256, 256, { progressive: false }))
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
  return [
    ['jpeg-progressive-claims-17000.jpg', await claimedJpeg(17_000, 17_000)],
    ['jpeg-progressive-claims-12000.jpg', await claimedJpeg(12_000, 12_000, { chroma: '4:2:0' })],
    ['jpeg-baseline-claims-17000.jpg', await claimedJpeg(17_000, 17_000, { progressive: false })],
    ['jpeg-claims-65500.jpg', await claimedJpeg(65_500, 65_500)],
    ['jpeg-turned-claims-17000.jpg', withFrameSize(turned, 17_000, 17_000)],
    ['jpeg-3000-scans.jpg', await manyScans(1_000, 1_000, 3_000)],
    ['jpeg-3000-scans-of-17000.jpg', withFrameSize(await manyScans(1_000, 1_000, 3_000), 17_000, 17_000)],
    ['jpeg-30-scans-of-8000.jpg', await manyScans(8_000, 8_000, 30)],
  ];
}

/** A PNG chunk by chunk; its pixels may be of another length than the header says. */
export function png({ width, height, depth = 8, color = 2, interlace = 0, pixels, extra = [] }) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, color, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

async function pngBombs() {
  const zeros = deflateSync(Buffer.alloc(50_000_000), { level: 9 });
  const text = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(60_000_000, 0x41))]);
  return [
    ['png-claims-17000.png', png({ width: 17_000, height: 17_000, pixels: zeros })],
    ['png-interlaced-claims-17000.png', png({ width: 17_000, height: 17_000, interlace: 1, pixels: zeros })],
    [
      'png-interlaced-16-bit.png',
      png({ width: 17_000, height: 17_000, depth: 16, color: 6, interlace: 1, pixels: zeros }),
    ],
    ['png-one-row.png', png({ width: 300_000_000, height: 1, pixels: zeros })],
    ['png-one-column.png', png({ width: 1, height: 300_000_000, pixels: zeros })],
    [
      'png-text-60-mb.png',
      png({ width: 1, height: 1, pixels: deflateSync(Buffer.alloc(4)), extra: [chunk('zTXt', text)] }),
    ],
    [
      'png-profile-60-mb.png',
      png({ width: 1, height: 1, pixels: deflateSync(Buffer.alloc(4)), extra: [chunk('iCCP', text)] }),
    ],
  ];
}

/** A bitmap by its header, then `body`. */
export function bitmap({ width, height, bits, compression = 0, body = Buffer.alloc(0) }) {
  const colors = bits <= 8 ? 4 * 2 ** bits : 0;
  const head = Buffer.alloc(54 + colors);
  head.write('BM');
  head.writeUInt32LE(head.length + body.length, 2);
  head.writeUInt32LE(head.length, 10);
  head.writeUInt32LE(40, 14);
  head.writeInt32LE(width, 18);
  head.writeInt32LE(height, 22);
  head.writeUInt16LE(1, 26);
  head.writeUInt16LE(bits, 28);
  head.writeUInt32LE(compression, 30);
  return Buffer.concat([head, body]);
}

function bmpBombs() {
  const runs = Buffer.alloc(4_000, 0xff);
  return [
    ['bmp-runs-claim-17000.bmp', bitmap({ width: 17_000, height: 17_000, bits: 8, compression: 1, body: runs })],
    ['bmp-runs-of-4-bits.bmp', bitmap({ width: 17_000, height: 17_000, bits: 4, compression: 2, body: runs })],
    ['bmp-runs-one-row.bmp', bitmap({ width: 299_999_999, height: 1, bits: 8, compression: 1, body: runs })],
    ['bmp-without-pixels.bmp', bitmap({ width: 17_000, height: 17_000, bits: 24 })],
    ['bmp-without-pixels-1-bit.bmp', bitmap({ width: 17_000, height: 17_000, bits: 1 })],
    ['bmp-negative-height.bmp', bitmap({ width: 17_000, height: -17_000, bits: 32, compression: 3 })],
    ['bmp-largest-height.bmp', bitmap({ width: 1, height: -(2 ** 31), bits: 8 })],
  ];
}

async function otherPictureBombs() {
  const blue = { create: { width: 64, height: 64, channels: 4, background: '#4080c0' } };
  const gif = Buffer.from(await sharp(blue).gif().toBuffer());
  const largeGif = Buffer.from(gif);
  largeGif.writeUInt16LE(17_000, 6);
  largeGif.writeUInt16LE(17_000, 8);
  // 5,000 frames on a canvas of 4,000 pixels: each frame is some bytes.
  const screen = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  screen.writeUInt16LE(4_000, 6);
  screen.writeUInt16LE(4_000, 8);
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  const frames = Buffer.concat([screen, ...new Array(5_000).fill(frame), Buffer.from([0x3b])]);
  // A lossless WebP of one colour: 16,383 pixels a side in some hundred bytes.
  const webp = Buffer.from(await sharp(blue).webp({ lossless: true }).toBuffer());
  const at = webp.indexOf('VP8L') + 9;
  const sizes = webp.readUInt32LE(at);
  webp.writeUInt32LE(((sizes & 0xf0000000) | (16_382 << 14) | 16_382) >>> 0, at);
  const lossy = Buffer.from(await sharp(blue).flatten().webp().toBuffer());
  const key = lossy.indexOf(Buffer.from([0x9d, 0x01, 0x2a]));
  lossy.writeUInt16LE(16_383, key + 3);
  lossy.writeUInt16LE(16_383, key + 5);
  const avif = Buffer.from(await sharp(blue).avif().toBuffer());
  for (let ispe = avif.indexOf('ispe'); ispe >= 0; ispe = avif.indexOf('ispe', ispe + 4)) {
    avif.writeUInt32BE(17_000, ispe + 8);
    avif.writeUInt32BE(17_000, ispe + 12);
  }
  return [
    ['gif-claims-17000.gif', largeGif],
    ['gif-5000-frames.gif', frames],
    ['webp-lossless-claims-16383.webp', webp],
    ['webp-lossy-claims-16383.webp', lossy],
    ['avif-claims-17000.avif', avif],
  ];
}

const SHORT = 3,
  LONG = 4,
  SLONG = 9;

/** A little-endian TIFF of directories of tags, each `[tag, type, value]` or `[tag, type, values]`. */
export function tiff(directories, body = Buffer.alloc(64)) {
  const parts = [Buffer.from('II*\0\0\0\0\0', 'latin1'), body];
  let length = 8 + body.length,
    link = { part: parts[0], at: 4 };
  for (const tags of directories) {
    const sorted = [...tags].sort((a, b) => a[0] - b[0]);
    const directory = Buffer.alloc(2 + 12 * sorted.length + 4);
    const outside = [];
    let free = length + directory.length;
    directory.writeUInt16LE(sorted.length, 0);
    for (const [i, [tag, type, value]] of sorted.entries()) {
      const values = Array.isArray(value) ? value : [value];
      const bytes = Buffer.alloc(values.length * (type === SHORT ? 2 : 4));
      for (const [k, one] of values.entries())
        if (type === SHORT) bytes.writeUInt16LE(one, 2 * k);
        else bytes.writeUInt32LE(one, 4 * k);
      const at = 2 + 12 * i;
      directory.writeUInt16LE(tag, at);
      directory.writeUInt16LE(type, at + 2);
      directory.writeUInt32LE(values.length, at + 4);
      if (bytes.length <= 4) bytes.copy(directory, at + 8);
      else {
        directory.writeUInt32LE(free, at + 8);
        outside.push(bytes);
        free += bytes.length;
      }
    }
    link.part.writeUInt32LE(length, link.at);
    link = { part: directory, at: directory.length - 4 };
    parts.push(directory, ...outside);
    length = free;
  }
  return Buffer.concat(parts);
}

/** The tags of one picture. */
export function tiffTags(width, height, { bits = 8, samples = 3, compression = 1, more = [] } = {}) {
  return [
    [256, LONG, width],
    [257, LONG, height],
    [258, SHORT, new Array(samples).fill(bits)],
    [259, SHORT, compression],
    [262, SHORT, samples >= 3 ? 2 : 1],
    [277, SHORT, samples],
    ...more,
  ];
}

/**
 * A TIFF picture of 32-bit floats in tiles that are all the same, deflated zeros: 60,000 x 2,000 pixels in 62 kB. Its
 * sizes are of `sizeType`; `copies` are tags that come after those of the same number.
 */
export function floatTiles({
  width = 60_000,
  height = 2_000,
  side = 2_000,
  samples = 4,
  sizeType = LONG,
  copies = [],
} = {}) {
  const tile = deflateSync(Buffer.alloc(side * side * samples * 4));
  const tiles = Math.ceil(width / side) * Math.ceil(height / side);
  const more = [
    [322, LONG, side],
    [323, LONG, side],
    [324, LONG, new Array(tiles).fill(8)],
    [325, LONG, new Array(tiles).fill(tile.length)],
    [338, SHORT, 2],
    [339, SHORT, new Array(samples).fill(3)],
  ];
  const tags = tiffTags(width, height, { bits: 32, samples, compression: 8, more }).map(([tag, type, value]) => [
    tag,
    [256, 257, 322, 323].includes(tag) ? sizeType : type,
    value,
  ]);
  return tiff([[...tags, ...copies]], tile);
}

function tiffBombs() {
  const strip = (rows) => [
    [273, LONG, 8],
    [278, LONG, rows],
    [279, LONG, 64],
  ];
  const tile = (side, tiles = 1) => [
    [322, LONG, side],
    [323, LONG, side],
    [324, LONG, new Array(tiles).fill(8)],
    [325, LONG, new Array(tiles).fill(64)],
  ];
  const small = tiffTags(64, 64, { samples: 1, more: strip(64) });
  const endless = tiff([small]);
  // The last directory points at itself.
  const start = endless.readUInt32LE(4);
  endless.writeUInt32LE(start, start + 2 + 12 * endless.readUInt16LE(start));
  return [
    ['tiff-one-strip-of-17000.tif', tiff([tiffTags(17_000, 17_000, { more: strip(17_000) })])],
    ['tiff-packed-strip-of-17000.tif', tiff([tiffTags(17_000, 17_000, { compression: 5, more: strip(17_000) })])],
    ['tiff-tile-of-17008.tif', tiff([tiffTags(17_000, 17_000, { more: tile(17_008) })])],
    ['tiff-small-picture-tile-of-60000.tif', tiff([tiffTags(100, 100, { samples: 1, more: tile(60_000) })])],
    ['tiff-tile-of-1-gi.tif', tiff([tiffTags(100, 100, { samples: 1, more: tile(2 ** 30) })])],
    ['tiff-16-bit-17000.tif', tiff([tiffTags(17_000, 17_000, { bits: 16, samples: 4, more: strip(17_000) })])],
    ['tiff-2000-samples.tif', tiff([tiffTags(8_000, 8_000, { samples: 2_000, more: strip(8_000) })])],
    [
      'tiff-fax-17000.tif',
      tiff([tiffTags(17_000, 17_000, { bits: 1, samples: 1, compression: 4, more: strip(17_000) })]),
    ],
    ['tiff-float-tiles-of-60000.tif', floatTiles()],
    ['tiff-float-tiles-signed.tif', floatTiles({ sizeType: SLONG })],
    ['tiff-float-tiles-twice.tif', floatTiles({ copies: [256, 257, 322, 323].map((tag) => [tag, LONG, 16]) })],
    ['tiff-float-tiles-1000.tif', floatTiles({ side: 1_000 })],
    ['tiff-20000-pages.tif', tiff(new Array(20_000).fill(small))],
    ['tiff-endless-pages.tif', endless],
  ];
}

/** A chunk of a PNG with its checksum. */
export function chunk(type, body) {
  const bytes = Buffer.alloc(12 + body.length);
  bytes.writeUInt32BE(body.length, 0);
  bytes.write(type, 4);
  body.copy(bytes, 8);
  bytes.writeUInt32BE(crc(bytes.subarray(4, 8 + body.length)), 8 + body.length);
  return bytes;
}

const CRCS = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
  return c;
});

/** PNG, annex D. */
function crc(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = (sum >>> 8) ^ CRCS[(sum ^ byte) & 255];
  return (sum ^ 0xffffffff) >>> 0;
}
