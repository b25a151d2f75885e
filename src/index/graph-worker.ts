/** The thread that builds a graph: `workerData` is a {@link GraphOrder}, the messages are the numbers of rows done. */
import { parentPort, workerData } from 'node:worker_threads';
import { buildGraphFile } from './hnsw-graph.js';
import type { GraphOrder } from './build-graph.js';

const { path, dimension, labels, vectors, options } = workerData as GraphOrder;
buildGraphFile(path, dimension, labels, vectors, options, (done) => parentPort?.postMessage(done));
