import { spawn } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { TextIndex } from '../../dist/words/tables/text-index.js';
import { QuietMerging } from '../../dist/indexing/quiet-merging.js';
import type { Library } from '../../dist/library.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { complete, index, openStore, put, query } from './text-library.ts';
import { stopwatch } from '../fixtures/stopwatch.ts';

const folder = temporaryFolder();
const filled = join(folder, 'filled');
const RULES = { versions: { compact: 1, fine: 1, surface: 1, faces: 1, faceWords: 1 }, lengths: {}, contentVersion: 1 };
const FILES = 1_200;
const QUERIES = ['steel', 'steel plate', '"steel plate"', 'ste*', 'steelplate', 'w1', '"w1 w2"', 'brass', 'gone'];

const wordsOf = (i: number): string =>
  Array.from({ length: 70 }, (_, n) => (n % 9 === i % 9 ? 'steel plate' : `w${(i * 31 + n * n * 7) % 4_001}`)).join(
    ' ',
  );
const libraryOf = (name: string): string => {
  cpSync(filled, join(folder, name), { recursive: true });
  return join(folder, name);
};

/** Pages of each segment, of the tables of words and of phrases. */
function segmentsOf(library: string): number[][] {
  const database = new Database(join(library, 'catalog.sqlite'), { readonly: true });
  try {
    return ['words_1', 'phrases_1'].map((name) =>
      database.prepare<[], number>(`SELECT max(pgno >> 1) FROM ${name}_idx GROUP BY segid`).pluck().all(),
    );
  } finally {
    database.close();
  }
}

function largestShares(library: string): number[] {
  return segmentsOf(library).map((pages) => Math.max(...pages) / pages.reduce((a, b) => a + b, 0));
}

function answers(store: Library): unknown[] {
  const texts = new TextIndex(store.rooms.words, 1);
  return QUERIES.map((text) => [
    texts.ranked(query(text), { limit: 50, offset: 0 }),
    [...texts.matching(query(text))],
    texts.estimate(query(text)),
    [...texts.those(Uint32Array.of(7), query(text))],
  ]);
}

beforeAll(async () => {
  const store = await openStore(filled);
  for (let first = 0; first < FILES; first += 100) {
    const files = Array.from({ length: 100 }, (_, i) => ({
      path: `${first + i}.txt`,
      pages: [wordsOf(first + i)],
      attributes: ['a=brass'],
    }));
    const entered = await Promise.all(files.map((file) => put(store, 'acme', file)));
    await Promise.all(entered.map(({ fileId }, i) => complete(store, fileId, files[i])));
  }
  await store.rooms.words.make();
  // Some are gone: the segments say so in their own way.
  for (let i = 0; i < FILES; i += 40) await store.remove(1, (await store.files.rowById(i + 1))!.uid);
  await store.close();
}, 120_000);

test('many segments become one, step by step; each step leaves what is found as it was', async () => {
  const library = libraryOf('steps');
  expect(segmentsOf(library).every((pages) => pages.length > 2)).toBe(true);
  const store = await openStore(library);
  const before = answers(store);
  let steps = 0;
  while (await store.rooms.words.merge(4)) if (++steps % 8 === 0) expect(answers(store)).toEqual(before);
  expect(steps).toBeGreaterThan(10);
  expect(answers(store)).toEqual(before);
  expect(await store.rooms.words.merge(4)).toBe(false);
  expect(segmentsOf(library).map((pages) => pages.length)).toEqual([1, 1]);
  // A few files more are not worth it.
  await index(store, 'acme', { path: 'late.txt', pages: ['steel plate'] });
  expect(await store.rooms.words.merge(4)).toBe(false);
  expect((await store.verify(RULES, { repair: false })).problems).toEqual([]);
  await store.close();
});

test('what is written in between is found, and it ends all the same', async () => {
  const library = libraryOf('writing');
  const store = await openStore(library);
  let steps = 0;
  const late: number[] = [];
  for (; await store.rooms.words.merge(8); steps++) {
    if (steps % 3 === 0 && late.length < 20)
      late.push(
        (await index(store, 'acme', { path: `late ${late.length}.txt`, pages: ['latecomer of steel'] })).fileId,
      );
    if (steps === 10) await store.remove(1, (await store.files.rowById(late[0]))!.uid);
    expect(steps).toBeLessThan(2_000);
  }
  expect([...new TextIndex(store.rooms.words, 1).matching(query('latecomer'))]).toEqual(late.slice(1));
  for (const share of largestShares(library)) expect(share).toBeGreaterThan(0.9);
  expect((await store.verify(RULES, { repair: false })).problems).toEqual([]);
  await store.close();
});

test('closed or killed in the middle, nothing is lost, and the next one goes on', async () => {
  const library = libraryOf('killed');
  let store = await openStore(library);
  const before = answers(store);
  for (let i = 0; i < 5; i++) expect(await store.rooms.words.merge(3)).toBe(true);
  await store.close();
  for (let kill = 0; kill < 3; kill++) {
    const child = spawn(process.execPath, [fileURLToPath(new URL('text-merger.mjs', import.meta.url)), library], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await new Promise((resolve) => setTimeout(resolve, 3 * kill));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    store = await openStore(library);
    expect(answers(store)).toEqual(before);
    expect((await store.verify(RULES, { repair: false })).problems).toEqual([]);
    await store.close();
  }
  store = await openStore(library);
  while (await store.rooms.words.merge(16));
  expect(answers(store)).toEqual(before);
  for (const share of largestShares(library)) expect(share).toBeGreaterThan(0.9);
  await store.close();
});

test('it is done by itself while nobody writes, and not while files wait', async () => {
  const library = libraryOf('quiet');
  const store = await openStore(library);
  const { uid } = await put(store, 'acme', { path: 'waiting.txt' });
  // The clock of the merging is turned by hand: an hour passes while a file waits.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const merging = new QuietMerging(store, 60_000);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(segmentsOf(library).every((pages) => pages.length > 2)).toBe(true);
  await store.remove(1, uid);
  const before = answers(store);
  await vi.advanceTimersByTimeAsync(120_000);
  await expect.poll(() => Math.min(...largestShares(library)), { timeout: 30_000 }).toBeGreaterThan(0.9);
  expect(answers(store)).toEqual(before);
  await merging.close();
  await store.close();
});

test('closing ends it at once', async () => {
  const library = libraryOf('closing');
  const store = await openStore(library);
  const merging = new QuietMerging(store, 5);
  const before = segmentsOf(library);
  await expect.poll(() => segmentsOf(library), { interval: 2 }).not.toEqual(before);
  const took = stopwatch();
  await merging.close();
  expect(took()).toBeLessThan(1_000);
  await store.close();
  expect(Math.min(...largestShares(library))).toBeLessThan(0.95);
});
