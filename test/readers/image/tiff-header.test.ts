import { expect, test } from 'vitest';
import { floatTiles } from '../../../bench/campaigns/bombs/pictures.mjs';
import { checkDecoding } from '../../../dist/readers/decoding/decoded-bytes.js';
import { sharp } from '../../../dist/readers/decoding/decoder.js';
import { readTiffPictures } from '../../../dist/readers/decoding/tiff-header.js';
import { readContent } from '../../../dist/readers/read.js';
import { options } from '../helpers.js';

const picture = (): ReturnType<typeof sharp> =>
  sharp({ create: { width: 700, height: 300, channels: 3, background: '#4080c0' } });

test.each([{ bigtiff: false }, { bigtiff: true }])('tiles and strips of a file by libvips, %o', async ({ bigtiff }) => {
  const tiled = await picture().tiff({ bigtiff, tile: true, tileWidth: 128, tileHeight: 64 }).toBuffer();
  const size = { widthPx: 700, heightPx: 300, samples: 3, bitsPerSample: 8, isPlanar: false };
  expect(readTiffPictures(tiled, 9)).toMatchObject([{ ...size, tile: { widthPx: 128, heightPx: 64 } }]);
  const strips = await picture().tiff({ bigtiff, compression: 'none' }).toBuffer();
  expect(readTiffPictures(strips, 9)).toMatchObject([{ ...size, tile: undefined, isJpeg: false }]);
  const jpeg = await picture().tiff({ bigtiff, compression: 'jpeg' }).toBuffer();
  expect(readTiffPictures(jpeg, 9)).toMatchObject([{ ...size, isJpeg: true }]);
  expect(await readContent(new Uint8Array(tiled), 'a.tif', options())).toMatchObject({ widthPx: 700, warnings: [] });
});

/** A TIFF header of directories of tags with one LONG each. */
function headers(directories: readonly Record<number, number>[], isLittle: boolean): Uint8Array {
  const bytes = Buffer.alloc(8 + directories.reduce((sum, tags) => sum + 6 + 12 * Object.keys(tags).length, 0));
  const u16 = (value: number, at: number): unknown =>
    isLittle ? bytes.writeUInt16LE(value, at) : bytes.writeUInt16BE(value, at);
  const u32 = (value: number, at: number): unknown =>
    isLittle ? bytes.writeUInt32LE(value, at) : bytes.writeUInt32BE(value, at);
  bytes.write(isLittle ? 'II' : 'MM', 'latin1');
  u16(42, 2);
  let at = 8;
  u32(at, 4);
  for (const [k, tags] of directories.entries()) {
    const entries = Object.entries(tags);
    u16(entries.length, at);
    for (const [i, [tag, value]] of entries.entries()) {
      const entry = at + 2 + 12 * i;
      u16(Number(tag), entry);
      u16(4, entry + 2);
      u32(1, entry + 4);
      u32(value, entry + 8);
    }
    at += 6 + 12 * entries.length;
    u32(k + 1 < directories.length ? at : 0, at - 4);
  }
  return bytes;
}

const SMALL = { 256: 64, 257: 64, 258: 8, 277: 1, 278: 64 };
const TILES = { 256: 60_000, 257: 2_000, 258: 32, 277: 4, 322: 1_024, 323: 1_024 };

test.each([true, false])(
  'both orders of bytes; each page that may be decoded counts (little-endian %o)',
  (isLittle) => {
    const bytes = headers([SMALL, TILES], isLittle);
    expect(readTiffPictures(bytes, 9)).toMatchObject([
      { widthPx: 64, rowsPerStrip: 64 },
      { widthPx: 60_000, samples: 4, tile: { heightPx: 1_024 } },
    ]);
    const check = (pages: number) => (): void =>
      checkDecoding(
        'it',
        bytes,
        { format: 'tiff', widthPx: 64, heightPx: 64, channels: 1, depthBytes: 1, isInterlaced: false, pages },
        options().limits,
      );
    expect(check(1)).not.toThrow();
    expect(check(2)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED', details: expect.objectContaining({ limit: 'decodedBytes' }) }),
    );
  },
);

test('a directory that is cut off, empty or linked to itself ends the list', () => {
  const whole = headers([SMALL, TILES], true);
  for (let length = 0; length < whole.length; length++)
    expect(readTiffPictures(whole.subarray(0, length), 9).length).toBeLessThanOrEqual(2);
  const ring = Buffer.from(headers([SMALL], true));
  ring.writeUInt32LE(8, ring.length - 4);
  expect(readTiffPictures(ring, 1e9)).toHaveLength(1);
  expect(readTiffPictures(floatTiles(), 9)).toMatchObject([{ samples: 4, bitsPerSample: 32 }]);
});

const SHORT = 3,
  LONG = 4;
const SIZES = [256, 257, 322, 323];

test.each<[string, NonNullable<Parameters<typeof floatTiles>[0]>]>([
  ['whole numbers with a sign', { sizeType: 9 }],
  ['smaller ones after them', { copies: SIZES.map((tag) => [tag, LONG, 16]) }],
  ['smaller ones of another type after them', { copies: SIZES.map((tag) => [tag, SHORT, 16]) }],
])(
  'sizes as %s are taken as libtiff takes them: no picture passes that its decoder holds too much of',
  async (_, odd) => {
    const bytes = floatTiles(odd);
    expect(readTiffPictures(bytes, 9)).toEqual(readTiffPictures(floatTiles(), 9));
    const { width, height } = await sharp(bytes, { limitInputPixels: false, failOn: 'none' }).metadata();
    expect([width, height]).toEqual([60_000, 2_000]);
    await expect(readContent(new Uint8Array(bytes), 'a.tif', options())).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'decodedBytes' },
    });
  },
);

test.each([
  [{ ...SMALL, 256: 65 }, 'another width than the decoder found'],
  [{ ...SMALL, 257: 0 }, 'no height'],
  [{ ...SMALL, 322: 16 }, 'tiles without height'],
  [{ ...SMALL, 322: 0, 323: 16 }, 'tiles without width'],
])('a directory with sizes that are no sizes is refused', (tags, why) => {
  const size = { widthPx: 64, heightPx: 64, channels: 1, depthBytes: 1, isInterlaced: false, pages: 1 };
  const check = (bytes: Uint8Array) => (): void =>
    checkDecoding('it', bytes, { format: 'tiff', ...size }, options().limits);
  expect(check(headers([SMALL], true))).not.toThrow();
  expect(check(headers([tags], true)), why).toThrow(expect.objectContaining({ code: 'FILE_MALFORMED' }));
});
