// A file with one real dimension may have others that are exploded into lines and texts, and tables of holes.
import { expect, test } from 'vitest';
import { line, text, type Groups } from '../fixtures/dxf-writer.js';
import { pmiOfDxf, readingsOf, realDimension } from '../fixtures/dxf-pmi.js';

/** An exploded dimension whose heads are two strokes each. */
const exploded = (said: string, from: number, to: number, y: number): Groups[] => [
  ...[line(from, y, to, y), line(from, y - 10, from, y + 2), line(to, y - 10, to, y + 2)],
  ...[from + 3, to - 3].flatMap((x, i) => [-0.6, 0.6].map((side) => line(i === 0 ? from : to, y, x, y + side))),
  text(said, (from + to) / 2 - 4, y + 1, 3.5),
];

test('exploded dimensions with open heads are sizes beside a real one, and other numbers are told', async () => {
  const others = [...exploded('150', 10, 160, 80), ...exploded('12.5', 60, 100, 60), text('17', 120, 30, 3.5)];
  const pmi = await pmiOfDxf([realDimension, ...others]);
  expect(readingsOf(pmi)).toEqual(['60', '150', '12.5']);
  expect(pmi.leftOut).toEqual([expect.stringMatching(/^1 texts are like sizes .*: 17$/)]);
});

test('a table of holes is listed beside a real dimension', async () => {
  const rows = [
    ['HOLE', 'X', 'SIZE'],
    ['A1', '10', '%%c6.6'],
    ['A2', '30', '%%c8 H7'],
  ];
  const grid = [0, 1, 2, 3].flatMap((i) => [
    line(100, 40 + 8 * i, 190, 40 + 8 * i),
    line(100 + 30 * i, 40, 100 + 30 * i, 64),
  ]);
  const cells = rows.flatMap((row, j) => row.map((said, i) => text(said, 102 + 30 * i, 58 - 8 * j, 3)));
  expect(readingsOf(await pmiOfDxf([realDimension, ...grid, ...cells]))).toEqual([
    '60',
    rows.flat().join().replaceAll('%%c', '⌀'),
  ]);
});
