import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../dist/search/query/expression.js';
import { stopwatch } from '../fixtures/stopwatch.js';

const attribute = (name: string, operator: string, value: string, unit = ''): object => ({
  attributes: [{ name, unit, operator, value }],
});
const all = (...parts: object[]): object => ({
  attributes: parts.flatMap((part) => (part as { attributes: object[] }).attributes),
});
const words = (...list: string[]): object => ({ clause: { words: list.map((text) => ({ text, kind: 'word' })) } });

describe('a free text', () => {
  test.each([
    ['Material=steel', attribute('Material', 'contains', 'steel')],
    [' Surface finish = Ra 3.2 ', attribute('Surface finish', 'contains', 'Ra 3.2')],
    ['Material=[Stainless steel]', attribute('Material', 'equals', 'Stainless steel')],
    ['a=[]', attribute('a', 'equals', '')],
    ['a=[b]c]', attribute('a', 'equals', 'b]c')],
    ['Part=AB-*', attribute('Part', 'prefix', 'AB-')],
    ['Part=*', attribute('Part', 'exists', '')],
    ['a=b*c', attribute('a', 'contains', 'b*c')],
    ['Length=1in', attribute('Length', 'contains', '1in')],
    ['Length=1"', attribute('Length', 'contains', '1"')],
    ['Length(mm)=[25.4]', attribute('Length', 'equals', '25.4', 'mm')],
    ['Length>20', attribute('Length', '>', '20')],
    ['Length >= 20mm', attribute('Length', '>=', '20mm')],
    ['Length<1in', attribute('Length', '<', '1in')],
    ['Length(in)<=1', attribute('Length', '<=', '1', 'in')],
    ['a=b=c', attribute('a', 'contains', 'b=c')],
    ['a=<b>', attribute('a', 'contains', '<b>')],
    ['x>=[1]', attribute('x', '>=', '[1]')],
    ['"a<b"=[1]', attribute('a<b', 'equals', '1')],
    ['"a(mm)"=1', attribute('a(mm)', 'contains', '1')],
    ['"a ""b"""=1', attribute('a "b"', 'contains', '1')],
    ['a="[1]"', attribute('a', 'contains', '[1]')],
    ['a="b*"', attribute('a', 'contains', 'b*')],
    ['a="5"" pipe"', attribute('a', 'contains', '5" pipe')],
    ['a="b', attribute('a', 'contains', '"b')],
    ['Color=[red|blue]', all(attribute('Color', 'equals', 'red'), attribute('Color', 'equals', 'blue'))],
    ['a=[b\\|c]', attribute('a', 'equals', 'b|c')],
    ['a=[b|b|]', all(attribute('a', 'equals', 'b'), attribute('a', 'equals', ''))],
    [
      'a(mm)=1 | re*|*',
      all(
        attribute('a', 'contains', '1', 'mm'),
        attribute('a', 'prefix', 're', 'mm'),
        attribute('a', 'exists', '', 'mm'),
      ),
    ],
    ['a="b|c"', attribute('a', 'contains', 'b|c')],
    ['a=C:\\x', attribute('a', 'contains', 'C:\\x')],
    ['a=b*|[c]', all(attribute('a', 'prefix', 'b'), attribute('a', 'equals', 'c'))],
    ['steel plate', words('steel', 'plate')],
    ['"a=b"', { clause: { words: [{ text: 'a=b', kind: 'phrase' }] } }],
    [
      '“a>b” c',
      {
        clause: {
          words: [
            { text: 'a>b', kind: 'phrase' },
            { text: 'c', kind: 'word' },
          ],
        },
      },
    ],
    ['AB-12*', { clause: { words: [{ text: 'AB-12', kind: 'prefix' }] } }],
  ])('%s', (text, wanted) => expect(parseExpression(text)).toEqual(wanted));

  test.each(
    ['=x', ' > 5', '(mm', 'a=', 'a>', 'a = ', '***', '', '""="x"', 'a=b|', 'a=|b', 'a=|'].filter(
      (text) => text !== '(mm',
    ),
  )('%j is refused with a code', (text) => {
    expect(() => parseExpression(text)).toThrow(expect.objectContaining({ code: 'QUERY_INVALID' }));
  });

  test('in quotation marks is never an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab=<>[]*() 1') }), (text) => {
        expect(parseExpression(`"${text}x"`)).toEqual({ clause: { words: [{ text: `${text}x`, kind: 'phrase' }] } });
      }),
    );
  });

  test('of any characters is read or refused, in no time', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab=<>[]*()" “”1\n|\\') }), (text) => {
        try {
          parseExpression(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'QUERY_INVALID' });
        }
      }),
      { numRuns: 1000 },
    );
    const took = stopwatch();
    for (const piece of ['"', '(', '=', '" ', '[', ' a'])
      expect(() => parseExpression(piece.repeat(1_000 / piece.length))).not.toThrow(RangeError);
    expect(took()).toBeLessThan(500);
  });
});
