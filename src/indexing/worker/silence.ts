/**
 * Imported for its effect, first of all by the worker: readers' kernels print, a library must not. Taking the streams
 * out of the thread instead (`stdout: true`) would keep the process alive for as long as the worker lives (Node 20).
 */
process.stdout.write = swallow;
process.stderr.write = swallow;

function swallow(_chunk: unknown, encodingOrCallback?: unknown, callback?: (error?: Error | null) => void): boolean {
  const done = typeof encodingOrCallback === 'function' ? (encodingOrCallback as typeof callback) : callback;
  if (done !== undefined) process.nextTick(done);
  return true;
}
