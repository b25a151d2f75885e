/**
 * The worker imports this first, for its side effect: the kernels of some readers print, and a library must not.
 * Redirecting the streams of the thread instead (`stdout: true`) would keep the process alive for as long as the worker
 * lives (Node 20).
 */
process.stdout.write = swallow;
process.stderr.write = swallow;

function swallow(_chunk: unknown, encodingOrCallback?: unknown, callback?: (error?: Error | null) => void): boolean {
  const done = typeof encodingOrCallback === 'function' ? (encodingOrCallback as typeof callback) : callback;
  if (done !== undefined) process.nextTick(done);
  return true;
}
