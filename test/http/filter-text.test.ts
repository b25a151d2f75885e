import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeFilter, parseFilter, printFilter, type SearchFilter } from '../../dist/http/index.js';
import { EngineError } from '../../dist/index.js';

const uid = '0f8fad5b-d9cb-469f-a165-70867728950e';
const other = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

const number = fc.oneof(
  fc.integer({ min: 0, max: 9999 }).map((n) => `.${n}`),
  fc.nat(30).map(String),
  fc.constantFrom('0.1', '1.', '00.5', '.25'),
);
/** Behind a minus sign: at most 1. */
const share = fc.oneof(
  fc.integer({ min: 0, max: 9999 }).map((n) => `.${n}`),
  fc.constantFrom('0', '1', '0.1', '1.', '00.5'),
);
const tolerance = fc.oneof(
  number,
  number.map((a) => `+${a}`),
  share.map((a) => `-${a}`),
  fc.tuple(number, share).map(([a, b]) => `+${a}/-${b}`),
  fc.tuple(share, number).map(([a, b]) => `-${a}/+${b}`),
);
/** Everything that may stand in a free text: all of Unicode, and often what the language itself is made of. */
const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'&=%+,;#?/"[]*|\u0000\n 2B'),
      fc.string({ unit: 'binary', maxLength: 4 }),
      fc.string({ unit: 'grapheme', maxLength: 4 }),
    ),
    { minLength: 1, maxLength: 30 },
  )
  .map((pieces) => pieces.join(''))
  .filter((joined) => joined !== '');
const filter = fc.record(
  {
    like: fc.array(
      fc.uuid().map((id) => ({ uid: id })),
      { minLength: 1, maxLength: 10 },
    ),
    kinds: fc.constantFrom('Image', 'ThreeD', 'TwoD', 'Text').map((kind) => [kind]),
    text: fc.array(text, { minLength: 1, maxLength: 8 }),
    volume: tolerance,
    bboxVolume: tolerance,
    surfaceArea: tolerance,
  },
  { requiredKeys: [] },
) as fc.Arbitrary<SearchFilter>;

function refusal(filterText: unknown): EngineError {
  try {
    parseFilter(filterText as string);
  } catch (error) {
    return error as EngineError;
  }
  throw new Error(`${String(filterText)} was accepted`);
}

describe('a filter text', () => {
  test.each([
    ['', {}],
    ['&&', {}],
    [`fileUID=${uid}`, { like: [{ uid }] }],
    [`fileUID=${uid.toUpperCase()},${other}`, { like: [{ uid }, { uid: other }] }],
    [`fileUID=${uid}%2C${other}`, { like: [{ uid }, { uid: other }] }],
    ['resultFileType=ThreeD', { kinds: ['ThreeD'] }],
    ['resultFileType=twod', { kinds: ['TwoD'] }],
    ['resultFileType=IMAGE', { kinds: ['Image'] }],
    ['resultFileType=text', { kinds: ['Text'] }],
    ['v=.1', { volume: '.1' }],
    ['bbv=+0.3/-0.4', { bboxVolume: '+0.3/-0.4' }],
    ['sa=-.5', { surfaceArea: '-.5' }],
    ['v=%2B.2', { volume: '+.2' }],
    ['v=+.2', { volume: '+.2' }],
    ['FT=steel', { text: ['steel'] }],
    ['FT=a%20b+c%2Bd', { text: ['a b c+d'] }],
    ['FT=Material%3D%5BSteel%5D&FT=a=b', { text: ['Material=[Steel]', 'a=b'] }],
    ['FT=%C3%A9%F0%9F%94%A9', { text: ['é🔩'] }],
    ['FT=100%25', { text: ['100%'] }],
    ['FT=a%2526b', { text: ['a%26b'] }],
    ['FT=a%26b', { text: ['a&b'] }],
    [
      `FT=x&v=.1&fileUID=${uid}&resultFileType=ThreeD`,
      { text: ['x'], volume: '.1', like: [{ uid }], kinds: ['ThreeD'] },
    ],
  ])('%s', (given, wanted) => expect(parseFilter(given)).toEqual(wanted));

  test.each([
    ['filetype=Image', 'filetype', 'resultFileType'],
    ['ft=x', 'ft', 'FT'],
    ['FT', 'FT', '='],
    ['x', 'x', 'known are'],
    ['=1', '', 'known are'],
    ['constructor=1', 'constructor', 'known are'],
    ['v=.1&v=.2', 'v', 'once'],
    ['resultFileType=Text&resultFileType=Text', 'resultFileType', 'once'],
    [`fileUID=${uid}&fileUID=${other}`, 'fileUID', 'once'],
    ['FT=%', 'FT', '%25'],
    ['FT=%zz', 'FT', 'percent'],
    ['FT=%ff', 'FT', 'UTF-8'],
    ['FT=%ed%a0%80', 'FT', 'UTF-8'],
    ['v=%', 'v', 'percent'],
    ['fileUID=', 'fileUID', 'GUID'],
    ['fileUID=7', 'fileUID', '"7"'],
    [`fileUID=${uid},`, 'fileUID', 'GUID'],
    [`fileUID=${Array(11).fill(uid).join()}`, 'fileUID', 'at most 10'],
    ['resultFileType=', 'resultFileType', 'ThreeD'],
    ['resultFileType=3D', 'resultFileType', '"3D"'],
    ['v=', 'v', 'tolerance'],
    ['v=10%25', 'v', '"10%"'],
    ['bbv=x', 'bbv', '"x"'],
    ['sa=.1/.2', 'sa', '".1/.2"'],
    ['v= .2', 'v', '%2B'],
    ['FT=', 'FT', 'empty'],
    [`FT=${'x'.repeat(1001)}`, 'FT', 'at most 1000'],
    ['FT=\ud800', 'FT', 'surrogate'],
    ['FT=x&'.repeat(33), 'FT', '32'],
    ['&'.repeat(70_000), 'filterStr', '65536'],
  ])('is refused, naming key and text: %.40s', (given, key, said) => {
    const error = refusal(given);
    expect(error).toBeInstanceOf(EngineError);
    expect(error).toMatchObject({ code: 'QUERY_INVALID', details: { name: key } });
    expect(error.message).toContain(key);
    expect(error.message).toContain(said);
    expect(error.details.text).toEqual(expect.any(String));
    expect(error.message.length).toBeLessThan(1000);
  });

  test.each([undefined, null, 7, {}])('%s is misuse', (given) => expect(refusal(given)).toBeInstanceOf(TypeError));

  test('of any characters is read or refused with a code', () => {
    const pieces = fc.constantFrom(
      'FT=',
      'v=',
      'fileUID=',
      '&',
      '=',
      '%',
      '%4',
      '%C3%A9',
      '+',
      '.1',
      uid,
      ',',
      'resultFileType=',
      'ThreeD',
      'é',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (given) => {
          try {
            parseFilter(given);
          } catch (error) {
            expect(error).toMatchObject({ code: 'QUERY_INVALID' });
          }
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe('a printed filter', () => {
  test('reads back as the same filter, whatever its texts hold', () => {
    fc.assert(
      fc.property(filter, (given) => {
        expect(parseFilter(printFilter(given))).toEqual(given);
      }),
      { numRuns: 500 },
    );
  });

  test('is what reading and printing it again gives', () => {
    const loose = fc
      .array(
        fc.oneof(
          text.map((value) => `FT=${encodeURIComponent(value)}`),
          text.map((value) => `FT=${encodeURIComponent(value).replaceAll('%20', '+')}`),
          fc.constant(''),
        ),
        { maxLength: 8 },
      )
      .chain((pairs) =>
        fc
          .tuple(tolerance, fc.uuid(), fc.constantFrom('image', 'TEXT', 'ThreeD'))
          .map(([v, id, kind]) =>
            [...pairs, `v=${encodeURIComponent(v)}`, `fileUID=${id.toUpperCase()}`, `resultFileType=${kind}`].join('&'),
          ),
      );
    fc.assert(
      fc.property(loose, (given) => {
        const printed = printFilter(parseFilter(given));
        expect(printFilter(parseFilter(printed))).toBe(printed);
        expect(parseFilter(printed)).toEqual(parseFilter(given));
      }),
      { numRuns: 300 },
    );
  });

  test('encoded whole goes through a URL: the host decodes once, the filter the rest', () => {
    fc.assert(
      fc.property(filter, (given) => {
        const url = new URL(`http://host/api/Search?filterStr=${encodeFilter(given)}&includeShapelets=true`);
        expect(parseFilter(url.searchParams.get('filterStr')!)).toEqual(given);
      }),
      { numRuns: 300 },
    );
  });

  test('has its keys in one order', () => {
    expect(
      printFilter({
        surfaceArea: '.1',
        volume: '+.2',
        text: ['a b', 'c=d&e'],
        kinds: ['TwoD'],
        like: [{ uid }, { uid: other }],
      }),
    ).toBe(`fileUID=${uid},${other}&resultFileType=TwoD&FT=a%20b&FT=c%3Dd%26e&v=+.2&sa=.1`);
    expect(printFilter({})).toBe('');
  });

  test.each([
    [{ kinds: ['TwoD', 'Text'] }, 'kinds'],
    [{ kinds: [] }, 'kinds'],
    [{ kinds: ['3D'] }, 'kinds'],
    [{ text: [''] }, 'text'],
    [{ text: ['\ud800'] }, 'text'],
    [{ text: Array(33).fill('x') }, 'text'],
    [{ like: [] }, 'like'],
    [{ like: [{ uid: 'x' }] }, 'like'],
    [{ volume: 'much' }, 'volume'],
    [{ surfaceArea: '+ .1' }, 'surfaceArea'],
  ])('refuses what the language cannot say: %j', (given, name) => {
    expect(() => printFilter(given as SearchFilter)).toThrow(RangeError);
    expect(() => printFilter(given as SearchFilter)).toThrow(`filter.${name}`);
  });

  // Left out, they would let more files through.
  test.each([
    [{ attributes: [{ name: 'Material', equals: 'Steel' }] }, 'attributes'],
    [{ categories: [1] }, 'categories'],
    [{ within: [uid] }, 'within'],
    [{ limit: 5 }, 'limit'],
    [{ text: 'steel' }, 'text'],
    [{ like: { uid } }, 'like'],
    [{ like: [{ uid, component: 3 }] }, 'like'],
    [{ like: [{ bytes: new Uint8Array(1), extension: '.stl' }] }, 'like'],
    [{ kinds: 'Text' }, 'kinds'],
    [{ volume: 0.1 }, 'volume'],
  ])('refuses what is no part of a filter: %j', (given, name) => {
    expect(() => printFilter(given as unknown as SearchFilter)).toThrow(TypeError);
    expect(() => printFilter(given as unknown as SearchFilter)).toThrow(`filter.${name}`);
  });

  test('passes over what is undefined, and refuses no object', () => {
    expect(printFilter({ text: undefined, volume: '.1' })).toBe('v=.1');
    for (const given of [null, undefined, 7, 'FT=x'])
      expect(() => printFilter(given as unknown as SearchFilter)).toThrow('filter must be an object');
  });
});
