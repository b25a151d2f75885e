import { EXIT } from './exit.js';
import type { Output } from './output.js';

/** Printed at the first signal. */
const STOPPING = '\nStopping; what is stored stays. Press Ctrl-C again to quit at once.';
/** Printed when a signal ended the work early. */
export const STOPPED = 'Stopped. Run the same command again to continue.';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * Does `work` with Ctrl-C and SIGTERM as an AbortSignal. The first signal prints a note and aborts, so that running
 * work can end cleanly; the second ends the process at once.
 */
export async function interruptible<T>(output: Output, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const listener = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    output.note(STOPPING);
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, listener);
  try {
    return await work(controller.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, listener);
  }
}
