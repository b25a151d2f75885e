import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CompactTable, type CompactVector } from '../../dist/store/database/compact-table.js';
import { isDamage } from '../../dist/store/database/derived-database.js';
import type { EngineError } from '../../dist/index.js';
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
  expect((await table.facts(0)).map(({ count }) => count)).toEqual([2, 5, 1]);
  table.close();
  const again = ViewTable.open(folder, 8);
  expect(await again.facts(1)).toMatchObject([
    { fileId: 2, indexedAt: 1, count: 5 },
    { fileId: 3, indexedAt: 1.5, count: 1 },
  ]);
  again.close();
  damage(folder);
  const anew = ViewTable.open(folder, 8);
  expect(await anew.facts(0)).toHaveLength(0);
  anew.close();
});

/** Writes over all of a database but its first page. */
function damageWithin(file: string): void {
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, 65_536));
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
  const damaged = CompactTable.open(folder);
  const failure = await damaged.files().catch((cause: unknown) => cause);
  expect(failure).toMatchObject({ code: 'STORAGE_FAILED' });
  expect(isDamage(failure as EngineError)).toBe(true);
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
  expect(await same.facts(0)).toHaveLength(1);
  same.close();
  const later = ViewTable.open(folder, 12);
  expect(await later.facts(0)).toHaveLength(0);
  later.close();
});

/** A generator of whole numbers below `limit`, by an LCG of Numerical Recipes. */
function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state % limit;
  };
}

/**
 * Flips one bit after another of a database and reads it each time.
 * @param read all values that it holds, by a key of theirs. @returns how often damage was told, or values were missing.
 */
async function flipped(
  file: string,
  flips: number,
  read: (folder: string) => Promise<ReadonlyMap<string, unknown>>,
): Promise<{ told: number; missing: number }> {
  const whole = readFileSync(file);
  const wanted = await read(join(file, '..'));
  const next = numbers(19);
  const seen = { told: 0, missing: 0 };
  for (let i = 0; i < flips; i++) {
    const folder = join(file, '..', `flip-${i}`);
    mkdirSync(folder);
    const bytes = Buffer.from(whole);
    const at = next(bytes.length);
    bytes[at] ^= 1 << next(8);
    writeFileSync(join(folder, file.slice(file.lastIndexOf('/') + 1)), bytes);
    try {
      const found = await read(folder);
      for (const [key, value] of found) expect(value, `byte ${at}, ${key}`).toEqual(wanted.get(key));
      if (found.size < wanted.size) seen.missing++;
    } catch (cause) {
      if ((cause as EngineError).code !== 'STORAGE_FAILED') throw cause;
      seen.told++;
    }
    rmSync(folder, { recursive: true });
  }
  return seen;
}

test('a bit that flips in a table of vectors is told, or costs files, and never gives another vector', async () => {
  const folder = temporaryFolder();
  const table = CompactTable.open(folder);
  const random = numbers(7);
  const of = Array.from({ length: 300 }, (_, i) => vector(20 * i + 1, random(1_000) / 999));
  await table.change(of, []);
  table.close();
  const seen = await flipped(join(folder, 'compact.sqlite'), 400, async (at) => {
    const opened = CompactTable.open(at);
    try {
      const { fileIds, indexedAt } = await opened.files();
      const read = new Map<string, unknown>([...fileIds].map((fileId, i) => [`time of ${fileId}`, indexedAt[i]]));
      for (let block = 0; block < 6; block++) {
        const found = await opened.read(block);
        for (const [i, fileId] of (found?.fileIds ?? []).entries())
          read.set(`vector of ${fileId}`, Buffer.from(found!.vectors.subarray(256 * i, 256 * (i + 1))).toString('hex'));
      }
      return read;
    } finally {
      opened.close();
    }
  });
  expect(seen.told).toBeGreaterThan(40);
});

test('a bit that flips in a table of views is told, or costs files, and never gives other views', async () => {
  const folder = temporaryFolder();
  const random = numbers(8);
  const of = Array.from({ length: 60 }, (_, i): ViewRowsOfFile => {
    const count = 1 + random(40);
    const isModel = i % 3 > 0;
    return {
      fileId: 3 * i + 1,
      indexedAt: 1_000 + i,
      rows: Uint8Array.from({ length: 32 * count }, () => random(256)),
      count,
      upright: isModel ? 1 : 0,
      isFree: i % 2 === 0,
      weights: Float32Array.from({ length: isModel ? 0 : count }, () => random(100) / 100),
    };
  });
  const table = ViewTable.open(folder, 8);
  await table.change(of, []);
  table.close();
  const all = Uint32Array.from(of, ({ fileId }) => fileId);
  const seen = await flipped(join(folder, 'views.sqlite'), 400, async (at) => {
    const opened = ViewTable.open(at, 8);
    try {
      const facts = await opened.facts(0);
      const read = new Map<string, unknown>(facts.map((of) => [`facts of ${of.fileId}`, of]));
      const { files, rows } = await opened.read(all);
      let row = 0;
      for (const { fileId, ...file } of files) {
        const own = Buffer.from(rows.subarray(32 * row, 32 * (row += file.count))).toString('hex');
        read.set(`views of ${fileId}`, { ...file, weights: [...file.weights], own });
      }
      return read;
    } finally {
      opened.close();
    }
  });
  expect(seen.told).toBeGreaterThan(40);
});
