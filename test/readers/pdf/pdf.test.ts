import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Document } from '../../../dist/content/document.js';
import type { Drawing } from '../../../dist/content/drawing.js';
import { EngineError } from '../../../dist/errors.js';
import { readContent } from '../../../dist/readers/read.js';
import { damaged } from '../../fixtures/damage.js';
import * as filters from '../../fixtures/pdf-filters.js';
import { lineWork, pdf, textAt } from '../../fixtures/pdf-writer.js';
import { options } from '../helpers.js';
import { stopwatch } from '../../fixtures/stopwatch.js';

/** Unhandled rejections, which would end a worker process. */
const unhandled: unknown[] = [];
const note = (cause: unknown): void => void unhandled.push(cause);
beforeAll(() => void process.on('unhandledRejection', note));
afterAll(() => {
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

async function read(bytes: Uint8Array, limits: Parameters<typeof options>[0] = {}): Promise<Drawing | Document> {
  const content = await readContent(bytes, 'a.pdf', options(limits));
  if (content.kind !== 'drawing' && content.kind !== 'document') throw new Error(`a PDF became a ${content.kind}`);
  return content;
}

async function errorOf(reading: Promise<unknown>): Promise<EngineError> {
  const error = await reading.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof EngineError)) throw new Error(`expected an EngineError, found ${String(error)}`);
  return error;
}

const prose = Array.from({ length: 30 }, (_, i) =>
  textAt(`Line ${i} of running text tells at some length what nobody needs to know.`, 60, 780 - 14 * i, 10),
).join('');

describe('text of a PDF', () => {
  it('comes in lines in reading order, regardless of the order in the file', async () => {
    const {
      pages: [page],
      kind,
    } = await read(
      pdf([{ content: textAt('second line', 50, 700) + textAt('words', 88, 730) + textAt('first line of', 30, 730) }]),
    );
    expect(kind).toBe('document');
    expect(page).toMatchObject({ number: 1, name: '', text: 'first line of words\nsecond line' });
  });

  it('has a box for every line, as shares of the page from its upper left corner', async () => {
    const {
      pages: [{ text, runs }],
    } = await read(pdf([{ content: textAt('AB-123/4', 100, 742, 20), width: 500, height: 1000 }]));
    expect(text).toBe('AB-123/4');
    expect(runs).toHaveLength(1);
    const [{ start, end, box }] = runs!;
    expect([start, end]).toEqual([0, 8]);
    expect(box.x).toBeCloseTo(0.2, 3);
    expect(box.y).toBeCloseTo((1000 - 742 - 16) / 1000, 3);
    expect(box.height).toBeCloseTo(0.02, 3);
    // Glyph widths of Helvetica: A and B 667, hyphen 333, digits 556, slash 278.
    expect(box.width).toBeCloseTo((20 * (2 * 667 + 333 + 4 * 556 + 278)) / 1000 / 500, 2);
  });

  it.each([0, 90, 180, 270] as const)('is upright on a page rotated by %i degrees', async (rotate) => {
    const {
      pages: [{ text, runs }],
    } = await read(pdf([{ content: textAt('TURNED', 100, 200, 20, rotate), width: 400, height: 800, rotate }]));
    expect(text).toBe('TURNED');
    const { box } = runs![0];
    const [width, height] = rotate % 180 === 0 ? [400, 800] : [800, 400];
    // In the upright frame of the page the line is long and low.
    expect(box.width * width).toBeGreaterThan(3 * box.height * height);
    // The place of (100, 200) after the clockwise rotation.
    const [x, y] = { 0: [100, 600], 90: [200, 100], 180: [300, 200], 270: [600, 300] }[rotate];
    expect(box.x * width).toBeCloseTo(x, 0);
    expect((box.y + box.height) * height).toBeCloseTo(y + 0.2 * 20, 0);
  });

  it.each([90, 45, 30, -90, 137])('split into letters at %i degrees is joined again', async (degrees) => {
    const angle = (degrees * Math.PI) / 180;
    const letters = [...'SHAFT 7'].map((letter, i) =>
      textAt(letter, 300 + 9 * i * Math.cos(angle), 400 + 9 * i * Math.sin(angle), 12, degrees),
    );
    // The file has the letters in another order.
    const {
      pages: [{ text, runs }],
    } = await read(pdf([{ content: textAt('level', 50, 50) + letters.reverse().join('') }]));
    expect(text).toBe('level\nSHAFT 7');
    expect(runs).toHaveLength(2);
  });

  it('reads columns of running text one after the other, and tables by rows', async () => {
    const column = (x: number, word: string): string =>
      Array.from({ length: 8 }, (_, i) =>
        textAt(`${word} ${i} of the column runs on and on here`, x, 700 - 14 * i, 10),
      ).join('');
    const {
      pages: [columns],
    } = await read(
      pdf([
        {
          content:
            textAt('A title over both of the columns that is wide enough', 60, 760, 16) +
            column(320, 'right') +
            column(60, 'left'),
        },
      ]),
    );
    const lines = columns.text.split('\n');
    expect(lines[0]).toContain('title');
    expect(lines.slice(1, 9).every((line) => line.startsWith('left'))).toBe(true);
    expect(lines.slice(9).every((line) => line.startsWith('right'))).toBe(true);
    const table = ['Pos', 'Qty', 'Part', '1', '4', 'Bolt', '2', '8', 'Nut']
      .map((cell, i) => textAt(cell, 60 + 60 * (i % 3), 700 - 20 * Math.floor(i / 3)))
      .join('');
    expect((await read(pdf([{ content: table }]))).pages[0].text).toBe('Pos\tQty\tPart\n1\t4\tBolt\n2\t8\tNut');
  });

  it('drops letters drawn twice to look bold, and text outside the page', async () => {
    const {
      pages: [{ text }],
    } = await read(
      pdf([{ content: textAt('BOLD', 100, 100) + textAt('BOLD', 100.3, 100) + textAt('outside', 100, 2000) }]),
    );
    expect(text).toBe('BOLD');
  });

  it('numbers pages from 1 and keeps empty ones', async () => {
    const { pages } = await read(
      pdf([{ content: textAt('one', 50, 50) }, { content: '' }, { content: textAt('three', 50, 50) }]),
    );
    expect(pages.map(({ number, text }) => [number, text])).toEqual([
      [1, 'one'],
      [2, ''],
      [3, 'three'],
    ]);
  });
});

describe('properties of a PDF', () => {
  it('come from the information dictionary and the XMP block, custom values included', async () => {
    const xmp = `<?xpacket begin="" id="x"?><x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmp:CreatorTool="Other tool">
      <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Another title</rdf:li></rdf:Alt></dc:title>
      <dc:rights><rdf:Alt><rdf:li xml:lang="x-default">© Größe &amp; Co</rdf:li></rdf:Alt></dc:rights>
      </rdf:Description></rdf:RDF></x:xmpmeta>`;
    const info = {
      Title: 'Lagerbock „Größe 3“',
      Author: '山田太郎',
      Keywords: 'shaft, bearing',
      CreationDate: "D:20180102030405+01'00'",
      PartNumber: 'AB-123/4',
    };
    const { properties, warnings } = await read(pdf([{ content: prose }], { info, xmp }));
    expect(warnings).toEqual([]);
    expect(Object.fromEntries(properties.map(({ name, value }) => [name, value]))).toEqual({
      Title: 'Lagerbock „Größe 3“',
      Author: '山田太郎',
      Keywords: 'shaft, bearing',
      Created: '2018-01-02T03:04:05+01:00',
      PartNumber: 'AB-123/4',
      Creator: 'Other tool',
      Copyright: '© Größe & Co',
    });
  });

  it('are not harmed by an XMP block of entities that refer to each other', async () => {
    const levels = Array.from({ length: 20 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('');
    const xmp =
      `<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">${levels}]><x:xmpmeta xmlns:x="a"><r xmlns:dc="b">` +
      '<dc:title>&e20;</dc:title></r></x:xmpmeta>';
    const took = stopwatch();
    const { pages, properties } = await read(pdf([{ content: prose }], { xmp, info: { Title: 'sound' } }));
    expect(took()).toBeLessThan(3_000);
    expect(pages[0].text).toContain('Line 29');
    expect(properties).toEqual([{ name: 'Title', unit: '', value: 'sound' }]);
  });
});

describe('drawing or document', () => {
  const titleBlock = textAt('SCALE 1:2', 400, 60) + textAt('DRAWN', 400, 45) + textAt('MATERIAL: S235', 400, 30);
  const numbers = (count: number): string =>
    Array.from({ length: count }, (_, i) => textAt(`${12.5 * (i + 1)}`, 50 + 60 * (i % 5), 500 + 40 * i)).join('');
  const sizes = (...said: readonly string[]): string =>
    said.map((each, i) => textAt(each, 50 + 90 * i, 500 + 40 * i)).join('');
  const shaded = { width: 8, height: 8, gray: new Uint8Array(64).fill(160) };

  // Views as pictures on a sheet of 842 by 595 points, with its border, title block and zones.
  const views = (...boxes: readonly (readonly [number, number, number, number])[]): string =>
    boxes.map(([x, y, w, h]) => `q ${w} 0 0 ${h} ${x} ${y} cm /Im Do Q\n`).join('');
  const twoViews = views([100, 300, 200, 160], [450, 300, 160, 160]);
  const border = '30 30 782 535 re S\n';
  const block =
    '512 30 300 90 re S 512 60 m 812 60 l S 512 90 m 812 90 l S\n' +
    ['STEEL 40', 'COVER 7', 'DATE'].map((word, i) => textAt(word, 520, 38 + 30 * i, 8)).join('');
  const zones = [...'123456', ...'ABCD']
    .flatMap((name, i) =>
      i < 6
        ? [textAt(name, 90 + 130 * i, 20, 8), textAt(name, 90 + 130 * i, 572, 8)]
        : [textAt(name, 18, 90 + 130 * (i - 6), 8), textAt(name, 818, 90 + 130 * (i - 6), 8)],
    )
    .join('');
  const sheet = (content: string): Parameters<typeof pdf>[0] => [{ content, width: 842, height: 595 }];
  /** Level lines with filled heads at their ends: at the right one, or at both. */
  const lines = (...ends: readonly string[]): string =>
    ends
      .map((heads, i) => {
        const y = 400 + 60 * i;
        const left = heads.includes('<') ? `100 ${y} m 109 ${y + 1.5} l 109 ${y - 1.5} l h f\n` : '';
        return `100 ${y} m 300 ${y} l S 300 ${y} m 291 ${y + 1.5} l 291 ${y - 1.5} l h f\n${left}`;
      })
      .join('');
  const callouts = ['\xd86x12', '4x M6', '\xd88 H7'].map((said, i) => textAt(said, 320, 400 + 60 * i, 8)).join('');
  const notes = ['ONE', 'TWO', 'THREE', 'FOUR', 'FIVE', 'SIX']
    .map((said, i) => textAt(said, 500, 300 + 20 * i, 8))
    .join('');
  const table =
    lineWork(12) +
    ['175', '105.5', ...Array.from({ length: 12 }, (_, i) => `Row ${'abcdefghijkl'[i]}`)]
      .map((said, i) => textAt(said, 400, 60 + 30 * i))
      .join('');
  const words = Array.from({ length: 8 }, (_, i) => textAt(`Item ${i} of the price list`, 100, 280 - 20 * i)).join('');
  const prices = '60 60 722 220 re S 60 90 m 782 90 l S 60 120 m 782 120 l S 500 60 m 500 280 l S\n';

  it.each<[string, 'drawing' | 'document', Parameters<typeof pdf>[0]]>([
    ['a sheet with a border, a title block and shaded views', 'drawing', sheet(border + block + twoViews)],
    ['a sheet with a title block alone and shaded views', 'drawing', sheet(block + twoViews)],
    ['a sheet with zones and a shaded view', 'drawing', sheet(border + zones + views([300, 200, 200, 200]))],
    ['a sheet with a border and nothing but shaded views', 'drawing', sheet(border + twoViews)],
    ['a border and leaders with callouts', 'drawing', sheet(border + lines('>', '>', '>') + callouts + notes)],
    ['leaders without a border', 'document', sheet(lines('>', '>', '>') + callouts + notes)],
    ['a border, arrows and words', 'document', sheet(border + lines('>', '>', '>') + notes)],
    ['pictures without a sheet', 'document', sheet(twoViews + words)],
    ['pictures and a bordered letter', 'document', sheet(border + twoViews + words)],
    ['a table of prices and a logo', 'document', sheet(prices + words + views([60, 500, 120, 40]))],
    ['a certificate: a border, a seal and a name', 'document', sheet(border + words + views([380, 60, 90, 90]))],
    ['running text', 'document', [{ content: prose }]],
    ['line work', 'drawing', [{ content: lineWork(400) + textAt('25', 100, 100) }]],
    ['little line work and a title block', 'drawing', [{ content: lineWork(60) + titleBlock }]],
    ['little line work without a title block', 'document', [{ content: lineWork(60) + textAt('A chart', 100, 60) }]],
    [
      'text with one page of line work',
      'document',
      [{ content: prose }, { content: lineWork(400) }, { content: prose }, { content: prose }],
    ],
    ['sheets of line work', 'drawing', [{ content: lineWork(400) }, { content: lineWork(500) + titleBlock }]],
    ['a large sheet with notes', 'drawing', [{ content: lineWork(2_000) + prose, width: 2384, height: 1684 }]],
    ['shaded views with dimensions', 'drawing', [{ content: lineWork(24) + numbers(4), picture: shaded }]],
    ['shaded views and a title block', 'drawing', [{ content: lineWork(12) + titleBlock, picture: shaded }]],
    ['a picture with its caption', 'document', [{ content: lineWork(24) + textAt('Fig. 1', 50, 50), picture: shaded }]],
    ['a picture and a table of numbers', 'document', [{ content: lineWork(24) + numbers(12), picture: shaded }]],
    ['a plain part and its dimensions', 'drawing', [{ content: lineWork(48) + numbers(6) }]],
    [
      'the sketch of a plain part',
      'drawing',
      [{ content: lineWork(14) + textAt('30 H7', 50, 500) + textAt('R5', 90, 520) + textAt('PLATE', 50, 60) }],
    ],
    [
      'a shaft with fits, threads and roughness, and some words',
      'drawing',
      [
        {
          content:
            lineWork(72) +
            sizes('\xd825 k6', '\xd815 js5', '\xd830 H7/g6', '150 0/-0,2', 'M12x1 - 6g', 'G1/4', 'Rz 16', 'SW 17') +
            ['\xd80,02 A', 'Werkstoff 42CrMo4', 'geh\xe4rtet 58+2 HRC', 'Datum 12.03.2024', 'Gewicht 0,45 kg']
              .map((said, i) => textAt(said, 50, 60 + 40 * i))
              .join(''),
          ...{ width: 1191, height: 842 },
        },
      ],
    ],
    [
      'a list of fits between rules',
      'document',
      [{ content: lineWork(24) + sizes('H7/g6', '30 H7/g6', 'M12', 'M16', 'Rz 16', 'SW 17', 'Gewinde', 'Preis') }],
    ],
    ['a small chart', 'document', [{ content: lineWork(24) + numbers(4) + textAt('Sales, %', 50, 60) }]],
    ['a plain part and a few labels', 'drawing', [{ content: lineWork(90) + textAt('HOUSING 55', 50, 50) }]],
    ['a table of numbers', 'document', [{ content: lineWork(44) + numbers(20), height: 1_684 }]],
    [
      'few sizes with a line each',
      'drawing',
      [{ content: lineWork(9) + sizes('\xd88 H7', '20 \xb10.1', 'R5', '30', '45') }],
    ],
    ['few plain numbers with a line each', 'document', [{ content: lineWork(5) + sizes('8', '20', '5', '30', '45') }]],
    [
      'sizes among words',
      'document',
      [{ content: lineWork(3) + sizes('\xd88 H7', '20 \xb10.1', 'R5', 'Order', 'Price') }],
    ],
    ['a part between dimension lines, and a table', 'drawing', [{ content: lines('<>', '<>') + table }]],
    ['a chart of arrows, and a table', 'document', [{ content: lines('>', '>') + table }]],
    ['nothing', 'document', [{ content: '' }]],
  ])('%s is a %s', async (_, kind, pages) => {
    expect((await read(pdf(pages))).kind).toBe(kind);
  });

  it('sizes among the lines of a document are told, and those of a table are not', async () => {
    const told = async (strokes: number): Promise<string[]> => {
      const labels = Array.from({ length: 12 }, (_, i) => textAt(`Part ${'abcdefghijkl'[i]}`, 50, 30 + 30 * i)).join(
        '',
      );
      const { kind, warnings } = await read(
        pdf([{ content: lineWork(strokes) + sizes('30 H7', 'R5', 'M8') + labels }]),
      );
      expect(kind).toBe('document');
      return warnings.map(({ message }) => message);
    };
    expect(await told(20)).toEqual([expect.stringMatching(/taken for a document.*page 1.*pdfsAreDrawings/)]);
    expect(await told(6)).toEqual([]);
    // A dimension line whose heads are filled triangles that are not closed.
    const line = '100 300 m 300 300 l S 100 300 m 109 302 l 109 298 l f 300 300 m 291 302 l 291 298 l f ';
    const words = Array.from({ length: 4 }, (_, i) => textAt('Part of a list', 50, 30 + 30 * i)).join('');
    const { kind, warnings } = await read(pdf([{ content: line + sizes('30 \xb10.1') + words }]));
    expect([kind, warnings.length]).toEqual(['document', 1]);
  });

  it('every PDF is a drawing where it is insisted on', async () => {
    const bytes = pdf([{ content: prose }]);
    expect((await readContent(bytes, 'a.pdf', { ...options(), pdfsAreDrawings: true })).kind).toBe('drawing');
  });

  it('a picture with a frame and ruled lines is a drawing, one of words is a document', async () => {
    const width = 620,
      height = 877;
    const paper = (): Uint8Array => new Uint8Array(width * height).fill(250);
    const drawn = paper();
    for (const y of [20, 850, 700, 740, 780, 21, 851, 701, 741, 781]) drawn.fill(60, y * width + 20, y * width + 600);
    for (const x of [20, 595, 21, 596]) for (let y = 20; y < 852; y++) drawn[y * width + x] = 60;
    const words = paper();
    for (let y = 60; y < 800; y += 20)
      for (let x = 60; x < 560; x += 40)
        for (let row = 0; row < 10; row += 3) words.fill(30, (y + row) * width + x, (y + row) * width + x + 30);
    const scan = (gray: Uint8Array): Uint8Array => pdf([{ content: '', picture: { width, height, gray } }]);
    const drawing = await read(scan(drawn));
    expect(drawing.kind).toBe('drawing');
    expect(drawing.warnings.map(({ message }) => message)).toEqual([expect.stringContaining('option ocr')]);
    expect((await read(scan(words))).kind).toBe('document');
    // Of a pale copy, too.
    const pale = drawn.map((level) => (level < 100 ? 220 : level));
    expect((await read(scan(pale))).kind).toBe('drawing');
    // The sheet lies askew on the scanner: each row of it is moved along, and each column down.
    const fall = Math.tan((2 * Math.PI) / 180);
    const askew = (picture: Uint8Array): Uint8Array =>
      picture.map((_, i) => {
        const [x, y] = [i % width, Math.floor(i / width)];
        const [fromX, fromY] = [Math.round(x + y * fall), Math.round(y - x * fall)];
        return fromX < width && fromY >= 0 ? picture[fromY * width + fromX] : 255;
      });
    expect((await read(scan(askew(drawn)))).kind).toBe('drawing');
    expect((await read(scan(askew(words)))).kind).toBe('document');
  });
});

describe('hostile and damaged PDFs', () => {
  it('that need a password are refused with that reason; an empty password is tried', async () => {
    const page = { content: textAt('secret', 100, 100) };
    const { pages, properties } = await read(pdf([page], { userPassword: '', info: { Title: 'open' } }));
    expect(pages[0].text).toBe('secret');
    expect(properties).toEqual([{ name: 'Title', unit: '', value: 'open' }]);
    const error = await errorOf(read(pdf([page], { userPassword: 'locked' })));
    expect(error.code).toBe('FORMAT_UNSUPPORTED');
    expect(error.message).toContain('password');
    expect(error.details).toMatchObject({ encrypted: true });
  });

  it('with a table of objects that points nowhere are rebuilt; without objects they are malformed', async () => {
    const bytes = pdf([{ content: textAt('rebuilt', 100, 100) }]);
    const broken = Buffer.from(bytes)
      .toString('latin1')
      .replace(/\d{10} 00000 n/g, '0000000007 00000 n')
      .replace(/startxref\n\d+/, 'startxref\n3');
    expect((await read(Buffer.from(broken, 'latin1'))).pages[0].text).toBe('rebuilt');
    expect((await errorOf(read(Buffer.from('%PDF-1.7\nnothing')))).code).toBe('FILE_MALFORMED');
  });

  it('of ten thousand pages are read as far as limits.pages, in time', async () => {
    const bytes = pdf(Array.from({ length: 10_000 }, (_, i) => ({ content: textAt(`page ${i + 1}`, 50, 50) })));
    const took = stopwatch();
    const { pages, warnings } = await read(bytes, { pages: 300 });
    expect(took()).toBeLessThan(30_000);
    expect(pages).toHaveLength(300);
    expect(pages[299].text).toBe('page 300');
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/10000 pages, more than limits\.pages, 300/),
    ]);
  });

  it('with more text than limits.textCharacters keep the beginning', async () => {
    const { pages, warnings } = await read(pdf([{ content: prose }, { content: prose }, { content: prose }]), {
      textCharacters: 3_000,
    });
    expect(pages.reduce((sum, { text }) => sum + text.length, 0)).toBe(3_000);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('limits.textCharacters')]);
    for (const { text, runs } of pages) for (const { end } of runs!) expect(end).toBeLessThanOrEqual(text.length);
  });

  it('that draw more than limits.entities or unpack to more than limits.unpackedBytes are refused', async () => {
    expect((await errorOf(read(pdf([{ content: lineWork(3_000) }]), { entities: 1_000 }))).details).toMatchObject({
      limit: 'entities',
    });
    const bomb = pdf([{ content: `${' '.repeat(50_000_000)}` }]);
    expect(bomb.length).toBeLessThan(100_000);
    expect((await errorOf(read(bomb, { unpackedBytes: 10_000_000 }))).details).toMatchObject({
      limit: 'unpackedBytes',
    });
  });

  it('that save more states in each other than limits.savedStates are refused at once, others are read', async () => {
    const words = textAt('deep', 50, 50);
    const refused = await errorOf(read(pdf([{ content: 'q '.repeat(20_000) + words }])));
    expect([refused.code, refused.details]).toEqual([
      'LIMIT_EXCEEDED',
      expect.objectContaining({ limit: 'savedStates' }),
    ]);
    // As many that are taken back, and a file that takes back none of a few hundred.
    for (const content of ['q Q '.repeat(20_000) + words, 'q '.repeat(500) + words])
      expect((await read(pdf([{ content }]))).pages[0].text).toBe('deep');
  });

  describe('with streams of many filters', () => {
    const words = textAt('chained', 50, 50);
    const content = Buffer.from(words + ' '.repeat(60_000 - words.length));
    const { hex, ascii85, runLengths, lzw } = filters;
    const flate = (bytes: Buffer): Buffer => deflateSync(bytes);
    /** Accepted by pdfjs: no checksum, and garbage after the data. */
    const damagedFlate = (bytes: Buffer): Buffer =>
      Buffer.concat([deflateSync(bytes).subarray(0, -4), Buffer.from('nonsense')]);

    it.each<[string, string, (bytes: Buffer) => Buffer]>([
      [
        'Flate in Flate in hex digits',
        '/Filter[/ASCIIHexDecode/FlateDecode/FlateDecode]',
        (bytes) => hex(flate(flate(bytes))),
      ],
      ['short names', '/F[/AHx/Fl/Fl]', (bytes) => hex(flate(flate(bytes)))],
      ['base 85', '/Filter [ /ASCII85Decode /FlateDecode ]', (bytes) => ascii85(flate(bytes))],
      ['LZW', '/Filter /LZWDecode', (bytes) => lzw(bytes, 1)],
      ['LZW of the other kind', '/Filter /LZWDecode /DecodeParms << /EarlyChange 0 >>', (bytes) => lzw(bytes, 0)],
      ['LZW in base 85', '/Filter [/A85 /LZW]', (bytes) => ascii85(lzw(bytes, 1))],
      ['run lengths in Flate', '/Filter [/FlateDecode /RunLengthDecode]', (bytes) => flate(runLengths(bytes))],
      [
        'names with codes, a comment, a name that is a value',
        '/Type /F % >> (\n /Filter [/ASCII#48exDecode % ]\n /Fl]',
        (bytes) => hex(flate(bytes)),
      ],
      ['Flate without its end', '/Filter /FlateDecode', damagedFlate],
    ])('%s: read, and refused when they unpack to too much', async (_, dictionary, pack) => {
      const bytes = filters.pdfOfStream(dictionary, pack(content));
      expect((await read(bytes)).pages[0].text).toBe('chained');
      expect(await errorOf(read(bytes, { unpackedBytes: 59_999 }))).toMatchObject({
        code: 'LIMIT_EXCEEDED',
        details: { limit: 'unpackedBytes' },
      });
    });

    it(
      'packed twice beyond limits.archiveRatio: refused at once; packed once a blank stream may ' +
        'be as dense as can be',
      async () => {
        const blanks = Buffer.from(words + ' '.repeat(30_000_000));
        const once = filters.pdfOfStream('/Filter /FlateDecode', flate(blanks));
        const twice = filters.pdfOfStream('/Filter [/FlateDecode /FlateDecode]', flate(flate(blanks)));
        expect((await read(once, { archiveRatio: 500 })).pages[0].text).toBe('chained');
        expect(await errorOf(read(twice))).toMatchObject({
          code: 'LIMIT_EXCEEDED',
          details: { limit: 'archiveRatio', allowed: 1_000 },
        });
        expect(
          (await read(filters.pdfOfStream('/Filter [/FlateDecode /FlateDecode]', flate(flate(content))))).pages[0].text,
        ).toBe('chained');
      },
    );

    it('refused when the filters are in another object, too many, or compress encrypted data twice', async () => {
      const many = `/Filter [${'/AHx '.repeat(12)}]`;
      for (const dictionary of ['/Filter 9 0 R', '/Filter [/AHx 9 0 R]', many]) {
        expect((await errorOf(read(filters.pdfOfStream(dictionary, hex(content))))).code).toBe('LIMIT_EXCEEDED');
      }
      const secret = Buffer.from(pdf([{ content: words }], { userPassword: '' }));
      expect((await read(secret)).pages[0].text).toBe('chained');
      const twice = Buffer.from(
        secret.toString('latin1').replaceAll('/Filter /FlateDecode', '/Filter[/Fl/Fl]     '),
        'latin1',
      );
      expect((await errorOf(read(twice))).message).toContain('is encrypted');
    });
  });

  it('damaged 200 ways end in content or a coded error, each quickly', async () => {
    const whole = pdf([{ content: prose }, { content: lineWork(300) + textAt('A-7', 100, 100), rotate: 90 }], {
      info: { Title: 'x' },
      xmp: '<x:xmpmeta xmlns:x="a"/>',
    });
    const ends = new Map<string, number>();
    for (const bytes of damaged(whole, 200, 5)) {
      const took = stopwatch();
      const end = await readContent(bytes, 'a.pdf', options()).then(
        ({ kind }) => kind,
        (cause: unknown) => {
          if (cause instanceof EngineError) return cause.code;
          throw cause;
        },
      );
      ends.set(end, (ends.get(end) ?? 0) + 1);
      expect(took()).toBeLessThan(3_000);
    }
    expect(ends.get('FILE_MALFORMED')).toBeGreaterThan(20);
    expect((ends.get('document') ?? 0) + (ends.get('drawing') ?? 0)).toBeGreaterThan(50);
  });
});
