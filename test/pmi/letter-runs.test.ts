import { expect, test } from 'vitest';
import type { Drawing } from '../../dist/content/drawing.js';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { isBallooned } from '../../dist/pmi/balloons.js';
import { LineIndex } from '../../dist/pmi/line-index.js';
import { LetterRuns } from '../../dist/pmi/sizes/letter-runs.js';
import { withLetterWidths } from '../../dist/pmi/sizes/letter-widths.js';
import { readContent } from '../../dist/readers/read.js';
import { stopwatch } from '../fixtures/stopwatch.js';

const letter = (text: string, start: number, t = 0) => ({ text, start, end: start + 5, t, height: 8 });

test('letters that stand close on one baseline are a word', () => {
  const placed = [...'123'].map((text, i) => letter(text, 6 * i));
  const others = [letter('4', 40), letter('5', 18, 10), letter('67', 60)];
  const runs = new LetterRuns([...others, ...placed.toReversed()]);
  expect([...placed, ...others].map((each) => runs.runOf(each))).toEqual(['123', '123', '123', '4', '5', '67']);
});

test('a point is narrower than the gap between letters: the nearest letter is the next one', () => {
  const [zero, point, last, five] = ['0', '.', '0', '5'].map((text, i) => letter(text, [0, 8, 9, 17][i]));
  const placed = [{ ...zero, end: 8 }, { ...point, end: 9 }, { ...last, end: 17 }, five];
  const runs = new LetterRuns(placed);
  expect(placed.map((each) => runs.runOf(each))).toEqual(['0.05', '0.05', '0.05', '0.05']);
});

test('a number in a row of boxes is in no balloon, however much of the next box is near', async () => {
  const boxes = [20, 30, 36, 42].map((x) => `<path d="M${x} 20L${x + 6} 20L${x + 6} 26L${x} 26Z"/>`).join('');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="80mm" viewBox="0 0 100 80">
    <g fill="none" stroke="#000" stroke-width="0.2">${boxes}</g></svg>`;
  const content = await readContent(new TextEncoder().encode(svg), 'a.svg', {
    limits: DEFAULT_LIMITS,
    defaultUnit: 'mm',
  } as never);
  const index = new LineIndex((content as Drawing).sheets[0]);
  for (let x = 20; x < 48; x += 0.25)
    for (const height of [2, 3, 4]) expect(isBallooned(index, x, 23, height)).toBe(false);
});

test('a longer piece is a word by itself: the number of a flag may stand close behind it', () => {
  const [size, note] = [{ ...letter('±0.15', 0), end: 30 }, letter('4', 31)];
  const runs = new LetterRuns([size, note]);
  expect([size, note].map((each) => runs.runOf(each))).toEqual(['±0.15', '4']);
});

test.each([
  ['one line', 20_000],
  ['rows', 140],
  ['one column', 1],
])('20000 single digits in %s are looked at in less than two seconds', (_, perRow) => {
  const placed = Array.from({ length: 20_000 }, (__, i) => letter('7', 20 * (i % perRow), 20 * Math.floor(i / perRow)));
  const took = stopwatch();
  const runs = new LetterRuns(placed);
  expect(placed.every((each) => runs.runOf(each) === '7')).toBe(true);
  expect(took()).toBeLessThan(2_000);
});

test('of letters that are texts of their own the widths are learned from what follows them', () => {
  const WIDTHS: Readonly<Record<string, number>> = { 0: 9, 1: 4, '.': 3 };
  const lines = ['10.0', '0.10', '100', '0.01', '11.0', '10', '1.00', '0.1', '10.1', '01.0'];
  const texts = lines.flatMap((line, row) => {
    let x = 10;
    return [...line].map((text) => {
      const letter = { text, x, y: 20 * row, angleRad: 0, height: 8, width: 5.5, annotation: -1 };
      x += WIDTHS[text];
      return letter;
    });
  });
  // One lies on a zero, and says nothing about its width.
  const stray = { ...texts[0], x: texts[1].x + 1, y: texts[1].y };
  const learned = withLetterWidths([...texts, stray]);
  for (const { text, width } of learned) expect(width).toBeCloseTo(WIDTHS[text], 6);
  expect(withLetterWidths(texts.slice(0, 20))).toEqual(texts.slice(0, 20));
  const words = texts.map((each) => ({ ...each, text: 'AB' }));
  expect(withLetterWidths(words)).toEqual(words);
});

test('a letter that only ends words is as wide as others, and signs may be as wide as figures', () => {
  const texts = ['5 THRU M4', '6 THRU H7', '5 THRU N1', '1/4-20 UNC', '1/4-20 UNC', '3/8-16 UNC'].flatMap((line, row) =>
    [...line].flatMap((text, i) =>
      text === ' '
        ? []
        : [
            {
              text,
              x: 6 * i,
              y: 20 * row,
              angleRad: 0,
              height: 8,
              width: '/-'.includes(text) ? 3 : 5.5,
              annotation: -1,
            },
          ],
    ),
  );
  const learned = withLetterWidths(texts);
  const widthOf = (letter: string): number => learned.find(({ text }) => text === letter)!.width;
  // An `W` is wide in itself.
  const wide = withLetterWidths(
    ['HINWEIS', 'WEIGHT', 'THREE'].flatMap((line, row) => {
      let x = 0;
      return [...line, ...line, ...line].map((text, i) => {
        const letter = {
          text,
          x,
          y: 20 * row,
          angleRad: 0,
          height: 8,
          width: text === 'W' ? 6.8 : 5.5,
          annotation: -1,
        };
        x += (text === 'W' ? 8 : 6) + (i % line.length === line.length - 1 ? 2 : 0);
        return letter;
      });
    }),
  );
  expect(wide.find(({ text }) => text === 'W')?.width).toBe(8);
  for (const letter of 'THRUNC/-') expect([letter, widthOf(letter)]).toEqual([letter, letter === 'C' ? 5.5 : 6]);
});

test('20000 letters at any distances have their widths in less than two seconds', () => {
  let x = 0;
  const texts = Array.from({ length: 20_000 }, (_, i) => {
    x += 5 + ((i * 7919) % 6007) / 1500;
    return { text: '7', x, y: 0, angleRad: 0, height: 8, width: 5, annotation: -1 };
  });
  const took = stopwatch();
  expect(withLetterWidths(texts)).toHaveLength(20_000);
  expect(took()).toBeLessThan(2_000);
});
