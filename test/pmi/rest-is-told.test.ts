// What is understood of a text is kept, and what is not is told with its count.
import { expect, test } from 'vitest';
import { formatsOf, listOf, type Placed } from '../fixtures/texts-in-formats.js';

const UNCLEAR = /^(\d+) texts are like sizes/;
const unclear = (told: readonly string[]): string | undefined =>
  told.map((each) => UNCLEAR.exec(each)?.[1]).find((count) => count !== undefined);

test.each([
  ['1/4-20 UNC-2B x.50', '1/4-20 UNC-2B', 1, '1'],
  ['4x 1/4-20 UNC-2B x .50', '4x 1/4-20 UNC-2B', 4, '1'],
  ['#10-32 UNF-2B x .38', '#10-32 UNF-2B', 1, '1'],
  ['M8x1.25-6H x 20', 'M8x1.25-6H', 1, '1'],
  ['M8-6H SOME WORDS', 'M8-6H', 1, undefined],
  ['1/4-20 UNC-2B FROM FAR SIDE ONLY', '1/4-20 UNC-2B', 1, undefined],
])('%s has its thread, and figures behind it are told', async (said, thread, count, rest) => {
  for (const [bytes, name] of formatsOf([[said, 300, 500]])) {
    const { rows, told } = await listOf(bytes, name);
    expect([name, rows.map((row) => [row.reading, row.count])]).toEqual([name, [[thread, count]]]);
    expect([name, unclear(told)]).toEqual([name, rest]);
  }
});

test.each(['M8x20-8.8 DIN 933', 'M8 SCREWS', '4711-20 UNCLEAR', 'NR. 1/4-20'])('%s is no thread', async (said) => {
  for (const [bytes, name] of formatsOf([[said, 300, 500]]))
    expect([name, (await listOf(bytes, name)).rows]).toEqual([name, []]);
});

test('numbers in a row at the edge are marks of zones, and are told where the row does not begin with 1', async () => {
  const row = (first: number): Placed[] => [0, 1, 2, 3].map((i) => [String(first + i), 200 + 150 * i, 12]);
  for (const [first, count] of [
    [1, undefined],
    [5, '4'],
  ] as const)
    for (const [bytes, name] of formatsOf(row(first)).slice(0, 1)) {
      const { rows, told } = await listOf(bytes, name);
      expect([name, rows, unclear(told)]).toEqual([name, [], count]);
    }
});
