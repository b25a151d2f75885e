import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { mail } from '../fixtures/mail-writer.js';
import { docx, odf, paragraph, pptx, shape, xlsx } from '../fixtures/office-writer.js';

// Documents of every kind through the public door.

const folder = temporaryFolder();
let engine: Engine;
let company: Company;
beforeAll(async () => {
  engine = await Engine.open(join(folder, 'library'), { workers: 2 });
  company = await engine.company('acme');
});
afterAll(() => engine.close());

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const PARAGRAPH = '<text:p>Größe</text:p>';

test.each<[string, Uint8Array, number]>([
  ['a.txt', bytesOf('Größe'), 1],
  ['a.md', bytesOf('# Größe'), 1],
  ['a.csv', bytesOf('Part;Qty\nBolt;4\n'), 1],
  ['a.tsv', bytesOf('Part\tQty\nBolt\t4\n'), 1],
  ['a.html', bytesOf('<html><p>Größe'), 1],
  ['a.docx', docx(paragraph('one', '<w:r><w:br w:type="page"/></w:r>', 'two')), 2],
  ['a.docm', docx(paragraph('one')), 1],
  ['a.xlsx', xlsx({ A: '', B: '' }), 2],
  [
    'a.pptx',
    pptx([
      { file: 's1.xml', shapes: shape('one') },
      { file: 's2.xml', shapes: '' },
      { file: 's3.xml', shapes: '' },
    ]),
    3,
  ],
  ['a.odt', odf('text', PARAGRAPH), 1],
  ['a.ods', odf('spreadsheet', '<table:table table:name="A"/><table:table table:name="B"/>'), 2],
  ['a.odp', odf('presentation', '<draw:page/><draw:page/>'), 2],
  ['a.rtf', bytesOf('{\\rtf1 one\\page two}'), 2],
  ['a.eml', bytesOf(mail(['From: a@example.com', 'To: b@example.com', 'Subject: c'], ['\r\nwords'])), 1],
])('%s is indexed as text', async (name, bytes, pageCount) => {
  const record = await company.put(`documents/${name}`, bytes);
  expect(record).toMatchObject({ state: 'indexed', kind: 'Text', error: null, warnings: [], pageCount });
});

test.each([
  ['a.doc', 'WordDocument', 'old binary kind'],
  ['locked.docx', 'EncryptedPackage', 'encrypted'],
])('%s fails with words that say why', async (name, stream, words) => {
  const bytes = new Uint8Array(2_048);
  bytes.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  bytes.set(Buffer.from(`${stream}\0`, 'utf16le'), 1_024);
  const record = await company.put(name, bytes);
  expect(record).toMatchObject({ state: 'failed', error: { code: 'FORMAT_UNSUPPORTED' } });
  expect(record.error?.message).toContain(words);
});

test('words beyond limits.terms are not found, and the record says so', async () => {
  await using small = await Engine.open(join(folder, 'few-terms'), { workers: 1, limits: { terms: 4 } });
  const few = await small.company('few');
  expect(await few.put('fits.txt', bytesOf('one two three four'))).toMatchObject({ state: 'indexed', warnings: [] });
  const cut = await few.put('cut.txt', bytesOf('one two three four five'));
  expect(cut).toMatchObject({
    state: 'indexed',
    warnings: [{ code: 'CONTENT_SKIPPED', message: expect.stringContaining('limits.terms, 4;') }],
  });
});
