import { expect, test } from 'vitest';
import { likeliest } from '../../dist/pmi/outlines/likeliest.js';
import type { Glyph } from '../../dist/pmi/outlines/line-glyphs.js';
import { letterGapOf, wordsOf } from '../../dist/pmi/outlines/line-words.js';
import { asWritten } from '../../dist/pmi/title-values.js';

const HIGH = 10;
/** Widths of letters, in heights of capitals. */
const WIDE = 0.6;
const BAR = 0.02;

/** Glyphs of strokes beside each other: letters, and the gap before each in heights of capitals. */
function lineOf(letters: readonly (readonly [text: string, gap: number])[]): Parameters<typeof wordsOf>[0] {
  let at = 0;
  const glyphs = letters.map(([text, gap]) => {
    const minS = at + gap * HIGH;
    at = minS + (/[I.:]/.test(text) ? BAR : WIDE) * HIGH;
    const blobs = [{ isFill: false, strokes: [0] }];
    return { blobs, candidates: [{ text, probability: 0.99 }], minS, maxS: at, minH: 0, maxH: HIGH };
  });
  const line = { glyphs, slant: { alongRad: 0, upRad: -Math.PI / 2 }, height: HIGH, baseline: 0, score: 0.99 };
  return line as unknown as { glyphs: Glyph[] } & Parameters<typeof wordsOf>[0];
}

/** Words of a line where plotters part wide letters by a gap. */
function said(letters: readonly (readonly [text: string, gap: number])[], gap: number): string[] {
  return wordsOf(lineOf(letters), gap).map(({ text }) => text);
}

test('a narrow letter in the room of a wide one begins no word, and a word that begins with one does', () => {
  const title = [['T', 0], ['I', 0.58], ['T', 0.25], ['L', 0.25], ['E', 0.25]] as const; // biome-ignore format: a row
  expect(said(title, 0.25)).toEqual(['TITLE']);
  expect(said([...title, ['I', 1.08], ['S', 0.25]], 0.25)).toEqual(['TITLE', 'IS']);
  // Letters that stand nearer have narrower gaps between words too.
  // biome-ignore format: a row
  const steel = [['A', 0], ['I', 0.2], ['S', 0.2], ['I', 0.2], ['3', 0.56], ['4', 0.2]] as const;
  expect(said(steel, 0.16)).toEqual(['AISI', '34']);
});

test('the usual gap between letters is that of wide ones, and unknown where there are few', () => {
  const wide = lineOf(['A', 'C', 'E', 'F', 'G', 'H', 'K', 'I'].map((letter) => [letter, 0.25]));
  expect(letterGapOf([wide])).toBeCloseTo(0.25, 6);
  expect(letterGapOf([lineOf([['A', 0], ['C', 0.25]])])).toBe(0); // biome-ignore format: a row
});

test('a first name that is shortened is a word of its own, and a number with its point is one word', () => {
  const name = [['K', 0], ['.', 0.2], ['I', 0.6], ['T', 0.2], ['O', 0.2]] as const; // biome-ignore format: a row
  expect(said(name, 0.2)).toEqual(['K.', 'ITO']);
  expect(
    said(
      [
        ['1', 0],
        ['.', 0.5],
        ['5', 0.5],
      ],
      0.2,
    ),
  ).toEqual(['1.5']);
});

test('a bar beside ones that have their hook is a slash, and a round letter at the end of a word is no zero', () => {
  const of = (text: string, others: readonly [string, number][] = [], probability = 0.95) => ({
    candidates: [{ text, probability }, ...others.map(([other, p]) => ({ text: other, probability: p }))],
    height: 1,
  });
  const bar = of('I', [['l', 0.33], ['/', 0.05]], 0.47); // biome-ignore format: a row
  expect(likeliest([of('0'), of('7'), bar, of('1'), of('1'), bar, of('2'), of('0')])).toBe('07/11/20');
  expect(likeliest([of('O'), bar, of('-'), of('0'), of(','), of('1'), of('9')])).toBe('0/-0,19');
  // A leaning six, and the small letter that a leaning capital looks like.
  expect(likeliest([of('ö'), of('.'), of('ö')])).toBe('6.6');
  expect(likeliest([of('N'), of('9'), of('/'), of('n'), of('ö')])).toBe('N9/n6');
  // Where no one is sure, bars are ones.
  expect(likeliest([of('2'), bar, of('5')])).toBe('215');
  expect(likeliest([of('N'), of('0'), of(':')])).toBe('NO:');
  expect(likeliest([of('R'), of('0'), of('.'), of('5')])).toBe('R0.5');
  // The seven of some plotters, and the teeth of a wheel.
  expect(likeliest([of('2'), of('T'), of('6'), of('8')])).toBe('2768');
  expect(likeliest([of('2'), of('0'), of('T')])).toBe('20T');
  // Shafts: no fit is `Js`, and an `m` may be two arches.
  const small = { ...of('s'), height: 0.7 };
  expect(likeliest([of('G'), of('6'), of('/'), of('J'), small, of('7')])).toBe('G6/js7');
  expect(likeliest([...'H8/n16'].map((text) => of(text)))).toBe('H8/m6');
});

test('fields are given as they are written, where letters leave open what they are', () => {
  expect(asWritten('Date', '0711112022')).toBe('07/11/2022');
  expect(asWritten('Date', '2022111107')).toBe('2022/11/07');
  expect(asWritten('Date', '20221107')).toBe('20221107');
  expect(asWritten('Part number', '0711112022')).toBe('0711112022');
  expect(asWritten('Part number', '44 -1248')).toBe('44-1248');
  for (const date of ['2024 -03 -12', '2024-03 -12', '2024 -03-12']) expect(asWritten('Date', date)).toBe('2024-03-12');
  expect(asWritten('Date', '12 -03 -2024')).toBe('12-03-2024');
  expect(asWritten('Material', 'EN AW -6082 - T6')).toBe('EN AW-6082 - T6');
  expect(asWritten('Material', 'S235 -JR')).toBe('S235-JR');
  for (const negative of ['Temp -5', 'PLATE -10 mm', '1 -2', 'PLATE -1000 mm', 'Temp -150'])
    expect(asWritten('Title', negative)).toBe(negative);
});

test('an open head of a dimension line beside its value is no word', () => {
  expect(said([['<', 0], ['9', 0.9], ['7', 0.2]], 0.2)).toEqual(['97']); // biome-ignore format: a row
});
