import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../dist/errors.js';
import { parseTolerance, withinTolerance } from '../../dist/search/query/tolerance.js';
import { stopwatch } from '../fixtures/stopwatch.js';

const fraction = fc.oneof(
  fc.integer({ min: 0, max: 9999 }).map((n) => n / 1000),
  fc.nat(20),
  fc.constantFrom(0, 0.1, 0.25, 1),
);
/** Behind a minus sign. */
const below = fc.oneof(
  fc.integer({ min: 0, max: 1000 }).map((n) => n / 1000),
  fc.constantFrom(0, 0.1, 0.25, 1),
);
/** The forms in which one number may be written. */
const written = (value: number): fc.Arbitrary<string> => {
  const plain = String(value);
  return fc.constantFrom(
    plain,
    plain.replace(/^0\./, '.'),
    plain.includes('.') ? `${plain}00` : `${plain}.`,
    `0${plain}`,
  );
};

function refusal(text: string): unknown {
  try {
    return parseTolerance('volume', text);
  } catch (error) {
    return error;
  }
}

describe('a tolerance', () => {
  test('is read back as it was written', () => {
    const form = fc.tuple(fraction, below, fc.constantFrom('', ' ', '\t'));
    fc.assert(
      fc.property(
        form.chain(([a, b, space]) => fc.tuple(written(a), written(b)).map(([x, y]) => ({ a, b, x, y, space }))),
        ({ a, b, x, y, space }) => {
          const parse = (text: string): unknown => parseTolerance('volume', `${space}${text}${space}`);
          expect(parse(x)).toEqual({ below: a, above: a });
          expect(parse(`+${x}`)).toEqual({ below: 0, above: a });
          expect(parse(`-${y}`)).toEqual({ below: b, above: 0 });
          expect(parse(`+${x}/-${y}`)).toEqual({ below: b, above: a });
          expect(parse(`-${y}/+${x}`)).toEqual({ below: b, above: a });
        },
      ),
    );
  });

  test.each([
    '',
    ' ',
    '.',
    '+',
    '-',
    '+-',
    '/',
    '.1/',
    '/-.1',
    '+.1/',
    '+.1/+.2',
    '-.1/-.2',
    '+.1-.2',
    '+.1/-',
    '.1/.2',
    '1e-3',
    '.1.2',
    '1,5',
    '10%',
    'NaN',
    'Infinity',
    '±.1',
    '−.1',
    '+ .1',
    '+.1 / -.2',
    '.1 .2',
    '0x1',
    '١',
    '.1\u0000',
    '+.1/-.2/+.3',
    '--.1',
    '-1.5',
    '+.1/-1.01',
    '-2/+3',
  ])('is refused when it is %j, naming the option and the text', (text) => {
    const error = refusal(text);
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ code: 'QUERY_INVALID', details: { name: 'volume', text } });
    expect((error as Error).message).toContain('volume');
    expect((error as Error).message).toContain(JSON.stringify(text));
  });

  test('of any text is read or refused, in no time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'+-/.0123456789 e'), maxLength: 40 }), (text) => {
        const result = refusal(text);
        if (result instanceof Error) expect(result).toMatchObject({ code: 'QUERY_INVALID' });
        else expect(Object.values(result as object).every((value: number) => value >= 0)).toBe(true);
      }),
      { numRuns: 1000 },
    );
    const took = stopwatch();
    expect(refusal(`${'1'.repeat(100_000)}x`)).toMatchObject({ code: 'QUERY_INVALID' });
    expect(took()).toBeLessThan(200);
  });
});

describe('a size is within', () => {
  test.each([
    ['.1', 90, true],
    ['.1', 110, true],
    ['.1', 89.9, false],
    ['.1', 110.1, false],
    ['+.2', 100, true],
    ['+.2', 120, true],
    ['+.2', 99.9, false],
    ['-.5', 50, true],
    ['-.5', 100.1, false],
    ['+0.3/-0.4', 60, true],
    ['+0.3/-0.4', 130, true],
    ['+0.3/-0.4', 59, false],
    ['+0.3/-0.4', 131, false],
    ['0', 100.00001, true],
    ['0', 100.01, false],
    ['2', 0, true],
    ['2', 300, true],
  ])('%s of 100 when it is %d: %s', (text, size, expected) => {
    expect(withinTolerance(size, 100, parseTolerance('volume', text))).toBe(expected);
  });

  test('any tolerance of a size of nothing, when it is nothing', () => {
    // Sheets have no volume.
    for (const text of ['0', '.1', '+.2/-.3', '9'.repeat(400)]) {
      expect(withinTolerance(0, 0, parseTolerance('volume', text)), text).toBe(true);
    }
  });
});
