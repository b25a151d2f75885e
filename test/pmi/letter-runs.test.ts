import { expect, test } from 'vitest';
import { LetterRuns } from '../../dist/pmi/sizes/letter-runs.js';

const letter = (text: string, start: number, t = 0) => ({ text, start, end: start + 5, t, height: 8 });

test('letters that stand close on one baseline are a word', () => {
  const placed = [...'123'].map((text, i) => letter(text, 6 * i));
  const others = [letter('4', 40), letter('5', 18, 10), letter('67', 60)];
  const runs = new LetterRuns([...others, ...placed.toReversed()]);
  expect([...placed, ...others].map((each) => runs.runOf(each))).toEqual(['123', '123', '123', '4', '5', '67']);
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
  const from = performance.now();
  const runs = new LetterRuns(placed);
  expect(placed.every((each) => runs.runOf(each) === '7')).toBe(true);
  expect(performance.now() - from).toBeLessThan(2_000);
});
