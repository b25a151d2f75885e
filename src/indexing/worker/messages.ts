import type { DeviationWishes } from '../../convert/deviations.js';
import type { DeviationModel } from '../../convert/deviation-options.js';
import type { ConversionFormat, ConvertedModel } from '../../convert/conversion-format.js';
import type { DrawnPicture } from '../../pictures/picture-name.js';
import type { ThumbnailOptions } from '../../pictures/thumbnail-options.js';
import type { Crop } from '../../content/crop.js';
import type { LengthUnit } from '../../content/units.js';
import { EngineError, type ErrorCode, type ErrorDetails } from '../../errors.js';
import type { ReadOptions } from '../../options.js';
import type { FileViews } from '../../descriptors/file-views.js';
import type { FileComponents, FileDescription, FilePictures } from './file-description.js';

/** What a worker is born with. */
export interface WorkerData {
  /** Compiled once, by the engine. */
  readonly core: WebAssembly.Module;
  readonly readOptions: ReadOptions;
}

/**
 * Where a file's bytes are: stored, by their hash, or given and not stored. unit: where its format has none; absent:
 * the engine's. component: only this distinct component of the model in the file.
 */
export type FileSource = { readonly name: string; readonly unit?: LengthUnit; readonly component?: number } & (
  | { readonly kind: 'stored'; readonly blobFolder: string; readonly hash: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
);

/** A file to describe. */
export interface DescribeRequest {
  readonly kind: 'describe';
  readonly of: FileSource;
  /** True: without its shape. */
  readonly textOnly: boolean;
  /** Only this part of each page has shapes; see `SearchInput`. */
  readonly crop?: Crop;
  /** True: the components of an assembly, too. Absent: the assembly as a whole alone. */
  readonly withComponents?: boolean;
  /** Which thumbnails are drawn, as far as the file can be. Absent: none. */
  readonly pictures?: 'small' | 'all';
}

/** A picture, as PNG, instead of a description. */
export interface PictureRequest {
  readonly kind: 'picture';
  readonly of: FileSource;
  readonly picture: DrawnPicture;
}

/** A picture of one shapelet of a file, as PNG. */
export interface ShapeletRequest extends ThumbnailOptions {
  readonly kind: 'shapelet';
  readonly of: FileSource;
  readonly index: number;
}

/** A shapelet of one file laid over one of another, as PNG. */
export interface OverlayRequest {
  readonly kind: 'overlay';
  /** What was found. */
  readonly of: FileSource;
  readonly index: number;
  /** What was searched with. */
  readonly query: FileSource;
  readonly queryIndex: number;
  readonly queryCrop?: Crop;
  /** Pixels a side. */
  readonly size: number;
}

/** A model in another format instead of its description. */
export interface ConvertRequest {
  readonly kind: 'convert';
  readonly of: FileSource;
  readonly to: ConversionFormat;
  /** Largest distance between a curved surface and its triangles, mm. */
  readonly toleranceMm?: number;
}

/** A model as binary glTF. */
export interface ModelRequest {
  readonly kind: 'model';
  readonly of: FileSource;
  /** Most triangles. */
  readonly triangles: number;
}

/** How far two models lie from each other. */
export interface DeviationRequest {
  readonly kind: 'deviations';
  readonly of: FileSource;
  readonly other: FileSource;
  readonly wishes: DeviationWishes;
}

/** All that a worker can be asked. */
export type WorkerRequest =
  | DescribeRequest
  | PictureRequest
  | ShapeletRequest
  | OverlayRequest
  | ConvertRequest
  | ModelRequest
  | DeviationRequest;

/** What the answer to a request holds. */
export type AnswerTo<Request extends WorkerRequest> = Request extends DescribeRequest
  ? FileDescription
  : Request extends ConvertRequest
    ? ConvertedModel
    : Request extends DeviationRequest
      ? DeviationModel
      : Uint8Array;

/**
 * What a worker posts: once when it can take requests, then one answer for each request. `memoryBytes` is what it holds
 * afterwards, WebAssembly memory included. 'described' comes before the answer to a request for a description that is
 * to have views or pictures: it is good without them, whatever becomes of the worker meanwhile. Then come 'views',
 * where there are to be any, 'components', where they are wanted, and 'drawn', where there are to be pictures; the last
 * of them is the answer.
 */
export type WorkerMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'described'; readonly value: FileDescription; readonly withViews: boolean }
  | {
      readonly kind: 'views';
      readonly value: FileViews;
      readonly warning?: string;
      readonly isLast: boolean;
      readonly memoryBytes: number;
    }
  | {
      readonly kind: 'components';
      readonly value: FileComponents;
      readonly isLast: boolean;
      readonly memoryBytes: number;
    }
  | { readonly kind: 'drawn'; readonly value: FilePictures | undefined; readonly memoryBytes: number }
  | { readonly kind: 'done'; readonly value: AnswerTo<WorkerRequest>; readonly memoryBytes: number }
  | { readonly kind: 'failed'; readonly error: PlainError; readonly memoryBytes: number };

/** An error that can cross between threads, which lose classes and codes. */
export interface PlainError {
  /** Absent: not an EngineError, hence a defect of a reader. */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

/** What to post for an error; the details are dropped when they cannot be posted. */
export function plainError(cause: unknown): PlainError {
  if (cause instanceof EngineError) {
    return {
      code: cause.code,
      message: cause.message,
      details: JSON.parse(JSON.stringify(cause.details)) as ErrorDetails,
    };
  }
  return { message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), details: {} };
}

/** The error again, on the other side. An error without a code is `WORKER_FAILED`. */
export function engineError({ code, message, details }: PlainError): EngineError {
  if (code !== undefined) return new EngineError(code, message, { details });
  return new EngineError('WORKER_FAILED', `reading the file failed unexpectedly: ${message}`, { details });
}
