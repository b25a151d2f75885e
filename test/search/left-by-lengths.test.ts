import { expect, test } from 'vitest';
import { leftByLengths } from '../../dist/search/views/left-by-lengths.js';

test('a page is nearer, the more of the lengths that were read it states', () => {
  const [all, one, none, unknown] = leftByLengths([97.5, 40, 12], [[97.5, 40, 12], [40], [60], []]);
  expect(all).toBeLessThan(one);
  expect(one).toBeLessThan(none);
  expect([none, unknown]).toEqual([1, 1]);
});

test('a length that few pages state tells more than one that many state', () => {
  const [rare, common] = leftByLengths([97.5, 40], [[97.5], [40], [40], [40], [8]]);
  expect(rare).toBeLessThan(common);
});

test('lengths that each page or no page states, small numbers and no lengths tell nothing', () => {
  expect(leftByLengths([40], [[40], [40, 8]])).toEqual([1, 1]);
  expect(leftByLengths([40], [[40], []])).toEqual([1, 1]);
  expect(leftByLengths([40, 2], [[8, 2], [9]])).toEqual([1, 1]);
  expect(leftByLengths([], [[8], [9]])).toEqual([1, 1]);
  expect(leftByLengths([40], [])).toEqual([]);
});

test('one length that agrees by chance tells less than several', () => {
  const others = Array.from({ length: 20 }, (_, i) => [200 + i]);
  const [one] = leftByLengths([97.5], [[97.5], ...others]);
  const [three] = leftByLengths([97.5, 40, 12], [[97.5, 40, 12], ...others]);
  expect(one).toBeGreaterThan(0.55);
  expect(three).toBeLessThan(0.5);
  expect(three).toBeGreaterThan(0.35);
});
