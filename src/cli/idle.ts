import { setTimeout } from 'node:timers/promises';
import type { Engine } from '../index.js';
import { ProgressLine } from './progress.js';

const LOOK_EVERY_MS = 250;

/** Waits until the library's queue is empty, with a bar titled `title`; false when the signal ended the wait. */
export async function waitForQueue(engine: Engine, title: string, signal: AbortSignal): Promise<boolean> {
  const line = new ProgressLine(title);
  const started = performance.now();
  let total = 0;
  try {
    for (;;) {
      const { queueLength } = await engine.stats();
      total = Math.max(total, queueLength);
      const done = total - queueLength;
      const ratePerS = done / ((performance.now() - started) / 1000);
      if (total > 0) line.show({ done, total, ratePerS, remainingS: queueLength / ratePerS });
      if (queueLength === 0) return true;
      await setTimeout(LOOK_EVERY_MS, undefined, { signal });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    return false;
  } finally {
    line.end();
  }
}
