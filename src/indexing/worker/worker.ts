import { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { STL_TURN_RAD, type ConvertedModel } from '../../convert/conversion-format.js';
import type { Solids } from '../../convert/convert-model.js';
import type { DeviationModel } from '../../convert/deviation-options.js';
import type { Content } from '../../content/content.js';
import type { Crop } from '../../content/crop.js';
import type { Model } from '../../content/model.js';
import { Core } from '../../core/core.js';
import { ShapeDescriber } from '../../descriptors/describe.js';
import { EngineError, type Warning } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import { processorTimeMs } from '../../processor-time.js';
import { readFile, type ReadFile, type SolidSource } from '../../readers/read.js';
import { checkBlob } from '../../store/disk/blob-file.js';
import { Channel, CHANNEL_FD, UNBOUNDED } from '../channel/channel.js';
import { renumbered } from './assembly-tree.js';
import { describeComponents } from './describe-components.js';
import { describeFile } from './describe-file.js';
import { describeFileViews } from './describe-views.js';
import { componentModel } from './distinct-components.js';
import { rest } from './rest.js';
import { NO_VIEWS, without, type FileDescription, type LaterPart } from './file-description.js';
import {
  plainError,
  type AnswerTo,
  type FileSource,
  type ToWorker,
  type WorkerMessage,
  type WorkerRequest,
} from './messages.js';

// Entry point of a reading process. It turns bytes into content, then into a description or picture, one request at a
// time. Files are read, unpacked and parsed only here, so that a crash, an endless loop or a decoder that swells does
// not touch the host.

/**
 * The share of a time limit after which drawing, or describing components, stops by itself, before the pool ends the
 * worker.
 */
const DRAWING_SHARE = 0.8;

/**
 * A function of WebAssembly is optimised when it has run through so many bytes of code, some tenth of a second; V8's
 * 1.8 million is a millisecond. Each process optimises for itself: of the CAD kernel this leaves out what a few files
 * do not need, .4 s of processor time and up to 100 MiB in each process, and no file is read more slowly.
 */
const OPTIMISED_AFTER_BYTES = 200_000_000;

// Must stand before any WebAssembly is compiled. A V8 that does not know the flag goes on without it.
setFlagsFromString(`--wasm-tiering-budget=${OPTIMISED_AFTER_BYTES}`);

/**
 * A function of JavaScript is optimised when it has run through so many bytes of code (V8's own: 67 584): each process
 * optimises for itself, and most of it was for functions that run a few times a file.
 */
const SCRIPT_OPTIMISED_AFTER_BYTES = 540_000;
setFlagsFromString(`--interrupt-budget=${SCRIPT_OPTIMISED_AFTER_BYTES}`);

/** Aborted by the next request. */
let resting = new AbortController();

const core = await Core.load();
const describer = await ShapeDescriber.load(core);
let readOptions: ReadOptions;

const channel = new Channel(new Socket({ fd: CHANNEL_FD, readable: true, writable: true }), UNBOUNDED);
channel.onMessage = (given) => {
  const message = given as ToWorker;
  if (message.kind === 'request') {
    resting.abort();
    return void answer(message.request).then(() => rest((resting = new AbortController()).signal));
  }
  ({ readOptions } = message.data);
  if (message.reportsTo !== undefined) reportUsage(message.reportsTo);
  void post({ kind: 'ready' });
};
// The host has ended.
void channel.ended.then(() => process.exit());
// A signal to all processes of a service is the host's to answer: it ends its workers.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

function reportUsage(reportsTo: number): void {
  const workerData = { reportsTo, parent: process.ppid };
  new Worker(new URL('./usage-reporter.js', import.meta.url), { workerData, execArgv: [] }).unref();
}

async function answer(request: WorkerRequest): Promise<void> {
  try {
    if (request.kind === 'describe') return await describe(request);
    const value = await valueOf(request);
    await post({ kind: 'done', value });
  } catch (cause) {
    await post({ kind: 'failed', error: plainError(cause) });
  }
}

function valueOf(request: Exclude<WorkerRequest, { kind: 'describe' }>): Promise<AnswerTo<WorkerRequest>> {
  switch (request.kind) {
    case 'convert':
      return convert(request);
    case 'model':
      return writeModel(request);
    case 'deviations':
      return compare(request);
    default:
      return draw(request);
  }
}

async function describe({ of, textOnly, crop, withComponents, pictures }: WorkerRequest<'describe'>): Promise<void> {
  const { limits } = readOptions;
  const read = await readStored(of);
  const { content } = read;
  let file = describeFile(content, describer, { textOnly, limits });
  const later: [LaterPart, () => Partial<FileDescription> | Promise<Partial<FileDescription>>][] = [];
  if (!textOnly && content.kind !== 'document') {
    later.push(['views', () => viewsOf(content, file, crop)]);
    if (withComponents === true && content.kind === 'model' && file.assembly !== undefined)
      later.push(['components', () => componentsOf(content, file)]);
  }
  if (pictures !== undefined) later.push(['pictures', () => picturesOf(read, pictures)]);
  await post({ kind: 'part', value: file, next: later[0]?.[0] });
  for (const [i, [, find]] of later.entries()) {
    const value = await find();
    file = { ...file, ...value };
    await post({ kind: 'part', value, next: later[i + 1]?.[0] });
  }
}

async function picturesOf(read: ReadFile, wanted: 'small' | 'all'): Promise<Pick<FileDescription, 'pictures'>> {
  const { drawThumbnails } = await import('./draw-file.js');
  const endMs = processorTimeMs() + DRAWING_SHARE * readOptions.limits.viewsTimeoutMs;
  return { pictures: await drawThumbnails(read, wanted, { core, limits: readOptions.limits, endMs }) };
}

const VIEWS_MISSING: Warning = Object.freeze({
  code: 'VIEWS_MISSING',
  message: 'no view of a part was found on its pages, so the file is found by its text and its attributes alone',
});

/** A failure while views are searched does not discard the rest of the file. */
function viewsOf(
  content: Content,
  file: FileDescription,
  crop: Crop | undefined,
): Pick<FileDescription, 'views' | 'warnings'> {
  try {
    const views = describeFileViews(core, content, file, { limits: readOptions.limits, crop }) ?? NO_VIEWS;
    const isMissing = views.shapelets.length === 0 && (file.kind === 'TwoD' || file.kind === 'Image');
    return { views, warnings: isMissing ? [...file.warnings, VIEWS_MISSING] : file.warnings };
  } catch (cause) {
    const { views, warnings } = without(file, 'views', plainError(cause).message);
    return { views, warnings };
  }
}

function componentsOf(model: Model, { assembly, warnings }: FileDescription): Partial<FileDescription> {
  const { limits } = readOptions;
  const endMs = processorTimeMs() + DRAWING_SHARE * limits.timeoutMs;
  const found = describeComponents(model, { core, describer, limits, endMs });
  return {
    assembly: assembly && renumbered(assembly, found.sameAs),
    components: found.components,
    warnings: [...warnings, ...found.warnings],
  };
}

async function draw(request: WorkerRequest<'picture' | 'shapelet' | 'overlay'>): Promise<Uint8Array> {
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

async function drawPicture({ of, picture }: WorkerRequest<'picture'>): Promise<Uint8Array> {
  const endMs = processorTimeMs() + DRAWING_SHARE * readOptions.limits.timeoutMs;
  const { drawFile } = await import('./draw-file.js');
  // Copied: the image library's bytes may be part of a larger buffer, which must not be transferred.
  return new Uint8Array(await drawFile(await readStored(of), picture, { core, limits: readOptions.limits, endMs }));
}

async function convert({ of, to, toleranceMm }: WorkerRequest<'convert'>): Promise<ConvertedModel> {
  const { content, solids } = await readFile(bytesOf(of), of.name, {
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

async function writeModel({ of, triangles }: WorkerRequest<'model'>): Promise<Uint8Array> {
  const model = await readModel(of, 'only models are shown in three dimensions');
  const { writeGlb } = await import('../../convert/write-glb.js');
  const { sidesShown } = await import('../../pictures/attitude.js');
  return new Uint8Array(await writeGlb(model, { triangles, sidesOf: (mesh) => sidesShown(core, mesh) }));
}

async function compare({ of, other, wishes }: WorkerRequest<'deviations'>): Promise<DeviationModel> {
  const only = 'only models have deviations';
  const first = await readModel(of, only),
    second = await readModel(other, only);
  const { deviations } = await import('../../convert/deviations.js');
  const { sidesShown } = await import('../../pictures/attitude.js');
  return deviations(core, first, second, { ...wishes, sidesOf: (mesh) => sidesShown(core, mesh) });
}

/** @throws EngineError `NO_GEOMETRY` for a file that is not a model; `only` explains why a model is required. */
async function readModel(of: FileSource, only: string): Promise<Model> {
  const { content } = await readStored(of);
  if (content.kind !== 'model') throw new EngineError('NO_GEOMETRY', `${of.name} is a ${content.kind}; ${only}`);
  return content;
}

async function readStored(source: FileSource): Promise<ReadFile> {
  const read = await readFile(bytesOf(source), source.name, optionsFor(source));
  if (source.component === undefined) return read;
  if (read.content.kind !== 'model')
    throw new EngineError('NO_GEOMETRY', `${source.name} is a ${read.content.kind} and has no components`);
  return { ...read, content: componentModel(read.content, source.component) };
}

function optionsFor({ unit }: FileSource): ReadOptions {
  return unit === undefined ? readOptions : { ...readOptions, defaultUnit: unit };
}

function bytesOf(source: FileSource): Uint8Array {
  if (source.kind === 'stored') throw new TypeError('the bytes of a stored file must come with the request');
  if (source.hash !== undefined) checkBlob(source.bytes, source.hash);
  return source.bytes;
}

/** Resolves when the message has left this process: what follows may keep its thread busy, or end it. */
function post(message: WorkerMessage): Promise<void> {
  return channel.send(message);
}
