import { expect, test } from 'vitest';
import { bitmap, claimedJpeg, floatTiles, manyScans } from '../../../bench/campaigns/bombs/pictures.mjs';
import { sharp } from '../../../dist/readers/decoding/decoder.js';
import { readContent } from '../../../dist/readers/read.js';
import { readAlone } from '../../fixtures/read-alone.js';
import { options } from '../helpers.js';

const HOSTILE: readonly (readonly [name: string, limit: string, make: () => Buffer | Promise<Buffer>])[] = [
  ['progressive-17000.jpg', 'decodedBytes', () => claimedJpeg(17_000, 17_000)],
  ['baseline-17000.jpg', 'archiveRatio', () => claimedJpeg(17_000, 17_000, { progressive: false })],
  ['3000-scans.jpg', 'the number of scans of a JPEG', () => manyScans(64, 64, 3_000)],
  [
    'runs-17000.bmp',
    'archiveRatio',
    () => bitmap({ width: 17_000, height: 17_000, bits: 8, compression: 1, body: Buffer.alloc(4_000, 0xff) }),
  ],
  ['float-tiles-60000.tif', 'decodedBytes', () => floatTiles()],
];

test.each(HOSTILE)('%s is refused with the limit %s', async (name, limit, make) => {
  await expect(readContent(new Uint8Array(await make()), name, options())).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    details: { limit },
  });
});

test('a process that reads them stays small', async () => {
  const files = await Promise.all(HOSTILE.map(async ([name, , make]) => [name, await make()] as const));
  const ends = await readAlone(files);
  expect(ends.map(({ read }) => read)).toEqual(HOSTILE.map(() => 'LIMIT_EXCEEDED'));
  // A process that has loaded the readers takes 70 MiB; before, these took 3,400.
  expect(ends.at(-1)!.rssMiB).toBeLessThan(200);
});

test('a sound progressive JPEG and a blank run-length bitmap are read', async () => {
  const jpeg = new Uint8Array(await claimedJpeg(256, 256));
  expect(await readContent(jpeg, 'a.jpg', options())).toMatchObject({ kind: 'image', widthPx: 256, warnings: [] });
  // A blank page of 6,000 by 5,000 pixels: runs of 255, and an end of each row.
  const row = Buffer.from([...Array.from({ length: 23 }, () => [255, 0]).flat(), 135, 0, 0, 0]);
  const body = Buffer.concat(Array.from({ length: 5_000 }, () => row));
  const blank = new Uint8Array(bitmap({ width: 6_000, height: 5_000, bits: 8, compression: 1, body }));
  expect(await readContent(blank, 'a.bmp', options())).toMatchObject({ kind: 'image', heightPx: 5_000, warnings: [] });
});

test('a picture that a small reading process could not decode is refused by its header', async () => {
  // 432 MB of coefficients: less than limits.decodedBytes, more than three quarters of 512 MiB.
  const bytes = new Uint8Array(await claimedJpeg(12_000, 12_000, { chroma: '4:2:0' }));
  await expect(readContent(bytes, 'a.jpg', options({ workerMemoryMiB: 512 }))).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    details: { limit: 'workerMemoryMiB', allowed: 512 },
  });
});

/** A black and white TIFF file of one strip, little-endian. */
function stripTiff(pixels: number, compression: number): Uint8Array {
  const [stripAt, stripBytes] = [200, 1_000];
  const tags = [
    256,
    pixels,
    257,
    pixels,
    258,
    1,
    259,
    compression,
    262,
    0,
    273,
    stripAt,
    277,
    1,
    278,
    pixels,
    279,
    stripBytes,
  ];
  const file = Buffer.alloc(stripAt + stripBytes, 0x97);
  file.set([0x49, 0x49, 42, 0, 8, 0, 0, 0, tags.length / 2, 0]);
  for (let i = 0; i < tags.length; i += 2) {
    const at = 10 + 6 * i;
    file.writeUInt16LE(tags[i], at);
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(1, at + 4);
    file.writeUInt32LE(tags[i + 1], at + 8);
  }
  return new Uint8Array(file.fill(0, 10 + 6 * tags.length, 10 + 6 * tags.length + 4));
}

// In a PDF these are measured first. Whoever sees one fail after an update of sharp measures them in TIFF as well.
test.each([
  [34_661, /JBIG.* not configured/],
  [34_715, /34715.* not implemented/],
])('a TIFF compressed as JBIG or JBIG2 (%i) has no decoder: nothing is decoded', async (compression, why) => {
  const decode = (kind: number) => sharp(stripTiff(64, kind), { failOn: 'error' }).raw().toBuffer();
  await expect(decode(compression)).rejects.toThrow(why);
  expect((await decode(1)).length).toBeGreaterThan(0);
  const claimed = readContent(stripTiff(60_000, compression), 'a.tif', options());
  await expect(claimed).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'imagePixels' } });
});
