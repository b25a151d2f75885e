import { expect, test } from 'vitest';
import { EngineError } from '../../dist/index.js';
import { arePlaces, decodePlaces, encodePlaces } from '../../dist/words/text-places.js';

const RUNS = [
  { start: 0, end: 5, box: { x: 0.1, y: 0.25, width: 0.5, height: 0.0123 } },
  { start: 6, end: 9, box: { x: -0.0001, y: 1, width: 0, height: 0.2 } },
];

test('places are read back as they were written, to a ten-thousandth of the page', () => {
  const text = encodePlaces(RUNS);
  expect(text).toBe('[0,5,1000,2500,5000,123,6,9,-1,10000,0,2000]');
  expect(arePlaces(text)).toBe(true);
  expect(decodePlaces(text)).toEqual(RUNS);
  expect(decodePlaces(encodePlaces([]))).toEqual([]);
  const nowhere = encodePlaces([{ start: 0, end: 5, box: { x: NaN, y: 0.5, width: NaN, height: 0 } }]);
  expect(nowhere).toBe('[0,5,0,5000,0,0]');
});

test.each([
  '',
  '[',
  '{"length":1000000000}',
  '[1,[2],3]',
  '["a"]',
  '[1e9]',
  'null',
  '[1,2', // Cut off.
  '[1,,2]',
  '[1,2,3,4,5,,6]',
  '[-,1,2,3,4,5]',
  '[1,2,3,4,5,6-]',
  '[--1,2,3,4,5,6]',
  '[01,2,3,4,5,6]',
  '[1,2,3,4,5]',
  '[1,2,3,4,5,1234567890]',
])('what is no list of numbers is never taken for places: %s', (text) => {
  expect(arePlaces(text)).toBe(false);
  expect(() => decodePlaces(text)).toThrow(EngineError);
  expect(() => decodePlaces(text)).toThrow(expect.objectContaining({ code: 'LIBRARY_DAMAGED' }));
});
