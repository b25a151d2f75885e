import { describe, expect, test } from 'vitest';
import { notUnderstoodIn, partsOfDimension } from '../../dist/pmi/sizes/dimension-lines.js';
import { sizesIn } from '../../dist/pmi/sizes/callouts.js';
import { formOfSize } from '../../dist/pmi/sizes/form-of-size.js';
import { areNearAsLimits } from '../../dist/pmi/sizes/limits.js';

/** The parts of a dimension's text, with their tolerances. */
function said(text: string, facts: Partial<Parameters<typeof partsOfDimension>[1]> = {}): string[] {
  return partsOfDimension(text, { measurement: 50, ...facts }).map((part) =>
    [part.text, ...(part.tolerance ?? [])].join(' '),
  );
}

test.each([
  ['50\n±0.1', ['50 ±0.1']],
  ['50\n+0.1\n-0.2', ['50 +0.1 -0.2']],
  ['50\n0\n-0.2', ['50 0 -0.2']],
  ['50\n+0.1 -0.2', ['50 +0.1 -0.2']],
  ['50\nH7', ['50 H7']],
  ['50 H7\n+0.025\n0', ['50 H7 +0.025 0']],
  ['50\n50 H7\n+0.025\n0', ['50 H7 +0.025 0']],
  ['50 H7\n(50.025)\n(50.000)', ['50 H7 +0.025 0']],
  ['50\nM8', ['50', 'M8']],
  ['⌀8\nx 20', ['⌀8 x 20']],
])('a tolerance on a line of its own belongs to the size above: %j', (text, parts) => {
  expect(said(text)).toEqual(parts);
});

test.each([
  ['50.1\n49.9', ['50.1', '49.9']],
  ['49.9\n50.1', ['50.1', '49.9']],
  ['⌀50.1\n⌀49.9', ['⌀50.1', '49.9']],
  ['R50.1\nR49.9', ['R50.1', '49.9']],
  ['2x 50.1\n2x 49.9', ['2x 50.1', '49.9']],
  ['50.1\n49.9\nTYP', ['50.1', '49.9', 'TYP']],
  ['4x\n50.1\n49.9', ['4x 50.1', '49.9']],
  ['45.5°\n44.5°', ['45.5°', '44.5°']],
  ['50.8\n2.000', ['50.8 [2.000]']],
  ['2.000\n50.8', ['2.000 [50.8]']],
  ['50\n16', ['50', '16']],
])('limits, two units and two sizes on two lines are told apart: %j', (text, parts) => {
  expect(said(text)).toEqual(parts);
});

test.each([
  ['4x\n50', ['4x 50']],
  ['50\n4x', ['4x 50']],
  ['50\n(4x)', ['4x 50']],
  ['50\n4 PLACES', ['4x 50']],
])('a count on a line of its own counts the size: %j', (text, parts) => {
  expect(said(text)).toEqual(parts);
});

describe('the tolerance of the dimension style', () => {
  const tolerance = { upper: 0.1, lower: -0.2, shown: 'deviation' } as const;
  test.each([
    ['50', { tolerance }, ['50 +0.1 -0.2']],
    ['50', { tolerance: { ...tolerance, shown: 'limits' } as const }, ['50 +0.1 -0.2']],
    ['50.1\n49.8', { tolerance: { ...tolerance, shown: 'limits' } as const }, ['50.1', '49.8']],
    ['50.1 49.8', { tolerance: { ...tolerance, shown: 'limits' } as const }, ['50.1 49.8']],
    ['TYP\n50', { tolerance }, ['TYP', '50 +0.1 -0.2']],
    ['⌀50 x 20', { tolerance }, ['⌀50 +0.1 -0.2 x 20']],
    ['⌀50 ±0.1 x 45° ±1°', { tolerance }, ['⌀50 ±0.1 x 45° ±1°']],
    ['TYP\n50', { isBasic: true }, ['TYP', '50 basic']],
  ])('goes to what is measured: %j', (text, facts, parts) => {
    expect(said(text, facts)).toEqual(parts);
  });
});

test.each([
  ['L=50±0.1', ['50 ±0.1'], []],
  ['B = 50', ['50'], []],
  ['Teilkreis ⌀50', ['⌀50'], []],
  ['５０', ['50'], []],
  ['L=300', ['L=300'], ['L=300']],
  ['M8\nL=300', ['M8', 'L=300'], ['L=300']],
  ['50 TYP\nSEE NOTE 4', ['50 TYP', 'SEE NOTE 4'], ['SEE NOTE 4']],
  ['DEPTH 50 ±1', ['DEPTH 50 ±1'], ['DEPTH 50 ±1']],
  ['٥٠', ['٥٠'], ['٥٠']],
  ['50 ±2°', ['50 ±2°'], ['50 ±2°']],
  ['50 ±5"', ['50 ±5"'], ['50 ±5"']],
  ['⌀50 THRU\n⌴⌀60 ↧5\nDEEP 4', ['⌀50 THRU', '⌴⌀60 ↧5', 'DEEP 4'], []],
  ['TYP\n50.1\n49.9', ['TYP', '50.1', '49.9'], []],
])('each line that is no size is named: %j', (text, parts, unread) => {
  expect(said(text)).toEqual(parts);
  expect(notUnderstoodIn(text, { measurement: 50 })).toEqual(unread);
});

test.each([
  [50.1, 49.9, 'length', true],
  [82, 78, 'length', true],
  [350, 341.5, 'length', true],
  [100, 81.5, 'length', false],
  [50.8, 2, 'length', false],
  [1.5, 0.5, 'length', false],
  [46, 44, 'angle', true],
  [60, 45, 'angle', false],
] as const)('limits of one size are no further apart than tolerances are: %d and %d', (upper, lower, kind, are) => {
  expect(areNearAsLimits(upper, lower, kind)).toBe(are);
});

test.each([
  ['45.5° 44.5°', 'angle', 45.5, 1],
  ['2x 10.1 9.9', 'length', 10.1, 2],
  ['⌀10.1 ⌀9.9', 'diameter', 10.1, 1],
  ['80.1 79.85 TYP', 'length', 80.1, 1],
])('limits on one line are one size: %s', (text, kind, nominal, count) => {
  expect(sizesIn(text)).toMatchObject([{ kind, nominal, count, tolerance: { upper: 0 } }]);
});

test.each([
  ['chamfer', '2x45°', '45°'],
  ['chamfer', '2x30°', '30°'],
  ['chamfer', '30° x 2', '30°'],
  ['chamfer', 'C2', '45°'],
  ['chamfer', '0.5x45', '45°'],
  ['chamfer', '1x2', 'x2'],
  ['length', '8 MAX', 'max'],
  ['length', '8 MIN', 'min'],
  ['diameter', 'S⌀8', 'S'],
  ['radius', 'SR8', 'S'],
  ['diameter', '⌀8', ''],
] as const)('what equal numbers may differ in, %s %s', (kind, text, form) => {
  expect(formOfSize({ kind, text })).toBe(form);
});

test('long texts take no longer than their length', () => {
  for (const text of ['1'.repeat(60_000), '1x'.repeat(30_000), '1 x '.repeat(15_000)])
    expect(sizesIn(text)).toEqual([]);
});
