import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import Database from 'better-sqlite3';
import { Engine, type Company } from '../../dist/index.js';
import { damaged } from '../fixtures/damage.js';
import { attribute, dxf, insert, line, SEQUENCE_END, text as dxfText } from '../fixtures/dxf-writer.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

// PDFs, images and drawings through the public door: worker threads, catalogue and all.

const folder = temporaryFolder();
let engine: Engine;
let company: Company;
beforeAll(async () => {
  engine = await Engine.open(join(folder, 'library'), { workers: 2, limits: { timeoutMs: 60_000 } });
  company = await engine.company('acme');
});
afterAll(() => engine.close());

const prose = Array.from({ length: 30 }, (_, i) =>
  textAt(`Line ${i} of running text tells at some length what nobody needs to know.`, 60, 780 - 14 * i, 10),
).join('');
const drawing = dxf({
  blocks: { title: [line(0, 0, 1, 1)] },
  entities: [
    line(0, 0, 400, 0),
    line(0, 0, 0, 200),
    dxfText('AB-123/4', 100, 150),
    insert('title', 300, 5, { attributes: true }),
    attribute('MATERIAL', 'S235JR', 300, 20),
    SEQUENCE_END,
  ],
});

test('each is indexed as what it is, with its text and its properties', async () => {
  const png = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#a03060' } })
    .withExif({ IFD0: { Artist: 'Anna' } })
    .png()
    .toBuffer();
  const svg = new TextEncoder().encode(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><title>Cover</title><text x="1" y="5" font-size="2">M8</text></svg>',
  );
  const files: readonly (readonly [
    path: string,
    bytes: Uint8Array,
    kind: string,
    text: string | undefined,
    property: string,
  ])[] = [
    [
      'manual.pdf',
      pdf([{ content: prose }], { info: { Title: 'Manual' } }),
      'Text',
      'Line 0 of running',
      'Title=Manual',
    ],
    [
      'sheet.pdf',
      pdf([{ content: lineWork(400) + textAt('SCALE 1:2', 300, 50) }], { info: { Author: 'Bert' } }),
      'TwoD',
      'SCALE 1:2',
      'Author=Bert',
    ],
    ['photo.png', png, 'Image', undefined, 'Author=Anna'],
    ['part.dxf', drawing, 'TwoD', 'AB-123/4', 'MATERIAL=S235JR'],
    ['cover.svg', svg, 'TwoD', 'M8', 'Title=Cover'],
  ];
  for (const [path, bytes, kind] of files)
    expect(await company.put(path, new Uint8Array(bytes)), path).toMatchObject({ state: 'indexed', kind, error: null });
  const catalog = new Database(join(folder, 'library', 'catalog.sqlite'), { readonly: true });
  for (const [path, , , text, property] of files) {
    const id = (catalog.prepare('SELECT id FROM file WHERE path = ?').get(path) as { id: number }).id;
    const extracted = catalog.prepare('SELECT name, value FROM extracted WHERE file_id = ?').all(id) as {
      name: string;
      value: string;
    }[];
    expect(
      extracted.map(({ name, value }) => `${name}=${value}`),
      path,
    ).toContain(property);
    const page = catalog.prepare('SELECT text, runs FROM text_page WHERE file_id = ?').get(id) as
      | { text: string; runs: string }
      | undefined;
    if (text === undefined) expect(page).toBeUndefined();
    else expect(page!.text, path).toContain(text);
  }
  catalog.close();
});

test('damaged ones end in a record and leave the engine sound', { timeout: 600_000 }, async () => {
  const files = [
    ['a.pdf', pdf([{ content: prose }, { content: lineWork(100) }])],
    ['a.dxf', drawing],
  ] as const;
  for (const [name, bytes] of files) {
    const records = await Promise.all(
      [...damaged(bytes, 40, 21)].map((copy, i) => company.put(`damaged/${i}/${name}`, copy)),
    );
    for (const { path, state, error } of records) {
      if (state !== 'indexed')
        expect(error?.code, path).toMatch(/^(FORMAT_UNSUPPORTED|FILE_MALFORMED|LIMIT_EXCEEDED)$/);
    }
    expect(records.some(({ state }) => state === 'indexed')).toBe(true);
  }
});

test('text is recognised where the engine is asked to, and the engine closes', async () => {
  const words =
    '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="300"><rect width="100%" height="100%" fill="white"/><text x="150" y="180" font-size="48" font-family="sans-serif">Bearing housing</text></svg>';
  const png = new Uint8Array(await sharp(Buffer.from(words)).png().toBuffer());
  const other = await Engine.open(join(folder, 'recognising'), { workers: 1, ocr: true });
  const record = await (await other.company('acme')).put('scan.png', png);
  expect(record).toMatchObject({ state: 'indexed', kind: 'Image' });
  await other.close();
  const catalog = new Database(join(folder, 'recognising', 'catalog.sqlite'), { readonly: true });
  expect(catalog.prepare('SELECT text FROM text_page').all()).toEqual([{ text: 'Bearing housing' }]);
  catalog.close();
});
