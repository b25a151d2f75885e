import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { GroupCommit } from '../../dist/store/database/group-commit.js';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let catalogues = 0;
const WRITES = 12;
const WRITE_MS = 8;
const { open } = fs.promises;

afterEach(() => {
  fs.promises.open = open;
  syncBuiltinESMExports();
});

/** From now on each sync of a log waits for `before`, which may refuse it; returns how many began. */
function syncsWait(before: () => Promise<void>): () => number {
  let begun = 0;
  fs.promises.open = async (file, flags, mode) => {
    const handle = await open(file, flags, mode);
    const datasync = handle.datasync.bind(handle);
    if (String(file).endsWith('-wal'))
      handle.datasync = async () => {
        begun++;
        await before();
        await datasync();
      };
    return handle;
  };
  syncBuiltinESMExports();
  return () => begun;
}

/** Writes of a table of numbers, each of which takes some milliseconds, and how often a commit was counted. */
function opened() {
  const database = new Database(join(folder, `catalogue-${catalogues++}.sqlite`));
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE number (value INTEGER NOT NULL)');
  let commits = 0;
  let synced = 0;
  let refused = 0;
  const writes = new GroupCommit(
    database,
    { count: () => commits + 1, committed: () => void commits++, synced: (number) => void (synced = number) },
    { refused: () => void refused++ },
  );
  const insert = database.prepare('INSERT INTO number VALUES (?)');
  const put = (value: number): Promise<number> =>
    writes.run(() => {
      for (const end = performance.now() + WRITE_MS; performance.now() < end; ) Math.random();
      if (value < 0) throw new RangeError(`${value} is below 0`);
      insert.run(value);
      return value;
    });
  const stored = (): unknown[] => database.prepare('SELECT value FROM number').pluck().all();
  const numbers = Array.from({ length: WRITES }, (_, i) => i);
  return { writes, put, stored, commits: () => commits, synced: () => synced, refused: () => refused, numbers };
}

test('many long writes of one turn let others run in between, in the order of their calls', async () => {
  const { put, stored, commits, numbers } = opened();
  const done: number[] = [];
  const all = Promise.all(numbers.map((value) => put(value).then((of) => void done.push(of))));
  let isOver = false;
  void all.then(() => {
    isOver = true;
  });
  let turns = 0;
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve));
    turns++;
    // A reader sees what was acknowledged, and perhaps what the disk is waited for.
    expect(stored().slice(0, done.length)).toEqual(done);
  }
  expect(turns).toBeGreaterThanOrEqual(WRITES / 2);
  expect(commits()).toBeGreaterThanOrEqual(WRITES / 2);
  expect(stored()).toEqual(numbers);
});

test('a write that fails is undone alone, wherever a transaction ends', async () => {
  const { put, stored, numbers } = opened();
  const outcomes = await Promise.allSettled(numbers.map((value) => put(value % 3 === 1 ? -value : value)));
  const rest = numbers.filter((value) => value % 3 !== 1);
  expect(outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))).toEqual(rest);
  expect(stored()).toEqual(rest);
});

test('what waits when the library is closed is committed at once', async () => {
  const { writes, put, stored, commits, numbers } = opened();
  const all = Promise.all(numbers.map(put));
  void writes.flush();
  expect(stored()).toEqual(numbers);
  expect(commits()).toBe(1);
  expect(await all).toEqual(numbers);
});

test('while the disk is waited for, this thread commits on; one sync answers for all that came before it', async () => {
  const { writes, put, stored, synced, numbers } = opened();
  let answer: () => void = () => undefined;
  const disk = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const begun = syncsWait(() => disk);
  const done: number[] = [];
  const all = numbers.map((value) => put(value).then((of) => void done.push(of)));
  while (stored().length < WRITES) await new Promise((resolve) => setImmediate(resolve));
  let isSettled = false;
  const settled = writes.settled().then(() => {
    isSettled = true;
  });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([done, isSettled, synced()]).toEqual([[], false, 0]);
  answer();
  await Promise.all([...all, settled]);
  expect(done).toEqual(numbers);
  expect(begun()).toBeLessThanOrEqual(3);
  expect(synced()).toBeGreaterThan(0);
});

test('derived writes are answered after the durable ones that were asked for before them', async () => {
  const { writes, put } = opened();
  const done: string[] = [];
  const first = put(1).then(() => void done.push('durable'));
  await new Promise((resolve) => setImmediate(resolve));
  await Promise.all([first, writes.runDerived(() => 2).then(() => void done.push('derived'))]);
  expect(done).toEqual(['durable', 'derived']);
});

test('a log whose sync the disk refuses is written again and synced, before anybody is told', async () => {
  const { put, stored, synced, refused } = opened();
  let refusals = 1;
  const begun = syncsWait(async () => {
    if (refusals-- > 0) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
  });
  expect(await put(1)).toBe(1);
  expect([stored(), begun(), synced(), refused()]).toEqual([[1], 2, 1, 0]);
});

test('refused again, the outcome is unknown, and nothing more is written until the log is on disk', async () => {
  const { put, stored, synced, refused } = opened();
  let isRefusing = true;
  syncsWait(async () => {
    if (isRefusing) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
  });
  const first = put(1);
  await expect(first).rejects.toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'EIO', outcome: 'unknown' } });
  expect([stored(), synced(), refused()]).toEqual([[1], 0, 1]);
  const second = put(2);
  await expect(second).rejects.toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'EIO' } });
  await expect(second).rejects.not.toMatchObject({ details: { outcome: 'unknown' } });
  expect(stored()).toEqual([1]);
  isRefusing = false;
  expect(await put(3)).toBe(3);
  expect([stored(), synced()]).toEqual([[1, 3], 2]);
});
