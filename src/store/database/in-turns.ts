import { EngineError } from '../../errors.js';

/** How long work runs before the event loop gets a turn, ms. */
const TURN_MS = 20;

/**
 * Runs work to its end and gives the event loop a turn now and then, where the work yields.
 * @throws EngineError `ABORTED`.
 */
export async function inTurns<T>(work: Generator<void, T, void>, signal: AbortSignal | undefined): Promise<T> {
  try {
    for (;;) {
      const end = performance.now() + TURN_MS;
      while (performance.now() < end) {
        const { done, value } = work.next();
        if (done === true) return value;
      }
      await new Promise((resolve) => setImmediate(resolve));
      if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
    }
  } finally {
    (work as Generator<void, T | undefined, void>).return(undefined); // Ends the statement that it may be reading from.
  }
}
