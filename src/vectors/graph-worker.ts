/**
 * The thread that builds a graph: `workerData` is a {@link GraphTask}; each message is the number of rows inserted so
 * far.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { buildGraphFile } from './hnsw-graph.js';
import { loadHnswlib } from './hnswlib.js';
import type { GraphTask } from './build-graph.js';

const task = workerData as GraphTask;
const hnswlib = await loadHnswlib();
if (hnswlib === undefined) throw new Error('hnswlib-node cannot be loaded in the thread that builds the graph');
buildGraphFile(hnswlib, task, {
  report: (done) => parentPort?.postMessage(done),
  isStopped: () => Atomics.load(task.stop, 0) !== 0,
});
