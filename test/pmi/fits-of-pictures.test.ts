import { expect, test } from 'vitest';
import { asFitted, asShaft } from '../../dist/pmi/sizes/read-fits.js';
import { stackedPieces } from '../../dist/pmi/sizes/stacked-pieces.js';

test('below the fit of a hole, and behind a slash, letters are small and a 9 is a g', () => {
  expect(['K6', 'P6', 'JS7', '96', 'd9'].map(asShaft)).toEqual(['k6', 'p6', 'js7', 'g6', 'd9']);
  expect(asFitted('176 JS9/K6')).toBe('176 JS9/k6');
});

test('ends of the dimension line and marks beside a fit are no part of a size; other texts stay', () => {
  expect(['-109.92 h6', '.56.75 H7/d9', '162.G6/js7', '42 H7°'].map(asFitted)).toEqual([
    '109.92 h6',
    '56.75 H7/d9',
    '162 G6/js7',
    '42 H7',
  ]);
  for (const text of ['-5', '.56', '12.5', '30°', 'A-A', '4711-2']) expect(asFitted(text)).toBe(text);
});

test('two small texts above each other behind a higher one stand apart from it, a letter beside them with them', () => {
  const placed = (text: string, start: number, end: number, t: number, height: number) => ({
    ...{ text, start, end, t, height, confidence: 1 },
  });
  const size = placed('64.1', 0, 70, 100, 26);
  const [upper, lower] = [placed('+0.09', 76, 120, 90, 16), placed('+0', 76, 95, 103, 16)];
  expect([...stackedPieces([size, upper, lower])]).toEqual([upper, lower]);
  const [hole, j, shaft] = [
    placed('N9', 76, 100, 90, 16),
    placed('j', 76, 80, 106, 16),
    placed('s7', 83, 100, 106, 16),
  ];
  expect(new Set(stackedPieces([size, hole, j, shaft]))).toEqual(new Set([hole, j, shaft]));
  // The fit before them is of the size, though a zero may be read nearly as high.
  const [fit, zero] = [placed('G6', 73, 80, 100, 26), placed('0', 84, 92, 105, 23)];
  expect(new Set(stackedPieces([size, fit, placed('+0.09', 84, 120, 88, 21), zero]))).not.toContain(fit);
  // Rows of a table have no higher text before them.
  expect(stackedPieces([upper, lower]).size).toBe(0);
  expect(stackedPieces([placed('12.5', 0, 70, 100, 16), upper, lower]).size).toBe(0);
});
