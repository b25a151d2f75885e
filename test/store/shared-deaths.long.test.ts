import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { Engine, type EngineOptions } from '../../dist/index.js';
import { WorkerPool } from '../../dist/indexing/pool/pool.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { network } from '../fixtures/network.js';
import { hasPostgres, HOW, inDatabase, startPostgres, type TestServer } from '../fixtures/postgres.mjs';

// A process dies, or only seems to, while it reads files: which of them are blamed for it.

const LEASE_MS = 3_000;
const folder = temporaryFolder();
const replica = (): string => join(folder, `replica-${places++}`);
let server: TestServer;
let places = 0;

/** The paths that a process takes until it is killed; `end` kills it. */
function startProcess(url: string, { blobs, killer }: { blobs: string; killer: string }) {
  const script = fileURLToPath(new URL('dying-process.mjs', import.meta.url));
  const args = [script, url, blobs, replica(), `${LEASE_MS}`, killer];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const claims: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => claims.push(line));
  const ended = once(child, 'close');
  return {
    claims,
    ended,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    end: () => child.kill(),
  };
}

describe.skipIf(!hasPostgres)(hasPostgres ? 'processes of a library in PostgreSQL that die' : HOW, () => {
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterEach(() => void vi.restoreAllMocks());
  afterAll(() => server.stop());

  test('fail the file that killed two of them, and blame none that was read beside it', async () => {
    const [url, blobs] = [await server.database(), join(folder, 'blobs')];
    const engine = await Engine.open(url, { blobs, replica: replica(), workers: 0, leaseMs: LEASE_MS });
    const acme = await engine.company('acme');
    const put = (path: string, edge: number) => acme.put(path, boxStl(1, 2, edge), { wait: false });
    const killer = await put('killer.stl', 3);
    for (let i = 0; i < 4; i++) await put(`good ${i}.stl`, 4 + i);
    const deaths: string[][] = [];
    let process = startProcess(url, { blobs, killer: 'killer.stl' });
    const isSettled = async (): Promise<boolean> => {
      if (!process.isAlive()) {
        await process.ended;
        deaths.push(process.claims);
        process = startProcess(url, { blobs, killer: 'killer.stl' });
      }
      const { states, files } = await engine.stats();
      return states.indexed + states.failed === files;
    };
    await expect.poll(isSettled, { timeout: 90_000, interval: 100 }).toBe(true);
    process.end();
    expect(await engine.stats()).toMatchObject({ states: { indexed: 4, failed: 1 }, files: 5 });
    const { error } = await acme.get(killer.uid);
    expect(error).toMatchObject({ code: 'WORKER_FAILED', message: expect.stringContaining('2 times') });
    // At first with two others; then alone, as those are.
    expect(deaths).toEqual([['killer.stl,good 0.stl,good 1.stl'], expect.arrayContaining(['killer.stl'])]);
    expect(deaths[1].at(-1)).toBe('killer.stl');
    await engine.close();
  });

  test('of which one only seemed to have died, count no death', async () => {
    const [url, blobs] = [await server.database(), join(folder, 'blobs of the living')];
    const options = { blobs, workers: 1, pictures: 'none', leaseMs: LEASE_MS, outageMs: 60_000 } as const;
    const open = (at: string, more: Partial<EngineOptions> = {}): Promise<Engine> =>
      Engine.open(at, { ...options, replica: replica(), ...more });
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const { run } = WorkerPool.prototype;
    const reading = vi.spyOn(WorkerPool.prototype, 'run');
    reading.mockImplementation(async function (this: WorkerPool, ...asked) {
      await released;
      return run.apply(this, asked) as never;
    });
    const between = await network(url);
    const one = await open(between.url);
    const acme = await one.company('acme');
    const box = await acme.put('box.stl', boxStl(1, 2, 3), { wait: false });
    await expect.poll(() => reading.mock.calls.length, { timeout: 20_000 }).toBe(1);
    const other = await open(url);
    const crashes = (): Promise<object[]> => inDatabase(url, 'SELECT crashes::int FROM shapedex.job');
    between.pause();
    // The other takes the file for one that killed its process.
    await expect.poll(() => reading.mock.calls.length, { timeout: 30_000 }).toBe(2);
    expect(await crashes()).toEqual([{ crashes: 1 }]);
    between.resume();
    await expect.poll(crashes, { timeout: 30_000 }).toEqual([{ crashes: 0 }]);
    release();
    await other.idle({ signal: AbortSignal.timeout(30_000) });
    expect((await (await other.company('acme')).get(box.uid)).state).toBe('indexed');
    await Promise.all([one.close(), other.close()]);
    await between.close();
  });
});
