import { spawn, spawnSync } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { EngineError } from '../../dist/index.js';
import type { WorkerPool, PoolOptions } from '../../dist/indexing/pool/pool.js';
import { usageOf } from '../../dist/indexing/pool/process-usage.js';
import { UNCONFINED } from '../../dist/indexing/pool/confined.js';
import { ReadingProcess, type ReadingProcessOptions } from '../../dist/indexing/pool/reading-process.js';
import { workerBegins } from '../fixtures/worker-begins.js';
import { newPool as newPoolOf } from '../fixtures/worker-pool.js';

const entry = new URL('../fixtures/bad-worker.mjs', import.meta.url);
const newPool = (options: Partial<PoolOptions> = {}): WorkerPool => newPoolOf({ entry, ...options });

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

test('what was answered is not held until the next request, or the end of the idle worker', async () => {
  const pool = newPool();
  const of = { kind: 'bytes', bytes: new Uint8Array(1), name: 'a' } as const;
  const answered = new WeakRef(await pool.run({ kind: 'describe', of, textOnly: false }));
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const isHeld = (): boolean => {
    collect();
    return answered.deref() !== undefined;
  };
  await expect.poll(isHeld, { timeout: 10_000 }).toBe(false);
  expect(await run(pool, 'b'), 'the same worker').toBe(2);
});

test.each([
  ['hang', 'TIMEOUT', /1000 ms of processor time/],
  ['wasm', 'TIMEOUT', /1000 ms of processor time/],
  ['exit', 'WORKER_FAILED', /exit code 7/],
  ['throw', 'WORKER_FAILED', /exit code 1/],
  ['killed', 'WORKER_FAILED', /by SIGKILL/],
  ['hungry', 'LIMIT_EXCEEDED', /workerMemoryMiB, 256: found/],
  ['buffers', 'LIMIT_EXCEEDED', /workerMemoryMiB, 256: found/],
  ['defect', 'WORKER_FAILED', /x is undefined/],
])('a request that makes its worker %s fails with %s and costs nobody else', async (name, code, message) => {
  const pool = newPool(code === 'TIMEOUT' ? { timeoutMs: 1_000 } : {});
  expect(await run(pool, 'before')).toBe(1);
  const [failed, next] = await Promise.all([failure(run(pool, name)), run(pool, 'next')]);
  expect(failed).toBeInstanceOf(EngineError);
  expect(failed.code).toBe(code);
  expect(failed.message).toMatch(message);
  expect(failed.details['ended'] === true).toBe(['exit', 'throw', 'killed'].includes(name));
  expect(next, 'a fresh worker').toBe(1);
});

test.each([
  ['views-hang', /more than 1000 ms of processor time \(limits\.viewsTimeoutMs\)/],
  ['views-exit', /exit code 7/],
  ['views-defect', /x is undefined/],
])('what was found before is kept when looking for views ends in %s', async (name, why) => {
  const pool = newPool({ viewsTimeoutMs: 1_000 });
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

test('a file that passes the memory limit while its views are looked for fails as a whole', async () => {
  const pool = newPool();
  const error = await failure(run(pool, 'views-buffers'));
  expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', details: { limit: 'workerMemoryMiB', allowed: 256 } });
  expect(await run(pool, 'next')).toBe(1);
});

test('a worker that sleeps is ended by the clock', async () => {
  const pool = newPool({ sleepTimeoutMs: 300 });
  const error = await failure(run(pool, 'slow'));
  expect(error).toMatchObject({ code: 'TIMEOUT', details: { limit: 'sleepTimeoutMs', allowed: 300 } });
  expect(await run(pool, 'next')).toBe(1);
});

test('the last bound is of the clock, whatever a worker does', async () => {
  const error = await failure(run(newPool({ wallTimeoutMs: 300 }), 'hang'));
  expect(error).toMatchObject({ code: 'TIMEOUT', details: { limit: 'wallTimeoutMs', allowed: 300 } });
});

test.runIf(process.platform === 'linux')(
  'a worker that gets little of a processor is ended by its processor time, however long that takes',
  async () => {
    const pool = newPool({ timeoutMs: 600, sleepTimeoutMs: 1_200 });
    const { begun } = await workerBegins('hang');
    let isOver = false;
    const ended = failure(run(pool, 'hang')).finally(() => (isOver = true));
    await begun;
    const [pid] = children();
    const signal = (name: NodeJS.Signals): void => {
      try {
        process.kill(pid!, name);
      } catch {
        isOver = true; // There is no such process any more.
      }
    };
    while (!isOver) {
      // It is stopped two thirds of the time.
      signal('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, 150));
      const taken = usageOf(pid!)?.processorMs ?? Number.NEGATIVE_INFINITY;
      signal('SIGCONT');
      const hasRun = (): boolean => (usageOf(pid!)?.processorMs ?? Number.POSITIVE_INFINITY) >= taken + 30;
      await expect.poll(() => isOver || hasRun(), { interval: 5, timeout: 20_000 }).toBe(true);
    }
    expect(await ended).toMatchObject({ code: 'TIMEOUT', details: { limit: 'timeoutMs', allowed: 600 } });
  },
  60_000,
);

test('processor time is what is limited, not time by the clock', async () => {
  expect(await run(newPool({ timeoutMs: 500 }), 'slow')).toBe(1); // It sleeps for 600 ms.
});

test('a worker that died while it had nothing to do is replaced', async () => {
  const pool = newPool();
  await run(pool, 'dies later');
  await expect.poll(() => run(pool, 'next'), { interval: 75 }).toBe(1);
});

test('a coded failure of a reader arrives with code and details', async () => {
  const error = await failure(run(newPool(), 'coded'));
  expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', message: 'too many', details: { limit: 'triangles' } });
});

test('a worker is replaced after its number of requests, and when it holds too much memory', async () => {
  const pool = newPool({ recycleAfter: 2, workerMemoryMiB: 512 });
  expect([await run(pool, 'a'), await run(pool, 'b'), await run(pool, 'c')]).toEqual([1, 2, 1]);
  expect([await run(pool, 'd'), await run(pool, 'bloated'), await run(pool, 'e')]).toEqual([2, 1, 1]);
});

test('a worker with nothing to do is ended after a while', async () => {
  const pool = newPool({ idleMs: 50 });
  expect([await run(pool, 'a'), await run(pool, 'b')]).toEqual([1, 2]);
  // Requests that come sooner than the idle time keep the worker; these come later.
  await expect.poll(() => run(pool, 'c'), { interval: 75 }).toBe(1);
});

test('requests run at the same time, no more than there are workers', async () => {
  const pool = newPool({ workers: 2, timeoutMs: 5_000 });
  const startedAt = performance.now();
  const served = await Promise.all(Array.from({ length: 8 }, () => run(pool, 'slow')));
  // Two had none before. On a busy machine the first may have served some when the second has started.
  expect(served.filter((count) => count === 1)).toHaveLength(2);
  expect(performance.now() - startedAt).toBeGreaterThan(2_300);
});

test('an abort ends a running request at once, and one that waits', async () => {
  const pool = newPool({ timeoutMs: 60_000 });
  const first = new AbortController();
  const { begun } = await workerBegins('hang');
  const running = failure(run(pool, 'hang', first.signal));
  const second = new AbortController();
  const waiting = failure(run(pool, 'slow', second.signal));
  const next = run(pool, 'next');
  second.abort();
  expect((await waiting).code).toBe('ABORTED');
  await begun;
  first.abort();
  expect((await running).code).toBe('ABORTED');
  expect(await next).toBe(1);
  expect((await failure(run(pool, 'late', AbortSignal.abort()))).code).toBe('ABORTED');
});

test('closing ends what runs and what waits', async () => {
  const pool = newPool({ timeoutMs: 60_000 });
  const { begun } = await workerBegins('hang');
  const requests = [failure(run(pool, 'hang')), failure(run(pool, 'waiting'))];
  await begun;
  await pool.close();
  for (const request of requests) expect((await request).code).toBe('ENGINE_CLOSED');
  expect((await failure(run(pool, 'late'))).code).toBe('ENGINE_CLOSED');
  await pool.close();
});

const NOT_STARTED = { code: 'WORKER_FAILED', details: { started: false } };

test('a worker that cannot start fails its request, not the engine, and not the file', async () => {
  const pool = newPool({ entry: new URL('../fixtures/missing-worker.mjs', import.meta.url) });
  expect(await failure(run(pool, 'a'))).toMatchObject({
    ...NOT_STARTED,
    message: 'no reading process can be started, tried 3 times: it ended with exit code 1',
  });
  expect(pool.free).toBe(1);
});

/** Starts of which the first fail in a way. */
function failing(times: number, fail: (options: ReadingProcessOptions) => ReadingProcess) {
  const starts = { count: 0 };
  const start = (options: ReadingProcessOptions): ReadingProcess =>
    ++starts.count <= times ? fail(options) : new ReadingProcess(options);
  return { starts, start };
}

test.each<[string, (options: ReadingProcessOptions) => ReadingProcess]>([
  [
    'is refused',
    () => {
      throw Object.assign(new Error('spawn EAGAIN'), { code: 'EAGAIN' });
    },
  ],
  [
    'is killed',
    (options) => {
      const process = new ReadingProcess(options);
      void process.end();
      return process;
    },
  ],
  [
    'has no program',
    (options) =>
      new ReadingProcess({
        ...options,
        confined: { ...UNCONFINED, next: () => ({ ...UNCONFINED.next(), words: ['/missing/program'] }) },
      }),
  ],
])('a start that %s is made again, and costs the file nothing', async (_, fail) => {
  const twice = failing(2, fail);
  const pool = newPool({ start: twice.start });
  expect(await run(pool, 'a')).toBe(1);
  expect(twice.starts.count).toBe(3);

  const often = failing(3, fail);
  const other = newPool({ start: often.start });
  expect(await failure(run(other, 'a'))).toMatchObject(NOT_STARTED);
  expect(often.starts.count).toBe(3);
  expect(await run(other, 'a')).toBe(1);
});

/** A module that makes a pool with one worker in another process. */
const poolScript = (more: string): string => `
  const { WorkerPool } = await import(${JSON.stringify(new URL('../../dist/indexing/pool/pool.js', import.meta.url).href)});
  const pool = new WorkerPool({ entry: new URL(${JSON.stringify(entry.href)}), data: {}, workers: 1, timeoutMs: 60000, viewsTimeoutMs: 60000, sleepTimeoutMs: 300000, wallTimeoutMs: 3600000, workerMemoryMiB: 256, workerOpenFiles: 256, folders: [${JSON.stringify(tmpdir())}], hidden: [], recycleAfter: 9, idleMs: 60000 });
  const run = (name) => pool.run({ kind: 'describe', of: { kind: 'bytes', bytes: new Uint8Array(1), name }, textOnly: false })
    .then(({ shape }) => shape.descriptors.compact[0], ({ code, details, message }) => ({ code, details, message }));
  ${more}`;

test.skipIf(process.platform === 'win32')(
  'a host that has no file descriptors left has them back later',
  async () => {
    const script = poolScript(`
    const { closeSync, openSync } = await import('node:fs');
    await run('loads what it needs');
    await pool.confinement();
    const held = [];
    try { for (;;) held.push(openSync('/dev/null')); } catch {}
    await run('exit');
    const without = await run('a');
    for (const one of held) closeSync(one);
    console.log(JSON.stringify({ without, with: await run('b'), held: held.length }));
    await pool.close();`);
    const child = spawnSync(
      '/bin/sh',
      ['-c', 'ulimit -n 100; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script],
      {
        encoding: 'utf8',
      },
    );
    expect(child.stderr).toBe('');
    expect(JSON.parse(child.stdout)).toMatchObject({ without: NOT_STARTED, with: 1 });
  },
  60_000,
);

test.skipIf(process.platform === 'win32')(
  'a signal to the processes at a terminal ends no reading',
  async () => {
    const script = poolScript(`
    process.on('SIGINT', () => undefined);
    await new Promise((resolve) => process.stdin.once('data', resolve));
    process.stdin.destroy();
    console.log(await run('slow'));
    await pool.close();`);
    const host = spawn(process.execPath, ['--input-type=module', '-e', script], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const { begun } = await workerBegins('slow', host.pid);
    host.stdin.end('go');
    await begun;
    process.kill(-host.pid!, 'SIGINT');
    expect(await text(host.stdout)).toBe('1\n');
  },
  60_000,
);

/** The ids of the running children of this process. */
function children(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'latin1');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === process.pid ? [Number(name)] : [];
      } catch {
        return []; // It has ended.
      }
    });
}

test.runIf(process.platform === 'linux')('a reading process yields the processor to its host', async ({ skip }) => {
  const before = new Set(children());
  await run(newPool(), 'a');
  const [reader] = children().filter((pid) => !before.has(pid));
  expect(getPriority(reader)).toBe(Math.min(19, getPriority() + 5));
  skip(!existsSync('/proc/self/autogroup'), 'this Linux has no groups of scheduling: that of the reader was not tried');
  // Its scheduling group beside that of the host; Linux takes one change in a tenth of a second.
  const group = (): string => readFileSync(`/proc/${reader}/autogroup`, 'latin1');
  await expect.poll(group, { timeout: 10_000 }).toMatch(/ nice ([5-9]|1\d)$/m);
});

/** Processes whose command line says this. */
function saying(word: string): string[] {
  return readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(word);
    } catch {
      return false; // It has ended.
    }
  });
}

test.runIf(process.platform === 'linux')('what a reading process started ends with it', async ({ skip }) => {
  const pool = newPool();
  const { holds } = await pool.confinement();
  skip(!holds.includes('a user of its own'), 'readers are users of their own only where the host is root');
  const name = `child-${process.pid}-${Date.now()}`;
  await run(pool, name);
  await expect.poll(() => saying(name), { timeout: 10_000 }).toHaveLength(1);
  await pool.close();
  await expect.poll(() => saying(name), { timeout: 10_000 }).toEqual([]);
});

test.each(['an abort', 'closing'])('%s in the moment in which a process would be started starts none', async (how) => {
  const { starts, start } = failing(0, (options) => new ReadingProcess(options));
  const pool = newPool({ start });
  const end = new AbortController();
  const found = pool.confinement();
  const running = failure(run(pool, 'a', end.signal));
  await found;
  if (how === 'closing') await pool.close();
  else end.abort();
  expect((await running).code).toBe(how === 'closing' ? 'ENGINE_CLOSED' : 'ABORTED');
  expect(starts.count).toBe(0);
});

test('a signal that outlives its requests holds none of them', async () => {
  const pool = newPool({ timeoutMs: 60_000 });
  const { signal } = new AbortController();
  const { begun } = await workerBegins('hang');
  await run(pool, 'a', signal);
  expect((await failure(run(pool, 'coded', signal))).code).toBe('LIMIT_EXCEEDED');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const requests = [failure(run(pool, 'hang', signal)), failure(run(pool, 'waits', signal))];
  await begun;
  expect(getEventListeners(signal, 'abort')).toHaveLength(2);
  await pool.close();
  await Promise.all(requests);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

/** A process that has not ended after this time hangs, ms; at load its start alone may take seconds. */
const HANG_MS = 60_000;

test(
  'idle workers do not keep the process alive, and nothing that they print gets out',
  () => {
    const script = poolScript(`
    await run('print');
    console.log('answered');`);
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: HANG_MS,
      cwd: fileURLToPath(new URL('.', import.meta.url)),
    });
    expect(child).toMatchObject({ status: 0, stdout: 'answered\n', stderr: '' });
  },
  2 * HANG_MS,
);

test(
  'closing is waited for, even if an answer comes after the order to end the worker',
  () => {
    const script = `
    import { ReadingProcess } from ${JSON.stringify(new URL('../../dist/indexing/pool/reading-process.js', import.meta.url))};
    import { UNCONFINED } from ${JSON.stringify(new URL('../../dist/indexing/pool/confined.js', import.meta.url))};
    const worker = new ReadingProcess({
      entry: new URL(${JSON.stringify(entry)}),
      confined: UNCONFINED,
      memoryMiB: 256,
      data: { readOptions: { limits: {}, defaultUnit: 'mm' } },
    });
    await worker.ready;
    const gone = worker.end();
    worker.unref(); // As after each answer.
    await gone;
    console.log(worker.ended);`;
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      timeout: HANG_MS,
    });
    // Exit code 13: Node found nothing that it could wait for.
    expect(child).toMatchObject({ status: 0, stdout: 'by SIGKILL\n', stderr: '' });
  },
  2 * HANG_MS,
);
