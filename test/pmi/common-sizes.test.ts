import { describe, expect, test } from 'vitest';
import { inspectionList, type InspectionRow } from '../../dist/index.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readLines } from '../../dist/pmi/stacked-tolerances.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, line, text } from '../fixtures/dxf-writer.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

async function listOf(bytes: Uint8Array, name: string): Promise<InspectionRow[]> {
  const content = await readContent(bytes, name, { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  return inspectionList(readPmi(content), content.properties);
}

/** A PDF with texts far from each other. Helvetica has Ø and no other sign of a diameter. */
function sheetOf(texts: readonly string[]): Uint8Array {
  const placed = texts.map((each, i) => textAt(each, 40 + 180 * (i % 3), 780 - 50 * Math.floor(i / 3) - 9 * (i % 3)));
  return pdf([{ content: `${lineWork(400)}${placed.join('')}`, height: 842 }]);
}

/** The same in portions that one page holds. */
async function rowsOf(texts: readonly string[]): Promise<InspectionRow[]> {
  const rows: InspectionRow[] = [];
  for (let at = 0; at < texts.length; at += 36)
    rows.push(...(await listOf(sheetOf(texts.slice(at, at + 36)), 'a.pdf')));
  return rows;
}

const none = undefined;
/**
 * Text; kind, count, nominal size and unit; upper and lower deviation; where they come from; the reading if it differs.
 */
type Row = readonly [string, string, number, number, string, number?, number?, string?, string?];

const VALUES: readonly Row[] = [
  // An ascending range is limits.
  ['4xØ5.8-5.85', 'diameter', 4, 5.85, 'mm', 0, -0.05, 'limits'],
  ['5,8-5,85', 'dimension', 1, 5.85, 'mm', 0, -0.05, 'limits'],
  ['5.8 - 5.85 mm', 'dimension', 1, 5.85, 'mm', 0, -0.05, 'limits'],
  ['10-12 mm', 'dimension', 1, 12, 'mm', 0, -2, 'limits'],
  ['Ø10-12', 'diameter', 1, 12, 'mm', 0, -2, 'limits'],
  ['Ø8-Ø9', 'diameter', 1, 9, 'mm', 0, -1, 'limits'],
  ['1-2 mm', 'dimension', 1, 2, 'mm', 0, -1, 'limits'],
  ['R2-3', 'radius', 1, 3, 'mm', 0, -1, 'limits'],
  ['10.5 TO 10.7', 'dimension', 1, 10.7, 'mm', 0, -0.2, 'limits'],
  ['4x Ø5.8-5.85 THRU', 'diameter', 4, 5.85, 'mm', 0, -0.05, 'limits'],
  ['.250/.252', 'dimension', 1, 0.252, 'mm', 0, -0.002, 'limits'],
  ['8.20-8.00', 'dimension', 1, 8.2, 'mm', 0, -0.2, 'limits'],
  ['12-0.1', 'dimension', 1, 12, 'mm', 0, -0.1, 'written', '12 -0.1'],
  // Degrees, minutes, seconds.
  ["45° ±30'", 'dimension', 1, 45, '°', 0.5, -0.5, 'written'],
  ["15°30'", 'dimension', 1, 15.5, '°', none, none, ''],
  ['15°30\'36"', 'dimension', 1, 15.51, '°', none, none, ''],
  ["30° ±0°15'", 'dimension', 1, 30, '°', 0.25, -0.25, 'written'],
  ["30°15' ±30'", 'dimension', 1, 30.25, '°', 0.5, -0.5, 'written'],
  ["60° +15' -30'", 'dimension', 1, 60, '°', 0.25, -0.5, 'written'],
  ["60° -20'", 'dimension', 1, 60, '°', 0, -0.333333, 'written'],
  ['45° ±1°', 'dimension', 1, 45, '°', 1, -1, 'written'],
  ['44°-46°', 'dimension', 1, 46, '°', 0, -2, 'limits'],
  ['1-2°', 'dimension', 1, 2, '°', 0, -1, 'limits'],
  ["44°30'-45°30'", 'dimension', 1, 45.5, '°', 0, -1, 'limits'],
  // Behind a dash: classes, pitches, counts.
  ['M8-6H', 'leader note', 1, 8, 'mm', none, none, 'written'],
  ['M10-1.5', 'leader note', 1, 10, 'mm', none, none, ''],
  ['2-Ø5', 'diameter', 2, 5, 'mm', none, none, ''],
  ['2-C1', 'leader note', 2, 1, 'mm', none, none, ''],
  ['4-M6', 'leader note', 4, 6, 'mm', none, none, ''],
  ['2-R3', 'radius', 2, 3, 'mm', none, none, ''],
];

const FORMS: readonly Row[] = [
  // A round size with its depth or length; sides of something; equal steps.
  ['Ø5,2 x 20', 'diameter', 1, 5.2, 'mm', none, none, ''],
  ['2x Ø5,2 x 20mm', 'diameter', 2, 5.2, 'mm', none, none, ''],
  ['Ø10h6x30', 'diameter', 1, 10, 'mm', 0, -0.009, 'ISO 286', 'Ø10 x30 h6'],
  ['Ø8 H7 THRU', 'diameter', 1, 8, 'mm', 0.015, 0, 'ISO 286'],
  ['Ø10 H7 DEEP 20', 'diameter', 1, 10, 'mm', 0.015, 0, 'ISO 286'],
  ['6x Ø9 auf TK Ø80', 'diameter', 6, 9, 'mm', none, none, ''],
  ['6 x Ø9 auf TK81', 'diameter', 6, 9, 'mm', none, none, ''],
  ['6x Ø9 on PCD 82', 'diameter', 6, 9, 'mm', none, none, ''],
  ['6X Ø9 ON A Ø83 B.C.', 'diameter', 6, 9, 'mm', none, none, ''],
  ['M10 (6H)', 'leader note', 1, 10, 'mm', none, none, 'written'],
  ['20 x 30', 'dimension', 1, 20, 'mm', none, none, ''],
  ['10 x 10 x 5', 'dimension', 1, 10, 'mm', none, none, ''],
  ['5,2 x 20mm', 'dimension', 1, 5.2, 'mm', none, none, ''],
  ['x 20mm', 'dimension', 1, 20, 'mm', none, none, ''],
  ['4x 12', 'dimension', 4, 12, 'mm', none, none, ''],
  ['3x10=30', 'dimension', 3, 10, 'mm', none, none, ''],
  ['5 x 18 (=90)', 'dimension', 5, 18, 'mm', none, none, ''],
  ['1 x 45°', 'leader note', 1, 1, 'mm', none, none, ''],
  ['2X 45°', 'dimension', 2, 45, '°', none, none, ''],
  ['C0.5', 'leader note', 1, 0.5, 'mm', none, none, ''],
  // The same size in the other unit.
  ['12.7 [.500]', 'dimension', 1, 12.7, 'mm', none, none, ''],
  ['12.7 ±0.1 [.500 ±.004]', 'dimension', 1, 12.7, 'mm', 0.1, -0.1, 'written', '12.7 [.500 ±.004] ±0.1'],
  ['.500 [12.7]', 'dimension', 1, 0.5, 'in', none, none, ''],
  ['12.7 (.500)', 'dimension', 1, 12.7, 'mm', none, none, ''],
  // Words before and behind.
  ['max. 25', 'dimension', 1, 25, 'mm', 0, none, 'written'],
  ['MIN 25', 'dimension', 1, 25, 'mm', none, 0, 'written'],
  ['25 MAX', 'dimension', 1, 25, 'mm', 0, none, 'written'],
  ['25 (ref)', 'dimension', 1, 25, 'mm', none, none, 'reference'],
  ['(12.5) REF', 'dimension', 1, 12.5, 'mm', none, none, 'reference'],
  ['R max. 0.5', 'radius', 1, 0.5, 'mm', 0, none, 'written'],
  ['12 DIA THRU', 'diameter', 1, 12, 'mm', none, none, ''],
  ['6x Ø7 EQ SP ON 55 PCD', 'diameter', 6, 7, 'mm', none, none, ''],
  ['R5 (TYP)', 'radius', 1, 5, 'mm', none, none, ''],
  ['R5 2 PLACES', 'radius', 2, 5, 'mm', none, none, ''],
  ['2 PL 5.0', 'dimension', 2, 5, 'mm', none, none, ''],
  ['5.0 2 PL', 'dimension', 2, 5, 'mm', none, none, ''],
  ['SW 17', 'dimension', 1, 17, 'mm', none, none, ''],
  ['AF 17', 'dimension', 1, 17, 'mm', none, none, ''],
  ['17 A/F', 'dimension', 1, 17, 'mm', none, none, ''],
  ['Ø50 PCD', 'diameter', 1, 50, 'mm', none, none, ''],
  ['PCD 50', 'diameter', 1, 50, 'mm', none, none, ''],
  ['.250 DIA', 'diameter', 1, 0.25, 'mm', none, none, ''],
  ['t=2', 'dimension', 1, 2, 'mm', none, none, ''],
  ['3 THK', 'dimension', 1, 3, 'mm', none, none, ''],
  ['25 BSC', 'dimension', 1, 25, 'mm', none, none, 'basic'],
  ['SR10', 'radius', 1, 10, 'mm', none, none, ''],
  ['SØ20', 'diameter', 1, 20, 'mm', none, none, ''],
  // Holes and threads.
  ['Ø6.6 THRU', 'diameter', 1, 6.6, 'mm', none, none, ''],
  ['Ø12H7 durch', 'diameter', 1, 12, 'mm', 0.018, 0, 'ISO 286', 'Ø12 H7 durch'],
  ['Ø11 CBORE 6.5', 'counterbore', 1, 11, 'mm', none, none, ''],
  ["C'BORE Ø11 x 6.5", 'counterbore', 1, 11, 'mm', none, none, ''],
  ['Ø11 CSK 90°', 'counterbore', 1, 11, 'mm', none, none, ''],
  ['M6 DP 12', 'leader note', 1, 6, 'mm', none, none, ''],
  ['M6 x 1 - 6H', 'leader note', 1, 6, 'mm', none, none, 'written'],
  ['G1/4', 'leader note', 1, 0.25, 'in', none, none, ''],
  ['Rc 1/8', 'leader note', 1, 0.125, 'in', none, none, ''],
  ['NPT 1/4', 'leader note', 1, 0.25, 'in', none, none, ''],
  ['1 1/4-20 UNC', 'leader note', 1, 1.25, 'in', none, none, ''],
  ['#10-32 UNF', 'leader note', 1, 0.19, 'in', none, none, ''],
];

const SMALL: readonly Row[] = [
  // Small sizes with large deviations.
  ['0.5 -0.3', 'dimension', 1, 0.5, 'mm', 0, -0.3, 'written'],
  ['R0.2 +0.2', 'radius', 1, 0.2, 'mm', 0.2, 0, 'written'],
  ['0.3 +0.2', 'dimension', 1, 0.3, 'mm', 0.2, 0, 'written'],
  ['1 +0.6', 'dimension', 1, 1, 'mm', 0.6, 0, 'written'],
  // Chamfers that have lost the sign of their angle.
  ['0.5x45', 'leader note', 1, 0.5, 'mm', none, none, ''],
  ['1,5x45', 'leader note', 1, 1.5, 'mm', none, none, ''],
  ['0.8 x 30', 'leader note', 1, 0.8, 'mm', none, none, ''],
  ['1.5x20', 'dimension', 1, 1.5, 'mm', none, none, ''],
  // Words whose case or number says that a size is meant.
  ['T=3', 'dimension', 1, 3, 'mm', none, none, ''],
  ['s=2', 'dimension', 1, 2, 'mm', none, none, ''],
  ['t5', 'dimension', 1, 5, 'mm', none, none, ''],
  ['RAD 5', 'radius', 1, 5, 'mm', none, none, ''],
  ['Rad. 6', 'radius', 1, 6, 'mm', none, none, ''],
  ['SW 5.5', 'dimension', 1, 5.5, 'mm', none, none, ''],
  ['SW 2', 'dimension', 1, 2, 'mm', none, none, ''],
  ['A/F 3/4"', 'dimension', 1, 0.75, 'in', none, none, ''],
  ['MAX 4000 mm', 'dimension', 1, 4000, 'mm', 0, none, 'written'],
  ['MAX 900', 'dimension', 1, 900, 'mm', 0, none, 'written'],
  // Limits that steels, days and times are like.
  ['10.30-10.35', 'dimension', 1, 10.35, 'mm', 0, -0.05, 'limits'],
  ['9.98-10.02', 'dimension', 1, 10.02, 'mm', 0, -0.04, 'limits'],
  ['Ø10.30-11.45', 'diameter', 1, 11.45, 'mm', 0, -1.15, 'limits'],
  ['27.11-28.11 mm', 'dimension', 1, 28.11, 'mm', 0, -1, 'limits'],
  ['Ø1.4301-1.4305', 'diameter', 1, 1.4305, 'mm', 0, -0.0004, 'limits'],
  ['100 - 99.95', 'dimension', 1, 100, 'mm', 0, -0.05, 'limits'],
  ['0.0-0.5 mm', 'dimension', 1, 0.5, 'mm', 0, -0.5, 'limits'],
];

describe('texts of a sheet as rows of an inspector', () => {
  test('small sizes, lost degrees, words by case, limits near dates', () => expectRows(SMALL));
  test('values: limits, minutes, counts', () => expectRows(VALUES));
  test('forms: products, two units, words, holes and threads', () => expectRows(FORMS));
});

async function expectRows(wanted: readonly Row[]): Promise<void> {
  const rows = await rowsOf(wanted.map(([said]) => said));
  const found = wanted.map(([said, , , , , , , , reading = said]) => {
    const plain = reading.replaceAll('Ø', '⌀').replace(/\s/g, '');
    const row = rows.find((each) => each.reading.replace(/\s/g, '') === plain);
    return row && [said, row.kind, row.count, row.nominal, row.unit, row.upper, row.lower, row.from];
  });
  expect(found).toEqual(wanted.map((row) => row.slice(0, 8)));
}

test('numbers of parts, dates, scales, notes and materials are no sizes', async () => {
  const texts = [
    '10-12', '4711-2', '26-8249', '100-200', '3-4', '12-34-56', '2024-03', '2024-03-12', '12.05.2023', '07/11/2022',
    '1:2', 'SCALE 2:1', 'A3-2', 'C45', 'S235JR', 'SW 2019', 'REV 3', '4 HOLES', '2 PLACES', '8 x HOLES', '25 (1)',
    '5 (2)', '12.7 [3]', '4x10=50', 'MAX 20 kg', 'MIN 3 THREADS', 'SHEET 1 OF 2', 'BC 50', 'ISO 4762', 'DIN 912',
    '20 PCS', 't = 20 s', '10 kg', '3.1 NOTES', 'SEE 4-5', '58-62 HRC', '20-25 Nm', '0-10', '60-65', '20 °C',
    'T2', 'T25', 'T 2', 'Typ 2', 'Typ 10', 'TYP 100', 'SW 2.1', 'SW 7.0', 'AF 1', 'MAX 4000', 'S=1000', 'Rad 5',
    '1.4301-1.4305', '1.4301/1.4404', '27.11-28.11', '10.30-11.45', '0.0-0.5', '1 - 1', '1 -2',
    '1.4301', '1.0037', '1.4571', '3.3206', '1.2379', '07.2026', '12.2026',
  ]; // biome-ignore format: a list
  expect((await rowsOf(texts)).map(({ reading }) => reading)).toEqual([]);
});

test('numbers like those of materials are sizes on a sheet in inches, and with a tolerance', async () => {
  const readings = async (texts: readonly string[]): Promise<string[]> =>
    (await rowsOf(texts)).map(({ reading }) => reading).sort();
  expect(await readings(['1.2500', '2.0625', '1.4301'])).toEqual(['1.2500', '1.4301', '2.0625']);
  expect(await readings(['.250', '1.4301'])).toEqual(['.250', '1.4301']);
  expect(await readings(['1.4301 ±.0005', '1.4301 mm'])).toEqual(['1.4301 mm', '1.4301 ±.0005']);
  expect(await readings(['25.4', '1.4301'])).toEqual(['25.4']);
  expect(await readings(['DIMENSIONS ARE IN INCHES', '1.4301'])).toEqual(['1.4301']);
});

test('pairs of fits and fits outside of the tables say why they have no deviations', async () => {
  const rows = await listOf(sheetOf(['Ø20 H7/g6', '600 H7', '11.30/11.20']), 'a.pdf');
  expect(rows.map(({ reading, upper, lower, from, why }) => [reading, upper, lower, from, why])).toEqual([
    ['⌀20 H7/g6', none, none, '', 'a pair of fits: hole +0.021 0, shaft -0.007 -0.02'],
    ['600 H7', none, none, '', 'ISO 286 has no H7 for 600 mm in the tables that are known here'],
    ['11.30/11.20', 0, -0.1, 'limits', none],
  ]);
});

describe('limits above each other at the line spacing of text', () => {
  const lines = Array.from({ length: 80 }, (_, i) => `M${150 + i} 100L${150 + i} ${110 + (i % 7)}`).join('');
  const svg = (texts: string): Uint8Array =>
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297">` +
        `<path fill="none" stroke="#000" stroke-width=".3" d="M5 5L415 5L415 292L5 292L5 5${lines}"/>${texts}</svg>`,
    );
  const wanted = ['radius', 1, 11.3, 0, -0.1, 'limits'];
  const first = ({ kind, count, nominal, upper, lower, from }: InspectionRow): unknown[] => [
    kind, count, nominal, upper, lower, from,
  ]; // biome-ignore format: one row

  test.each([
    [0, 0.85],
    [0, 1.02],
    [0, 1.2],
    [0, 1.3],
    [-90, 1.2],
  ])('SVG, turned by %d°, %d font heights apart', async (turn, pitch) => {
    const size = 4.2;
    const at = (said: string, x: number, y: number): string =>
      `<text x="${x}" y="${y}" font-size="${size}" transform="rotate(${turn} 60 60)">${said}</text>`;
    const half = (pitch * size) / 2;
    const rows = await listOf(
      svg(at('R', 60, 60) + at('11.30', 63.8, 60 - half) + at('11.20', 63.8, 60 + half)),
      'a.svg',
    );
    expect(rows.map(first)).toEqual([wanted]);
  });

  test.each([
    [1.3, 0],
    [1.5, 0],
    [1.67, 0],
    // The sign stands on the line of the lower one.
    [1.3, 1],
  ])('texts of a DXF, %d capitals apart', async (pitch, low) => {
    const height = 3.5;
    const half = (pitch * height) / 2;
    const strokes = Array.from({ length: 60 }, (_, i) => line(20 + i, 20, 20 + i, 30 + (i % 7)));
    const rows = await listOf(
      dxf({
        entities: [
          ...strokes,
          text('R', 90, 60 - low * half, height),
          text('11.30', 93.4, 60 + half, height),
          text('11.20', 93.4, 60 - half, height),
        ],
      }),
      'a.dxf',
    );
    expect(rows.map(first)).toEqual([wanted]);
  });
});

test('a zero whose gap was lost in pixels is the lower deviation; where the file holds the text it is a figure', () => {
  const said = (text: string, confidence?: number): unknown => {
    const piece = { text, start: 0, end: 50, ...(confidence !== undefined && { confidence }) };
    const [{ reading }] = readLines([{ text, angleRad: 0, height: 5, start: 0, end: 50, t: 0, pieces: [piece] }]);
    return [reading.text, ...reading.toleranceTexts];
  };
  expect(said('12,5 +0,10', 0.9)).toEqual(['12,5', '+0,1', '0']);
  expect(said('12,5 +0,1', 0.9)).toEqual(['12,5', '+0,1']);
  expect(said('12,5 +0,10')).toEqual(['12,5', '+0,10']);
  expect(said('12,5 +0,10 -0,20', 0.9)).toEqual(['12,5', '+0,10', '-0,20']);
});
