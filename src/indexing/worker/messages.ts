import type { DeviationWishes } from '../../convert/deviations.js';
import type { DeviationModel } from '../../convert/deviation-options.js';
import type { ConversionFormat, ConvertedModel } from '../../convert/conversion-format.js';
import type { DrawnPicture } from '../../pictures/picture-name.js';
import type { ThumbnailOptions } from '../../pictures/thumbnail-options.js';
import type { Crop } from '../../content/crop.js';
import type { LengthUnit } from '../../content/units.js';
import { EngineError, type ErrorCode, type ErrorDetails } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import type { FileDescription, LaterPart } from './file-description.js';

/** Time between two looks at what a busy worker has taken, ms. */
export const SAMPLE_MS = 50;

/** The data with which a worker starts. */
export interface StartData {
  readonly readOptions: ReadOptions;
}

/**
 * What is sent to a worker: first how it starts, then requests. reportsTo: file descriptor for reports of its usage.
 */
export type ToWorker =
  | { readonly kind: 'start'; readonly data: StartData; readonly reportsTo: number | undefined }
  | { readonly kind: 'request'; readonly request: WorkerRequest };

/**
 * Where the bytes of a file are: stored under their hash, or passed along. A worker is sent bytes alone: the pool reads
 * what is stored (`pool/stored-bytes.ts`), and `hash` says then what they must be. unit: for formats without one;
 * absent: the engine's `defaultUnit`. component: only this distinct component of the model in the file.
 */
export type FileSource = { readonly name: string; readonly unit?: LengthUnit; readonly component?: number } & (
  | { readonly kind: 'stored'; readonly blobFolder: string; readonly hash: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array; readonly hash?: string }
);

/** What a worker can be asked for besides `of`, the file, by kind of request. */
interface Requests {
  /** Describes a file. */
  describe: {
    /** True: without its shape. */
    readonly textOnly: boolean;
    /** Only this part of each page is searched for shapes; see `SearchInput`. */
    readonly crop?: Crop;
    /** True: the components of an assembly are described as well. Absent: only the assembly as a whole. */
    readonly withComponents?: boolean;
    /** Which thumbnails are drawn, if the file can be drawn. Absent: none. */
    readonly pictures?: 'small' | 'all';
  };
  /** Draws a file, as PNG. */
  picture: { readonly picture: DrawnPicture };
  /** Draws one shapelet of a file, as PNG. */
  shapelet: ThumbnailOptions & { readonly index: number };
  /** Draws a shapelet of a file that was found over one of `query`, the file that was searched with, as PNG. */
  overlay: {
    readonly index: number;
    readonly query: FileSource;
    readonly queryIndex: number;
    readonly queryCrop?: Crop;
    /** Edge length, pixels. */
    readonly size: number;
  };
  /** Writes a model in another format. toleranceMm: largest distance of a curved surface from its triangles. */
  convert: { readonly to: ConversionFormat; readonly toleranceMm?: number };
  /** Writes a model of at most so many triangles as binary glTF. */
  model: { readonly triangles: number };
  /** Measures the distances between the surfaces of two models. */
  deviations: { readonly other: FileSource; readonly wishes: DeviationWishes };
}

/** A request of one kind, by default of any. */
export type WorkerRequest<Kind extends keyof Requests = keyof Requests> = {
  [K in Kind]: Requests[K] & { readonly kind: K; readonly of: FileSource };
}[Kind];

/** The result of each kind of request. */
export type AnswerTo<Request extends WorkerRequest> = Request extends { kind: 'describe' }
  ? FileDescription
  : Request extends { kind: 'convert' }
    ? ConvertedModel
    : Request extends { kind: 'deviations' }
      ? DeviationModel
      : Uint8Array;

/**
 * What a worker posts: one message when it is ready, then one answer for each request, which the pool checks (see
 * `answer-checks.ts`). A description comes in parts, each of which replaces fields of those before; it is complete
 * without the `next` one, even if the worker fails at that. The last part names none.
 */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'part'; readonly value: Partial<FileDescription>; readonly next: LaterPart | undefined }
  | { readonly kind: 'done'; readonly value: AnswerTo<WorkerRequest> }
  | { readonly kind: 'failed'; readonly error: PlainError };

/** An error that can be posted between processes, where classes and codes are lost. */
export interface PlainError {
  /** Absent: the error is not an EngineError, hence a defect of a reader. */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** The form in which an error is posted; details that cannot be posted are dropped. */
export function plainError(cause: unknown): PlainError {
  if (cause instanceof EngineError) {
    return {
      code: cause.code,
      message: cause.message,
      details: JSON.parse(JSON.stringify(cause.details)) as ErrorDetails,
    };
  }
  const message = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
  if (cause instanceof RangeError && TOO_LARGE.test(cause.message)) {
    const limit = 'what a JavaScript process can hold';
    return {
      code: 'LIMIT_EXCEEDED',
      message: `reading the file needs more than ${limit}: ${message}`,
      details: { limit },
    };
  }
  const errno = (cause as { readonly code?: unknown } | null)?.code;
  const isOfSystem = typeof errno === 'string' && OF_SYSTEM.has(errno);
  return { message, details: isOfSystem ? { ended: true, errno } : {} };
}

/**
 * Messages of V8 about strings, arrays and stacks that would be longer than it allows, and memory that it does not get.
 */
const TOO_LARGE =
  /call stack size|Invalid (string|array|typed array|array buffer) length|longer than|allocation failed|maximum size exceeded/i;

/** Errors of the system that say nothing about a file: its reading is tried again, in another worker. */
const OF_SYSTEM: ReadonlySet<string> = new Set(['EAGAIN', 'EIO', 'EMFILE', 'ENFILE', 'ENOMEM']);

/** Restores a posted error. An error without a code becomes `WORKER_FAILED`. */
export function engineError({ code, message, details }: PlainError): EngineError {
  if (code !== undefined) return new EngineError(code, message, { details });
  return new EngineError('WORKER_FAILED', `reading the file failed unexpectedly: ${message}`, { details });
}
