import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readDimension } from '../../dist/pmi/dimension-text.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';

const wordsOf = ({ text, tolerance = [] }: { readonly text: string; readonly tolerance?: readonly string[] }): string =>
  [text, ...tolerance].join(' ');

/** The sizes of a page that has these texts, each with its place in points. */
async function sizesOf(...texts: readonly (readonly [text: string, x: number, y: number])[]): Promise<string[]> {
  const content = `${lineWork(400)}0 0 0 rg\n${texts.map(([text, x, y]) => textAt(text, x, y, 10)).join('')}`;
  const found = await readContent(pdf([{ content }]), 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (found.kind !== 'drawing') throw new Error(`a ${found.kind}`);
  return readPmi(found).pages.flatMap(({ objects }) => objects.map(({ parts }) => parts.map(wordsOf).join(' ')));
}

describe('numbers beside the name of something else are no sizes', () => {
  test.each([
    ['DENSITY', '7.85'],
    ['Dichte', '7.85'],
    ['PROPERTY CLASS', '8.8'],
    ['Festigkeitsklasse:', '10.9'],
    ['QTY', '12'],
    ['POS.', '3'],
    ['TEL', '71112345'],
    ['WEIGHT (KG)', '2.35'],
    ['RESOLUTION', '1280 x 600'],
    ['FINISH CODE:', '17'],
  ])('%s %s', async (label, value) => {
    expect(await sizesOf(['25 H7', 100, 700], [label, 100, 500], [value, 240, 500])).toEqual(['25 H7']);
  });

  test('nor are those with the unit of something else', async () => {
    expect(await sizesOf(['25 H7', 100, 700], ['58', 100, 500], ['HRC', 125, 500])).toEqual(['25 H7']);
    expect(await sizesOf(['25 H7', 100, 700], ['7.85', 100, 500], ['g/cm3', 140, 500])).toEqual(['25 H7']);
  });

  test('those beside the name of a length, with a sign, or far away are', async () => {
    expect(await sizesOf(['25 H7', 100, 700], ['LENGTH:', 100, 500], ['40', 200, 500])).toEqual(['25 H7', '40']);
    expect(await sizesOf(['25 H7', 100, 700], ['ITEM', 100, 500], ['\xd840', 200, 500])).toEqual(['25 H7', '⌀40']);
    expect(await sizesOf(['25 H7', 100, 700], ['ITEM', 40, 500], ['40', 500, 500])).toEqual(['25 H7', '40']);
    expect(await sizesOf(['25 H7', 100, 700], ['17 PCS', 100, 500], ['40', 200, 500])).toEqual(['25 H7', '40']);
    expect(await sizesOf(['25 H7', 100, 700], ['ITEM', 100, 500], ['40', 200, 480])).toEqual(['25 H7', '40']);
  });
});

describe('lists without lines have no sizes', () => {
  const cells = (y: number, ...texts: string[]): [string, number, number][] =>
    texts.map((text, i) => [text, [100, 140, 190, 290][i], y]);
  const rows = [
    cells(485, '1', '4', 'SCREW', 'M8x20'),
    cells(470, '2', '4', 'WASHER', '8.4'),
    cells(455, '3', '1', 'NUT', 'M8'),
  ].flat();

  test('below their headings, and above them', async () => {
    const heads = (y: number): [string, number, number][] => cells(y, 'POS', 'QTY', 'DESCRIPTION', 'STANDARD');
    expect(await sizesOf(['25 H7', 100, 700], ...heads(500), ...rows)).toEqual(['25 H7']);
    expect(await sizesOf(['25 H7', 100, 700], ...heads(440), ...rows)).toEqual(['25 H7']);
  });

  test('what stands beside a list, or farther below it, is none of it', async () => {
    const heads = cells(500, 'POS', 'QTY', 'DESCRIPTION', 'STANDARD');
    const beside = [['61', 480, 470], ['62', 100, 300]] as const; // biome-ignore format: a pair
    expect(await sizesOf(['25 H7', 100, 700], ...heads, ...rows, ...beside)).toEqual(['25 H7', '61', '62']);
  });

  test('a list of holes has sizes', async () => {
    const heads = cells(500, 'HOLE', 'X', 'Y', 'SIZE');
    const found = await sizesOf(['25 H7', 100, 700], ...heads, ...cells(485, 'A1', '10.5', '20.5', '\xd86'));
    expect(found).toEqual(['25 H7', '10.5', '20.5', '⌀6']);
  });
});

test.each([
  'M8x20-8.8', 'M8x20 - 10.9', 'M10 12.9', '4x M6 x 16 - A2-70', 'M8 A4', '1920 x 1080', '1280x720', 'ISO 4762 M8x20',
  '27.11.2026', '27-11-26', '0711 123456', '+49 711 123456',
])('%s is no size', (text) => {
  expect(readDimension(text)).toBeUndefined();
}); // biome-ignore format: a table

test.each(['M8x20', 'M10 - 1.5', 'M8-6H', '192 x 108', '8.8', '4x M6 x 16', '1920 x 1000'])('%s is one', (text) => {
  expect(readDimension(text)).toBeDefined();
});
