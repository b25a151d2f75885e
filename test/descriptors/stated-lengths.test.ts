import { describe, expect, test } from 'vitest';
import { statedLengths, type Stating } from '../../dist/descriptors/stated-lengths.js';

/** A drawing in model space, mm, with dimensions that measure and say so. */
function drawing(...dimensions: readonly (readonly [measurement: number, text: string])[]): Stating {
  const annotations = dimensions.map(([measurement, text]) => ({ text, dimension: { measurement, type: 'linear' } }));
  return {
    sheets: [{ annotations, unitMm: 1, space: 'model' }] as unknown as Stating['sheets'],
    pages: [{ text: dimensions.map(([, text]) => text).join('\n') }],
  };
}

describe('lengths that a drawing states', () => {
  test('what a dimension measures is left out where its text says another length', () => {
    expect(statedLengths(drawing([100, '200'], [10, '⌀20']))).toEqual([200, 20]);
    expect(statedLengths(drawing([33.333, '33.3'], [50, 'H7']))).toEqual([50, 33.333, 33.3]);
  });

  test('in inches both are kept', () => {
    expect(statedLengths(drawing([4, '4.00"']))).toEqual([101.6, 4]);
  });
});
