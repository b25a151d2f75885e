// Points of pixels that the reader of lines holds for less likely than none.
import { expect, test } from 'vitest';
import type { PictureText } from '../../dist/pmi/pictures/picture-text.js';
import { withUsualPoints } from '../../dist/pmi/pictures/usual-points.js';

function textOf(text: string): PictureText {
  const words = text.split(' ').map((word, i) => ({ text: word, confidence: 0, start: 50 * i, width: 40 }));
  const count = text.replaceAll(' ', '').length;
  return {
    text,
    confidence: 0,
    x: 0,
    y: 0,
    angleRad: 0,
    height: 16,
    width: 90,
    count,
    isBars: false,
    words,
    fill: 0.2,
  };
}

/** Texts of a page, where those that are named are so much less likely than what was read. */
function read(texts: readonly string[], less: Readonly<Record<string, number>>): string[] {
  const found = withUsualPoints(
    texts.map(textOf),
    ({ text }) =>
      (said) =>
        said === text ? 0 : (less[said] ?? -9),
  );
  expect(found.map(({ words }) => words.map((word) => word.text).join(' '))).toEqual(found.map(({ text }) => text));
  return found.map(({ text }) => text);
}

test('a point that is nearly as likely as none counts where the numbers of the page have one', () => {
  const page = ['12.5', '61.0', '⌀30.2', 'R4.5 ±0.2', '107.4', '8.2', '105', '90', '36'];
  expect(read([...page, '699', '4x ⌀112 H7'], { '69.9': -2, '4x ⌀11.2 H7': -1 })).toEqual([
    ...page,
    '69.9',
    '4x ⌀11.2 H7',
  ]);
  // One that the network gives no chance, other decimals than those of the page, counts, angles and names.
  const others = ['699', '145', '15x 8.5', '15°', 'M20x15', 'A12'];
  const less = { '69.9': -4, '1.45': -2, '1.5x 8.5': -1, '1.5°': -1, 'M20x1.5': -1, 'A1.2': -1 };
  expect(read([...page, ...others], less)).toEqual([...page, ...others]);
});

test('zeros before points are as those of the page, commas too, and whole numbers stay where most are whole', () => {
  const inches = ['.91', '.8', '2.29', '1.97 ±.01', '.36', '4.66', '1.33', '.72', '2.86'];
  expect(read([...inches, 'R2', '124 ±027'], { 'R.2': -1.6, '1.24 ±027': -2, '124 ±.027': -1 })).toEqual([
    ...inches,
    'R.2',
    '1.24 ±027',
  ]);
  expect(read([...inches, '0'], { '.0': -0.3 })).toEqual([...inches, '0']);
  expect(read(['12,5', '61,0', '30,2', '4,5', '107,4', '1076'], { '107,6': -1, '107.6': -0.5 })).toContain('107,6');
  const whole = ['12', '61', '30', '45', '107', '90.5', '36', '40', '44', '8.5', '7.5'];
  expect(read([...whole, '125'], { '12.5': -1.5 })).toEqual([...whole, '125']);
});
