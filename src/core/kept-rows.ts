import { EngineError } from '../errors.js';
import { Core, type Arena } from './core.js';

/**
 * A core with one owner that keeps rows in its memory. After a trap the core discards its instance, and with it the
 * rows: the memory of a new instance must not be read as rows, so every later call throws the same error.
 */
export class KeptRows {
  readonly #core: Core;
  /** The error that cost the rows, if one did. */
  #failure: EngineError | undefined;

  private constructor(core: Core) {
    this.#core = core;
  }

  /** @param core any core; only its compiled module is shared. */
  static async open(core: Core): Promise<KeptRows> {
    return new KeptRows(await Core.load(core.module));
  }

  /** @throws EngineError `CORE_FAILED` when the rows are lost. */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Like {@link Core.call}. */
  call<T>(body: (arena: Arena) => T): T {
    this.check();
    try {
      return this.#core.call(body);
    } catch (cause) {
      if (cause instanceof EngineError && cause.code === 'CORE_FAILED') this.#failure = cause;
      throw cause;
    }
  }

  /** Like {@link Core.keep}. */
  keep<T>(body: (arena: Arena) => T): T {
    return this.#core.keep(body);
  }

  /**
   * Reserves again, larger, what was reserved last, so that it grows in place.
   * @param from its address; 0: nothing is reserved yet.
   * @throws EngineError `LIMIT_EXCEEDED` when the memory of a core (4 GiB) is full; what was reserved stays.
   */
  grow<T>(from: number, reserve: (arena: Arena) => T): T {
    return this.keep((arena) => {
      const end = arena.kernels.mark();
      if (from !== 0) arena.kernels.reset(from);
      try {
        return reserve(arena);
      } catch (cause) {
        arena.kernels.reset(end);
        throw cause;
      }
    });
  }
}
