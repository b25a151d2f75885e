import { expect, test } from 'vitest';
import { packInks, type PageInk } from '../../dist/descriptors/page-inks.js';
import { KeptInks } from '../../dist/search/views/inks/kept-inks.js';

/** A page of one file, with ink at a place that tells it apart. */
function inkOf(fileId: number): Uint8Array {
  const box = { x: 0, y: 0, width: 1, height: 1 };
  const bits = Uint8Array.from({ length: 384 * 272 }, (_, i) => (i === fileId ? 1 : 0));
  const ink: PageInk = { number: 1, area: box, page: box, skewRad: 0, width: 384, height: 272, bits, boxes: [box] };
  return packInks([undefined, ink]);
}

/** Reads the inks of all files but 9, and notes which it was asked for. */
function reading(): { readonly asked: number[][]; readonly read: ConstructorParameters<typeof KeptInks>[0] } {
  const asked: number[][] = [];
  const read = async (fileIds: readonly number[]): Promise<ReadonlyMap<number, Uint8Array>> => {
    asked.push([...fileIds]);
    return new Map(fileIds.filter((fileId) => fileId !== 9).map((fileId) => [fileId, inkOf(fileId)]));
  };
  return { asked, read };
}

test('the ink of a page is read once, and again after its file changed', async () => {
  const { asked, read } = reading();
  const inks = new KeptInks(read, () => Infinity);
  const found = await inks.of([1, 2, 9]);
  expect([...found.keys()]).toEqual([1, 2]);
  expect(found.get(2)).toHaveLength(1);
  expect(found.get(2)![0]).toMatchObject({ number: 1, width: 384, height: 272 });
  expect(found.get(2)![0].packed[0]).toBe(1 << 2);
  expect((await inks.of([2, 1])).get(2)).toBe(found.get(2));
  inks.forget(2);
  expect(await inks.of([1, 2])).toEqual(new Map([...found].filter(([fileId]) => fileId < 9)));
  expect(asked).toEqual([[1, 2, 9], [2]]);
});

test('what is read while a file changes is not kept', async () => {
  const { asked, read } = reading();
  const inks = new KeptInks(read, () => Infinity);
  const first = inks.of([1]);
  inks.forget(1);
  expect((await first).get(1)).toHaveLength(1);
  expect(inks.bytes).toBe(0);
  await inks.of([1]);
  await inks.of([1]);
  expect(asked).toEqual([[1], [1]]);
});

test('kept inks take a part of the room of a search, and the least recently used go first', async () => {
  const { asked, read } = reading();
  // Room for two pages of 13 kB.
  const inks = new KeptInks(read, () => 4 * 30_000);
  await inks.of([1, 2]);
  expect(inks.bytes).toBe(2 * 14_056);
  await inks.of([1]);
  await inks.of([3]);
  expect(inks.bytes).toBe(2 * 14_056);
  await inks.of([1, 3]);
  await inks.of([2]);
  expect(asked).toEqual([[1, 2], [3], [2]]);
});
