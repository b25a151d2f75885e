import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { notUnderstoodIn, partsOfDimension } from '../../dist/pmi/sizes/dimension-lines.js';
import { sizesIn } from '../../dist/pmi/sizes/callouts.js';
import { formOfSize } from '../../dist/pmi/sizes/form-of-size.js';
import { areNearAsLimits } from '../../dist/pmi/sizes/limits.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, line, type Groups } from '../fixtures/dxf-writer.js';

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
  ['⌀52\n⌀48', ['⌀52', '⌀48']],
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
    ['50 THRU\nM8', { tolerance }, ['50 THRU +0.1 -0.2', 'M8']],
    ['⌀50 x 20', { tolerance }, ['⌀50 +0.1 -0.2 x 20']],
    ['⌀50 ±0.1 x 45° ±1°', { tolerance }, ['⌀50 ±0.1 x 45° ±1°']],
    ['TYP\n50', { isBasic: true }, ['TYP', '50 basic']],
  ])('goes to what is measured: %j', (text, facts, parts) => {
    expect(said(text, facts)).toEqual(parts);
  });
});

test.each([
  ['L=50±0.1', ['L=50±0.1'], []],
  ['d3=50.0', ['d3=50.0'], []],
  ['Teilkreis ⌀50', ['Teilkreis ⌀50'], []],
  ['KEGEL 1:10', ['KEGEL 1:10'], ['KEGEL 1:10']],
  ['５０', ['50'], []],
  ['L=300', ['L=300'], []],
  ['M8\nL=300', ['M8', 'L=300'], []],
  // A word below a size is a part of it, and a gauge is no length.
  ['50\nMIN', ['50 MIN'], []],
  ['50\n(REF)', ['50 (REF)'], []],
  ['⌀50\nmax.', ['⌀50 max.'], []],
  ['11 GA', ['11 GA'], ['11 GA']],
  ['50 TYP\nSEE NOTE 4', ['50 TYP', 'SEE NOTE 4'], ['SEE NOTE 4']],
  ['DEPTH 50 ±1', ['DEPTH 50 ±1'], []],
  ['DP 50 ±1', ['DP 50 ±1'], ['DP 50 ±1']],
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

test.each([
  ['<> H7', '', '50 H7'],
  ['2x <> TYP', '', '2x 50 TYP'],
  ['mm', '', '50mm'],
  ['<> H7', '<> TYP', '50 H7 TYP'],
  ['<> H7', '50.5', '50.5'],
])('what the style %j writes about a size belongs to it: %j', async (post, typed, text) => {
  const style: Groups = [
    ...([
      [0, 'TABLE'],
      [2, 'DIMSTYLE'],
      [5, 'A'],
      [100, 'AcDbSymbolTable'],
      [70, 1],
    ] as const),
    ...([
      [0, 'DIMSTYLE'],
      [105, '27'],
      [100, 'AcDbSymbolTableRecord'],
      [100, 'AcDbDimStyleTableRecord'],
    ] as const),
    ...([
      [2, 'Standard'],
      [70, 0],
      [3, post],
      [0, 'ENDTAB'],
    ] as const),
  ];
  const dimension: Groups = [
    ...([
      [0, 'DIMENSION'],
      [100, 'AcDbEntity'],
      [8, '0'],
      [100, 'AcDbDimension'],
      [10, 70],
      [20, 30],
    ] as const),
    ...([
      [30, 0],
      [11, 45],
      [21, 32],
      [31, 0],
      [70, 32],
      [1, typed],
      [3, 'Standard'],
    ] as const),
    ...([
      [100, 'AcDbAlignedDimension'],
      [13, 20],
      [23, 20],
      [33, 0],
      [14, 70],
      [24, 20],
      [34, 0],
    ] as const),
    ...([
      [50, 0],
      [100, 'AcDbRotatedDimension'],
    ] as const),
  ];
  const bytes = dxf({ tables: style, entities: [line(0, 0, 400, 0), dimension] });
  const content = await readContent(bytes, 'a.dxf', { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  expect(content.sheets[0].annotations.map((each) => each.text)).toEqual([text]);
});
