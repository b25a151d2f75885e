import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WorkerPool, type PoolOptions } from '../../dist/indexing/pool/pool.js';
import { ReadingProcess } from '../../dist/indexing/pool/reading-process.js';
import { IndexQueue } from '../../dist/indexing/queue.js';
import { DEFAULT_LIMITS, EngineError } from '../../dist/index.js';
import { FileSources } from '../../dist/indexing/file-sources.js';
import type { Priority } from '../../dist/store/catalog/record.js';
import { openLibrary, type Library } from '../../dist/library.js';
import { temporaryFolder } from '../fixtures/folder.js';
import { workerBegins } from '../fixtures/worker-begins.js';

const folder = temporaryFolder();
const entry = new URL('../fixtures/bad-worker.mjs', import.meta.url);
let libraries = 0;

interface Rig {
  store: Library;
  queue: IndexQueue;
  companyId: number;
  started: string[];
  put: (path: string, priority?: Priority) => Promise<number>;
  close: () => Promise<void>;
}

/** A store and a queue whose workers do what a file's name asks for. */
async function rig({
  library = join(folder, `library-${libraries++}`),
  workers = 1,
  attempts = 3,
  timeoutMs = 300,
  start = undefined as PoolOptions['start'],
} = {}): Promise<Rig> {
  const store = await openLibrary(library, { fileBytesLimit: 1_000, crashLimit: 3 });
  const started: string[] = [];
  const pool = new WorkerPool({
    entry,
    data: { readOptions: { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } },
    workers,
    timeoutMs,
    viewsTimeoutMs: 300,
    sleepTimeoutMs: 60_000,
    wallTimeoutMs: 3_600_000,
    workerMemoryMiB: 256,
    workerOpenFiles: 256,
    folders: [tmpdir()],
    hidden: [store.blobs.folder],
    recycleAfter: 100,
    idleMs: 60_000,
    start,
  });
  const run = pool.run.bind(pool);
  pool.run = (request, signal) => {
    started.push(request.of.name);
    return run(request, signal);
  };
  const queue = new IndexQueue({
    store,
    pool,
    pictures: 'small',
    attempts,
    sources: new FileSources(store, 1_000),
    listeners: [],
    retryMs: 200,
  });
  const companyId = await store.company('acme');
  return {
    store,
    queue,
    companyId,
    started,
    put: async (path, priority = 3) =>
      (
        await store.put({
          companyId,
          path,
          overwrite: true,
          textOnly: false,
          kind: 'ThreeD',
          priority,
          source: new TextEncoder().encode(path),
          attributes: [],
        })
      ).fileId,
    close: async () => {
      const ended = queue.close();
      await pool.close();
      await ended;
      await store.close();
    },
  };
}

test('files start in the order of arrival, priority 4 behind every waiting 3', async () => {
  const { put, queue, started, close } = await rig();
  for (let i = 0; i < 12; i++) await put(`${i}`, i % 3 === 0 ? 4 : 3);
  await queue.idle();
  expect(started).toEqual(['1', '2', '4', '5', '7', '8', '10', '11', '0', '3', '6', '9']);
  await close();
});

test('a waiting 3 goes before a waiting 4 that came earlier, while both workers are busy', async () => {
  const { put, queue, started, close } = await rig({ workers: 2, timeoutMs: 5_000 });
  await put('slow 1');
  await put('slow 2');
  queue.wake();
  await expect.poll(() => started).toHaveLength(2);
  await put('low', 4);
  await put('normal');
  await queue.idle();
  expect(started).toEqual(['slow 1', 'slow 2', 'normal', 'low']);
  await close();
});

test.each(['exit', 'throw', 'killed', 'errno'])(
  'a file that ends its worker (%s) is tried again, then fails; others are read',
  async (how) => {
    const { put, queue, store, started, close } = await rig({ attempts: 3, timeoutMs: 10_000 });
    const bad = await put(how);
    const good = await put('good');
    await queue.idle();
    expect(started).toEqual([how, how, how, 'good']);
    expect(await store.files.recordById(bad)).toMatchObject({ state: 'failed', error: { code: 'WORKER_FAILED' } });
    expect(await store.files.recordById(good)).toMatchObject({ state: 'indexed' });
    await close();
  },
);

test('while no process can be started, files wait, and those who wait for them are told', async () => {
  let refused = 0;
  const { put, queue, store, close } = await rig({
    attempts: 1,
    timeoutMs: 10_000,
    start: (options) => {
      if (refused++ < 7) throw Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' });
      return new ReadingProcess(options);
    },
  });
  const files = [await put('a'), await put('b')];
  const told = queue.ended(files[0]).catch((error: unknown) => error);
  queue.wake();
  expect(await told).toMatchObject({
    code: 'WORKER_FAILED',
    message: expect.stringContaining('no reading process can be started'),
    details: { started: false },
  });
  const states = async (): Promise<(string | undefined)[]> =>
    Promise.all(files.map(async (file) => (await store.files.recordById(file))?.state));
  expect(await states()).toEqual(['queued', 'queued']);
  await expect.poll(states, { timeout: 30_000 }).toEqual(['indexed', 'indexed']);
  await close();
});

test('what fails by itself is not tried again', async () => {
  const { put, queue, store, started, close } = await rig();
  const files = [await put('hang'), await put('coded'), await put('defect')];
  await queue.idle();
  expect(started).toEqual(['hang', 'coded', 'defect']);
  expect(await Promise.all(files.map(async (file) => (await store.files.recordById(file))?.error?.code))).toEqual([
    'TIMEOUT',
    'LIMIT_EXCEEDED',
    'WORKER_FAILED',
  ]);
  await close();
});

test('attempts are counted across openings; closing does not count as one', async () => {
  const library = join(folder, 'attempts');
  let now = await rig({ library, attempts: 2, timeoutMs: 60_000 });
  const file = await now.put('hang');
  for (let i = 0; i < 4; i++) {
    const { begun } = await workerBegins('hang');
    now.queue.wake();
    await begun;
    expect(now.started).toEqual(['hang']);
    await now.close();
    now = await rig({ library, attempts: 2, timeoutMs: 60_000 });
  }
  expect(await now.store.files.recordById(file)).toMatchObject({ state: 'queued' });
  await now.close();
});

test('a file during which the process died too often is given up, its neighbours are not blamed', async () => {
  const library = join(folder, 'crashes');
  let store = await openLibrary(library, { fileBytesLimit: 1_000, crashLimit: 3 });
  const companyId = await store.company('acme');
  const put = async (path: string): Promise<number> =>
    (
      await store.put({
        companyId,
        path,
        overwrite: true,
        textOnly: false,
        kind: 'ThreeD',
        priority: 3,
        source: new TextEncoder().encode(path),
        attributes: [],
      })
    ).fileId;
  const killer = await put('killer');
  const neighbour = await put('neighbour');
  const claims: string[][] = [];
  // Closing the store with jobs running leaves the catalogue as a process that died then.
  for (let death = 0; death < 3; death++) {
    claims.push((await store.jobs.claim(2, { idle: true })).map(({ path }) => path));
    await store.close();
    store = await openLibrary(library, { fileBytesLimit: 1_000, crashLimit: 3 });
  }
  expect(claims).toEqual([['killer', 'neighbour'], ['killer', 'neighbour'], ['killer']]);
  expect(await store.files.recordById(killer)).toMatchObject({ state: 'failed', error: { code: 'WORKER_FAILED' } });
  expect(await store.files.recordById(neighbour)).toMatchObject({ state: 'queued' });
  expect(await store.jobs.claim(2, { idle: false }), 'a suspect is not started beside others').toEqual([]);
  expect((await store.jobs.claim(2, { idle: true })).map(({ path }) => path)).toEqual(['neighbour']);
  await store.close();
});

test('what comes of a file that was deleted or replaced meanwhile is dropped', async () => {
  const { put, queue, store, companyId, close } = await rig({ timeoutMs: 5_000 });
  const first = await put('slow');
  const { begun } = await workerBegins('slow');
  queue.wake();
  await begun;
  const { uid } = (await store.files.recordById(first))!;
  const waiting = queue.ended(first);
  await store.remove(companyId, uid);
  queue.forget(first);
  await waiting;
  await queue.idle();
  expect(await store.files.recordById(first)).toBeUndefined();
  expect(await store.jobs.length()).toBe(0);
  await close();
});

test('when the disk refuses an outcome, those who wait are told and the file is read again once there is room', async () => {
  const { put, queue, store, started, close } = await rig({ timeoutMs: 5_000 });
  const complete = store.jobs.complete.bind(store.jobs);
  store.jobs.complete = async () => {
    throw new EngineError('STORAGE_FAILED', 'no room');
  };
  const file = await put('a');
  const told = queue.ended(file).then(
    () => undefined,
    (error: EngineError) => error.code,
  );
  queue.wake();
  expect(await told).toBe('STORAGE_FAILED');
  store.jobs.complete = complete;
  await put('b');
  await queue.idle();
  expect(await store.files.recordById(file)).toMatchObject({ state: 'indexed' });
  expect(started.toSorted()).toContain('b');
  await close();
});
