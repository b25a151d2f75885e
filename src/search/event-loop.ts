/** Waiting callers, in order. One queue for the whole process, which has one event loop. */
const waiting: (() => void)[] = [];

/**
 * Resolves after a turn of the event loop, for one caller per turn, so that the process serves its sockets and
 * timers between any two callers. (`setImmediate` alone would resume all waiting callers in the same turn.)
 */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(next);
  });
}

function next(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(next);
}
