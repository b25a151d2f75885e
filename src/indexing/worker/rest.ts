import { setTimeout as delay } from 'node:timers/promises';

// What a reading process gives back to the system while nobody asks it for anything.

/** Time without a request after which garbage is collected, ms. */
const REST_MS = 1_000;
/**
 * And after which V8 is told that memory is scarce: then it also gives back the room for young objects and half-empty
 * pages, 15 to 30 MiB, for a tenth of a second of processor time.
 */
const LONG_REST_MS = 5_000;

/** Called when a request was answered; the signal tells of the next one. */
export async function rest(signal: AbortSignal): Promise<void> {
  const options = { ref: false, signal };
  try {
    await delay(REST_MS, undefined, options);
    // There where the process was started with `--expose-gc`, as the pool does.
    globalThis.gc?.();
    await delay(LONG_REST_MS - REST_MS, undefined, options);
    await tellThatMemoryIsScarce();
  } catch {
    // A request came, or this Node has no inspector: then it keeps what it has.
  }
}

/** Node has no other way to say this to V8. */
async function tellThatMemoryIsScarce(): Promise<void> {
  const { Session } = await import('node:inspector/promises');
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.collectGarbage');
  session.disconnect();
}
