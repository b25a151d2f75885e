import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import type { Sheet } from '../../dist/content/sheet.js';
import { LineIndex } from '../../dist/pmi/line-index.js';
import type { TextLine } from '../../dist/pmi/text-lines.js';
import { withUprights } from '../../dist/pmi/title-values.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';
import { saidBy } from '../fixtures/said-pmi.js';

/** What is read on a page with these texts and strokes. */
async function readOf(content: string): Promise<unknown[]> {
  return (await pmiOf(content)).pages[0].objects.map(saidBy);
}

async function pmiOf(content: string): Promise<ReturnType<typeof readPmi>> {
  const bytes = pdf([{ content: `${lineWork(400)}${content}` }]);
  const read = await readContent(bytes, 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm', ocr: false } as never);
  if (read.kind !== 'drawing') throw new Error(`a ${read.kind}`);
  return readPmi(read);
}

/** A circle of straight pieces around x, y. */
function polygon(x: number, y: number, radius: number, corners: number): string {
  const points = Array.from({ length: corners + 1 }, (_, i) => {
    const turn = (2 * Math.PI * (i + 0.5)) / corners;
    return `${(x + radius * Math.cos(turn)).toFixed(2)} ${(y + radius * Math.sin(turn)).toFixed(2)}`;
  });
  return `${points.map((point, i) => `${point} ${i === 0 ? 'm' : 'l'}`).join(' ')} S\n`;
}

test('a number whose letters stand apart is one number', async () => {
  const spaced = ['1 0 . 5', '1 2 0', 'R 2 , 5'].map((text, i) => textAt(text, 100 + 120 * i, 700));
  expect(await readOf(spaced.join(''))).toEqual([['10.5'], ['120'], ['R2,5']]);
});

test('words and lists of numbers keep their gaps', async () => {
  expect(await readOf(textAt('10 20 30', 100, 700) + textAt('A B', 300, 700) + textAt('25', 400, 600))).toEqual([
    ['25'],
  ]);
});

test('a degree sign that is drawn as a small polygon belongs to its number', async () => {
  // Helvetica of 12: `30` is 13.3 wide, `0.5x45` 36.7.
  const signs = polygon(100 + 15.5, 709, 1, 8) + polygon(200 + 39, 709, 1.2, 16);
  const rings = polygon(330, 650, 12, 16);
  expect(
    await readOf(textAt('30', 100, 700) + textAt('0.5x45', 200, 700) + textAt('44', 300, 700) + signs + rings),
  ).toEqual([['30°'], ['0.5x45°'], ['44']]);
});

test('a sign of depth that is drawn as strokes begins a size of its own', async () => {
  const depth = '170 708 m 178 708 l S 174 708 m 174 700 l S 174 700 m 171.5 704 l S 174 700 m 176.5 704 l S\n';
  expect(await readOf(textAt('2XM3X0.5', 112, 700) + depth + textAt('7 MIN', 180, 700))).toEqual([
    ['2XM3X0.5'],
    ['↧7 MIN'],
  ]);
});

test('a size above a much smaller one is not an upper limit', async () => {
  expect(await readOf(textAt('1.50', 100, 700) + textAt('0.50', 100, 685) + textAt('0.20', 100, 670))).toEqual([
    ['1.50'],
    ['0.50'],
    ['0.20'],
  ]);
  expect(await readOf(textAt('12.05', 100, 700) + textAt('11.95', 100, 686))).toEqual([[['12.05', '11.95']]]);
});

test('strokes that are no higher than letters are no borders between a label and its value', async () => {
  const fields = ['TITLE', 'MATERIAL', 'FINISH', 'WEIGHT', 'REVISION'];
  const values = ['BRACKET LH', 'AISI 304', 'ZINC PLATED', '1.2 kg', 'C'];
  const rows = fields.map((field, i) => {
    const y = 200 - 20 * i;
    const letters = [370, 374, 378].map((x) => `${x} ${y} m ${x} ${y + 9} l S\n`);
    return textAt(field, 300, y) + letters.join('') + textAt(values[i], 385, y);
  });
  const { attributes, fields: read = [] } = await pmiOf(rows.join(''));
  expect(attributes.map(({ name, value }) => [name, value])).toEqual([
    ['Name', 'BRACKET LH'],
    ['Material', 'AISI 304'],
    ['Finish', 'ZINC PLATED'],
    ['Mass', '1.2 kg'],
    ['Revision', 'C'],
  ]);
  // The file holds the text: no doubt is told.
  expect(read.map(({ name, value, page, confidence }) => [name, value, page, confidence > 0.95])).toEqual(
    attributes.map(({ name, value }) => [name, value, 1, true]),
  );
});

test('a value of pixels whose uprights were taken for lines is read again with them, or said with doubt', () => {
  // `Halter1`: H has two uprights, l and 1 one; the border of the cell is longer.
  const edges = [
    [100, 64, 100, 100],
    [120, 64, 120, 100],
    [170, 62, 170, 100],
    [235, 64, 235, 100],
    [80, 40, 80, 120],
  ];
  const sheet = {
    width: 400,
    height: 300,
    styles: [{ isFill: false }],
    strokes: {
      count: edges.length,
      points: Float32Array.from(edges.flat()),
      starts: Uint32Array.from({ length: edges.length + 1 }, (_, i) => 2 * i),
      styles: new Uint16Array(edges.length),
    },
  } as unknown as Sheet;
  const index = new LineIndex(sheet);
  const pieces = [{ text: 'a ter', start: 130, end: 225, confidence: 1 }] as unknown as TextLine['pieces'];
  const value: TextLine = { text: 'a ter', angleRad: 0, height: 50, start: 130, end: 225, t: 100, pieces };
  let asked: { x: number; width: number } | undefined;
  const again = withUprights(value, {
    index,
    textIn: (cell) => {
      asked = cell;
      return 'Halter1';
    },
  });
  expect([again.text, again.pieces[0].confidence]).toEqual(['Halter1', 0.9]);
  expect(asked!.x - asked!.width / 2).toBeGreaterThan(78);
  expect(asked!.x - asked!.width / 2).toBeLessThan(100);
  const unread = withUprights(value, { index, textIn: () => undefined });
  expect([unread.text, unread.pieces[0].confidence]).toEqual(['a ter', 0.6]);
  const written = { ...value, pieces: [{ ...pieces[0], confidence: undefined }] };
  expect(withUprights(written, { index, textIn: () => 'Halter1' })).toBe(written);
});
