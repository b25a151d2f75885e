import './silence.js';
import { parentPort, workerData } from 'node:worker_threads';
import type { Content } from '../content/content.js';
import { Core } from '../core/core.js';
import { ShapeDescriber } from '../descriptors/describe.js';
import type { ShapeDescription } from '../descriptors/description.js';
import { readContent } from '../readers/read.js';
import { placeMeshes } from '../shapelets/mesh.js';
import { readBlob } from '../store/blobs.js';
import { plainError, type PictureRequest, type ShapeRequest, type WorkerData, type WorkerMessage, type WorkerRequest } from './messages.js';

// The entry of a worker thread: bytes -> content -> description or picture, one request at a time. Files are read, unpacked and
// parsed here and nowhere else, so that the engine's own thread survives whatever they do.

const port = parentPort;
if (port === null) throw new Error('worker.js runs only as a worker thread');
const { core: module, readOptions } = workerData as WorkerData;
const core = await Core.load(module);
const describer = await ShapeDescriber.load(core);

port.on('message', (request: WorkerRequest) => {
  void answer(request);
});
post({ kind: 'ready' });

async function answer(request: WorkerRequest): Promise<void> {
  try {
    const value = request.kind === 'picture' ? await draw(request) : await describe(request);
    const arrays = value instanceof Uint8Array ? [value] : Object.values(value.descriptors);
    const transfer = arrays.map(({ buffer }) => buffer as ArrayBuffer);
    post({ kind: 'done', value, memoryBytes: memoryBytes() }, [...new Set(transfer)]);
  } catch (cause) {
    post({ kind: 'failed', error: plainError(cause), memoryBytes: memoryBytes() });
  }
}

async function describe(request: ShapeRequest): Promise<ShapeDescription> {
  return describer.describe(await read(request));
}

async function draw({ of, size, background }: PictureRequest): Promise<Uint8Array> {
  // Loaded when it is wanted: most workers never draw, and the image library takes memory.
  const { thumbnail } = await import('../artifacts/thumbnail.js');
  return new Uint8Array(await thumbnail(core, placeMeshes(await read(of)), { size, background }));
}

async function read(request: ShapeRequest): Promise<Content> {
  const bytes = request.kind === 'stored' ? await readBlob(request.blobFolder, request.hash) : request.bytes;
  return readContent(bytes, request.name, readOptions);
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function post(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  port!.postMessage(message, transfer);
}
