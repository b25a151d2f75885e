import type { Property } from '../../content/text.js';
import type { ConvertedModel } from '../../convert/conversion-format.js';
import type { DeviationFigures, DeviationModel } from '../../convert/deviation-options.js';
import type { ErrorCode } from '../../errors.js';
import { arePlaces } from '../../words/text-places.js';
import type { AssemblyComponent } from '../../store/catalog/assembly-component.js';
import type { DescribedPage, TextTerms } from '../../store/catalog/file-text.js';
import type { StoredPmi } from '../../store/catalog/indexed-file.js';
import type { MessageBounds } from '../channel/channel.js';
import type { ComponentDescription, FileDescription, FilePictures, LaterPart } from '../worker/file-description.js';
import type { DrawnPicture } from '../../pictures/picture-name.js';
import { PAGE_IMAGE_LIMITS, THUMBNAIL_SIZES } from '../../pictures/thumbnail-options.js';
import type { PlainError, WorkerRequest } from '../worker/messages.js';
import { plainPng, type PictureBounds } from './png-check.js';
import { shape, views, warnings } from './shape-checks.js';
import {
  boolean,
  byteArray,
  count,
  fields,
  list,
  nullable,
  number,
  oneOf,
  optional,
  string,
  type Check,
  type Fields,
} from './shapes.js';

// A reading process may have been taken over by the file that it reads. What it answers has to be of the form that the
// catalogue and the searches rely on; that it is true cannot be checked.

const MIB = 2 ** 20;
/**
 * Least memory that an answer may take, MiB: a description of 5 million characters in 800 000 places, and of 100 000
 * components, takes 90 as it comes.
 */
const LEAST_ANSWER_MIB = 128;
/** A description may take this share of `workerMemoryMiB`: what it is made of takes more in the process itself. */
const DESCRIPTION_SHARE = 1 / 8;
/** What a caller asked for, such as a conversion: the process that makes it holds the model as well. */
const BYTES_SHARE = 1 / 2;
/** Most bytes of such an answer beside its byte arrays. */
const FIGURES_BYTES = MIB;

/** What an answer to the request may cost the host. */
export function answerBounds(kind: WorkerRequest['kind'], workerMemoryMiB: number): MessageBounds {
  const bytes = (share: number): number => Math.max(LEAST_ANSWER_MIB, share * workerMemoryMiB) * MIB;
  if (kind !== 'describe')
    return { headBytes: FIGURES_BYTES, heapBytes: 8 * FIGURES_BYTES, arrayBytes: bytes(BYTES_SHARE) };
  const each = bytes(DESCRIPTION_SHARE);
  return { headBytes: each, heapBytes: 2 * each, arrayBytes: each };
}

const places: Check = (value, at) => {
  string(value, at);
  if (!arePlaces(value as string)) throw new TypeError(`${at} is no list of numbers`);
};
const pages = list(
  fields<DescribedPage>({
    number: count,
    name: string,
    text: string,
    places: optional(places),
  }),
);

const terms = fields<TextTerms>({
  text: string,
  words: string,
  length: count,
  counts: (value, at) => {
    if (!(value instanceof Map)) throw new TypeError(`${at} is no map`);
    for (const [term, times] of value) {
      string(term, at);
      count(times, at);
    }
  },
});

const assembly: Check = (value, at) => component(value, at);
const component = fields<AssemblyComponent>({
  name: string,
  occurrence: nullable(string),
  transform: nullable(list(number, 16)),
  bodies: list(count),
  component: nullable(count),
  volumeMm3: number,
  children: list(assembly),
});

const DESCRIPTION: Fields<FileDescription> = {
  kind: oneOf('Text', 'Image', 'TwoD', 'ThreeD'),
  warnings,
  pageCount: nullable(count),
  faceCount: nullable(count),
  pages,
  textTerms: terms,
  properties: list(fields<Property>({ name: string, unit: string, value: string })),
  assembly: optional(assembly),
  components: optional(
    list(
      fields<ComponentDescription>({
        number: count,
        name: string,
        place: list(string),
        occurrences: count,
        isAssembly: boolean,
        shape,
        views,
      }),
    ),
  ),
  shape: optional(shape),
  views: optional(views),
  pmi: optional(fields<StoredPmi>({ version: count, json: string })),
  pictures: optional(
    fields<FilePictures>({
      small: plainPng(square(THUMBNAIL_SIZES.small)),
      large: optional(plainPng(square(THUMBNAIL_SIZES.large))),
    }),
  ),
};
const description = fields<FileDescription>(DESCRIPTION);

/** Fields that a later part may replace. The first part has the others. */
const PART_FIELDS: Readonly<Record<LaterPart, readonly (keyof FileDescription)[]>> = {
  views: ['views', 'warnings'],
  components: ['assembly', 'components', 'warnings'],
  pictures: ['pictures'],
};
const PARTS = Object.keys(PART_FIELDS) as LaterPart[];

/**
 * The description with the next part of it. part: which one; undefined: the first one. next: which part is to follow;
 * undefined: none.
 * @throws TypeError when it is of another form, or out of order.
 */
export function withPart(
  described: FileDescription | undefined,
  part: LaterPart | undefined,
  { value, next }: { readonly value?: unknown; readonly next?: unknown },
): FileDescription {
  const here = part === undefined ? -1 : PARTS.indexOf(part);
  if (next !== undefined && PARTS.indexOf(next as LaterPart) <= here)
    throw new TypeError(`after ${part ?? 'the description'} comes ${String(next).slice(0, 50)}`);
  if (part === undefined || described === undefined) {
    description(value, 'description');
    return value as FileDescription;
  }
  if (typeof value !== 'object' || value === null) throw new TypeError(`${part} is ${String(value)}`);
  const given = PART_FIELDS[part].filter((name) => name in value);
  for (const name of given) DESCRIPTION[name]((value as FileDescription)[name], name);
  return { ...described, ...Object.fromEntries(given.map((name) => [name, (value as FileDescription)[name]])) };
}

const figures = fields<DeviationFigures>({
  maxMm: number,
  meanMm: number,
  rmsMm: number,
  p95Mm: number,
  outsideMm: nullable(number),
  insideMm: nullable(number),
});

/** The check of the answer to a request of each kind. */
const ANSWERS: {
  readonly [Kind in Exclude<WorkerRequest['kind'], 'describe'>]: (request: WorkerRequest<Kind>) => Check;
} = {
  picture: ({ picture }) => plainPng(boundsOf(picture)),
  shapelet: ({ size }) => plainPng(square(size)),
  overlay: ({ size }) => plainPng(square(size)),
  model: () => byteArray(),
  convert: () => converted,
  deviations: () => deviations,
};

function square(size: number): PictureBounds {
  return { widthPx: size, heightPx: size };
}

function boundsOf(picture: DrawnPicture): PictureBounds {
  if (picture.kind !== 'page') return square(picture.size);
  // A model has one picture, in a square.
  return { widthPx: picture.width, heightPx: PAGE_IMAGE_LIMITS.height };
}

const converted = fields<ConvertedModel>({ bytes: byteArray(), faceted: boolean, reason: optional(string) });
const deviations = fields<DeviationModel>({
  alignedBy: oneOf('given', 'match', 'place', 'fit'),
  matchClass: oneOf('identical', 'mirrored', 'scaled', 'similar', null),
  transform: list(number, 16),
  maxMm: number,
  first: figures,
  second: figures,
  glb: optional(byteArray()),
});

/** @throws TypeError when it is no answer to such a request. */
export function checkAnswer(request: WorkerRequest, value: unknown): void {
  if (request.kind === 'describe') throw new TypeError('a description comes in parts');
  const check = ANSWERS[request.kind] as (asked: WorkerRequest) => Check;
  check(request)(value, request.kind);
}

/** Codes of failures that a file can cause. Others would tell something of the engine, and what to do with the file. */
const CODES_OF_FILES: ReadonlySet<string> = new Set<ErrorCode>([
  'FORMAT_UNSUPPORTED',
  'FILE_MALFORMED',
  'NO_GEOMETRY',
  'REFERENCE_MISSING',
  'LIMIT_EXCEEDED',
  'TIMEOUT',
  'PACKAGE_MISSING',
  'LIBRARY_DAMAGED',
  'CORE_FAILED',
  'WORKER_FAILED',
]);

/** @throws TypeError when it is no failure of a file. */
export function checkFailure(error: unknown): asserts error is PlainError {
  const { code, message, details } = (error ?? {}) as Partial<Record<keyof PlainError, unknown>>;
  string(message, 'message');
  if (code !== undefined && !CODES_OF_FILES.has(code as string)) throw new TypeError(`${String(code)} is no code`);
  if (typeof details !== 'object' || details === null || Array.isArray(details))
    throw new TypeError('details is no object');
  // The pool says so of itself, and the file would be tried for ever.
  if ('started' in details) throw new TypeError('details has the field started');
}
