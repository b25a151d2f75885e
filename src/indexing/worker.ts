import './silence.js';
import { parentPort, workerData } from 'node:worker_threads';
import type { Content } from '../content/content.js';
import { Core } from '../core/core.js';
import { ShapeDescriber } from '../descriptors/describe.js';
import { EngineError } from '../errors.js';
import { readContent } from '../readers/read.js';
import { placeMeshes } from '../shapelets/mesh.js';
import { readBlob } from '../store/blobs.js';
import { describeFile } from './describe-file.js';
import type { FileDescription } from './file-description.js';
import { plainError, type DescribeRequest, type FileSource, type PictureRequest, type WorkerData, type WorkerMessage, type WorkerRequest } from './messages.js';

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
    const arrays = value instanceof Uint8Array ? [value] : Object.values(value.shape?.descriptors ?? {});
    const transfer = arrays.map(({ buffer }) => buffer as ArrayBuffer);
    post({ kind: 'done', value, memoryBytes: memoryBytes() }, [...new Set(transfer)]);
  } catch (cause) {
    post({ kind: 'failed', error: plainError(cause), memoryBytes: memoryBytes() });
  }
}

async function describe({ of, textOnly }: DescribeRequest): Promise<FileDescription> {
  return describeFile(await read(of), describer, { textOnly });
}

async function draw({ of, size, background }: PictureRequest): Promise<Uint8Array> {
  // Loaded when it is wanted: most workers never draw, and the image library takes memory.
  const { thumbnail } = await import('../artifacts/thumbnail.js');
  const content = await read(of);
  if (content.kind !== 'model') throw new EngineError('NO_GEOMETRY', `${of.name} is a ${content.kind}; only models are drawn`);
  return new Uint8Array(await thumbnail(core, placeMeshes(content), { size, background }));
}

async function read(source: FileSource): Promise<Content> {
  const bytes = source.kind === 'stored' ? await readBlob(source.blobFolder, source.hash) : source.bytes;
  return readContent(bytes, source.name, readOptions);
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function post(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  port!.postMessage(message, transfer);
}
