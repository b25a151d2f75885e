import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faceNumbersText, readFaceNumbers } from '../../dist/cli/face-numbers.js';

test('what features writes is what --faces reads', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 60_000 }), { minLength: 1, maxLength: 40 }), (faces) => {
      expect(readFaceNumbers(faceNumbersText(faces))).toEqual([...new Set(faces)].sort((a, b) => a - b));
    }),
  );
  expect(faceNumbersText([9, 3, 4, 5, -1, 3, 12, 13])).toBe('3-5,9,12-13');
  expect(readFaceNumbers('3-5, 9,12-13')).toEqual([3, 4, 5, 9, 12, 13]);
  expect(faceNumbersText([-1])).toBe('');
});

test.each(['', '3,', 'a', '-1', '3-', '5-3', '1-99999999', '0-10000', '1.5'])('%s is refused', (text) => {
  expect(() => readFaceNumbers(text)).toThrow(/3-7,12/);
});
