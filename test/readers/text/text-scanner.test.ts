import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNumber, TextScanner } from '../../../dist/readers/text/text-scanner.js';
import { text } from '../helpers.js';

const parse = (word: string): number => parseNumber(text(word), 0, word.length);

describe('parseNumber', () => {
  it('rounds as Number does, in every notation', () => {
    fc.assert(
      fc.property(fc.double(), fc.integer({ min: 0, max: 20 }), (value, digits) => {
        for (const word of [
          String(value),
          value.toExponential(),
          value.toPrecision(digits + 1),
          value.toFixed(digits),
        ]) {
          expect(parse(word)).toBe(Number.isFinite(value) ? Number(word) : NaN);
        }
      }),
      { numRuns: 2_000 },
    );
    const digits = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 25 }).map((list) => list.join(''));
    fc.assert(
      fc.property(digits, digits, fc.integer({ min: -340, max: 340 }), (whole, rest, exponent) => {
        fc.pre(whole !== '' || rest !== '');
        for (const word of [
          `${whole}.${rest}e${exponent}`,
          `-${whole}.${rest}E+${Math.abs(exponent)}`,
          `+${whole}.${rest}`,
        ])
          expect(parse(word)).toBe(Number(word));
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '',
    '-',
    '+',
    '.',
    'e5',
    '1e',
    '1e+',
    '1.2.3',
    '1-2',
    'nan',
    'inf',
    '0x10',
    '1,5',
    '3.1+e2',
    '1#',
    `1${'0'.repeat(2_000)}`,
  ])('%s is no number', (word) => {
    expect(parse(word)).toBeNaN();
  });
});

describe('TextScanner', () => {
  it('gives the words of each line, as splitting does', () => {
    const word = fc.stringMatching(/^[!-"$-[\]-~]{1,6}$/);
    const line = fc.array(word, { maxLength: 5 });
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 6 }), fc.constantFrom('\n', '\r\n', '\r'), (lines, end) => {
        const scanner = new TextScanner(text(lines.map((words) => ` ${words.join('\t ')} # note`).join(end)), {
          comments: true,
        });
        const found: string[][] = [];
        do {
          const words: string[] = [];
          while (scanner.nextInLine()) words.push(scanner.word());
          found.push(words);
        } while (scanner.nextLine());
        expect(found).toEqual(lines);
      }),
    );
  });

  it('joins continued lines, after a blank or a word', () => {
    const scanner = new TextScanner(text('a\\\nb \\\r\nc\nd\\e'), { continuations: true });
    const words: string[] = [];
    while (scanner.nextInLine()) words.push(scanner.word());
    expect(words).toEqual(['a', 'b', 'c']);
    expect(scanner.nextLine() && scanner.nextInLine() && scanner.word()).toBe('d\\e');
  });

  it('passes over a byte order mark', () => {
    const scanner = new TextScanner(text('\ufeffsolid X'));
    expect(scanner.next() && scanner.is('solid')).toBe(true);
    expect(scanner.restOfLine()).toBe('X');
  });
});
