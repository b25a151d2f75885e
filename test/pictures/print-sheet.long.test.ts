import { afterAll, beforeAll, expect, test } from 'vitest';
import { Engine, type Company } from '../../dist/index.js';
import { MOST_PRINTED_ROWS, printSheet, type SheetRow } from '../../dist/pictures/print-sheet.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { box, cylinder } from '../fixtures/shapes.js';
import { stepFile } from '../fixtures/step-writer.js';

// Sheets are read back with the engine's own reader of PDF files.

let engine: Engine;
let company: Company;
beforeAll(async () => {
  engine = await Engine.open(temporaryFolder(), { workers: 1 });
  company = await engine.company('acme');
});
afterAll(() => engine.close());

let number = 0;
async function textOf(pdf: Uint8Array): Promise<string[]> {
  const { uid, state, error, pageCount } = await company.put(`sheets/${++number}.pdf`, pdf);
  expect(state, error?.message).toBe('indexed');
  const pages = (await company.text(uid)).map(({ text }) => text.replace(/\s+/g, ' '));
  expect(pages).toHaveLength(pageCount!);
  return pages;
}

const row = (i: number): SheetRow => ({
  picture: undefined,
  title: `row ${i}`,
  lines: ['parts/Größe \u202e\n3.step'],
  notes: ['Material: Сталь 45'],
  level: 0,
});

test('hits are pages with names, reasons, sizes, attributes and pictures; the same hits are the same bytes', async () => {
  const { uid } = await company.put('plates/plate.stl', writeStlBinary(box(60, 40, 5)), {
    attributes: ['Material=Stahl|Blech', 'Länge(mm)=60'],
  });
  await company.put('pins/pin.stl', writeStlBinary(cylinder(4, 30)));
  const query = { like: { uid }, kinds: ['ThreeD'] as const };
  const pdf = await company.searchFile(query, { format: 'pdf' });
  const [page] = await textOf(pdf);
  expect(page).toContain('Files like plate.stl, ThreeD');
  expect(page).toContain('2 of 2 files');
  expect(page).toMatch(/1 plate\.stl plates\/plate\.stl 100 %, identical, .*60 × 40 × 5 mm, 12000 mm³, 5800 mm²/);
  expect(page).toContain('Material: Stahl; Blech Länge(mm): 60');
  expect(page).toContain('2 pin.stl');
  expect(page).toContain('1 / 1');
  expect(
    Buffer.from(pdf)
      .toString('latin1')
      .match(/\/Subtype \/Image/g),
  ).toHaveLength(2);
  expect(Buffer.compare(await company.searchFile(query, { format: 'pdf' }), pdf)).toBe(0);
  const bare = await company.searchFile(query, { format: 'pdf', pictures: false });
  expect(Buffer.from(bare).toString('latin1')).not.toContain('/Subtype /Image');
  await expect(company.searchFile(query, { format: 'doc' as never })).rejects.toThrow(/csv.*xlsx.*pdf/);
});

test('a bill of materials is pages, each part below what it is part of', async () => {
  const bytes = stepFile({
    parts: [
      { name: 'foot', shape: { kind: 'box', x: 20, y: 20, z: 20 } },
      { name: 'base', shape: { kind: 'box', x: 90, y: 60, z: 5 } },
    ],
    assemblies: [
      {
        name: 'stand',
        places: [
          { of: { part: 1 }, at: [0, 0, 0] },
          { of: { part: 0 }, at: [0, 0, 5] },
          { of: { part: 0 }, at: [50, 0, 5] },
        ],
      },
    ],
  });
  const { uid } = await company.put('stand.step', bytes, { indexAssemblyComponents: true });
  const [page] = await textOf(await company.assemblies.billFile(uid, { format: 'pdf' }));
  expect(page).toMatch(/Bill of materials of stand\.step stand\.step: 2 lines 1 base 1 × .* 2 foot 2 × 8000 mm³/);
});

test('rows go on over pages, controlling signs go, and there is a bound', async () => {
  const rows = Array.from({ length: MOST_PRINTED_ROWS + 5 }, (_, i) => row(i));
  const pages = await textOf(await printSheet({ title: 'All of it', about: '', rows }));
  expect(pages.length).toBeGreaterThan(20);
  pages.forEach((page, i) => expect(page).toContain(`${i + 1} / ${pages.length}`));
  const all = pages.join(' ');
  expect(all).toContain(`row ${MOST_PRINTED_ROWS - 1} `);
  expect(all).not.toContain(`row ${MOST_PRINTED_ROWS} `);
  expect(pages[0]).toContain('parts/Größe 3.step Material: Сталь 45');
});
