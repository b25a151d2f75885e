import { expect, test } from 'vitest';
import type { WorkerPool } from '../../dist/indexing/pool/pool.js';
import type { FileDescription } from '../../dist/indexing/worker/file-description.js';
import { writeStlBinary } from '../fixtures/mesh-writers.js';
import { torus } from '../fixtures/shapes.js';
import { newPool } from '../fixtures/worker-pool.js';

// What a reading process gives back while it has nothing to do.

const MIB = 2 ** 20;

const described = (pool: WorkerPool, name: string, bytes: Uint8Array): Promise<FileDescription> =>
  pool.run({ kind: 'describe', of: { kind: 'bytes', bytes, name }, textOnly: false });

test('an idle worker that holds much is ended sooner than one that holds little', async () => {
  const pool = newPool({
    entry: new URL('../fixtures/bad-worker.mjs', import.meta.url),
    idleMs: 30_000,
    workerMemoryMiB: 4_096,
  });
  for (const count of [1, 2, 3]) {
    const { shape } = await described(pool, 'bloated', new Uint8Array(1));
    expect(shape!.descriptors.compact[0], 'requests that this worker has answered').toBe(count);
  }
  await expect.poll(() => pool.residentBytes, { interval: 250, timeout: 20_000 }).toBe(0);
}, 60_000);

test('a worker that rests gives back memory, and goes on', async () => {
  const pool = newPool({
    entry: new URL('../../dist/indexing/worker/worker.js', import.meta.url),
    idleMs: 600_000,
    workerMemoryMiB: 4_096,
  });
  const ring = writeStlBinary(torus(20, 5, 60, 30));
  const first = await described(pool, 'ring.stl', ring);
  for (let i = 0; i < 3; i++) await described(pool, 'ring.stl', ring);
  const held = pool.residentBytes;
  expect(held).toBeGreaterThan(0);
  await expect.poll(() => held - pool.residentBytes, { interval: 250, timeout: 60_000 }).toBeGreaterThan(4 * MIB);
  expect(await described(pool, 'ring.stl', ring)).toEqual(first);
}, 120_000);
