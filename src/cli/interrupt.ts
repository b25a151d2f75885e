import { EXIT } from './exit.js';

/** Ctrl-C and SIGTERM as an AbortSignal, until it is disposed of. */
export interface Interrupt extends Disposable {
  readonly signal: AbortSignal;
}

/** Said at the first signal. */
export const STOPPING = '\nStopping; what is stored stays. Press Ctrl-C again to quit at once.';
/** Said when the work has ended early. */
export const STOPPED = 'Stopped. Run the same command again to go on where it ended.';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/**
 * The first SIGINT or SIGTERM calls `onFirst` and aborts the signal, so that running work can end cleanly; the second
 * ends the process at once. With `using` in an async function, await the work before returning: disposal comes at return.
 */
export function catchInterrupt(onFirst: () => void): Interrupt {
  const controller = new AbortController();
  const listener = (): void => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    onFirst();
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, listener);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      for (const name of SIGNALS) process.off(name, listener);
    },
  };
}
