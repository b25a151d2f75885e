import { deflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { jbig2Bombs, symbolPdf } from '../../../bench/campaigns/bombs/pdf-jbig2.mjs';
import { mapBombs, mapOf, mappedPdf } from '../../../bench/campaigns/bombs/pdf-maps.mjs';
import { encryptedPdf, savesInForms, savesInStreams } from '../../../bench/campaigns/bombs/pdf-states.mjs';
import { pdfOf, pictureBombsInPdf, tiledPdf, type PdfObject } from '../../../bench/campaigns/bombs/pdfs.mjs';
import { readContent } from '../../../dist/readers/read.js';
import { readAlone } from '../../fixtures/read-alone.js';
import { options } from '../helpers.js';
import { stopwatch } from '../../fixtures/stopwatch.js';

test('patterns whose step is a fraction of their tile, and 25,000 pictures, are read, and their pages are not drawn', async () => {
  const ends = await readAlone([
    ['sound.pdf', tiledPdf({ step: [5, 5] })],
    ['tiny-step.pdf', tiledPdf({ step: [0.0001, 0.0001] })],
    ['huge-tile.pdf', tiledPdf({ step: [1, 1], box: [0, 0, 100_000, 100_000] })],
    ['pictures.pdf', pdfOf('BI /W 1 /H 1 /BPC 8 /CS /G ID a EI '.repeat(25_000))],
  ]);
  expect(ends.map(({ name, read, drawn }) => `${name} ${read} ${drawn}`)).toEqual([
    'sound.pdf  ',
    'tiny-step.pdf  LIMIT_EXCEEDED',
    'huge-tile.pdf  LIMIT_EXCEEDED',
    'pictures.pdf  LIMIT_EXCEEDED',
  ]);
  // A process that has loaded pdfjs takes 120 MiB; before, these took 2,400 and 4,040, the pictures 1,100.
  expect(ends[1].rssMiB).toBeLessThan(300);
  expect(ends[2].rssMiB).toBeLessThan(700);
  expect(ends[3].rssMiB).toBeLessThan(1_200);
}, 60_000);

test('pictures that claim 17,000 pixels a side in some hundred bytes do not swell', async () => {
  const names = [
    'jpeg-claims-17000-dictionary-10',
    'small-jpeg-dictionary-17000',
    'no-pixels-17000',
    'soft-mask-17000',
  ];
  const bombs = await pictureBombsInPdf();
  const ends = await readAlone(bombs.filter(([name]) => names.some((part) => name === `pdf-${part}.pdf`)));
  expect(ends.map(({ read }) => read)).toEqual(names.map(() => 'LIMIT_EXCEEDED'));
  expect(ends.at(-1)!.rssMiB).toBeLessThan(300);
}, 60_000);

/** A form that draws the next one ten times, ten levels deep; the last one draws a line. */
function nestedForms(): Buffer {
  const forms = Array.from({ length: 10 }, (_, i): PdfObject => {
    const next = i === 9 ? '' : `/XObject << /F ${6 + i} 0 R >>`;
    return [
      `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << ${next} >>`,
      Buffer.from(i === 9 ? '0 0 m 9 9 l S' : '/F Do '.repeat(10)),
    ];
  });
  return pdfOf('/F Do', '/XObject << /F 5 0 R >>', forms);
}

/** A page that shows a picture of 17,000 pixels a side, as another object says. */
function indirectPicture(more: string, bytes: Uint8Array, side = '17000'): Buffer {
  const dictionary = `/Type /XObject /Subtype /Image /Width 6 0 R /Height 6 0 R ${more}`;
  return pdfOf('/I Do', '/XObject << /I 5 0 R >>', [[dictionary, bytes], side]);
}

/** A page that shows a JPEG 2000 picture whose own header says another size than its dictionary. */
function claimedJpeg2000(): Buffer {
  const header = Buffer.alloc(51);
  header.set([0xff, 0x4f, 0xff, 0x51, 0, 47]);
  for (const at of [8, 12]) header.writeUInt32BE(17_000, at);
  header.writeUInt16BE(3, 40);
  const dictionary = '/Type /XObject /Subtype /Image /Width 10 /Height 10 /Filter /JPXDecode';
  return pdfOf('/I Do', '/XObject << /I 5 0 R >>', [[dictionary, header]]);
}

/** A page that shows a JBIG2 picture of 16 pixels a side, with generic regions of this side. */
function jbig2(side: number, regions = 1): Buffer {
  const segment = (type: number, data: Buffer): Buffer => {
    const head = Buffer.from([0, 0, 0, 1, type, 0, 1, 0, 0, 0, data.length]);
    return Buffer.concat([head, data]);
  };
  const sized = (size: number, length: number): Buffer => {
    const data = Buffer.alloc(length);
    data.writeUInt32BE(size, 0);
    data.writeUInt32BE(size, 4);
    return data;
  };
  const region = sized(side, 40);
  region.set([0, 3, 0xff, 0xfd, 0xff, 2, 0xfe, 0xfe, 0xfe], 17);
  const dictionary =
    '/Type /XObject /Subtype /Image /Width 16 /Height 16 /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode';
  const bytes = Buffer.concat([segment(48, sized(16, 19)), ...new Array(regions).fill(segment(38, region))]);
  return pdfOf('/I Do', '/XObject << /I 5 0 R >>', [[dictionary, bytes]]);
}

/** A page with a lattice of points, 5 bytes each. */
function lattice(points: number): Buffer {
  const dictionary =
    '/ShadingType 5 /ColorSpace /DeviceRGB /BitsPerCoordinate 8 /BitsPerComponent 8 /VerticesPerRow 100 ' +
    '/Decode [0 600 0 800 0 1 0 1 0 1] /Filter /FlateDecode';
  return pdfOf('/S sh', '/Shading << /S 5 0 R >>', [[dictionary, deflateSync(Buffer.alloc(5 * points, 0x5a))]]);
}

/** A page that is filled with the first of patterns, each of which is filled with the next, the last with the first. */
function patternsInRing(count: number): Buffer {
  const pattern =
    '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 9 /YStep 9 /Resources << /Pattern << /P';
  const fill = '/Pattern cs /P scn 0 0 9 9 re f';
  const patterns = Array.from(
    { length: count },
    (_, i): PdfObject => [`${pattern} ${5 + ((i + 1) % count)} 0 R >> >>`, Buffer.from(fill)],
  );
  return pdfOf(fill, '/Pattern << /P 5 0 R >>', patterns);
}

/** A page that draws a form without content so many times. */
function emptyForms(times: number): Buffer {
  const form: PdfObject = ['/Type /XObject /Subtype /Form /BBox [0 0 9 9]', Buffer.alloc(0)];
  return pdfOf('/F Do\n'.repeat(times), '/XObject << /F 5 0 R >>', [form]);
}

/** A page with a letter of a font whose map has so many ranges, each up to `last`. */
function mapped(ranges: number, last: string): Buffer {
  const map = `1 begincidrange <0000> <${last}> 0 endcidrange 1 beginbfrange <0000> <${last}> <0041> endbfrange\n`;
  return mappedPdf(map.repeat(ranges));
}

/** A page with an empty fax of these parameters. */
function fax(parameters: string, more: readonly PdfObject[] = []): Buffer {
  const dictionary =
    '/Type /XObject /Subtype /Image /Width 16 /Height 16 /ColorSpace /DeviceGray /BitsPerComponent 1 ' +
    `/Filter /CCITTFaxDecode /DecodeParms ${parameters}`;
  return pdfOf('/I Do', '/XObject << /I 5 0 R >>', [[dictionary, Buffer.alloc(64)], ...more]);
}

test.each([
  ['forms in forms', 'entities', { entities: 5_000 }, nestedForms()],
  [
    'a size in another object',
    'archiveRatio',
    { decodedBytes: 2 ** 32 },
    indirectPicture('/BitsPerComponent 8', Buffer.alloc(9)),
  ],
  ['a JPEG 2000 picture', 'decodedBytes', {}, claimedJpeg2000()],
  ['a JBIG2 picture with a large region', 'imagePixels', {}, jbig2(60_000)],
  ['a JBIG2 picture with many regions', 'imagePixels', {}, jbig2(10_000, 4)],
  ['a map of a font', 'the number of codes that its map covers', {}, mapped(20, 'ffffff')],
  ['paths', 'entities', {}, pdfOf('0 0 m 9 9 l S\n'.repeat(2_000_001))],
  ['patterns in themselves', 'depth', {}, patternsInRing(20)],
  ['forms in each other', 'depth', {}, savesInForms(70, 1)],
  ['rows of a fax', 'decodedBytes', {}, fax('<< /K -1 /Columns 1000000000 /Rows 16 >>')],
  ['many rows of a fax, in another object', 'decodedBytes', {}, fax('6 0 R', ['<< /Columns 99999 /Rows 1000000 >>'])],
  ['rows of many colours', 'decodedBytes', {}, fax('<< /Predictor 15 /Columns 99999 /Colors 1000000 >>')],
  ['a lattice of points', 'decodedBytes', { decodedBytes: 2 ** 24 }, lattice(200_000)],
] as const)(
  '%s of a PDF passes the limit %s',
  async (_, limit, limits, bytes) => {
    await expect(readContent(new Uint8Array(bytes), 'a.pdf', options(limits))).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit },
    });
  },
  60_000,
);

test('dictionaries that begin inside each other are not parsed again and again', async () => {
  const bytes = new Uint8Array(pdfOf('1 0 obj << '.repeat(30_000)));
  await expect(readContent(bytes, 'a.pdf', options())).rejects.toMatchObject({
    code: 'LIMIT_EXCEEDED',
    details: { limit: 'the length of dictionaries inside each other' },
  });
}, 60_000);

test('a sound picture whose size stands in another object, a small JBIG2 picture and lattice are read', async () => {
  const picture = indirectPicture('/ColorSpace /DeviceGray /BitsPerComponent 8', Buffer.alloc(256), '16');
  for (const bytes of [
    picture,
    jbig2(16),
    lattice(1_000),
    fax('<< /K -1 /Columns 16 /Rows 16 >>'),
    emptyForms(9),
    mapped(2, 'ffff'),
  ])
    expect(await readContent(new Uint8Array(bytes), 'a.pdf', options())).toMatchObject({ format: 'pdf' });
}, 60_000);

test('what JBIG2 pictures share is measured before it is decoded: symbols, patterns, regions', async () => {
  const passed = (bytes: Buffer) => readContent(new Uint8Array(bytes), 'a.pdf', options());
  for (const [name, make] of jbig2Bombs().filter(([name]) => !name.includes('patterns-of')))
    await expect(passed(make()), name).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'imagePixels' },
    });
  // The size of each further row, one pixel higher, is found behind the bitmap of the one before.
  for (const rows of [2, 20])
    await expect(
      readContent(new Uint8Array(symbolPdf(rows, 100)), 'a.pdf', options({ imagePixels: 10_000 * rows - 1 })),
    ).rejects.toMatchObject({ details: { limit: 'imagePixels', found: 100 * (100 * rows + (rows * (rows - 1)) / 2) } });
  expect(await passed(symbolPdf(20, 100))).toMatchObject({ format: 'pdf' });
}, 60_000);

const text = 'BT /F 9 Tf (a) Tj ET';

test.each([
  ['one stream', pdfOf('q '.repeat(3_000_000))],
  ['many streams of a page', savesInStreams(3_000, 900)],
  ['forms that draw each other', savesInForms(50, 900)],
  ['a file encrypted with RC4', encryptedPdf('q '.repeat(300_000), 'rc4')],
  ['a file encrypted with AES', encryptedPdf('q '.repeat(300_000), 'aes')],
])(
  'states saved in each other by %s pass the limit savedStates within seconds',
  async (_, bytes) => {
    const took = stopwatch();
    await expect(readContent(new Uint8Array(bytes), 'a.pdf', options())).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'savedStates', allowed: 1_000 },
    });
    // Their time went by the square of their number: 20,000 took 40 s.
    expect(took()).toBeLessThan(15_000);
  },
  60_000,
);

test('states saved one after another, and as deep as allowed, are read: plain, encrypted, in forms', async () => {
  for (const bytes of [
    pdfOf('q Q '.repeat(20_000) + text),
    savesInStreams(9, 100),
    savesInForms(9, 100),
    encryptedPdf('q '.repeat(900), 'rc4'),
    encryptedPdf('q '.repeat(900), 'aes'),
  ])
    expect(await readContent(new Uint8Array(bytes), 'a.pdf', options())).toMatchObject({ format: 'pdf' });
}, 60_000);

test.each(mapBombs())(
  '%s ends within seconds, and beyond the limit where it covers too many codes',
  async (name, make) => {
    const bytes = new Uint8Array(make());
    const took = stopwatch();
    const reading = readContent(bytes, name, options());
    if (name.includes('without-end')) expect(await reading).toMatchObject({ format: 'pdf' });
    else
      await expect(reading).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        details: { limit: 'the number of codes that its map covers' },
      });
    // Sections and arrays without end took 260 s, by the square of their number; ranges of 16 million a minute.
    expect(took()).toBeLessThan(15_000);
  },
  60_000,
);

test('a map of an encrypted file, and one with comments and literal strings, are used', async () => {
  const range = '1 beginbfrange (\\141)%\n<61> <0042> endbfrange';
  for (const method of ['rc4', 'aes'] as const) {
    const bytes = new Uint8Array(encryptedPdf(text, method, mapOf(range)));
    expect(await readContent(bytes, 'a.pdf', options())).toMatchObject({ pages: [{ text: 'B' }] });
  }
}, 60_000);
