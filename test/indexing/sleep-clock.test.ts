import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { wantsProcessor } from '../../dist/indexing/pool/process-usage.js';
import { SleepClock } from '../../dist/indexing/pool/sleep-clock.js';

const HOUR_MS = 3_600_000;
const LOOK_MS = 50;

interface Life {
  /** Share of a processor that it gets. */
  readonly share: number;
  readonly wants: boolean | undefined;
}

/** How long a process has slept in an hour; the system counts its time in steps of 10 ms. */
function sleptInAnHour({ share, wants }: Life): number {
  const clock = new SleepClock(0, 0);
  let slept = 0;
  for (let atMs = LOOK_MS; atMs <= HOUR_MS; atMs += LOOK_MS)
    slept = clock.look({ atMs, processorMs: Math.floor((atMs * share) / 10) * 10, wantsProcessor: () => wants });
  return slept;
}

test.each<[string, Life]>([
  ['that waits for a processor and gets a thousandth of one', { share: 0.001, wants: true }],
  ['that waits for a processor and gets none', { share: 0, wants: true }],
  ['that takes a sixth of a processor between waits for its disk', { share: 1 / 6, wants: false }],
  ['that takes a fiftieth, where the system does not tell what it waits for', { share: 0.02, wants: undefined }],
])('a process does not sleep %s', (_, life) => {
  expect(sleptInAnHour(life)).toBeLessThan(2_000);
});

test.each<[string, Life, number]>([
  ['that takes nothing', { share: 0, wants: false }, 1],
  ['that takes nothing, where the system does not tell', { share: 0, wants: undefined }, 1],
  ['that wakes up now and then', { share: 0.01, wants: false }, 0.9],
  ['that only reports its usage', { share: 0.001, wants: undefined }, 0.9],
])('a process sleeps %s', (_, life, part) => {
  expect(sleptInAnHour(life) / HOUR_MS).toBeCloseTo(part, 2);
});

test('a process of which nothing is known sleeps; what a host that was held up did not see counts for little', () => {
  const clock = new SleepClock(0, undefined);
  const wantsProcessor = (): undefined => undefined;
  expect(clock.look({ atMs: 50, processorMs: undefined, wantsProcessor })).toBe(50);
  expect(clock.look({ atMs: HOUR_MS, processorMs: 10, wantsProcessor })).toBe(1_050);
});

test('the system is asked twice a second at most what a process wants, and not at all while it is busy', () => {
  const clock = new SleepClock(0, 0);
  let asked = 0;
  const wantsProcessor = (): boolean => ++asked > 0;
  for (let atMs = LOOK_MS; atMs <= 10_000; atMs += LOOK_MS) clock.look({ atMs, processorMs: atMs, wantsProcessor });
  expect(asked).toBe(0);
  for (let atMs = 10_050; atMs <= 20_000; atMs += LOOK_MS) clock.look({ atMs, processorMs: 10_000, wantsProcessor });
  expect(asked).toBe(20);
});

test.runIf(process.platform === 'linux')('Linux tells who wants a processor: any thread of a process', async () => {
  const run = async (work: string): Promise<[number, () => void]> => {
    const child = spawn(process.execPath, ['-e', `${work}; console.log('begun'); setInterval(() => {}, 60_000);`]);
    await once(child.stdout, 'data');
    return [child.pid!, () => child.kill('SIGKILL')];
  };
  const [asleep, endAsleep] = await run('');
  await expect.poll(() => wantsProcessor(asleep), { interval: 20 }).toBe(false);
  endAsleep();
  const [busy, endBusy] = await run(`new (require('worker_threads').Worker)('for (;;) Math.random()', { eval: true })`);
  await expect.poll(() => wantsProcessor(busy), { interval: 20 }).toBe(true);
  process.kill(busy, 'SIGSTOP');
  await expect.poll(() => wantsProcessor(busy), { interval: 20 }).toBe(false);
  endBusy();
});
