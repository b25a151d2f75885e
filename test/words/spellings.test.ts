import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lettersApart, respelled, type Vocabulary } from '../../src/words/spellings.js';

const FILES: Readonly<Record<string, number>> = {
  stainless: 9,
  steel: 20,
  stell: 1,
  flange: 5,
  flanges: 4,
  bracket: 2,
};
const vocabulary: Vocabulary = {
  has: (term) => term in FILES,
  beginning: (letters) =>
    Object.entries(FILES).flatMap(([term, files]) => (term.startsWith(letters) ? [{ term, files }] : [])),
};

describe('words that no file has', () => {
  test.each([
    ['stanless', ['stainless']],
    ['stainles stel', ['stainless steel', 'stainless stell']],
    ['tsainless', ['stainless']],
    ['Flagne M8 "as drawn"', ['flange M8 "as drawn"']],
    ['brakcett', ['bracket']],
    // Known, too short, with digits, or without a neighbour.
    ['steel flange', []],
    ['stx', []],
    ['ste3l', []],
    ['gearbox', []],
    ['stanless gearbox', []],
  ])('%s', (text, texts) => expect(respelled(text, vocabulary)).toEqual(texts));

  test('letters apart are as many as were changed at most, both ways', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const apart = lettersApart(a, b, 8);
        expect(lettersApart(b, a, 8)).toBe(apart);
        expect(apart === 0).toBe(a === b);
        expect(apart).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(Math.min(2, lettersApart(a, b, 1))).toBe(Math.min(2, apart));
      }),
    );
    expect(lettersApart('ab', 'ba', 2)).toBe(1);
  });
});
