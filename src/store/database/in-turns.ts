import { EngineError } from '../../errors.js';

/** How long work goes on before others have their turn. */
const TURN_MS = 20;

/** Runs work to its end, in turns with all else; it yields where it may pause. @throws EngineError `ABORTED`. */
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
    work.return(undefined as never); // Ends the statement that it may be reading from.
  }
}
