import { describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS } from '../../dist/options.js';
import { inspectionList } from '../../dist/pmi/inspection.js';
import { readDimension } from '../../dist/pmi/dimension-text.js';
import { readPmi } from '../../dist/pmi/read-pmi.js';
import { readContent } from '../../dist/readers/read.js';
import { dxf, line, text, type Groups } from '../fixtures/dxf-writer.js';

const FRAME: readonly Groups[] = [line(0, 0, 400, 0), line(400, 0, 400, 300)];

async function read(entities: readonly Groups[], blocks: Readonly<Record<string, readonly Groups[]>> = {}) {
  const content = await readContent(dxf({ blocks, entities: [...FRAME, ...entities] }), 'a.dxf', {
    limits: DEFAULT_LIMITS,
    defaultUnit: 'mm',
  } as never);
  if (content.kind !== 'drawing') throw new Error(`a ${content.kind}`);
  return readPmi(content);
}

/** A level dimension of a length whose text is typed; none: what it measures. */
function dimension(length: number, typed: string, y: number): Groups {
  return [
    [0, 'DIMENSION'],
    [100, 'AcDbEntity'],
    [8, '0'],
    [100, 'AcDbDimension'],
    [10, 20 + length],
    [20, y],
    [30, 0],
    [11, 20 + length / 2],
    [21, y + 2],
    [31, 0],
    [70, 32],
    [1, typed],
    [3, 'Standard'],
    [100, 'AcDbAlignedDimension'],
    [13, 20],
    [23, y - 10],
    [33, 0],
    [14, 20 + length],
    [24, y - 10],
    [34, 0],
    [50, 0],
    [100, 'AcDbRotatedDimension'],
  ];
}
const drawn = (...all: readonly (readonly [length: number, typed: string])[]): Groups[] =>
  all.map(([length, typed], i) => dimension(length, typed, 30 + 25 * i));
const said = (count: number, what: string): string =>
  `${count} dimensions have typed texts that are not what they measure: ${what}`;

describe('typed texts of dimensions', () => {
  test('two numbers close to each other are the limits of one', async () => {
    const rows = inspectionList(await read(drawn([80, '80.1 79.85'])));
    expect(rows).toMatchObject([{ nominal: 80.1, upper: 0, lower: -0.25, from: 'limits' }]);
  });

  test.each([
    ['100', 80, [said(1, 'drawn 80, says 100')]],
    ['⌀81 H7', 80, [said(1, 'drawn 80, says ⌀81 H7')]],
    ['80.4', 80.5, [said(1, 'drawn 80.5, says 80.4')]],
    // Roundings, inches, halves of round things, several in a row, limits, and what is no length.
    ['80', 80.4, []],
    ['<> H7', 80, []],
    ['80 ±0.1', 80, []],
    ['3.15 [80]', 80, []],
    ['⌀160', 80, []],
    ['4x 20', 80, []],
    ['M8', 80, []],
    ['SEE NOTE 3', 80, ['1 texts on dimension lines were not understood: SEE NOTE 3']],
    ['max. 82', 80, []],
    ['max. 78', 80, [said(1, 'drawn 80, says max. 78')]],
    ['70 MIN', 80, []],
    ['82\\P78', 80, []],
    ['82\\P81', 80, [said(1, 'drawn 80, says 82')]],
    ['⌀8 H7 x 80 ±0.5', 80, []],
    ['⌀81 H7 x 20 ±0.5', 80, [said(1, 'drawn 80, says ⌀81 H7 x 20 ±0.5')]],
    ['20 x 30 ±0.1 x 5', 20, ['1 texts on dimension lines were not understood: 20 x 30 ±0.1 x 5']],
    ['80.1 79.85', 80, []],
    ['80.1 79.85', 81, [said(1, 'drawn 81, says 80.1 79.85')]],
    ['78-82', 80, ['1 texts on dimension lines were not understood: 78-82']],
    ['<> <>', 80, ['1 texts on dimension lines were not understood: 80 80']],
  ])('%s of %f', async (typed, length, leftOut) => {
    expect((await read(drawn([length, typed]))).leftOut).toEqual(leftOut);
  });

  test('nothing is said where most have a scale in common, but of the one that has not', async () => {
    const scaled = [
      [50, '100'],
      [80, '160'],
      [12.5, '25'],
    ] as const;
    expect((await read(drawn(...scaled))).leftOut).toEqual([]);
    expect((await read(drawn(...scaled, [30, '70']))).leftOut).toEqual([said(1, 'drawn 30, says 70')]);
  });
});

describe('blocks of dimensions that were drawn before these were changed', () => {
  const NEWER = 'as drawn before they were changed; those that are shown were read';
  const measures = (shown: string): string =>
    `1 dimensions show other sizes than they measure, ${NEWER}: drawn 80, shows ${shown}`;
  test.each([
    ['80', '', []],
    ['75', '', [measures('75')]],
    ['75 H7', '<> H7', [measures('75 H7')]],
    ['3.15', '', []],
    ['80.00', '', []],
    ['A', '', []],
    ['100', '100', [said(1, 'drawn 80, says 100')]],
    [
      '80',
      '100',
      ['1 dimensions are drawn with other texts than they state; those that are shown were read: states 100, shows 80'],
    ],
  ])('%s of 80, typed %o', async (shown, typed, leftOut) => {
    const entity = dimension(80, typed, 30).flatMap(
      (group): Groups => (group[0] === 10 ? [[2, '*D1'], group] : [group]),
    );
    expect((await read([entity], { '*D1': [text(shown, 60, 32, 3.5)] })).leftOut).toEqual(leftOut);
  });
});

/** A text on a dimension line with arrows. */
function onLine(value: string, x: number, y: number): Groups[] {
  const [from, to] = [x - 8, x + 52];
  return [
    line(from, y - 1, to, y - 1),
    line(from, y - 1, from + 3, y - 0.2),
    line(from, y - 1, from + 3, y - 1.8),
    line(to, y - 1, to - 3, y - 0.2),
    line(to, y - 1, to - 3, y - 1.8),
    line(from, y - 12, from, y + 1),
    line(to, y - 12, to, y + 1),
    text(value, x, y, 3.5),
  ];
}
const onLines = (...values: readonly string[]) => read(values.flatMap((value, i) => onLine(value, 40, 40 + 20 * i)));

test('deviations that are not those of the fit beside them are told', async () => {
  const { leftOut } = await onLines('%%c40 h7 0/+0.025', '%%c40 H7 +0.025/0', '%%c40 g6 -0.009/-0.025');
  expect(leftOut).toEqual([
    '1 sizes have deviations that are not those of their fits: ⌀40 h7 0 +0.025 (h7 is 0 -0.025)',
  ]);
});

test('counts behind a tolerance, parted thousands and references are in lists of sizes', async () => {
  const pmi = await onLines('20 %%p0.1 4x', '%%c6 H7 4x', '20 %%p0.1 (x4)', '20 4x', '1,234.5 %%p0.1', '(50 %%p0.1)');
  expect(pmi.leftOut).toEqual([]);
  const rows = inspectionList(pmi).map(({ count, nominal }) => [count, nominal]);
  expect(rows.sort()).toEqual(
    [
      [1, 1234.5],
      [1, 50],
      [4, 20],
      [4, 20],
      [4, 20],
      [4, 6],
    ].sort(),
  );
});

test('thousands are parted by the sign that is not before the decimals', () => {
  for (const each of ['1,234.5', '1.234,5', '⌀1,234.5', '123,456.5'])
    expect(readDimension(each)).toMatchObject({ text: each });
  expect(readDimension('⌀1.234,5')?.nominal).toBe(1234.5);
  expect(readDimension('1 234,5')).toBeUndefined();
});

test('texts on dimension lines that are not understood are named', async () => {
  const { leftOut } = await onLines('TYP 4', '10 h7/F8', '1 234,5', 'M16-6g/6H', '25', '3D SOLID');
  expect(leftOut).toHaveLength(2);
  expect(leftOut[0]).toMatch(/^1 lines of several sizes were not read: .*: 1 234,5$/);
  expect(leftOut[1]).toMatch(/^2 texts on dimension lines were not understood: /);
  for (const each of ['TYP 4', 'M16-6g/6H']) expect(leftOut[1]).toContain(each);
});

test('three figures behind a comma may be thousands, unless another size has decimals behind one', async () => {
  const { leftOut } = await onLines('2,500', '12,000', '10.5');
  expect(leftOut).toHaveLength(1);
  expect(leftOut[0]).toMatch(/^2 sizes may be a thousand times as large, if the comma parts thousands; /);
  expect((await onLines('2,500', '10,5')).leftOut).toEqual([]);
});
