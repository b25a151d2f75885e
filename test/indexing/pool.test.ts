import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { EngineError } from '../../dist/index.js';
import { WorkerPool, type PoolOptions } from '../../dist/indexing/worker/pool.js';
import type { WorkerData } from '../../dist/indexing/worker/messages.js';

const entry = new URL('../fixtures/bad-worker.mjs', import.meta.url);
const open: WorkerPool[] = [];
afterEach(async () => {
  for (const pool of open.splice(0)) await pool.close();
});

function newPool(options: Partial<PoolOptions> = {}): WorkerPool {
  const pool = new WorkerPool({
    entry,
    workerData: {} as WorkerData,
    workers: 1,
    timeoutMs: 300,
    viewsTimeoutMs: 300,
    workerMemoryMiB: 32,
    recycleAfter: 1_000,
    idleMs: 60_000,
    ...options,
  });
  open.push(pool);
  return pool;
}

/** How many requests the worker that answered had served, this one included. */
const run = async (pool: WorkerPool, name: string, signal?: AbortSignal): Promise<number> =>
  (await pool.run({ kind: 'describe', of: { kind: 'bytes', bytes: new Uint8Array(1), name }, textOnly: false }, signal))
    .shape!.descriptors.compact[0];
const failure = async (promise: Promise<unknown>): Promise<EngineError> =>
  promise.then(
    () => Promise.reject(new Error('resolved, expected a failure')),
    (error: EngineError) => error,
  );

test('one worker serves many requests', async () => {
  const pool = newPool();
  expect(pool.free).toBe(1);
  expect(await Promise.all(['a', 'b', 'c'].map((name) => run(pool, name)))).toEqual([1, 2, 3]);
});

test.each([
  ['hang', 'TIMEOUT', /300 ms/],
  ['wasm', 'TIMEOUT', /300 ms/],
  ['exit', 'WORKER_FAILED', /exit code 7/],
  ['throw', 'WORKER_FAILED', /outside of any promise/],
  ['hungry', 'WORKER_FAILED', /32 MiB/],
  ['defect', 'WORKER_FAILED', /x is undefined/],
])('a request that makes its worker %s fails with %s and costs nobody else', async (name, code, message) => {
  const pool = newPool({ timeoutMs: name === 'hungry' ? 10_000 : 300 });
  expect(await run(pool, 'before')).toBe(1);
  const [failed, next] = await Promise.all([failure(run(pool, name)), run(pool, 'next')]);
  expect(failed).toBeInstanceOf(EngineError);
  expect(failed.code).toBe(code);
  expect(failed.message).toMatch(message);
  expect(failed.details['ended'] === true).toBe(['exit', 'throw', 'hungry'].includes(name));
  expect(next, 'a fresh worker').toBe(1);
});

test.each([
  ['views-hang', /longer than 300 ms \(limits\.viewsTimeoutMs\)/],
  ['views-exit', /exit code 7/],
  ['views-hungry', /32 MiB/],
  ['views-defect', /x is undefined/],
])('what was found before is kept when looking for views ends in %s', async (name, why) => {
  const pool = newPool({ viewsTimeoutMs: name === 'views-hungry' ? 10_000 : 300 });
  const found = await pool.run({
    kind: 'describe',
    of: { kind: 'bytes', bytes: new Uint8Array(1), name },
    textOnly: false,
  });
  expect(found).toMatchObject({ kind: 'ThreeD', pages: [], views: { shapelets: [] } });
  expect(found.warnings).toHaveLength(1);
  expect(found.warnings[0].message).toMatch(why);
  expect(await run(pool, 'next')).toBe(name === 'views-defect' ? 2 : 1);
});

test('a coded failure of a reader arrives with code and details', async () => {
  const error = await failure(run(newPool(), 'coded'));
  expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', message: 'too many', details: { limit: 'triangles' } });
});

test('a worker is replaced after its number of requests, and when it holds too much memory', async () => {
  const pool = newPool({ recycleAfter: 2 });
  expect([await run(pool, 'a'), await run(pool, 'b'), await run(pool, 'c')]).toEqual([1, 2, 1]);
  expect([await run(pool, 'bloated'), await run(pool, 'd')]).toEqual([2, 1]);
});

test('a worker with nothing to do is ended after a while', async () => {
  const pool = newPool({ idleMs: 50 });
  expect([await run(pool, 'a'), await run(pool, 'b')]).toEqual([1, 2]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await run(pool, 'c')).toBe(1);
});

test('requests run at the same time, no more than there are workers', async () => {
  const pool = newPool({ workers: 2, timeoutMs: 5_000 });
  const startedAt = performance.now();
  expect(await Promise.all(['slow', 'slow', 'slow', 'slow'].map((name) => run(pool, name)))).toEqual([1, 1, 2, 2]);
  expect(performance.now() - startedAt).toBeGreaterThan(290);
});

test('an abort ends a running request at once, and one that waits', async () => {
  const pool = newPool({ timeoutMs: 60_000 });
  const first = new AbortController();
  const running = failure(run(pool, 'hang', first.signal));
  const second = new AbortController();
  const waiting = failure(run(pool, 'slow', second.signal));
  const next = run(pool, 'next');
  second.abort();
  expect((await waiting).code).toBe('ABORTED');
  setTimeout(() => first.abort(), 100);
  expect((await running).code).toBe('ABORTED');
  expect(await next).toBe(1);
  expect((await failure(run(pool, 'late', AbortSignal.abort()))).code).toBe('ABORTED');
});

test('closing ends what runs and what waits', async () => {
  const pool = newPool({ timeoutMs: 60_000 });
  const requests = [failure(run(pool, 'hang')), failure(run(pool, 'waiting'))];
  await new Promise((resolve) => setTimeout(resolve, 100));
  await pool.close();
  for (const request of requests) expect((await request).code).toBe('ENGINE_CLOSED');
  expect((await failure(run(pool, 'late'))).code).toBe('ENGINE_CLOSED');
  await pool.close();
});

test('a worker that cannot start fails its request, not the engine', async () => {
  const pool = newPool({ entry: new URL('../fixtures/missing-worker.mjs', import.meta.url) });
  expect(await failure(run(pool, 'a'))).toMatchObject({ code: 'WORKER_FAILED', details: { ended: true } });
  expect(pool.free).toBe(1);
});

test('idle workers do not keep the process alive, and nothing that they print gets out', () => {
  const pool = new URL('../../dist/indexing/worker/pool.js', import.meta.url).href;
  const script = `
    const { WorkerPool } = await import(${JSON.stringify(pool)});
    const pool = new WorkerPool({ entry: new URL(${JSON.stringify(entry.href)}), workerData: {}, workers: 1, timeoutMs: 5000, workerMemoryMiB: 32, recycleAfter: 9, idleMs: 60000 });
    await pool.run({ kind: 'describe', of: { kind: 'bytes', bytes: new Uint8Array(1), name: 'print' }, textOnly: false });
    console.log('answered');`;
  const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 10_000,
    cwd: fileURLToPath(new URL('.', import.meta.url)),
  });
  expect(child).toMatchObject({ status: 0, stdout: 'answered\n', stderr: '' });
});
