import { describe, expect, test } from 'vitest';
import { checkQuery, type SearchQuery } from '../../dist/search/query.js';

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
    expect(checkQuery({ like })).toMatchObject({ like: [like], limit: 20, offset: 0, within: undefined, volume: undefined });
    expect(checkQuery({ like: [like, { bytes, extension: 'stl' }], limit: undefined, volume: '.1' })).toMatchObject({ limit: 20, volume: { below: 0.1, above: 0.1 } });
    expect(checkQuery({ like, limit: 10_000, offset: 1e9, within: [] })).toMatchObject({ limit: 10_000, offset: 1e9, within: [] });
  });

  test.each([
    [undefined, TypeError, 'query'], [null, TypeError, 'query'], ['a', TypeError, 'query'], [[like], TypeError, 'query.0'],
    [{}, TypeError, 'query.like'], [{ like: undefined }, TypeError, 'query.like'], [{ like: null }, TypeError, 'query.like'], [{ like: 'uid' }, TypeError, 'query.like'],
    [{ like: [] }, RangeError, 'query.like'], [{ like: Array(11).fill(like) }, RangeError, 'query.like'], [{ like: [like, {}] }, TypeError, 'query.like'],
    [{ like: { uid: 7 } }, TypeError, 'query.like'], [{ like: { bytes } }, TypeError, 'query.like'], [{ like: { bytes: 'x', extension: 'stl' } }, TypeError, 'query.like'],
    [{ like: { bytes: [1], extension: 'stl' } }, TypeError, 'query.like'], [{ like: { bytes, extension: 1 } }, TypeError, 'query.like'],
    [{ like, limit: 0 }, RangeError, 'query.limit'], [{ like, limit: 10_001 }, RangeError, 'query.limit'], [{ like, limit: 1.5 }, RangeError, 'query.limit'],
    [{ like, limit: NaN }, RangeError, 'query.limit'], [{ like, limit: '5' }, TypeError, 'query.limit'], [{ like, limit: null }, TypeError, 'query.limit'],
    [{ like, offset: -1 }, RangeError, 'query.offset'], [{ like, offset: 0.5 }, RangeError, 'query.offset'], [{ like, offset: Infinity }, RangeError, 'query.offset'],
    [{ like, offset: 1n }, TypeError, 'query.offset'],
    [{ like, within: 'x' }, TypeError, 'query.within'], [{ like, within: [1] }, TypeError, 'query.within'], [{ like, within: new Set() }, TypeError, 'query.within'],
    [{ like, within: null }, TypeError, 'query.within'],
    [{ like, volume: 0.1 }, TypeError, 'query.volume'], [{ like, bboxVolume: null }, TypeError, 'query.bboxVolume'], [{ like, surfaceArea: ['.1'] }, TypeError, 'query.surfaceArea'],
    [{ like, signal: true }, TypeError, 'query.signal'], [{ like, signal: new AbortController() }, TypeError, 'query.signal'],
    [{ like, colour: 'red' }, TypeError, 'query.colour'], [{ like, Limit: 5 }, TypeError, 'query.Limit'],
  ])('%o is refused, naming what is wrong', (query, kind, name) => {
    const error = refusal(query);
    expect(error).toBeInstanceOf(kind);
    expect(error.message).toContain(name);
  });

  test.each(['volume', 'bboxVolume', 'surfaceArea'])('names the tolerance %s when its text is bad', (name) => {
    expect(refusal({ like, [name]: 'much' })).toMatchObject({ code: 'QUERY_INVALID', details: { name, text: 'much' } });
  });

  test('takes lists that were not made by this realm, and leaves the caller\'s alone', () => {
    const within = Object.freeze(['A']);
    expect(checkQuery(Object.freeze({ like: Object.freeze([like]), within })).within).toEqual(['A']);
  });
});
