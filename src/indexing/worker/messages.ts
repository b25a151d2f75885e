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

/** The data with which a worker starts. */
export interface WorkerData {
  /** Compiled once, by the engine. */
  readonly core: WebAssembly.Module;
  readonly readOptions: ReadOptions;
}

/**
 * Where the bytes of a file are: stored under their hash, or passed along and not stored. unit: for formats without
 * one; absent: the engine's `defaultUnit`. component: only this distinct component of the model in the file.
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
  /** Only this part of each page is searched for shapes; see `SearchInput`. */
  readonly crop?: Crop;
  /** True: the components of an assembly are described as well. Absent: only the assembly as a whole. */
  readonly withComponents?: boolean;
  /** Which thumbnails are drawn, if the file can be drawn. Absent: none. */
  readonly pictures?: 'small' | 'all';
}

/** Requests a picture, as PNG, instead of a description. */
export interface PictureRequest {
  readonly kind: 'picture';
  readonly of: FileSource;
  readonly picture: DrawnPicture;
}

/** Requests a picture of one shapelet of a file, as PNG. */
export interface ShapeletRequest extends ThumbnailOptions {
  readonly kind: 'shapelet';
  readonly of: FileSource;
  readonly index: number;
}

/** Requests a shapelet of one file drawn over one of another, as PNG. */
export interface OverlayRequest {
  readonly kind: 'overlay';
  /** The file that was found. */
  readonly of: FileSource;
  readonly index: number;
  /** The file that was searched with. */
  readonly query: FileSource;
  readonly queryIndex: number;
  readonly queryCrop?: Crop;
  /** Edge length, pixels. */
  readonly size: number;
}

/** Requests a model in another format instead of its description. */
export interface ConvertRequest {
  readonly kind: 'convert';
  readonly of: FileSource;
  readonly to: ConversionFormat;
  /** Largest distance between a curved surface and its triangles, mm. */
  readonly toleranceMm?: number;
}

/** Requests a model as binary glTF. */
export interface ModelRequest {
  readonly kind: 'model';
  readonly of: FileSource;
  /** Most triangles of the output. */
  readonly triangles: number;
}

/** Requests the distances between the surfaces of two models. */
export interface DeviationRequest {
  readonly kind: 'deviations';
  readonly of: FileSource;
  readonly other: FileSource;
  readonly wishes: DeviationWishes;
}

/** All requests that a worker accepts. */
export type WorkerRequest =
  | DescribeRequest
  | PictureRequest
  | ShapeletRequest
  | OverlayRequest
  | ConvertRequest
  | ModelRequest
  | DeviationRequest;

/** The result of each kind of request. */
export type AnswerTo<Request extends WorkerRequest> = Request extends DescribeRequest
  ? FileDescription
  : Request extends ConvertRequest
    ? ConvertedModel
    : Request extends DeviationRequest
      ? DeviationModel
      : Uint8Array;

/**
 * What a worker posts: one message when it is ready, then one answer for each request. `memoryBytes` is the memory that
 * the worker holds afterwards, WebAssembly memory included. For a description with views, components or pictures,
 * 'described' is posted first: its content is complete without them, even if the worker fails later. It is followed by
 * 'views', 'components' and 'drawn', as far as each is requested; the last of them is the answer.
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

/** An error that can be posted between threads, where classes and codes are lost. */
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
  return { message: cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause), details: {} };
}

/** Restores a posted error. An error without a code becomes `WORKER_FAILED`. */
export function engineError({ code, message, details }: PlainError): EngineError {
  if (code !== undefined) return new EngineError(code, message, { details });
  return new EngineError('WORKER_FAILED', `reading the file failed unexpectedly: ${message}`, { details });
}
