import type { Lifetime } from '../store/lifetime.js';
import type { Store } from '../store/store.js';
import type { IndexQueue } from './queue.js';

/** Interval at which expired search inputs are removed, ms. */
const SWEEP_MS = 10 * 60_000;

interface SweepOptions {
  readonly store: Store;
  readonly queue: IndexQueue;
  readonly lifetime: Lifetime;
  readonly inputTtlMs: number;
}

/**
 * Removes expired search inputs: at once, and then every 10 minutes (or as often as their lifetime, if that is
 * shorter). Returns a function that ends this.
 */
export function sweepInputs({ store, queue, lifetime, inputTtlMs }: SweepOptions): () => void {
  const sweep = (): void => {
    if (lifetime.signal.aborted) return;
    lifetime
      .write(() => store.removeExpired(Date.now()))
      .then(
        (removed) => removed.forEach(({ fileId }) => queue.forget(fileId)),
        () => undefined, // If the disk refuses, the next sweep removes the rest.
      );
  };
  const timer = setInterval(sweep, Math.min(inputTtlMs, SWEEP_MS)).unref();
  sweep();
  return () => clearInterval(timer);
}
