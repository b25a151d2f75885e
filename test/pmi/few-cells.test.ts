// Title blocks of a few cells, of attributes of blocks, and labels without values.
import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { attribute, dxf, insert, line, SEQUENCE_END, text } from '../fixtures/dxf-writer.js';

async function read(bytes: Uint8Array, name: string) {
  const content = await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  const { fields = [], leftOut, pages } = readPmi(content);
  const said = Object.fromEntries(fields.map(({ name: of, value }) => [of, value]));
  return { said, told: leftOut, objects: pages[0]?.objects.length ?? 0 };
}

/** A sheet with cells below each other, each with a small label above its value. */
function sheetOf(rows: readonly (readonly [label: string, value: string])[]): Buffer {
  const cells = rows.map(([label, value], i) => {
    const y = 140 + 10 * i;
    return (
      `<path fill="none" stroke="#000" d="M180 ${y}h100v10h-100z"/><text x="181" y="${y + 3}" font-size="2">${label}` +
      `</text><text x="183" y="${y + 8}" font-size="4">${value}</text>`
    );
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm" viewBox="0 0 297 210">` +
      `<path fill="none" stroke="#000" d="M20 20h60v40h-60zM100 20h30v40h-30zM40 30h20v20h-20z"/>${cells.join('')}</svg>`,
  );
}

test('three cells with a label and a value each are a title block, and no sizes', async () => {
  const rows = [['name:', 'Bracket'], ['weight:', '35 gram'], ['material:', 'C45']] as const; // biome-ignore format: a list
  const { said, told, objects } = await read(sheetOf(rows), 'a.svg');
  expect(said).toEqual({ Name: 'Bracket', Mass: '35 gram', Material: 'C45' });
  expect([told, objects]).toEqual([[], 0]);
});

test('labels are known in Russian, and those without a value are told', async () => {
  const rows = [['Наименование', 'Фланец'], ['Материал', 'Сталь 45'], ['Масса', '2.5 кг'], ['Масштаб', '']] as const; // biome-ignore format: a list
  const { said, told } = await read(sheetOf([...rows, ['Revision', 'A']]), 'a.svg');
  expect(said).toEqual({ Name: 'Фланец', Material: 'Сталь 45', Mass: '2.5 кг', Revision: 'A' });
  expect(told).toEqual(['Scale: no value was read in the title block']);
});

test('values stand in the cells beside their labels, whatever label is below', async () => {
  const rows = [
    ['Oberfläche', 'verzinkt 8µm'],
    ['Halbzeug', 'Fl 60x10'],
    ['Disegno N.', 'DIS-77/A'],
    ['Gewicht', '2,35 kg'],
  ];
  const entities = rows.flatMap(([label, value], i) => [
    ...[0, 30, 90].map((x) => line(200 + x, -8 * i, 200 + x, -8 * i - 8)),
    ...[0, 8].map((down) => line(200, -8 * i - down, 290, -8 * i - down)),
    text(label, 201, -8 * i - 6, 3),
    text(value, 231, -8 * i - 6, 3),
  ]);
  const { said } = await read(dxf({ entities: [line(0, 0, 100, 60), line(0, 60, 100, 0), ...entities] }), 'a.dxf');
  expect(said).toEqual({ Finish: 'verzinkt 8µm', 'Part number': 'DIS-77/A', Mass: '2,35 kg' });
});

test('attributes of a block are fields by their tags', async () => {
  const tags = [['MATERIAL', 'C45'], ['TITLE', 'Bracket left'], ['DRAWING_NO', 'B-4711'], ['SCALE', 'see note']] as const; // biome-ignore format: a list
  const bytes = dxf({
    blocks: { TITLE: [line(0, 0, 100, 0)] },
    entities: [
      ...[line(0, 0, 200, 0), line(200, 0, 200, 100), line(200, 100, 0, 0)],
      insert('TITLE', 300, 0, { attributes: true }),
      ...tags.map(([tag, value], i) => attribute(tag, value, 300, -8 * i)),
      SEQUENCE_END,
    ],
  });
  expect((await read(bytes, 'a.dxf')).said).toEqual({
    Material: 'C45',
    Name: 'Bracket left',
    'Part number': 'B-4711',
  });
});

test('attributes of a block that state a size are sizes', async () => {
  const bytes = dxf({
    blocks: { CALLOUT: [line(0, 0, 20, 0)] },
    entities: [
      ...[line(0, 0, 200, 0), line(200, 0, 200, 100), line(200, 100, 0, 0)],
      insert('CALLOUT', 60, 40, { attributes: true }),
      ...['4x ⌀6.6 THRU', 'M8x1', '100 ±0.2', '17'].map((said, i) => attribute(`T${i}`, said, 60, 40 - 8 * i)),
      SEQUENCE_END,
    ],
  });
  const content = await readContent(bytes, 'a.dxf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  const objects = readPmi(content as never).pages.flatMap((page) => page.objects);
  expect(objects.map(({ parts: [{ text, tolerance = [] }] }) => [text, ...tolerance].join(' '))).toEqual([
    '4x ⌀6.6 THRU',
    'M8x1',
    '100 ±0.2',
  ]);
});

test('a page whose words are read upwards, without a title block, is told to be turned', async () => {
  const words = ['Benennung', 'Halter', 'Werkstoff', 'S235JR', 'Datum', 'Blatt eins', 'Kanten', 'Projekt'];
  const sheet = (degrees: number): Uint8Array =>
    dxf({
      entities: [
        ...[line(0, 0, 400, 0), line(400, 0, 400, 300), line(400, 300, 0, 0)],
        ...words.map((word, i) => text(word, 100 + 30 * i, 40 + 20 * i, 4, degrees)),
      ],
    });
  const TURNED = /^page 1: most words are read upwards or downwards/;
  expect((await read(sheet(90), 'a.dxf')).told.filter((each) => TURNED.test(each))).toHaveLength(1);
  expect((await read(sheet(0), 'a.dxf')).told.filter((each) => TURNED.test(each))).toHaveLength(0);
});

test.each([
  'ISO 13920-BF',
  'DIN 6930-m',
  'ISO 8062-3 DCTG 8',
  'DIN 7168 mittel',
  'H14, h14, ±IT14/2',
  'ISO 2768 nach Wahl',
])('general tolerances of a standard that is not known here are told: %s', async (named) => {
  const { told } = await read(sheetOf([['Name', 'Bracket'], ['Material', 'C45'], ['Tolerances', named]]), 'a.svg'); // biome-ignore format: one call
  expect(told.filter((each) => each.includes('whose values are not known'))).toEqual([expect.stringContaining(named)]);
});

test('general tolerances that are known are not told', async () => {
  for (const named of ['ISO 2768-mK', 'EN 22768-m']) {
    const { told, said } = await read(sheetOf([['Name', 'Bush H11/h11'], ['Material', 'C45'], ['Finish', 'none'], ['Scale', '1:2'], ['General tolerance', named]]), 'a.svg'); // biome-ignore format: one call
    expect(told).toEqual([]);
    expect(said['General tolerance']).toBe(named);
  }
});

test('notes beside a title block are no cells of it, though one of them says what a cell may say', async () => {
  const values = ['Désignation=Bride', 'Matière=C45E', 'Échelle=1:1', 'Masse=0,74 kg', 'Date=3.2.2024'];
  const rows = values.map((each) => each.split('=') as [string, string]);
  const notes = ['Tolérances générales ISO 2768-mK', 'Arêtes vives abattues', 'Traitement thermique : trempé'];
  const drawn = notes.map((note, i) => `<text x="110" y="${150 + 8 * i}" font-size="3">${note}</text>`).join('');
  const sheet = Buffer.from(sheetOf(rows).toString().replace('</svg>', `${drawn}</svg>`));
  const content = await readContent(sheet, 'a.svg', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  const { fields = [], pages } = readPmi(content);
  expect(pages[0].notes?.map(({ text: said }) => said)).toEqual(notes.slice(1));
  expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(['Name', 'Material', 'General tolerance']));
});
