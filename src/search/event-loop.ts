/** Who waits, in order. The event loop is one for the whole process, and so is this queue. */
const waiting: (() => void)[] = [];

/**
 * Resolves after the event loop went round, for one caller each time: between any two the process serves its sockets and
 * timers. (`setImmediate` by itself would let all that wait go on at once, before anything else.)
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
