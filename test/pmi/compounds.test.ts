import { describe, expect, test } from 'vitest';
import { apart, formatsOf, listOf, type Placed } from '../fixtures/texts-in-formats.js';

const none = undefined;

const SIZES: readonly (readonly [string, ...(readonly (number | string | undefined)[])[]])[] = [
  ['⌀8 H7 x 20 ±0.5', [1, 8, 0.015, 0], [1, 20, 0.5, -0.5]],
  ['⌀8 ±0.1 x 20 ±0.5', [1, 8, 0.1, -0.1], [1, 20, 0.5, -0.5]],
  ['⌀8H7x20±0.5', [1, 8, 0.015, 0], [1, 20, 0.5, -0.5]],
  ['4x ⌀8 H7 x 20 ±0.5', [4, 8, 0.015, 0], [4, 20, 0.5, -0.5]],
  ['⌀8 ±0.1 x 20', [1, 8, 0.1, -0.1], [1, 20, none, none]],
  ['4x ⌀8 ±0.1 x 20', [4, 8, 0.1, -0.1], [4, 20, none, none]],
  ['4x ⌀10 ±0.05 20 tief', [4, 10, 0.05, -0.05], [4, 20, none, none]],
  ['4x ⌀6 H7 auf TK ⌀80 ±0.1', [4, 6, 0.012, 0], [1, 80, 0.1, -0.1]],
  ['M8 x 20 ±1', [1, 8, none, none], [1, 20, 1, -1]],
  ['M8x1.25 x 20 ±1', [1, 8, none, none], [1, 20, 1, -1]],
  ['20 ±0.1 x 30', [1, 20, 0.1, -0.1], [1, 30, none, none]],
  ['20±0.1x30', [1, 20, 0.1, -0.1], [1, 30, none, none]],
  ['20 ±0.1 x 30 ±0.2 x 5', [1, 20, 0.1, -0.1], [1, 30, 0.2, -0.2], [1, 5, none, none]],
  ['⌀8 ±0.1 x 45° ±1°', [1, 8, 0.1, -0.1], [1, 45, 1, -1]],
  ['⌀8 ±0.1 x 20 ±0.2 x 30', [1, 8, 0.1, -0.1], [1, 20, 0.2, -0.2], [1, 30, none, none]],
  ['1 ±0.1 x 45° ±1°', [1, 1, 0.1, -0.1], [1, 45, 1, -1]],
  ['1 x 45° ±1°', [1, 1, none, none], [1, 45, 1, -1]],
  ['1.5 ±0.1 x 45', [1, 1.5, 0.1, -0.1], [1, 45, none, none]],
  ['⌀30 (+0.018, +0.002)', [1, 30, 0.018, 0.002]],
  ['25*', [1, 25, none, none]],
  ['25 NTS', [1, 25, none, none]],
  ['3° DRAFT', [1, 3, none, none]],
  ['MJ8x1', [1, 8, none, none]],
  ['S40x7', [1, 40, none, none]],
  ['1/4-20', [1, 0.25, none, none]],
  ['3/8-16 UNC-2B', [1, 0.375, none, none]],
];

test.each(SIZES.map(([said, ...wanted]) => ({ said, wanted })))('$said', async ({ said, wanted }) => {
  for (const [bytes, name] of formatsOf(apart([said]))) {
    const { rows } = await listOf(bytes, name);
    expect(rows.map(({ count, nominal, upper, lower }) => [count, nominal, upper, lower])).toEqual(wanted);
  }
});

test('dates, numbers of parts, materials, screws, scales and marks of notes are no sizes', async () => {
  const texts = [
    '20 ±0.1 x 24.12.2023', '3 x 24.12.2023', 'S20x30', 'S40x8', 'XS40x7', 'C45', 'C45 x 20', '1/4-20-3', '3/8-12',
    '1:20', '[3]', '2*', '5 DRAFT', '2 M6 x 20', '20 A4 x 3', 'M8x20-8.8', 'x 20', 'X 20', 'MJ8', '10 (0, -5)',
    '5 B6 x 10', '4x x 20', '⌀8 ON ⌀80', 'NR. 1/4-20', '7/8-14 UHR', 'S20x4x100', '25*3',
    '4 auf 20 ±0.1', 'DRAFT 3°',
  ]; // biome-ignore format: a list
  for (const [bytes, name] of formatsOf(apart(texts)))
    expect((await listOf(bytes, name)).rows.map(({ reading }) => reading)).toEqual([]);
});

test('texts that are like sizes and may be something else are told with their number', async () => {
  for (const [bytes, name] of formatsOf(apart(['25.5', '[25]', 'A=25', '⌀5 PIN ±0.1', '[3]', 'NOTE 5']))) {
    const { rows, told } = await listOf(bytes, name);
    expect(rows.map(({ reading }) => reading)).toEqual(['25.5']);
    expect(told).toEqual([expect.stringMatching(/^3 texts are like sizes .* cannot be read as such for certain: /)]);
  }
});

test.each(['x 20 ±0.5', 'PL 10 ±0.3 x 100', 'L 50 x 50 x 5 ±0.5', '±0.1', '100 (99.5)', '20 x 30 ±0.1 x 5'])(
  '%s is no size, and told',
  async (said) => {
    for (const [bytes, name] of formatsOf(apart([said]))) {
      const { rows, told } = await listOf(bytes, name);
      expect(rows).toEqual([]);
      expect(told).toEqual([expect.stringMatching(/^1 (?:texts are like sizes|lines of several sizes)/)]);
    }
  },
);

test.each([5, 6, 7, 12])('two limits are one size where they are %f above each other, but for 12', async (pitch) => {
  const below: Placed[] = [['R 11.30', 320, 600], ['11.20', 326, 600 - pitch]]; // biome-ignore format: two texts
  for (const [bytes, name] of formatsOf(below)) {
    const rows = (await listOf(bytes, name)).rows.map(({ nominal, lower }) => [nominal, lower]);
    expect(rows).toEqual(pitch < 12 ? [[11.3, -0.1]] : [[11.3, none], [11.2, none]]); // biome-ignore format: sizes
  }
});

test('numbers in a row that runs from an edge are sizes, and those along it zones', async () => {
  const row = (y: number): Placed[] => ['20', '30', '40', '50'].map((said, i) => [said, 30 + 14 * i, y]);
  for (const [bytes, name] of formatsOf(row(450))) expect((await listOf(bytes, name)).rows).toHaveLength(4);
  for (const [bytes, name] of formatsOf(row(8))) expect((await listOf(bytes, name)).rows).toHaveLength(0);
});

test('a depth behind its number has the count of the holes above it', async () => {
  const below = (said: readonly string[]): Placed[] => said.map((each, i) => [each, 20, 700 - 7 * i]);
  for (const texts of [
    ['4x ⌀6.6 THRU', '⌀11 CBORE', '6.5 DEEP'],
    ['4x ⌀6.6', '6.5 DEEP'],
  ])
    for (const [bytes, name] of formatsOf(below(texts)))
      expect((await listOf(bytes, name)).rows.map(({ count }) => count)).toEqual(texts.map(() => 4));
  const far: Placed[] = [['4x ⌀6.6', 20, 700], ['6.5 DEEP', 20, 600]]; // biome-ignore format: two texts
  for (const [bytes, name] of formatsOf(far))
    expect((await listOf(bytes, name)).rows.map(({ count }) => count)).toEqual([4, 1]);
});

describe('data of gears', () => {
  const GEARS = [
    ['ZÄHNEZAHL z', '24'],
    ['MODUL m', '2'],
    ['NUMBER OF TEETH', '25'],
    ['PRESSURE ANGLE', '20°'],
  ];
  const rowsOf = (beside: number): Placed[] =>
    GEARS.flatMap(([label, value], i): Placed[] => [
      [label, 20, 600 - 9 * i],
      [value, beside, 600 - 9 * i],
    ]);

  test.each([85, 110])('are no sizes, their values %i units from the left', async (beside) => {
    for (const [bytes, name] of formatsOf([...rowsOf(beside), ['⌀52 h9', 300, 700], ['20°', 400, 700]])) {
      const { rows, told } = await listOf(bytes, name);
      expect(rows.map(({ reading }) => reading).sort()).toEqual(['20°', '⌀52 h9']);
      expect(told).toEqual([expect.stringMatching(/^4 numbers that name, count or measure something else/)]);
    }
  });

  test('with their letters in a column', async () => {
    const texts: Placed[] = [
      ['ZÄHNEZAHL', 20, 600],
      ['z', 80, 600],
      ['24', 100, 600],
      ['⌀52 h9', 300, 700],
    ];
    for (const [bytes, name] of formatsOf(texts))
      expect((await listOf(bytes, name)).rows.map(({ reading }) => reading)).toEqual(['⌀52 h9']);
  });
});
