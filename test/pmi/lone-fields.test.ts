import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, line, text as dxfText } from '../fixtures/dxf-writer.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

type Row = readonly [text: string, x: number, y: number];

/** A sheet of lines with these texts in three forms of file, each read; y in mm from the top. */
async function fieldsOf(...rows: readonly Row[]): Promise<Record<string, string>> {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm" viewBox="0 0 297 210">' +
    '<path stroke="black" fill="none" d="M20 20h60v40h-60z M100 20h30v40h-30z"/>' +
    `${rows.map(([words, x, y]) => `<text x="${x}" y="${y}" font-size="3.5">${words}</text>`).join('')}</svg>`;
  const files = {
    'a.svg': svg,
    'a.dxf': dxf({
      entities: [
        ...[line(20, 190, 80, 190), line(80, 190, 80, 150), line(20, 150, 80, 150), line(20, 150, 20, 190)],
        ...rows.map(([words, x, y]) => dxfText(words, x, 210 - y, 3.5)),
      ],
    }),
    'a.pdf': pdf([
      {
        ...{ width: 842, height: 595 },
        content: `${lineWork(400)}${rows.map(([words, x, y]) => textAt(words, 2.8 * x, 595 - 2.8 * y, 12)).join('')}`,
      },
    ]),
  };
  // The font of the PDF has Latin letters alone.
  const hasLatin = rows.every(([words]) => !/\p{Script=Han}/u.test(words));
  const read = await Promise.all(
    Object.entries(files)
      .slice(0, hasLatin ? 3 : 2)
      .map(async ([name, bytes]) => {
        const content = await readContent(Buffer.from(bytes), name, {
          ...{ limits: DEFAULT_LIMITS, defaultUnit: 'mm', ocr: false, pdfsAreDrawings: true },
        });
        if (content.kind !== 'drawing') throw new Error(`${name} is a ${content.kind}`);
        const { attributes } = readPmi(content);
        return Object.fromEntries(attributes.map(({ name: of, value }) => [of, value]));
      }),
  );
  expect(read[1]).toEqual(read[0]);
  if (hasLatin) expect(read[2]).toEqual(read[0]);
  return read[0];
}

test('labels with values in plain text are fields of a sheet that has no title block', async () => {
  expect(await fieldsOf(['Material: C45', 190, 188], ['Scale 1:1', 190, 194])).toEqual({
    Material: 'C45',
    Scale: '1:1',
  });
  for (const material of ['EN AW-6082 T6', 'IS 2062 E250', 'S235JR nach EN 10025'])
    expect(await fieldsOf([`Werkstoff: ${material}`, 190, 188])).toEqual({ Material: material });
  expect(
    await fieldsOf(
      ['Part no.: AB-123', 190, 176],
      ['All dimensions in mm unless otherwise stated', 190, 182],
      ['Mass: 1.2 kg', 190, 188],
    ),
  ).toEqual({ 'Part number': 'AB-123', Mass: '1.2 kg', Units: 'mm' });
  for (const mass of ['35 gram', '12 Gramm', '5 kg'])
    expect(await fieldsOf([`Mass: ${mass}`, 190, 188])).toEqual({ Mass: mass });
});

const NO_FIELDS: readonly (readonly [string, ...Row[]])[] = [
  ['the scale of a view', ['SCALE 2:1', 40, 80]],
  ['a sentence', ['Material: see note 3', 190, 188]],
  ['a longer one', ['Finish: to be free of burrs', 190, 188]],
  ['a line of notes', ['NOTES', 190, 182], ['Material: steel', 190, 188]],
  ['a numbered list', ['1. Deburr edges', 190, 182], ['Finish: zinc plated', 190, 188]],
  [
    'a line of a paragraph',
    ['The part is made from one piece of the', 190, 182],
    ['material: steel', 190, 188],
    ['and is delivered without coating', 190, 194],
  ],
  ['two parts on one sheet', ['Material: C45', 40, 80], ['Material: S235', 190, 188]],
  ['a mass that is no figure', ['Mass: light', 190, 188]],
];

test.each(NO_FIELDS.map(([name, ...rows]) => [name, rows] as const))('%s is no field', async (_, rows) => {
  expect(await fieldsOf(...rows)).toEqual({});
});

/** A table of revisions, its rows from the top. */
const revisionRows = (...rows: readonly (readonly string[])[]): Row[] =>
  rows.flatMap((row, i) => row.map((said, j): Row => [said, [140, 155, 210, 245][j], 20 + 6 * i]));
const HEADS = ['Rev', 'Modification', 'Datum', 'Name'];
const FIRST = ['A', 'Erstausgabe', '12.03.2024', 'Me'];
const LAST = ['C', 'Bohrung neu', '05.06.2024', 'Me'];
const SECOND = ['B', 'Fase neu', '01.04.2024', 'Sch'];

test('the current revision of a table is the last one from its heads, and the title block goes before it', async () => {
  for (const rows of [
    [HEADS, FIRST, SECOND, LAST],
    [LAST, SECOND, FIRST, HEADS],
    [HEADS, LAST, SECOND, FIRST],
  ])
    expect(await fieldsOf(...revisionRows(...rows))).toMatchObject({ Revision: 'C' });
  const numbers = [
    ['REV', 'DESCRIPTION', 'DATE', 'BY'],
    ['9', 'FIRST', '2024-01-05', 'JD'],
    ['10', 'HOLE', '2024-03-05', 'JD'],
  ];
  const table = await fieldsOf(...revisionRows(...numbers));
  expect(table).toMatchObject({ Revision: '10' });
  expect(table).not.toHaveProperty('Date');
  const block: Row[] = [
    ['Material: C45', 190, 182],
    ['Scale: 1:1', 190, 188],
    ['Revision: D', 190, 194],
  ];
  expect(await fieldsOf(...revisionRows(HEADS, FIRST, SECOND), ...block)).toMatchObject({ Revision: 'D' });
});

test('a revision above a row whose own was not read is not the current one', async () => {
  const short = [
    ['REV', 'DATE', 'BY'],
    ['0', '20/09/19', 'CWC'],
  ];
  for (const rows of [revisionRows(...short), revisionRows(HEADS, FIRST, SECOND)]) {
    const at = Math.max(...rows.map(([, , y]) => y)) + 6;
    const days = rows.filter(([said]) => /\d\d[./]/.test(said));
    const next: Row = ['27/09/19', days[0][1], at];
    expect(await fieldsOf(...rows, next)).not.toHaveProperty('Revision');
    expect(await fieldsOf(...rows, ['X', rows[0][1], at], next)).toMatchObject({ Revision: 'X' });
  }
});

test('labels of surface and of heat treatment, and of revisions, in further languages', async () => {
  const block = (...rows: readonly (readonly [string, string])[]): Promise<Readonly<Record<string, string>>> =>
    fieldsOf(
      ...[['Material', 'C45'] as const, ...rows].flatMap(([name, value], i): Row[] => [
        [`${name}: ${value}`, 190, 170 + 6 * i],
      ]),
    );
  const french = await block(
    ['Traitement de surface', 'Anodisation noire'],
    ['Traitement thermique', 'Revenu'],
    ['Ind.', 'c'],
  );
  expect(french).toMatchObject({ Finish: 'Anodisation noire', Revision: 'c' });
  expect(await block(['Traitement thermique', 'Revenu'])).not.toHaveProperty('Finish');
  for (const label of ['版本', '改訂', 'Änderung']) expect(await block([label, 'B'])).toMatchObject({ Revision: 'B' });
});

test('a note that ends like a field of the block is a note all the same', async () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm" viewBox="0 0 297 210">' +
    '<path stroke="black" fill="none" d="M20 20h60v40h-60z M100 20h30v40h-30z"/>' +
    ['HARDNESS 54-58 HRC', 'Material: C45', 'Scale: 1:1', 'Mass: 2 kg', 'Revision: C']
      .map(
        (words, i) =>
          `<text x="${i === 0 ? 20 : 190}" y="${i === 0 ? 80 : 170 + 6 * i}" font-size="3.5">${words}</text>`,
      )
      .join('') +
    '</svg>';
  const content = await readContent(Buffer.from(svg), 'a.svg', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' });
  if (content.kind !== 'drawing') throw new Error(content.kind);
  const { pages, attributes } = readPmi(content);
  expect(attributes).toContainEqual({ name: 'Revision', unit: '', value: 'C' });
  expect(pages[0].notes?.map(({ text }) => text)).toEqual(['HARDNESS 54-58 HRC']);
});
