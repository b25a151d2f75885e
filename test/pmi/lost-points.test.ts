// Points that scans lose.
import { expect, test } from 'vitest';
import { PMI_TYPE, type PmiObject } from '../../dist/index.js';
import { sizesWithoutPoint } from '../../dist/pmi/sizes/lost-points.js';

test('whole numbers that are larger than all sizes with decimals may have lost their points', () => {
  const without = (...sizes: readonly string[]): string[] =>
    sizesWithoutPoint(
      sizes.map((text, i): PmiObject => {
        const parts = [{ text }];
        return { typeId: PMI_TYPE.arrows, id: i, group: 'Measurement', box: [100 * i, 100, 50, 20], parts };
      }),
    ).map(({ parts }) => parts[0].text);
  expect(without('12.5', '61.0', '⌀30.2', 'R4.5', '7.75', '90.1', '610', 'R3107')).toEqual(['610', 'R3107']);
  expect(without('12.5', '161.0', '⌀30.2', 'R4.5', '7.75', '90.1', '120')).toEqual([]);
  // Where sizes are whole as often as not, nothing is lost.
  expect(without('12.5', '61', '30', '4.5', '7.75', '90.1', '610', '45')).toEqual([]);
  expect(without('12.5', '61.0', '610')).toEqual([]);
});
