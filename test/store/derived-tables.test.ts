import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { CompactTable, type CompactVector } from '../../dist/store/database/compact-table.js';
import { ViewTable, type ViewRowsOfFile } from '../../dist/store/database/view-table.js';
import { temporaryFolder } from '../fixtures/folder.js';

const vector = (fileId: number, value: number): CompactVector => ({
  fileId,
  indexedAt: 10 * fileId,
  bytes: new Uint8Array(new Float32Array(64).fill(value).buffer),
});

/** All that a table of vectors holds, by file. */
async function vectorsOf(table: CompactTable): Promise<Map<number, number>> {
  const { fileIds } = await table.files();
  const found = new Map<number, number>();
  for (const number of new Set([...fileIds].map((fileId) => CompactTable.blockOf(fileId)))) {
    const block = (await table.read(number))!;
    const values = new Float32Array(new Uint8Array(block.vectors).buffer);
    for (const [i, fileId] of block.fileIds.entries()) found.set(fileId, values[64 * i]);
  }
  return found;
}

/** Writes over the beginning of the database in a folder, so that it is one no more. */
function damage(folder: string): void {
  for (const name of readdirSync(folder)) writeFileSync(join(folder, name), 'no database');
}

test('vectors are read by blocks, rising, until they are removed; a damaged table is made anew', async () => {
  const folder = temporaryFolder();
  const table = CompactTable.open(folder);
  await table.change([vector(5_000, 3), vector(7, 1), vector(5_001, 4), vector(6, 2)], []);
  await table.change([vector(7, 9), vector(1_024, 5)], [5_000, 99]);
  const wanted = [
    [6, 2],
    [7, 9],
    [1_024, 5],
    [5_001, 4],
  ];
  expect([...(await vectorsOf(table))]).toEqual(wanted);
  expect([...(await table.files()).indexedAt]).toEqual([60, 70, 10_240, 50_010]);
  expect(await table.read(CompactTable.blockOf(3_000))).toBeUndefined();
  await table.change([], [5_001]);
  expect(await table.read(CompactTable.blockOf(5_001))).toBeUndefined();
  table.close();
  const again = CompactTable.open(folder);
  expect([...(await vectorsOf(again))]).toEqual(wanted.slice(0, 3));
  again.close();
  damage(folder);
  const anew = CompactTable.open(folder);
  expect((await anew.files()).fileIds).toHaveLength(0);
  await anew.change([vector(1, 1)], []);
  expect([...(await vectorsOf(anew))]).toEqual([[1, 1]]);
  anew.close();
});

test('views that were put are read in the order that is asked for; a damaged table is made anew', async () => {
  const file = (fileId: number, count: number, upright: number): ViewRowsOfFile => ({
    fileId,
    indexedAt: fileId / 2,
    rows: new Uint8Array(32 * count).fill(fileId),
    count,
    upright,
    isFree: fileId % 2 === 1,
    weights: upright > 0 ? new Float32Array(0) : new Float32Array(count).fill(1 / count),
  });
  const folder = temporaryFolder();
  const table = ViewTable.open(folder, 8);
  await table.change([file(1, 2, 1), file(2, 4, 0), file(3, 1, 0), file(4, 3, 2)], []);
  await table.change([file(2, 5, 0)], [4]);
  const { files, rows } = await table.read(Uint32Array.of(3, 4, 2, 1));
  expect(files.map(({ fileId, count, upright, isFree }) => [fileId, count, upright, isFree])).toEqual([
    [3, 1, 0, true],
    [2, 5, 0, false],
    [1, 2, 1, true],
  ]);
  expect(files.map(({ weights }) => [...weights])).toEqual([[1], Array(5).fill(Math.fround(0.2)), []]);
  expect([rows.length, rows[0], rows[32], rows[32 * 6]]).toEqual([32 * 8, 3, 2, 1]);
  expect(await table.views()).toBe(8);
  table.close();
  const again = ViewTable.open(folder, 8);
  expect(await again.times(1)).toEqual([
    { fileId: 2, indexedAt: 1 },
    { fileId: 3, indexedAt: 1.5 },
  ]);
  again.close();
  damage(folder);
  const anew = ViewTable.open(folder, 8);
  expect(await anew.views()).toBe(0);
  anew.close();
});

/** Writes over all of a database but its first page. */
function damageWithin(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, 4_096));
}

test('a table that is damaged within says so, and is made anew when it is opened next', async () => {
  const folder = temporaryFolder();
  const table = CompactTable.open(folder);
  await table.change(
    Array.from({ length: 5_000 }, (_, i) => vector(i + 1, i)),
    [],
  );
  table.close();
  damageWithin(join(folder, 'compact.sqlite'));
  const onDamaged = vi.fn();
  const damaged = CompactTable.open(folder, onDamaged);
  await expect(damaged.files()).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  expect(onDamaged).toHaveBeenCalled();
  damaged.close();
  const anew = CompactTable.open(folder);
  expect((await anew.files()).fileIds).toHaveLength(0);
  anew.close();
});

test('views of a version that is compared no more are not read', async () => {
  const folder = temporaryFolder();
  const table = ViewTable.open(folder, 8);
  const rows = new Uint8Array(32);
  const file = { fileId: 1, indexedAt: 10, rows, count: 1, upright: 1, isFree: false, weights: new Float32Array() };
  await table.change([file], []);
  table.close();
  const same = ViewTable.open(folder, 8);
  expect(await same.views()).toBe(1);
  same.close();
  const later = ViewTable.open(folder, 12);
  expect(await later.views()).toBe(0);
  later.close();
});
