import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { chunk, png, tiff, tiffTags } from './pictures.mjs';

/** Pictures whose frames, tiles or chunks are the bomb. Each is `[name, make]`. */
export function morePictureBombs() {
  return [...pngBombs(), ...tiffBombs(), ...animationBombs()];
}

const SHORT = 3,
  LONG = 4;

function pngBombs() {
  const pixel = deflateSync(Buffer.alloc(4));
  const one = (extra) => png({ width: 1, height: 1, pixels: pixel, extra });
  const text = (keyword, bytes, level = 9) =>
    chunk('zTXt', Buffer.concat([Buffer.from(`${keyword}\0\0`), deflateSync(bytes, { level })]));
  return [
    ['png-1000-texts-of-1-mb.png', () => one(new Array(1_000).fill(text('Comment', Buffer.alloc(1_000_000, 0x41))))],
    ['png-200000-texts.png', () => one(new Array(200_000).fill(chunk('tEXt', Buffer.from('Comment\0a'))))],
    [
      'png-international-text-of-50-mb.png',
      () =>
        one([
          chunk(
            'iTXt',
            Buffer.concat([Buffer.from('XML:com.adobe.xmp\0\x01\0\0\0'), deflateSync(Buffer.alloc(50_000_000, 0x3c))]),
          ),
        ]),
    ],
    [
      'png-xmp-of-20-mb.png',
      () =>
        one([
          chunk(
            'iTXt',
            Buffer.concat([
              Buffer.from('XML:com.adobe.xmp\0\0\0\0\0'),
              Buffer.from(`<x>${'<dc:title>a</dc:title>'.repeat(900_000)}</x>`),
            ]),
          ),
        ]),
    ],
    [
      'png-of-40-million-empty-chunks.png',
      () =>
        png({
          width: 64,
          height: 64,
          pixels: Buffer.alloc(0),
          extra: new Array(300_000).fill(chunk('IDAT', Buffer.alloc(0))),
        }),
    ],
    [
      'png-palette-16000.png',
      () =>
        png({
          width: 16_000,
          height: 16_000,
          depth: 1,
          color: 0,
          pixels: deflateSync(Buffer.alloc(32_016_000), { level: 9 }),
        }),
    ],
    [
      'png-zeros-9000-16-bit.png',
      () =>
        png({
          width: 9_000,
          height: 9_000,
          depth: 16,
          color: 6,
          pixels: deflateSync(Buffer.alloc(9_000 * 72_001), { level: 9 }),
        }),
    ],
    [
      'png-animated-10000-frames.png',
      () =>
        one([
          chunk('acTL', Buffer.from([0, 0, 0x27, 0x10, 0, 0, 0, 0])),
          ...new Array(10_000).fill(chunk('fcTL', Buffer.alloc(26))),
        ]),
    ],
  ];
}

function tiffBombs() {
  const strips = (count) => [
    [273, LONG, new Array(count).fill(8)],
    [278, LONG, 1],
    [279, LONG, new Array(count).fill(64)],
  ];
  return [
    ['tiff-of-1000000-strips.tif', () => tiff([tiffTags(64, 1_000_000, { samples: 1, more: strips(1_000_000) })])],
    [
      'tiff-1-strip-used-60000-times.tif',
      () =>
        tiff(
          [
            tiffTags(4_000, 60_000, {
              samples: 1,
              compression: 8,
              more: [
                [273, LONG, new Array(60_000).fill(8)],
                [278, LONG, 1],
                [279, LONG, new Array(60_000).fill(4_000)],
              ],
            }),
          ],
          deflateSync(Buffer.alloc(4_000)),
        ),
    ],
    [
      'tiff-1000000-tiles-of-16.tif',
      () =>
        tiff(
          [
            tiffTags(16_000, 16_000, {
              samples: 1,
              more: [
                [322, LONG, 16],
                [323, LONG, 16],
                [324, LONG, new Array(1_000_000).fill(8)],
                [325, LONG, new Array(1_000_000).fill(256)],
              ],
            }),
          ],
          Buffer.alloc(256),
        ),
    ],
    ['tiff-2-directories-in-a-ring.tif', () => ring()],
    [
      'tiff-claims-4-gi.tif',
      () =>
        tiff([
          tiffTags(0xffffffff, 0xffffffff, {
            samples: 1,
            more: [
              [273, LONG, 8],
              [278, LONG, 1],
              [279, LONG, 64],
            ],
          }),
        ]),
    ],
    [
      'tiff-jpeg-tables-of-2-gi.tif',
      () =>
        tiff([
          tiffTags(8_000, 8_000, {
            compression: 7,
            more: [
              [273, LONG, 8],
              [278, LONG, 8_000],
              [279, LONG, 64],
              [347, LONG, [0x7fffffff, 0x7fffffff]],
            ],
          }),
        ]),
    ],
    [
      'tiff-65535-bits.tif',
      () =>
        tiff([
          tiffTags(4_000, 4_000, {
            bits: 65_535,
            samples: 1,
            more: [
              [273, LONG, 8],
              [278, LONG, 4_000],
              [279, LONG, 64],
            ],
          }),
        ]),
    ],
    [
      'tiff-resolution-of-0.tif',
      () =>
        tiff([
          tiffTags(64, 64, {
            samples: 1,
            more: [
              [273, LONG, 8],
              [278, LONG, 64],
              [279, LONG, 64],
              [282, 5, 0],
              [283, 5, 0],
              [339, SHORT, 3],
            ],
          }),
        ]),
    ],
    [
      'tiff-float-12000.tif',
      () =>
        tiff([
          tiffTags(12_000, 12_000, {
            bits: 32,
            samples: 3,
            more: [
              [273, LONG, 8],
              [278, LONG, 12_000],
              [279, LONG, 64],
              [339, SHORT, [3, 3, 3]],
            ],
          }),
        ]),
    ],
  ];
}

/** Two directories, the second of which leads to the first. */
function ring() {
  const small = tiffTags(64, 64, {
    samples: 1,
    more: [
      [273, LONG, 8],
      [278, LONG, 64],
      [279, LONG, 64],
    ],
  });
  const bytes = tiff([small, small]);
  const first = bytes.readUInt32LE(4);
  const second = bytes.readUInt32LE(first + 2 + 12 * bytes.readUInt16LE(first));
  bytes.writeUInt32LE(first, second + 2 + 12 * bytes.readUInt16LE(second));
  return bytes;
}

function animationBombs() {
  const canvas = (side) => {
    const screen = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
    screen.writeUInt16LE(side, 6);
    screen.writeUInt16LE(side, 8);
    return screen;
  };
  const frame = (side) => {
    const bytes = Buffer.from([0x2c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, 0x44, 1, 0]);
    bytes.writeUInt16LE(side, 5);
    bytes.writeUInt16LE(side, 7);
    return bytes;
  };
  const end = Buffer.from([0x3b]);
  const blocks = (count) =>
    Buffer.concat([Buffer.from([0x21, 0xfe]), Buffer.alloc(256 * count, 0xff), Buffer.from([0])]);
  const blue = { create: { width: 64, height: 64, channels: 4, background: '#4080c0' } };
  const webpChunk = (name, body) => {
    const head = Buffer.alloc(8);
    head.write(name);
    head.writeUInt32LE(body.length, 4);
    return Buffer.concat([head, body, Buffer.alloc(body.length % 2)]);
  };
  const animated = async (side, count) => {
    const still = await sharp(blue).webp({ lossless: true }).toBuffer();
    const picture = still.subarray(12);
    const head = Buffer.alloc(10);
    head[0] = 2;
    head.writeUIntLE(side - 1, 4, 3);
    head.writeUIntLE(side - 1, 7, 3);
    const one = Buffer.alloc(16);
    one.writeUIntLE(63, 6, 3);
    one.writeUIntLE(63, 9, 3);
    const body = Buffer.concat([
      Buffer.from('WEBP'),
      webpChunk('VP8X', head),
      webpChunk('ANIM', Buffer.alloc(6)),
      ...new Array(count).fill(webpChunk('ANMF', Buffer.concat([one, picture]))),
    ]);
    const start = Buffer.alloc(8);
    start.write('RIFF');
    start.writeUInt32LE(body.length, 4);
    return Buffer.concat([start, body]);
  };
  const avif = async (change) => {
    const bytes = Buffer.from(await sharp(blue).avif().toBuffer());
    change(bytes);
    return bytes;
  };
  return [
    ['gif-200000-frames.gif', () => Buffer.concat([canvas(16), ...new Array(200_000).fill(frame(1)), end])],
    ['gif-frames-outside-the-canvas.gif', () => Buffer.concat([canvas(1), ...new Array(50).fill(frame(65_535)), end])],
    [
      'gif-frame-never-ends.gif',
      () => Buffer.concat([canvas(8_000), frame(8_000).subarray(0, 11), Buffer.alloc(3_000_000, 0xfe)]),
    ],
    ['gif-comment-of-12-mb.gif', () => Buffer.concat([canvas(16), blocks(50_000), frame(16), end])],
    ['webp-animation-of-16000.webp', () => animated(16_000, 3)],
    ['webp-20000-frames.webp', () => animated(64, 20_000)],
    [
      'webp-riff-of-4-gi.webp',
      async () => {
        const bytes = Buffer.from(await sharp(blue).webp().toBuffer());
        bytes.writeUInt32LE(0xfffffffe, 4);
        bytes.writeUInt32LE(0xfffffff0, 16);
        return bytes;
      },
    ],
    [
      'avif-grid-of-256-by-256.avif',
      () =>
        avif((bytes) => {
          for (const [name, at] of [
            ['ispe', 8],
            ['ispe', 12],
          ])
            bytes.writeUInt32BE(7_000, bytes.indexOf(name) + at);
        }),
    ],
    [
      'avif-box-of-2-to-63.avif',
      () =>
        avif((bytes) => {
          const at = bytes.indexOf('meta') - 4;
          bytes.writeUInt32BE(1, at);
        }),
    ],
    ['avif-items-65535.avif', () => avif((bytes) => bytes.writeUInt16BE(65_535, bytes.indexOf('iinf') + 8))],
    [
      'avif-of-7500.avif',
      () =>
        sharp({ create: { width: 7_500, height: 7_500, channels: 3, background: '#4080c0' } })
          .avif({ effort: 0, quality: 1 })
          .toBuffer(),
    ],
  ];
}
