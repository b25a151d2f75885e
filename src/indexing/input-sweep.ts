import type { Lifetime } from '../store/lifetime.js';
import type { Store } from '../store/store.js';
import type { IndexQueue } from './queue.js';

/** Interval at which expired search inputs are removed, ms. */
const SWEEP_MS = 10 * 60_000;

/**
 * Removes expired search inputs: at once, and then every 10 minutes (or as often as their lifetime, if that is
 * shorter).
 */
export class InputSweep {
  readonly #store: Store;
  readonly #queue: IndexQueue;
  readonly #lifetime: Lifetime;
  readonly #timer: NodeJS.Timeout;

  constructor({
    store,
    queue,
    lifetime,
    inputTtlMs,
  }: {
    readonly store: Store;
    readonly queue: IndexQueue;
    readonly lifetime: Lifetime;
    readonly inputTtlMs: number;
  }) {
    this.#store = store;
    this.#queue = queue;
    this.#lifetime = lifetime;
    this.#timer = setInterval(() => this.#sweep(), Math.min(inputTtlMs, SWEEP_MS)).unref();
    this.#sweep();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #sweep(): void {
    if (this.#lifetime.signal.aborted) return;
    this.#lifetime
      .write(() => this.#store.removeExpired(Date.now()))
      .then(
        (removed) => removed.forEach(({ fileId }) => this.#queue.forget(fileId)),
        () => undefined, // If the disk refuses, the next sweep removes the rest.
      );
  }
}
