import { describe, expect, test } from 'vitest';
import type { SearchQuery } from '../../dist/index.js';
import { checkQuery } from '../../dist/search/query/check-query.js';

const like = { uid: '00000000-0000-4000-8000-000000000000' };
const bytes = new Uint8Array(1);

function refusal(query: unknown): Error {
  try {
    checkQuery(query as SearchQuery);
  } catch (error) {
    return error as Error;
  }
  throw new Error('accepted');
}

describe('a query', () => {
  test('gets its defaults', () => {
    expect(checkQuery({ like })).toMatchObject({
      like: [like],
      limit: 20,
      offset: 0,
      within: undefined,
      volume: undefined,
    });
    expect(checkQuery({ like: [like, { bytes, extension: 'stl' }], limit: undefined, volume: '.1' })).toMatchObject({
      limit: 20,
      volume: { below: 0.1, above: 0.1 },
    });
    expect(checkQuery({ like, limit: 10_000, offset: 1e9, within: [] })).toMatchObject({
      limit: 10_000,
      offset: 1e9,
      within: [],
    });
  });

  test.each([
    [undefined, TypeError, 'query'],
    [null, TypeError, 'query'],
    ['a', TypeError, 'query'],
    [[like], TypeError, 'query.0'],
    [{}, TypeError, 'query.like'],
    [{ like: undefined }, TypeError, 'query.like'],
    [{ like: null }, TypeError, 'query.like'],
    [{ like: 'uid' }, TypeError, 'extension: string }, received string'],
    [{ like: [] }, RangeError, 'query.like'],
    [{ like: Array(11).fill(like) }, RangeError, 'query.like'],
    [{ like: [like, {}] }, TypeError, 'query.like'],
    [{ like: { uid: 7 } }, TypeError, 'query.like'],
    [{ like: { bytes } }, TypeError, 'extension: string }, received fields: bytes'],
    [{ like: { ...like, faces: [1] } }, TypeError, 'query.like.faces'],
    [{ contains: { ...like, toleranceMm: 1 } }, TypeError, 'query.contains.toleranceMm'],
    [{ like, signal: 'now' }, TypeError, 'query.signal'],
    [{ like: { bytes: 'x', extension: 'stl' } }, TypeError, 'query.like'],
    [{ like: { bytes: [1], extension: 'stl' } }, TypeError, 'query.like'],
    [{ like: { bytes, extension: 1 } }, TypeError, 'query.like'],
    [{ like, limit: 0 }, RangeError, 'query.limit'],
    [{ like, limit: 10_001 }, RangeError, 'query.limit'],
    [{ like, limit: 1.5 }, RangeError, 'query.limit'],
    [{ like, limit: NaN }, RangeError, 'query.limit'],
    [{ like, limit: '5' }, TypeError, 'query.limit'],
    [{ like, limit: null }, TypeError, 'query.limit'],
    [{ like, offset: -1 }, RangeError, 'query.offset'],
    [{ like, offset: 0.5 }, RangeError, 'query.offset'],
    [{ like, offset: Infinity }, RangeError, 'query.offset'],
    [{ like, offset: 1n }, TypeError, 'query.offset'],
    [{ like, within: 'x' }, TypeError, 'query.within'],
    [{ like, within: [1] }, TypeError, 'query.within'],
    [{ like, within: new Set() }, TypeError, 'query.within'],
    [{ like, within: null }, TypeError, 'query.within'],
    [{ like, volume: 0.1 }, TypeError, 'query.volume'],
    [{ like, bboxVolume: null }, TypeError, 'query.bboxVolume'],
    [{ like, surfaceArea: ['.1'] }, TypeError, 'query.surfaceArea'],
    [{ limit: 5 }, TypeError, 'at least one of'],
    [{ volume: '.1' }, TypeError, 'query.text'],
    [{ text: 7 }, TypeError, 'query.text'],
    [{ text: ['a', null] }, TypeError, 'query.text'],
    [{ text: 'x'.repeat(1_001) }, RangeError, 'query.text'],
    [{ text: Array(33).fill('a') }, RangeError, 'query.text'],
    [{ kinds: 'Text' }, TypeError, 'query.kinds'],
    [{ kinds: ['text'] }, RangeError, 'query.kinds'],
    [{ kinds: [undefined] }, RangeError, 'query.kinds'],
    [{ categories: 1 }, TypeError, 'query.categories'],
    [{ categories: ['1'] }, TypeError, 'query.categories'],
    [{ categories: [0] }, RangeError, 'query.categories'],
    [{ categories: [undefined] }, TypeError, 'query.categories'],
    [{ categories: [0.5] }, RangeError, 'query.categories'],
    [{ attributes: { name: 'a', equals: 'b' } }, TypeError, 'query.attributes'],
    [{ attributes: [null] }, TypeError, 'query.attributes[0]'],
    [{ attributes: [{ name: 'a', equals: 1 }, { name: 'a' }] }, TypeError, 'query.attributes[1]'],
    [{ attributes: [{ name: 'a', equals: '1', prefix: '1' }] }, TypeError, 'exactly one'],
    [{ attributes: [{ equals: 'b' }] }, TypeError, 'query.attributes[0].name'],
    [{ attributes: [{ name: ' ', equals: 'b' }] }, RangeError, 'query.attributes[0].name'],
    [{ attributes: [{ name: 'a', contains: 7 }] }, TypeError, 'query.attributes[0].contains'],
    [{ attributes: [{ name: 'a', contains: '' }] }, RangeError, 'query.attributes[0].contains'],
    [{ attributes: [{ name: 'a', above: 'tall' }] }, RangeError, 'query.attributes[0].above'],
    [{ attributes: [{ name: 'a', most: true }] }, TypeError, 'query.attributes[0].most'],
    [{ attributes: [{ name: 'a', exists: false }] }, TypeError, 'query.attributes[0].exists'],
    [{ attributes: [{ name: 'a', exists: true, prefix: 'a' }] }, TypeError, 'exactly one'],
    [{ attributes: [{ name: 'a', least: NaN }] }, RangeError, 'query.attributes[0].least'],
    [{ attributes: [{ name: 'a', least: 1, unit: 'parsec' }] }, RangeError, 'query.attributes[0].unit'],
    [{ attributes: [{ name: 'a', like: 'b' }] }, TypeError, 'query.attributes[0].like'],
    [{ attributes: [{ name: 'a', toString: 'b' }] }, TypeError, 'toString'],
    [{ attributes: [{ name: 'a', equals: 'b', unit: 1 }] }, TypeError, 'query.attributes[0].unit'],
    [{ attributes: Array(65).fill({ name: 'a', equals: 'b' }) }, RangeError, 'query.attributes'],
    [{ like, facets: 1 }, TypeError, 'query.facets'],
    [{ like, highlights: 'no' }, TypeError, 'query.highlights'],
    [{ like, signal: true }, TypeError, 'query.signal'],
    [{ like, signal: new AbortController() }, TypeError, 'query.signal'],
    [{ like, colour: 'red' }, TypeError, 'query.colour'],
    [{ like, Limit: 5 }, TypeError, 'query.Limit'],
  ])('%o is refused, naming what is wrong', (query, kind, name) => {
    const error = refusal(query);
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toContain(name);
  });

  test.each(['volume', 'bboxVolume', 'surfaceArea'])('names the tolerance %s when its text is bad', (name) => {
    expect(refusal({ like, [name]: 'much' })).toMatchObject({ code: 'QUERY_INVALID', details: { name, text: 'much' } });
  });

  test.each(['=x', 'a=', 'a>', '...', 'a>b'])('with the text %j that says nothing is refused with a code', (text) => {
    expect(refusal({ text })).toMatchObject({ code: 'QUERY_INVALID' });
  });

  test('says the same as text and as an object', () => {
    const asText = checkQuery({
      text: [
        'Material=[Steel]',
        'Length(mm)>=20',
        'Part=B-*',
        'Finish=raw',
        'Coat=*',
        'Drawn>2024-01-01',
        'Grip<=1in',
        'two words',
      ],
    });
    const asObject = checkQuery({
      text: 'two words',
      attributes: [
        { name: 'Material', equals: 'Steel' },
        { name: 'Length', least: 20, unit: 'mm' },
        { name: 'Part', prefix: 'B-' },
        { name: 'Finish', contains: 'raw' },
        { name: 'Coat', exists: true },
        { name: 'Drawn', above: '2024-01-01' },
        { name: 'Grip', most: '1in' },
      ],
    });
    expect(asText).toEqual(asObject);
  });

  test("takes lists that were not made by this realm, and leaves the caller's alone", () => {
    const within = Object.freeze(['A']);
    expect(checkQuery(Object.freeze({ like: Object.freeze([like]), within })).within).toEqual(['A']);
  });
});
