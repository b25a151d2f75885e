import './silence.js';
import { parentPort, workerData } from 'node:worker_threads';
import { Core } from '../core/core.js';
import { ShapeDescriber } from '../descriptors/describe.js';
import type { ShapeDescription } from '../descriptors/description.js';
import { readContent } from '../readers/read.js';
import { readBlob } from '../store/blobs.js';
import { plainError, type ShapeRequest, type WorkerData, type WorkerMessage } from './messages.js';

// The entry of a worker thread: bytes -> content -> description, one request at a time. Files are read, unpacked and
// parsed here and nowhere else, so that the engine's own thread survives whatever they do.

const port = parentPort;
if (port === null) throw new Error('worker.js runs only as a worker thread');
const { core: module, readOptions } = workerData as WorkerData;
const describer = await ShapeDescriber.load(await Core.load(module));

port.on('message', (request: ShapeRequest) => {
  void answer(request);
});
post({ kind: 'ready' });

async function answer(request: ShapeRequest): Promise<void> {
  try {
    const value = await describe(request);
    const transfer = Object.values(value.descriptors).map(({ buffer }) => buffer as ArrayBuffer);
    post({ kind: 'done', value, memoryBytes: memoryBytes() }, [...new Set(transfer)]);
  } catch (cause) {
    post({ kind: 'failed', error: plainError(cause), memoryBytes: memoryBytes() });
  }
}

async function describe(request: ShapeRequest): Promise<ShapeDescription> {
  const bytes = request.kind === 'stored' ? await readBlob(request.blobFolder, request.hash) : request.bytes;
  return describer.describe(await readContent(bytes, request.name, readOptions));
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function post(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  port!.postMessage(message, transfer);
}
