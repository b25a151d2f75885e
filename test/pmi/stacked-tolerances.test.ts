import { expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { LineIndex } from '../../dist/pmi/line-index.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readLines } from '../../dist/pmi/stacked-tolerances.js';
import { textLinesOf } from '../../dist/pmi/text-lines.js';
import { readContent } from '../../dist/readers/read.js';
import { pmiOfDxf, readingsOf } from '../fixtures/dxf-pmi.js';
import { text } from '../fixtures/dxf-writer.js';
import { lineWork, pdf, textAt } from '../fixtures/pdf-writer.js';
import { saidBy } from '../fixtures/said-pmi.js';
import { SheetMaker } from '../fixtures/sheet-maker.js';
import { stopwatch } from '../fixtures/stopwatch.js';
import { listOf } from '../fixtures/texts-in-formats.js';

/** A size at a height, and its deviations above and below it. */
type Stacked = readonly [size: string, y: number, ...deviations: string[]];

/** What is read of sizes that stand below each other. */
async function saidOf(...sizes: readonly Stacked[]): Promise<unknown[]> {
  const texts = sizes.map(
    ([size, y, upper, lower]) =>
      textAt(size, 200, y, 10) +
      (upper === undefined ? '' : textAt(upper, 216, y + 5, 6)) +
      (lower === undefined ? '' : textAt(lower, 216, y - 3, 6)),
  );
  const page = pdf([{ content: `${lineWork(400)}${texts.join('')}` }]);
  const found = await readContent(page, 'a.pdf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (found.kind !== 'drawing') throw new Error(`a ${found.kind}`);
  return readPmi(found).pages.flatMap(({ objects }) => objects.map(saidBy));
}

test('sizes close below each other have each their own deviations', async () => {
  expect(await saidOf(['40', 400, '+0.1', '-0.2'], ['60', 385, '+0.2', '0'])).toEqual([
    ['40', ['+0.1', '-0.2']],
    ['60', ['+0.2', '0']],
  ]);
});

test('a size without deviations between two that have some has none', async () => {
  const above = ['30', 415, '+0.1', '-0.1'] as const;
  const below = ['60', 385, '+0.2', '-0.3'] as const;
  expect(await saidOf(above, ['40', 400], below)).toEqual([['30', ['+0.1', '-0.1']], ['40'], ['60', ['+0.2', '-0.3']]]);
});

test('a count goes on in a thread and a size in its limit over a wide gap, other numbers do not', () => {
  const maker = new SheetMaker(842, 595);
  const rows = [
    ['11x', 'M3'],
    ['71.3', 'min.'],
    ['71.3', '14'],
  ];
  rows.forEach(([first, second], i) => {
    const y = 100 + 40 * i;
    maker.text(first, 100, y, 10);
    const { width } = maker.sheet().texts.at(-1)!;
    maker.text(second, 100 + width + 9, y, 10);
  });
  const sheet = maker.sheet();
  const lines = textLinesOf(sheet, new LineIndex(sheet));
  expect(lines.map(({ text }) => text)).toEqual(['11x M3', '71.3 min.', '71.3', '14']);
});

test('limits of one width are a pair where the heights of slanted letters were measured apart', () => {
  const maker = new SheetMaker(842, 595).text('59.22', 100, 100, 10).text('59.00', 100, 113, 14);
  const limitsOf = (width: number): string[] => {
    const sheet = maker.sheet();
    const texts = sheet.texts.map((text, i) => ({ ...text, width: i === 0 ? 30 : width, confidence: 1 }));
    const read = { ...sheet, texts };
    return readLines(textLinesOf(read, new LineIndex(read), { isRead: true })).map(
      ({ lowerLimit }) => lowerLimit ?? '',
    );
  };
  expect(limitsOf(31)).toEqual(['59.00']);
  expect(limitsOf(42)).toEqual(['', '']);
});

test('below a zero, a deviation that was read without its sign is negative', () => {
  const maker = new SheetMaker(842, 595).text('11.6', 100, 100, 10);
  const { width } = maker.sheet().texts[0];
  maker.text('0', 100 + width + 4, 95, 6).text('0.28', 100 + width + 4, 103, 6);
  const sheet = maker.sheet();
  const read = { ...sheet, texts: sheet.texts.map((text) => ({ ...text, confidence: 1 })) };
  const [{ reading }] = readLines(textLinesOf(read, new LineIndex(read), { isRead: true }));
  expect(reading.toleranceTexts).toEqual(['0', '-0.28']);
});

test('texts without end on one place are read in bounded time', () => {
  const maker = new SheetMaker(842, 595);
  for (let i = 0; i < 20_000; i++) maker.text('40', 300, 300);
  const sheet = maker.sheet();
  const took = stopwatch();
  const lines = textLinesOf(sheet, new LineIndex(sheet));
  expect(readLines(lines.slice(0, 1_000)).length).toBe(1_000);
  expect(lines.length).toBe(20_000);
  expect(took()).toBeLessThan(15_000);
}, 60_000);

test('a lower deviation on a line of its own belongs to the size above it whose upper one it continues', async () => {
  const words = [
    text('%%c12 -0.1', 20, 80, 3.5),
    text('-0.3', 36, 74, 3.5),
    text('16 -0.1', 20, 50, 3.5),
    text('-0.3', 32, 45, 3.5),
    // Too far below, and beside no deviation.
    text('18 -0.1', 120, 80, 3.5),
    text('-0.3', 132, 70, 3.5),
  ];
  expect(readingsOf(await pmiOfDxf(words))).toEqual(['⌀12 -0.1 -0.3', '18 -0.1', '16 -0.1 -0.3']);
});

/** What is said of texts on a dimension line of an SVG: the list of it, and what is told. */
async function onLine(texts: string): Promise<{ readings: readonly string[]; told: readonly string[] }> {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm" viewBox="0 0 297 210">' +
    '<path fill="none" stroke="#000" d="M5 5H290V205H5ZM20 50H130M20 42V52M130 42V52"/>' +
    `<path d="M20 50l3 -.5v1zM130 50l-3 -.5v1z"/>${texts}</svg>`;
  const { rows, told } = await listOf(new TextEncoder().encode(svg), 'a.svg');
  return { readings: rows.map(({ reading }) => reading), told };
}

/** The size 40 in capitals of 3.5 mm, with smaller deviations; `lower` and `upper`: how far these are raised. */
const stacked = (
  of: { size: number; lower: number; upper: number },
  [above, below]: readonly [string, string],
): string =>
  `<text x="60" y="48.5" font-size="4.861">40</text>` +
  [[above, of.upper] as const, [below, of.lower] as const]
    .map(([said, up]) => `<text x="65.8" y="${48.5 - up}" font-size="${of.size}">${said}</text>`)
    .join('');

test.each([
  [{ size: 2.917, lower: -0.2, upper: 2.8 }, ['+0.2', '-0.1']],
  [{ size: 2.917, lower: 0.5, upper: 3.2 }, ['0', '-0.2']],
  [{ size: 3.4, lower: 0, upper: 3.2 }, ['+0.1', '0']],
] as const)('small deviations stand above and below the middle of their size: %o', async (of, deviations) => {
  expect((await onLine(stacked(of, deviations))).readings).toEqual([`40 ${deviations.join(' ')}`]);
});

test('deviations beside a size that are not read as its own are told', async () => {
  const { readings, told } = await onLine(stacked({ size: 2.917, lower: 0.9, upper: 4 }, ['+0.2', '-0.1']));
  expect(readings).toEqual(['40']);
  expect(told.join()).toContain('+0.2; -0.1');
});

test('what is anchored in an SVG is the whole text up to the next position, not each of its runs', async () => {
  const deviations = '<tspan dy="-2" font-size="2.8">+0.3</tspan><tspan dy="3.6" dx="-6" font-size="2.8">-0.1</tspan>';
  for (const [anchor, x] of [['middle', 75], ['end', 81]] as const) // biome-ignore format: short
    expect((await onLine(`<text x="${x}" y="49" font-size="4" text-anchor="${anchor}">70${deviations}</text>`)).readings)
      .toEqual(['70 +0.3 -0.1']); // biome-ignore format: short
});
