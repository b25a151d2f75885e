// Letters of pictures that a dimension line runs through, and brackets about a single figure.
import { expect, test } from 'vitest';
import { bitmapOf, componentsOf } from '../../dist/bitmap/bitmap.js';
import { takeOut } from '../../dist/pmi/pictures/line-bands.js';
import { rejoined } from '../../dist/pmi/pictures/lines/rejoined.js';
import { asWholeLine } from '../../dist/pmi/pictures/surer-line.js';

/** How many pieces a picture with one level line has after that is taken out, and where the halves are joined. */
function piecesOf(rows: readonly string[], letter: number, line: number): readonly [cut: number, joined: number] {
  const [width, height] = [rows[0].length, rows.length];
  const inside = bitmapOf(
    width,
    height,
    Uint8Array.from([...rows.join('')], (sign) => (sign === '#' ? 1 : 0)),
  );
  const found = { x0: 0, y0: line, x1: width, y1: line, thickness: 2 };
  const left = inside.bits.slice();
  takeOut(found, left, width);
  const cut = componentsOf(bitmapOf(width, height, left), 8);
  const large = ({ list }: Pick<typeof cut, 'list'>): number => list.slice(1).filter(({ area }) => area > 2).length;
  const before = large(cut);
  const joined = rejoined(cut, [found], { inside, left, least: letter, most: letter });
  joined.list.forEach(({ area }, number) => {
    if (number > 0) expect(joined.labels.filter((label) => label === number).length).toBe(area);
  });
  return [before, large(joined)];
}

const LINE = '#'.repeat(32);
const UPPER = Array.from({ length: 6 }, (_, i) => `${i < 2 ? '....##########' : '....##........'}${'.'.repeat(18)}`);
const LOWER = Array.from({ length: 7 }, (_, i) => `${i < 5 ? '............##' : '....##########'}`.padEnd(32, '.'));

test('the halves of a 5 that a line runs through are one letter, with the ink between them', () => {
  const empty = '.'.repeat(32);
  expect(piecesOf([empty, ...UPPER, LINE, LINE, ...LOWER, empty], 15, 8)).toEqual([2, 1]);
});

test('letters above and below a line are two, and so is what is no letter together', () => {
  const empty = '.'.repeat(32);
  const low = [empty, ...UPPER, LINE, LINE, ...LOWER, empty];
  // As high as two letters, or as half of one.
  expect(piecesOf(low, 8, 8)).toEqual([2, 2]);
  expect(piecesOf(low, 30, 8)).toEqual([2, 2]);
  // Beside each other along the line.
  const beside = LOWER.map((row) => `${'.'.repeat(16)}${row.slice(0, 16)}`);
  expect(piecesOf([empty, ...UPPER, LINE, LINE, ...beside, empty], 15, 8)).toEqual([2, 2]);
});

test.each(['()', '(Ⓟ', '(Ⓢ)'])('a reference value of one figure that the line reads as %s is one', (said) => {
  const word = { text: '(8)', confidence: -0.01, start: 0, width: 30 };
  const text = { text: '(8)', confidence: -0.01, x: 0, y: 0, angleRad: 0, height: 20, width: 30 };
  const read = { ...text, count: 3, isBars: false, words: [word], fill: 0.2 };
  const letters = [...said].map((sign, i) => ({ text: sign, at: 10 * i, place: i, sure: -0.2 }));
  const whole = { text: said, confidence: -0.2, letters, scores: { values: new Float32Array(0), places: 0 } };
  const around = { before: 0, behind: 0, whole };
  expect(asWholeLine(read as never, around as never)?.text).toBe('(8)');
  expect(asWholeLine({ ...read, confidence: -0.5 } as never, around as never)?.text).not.toBe('(8)');
});

test('a lone figure that both readers say is as sure as the surer one; a bar and a ring are not', () => {
  const sure = (said: string, whole: string): number | undefined => {
    const word = { text: said, confidence: -0.45, start: 0, width: 14 };
    const text = { ...word, x: 0, y: 0, angleRad: 0, height: 20, count: 1, isBars: false, words: [word], fill: 0.2 };
    const letters = [{ text: whole, at: 7, place: 3, sure: -0.02 }];
    const scores = { values: new Float32Array(0), places: 0 };
    const around = { before: 0, behind: 0, whole: { text: whole, confidence: -0.02, letters, scores } };
    return asWholeLine(text as never, around as never)?.words[0].confidence;
  };
  expect(sure('5', '5')).toBe(-0.02);
  expect(sure('5', '6')).toBe(-0.45);
  expect(sure('1', '1')).toBe(-0.45);
  expect(sure('0', '0')).toBe(-0.45);
});
