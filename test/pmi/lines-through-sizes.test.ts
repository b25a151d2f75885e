import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

/** The sizes of a drawing with a text at 230 points and upright lines so far behind its start. */
async function read(text: string, lines: readonly number[]): Promise<string[]> {
  const walls = lines.map((x) => `.5 w ${230 + x} 540 m ${230 + x} 640 l S `).join('');
  return sizesOf(`${textAt(text, 230, 602)}${walls}`);
}

/** The sizes of a drawing with some content. */
async function sizesOf(content: string): Promise<string[]> {
  const drawn = `${lineWork(400)}0 g ${textAt('25 H7', 100, 700)}${content}`;
  const found = await readContent(pdf([{ content: drawn }]), 'a.pdf', {
    limits: DEFAULT_LIMITS,
    defaultUnit: 'mm',
  } as never);
  if (found.kind !== 'drawing') throw new Error(`a ${found.kind}`);
  const { pages } = readPmi(found);
  const all = pages.flatMap(({ objects }) => objects.map(({ parts }) => parts));
  return all
    .map((parts) => parts.map(({ text: said, tolerance = [] }) => [said, ...tolerance].join(' ')).join(' '))
    .filter((said) => said !== '25 H7')
    .sort();
}

test.each([
  ['\xd812.5 H7', [20, 26, 30, 34], '⌀12.5 H7'],
  ['20 \xb10.1', [8, 12, 16, 24], '20 ±0.1'],
  ['30 h6', [8, 12, 16, 20], '30 h6'],
  ['2x \xd88.5', [6, 14, 22], '2x ⌀8.5'],
  ['M8 x 20', [10, 18], 'M8 x 20'],
  ['R5 TYP', [6, 16, 24], 'R5 TYP'],
  ['1080 +2/-0', [24, 28, 40], '1080 +2 -0'],
  ['30 H7/g6', [14, 20, 30], '30 H7/g6'],
])('a centre line through %s does not part it', async (text, places, size) => {
  for (const place of places) expect([place, await read(text, [place])]).toEqual([place, [size]]);
});

test('sizes on both sides of a line are two', async () => {
  expect(await read('20 30', [15])).toEqual(['20', '30']);
  expect(await read('20 R5', [15])).toEqual(['20', 'R5']);
  expect(await read('20 M8', [15])).toEqual(['20', 'M8']);
  expect(await read('20 30 40', [15, 32])).toEqual(['20', '30', '40']);
});

test('single figures between extension lines are values of a chain, and letters of one number without', async () => {
  // Figures are 6.7 points wide, gaps 3.3.
  expect(await read('5 5', [8.3])).toEqual(['5', '5']);
  expect(await read('5 5 5', [8.3, 18.3])).toEqual(['5', '5', '5']);
  expect(await read('1 0 5', [])).toEqual(['105']);
  expect(await read('1 0 5', [-10, 40])).toEqual(['105']);
});

test('extension lines of a chain may end below its values', async () => {
  const xs = [100, 109, 118, 127];
  const lines = `.5 w 100 400 m 127 400 l S ${xs.map((x) => `${x} 380 m ${x} 401 l S `).join('')}`;
  const texts = xs.slice(0, 3).map((x) => textAt('5', x + 2, 402, 8));
  const content = `${lineWork(400)}0 g ${lines}${texts.join('')}`;
  const found = await readContent(pdf([{ content }]), 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (found.kind !== 'drawing') throw new Error(`a ${found.kind}`);
  const sizes = readPmi(found).pages.flatMap(({ objects }) => objects.map(({ parts }) => parts[0].text));
  expect(sizes).toEqual(['5', '5', '5']);
});

test.each([
  ['20 \xb10.1 30', [28, 34, 40], ['20 ±0.1', '30']],
  ['20 30 \xb10.1', [8, 16], ['20', '30 ±0.1']],
  ['20 H7 30 \xb10.1', [26, 34], ['20 H7', '30 ±0.1']],
])('%s is two sizes where a line stands in their gap, or near it', async (text, places, sizes) => {
  for (const place of places) expect([place, await read(text, [place, 90])]).toEqual([place, sizes]);
});

/** A table, rows from below, whose columns begin at these places; its texts begin so far behind the sides of cells. */
function tableOf(rows: readonly (readonly string[])[], columns: readonly number[], behind: readonly number[]): string {
  const top = 500 + 20 * rows.length;
  const right = columns[columns.length - 1];
  const upright = columns.map((x) => `.5 w ${x} 500 m ${x} ${top} l S `);
  const level = [...rows, []].map((_, i) => `${columns[0]} ${500 + 20 * i} m ${right} ${500 + 20 * i} l S `);
  const texts = rows.map((row, i) =>
    row.map((text, j) => textAt(text, columns[j] + behind[j], 505 + 20 * i, 10)).join(''),
  );
  return [...upright, ...level, ...texts].join('');
}

test('a deviation in the next cell is none of a size that has its own', async () => {
  const rows = [
    ['30 +0.2', '-0.1'],
    ['24 +0.1', '0'],
    ['40 +0.3', '-0.2'],
  ];
  // The texts of the first column end before its side, on it and behind it.
  for (const behind of [2, 4, 8])
    expect(await sizesOf(tableOf(rows, [100, 140, 180], [behind, 3]))).toEqual(['24 +0.1', '30 +0.2', '40 +0.3']);
});

test('a size and both of its deviations may be cells of a table', async () => {
  const rows = [
    ['30', '+0.2', '-0.1'],
    ['24', '+0.1', '0'],
  ];
  const read = await sizesOf(tableOf(rows, [100, 120, 146, 180], [4, 2, 3]));
  expect(read).toEqual(['24 +0.1 0', '30 +0.2 -0.1']);
});
