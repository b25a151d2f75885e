import { tmpdir } from 'node:os';
import { afterEach, expect, test } from 'vitest';
import { DEFAULT_LIMITS, type EngineError } from '../../dist/index.js';
import { WorkerPool, type PoolOptions } from '../../dist/indexing/pool/pool.js';
import { MESSAGES, RAW, SERIES } from '../fixtures/hostile-messages.mjs';

// A reading process that was taken over by a file can say anything. It costs its own file, not the host or another
// file.

const open: WorkerPool[] = [];
afterEach(async () => {
  for (const pool of open.splice(0)) await pool.close();
});

function newPool(options: Partial<PoolOptions> = {}): WorkerPool {
  const pool = new WorkerPool({
    entry: new URL('../fixtures/hostile-worker.mjs', import.meta.url),
    data: { readOptions: { limits: DEFAULT_LIMITS, defaultUnit: 'mm' } },
    workers: 2,
    timeoutMs: 60_000,
    viewsTimeoutMs: 60_000,
    sleepTimeoutMs: 300_000,
    wallTimeoutMs: 3_600_000,
    workerMemoryMiB: 512,
    workerOpenFiles: 256,
    folders: [tmpdir()],
    hidden: [],
    recycleAfter: 1_000,
    idleMs: 60_000,
    ...options,
  });
  open.push(pool);
  return pool;
}

type Outcome = 'read' | Pick<EngineError, 'code' | 'message' | 'details'>;

const run = (pool: WorkerPool, name: string): Promise<Outcome> =>
  pool.run({ kind: 'describe', of: { kind: 'bytes', bytes: new Uint8Array(1), name }, textOnly: false }).then(
    ({ shape }) => (shape === undefined ? Promise.reject(new Error('no shape')) : 'read'),
    (error: EngineError) => error,
  );

test('what makes no sense ends the process that says it and fails its file; others are read', async () => {
  const pool = newPool();
  const names = [...Object.keys(RAW), ...Object.keys(MESSAGES), ...Object.keys(SERIES)];
  const outcomes = await Promise.all(names.flatMap((name) => [run(pool, name), run(pool, 'good')]));
  for (const [i, name] of names.entries()) {
    expect(outcomes[2 * i], name).toMatchObject({
      code: 'WORKER_FAILED',
      message: expect.stringContaining('its answer makes no sense'),
      details: { ended: true },
    });
    expect(outcomes[2 * i + 1], `after ${name}`).toBe('read');
  }
}, 300_000);

test('an answer that is cut off ends the process, however it is', async () => {
  const pool = newPool();
  expect(await run(pool, 'half a message, then its end')).toMatchObject({
    code: 'WORKER_FAILED',
    message: expect.stringContaining('exit code 0'),
  });
  expect(await run(pool, 'half a message, then a closed channel')).toMatchObject({ code: 'WORKER_FAILED' });
  expect(await run(newPool({ sleepTimeoutMs: 500 }), 'half a message, then silence')).toMatchObject({
    code: 'TIMEOUT',
  });
  expect(await run(pool, 'good')).toBe('read');
}, 60_000);

test.each(['an answer, then another one', 'an answer, then noise'])(
  'a process that goes on after %s is not used again',
  async (name) => {
    const pool = newPool({ workers: 1 });
    expect(await run(pool, name)).toBe('read');
    // What comes while another file is read fails that one at most; a process that ended a file is tried again.
    await expect.poll(() => run(pool, 'good'), { timeout: 20_000 }).toBe('read');
    expect(await run(pool, 'good')).toBe('read');
  },
);
