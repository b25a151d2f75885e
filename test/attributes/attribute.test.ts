import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { joinValues, parseAttributes, printAttribute, splitValues } from '../../dist/attributes/attribute.js';

const parse = (texts: unknown) => parseAttributes(texts, (name) => name.toLowerCase());

describe('parseAttributes', () => {
  test.each([
    ['Material=Steel', 'Material', '', ['Steel']],
    ['Length(mm)=12.5', 'Length', 'mm', ['12.5']],
    [' a b ( kg ) = x = y ', 'a b', 'kg', [' x = y ']],
    ['Finish=raw|painted', 'Finish', '', ['raw', 'painted']],
    ['Finish=raw\\|painted', 'Finish', '', ['raw|painted']],
    ['Folder=C:\\parts\\new', 'Folder', '', ['C:\\parts\\new']],
    ['Share=\\\\\\\\server', 'Share', '', ['\\\\server']],
    ['Note=', 'Note', '', ['']],
    ['Note=a||b|a', 'Note', '', ['a', '', 'b']],
    ['f(x)y=1', 'f(x)y', '', ['1']],
    ['f(x)(mm)=1', 'f(x)', 'mm', ['1']],
    ['Text=two\nlines', 'Text', '', ['two\nlines']],
  ])('%j', (text, name, unit, values) => expect(parse([text])).toEqual([{ name, unit, values }]));

  test('merges repeated names, each unit by itself', () => {
    expect(
      parse(['Color=red', 'Size(mm)=1', 'color=blue|red', 'Size(in)=2', 'SIZE(mm)=3']).map(printAttribute),
    ).toEqual(['Color=red|blue', 'Size(mm)=1|3', 'Size(in)=2']);
  });

  test.each([[['novalue']], [['=x']], [['(mm)=x']], [[7]], ['a=b'], [null]])('refuses %j', (texts) => {
    expect(() => parse(texts)).toThrow(TypeError);
  });

  test('refuses what no text is, and too many and too long ones', () => {
    expect(() => parse(['ok=1', 'a=\ud800'])).toThrow(/^attributes\[1\] must be well-formed Unicode/);
    expect(() => parse(['a=\0'])).toThrow(RangeError);
    expect(() => parse(Array.from({ length: 1_001 }, (_, i) => `a${i}=1`))).toThrow(/at most 1000/);
    expect(() => parse([`a=${'x'.repeat(10_000)}`])).toThrow(/at most 10000/);
    expect(() => parse(Array.from({ length: 30 }, (_, i) => `a${i}=${'x'.repeat(9_000)}`))).toThrow(/at most 200000/);
  });
});

test('values of any text survive joining and splitting', () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 12 }),
    fc.string({ unit: fc.constantFrom('\\', '|', '=', '&', 'a', ' ') }),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (values) => {
      expect(splitValues(joinValues(values))).toEqual(values);
    }),
    { numRuns: 500 },
  );
});

test('a text without a pipe or a backslash that is read as something else stays as it is', () => {
  for (const text of ['C:\\parts', 'a\\n', '1/2"', 'ä=ß&x']) expect(joinValues([text])).toBe(text);
});
