import { EngineError } from '../errors.js';

/** Whether a library is open, and which calls must end before it may close. */
export class Lifetime {
  readonly #writing = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  readonly #tooOld: () => EngineError | undefined;

  /** tooOld: why what the library shows is older than its owner allows. */
  constructor(tooOld: () => EngineError | undefined = () => undefined) {
    this.#tooOld = tooOld;
  }

  /** Aborts when the library begins to close. */
  get signal(): AbortSignal {
    return this.#closing.signal;
  }

  /** @throws EngineError `ENGINE_CLOSED`; `STORAGE_FAILED` when the library shows what is too old. */
  checkOpen(): void {
    if (this.#closing.signal.aborted) throw new EngineError('ENGINE_CLOSED', 'the engine is closed');
    const tooOld = this.#tooOld();
    if (tooOld !== undefined) throw tooOld;
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
