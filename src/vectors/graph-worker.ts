/** The thread that builds a graph: `workerData` is a {@link GraphTask}, the messages are the numbers of rows done. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildGraphFile } from './hnsw-graph.js';
import type { GraphTask } from './build-graph.js';

const task = workerData as GraphTask;
buildGraphFile(task, {
  report: (done) => parentPort?.postMessage(done),
  isStopped: () => Atomics.load(task.stop, 0) !== 0,
});
