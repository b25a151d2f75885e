import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { Engine } from '../../dist/index.js';
import { boxStl } from '../fixtures/box.mjs';
import { temporaryFolder } from '../fixtures/folder.js';
import { stepFile } from '../fixtures/step-writer.js';

const folder = temporaryFolder();
const isWindows = process.platform === 'win32';
const MIB = 2 ** 20;
/** Between two looks at the processes: what is looked at needs the processor too. */
const LOOK_MS = 20;

const step = stepFile({ parts: [{ name: 'box', shape: { kind: 'box', x: 1, y: 2, z: 3 } }] });

/** It takes 200 MiB to read, and many seconds. */
const large = ((): Uint8Array => {
  const parts = Array.from({ length: 60 }, (_, i) => {
    return { name: `${i}`, shape: { kind: 'torus', radius: 20 + i, tube: 5 + i / 20 } } as const;
  });
  const placements = parts.map((_, part) => ({ part, at: [0, 0, 20 * part] }) as const);
  return stepFile({ parts, assembly: { name: 'all', placements } });
})();

const TOO_MUCH = { code: 'LIMIT_EXCEEDED', details: { limit: 'workerMemoryMiB', allowed: 128 } };

/** The reading processes of a process, and their resident memory. */
async function readersOf(host: number): Promise<{ pid: number; rssMiB: number }[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,rss=,args=']);
  return stdout
    .split('\n')
    .filter((line) => line.includes('worker/worker.js'))
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === host)
    .map(([pid, , rssKiB]) => ({ pid, rssMiB: rssKiB / 1_024 }));
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('a file whose process passes the memory limit fails, the host lives and is not larger, and it is not tried again', async () => {
  const library = join(folder, 'memory');
  const limits = { workerMemoryMiB: 128 };
  await using engine = await Engine.open(library, { workers: 1, limits });
  const acme = await engine.company('acme');
  await acme.put('first.stl', boxStl(1, 2, 3));
  const before = process.memoryUsage.rss();
  for (let i = 0; i < 3; i++) {
    expect(await acme.put(`${i}.step`, large)).toMatchObject({ state: 'failed', error: TOO_MUCH });
  }
  await expect(acme.search({ like: { bytes: large, extension: 'step' } })).rejects.toMatchObject(TOO_MUCH);
  await expect.poll(() => process.memoryUsage.rss() - before, { timeout: 5_000 }).toBeLessThan(50 * MIB);
  expect((await acme.put('next.stl', boxStl(3, 2, 1))).state).toBe('indexed');
  await engine.close();

  await using again = await Engine.open(library, { workers: 1 });
  await again.idle();
  expect((await (await again.company('acme')).find('0.step'))!.state).toBe('failed');
});

test.skipIf(isWindows)(
  'a file whose process is killed twice fails for good, also at the next opening; one killed before it reads costs nothing',
  async () => {
    const library = join(folder, 'killed');
    await using engine = await Engine.open(library, { workers: 1 });
    const acme = await engine.company('acme');
    await acme.put('first.stl', boxStl(1, 2, 3));
    const [{ rssMiB: readyMiB, pid: idle }] = await readersOf(process.pid);
    process.kill(idle, 'SIGKILL');
    // `ps` no longer shows its script while it still ends; without a process of this number, the host has seen its end.
    await expect.poll(() => isThere(idle)).toBe(false);
    let isOver = false;
    // The processes are killed long before its end.
    const put = acme.put('a.step', large).finally(() => {
      isOver = true;
    });
    const killed = new Set<number>();
    while (!isOver) {
      // One that holds more than when it was ready has begun to read: it has loaded the CAD kernel.
      for (const { pid, rssMiB } of await readersOf(process.pid)) {
        if (killed.has(pid) || rssMiB < readyMiB + 50) continue;
        process.kill(pid, 'SIGKILL');
        killed.add(pid);
      }
      await delay(LOOK_MS);
    }
    expect(await put).toMatchObject({ state: 'failed', error: { code: 'WORKER_FAILED' } });
    expect(killed.size).toBe(2);
    expect((await acme.put('b.step', step)).state).toBe('indexed');
    await engine.close();

    await using again = await Engine.open(library, { workers: 1 });
    await again.idle();
    // Nobody ends its process now: it would be indexed if it were tried.
    expect(await (await again.company('acme')).find('a.step')).toMatchObject({
      state: 'failed',
      error: { code: 'WORKER_FAILED' },
    });
  },
  120_000,
);

/**
 * Kills the first reading process that has begun to read a CAD file; resolves when the system has none of its number.
 */
async function killReader(readyMiB: number): Promise<void> {
  const endMs = performance.now() + 90_000;
  while (performance.now() < endMs) {
    // One that holds more than when it was ready has begun: it has loaded the CAD kernel.
    const found = (await readersOf(process.pid)).find(({ rssMiB }) => rssMiB > readyMiB + 50);
    if (found !== undefined) {
      process.kill(found.pid, 'SIGKILL');
      await expect.poll(() => isThere(found.pid), { timeout: 30_000 }).toBe(false);
      return;
    }
    await delay(LOOK_MS);
  }
  throw new Error('no reading process has begun to read a CAD file within 90 s');
}

test.skipIf(isWindows).each(['a file', 'a search input'])(
  '%s whose process is killed once before and once after a reopening fails for good',
  async (kind) => {
    const library = join(folder, `killed again, ${kind}`);
    const uid = '0b1f0b6e-6c0e-4d5e-9b39-7a3f6f1e2c16';
    const one = await Engine.open(library, { workers: 1 });
    const acme = await one.company('acme');
    await acme.put('first.stl', boxStl(1, 2, 3));
    const [{ rssMiB: readyMiB }] = await readersOf(process.pid);
    if (kind === 'a file') await acme.put('a.step', large, { uid, wait: false });
    else await acme.putInput(large, { extension: 'step', uid, wait: false });
    await killReader(readyMiB);
    // The next process says that the death of the first one is counted.
    await expect.poll(async () => (await readersOf(process.pid)).length, { timeout: 60_000 }).toBe(1);
    await one.close();

    const two = await Engine.open(library, { workers: 1 });
    await killReader(readyMiB);
    await two.idle();
    const failed = { state: 'failed', error: { code: 'WORKER_FAILED' } };
    expect(await (await two.company('acme')).status(uid)).toMatchObject(failed);
    await two.close();

    // Nobody ends its process now: it would be indexed if it were tried.
    await using three = await Engine.open(library, { workers: 1 });
    await three.idle();
    expect(await (await three.company('acme')).status(uid)).toMatchObject(failed);
  },
  240_000,
);

test.skipIf(isWindows)('a reading process that waits gives back what reading took', async () => {
  await using engine = await Engine.open(join(folder, 'resting'), { workers: 1, pictures: 'none' });
  const acme = await engine.company('acme');
  const row = (i: number): string => `part ${i};${(i * 7919) % 100_003};stainless steel\n`;
  const table = Buffer.from(Array.from({ length: 60_000 }, (_, i) => row(i)).join(''));
  const { uid } = await acme.put('parts.csv', table, { wait: false });
  let most = 0;
  while ((await acme.status(uid)).state === 'queued') {
    for (const { rssMiB } of await readersOf(process.pid)) most = Math.max(most, rssMiB);
    await delay(LOOK_MS);
  }
  const [{ pid }] = await readersOf(process.pid);
  await expect
    .poll(async () => (await readersOf(process.pid)).map(({ pid, rssMiB }) => [pid, rssMiB < most - 30]), {
      timeout: 30_000,
      interval: 500,
    })
    .toEqual([[pid, true]]);
});

test.skipIf(isWindows)('reading processes end with a host that is killed', async () => {
  const script = `
    const { Engine } = await import(${JSON.stringify(new URL('../../dist/index.js', import.meta.url).href)});
    const engine = await Engine.open(${JSON.stringify(join(folder, 'ended'))}, { workers: 1 });
    await (await engine.company('acme')).put('a.txt', new TextEncoder().encode('text'));
    console.log('read');
    setInterval(() => undefined, 1_000);`;
  const host = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(host.stdout, 'data');
  const readers = await readersOf(host.pid!);
  expect(readers).toHaveLength(1);
  host.kill('SIGKILL');
  const runs = (): boolean => {
    try {
      return process.kill(readers[0].pid, 0);
    } catch {
      return false;
    }
  };
  await expect.poll(runs, { timeout: 5_000 }).toBe(false);
});
