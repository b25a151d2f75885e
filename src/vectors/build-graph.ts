import { Worker } from 'node:worker_threads';
import { EngineError } from '../errors.js';
import type { GraphOrder } from './hnsw-graph.js';

/** The worker's input: the order, and i32[1] in shared memory that is set to 1 when the worker shall stop. */
export interface GraphTask extends GraphOrder {
  readonly stop: Int32Array;
}

/**
 * Builds a graph in its own thread and writes it to `order.path`. An abort asks the thread to stop; `terminate()` would
 * end the whole process, because hnswlib aborts when the runtime disappears during one of its calls.
 * @throws EngineError `ABORTED`, or `WORKER_FAILED` when the thread ended without the graph.
 */
export async function buildGraph(
  order: GraphOrder,
  signal: AbortSignal,
  report: (done: number) => void,
): Promise<void> {
  const task: GraphTask = { ...order, stop: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
  const worker = new Worker(new URL('./graph-worker.js', import.meta.url), {
    workerData: task,
    transferList: [order.vectors.buffer as ArrayBuffer],
  });
  const stop = (): void => void Atomics.store(task.stop, 0, 1);
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  try {
    await new Promise<void>((resolve, reject) => {
      worker.on('message', report);
      worker.on('error', (cause) =>
        reject(new EngineError('WORKER_FAILED', `building the vector graph failed: ${cause.message}`, { cause })),
      );
      worker.on('exit', (code) => {
        if (signal.aborted)
          reject(new EngineError('ABORTED', 'the vector index was closed while its graph was being built'));
        else if (code !== 0)
          reject(new EngineError('WORKER_FAILED', `building the vector graph ended with exit code ${code}`));
        else resolve();
      });
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
