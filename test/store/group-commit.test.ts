import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { GroupCommit } from '../../dist/store/database/group-commit.js';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let catalogues = 0;
const WRITES = 12;
const WRITE_MS = 8;

/** Writes of a table of numbers, each of which takes some milliseconds, and how often a commit was counted. */
function opened() {
  const database = new Database(join(folder, `catalogue-${catalogues++}.sqlite`));
  database.exec('CREATE TABLE number (value INTEGER NOT NULL)');
  let commits = 0;
  const writes = new GroupCommit(database, { count: () => undefined, committed: () => void commits++ });
  const insert = database.prepare('INSERT INTO number VALUES (?)');
  const put = (value: number): Promise<number> =>
    writes.run(() => {
      for (const end = performance.now() + WRITE_MS; performance.now() < end; ) Math.random();
      if (value < 0) throw new RangeError(`${value} is below 0`);
      insert.run(value);
      return value;
    });
  const stored = (): unknown[] => database.prepare('SELECT value FROM number').pluck().all();
  return { writes, put, stored, commits: () => commits, numbers: Array.from({ length: WRITES }, (_, i) => i) };
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
    // What a reader sees is what was acknowledged.
    expect(stored()).toEqual(done);
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
