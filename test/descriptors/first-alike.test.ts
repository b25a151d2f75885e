import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FirstAlike } from '../../dist/descriptors/features/first-alike.js';

const REACH = [1, 0.5];

test('what is found is what walking the list finds, and few things are looked at', () => {
  const place = fc.tuple(fc.integer({ min: -9, max: 9 }), fc.double({ min: -3, max: 3, noNaN: true }));
  fc.assert(
    fc.property(fc.array(place, { maxLength: 60 }), (places) => {
      const groups = new FirstAlike<readonly number[]>(REACH);
      for (const one of places) {
        const isAlike = (other: readonly number[]): boolean =>
          REACH.every((reach, i) => Math.abs(one[i] - other[i]) <= reach);
        expect(groups.find(one, isAlike)).toBe(groups.all.find(isAlike));
        groups.add(one, one);
      }
    }),
  );
  const loose = new FirstAlike<number>([1]);
  let looks = 0;
  for (let at = 0; at < 20_000; at++) {
    expect(loose.find([2 * at], () => ++looks < 0)).toBe(undefined);
    loose.add([2 * at], at);
  }
  // Walking the list would look 200 million times.
  expect(looks).toBeLessThan(20_000);
});
