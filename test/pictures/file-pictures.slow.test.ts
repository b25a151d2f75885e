import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Core } from '../../dist/core-entry.js';
import { DEFAULT_LIMITS, Engine, type Company } from '../../dist/index.js';
import { PICTURES_VERSION } from '../../dist/pictures/thumbnail-options.js';
import { drawThumbnails } from '../../dist/indexing/worker/draw-file.js';
import { drawPageOf } from '../../dist/readers/pixels/page-pixels.js';
import { readFile } from '../../dist/readers/read.js';
import { Pictures } from '../../dist/store/disk/pictures.js';
import { processorTimeMs } from '../../dist/processor-time.js';
import { boxStl } from '../fixtures/box.mjs';
import { damaged } from '../fixtures/damage.js';
import { dxf, line, text } from '../fixtures/dxf-writer.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { igesBox } from '../fixtures/iges-writer.js';
import { bmp } from '../fixtures/image-writer.js';
import { mail } from '../fixtures/mail-writer.js';
import { writeGzip, writeZip } from '../fixtures/mesh-writers.js';
import { docx, paragraph, xlsx } from '../fixtures/office-writer.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

const folder = temporaryFolder();
let engine: Engine;
let acme: Company;
beforeAll(async () => {
  engine = await Engine.open(join(folder, 'library'), { workers: 1 });
  acme = await engine.company('acme');
});
afterAll(() => engine.close());

interface Seen {
  readonly width: number;
  readonly height: number;
  /** 0 black to 1 white, of the pixel at these shares of the picture. */
  at(x: number, y: number): number;
  /** Mean darkness of a part of it, shares of the picture. */
  ink(x: number, y: number, width: number, height: number): number;
  rgb(x: number, y: number): number[];
}

async function seen(png: Uint8Array): Promise<Seen> {
  const {
    data,
    info: { width, height },
  } = await sharp(png)
    .flatten({ background: 'white' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  const rgb = (x: number, y: number): number[] => {
    const i = 3 * (Math.min(height - 1, Math.floor(y * height)) * width + Math.min(width - 1, Math.floor(x * width)));
    return [...data.subarray(i, i + 3)];
  };
  const at = (x: number, y: number): number => rgb(x, y).reduce((sum, value) => sum + value, 0) / 765;
  const ink = (x: number, y: number, wide: number, high: number): number => {
    let sum = 0;
    for (let i = 0; i < 40 * 40; i++)
      sum += 1 - at(x + (wide * ((i % 40) + 0.5)) / 40, y + (high * (Math.floor(i / 40) + 0.5)) / 40);
    return sum / 1600;
  };
  return { width, height, at, ink, rgb };
}

const bytesOf = (words: string): Uint8Array => new TextEncoder().encode(words);
/** A drawing whose upper left quarter is black. */
const cornerPdf = (extra = ''): Uint8Array =>
  pdf([
    { content: `0 421 297 421 re f\n${extra}${lineWork(80)}` },
    { content: textAt('second', 100, 700, 60) },
    { content: '', width: 842, height: 595 },
  ]);
const picture = (
  width: number,
  height: number,
  paint: (x: number, y: number) => readonly [number, number, number],
): Sharp =>
  sharp(
    Uint8Array.from(
      { length: 3 * width * height },
      (_, i) => paint(Math.floor(i / 3) % width, Math.floor(i / 3 / width))[i % 3],
    ),
    { raw: { width, height, channels: 3 } },
  );
/** Red above, blue below. */
const halves = (width: number, height: number): Sharp =>
  picture(width, height, (_, y) => (y < height / 2 ? [255, 0, 0] : [0, 0, 255]));

/** The files in which pictures of this library are kept. */
function kept(library: string): string[] {
  const root = join(library, 'cache', 'pictures');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

describe('thumbnails of pages', () => {
  test('a PDF: the page as it is, upright, no larger than asked', async () => {
    const { uid } = await acme.put('corner.pdf', cornerPdf());
    for (const size of [64, 256, 500, 1024]) {
      const { width, height, at } = await seen(await acme.thumbnail(uid, { size }));
      expect(height).toBe(size);
      expect(width / height).toBeCloseTo(595 / 842, 1);
      expect(at(0.2, 0.2)).toBeLessThan(0.05);
      for (const [x, y] of [
        [0.8, 0.2],
        [0.2, 0.6],
        [0.8, 0.8],
      ])
        expect(at(x, y)).toBeGreaterThan(0.9);
    }
  });

  test('other pages, and pages at a width; what is not there is named', async () => {
    const { uid } = await acme.put('corner.pdf', cornerPdf());
    const second = await seen(await acme.thumbnail(uid, { page: 2 }));
    expect(second.ink(0.1, 0.1, 0.5, 0.1)).toBeGreaterThan(0.02);
    expect(second.at(0.2, 0.5)).toBe(1);
    const third = await seen(await acme.pageImage(uid, { page: 3, width: 421 }));
    expect([third.width, third.height]).toEqual([421, 298]);
    const large = await seen(await acme.pageImage(uid, { width: 2000 }));
    expect(large.width).toBe(2000);
    expect(large.at(0.2, 0.2)).toBeLessThan(0.05);
    await expect(acme.thumbnail(uid, { page: 4 })).rejects.toMatchObject({ code: 'NO_GEOMETRY' });
    await expect(acme.pageImage(uid, { page: 4 })).rejects.toMatchObject({ code: 'NO_GEOMETRY' });
    await expect(acme.pageImage(uid, { page: 0 })).rejects.toThrow(/page image options.page/);
    await expect(acme.pageImage(uid, { width: 5000 })).rejects.toThrow(/page image options.width/);
    await expect(acme.thumbnail(uid, { page: 1.5 })).rejects.toThrow(/thumbnail options.page/);
    await expect(acme.pageImage('00000000-0000-4000-8000-000000000000')).rejects.toMatchObject({
      code: 'FILE_UNKNOWN',
    });
  });

  test('packed files show what is in them', async () => {
    for (const [name, bytes] of [
      ['corner.pdf.gz', writeGzip(cornerPdf())],
      ['corner.zip', writeZip({ 'a/corner.pdf': cornerPdf() })],
    ] as const) {
      const { uid } = await acme.put(name, bytes);
      expect((await seen(await acme.thumbnail(uid))).at(0.2, 0.2)).toBeLessThan(0.05);
    }
  });

  test('an image: upright, transparent parts white, never made larger', async () => {
    const turned = await acme.put(
      'turned.jpg',
      new Uint8Array(await halves(60, 40).jpeg({ quality: 95 }).withMetadata({ orientation: 6 }).toBuffer()),
    );
    const upright = await seen(await acme.thumbnail(turned.uid));
    expect([upright.width, upright.height]).toEqual([40, 60]);
    expect(upright.rgb(0.9, 0.5)[0]).toBeGreaterThan(200);
    expect(upright.rgb(0.1, 0.5)[2]).toBeGreaterThan(200);

    const clear = await sharp({
      create: { width: 600, height: 300, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
    })
      .png()
      .toBuffer();
    const shown = await seen(await acme.thumbnail((await acme.put('clear.png', new Uint8Array(clear))).uid));
    expect([shown.width, shown.height]).toEqual([256, 128]);
    expect(shown.ink(0, 0, 1, 1)).toBe(0);
  });

  test('kinds of pixels: 16 bits, CMYK, one bit, BMP', async () => {
    const files = {
      'deep.png': await halves(300, 200).toColourspace('rgb16').png().toBuffer(),
      'ink.jpg': await halves(300, 200).toColourspace('cmyk').jpeg().toBuffer(),
      'bits.tif': await picture(300, 200, (_, y) => (y < 100 ? [255, 255, 255] : [0, 0, 0]))
        .threshold()
        .toColourspace('b-w')
        .tiff({ bitdepth: 1, compression: 'ccittfax4' })
        .toBuffer(),
      'plain.bmp': Buffer.from(bmp(300, 200, 24)),
    };
    for (const [name, bytes] of Object.entries(files)) {
      const { uid, state } = await acme.put(name, new Uint8Array(bytes));
      expect(state).toBe('indexed');
      const { width, height, rgb } = await seen(await acme.thumbnail(uid, { size: 100 }));
      expect([width, height], name).toEqual([100, 67]);
      if (name === 'deep.png' || name === 'ink.jpg') {
        expect(rgb(0.5, 0.2)[0], name).toBeGreaterThan(180);
        expect(rgb(0.5, 0.2)[2], name).toBeLessThan(80);
        expect(rgb(0.5, 0.8)[2], name).toBeGreaterThan(120);
      }
      if (name === 'bits.tif') expect([rgb(0.5, 0.2)[0], rgb(0.5, 0.8)[0]]).toEqual([255, 0]);
    }
  });

  test('documents: their first lines from the top, tables in columns', async () => {
    const lines = Array.from({ length: 12 }, (_, i) => `Line ${i} of a text that goes on for some words`).join('\n');
    const files = {
      'a.txt': bytesOf(lines),
      'a.md': bytesOf(`# Title\n\n${lines}`),
      'a.csv': bytesOf('name;length;width\nbracket;40;20\nplate;100;80'),
      'a.docx': docx(paragraph('A paragraph of a letter to somebody about a part')),
      'a.xlsx': xlsx({ Parts: '<row r="1"><c r="A1"><v>12</v></c><c r="B1"><v>34567</v></c></row>' }),
      'a.eml': bytesOf(
        mail(['From: ada@acme.example', 'Subject: A drawing', 'Content-Type: text/plain'], ['Please find the drawing']),
      ),
      'a.html': bytesOf(`<p>${lines}</p>`),
    };
    for (const [name, bytes] of Object.entries(files)) {
      const { uid } = await acme.put(name, bytes);
      const { width, height, ink } = await seen(await acme.thumbnail(uid, { size: 1024 }));
      expect([width, height], name).toEqual([724, 1024]);
      expect(ink(0.08, 0.055, 0.3, 0.05), name).toBeGreaterThan(0.005);
      expect(ink(0.05, 0.6, 0.9, 0.35), name).toBe(0);
    }
    const { uid } = await acme.put('empty.txt', bytesOf('\n'));
    expect((await seen(await acme.thumbnail(uid))).ink(0.1, 0.1, 0.8, 0.8)).toBe(0);
    await expect(acme.thumbnail(uid, { page: 2 })).rejects.toMatchObject({ code: 'NO_GEOMETRY' });
  });

  test('letters beyond ASCII are drawn, and those without a shape leave a box', async () => {
    const inkOf = async (name: string, words: string): Promise<number> => {
      const { uid } = await acme.put(name, bytesOf(words));
      return (await seen(await acme.thumbnail(uid, { size: 1024 }))).ink(0.085, 0.06, 0.1, 0.02);
    };
    const blank = await inkOf('blank.txt', '      .');
    for (const words of ['Größe', 'Длина', 'μήκος', 'žluťoučký', '部品図', 'Ø12 ±0,1'])
      expect(await inkOf('letters.txt', words), words).toBeGreaterThan(blank + 0.02);
  });
});

describe('drawings without pages of their own', () => {
  test('a DXF file: its lines and its text where they stand, not upside down', async () => {
    const frame = [line(0, 0, 200, 0), line(200, 0, 200, 100), line(200, 100, 0, 100), line(0, 100, 0, 0)];
    const { uid } = await acme.put(
      'frame.dxf',
      dxf({ entities: [...frame, line(0, 0, 100, 50), text('UPPER', 120, 75, 15)] }),
    );
    const { width, height, ink } = await seen(await acme.thumbnail(uid, { size: 1024 }));
    expect(width).toBe(1024);
    expect(width / height).toBeCloseTo(2, 0);
    expect(ink(0.6, 0.08, 0.3, 0.17)).toBeGreaterThan(0.05);
    expect(ink(0.6, 0.6, 0.3, 0.3)).toBe(0);
    // The diagonal runs from the lower left corner to the middle.
    expect(ink(0.05, 0.55, 0.4, 0.4)).toBeGreaterThan(0.001);
    expect(ink(0.05, 0.1, 0.4, 0.35)).toBe(0);
  });

  test('an SVG file: areas filled with their holes, widths of lines, colours', async () => {
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="100mm" height="100mm">' +
      '<path fill="#c00000" fill-rule="evenodd" d="M10 10H50V50H10ZM20 20H40V40H20Z"/><path stroke="#0000c0" stroke-width="4" fill="none" d="M10 80H90"/>' +
      '<text x="60" y="30" font-size="10">AB</text></svg>';
    const { uid } = await acme.put('areas.svg', bytesOf(svg));
    const { rgb, at, ink } = await seen(await acme.thumbnail(uid, { size: 1024 }));
    expect(rgb(0.15, 0.3)).toEqual([192, 0, 0]);
    expect(at(0.3, 0.3)).toBe(1);
    expect(rgb(0.5, 0.8)).toEqual([0, 0, 192]);
    expect(rgb(0.5, 0.785)).toEqual([0, 0, 192]);
    expect(at(0.5, 0.77)).toBe(1);
    expect(ink(0.6, 0.22, 0.14, 0.08)).toBeGreaterThan(0.1);
  });

  test('hostile sheets: places beyond all numbers, more text than can be seen', async () => {
    const files = {
      'far.dxf': dxf({ entities: [line(-1e300, 0, 1e300, 5), line(0, 0, 1, 1), text('x'.repeat(5_000), 0, 0, 1e-9)] }),
      'flat.dxf': dxf({ entities: [line(5, 5, 5, 5), line(0, 5, 10, 5)] }),
      'texts.dxf': dxf({
        entities: [
          line(0, 0, 10, 10),
          ...Array.from({ length: 3_000 }, (_, i) => text('word', i % 50, Math.floor(i / 50), 1)),
        ],
      }),
    };
    for (const [name, bytes] of Object.entries(files)) {
      const { uid, state } = await acme.put(name, bytes);
      expect(state, name).toBe('indexed');
      expect((await seen(await acme.thumbnail(uid))).width, name).toBeLessThanOrEqual(256);
    }
  });
});

describe('pictures are kept', () => {
  test('they lie on disk once the file is indexed, equal for equal files, and go with the last of them', async () => {
    const library = join(folder, 'kept');
    const own = await Engine.open(library, { workers: 1 });
    try {
      const company = await own.company('acme');
      expect(kept(library)).toEqual([]);
      const one = await company.put('one.pdf', cornerPdf());
      expect(kept(library).map((path) => path.split('/').at(-1))).toEqual([
        'thumbnail-1024-face-pdf',
        'thumbnail-256-face-pdf',
      ]);
      const two = await company.put('two.pdf', cornerPdf());
      expect(kept(library)).toHaveLength(2);
      await company.put('part.igs', igesBox(3, 2, 1));
      await company.put('part.stl', boxStl(3, 2, 1));
      expect(kept(library)).toHaveLength(4);
      expect(Buffer.from(await company.thumbnail(one.uid)).equals(await company.thumbnail(two.uid))).toBe(true);
      await company.delete(one.uid);
      expect(kept(library)).toHaveLength(4);
      await company.delete(two.uid);
      expect(kept(library)).toHaveLength(2);
      expect((await own.verify()).problems).toEqual([]);
    } finally {
      await own.close();
    }
  });

  test('of a text the small one is kept at once, the large one when it is asked for', async () => {
    const pngs: Buffer[][] = [];
    for (const pictures of ['small', 'all'] as const) {
      const library = join(folder, `text-${pictures}`);
      const own = await Engine.open(library, { workers: 1, pictures });
      try {
        const company = await own.company('acme');
        const { uid } = await company.put('order.txt', Buffer.from('Order 4711: twenty flanges, stainless steel\n'));
        expect(kept(library)).toHaveLength(pictures === 'small' ? 1 : 2);
        const of = async (size: number): Promise<Buffer> => Buffer.from(await company.thumbnail(uid, { size }));
        pngs.push([await of(256), await of(1024)]);
        expect(kept(library)).toHaveLength(2);
      } finally {
        await own.close();
      }
    }
    expect(pngs[0].map((png, i) => png.equals(pngs[1][i]))).toEqual([true, true]);
  });

  test('the kept one is served; missing, torn, changed ones are drawn again, the same', async () => {
    const library = join(folder, 'torn');
    const own = await Engine.open(library, { workers: 1 });
    try {
      const company = await own.company('acme');
      const { uid } = await company.put('a.pdf', cornerPdf());
      const first = Buffer.from(await company.thumbnail(uid));
      const [path] = kept(library).filter((name) => name.includes('thumbnail-256'));
      const whole = readFileSync(path);
      for (const broken of [
        whole.subarray(0, 100),
        Buffer.alloc(0),
        Buffer.from(whole.map((byte, i) => (i === 50 ? byte ^ 1 : byte))),
      ]) {
        writeFileSync(path, broken);
        expect(first.equals(await company.thumbnail(uid))).toBe(true);
        expect(readFileSync(path).equals(whole)).toBe(true);
      }
      // Another picture with its digest in order is what is served: it is not drawn anew at each call.
      const other = await sharp({ create: { width: 3, height: 3, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
      const hash = path.split('/').slice(-3, -1).join('');
      await new Pictures(join(library, 'cache', 'pictures'), PICTURES_VERSION).put(
        { hash, name: 'thumbnail-256-face-pdf' },
        other,
      );
      expect(Buffer.from(await company.thumbnail(uid)).equals(other)).toBe(true);
    } finally {
      await own.close();
    }
  });

  test('pictures of another version count as missing and are removed when the library is opened', async () => {
    const root = join(folder, 'versions', 'cache', 'pictures');
    const key = { hash: 'ab'.repeat(32), name: 'thumbnail-256-face-stl' };
    const old = new Pictures(root, 7),
      now = new Pictures(root, 8);
    await old.put(key, Uint8Array.of(1, 2, 3));
    expect(await old.read(key)).toEqual(Uint8Array.of(1, 2, 3));
    expect(await now.read(key)).toBeUndefined();
    await now.put(key, Uint8Array.of(4));
    await now.removeOtherVersions();
    expect(await old.read(key)).toBeUndefined();
    expect(await now.read(key)).toEqual(Uint8Array.of(4));
    await now.sweep((hash) => hash !== key.hash);
    expect(await now.read(key)).toBeUndefined();
    await expect(now.read({ ...key, name: '../x' })).rejects.toThrow(TypeError);

    const library = join(folder, 'upgraded');
    let own = await Engine.open(library, { workers: 1 });
    const { uid } = await (await own.company('acme')).put('part.stl', boxStl(3, 2, 1));
    const png = Buffer.from(await (await own.company('acme')).thumbnail(uid));
    await own.close();
    await new Pictures(join(library, 'cache', 'pictures'), 99).put(key, png);
    own = await Engine.open(library, { workers: 1 });
    try {
      expect(kept(library).filter((path) => path.includes('v99'))).toEqual([]);
      expect(png.equals(await (await own.company('acme')).thumbnail(uid))).toBe(true);
    } finally {
      await own.close();
    }
  });

  test('a disk that refuses to keep them loses nothing else', async () => {
    const library = join(folder, 'refusing');
    const own = await Engine.open(library, { workers: 1 });
    try {
      mkdirSync(join(library, 'cache'), { recursive: true });
      writeFileSync(join(library, 'cache', 'pictures'), 'no folder');
      const company = await own.company('acme');
      const { uid, state } = await company.put('a.txt', bytesOf('some text'));
      expect(state).toBe('indexed');
      expect((await seen(await company.thumbnail(uid))).height).toBe(256);
    } finally {
      await own.close();
    }
  });

  test('the same bytes give the same pictures in another library', async () => {
    const files = {
      'a.pdf': cornerPdf(textAt('Ø12 H7', 350, 300, 20, 30)),
      'a.png': new Uint8Array(
        await picture(1500, 1100, (x, y) => [x % 251, y % 241, (x * y) % 239])
          .png()
          .toBuffer(),
      ),
      'a.txt': bytesOf('Größe 12'),
      'a.stl': boxStl(5, 4, 3),
    };
    const own = await Engine.open(join(folder, 'again'), { workers: 1 });
    try {
      const company = await own.company('other');
      for (const [name, bytes] of Object.entries(files)) {
        const [here, there] = [await acme.put(name, bytes), await company.put(name, bytes)];
        for (const size of [256, 1024, 77]) {
          expect(
            Buffer.from(await acme.thumbnail(here.uid, { size })).equals(await company.thumbnail(there.uid, { size })),
            `${name} ${size}`,
          ).toBe(true);
        }
        expect(
          Buffer.from(await acme.thumbnail({ bytes, extension: name.slice(1) })).equals(await acme.thumbnail(here.uid)),
          name,
        ).toBe(true);
      }
    } finally {
      await own.close();
    }
  });

  test('many who ask at once for one that is missing get the same', async () => {
    const { uid } = await acme.put('many.stl', boxStl(7, 6, 5));
    const pngs = await Promise.all(Array.from({ length: 12 }, () => acme.thumbnail(uid, { size: 1024 })));
    for (const png of pngs) expect(Buffer.from(png).equals(pngs[0])).toBe(true);
  });
});

describe('hostile files', () => {
  test('a text of one endless word, of tabs, of control characters', async () => {
    for (const words of [
      'x'.repeat(300_000),
      '\t'.repeat(100_000),
      'a\tb\n'.repeat(50_000),
      '\u{1F600}'.repeat(5_000),
    ]) {
      const { uid, state } = await acme.put('hostile.txt', bytesOf(words));
      expect(state).toBe('indexed');
      expect((await seen(await acme.thumbnail(uid))).height).toBe(256);
    }
  });

  test('damaged pages end in a picture or a coded error, and never change the record', async () => {
    for (const bytes of damaged(cornerPdf(), 12, 5)) {
      const record = await acme.put('damaged.pdf', bytes);
      const picture = await acme.thumbnail(record.uid).catch((cause: unknown) => cause);
      if (picture instanceof Uint8Array) expect((await seen(picture)).width).toBeLessThanOrEqual(256);
      else expect(picture).toMatchObject({ name: 'EngineError' });
      expect((await acme.get(record.uid)).state).toBe(record.state);
    }
  });

  test('a page that takes too long is given up', async () => {
    const endless = pdf([{ content: '0 0 595 842 re f\n'.repeat(400_000) }]);
    const bounds = [{ widthPx: 1024, heightPx: 1024 }];
    const drawing = drawPageOf(
      { format: 'pdf', bytes: endless },
      { page: 1, bounds, limits: DEFAULT_LIMITS, endMs: processorTimeMs() + 500 },
    );
    await expect(drawing).rejects.toMatchObject({ code: 'TIMEOUT' });
    const read = await readFile(cornerPdf(), 'corner.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
    expect(
      await drawThumbnails(read, 'all', { core: await Core.load(), limits: DEFAULT_LIMITS, endMs: 0 }),
    ).toBeUndefined();
  });

  test('pages of odd shapes stay within the bounds', async () => {
    for (const [width, height] of [
      [14_000, 4],
      [4, 14_000],
      [1, 1],
    ]) {
      const { uid } = await acme.put('odd.pdf', pdf([{ content: '0 0 m 4 4 l S\n'.repeat(60), width, height }]));
      const { width: wide, height: high } = await seen(await acme.thumbnail(uid));
      expect(Math.max(wide, high)).toBe(256);
      const page = await seen(await acme.pageImage(uid, { width: 300 }));
      expect(page.width).toBeLessThanOrEqual(300);
      expect(page.height).toBeLessThanOrEqual(8192);
    }
  });
});
