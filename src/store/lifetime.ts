import { EngineError } from '../errors.js';

/** Whether a library is open, and which calls must end before it may close. */
export class Lifetime {
  readonly #writing = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  /** Aborts when the library begins to close. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** @throws EngineError `ENGINE_CLOSED`. */
  checkOpen(): void {
    if (this.#closing.signal.aborted) throw new EngineError('ENGINE_CLOSED', 'the engine is closed');
  }

  /** Runs work that must end before the library closes. */
  async write<T>(work: () => Promise<T>): Promise<T> {
    const running = work();
    this.#writing.add(running);
    try {
      return await running;
    } finally {
      this.#writing.delete(running);
    }
  }

  /** From now on {@link checkOpen} throws. */
  end(): void {
    this.#closing.abort();
  }

  /** Resolves when all work of {@link write} has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#writing);
  }
}
