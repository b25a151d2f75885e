import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
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
