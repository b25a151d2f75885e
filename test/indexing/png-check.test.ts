import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { chunk, png } from '../../bench/campaigns/bombs/pictures.mjs';
import { checkAnswer, withPart } from '../../dist/indexing/pool/answer-checks.js';
import { plainPng } from '../../dist/indexing/pool/png-check.js';
import type { WorkerRequest } from '../../dist/indexing/worker/messages.js';

// The host decodes pictures that a reading process drew; one that was taken over may send any bytes as a picture.

const check = (bytes: Uint8Array) => (): void => plainPng({ widthPx: 256, heightPx: 256 })(bytes, 'picture');
const forged = (more: Partial<Parameters<typeof png>[0]>): Buffer =>
  png({ width: 16, height: 16, pixels: Buffer.alloc(16 * 49), ...more });

test.each([1, 2, 3, 4] as const)('pictures of %i samples as sharp writes them are let in', async (channels) => {
  const picture = sharp({ create: { width: 256, height: 200, channels: 4, background: '#4080c0' } });
  const samples = channels < 3 ? picture.grayscale() : picture;
  const bytes = await (channels % 2 === 0 ? samples : samples.removeAlpha()).png().toBuffer();
  expect(check(bytes)).not.toThrow();
});

test('noise that does not shrink is let in', async () => {
  const raw = Buffer.from(Uint8Array.from({ length: 256 * 256 * 4 }, (_, i) => (i * 2_654_435_761) >>> 13));
  const bytes = await sharp(raw, { raw: { width: 256, height: 256, channels: 4 } })
    .png({ compressionLevel: 0 })
    .toBuffer();
  expect(check(bytes)).not.toThrow();
});

test.each<[string, Uint8Array]>([
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="60000" height="60000"/>')],
  ['nothing', new Uint8Array()],
  ['a size beyond what was asked', forged({ width: 257 })],
  ['a size of 60,000', forged({ width: 60_000, height: 60_000 })],
  ['no pixels', forged({ width: 0 })],
  ['16 bits', forged({ depth: 16 })],
  ['a palette', forged({ color: 3 })],
  ['interlacing', forged({ interlace: 1 })],
  ['an animation', forged({ extra: [chunk('acTL', Buffer.alloc(8))] })],
  ['a profile', forged({ extra: [chunk('iCCP', deflateSync(Buffer.alloc(1e6)))] })],
  ['a text', forged({ extra: [chunk('zTXt', Buffer.alloc(99))] })],
  [
    'more bytes than its pixels',
    forged({ pixels: Buffer.from(Array.from({ length: 9_000 }, (_, i) => (i * i) % 251)) }),
  ],
  ['a cut', forged({}).subarray(0, -1)],
  ['more after its end', Buffer.concat([forged({}), Buffer.alloc(12)])],
])('%s is refused', (_, bytes) => expect(check(bytes)).toThrow(/is no plain PNG/));

const EMPTY = chunk('IDAT', Buffer.alloc(0));

test.each([
  ['within its length', 15_000],
  ['of 64 MiB', 2 ** 26 / EMPTY.length],
])('empty chunks without number are refused before they cost the host anything, %s', (_, count) => {
  const header = forged({ width: 256, height: 256 }).subarray(0, 33);
  const end = chunk('IEND', Buffer.alloc(0));
  const bytes = Buffer.concat([header, Buffer.alloc(EMPTY.length * Math.floor(count), EMPTY), end]);
  const before = process.cpuUsage();
  expect(check(bytes)).toThrow(/is no plain PNG: it has (too many chunks|\d+ bytes)/);
  const { user, system } = process.cpuUsage(before);
  // It took 3 s for 64 MiB when all chunks were listed.
  expect((user + system) / 1_000).toBeLessThan(1_000);
});

test('bytes of any kind or cut do no more than that', () => {
  const whole = forged({});
  for (let at = 0; at < whole.length; at++) {
    expect(check(whole.subarray(0, at))).toThrow(TypeError);
    const changed = Buffer.from(whole);
    changed[at] ^= 0xff;
    try {
      check(changed)();
    } catch (cause) {
      expect(cause).toBeInstanceOf(TypeError);
    }
  }
});

test('pictures of a description and of requests are checked, with the size that was asked for', async () => {
  const of = { kind: 'bytes', bytes: new Uint8Array(), name: 'a.step' } as const;
  const picture = (size: number): Promise<Buffer> =>
    sharp({ create: { width: size, height: size, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
  const ask = (request: Partial<WorkerRequest>, value: unknown) => (): void =>
    checkAnswer({ of, ...request } as WorkerRequest, value);
  const large = await picture(300);
  for (const request of [
    { kind: 'picture', picture: { kind: 'thumbnail', size: 256 } },
    { kind: 'picture', picture: { kind: 'page', width: 256 } },
    { kind: 'picture', picture: { kind: 'faces', size: 256, faces: [1] } },
    { kind: 'shapelet', size: 256, background: 'white', index: 0 },
    { kind: 'overlay', size: 256, index: 0, query: of, queryIndex: 0 },
  ] as const) {
    expect(ask(request, await picture(256)), JSON.stringify(request)).not.toThrow();
    expect(ask(request, large), JSON.stringify(request)).toThrow(/300 x 300 pixels/);
  }
  const described = withPart(undefined, undefined, {
    value: {
      ...{ kind: 'Text', warnings: [], pageCount: null, faceCount: null, pages: [], properties: [] },
      textTerms: { text: '', words: '', counts: new Map(), length: 0 },
    },
    next: 'pictures',
  });
  const small = await picture(256);
  expect(withPart(described, 'pictures', { value: { pictures: { small, large } } }).pictures).toEqual({ small, large });
  expect(() => withPart(described, 'pictures', { value: { pictures: { small: large } } })).toThrow(/300 x 300/);
});
