import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Database from 'better-sqlite3';
import { afterEach, expect, test } from 'vitest';
import { GroupCommit } from '../../dist/store/database/group-commit.js';
import { temporaryFolder } from '../fixtures/folder.js';

const folder = temporaryFolder();
let catalogues = 0;
const WRITES = 12;
const WRITE_MS = 8;
const { openSync, fdatasync, read, write } = fs;
/** Descriptors of the logs that were opened. */
const logs = new Set<number>();
fs.openSync = (file, flags, mode) => {
  const opened = openSync(file, flags, mode);
  if (String(file).endsWith('-wal')) logs.add(opened);
  return opened;
};
syncBuiltinESMExports();

afterEach(() => {
  Object.assign(fs, { fdatasync, read, write });
  syncBuiltinESMExports();
});

const refusal = (): Error => Object.assign(new Error('i/o error'), { code: 'EIO' });

/** From now on each sync of a log waits for `before`, which may refuse it; returns how many began. */
function syncsWait(before: (log: number) => Promise<void>): () => number {
  let begun = 0;
  const waiting: typeof fs.fdatasync = Object.assign(
    (file: number, done: fs.NoParamCallback) => {
      if (!logs.has(file)) return fdatasync(file, done);
      begun++;
      before(file).then(() => fdatasync(file, done), done);
    },
    { __promisify__: fdatasync.__promisify__ },
  );
  Object.assign(fs, { fdatasync: waiting });
  syncBuiltinESMExports();
  return () => begun;
}

/** Reading (or writing) a log of more than a page does `instead` from now on; it gets the usual way to do it. */
function logDoes(
  what: 'read' | 'write',
  instead: (piece: Piece, usual: (piece: Piece) => Promise<number>) => Promise<number>,
): void {
  const run = promisify({ read, write }[what] as typeof write) as (...piece: unknown[]) => Promise<Moved>;
  const count = (moved: Moved): number => moved.bytesRead ?? moved.bytesWritten ?? 0;
  const custom = async (file: number, bytes: Buffer, offset: number, length: number, position: number) => {
    const usual = (piece: Piece) => run(file, bytes, piece.offset, piece.length, piece.position).then(count);
    const moved = await instead({ bytes, offset, length, position }, usual);
    return { bytesRead: moved, bytesWritten: moved };
  };
  Object.assign(fs, { [what]: Object.assign(() => undefined, { [promisify.custom]: custom }) });
  syncBuiltinESMExports();
}

interface Piece {
  readonly bytes: Buffer;
  readonly offset: number;
  readonly length: number;
  readonly position: number;
}

interface Moved {
  readonly bytesRead?: number;
  readonly bytesWritten?: number;
}

/** Writes of a table of numbers, each of which takes some milliseconds, and how often a commit was counted. */
function opened(name = join(folder, `catalogue-${catalogues++}.sqlite`)) {
  const database = new Database(name);
  database.pragma('journal_mode = WAL');
  database.exec('CREATE TABLE IF NOT EXISTS number (value INTEGER NOT NULL)');
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
  return {
    database,
    writes,
    put,
    stored,
    commits: () => commits,
    synced: () => synced,
    refused: () => refused,
    numbers,
  };
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
    if (refusals-- > 0) throw refusal();
  });
  expect(await put(1)).toBe(1);
  expect([stored(), begun(), synced(), refused()]).toEqual([[1], 2, 1, 0]);
});

test('refused again, the outcome is unknown, and nothing more is written until the log is on disk', async () => {
  const { put, stored, synced, refused } = opened();
  let isRefusing = true;
  syncsWait(async () => {
    if (isRefusing) throw refusal();
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

test('an error that SQLite took first is told to the descriptor of the log, which was open before any commit', async () => {
  const { put, stored } = opened();
  await put(1);
  // Linux tells each descriptor that is open now, once; not those that are opened later.
  const untold = new Set(logs);
  const begun = syncsWait(async (log) => {
    if (untold.delete(log)) throw refusal();
  });
  expect(await put(2)).toBe(2);
  expect([stored(), begun()]).toEqual([[1, 2], 2]);
});

test('a commit needs no free descriptor, and closing the catalogue leaves none of its log', async () => {
  const before = logs.size;
  const { database, put } = opened();
  const [log] = [...logs].slice(before);
  await put(1);
  const { open } = fs.promises;
  Object.assign(fs.promises, { open: () => Promise.reject(Object.assign(new Error('too many'), { code: 'EMFILE' })) });
  syncBuiltinESMExports();
  try {
    expect(await put(2)).toBe(2);
  } finally {
    Object.assign(fs.promises, { open });
    syncBuiltinESMExports();
  }
  expect(logs.size).toBe(before + 1);
  expect(fs.fstatSync(log).isFile()).toBe(true);
  database.close();
  logs.delete(log);
  expect(() => fs.fstatSync(log)).toThrow('EBADF');
});

test('the log of a catalogue that is a symbolic link lies beside the file that it names', async (context) => {
  const file = join(folder, 'elsewhere.sqlite');
  opened(file).database.close();
  const link = join(folder, 'link.sqlite');
  try {
    fs.symlinkSync(file, link);
  } catch {
    return context.skip(); // Windows lets only some do it.
  }
  expect(await opened(link).put(1)).toBe(1);
});

test('of a log that is written again all is written, also where the system writes less than asked', async () => {
  const { put, stored } = opened();
  await put(1);
  let refusals = 1;
  syncsWait(async () => {
    if (refusals-- > 0) throw refusal();
  });
  const written = new Set<number>();
  let end = 0;
  logDoes('write', async ({ length, ...piece }, usual) => {
    const half = Math.ceil(length / 2);
    for (let at = 0; at < half; at++) written.add(piece.position + at);
    end = Math.max(end, piece.position + length);
    return usual({ ...piece, length: half });
  });
  expect(await put(2)).toBe(2);
  expect(stored()).toEqual([1, 2]);
  expect(end).toBeGreaterThan(4096);
  expect(written.size).toBe(end);
});

test('a log that reads as it was before the refused sync is not taken for written', async () => {
  const { writes, put, stored } = opened();
  await put(1);
  let refusals = 1;
  syncsWait(async () => {
    if (refusals-- > 0) throw refusal();
  });
  let isOld = true;
  logDoes('read', async (piece, usual) => {
    const length = await usual(piece);
    // The page of the last frame, as if it had never been written.
    if (isOld) piece.bytes.fill(0, piece.offset + Math.max(0, length - 4096), piece.offset + length);
    return length;
  });
  await expect(put(2)).rejects.toMatchObject({ code: 'STORAGE_FAILED', details: { errno: 'EIO', outcome: 'unknown' } });
  expect(await writes.settled()).toBe(false);
  await expect(put(3)).rejects.toMatchObject({ code: 'STORAGE_FAILED' });
  isOld = false;
  expect(await put(4)).toBe(4);
  expect(await writes.settled()).toBe(true);
  expect(stored()).toEqual([1, 2, 4]);
});

test('who asks whether all is on disk while the disk refuses it is told that it is not', async () => {
  const { writes, put, stored } = opened();
  await put(1);
  syncsWait(() => Promise.reject(refusal()));
  const second = put(2).catch(() => undefined);
  while (stored().length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(await writes.settled()).toBe(false);
  await second;
  expect(await writes.settled()).toBe(false);
});
