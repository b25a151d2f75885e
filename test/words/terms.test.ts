import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TERM_LIMIT, joinedOf, keyOf, numberOf, numbersOf, phraseOf, termsOf } from '../../dist/words/terms.js';
import { stopwatch } from '../fixtures/stopwatch.js';

const terms = (text: string): string[] => termsOf(text).map(({ term }) => term);
const joined = (text: string): string[] => joinedOf(text, termsOf(text)).map(({ term }) => term);
const numbers = (text: string): string[] => numbersOf(text, termsOf(text)).map(({ term }) => term);

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(
      fc.constantFrom(
        'AB',
        '-',
        '12',
        '.',
        ',',
        ' ',
        'é',
        'e\u0301',
        'ß',
        '鋼',
        '板',
        'ｶﾞ',
        '\u1112\u1161\u11ab',
        'ไทย',
        '\u00ad',
        '\u200b',
        '\ud800',
        'שלום',
        '👩‍🔧',
        '½',
        'ﬁ',
        'Σ',
      ),
    )
    .map((parts) => parts.join('')),
);

describe('terms', () => {
  test.each([
    ['AB-123/4', ['ab', '123', '4']],
    ['ab123', ['ab', '123']],
    ['M8x1.25', ['m', '8', 'x', '1', '25']],
    ['Müller', ['muller']],
    ['Mu\u0308ller', ['muller']],
    ['Straße STRASSE', ['strasse', 'strasse']],
    ['Ø12 Łódź Ærø', ['o', '12', 'lodz', 'aero']],
    ['ΟΔΟΣ οδός', ['οδοσ', 'οδοσ']],
    ['Ёлка йод', ['елка', 'иод']],
    ['İstanbul ISPARTA ılık', ['istanbul', 'isparta', 'ilik']],
    ['ﬁne ＡＢＣ１２３ mm² ½', ['fine', 'abc', '123', 'mm', '2', '1', '2']],
    ['٣٫٥ ۴', ['3', '5', '4']],
    ['鋼', ['鋼']],
    ['鋼板材', ['鋼板', '板材', '材']],
    ['SUS304鋼板', ['sus', '304', '鋼板', '板']],
    ['カメラ ｶﾒﾗ', ['カメ', 'メラ', 'ラ', 'カメ', 'メラ', 'ラ']],
    ['ガ ｶﾞ カ\u3099', ['ガ', 'ガ', 'ガ']],
    ['한국', ['한국', '국']],
    ['\u1112\u1161\u11ab\u1100\u116e\u11a8', ['한국', '국']],
    ['हिन्दी', ['हिन्दी']],
    ['שָׁלוֹם', ['שלום']],
    ['السَّلَام', ['السلام']],
    ['co\u00adoperate A\u200eB', ['cooperate', 'ab']],
    ['a\u200bb', ['a', 'b']],
    ['👩‍🔧🙂 1️⃣', ['1']],
    ['', []],
    ['"*(){}^:-+', []],
  ])('of %s', (given, expected) => expect(terms(given)).toEqual(expected));

  test('offsets are of the text as it was given', () => {
    expect(termsOf('x ﬁ-E\u0301a 鋼板')).toEqual([
      { term: 'x', start: 0, end: 1 },
      { term: 'fi', start: 2, end: 3 },
      { term: 'ea', start: 4, end: 7 },
      { term: '鋼板', start: 8, end: 10 },
      { term: '板', start: 9, end: 10 },
    ]);
  });

  test('long runs are cut', () => {
    expect(terms('x'.repeat(150)).map((term) => term.length)).toEqual([TERM_LIMIT, TERM_LIMIT, 150 - 2 * TERM_LIMIT]);
  });

  test('eight megabytes of letters, marks, emoji and the like take seconds, not minutes', () => {
    const took = stopwatch();
    for (const unit of ['x', '\u0301', '鋼', '🙂', '\u1100', '1.', '\u00ad', 'AB1-']) {
      const given = unit.repeat(1_000_000 / unit.length);
      const found = termsOf(given);
      joinedOf(given, found);
      numbersOf(given, found);
    }
    expect(took()).toBeLessThan(8_000);
  });

  test('property: offsets rise and point into the text; terms are short, one kind and plain', () => {
    fc.assert(
      fc.property(text, (given) => {
        let before = { start: 0, end: 0 };
        for (const { term, start, end } of termsOf(given)) {
          expect(start).toBeGreaterThanOrEqual(before.start);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeGreaterThanOrEqual(before.end);
          expect(end).toBeLessThanOrEqual(given.length);
          expect(term).toMatch(/^(?:[0-9]+|[^0-9\s\p{P}\p{S}\p{Lu}]+)$/u);
          expect([...term].length).toBeLessThanOrEqual(TERM_LIMIT);
          // What the offsets point at holds the term.
          expect(terms(given.slice(start, end)).join('')).toContain([...term][0]);
          before = { start, end };
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('property: terms of terms are the terms; the same text gives the same', () => {
    const spaced = fc
      .oneof(text)
      .filter(
        (given) =>
          !/[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Bopo}]/u.test(
            given.normalize('NFKD'),
          ),
      );
    fc.assert(
      fc.property(spaced, (given) => {
        expect(terms(terms(given).join(' '))).toEqual(terms(given));
      }),
      { numRuns: 1_000 },
    );
    fc.assert(
      fc.property(text, (given) => {
        expect(termsOf(given)).toEqual(termsOf(given));
        expect(keyOf(keyOf(given))).toBe(keyOf(given));
        expect(terms(given.normalize('NFD'))).toEqual(terms(given));
      }),
      { numRuns: 1_000 },
    );
  });

  test('letters of two widths that make a syllable have the key of the syllable', () => {
    expect(keyOf('\u3137\uffc2')).toBe('\ub2e4');
    expect(keyOf('\u1103\u1161')).toBe('\ub2e4');
  });

  test('every character of Unicode folds to something that folds to itself', () => {
    for (let code = 0; code <= 0x2ffff; code++) {
      const key = keyOf(String.fromCodePoint(code));
      if (keyOf(key) !== key) expect.fail(`U+${code.toString(16)} gives ${key}, then ${keyOf(key)}`);
    }
  });
});

describe('phrases to look for', () => {
  test.each([
    ['AB123', false, { terms: ['ab', '123'], prefix: false }],
    ['AB12', true, { terms: ['ab', '12'], prefix: true }],
    ['鋼', false, { terms: ['鋼'], prefix: true }],
    ['鋼板', false, { terms: ['鋼板'], prefix: false }],
    ['鋼鋼', false, { terms: ['鋼鋼'], prefix: false }],
    ['鋼板 x', false, { terms: ['鋼板', '板', 'x'], prefix: false }],
    ['x 鋼', false, { terms: ['x', '鋼'], prefix: true }],
    ['-', true, { terms: [], prefix: false }],
  ])('of %s', (given, prefix, expected) => expect(phraseOf(given, { prefix })).toEqual(expected));

  test('property: any part of a run without spaces is found in the run', () => {
    const run = fc.array(fc.constantFrom(...'鋼板材料カメラ'), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(run, fc.nat(8), fc.nat(8), (chars, a, b) => {
        const part = chars.slice(Math.min(a, b) % chars.length, (Math.max(a, b) % chars.length) + 1).join('');
        fc.pre(part !== '');
        const inRun = terms(chars.join(''));
        const { terms: wanted, prefix } = phraseOf(part);
        const found = inRun.some((_, at) =>
          wanted.every((term, i) =>
            prefix && i === wanted.length - 1 ? inRun[at + i]?.startsWith(term) : inRun[at + i] === term,
          ),
        );
        expect(found).toBe(true);
      }),
    );
  });
});

describe('words joined and numbers', () => {
  test.each([
    ['AB-123/4', ['ab1234']],
    ['AB1234', ['ab1234']],
    ['AB 123', []],
    ['well-known', []],
    ['12.5', ['125']],
    ['7-鋼', []],
    ['a-1-'.repeat(40), []],
  ])('%s joined', (given, expected) => expect(joined(given)).toEqual(expected));

  test.each([
    ['12 12.0 12,0 012 +12', ['12', '12', '12', '12', '12']],
    ['12.50mm 0,50 .5 000', ['12.5', '0.5', '0.5', '0']],
    ['1,234.50 1.234,50 1.234.567', ['1234.5', '1234.5', '1234567']],
    ['12.05.2024 v1.2.3', ['12', '5', '2024', '1', '2', '3']],
    ['M8x1.25 AB-12', ['8', '1.25', '12']],
    ['１２．５ ٣٫٥', ['12.5', '3.5']],
  ])('numbers in %s', (given, expected) => expect(numbers(given)).toEqual(expected));

  test.each([
    ['12', '12'],
    ['12,0', '12'],
    ['+12', '12'],
    ['-012.50', '12.5'],
    ['.5', '0.5'],
    ['M8', undefined],
    ['12 13', undefined],
    ['', undefined],
  ])('%s as a number', (given, expected) => expect(numberOf(given)).toBe(expected));
});

test('keys compare whole texts without regard to case, accents and white space', () => {
  expect(keyOf('  Stainless\n STEEL  ')).toBe('stainless steel');
  expect(keyOf('Größe=1|2')).toBe('grosse=1|2');
  expect(keyOf('AB-123')).not.toBe(keyOf('AB 123'));
  // Plain words go a short way; before another letter they go the long one.
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom(...Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)), ' ', 'A'),
      }),
      (text) => {
        expect(keyOf(`${text} é`)).toBe(`${keyOf(text)} e`.trim());
      },
    ),
  );
});
