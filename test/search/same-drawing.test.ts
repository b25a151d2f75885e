import { expect, test } from 'vitest';
import type { Drawing } from '../../dist/content/drawing.js';
import { packInks } from '../../dist/descriptors/page-inks.js';
import { packPictures } from '../../dist/descriptors/pack-pictures.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { readContent } from '../../dist/readers/read.js';
import { inkOfSheet } from '../../dist/shapelets/page-layout.js';
import { statedRuns } from '../../dist/search/views/inks/text-lines.js';
import { isSameDrawing, ReadDrawing } from '../../dist/search/views/same-drawing.js';
import { stopwatch } from '../fixtures/stopwatch.js';

// What is not read of a drawing, or stands elsewhere, does not count as the same.

interface Words {
  readonly text: string;
  /** Shares of the page. */
  readonly x: number;
  readonly y: number;
}

const LINES = '<path d="M40 50H240V150H40Z"/><circle cx="100" cy="90" r="20"/>';
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="297mm" viewBox="0 0 420 297">
  <g fill="none" stroke="black">${LINES}</g></svg>`;

/** So many pages with the same lines and these words, of a file with so many pages. */
async function drawingOf(words: readonly Words[], count = 1, pageCount = count): Promise<ReadDrawing> {
  const settings = { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as const;
  const { sheets } = (await readContent(new TextEncoder().encode(SVG), 'page.svg', settings)) as Drawing;
  const { ink } = inkOfSheet(sheets[0]);
  const text = words.map((word) => word.text).join('\n');
  let end = -1;
  const runs = words.map(({ text: own, x, y }) => {
    const start = end + 1;
    end = start + own.length;
    return { start, end, box: { x, y, width: 0.006 * own.length, height: 0.01 } };
  });
  const numbers = Array.from({ length: count }, (_, i) => i + 1);
  return new ReadDrawing({
    inks: packInks(numbers.map((number) => ({ ...ink!, number }))),
    pictures: packPictures([]),
    pages: numbers.map((number) => ({ number, name: String(number), text, runs })),
    pageCount,
  });
}

const ROWS = ['A', 'B', 'C'].map((text, i) => ({ text, x: 0.7, y: 0.3 + 0.012 * i }));
const sizes = (...texts: readonly string[]): Words[] => texts.map((text, i) => ({ text, x: 0.75, y: 0.3 + 0.012 * i }));

test('sizes that change places between rows of a table are other sizes, however close the rows are', async () => {
  const first = await drawingOf([...ROWS, ...sizes('10', '12', '14')]);
  expect(isSameDrawing(first, await drawingOf([...ROWS, ...sizes('10', '12', '14')]))).toBe(true);
  expect(isSameDrawing(first, await drawingOf([...ROWS, ...sizes('12', '10', '14')]))).toBe(false);
  expect(isSameDrawing(first, await drawingOf([...ROWS, ...sizes('12', '14', '10')]))).toBe(false);
  // All a little lower and farther right, as by another font.
  const lower = [...ROWS, ...sizes('10', '12', '14')].map(({ text, x, y }) => ({ text, x: x + 0.004, y: y + 0.003 }));
  expect(isSameDrawing(first, await drawingOf(lower))).toBe(true);
});

test('a drawing with pages or texts behind those that are read is never told the same', async () => {
  const four = await drawingOf([...ROWS], 4);
  expect(isSameDrawing(four, await drawingOf([...ROWS], 4))).toBe(true);
  expect(isSameDrawing(four, await drawingOf([...ROWS], 4, 5))).toBe(false);
  expect(isSameDrawing(await drawingOf([...ROWS], 4, 5), await drawingOf([...ROWS], 4, 5))).toBe(false);
  const long = [...ROWS, ...Array.from({ length: 20 }, (_, i) => ({ text: 'N'.repeat(1_200), x: 0.01, y: 0.04 * i }))];
  expect(isSameDrawing(await drawingOf(long), await drawingOf(long))).toBe(true);
  const longer = [...long, { text: 'N'.repeat(180_000), x: 0.01, y: 0.9 }];
  expect(isSameDrawing(await drawingOf(longer), await drawingOf(longer))).toBe(false);
});

test('thousands of equal pieces at one place are looked through quickly', () => {
  const count = 5_000;
  const box = { x: 0.1, y: 0.1, width: 0.01, height: 0.01 };
  const runs = Array.from({ length: count }, (_, i) => ({ start: i, end: i + 1, box }));
  const took = stopwatch();
  expect(statedRuns({ text: '1'.repeat(count), runs })).toHaveLength(1);
  // 7 s before.
  expect(took()).toBeLessThan(1_500);
  // Of more pieces than are compared nothing is left out.
  const more = Array.from({ length: 20_000 }, (_, i) => ({ start: i, end: i + 1, box }));
  expect(statedRuns({ text: '1'.repeat(20_000), runs: more })).toHaveLength(20_000);
});
