import { expect, test } from 'vitest';
import { apart, formatsOf, listOf, type Placed } from '../fixtures/texts-in-formats.js';

/** Lines of one block, below each other. */
const block = (...texts: readonly string[]): Placed[] => texts.map((said, i) => [said, 300, 500 - 7 * i]);

test.each([
  [['⌀6', '2 PLACES'], [[2, 6]]],
  [['R5', '4 PLCS'], [[4, 5]]],
  [['25 ±0.1', '2 PLACES'], [[2, 25]]],
  [['M6', '(2 PLACES)'], [[2, 6]]],
  [['⌀6.6 THRU', '⌴⌀11 ↧6.4', '4 HOLES'], [[4, 6.6], [4, 11], [4, 6.4]]],
  [['⌀6', 'SEE NOTE', '2 PLACES'], [[1, 6]]],
  [['3x ⌀6', '2 PLACES'], [[3, 6]]],
])('a count on a line of its own below a size is that of the size: %j', async (texts, wanted) => {
  for (const [bytes, name] of formatsOf(block(...texts))) {
    if (name.endsWith('.pdf') && texts.join('').includes('⌴')) continue; // No such sign in its font.
    const { rows } = await listOf(bytes, name);
    expect(rows.map(({ count, nominal }) => [count, nominal])).toEqual(wanted);
  }
}); // biome-ignore format: lists

test('a count that no size took is told', async () => {
  for (const [bytes, name] of formatsOf(apart(['25', '2 PLACES']))) {
    const { rows, told } = await listOf(bytes, name);
    expect(rows.map(({ count, nominal }) => [count, nominal])).toEqual([[1, 25]]);
    expect(told).toEqual([expect.stringMatching(/^1 texts are like sizes/)]);
  }
});

test.each([
  ['-0.2 25 +0.1', [25, 0.1, -0.2]],
  ['+0.1 25 -0.2', [25, 0.1, -0.2]],
  ['Teilkreis ⌀50', [50, undefined, undefined]],
  ['Lochkreis 50', [50, undefined, undefined]],
  ['BOLT CIRCLE ⌀50', [50, undefined, undefined]],
  ['t 3', [3, undefined, undefined]],
  ['Dicke 3', [3, undefined, undefined]],
  ['Rmin 2', [2, undefined, 0]],
])('%s is read', async (said, wanted) => {
  for (const [bytes, name] of formatsOf(apart([said]))) {
    const { rows, told } = await listOf(bytes, name);
    expect(rows.map(({ nominal, upper, lower }) => [nominal, upper, lower])).toEqual([wanted]);
    expect(told).toEqual([]);
  }
});

test('a square behind its number is one', async () => {
  for (const [bytes, name] of formatsOf(apart(['4x 12 □'])).slice(0, 2))
    expect((await listOf(bytes, name)).rows.map(({ count, nominal }) => [count, nominal])).toEqual([[4, 12]]);
});

test.each(['KEGEL 1:10', 'SLOPE 1:50', 'TAPER 1:20', '1:7'])('%s is told, because it has no type', async (said) => {
  for (const [bytes, name] of formatsOf(apart(['25', said]))) {
    const { rows, told } = await listOf(bytes, name);
    expect(rows.map(({ nominal }) => nominal)).toEqual([25]);
    expect(told).toEqual([`1 tapers, slopes or ratios are no sizes here: ${said}`]);
  }
});

test.each(['SCALE 1:10', '1:10', 'A-A (1:2)', '1:2:5', '11:30'])('%s is no taper', async (said) => {
  for (const [bytes, name] of formatsOf(apart(['25', said]))) expect((await listOf(bytes, name)).told).toEqual([]);
});

/** A dimension line with its extension lines, and ticks at its ends. */
const dimension = (x: number, y: number, ticks: boolean) =>
  [
    [x, y, x + 40, y],
    ...[x, x + 40].flatMap((at) => [[at, y - 2, at, y + 30], ...(ticks ? [[at - 2, y - 2, at + 2, y + 2]] : [])]),
  ] as unknown as readonly (readonly [number, number, number, number])[];

test('a depth by its word alone, or a ratio, is one of a dimension where its line holds it', async () => {
  const texts: Placed[] = [
    ['DEPTH 50', 308, 502],
    ['1:10', 512, 602],
  ];
  for (const [bytes, name] of formatsOf(texts, [...dimension(300, 500, true), ...dimension(500, 600, true)])) {
    const { rows, told } = await listOf(bytes, name);
    expect(rows.map(({ kind, nominal }) => [kind, nominal])).toEqual([['depth', 50]]);
    expect(told).toEqual(['1 tapers, slopes or ratios are no sizes here: 1:10']);
  }
  for (const [bytes, name] of formatsOf(apart(['DEPTH 50']))) {
    const { rows, told } = await listOf(bytes, name);
    expect(rows).toEqual([]);
    expect(told).toEqual([expect.stringMatching(/^1 texts are like sizes/)]);
  }
});

test('numbers that follow each other at the edge of a page are a chain where its line ends in ticks', async () => {
  const chain: Placed[] = ['5', '6', '7', '8'].map((said, i) => [said, 115 + 40 * i, 22]);
  for (const hasTicks of [true, false]) {
    const lines = chain.flatMap(([, x]) => dimension(x - 15, 20, hasTicks));
    for (const [bytes, name] of formatsOf(chain, lines))
      expect((await listOf(bytes, name)).rows).toHaveLength(hasTicks ? 4 : 0);
  }
});

test('a list of parts whose headings touch each other holds its numbers', async () => {
  const cells = ['1 5 SCREW 8.4', '2 3 NUT M10x30', '3 4 SCREW M8x20'].map((row) => row.split(' '));
  const columns = [100, 118, 136, 170];
  const list: Placed[] = [
    ['POS', 100, 600],
    ['QTY', 118, 600],
    ['DESCRIPTIONSTANDARD', 136, 600],
    ...cells.flatMap((row, i) => row.map((said, column): Placed => [said, columns[column], 593 - 7 * i])),
  ];
  for (const [bytes, name] of formatsOf([...list, ['25', 400, 300]])) {
    const { rows } = await listOf(bytes, name);
    expect([name, rows.map(({ reading }) => reading)]).toEqual([name, ['25']]);
  }
});
