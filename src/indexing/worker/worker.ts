import './silence.js';
import { parentPort, workerData } from 'node:worker_threads';
import { STL_TURN_RAD, type ConvertedModel } from '../../convert/conversion-format.js';
import type { Solids } from '../../convert/convert-model.js';
import type { Content } from '../../content/content.js';
import type { Crop } from '../../content/crop.js';
import type { Model } from '../../content/model.js';
import { Core } from '../../core/core.js';
import { ShapeDescriber } from '../../descriptors/describe.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { EngineError } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { readFile, type ReadFile, type SolidSource } from '../../readers/read.js';
import { readBlob } from '../../store/disk/blobs.js';
import { describeComponents } from './describe-components.js';
import { describeFile } from './describe-file.js';
import { describeFileViews } from './describe-views.js';
import { componentModel } from './distinct-components.js';
import type { FileDescription, FilePictures } from './file-description.js';
import { NO_VIEWS } from './no-views.js';
import {
  plainError,
  type ConvertRequest,
  type DescribeRequest,
  type DeviationRequest,
  type FileSource,
  type ModelRequest,
  type OverlayRequest,
  type PictureRequest,
  type ShapeletRequest,
  type WorkerData,
  type WorkerMessage,
  type WorkerRequest,
} from './messages.js';

// Entry point of a worker thread. It turns bytes into content, then into a description or picture, one request at a
// time. Files are read, unpacked and parsed only in workers, so that a crash or endless loop does not stop the engine's
// own thread.

/**
 * The share of a time limit after which drawing, or describing components, stops by itself, before the pool ends the
 * worker.
 */
const DRAWING_SHARE = 0.8;

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
    if (request.kind === 'describe') return await describe(request);
    if (request.kind === 'deviations') return await compare(request);
    const value =
      request.kind === 'convert'
        ? await convert(request)
        : request.kind === 'model'
          ? await writeModel(request)
          : await draw(request);
    const { buffer } = 'faceted' in value ? value.bytes : value;
    post({ kind: 'done', value, memoryBytes: memoryBytes() }, [buffer as ArrayBuffer]);
  } catch (cause) {
    post({ kind: 'failed', error: plainError(cause), memoryBytes: memoryBytes() });
  }
}

async function describe({ of, textOnly, crop, withComponents, pictures }: DescribeRequest): Promise<void> {
  const { limits } = readOptions;
  const read = await readStored(of);
  const { content } = read;
  const file = describeFile(content, describer, { textOnly, limits });
  const withViews = !textOnly && content.kind !== 'document';
  const transfer = [
    ...new Set(Object.values(file.shape?.descriptors ?? {}).map(({ buffer }) => buffer as ArrayBuffer)),
  ];
  if (!withViews && pictures === undefined)
    return post({ kind: 'done', value: file, memoryBytes: memoryBytes() }, transfer);
  post({ kind: 'described', value: file, withViews }, transfer);
  const parts = withViews && withComponents === true && content.kind === 'model' ? content : undefined;
  if (withViews)
    post({
      kind: 'views',
      ...findViews(content, file, crop),
      isLast: pictures === undefined && parts === undefined,
      memoryBytes: memoryBytes(),
    });
  if (parts !== undefined) {
    const endMs = performance.now() + DRAWING_SHARE * limits.timeoutMs;
    post({
      kind: 'components',
      value: describeComponents(parts, { core, describer, limits, endMs }),
      isLast: pictures === undefined,
      memoryBytes: memoryBytes(),
    });
  }
  if (pictures !== undefined) post({ kind: 'drawn', value: await drawn(read, pictures), memoryBytes: memoryBytes() });
}

async function drawn(read: ReadFile, wanted: 'small' | 'all'): Promise<FilePictures | undefined> {
  const { drawThumbnails } = await import('./draw-file.js');
  return drawThumbnails(read, wanted, {
    core,
    limits: readOptions.limits,
    endMs: performance.now() + DRAWING_SHARE * readOptions.limits.viewsTimeoutMs,
  });
}

/** A failure while views are searched does not discard the rest of the file. */
function findViews(
  content: Content,
  file: FileDescription,
  crop: Crop | undefined,
): { value: FileViews; warning?: string } {
  try {
    return { value: describeFileViews(core, content, file, { limits: readOptions.limits, crop }) ?? NO_VIEWS };
  } catch (cause) {
    return { value: NO_VIEWS, warning: plainError(cause).message };
  }
}

async function draw(request: PictureRequest | ShapeletRequest | OverlayRequest): Promise<Uint8Array> {
  // Loaded when first needed: most workers never draw, and the image library takes memory.
  if (request.kind === 'picture') return drawPicture(request);
  const source = { content: (await readStored(request.of)).content, index: request.index };
  if (request.kind === 'shapelet') {
    const { shapeletPicture } = await import('../../pictures/shapelet-picture.js');
    return new Uint8Array(await shapeletPicture(core, source, readOptions.limits, request));
  }
  const { overlayPicture } = await import('../../pictures/overlay.js');
  const query = {
    content: (await readStored(request.query)).content,
    index: request.queryIndex,
    crop: request.queryCrop,
  };
  return new Uint8Array(await overlayPicture(core, query, source, readOptions.limits, request.size));
}

async function drawPicture({ of, picture }: PictureRequest): Promise<Uint8Array> {
  const endMs = performance.now() + DRAWING_SHARE * readOptions.limits.timeoutMs;
  const { drawFile } = await import('./draw-file.js');
  // Copied: the image library's bytes may be part of a larger buffer, which must not be transferred.
  return new Uint8Array(await drawFile(await readStored(of), picture, { core, limits: readOptions.limits, endMs }));
}

async function convert({ of, to, toleranceMm }: ConvertRequest): Promise<ConvertedModel> {
  const { content, solids } = await readFile(await bytesOf(of), of.name, {
    ...optionsFor(of),
    toleranceMm,
    turnRad: to === 'stl' ? STL_TURN_RAD : undefined,
  });
  if (content.kind !== 'model')
    throw new EngineError('NO_GEOMETRY', `${of.name} is a ${content.kind}; only models are converted`);
  // Loaded when first needed: few workers ever convert.
  const { convertModel } = await import('../../convert/convert-model.js');
  return convertModel(content, to, to === 'step' && solids !== undefined ? await solidsOf(solids) : undefined);
}

/** If an IGES file cannot be converted exactly, the reason is reported; its triangles are still written. */
async function solidsOf({ format, bytes }: SolidSource): Promise<Solids> {
  if (format !== 'iges') return { format, bytes };
  const { readIgesShape } = await import('../../readers/iges/exact-shape.js');
  try {
    return { format, shape: readIgesShape(bytes, readOptions.limits.entities) };
  } catch (cause) {
    if (cause instanceof EngineError) return { format, reason: cause.message };
    throw cause;
  }
}

async function writeModel({ of, triangles }: ModelRequest): Promise<Uint8Array> {
  const model = await readModel(of, 'only models are shown in three dimensions');
  const { writeGlb } = await import('../../convert/write-glb.js');
  return new Uint8Array(await writeGlb(model, { triangles }));
}

async function compare({ of, other, wishes }: DeviationRequest): Promise<void> {
  const only = 'only models have deviations';
  const first = await readModel(of, only),
    second = await readModel(other, only);
  const { deviations } = await import('../../convert/deviations.js');
  const value = await deviations(core, first, second, wishes);
  post(
    { kind: 'done', value, memoryBytes: memoryBytes() },
    value.glb === undefined ? [] : [value.glb.buffer as ArrayBuffer],
  );
}

/** @throws EngineError `NO_GEOMETRY` for a file that is not a model; `only` explains why a model is required. */
async function readModel(of: FileSource, only: string): Promise<Model> {
  const { content } = await readStored(of);
  if (content.kind !== 'model') throw new EngineError('NO_GEOMETRY', `${of.name} is a ${content.kind}; ${only}`);
  return content;
}

async function readStored(source: FileSource): Promise<ReadFile> {
  const read = await readFile(await bytesOf(source), source.name, optionsFor(source));
  if (source.component === undefined) return read;
  if (read.content.kind !== 'model')
    throw new EngineError('NO_GEOMETRY', `${source.name} is a ${read.content.kind} and has no components`);
  return { ...read, content: componentModel(read.content, source.component) };
}

function optionsFor({ unit }: FileSource): ReadOptions {
  return unit === undefined ? readOptions : { ...readOptions, defaultUnit: unit };
}

async function bytesOf(source: FileSource): Promise<Uint8Array> {
  return source.kind === 'stored' ? readBlob(source.blobFolder, source.hash) : source.bytes;
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function post(message: WorkerMessage, transfer: ArrayBuffer[] = []): void {
  port!.postMessage(message, transfer);
}
