import type { TextRun } from '../../content/text.js';
import { FINE_BYTES, FINE_LENGTHS } from '../../core/compare.js';
import { COMPACT_DIMENSION, type ShapeDescription } from '../../descriptors/description.js';
import {
  CUT_FORMS,
  FEATURE_KINDS,
  PART_SHAPES,
  type Feature,
  type Pattern,
} from '../../descriptors/features/feature.js';
import { MOST_FEATURES, MOST_NAMED_FACES, type PartFeatures } from '../../descriptors/features/part-features.js';
import type { FileViews } from '../../descriptors/file-views.js';
import { MOST_INK_BYTES } from '../../descriptors/page-inks.js';
import { VIEW_BYTES } from '../../descriptors/views.js';
import type { Warning } from '../../errors.js';
import type { StoredShapelet } from '../../store/catalog/shapelet.js';
import {
  boolean,
  byteArray,
  count,
  fields,
  finite,
  list,
  nullable,
  number,
  oneOf,
  optional,
  string,
  type Check,
} from './shapes.js';

// The form of what an answer says of a shape and of views.

/** Warnings of a file or a shape. */
export const warnings = list(fields<Warning>({ code: string, message: string }));

const box = fields<TextRun['box']>({ x: number, y: number, width: number, height: number });

const pattern: Check = (value, at) => {
  const { kind } = (value ?? {}) as { kind?: unknown };
  if (kind === 'circle') fields<Pattern & { kind: 'circle' }>({ kind: oneOf('circle'), diameterMm: finite })(value, at);
  else if (kind === 'row') fields<Pattern & { kind: 'row' }>({ kind: oneOf('row'), pitchMm: finite })(value, at);
  else gridPattern(value, at);
};
const gridPattern = fields<Pattern & { kind: 'grid' }>({
  kind: oneOf('grid'),
  columns: count,
  rows: count,
  pitchMm: list(finite, 2),
});
const foundFeatures = atMost(
  MOST_FEATURES,
  fields<Feature>({
    kind: oneOf(...FEATURE_KINDS),
    count,
    faces: atMost(MOST_NAMED_FACES, finite),
    diameterMm: optional(finite),
    depthMm: optional(finite),
    widthMm: optional(finite),
    lengthMm: optional(finite),
    radiusMm: optional(finite),
    moduleMm: optional(finite),
    pitchMm: optional(finite),
    isInternal: optional(boolean),
    form: optional(oneOf(...CUT_FORMS)),
    isThrough: optional(boolean),
    sunk: optional(oneOf('counterbored', 'countersunk')),
    sunkDiameterMm: optional(finite),
    sunkDepthMm: optional(finite),
    pattern: optional(pattern),
  }),
);
const features = fields<PartFeatures>({
  shape: nullable(oneOf(...PART_SHAPES)),
  wallMm: nullable(finite),
  faceCount: count,
  features: nullable(foundFeatures),
});

/** A list of at most so many items. */
function atMost(most: number, check: Check): Check {
  const items = list(check);
  return (value, at) => {
    items(value, at);
    if ((value as readonly unknown[]).length > most) throw new TypeError(`${at} has more than ${most} items`);
  };
}

/** A fine descriptor whose numbers are finite. */
const fineBytes: Check = (value, at) => {
  byteArray(FINE_BYTES)(value, at);
  const { buffer, byteOffset } = value as Uint8Array;
  const numbers = new DataView(buffer, byteOffset + FINE_BYTES - FINE_LENGTHS.numbers, FINE_LENGTHS.numbers);
  for (let i = 0; i < FINE_LENGTHS.numbers; i += 4) finite(numbers.getFloat32(i, true), `${at}[${i}]`);
};

/** A description of a shape. */
export const shape = fields<ShapeDescription>({
  triangleCount: count,
  componentCount: count,
  volumeMm3: finite,
  bboxVolumeMm3: finite,
  bboxSizeMm: list(finite, 3),
  surfaceAreaMm2: finite,
  features: nullable(features),
  warnings,
  descriptors: fields<ShapeDescription['descriptors']>({
    compact: byteArray(COMPACT_DIMENSION * Float32Array.BYTES_PER_ELEMENT),
    fine: fineBytes,
    surface: byteArray(),
    faces: byteArray(),
    faceWords: byteArray(),
  }),
});

const vector = list(number, 3);
type PlaceOnPage = Extract<StoredShapelet['place'], { kind: 'page' }>;
type PlaceOfCamera = Extract<StoredShapelet['place'], { kind: 'camera' }>;
const onPage = fields<PlaceOnPage>({ kind: oneOf('page'), page: count, box });
const ofCamera = fields<PlaceOfCamera>({
  kind: oneOf('camera'),
  direction: vector,
  up: vector,
  scaleMmPerPixel: number,
  brokenOff: optional(
    fields<NonNullable<PlaceOfCamera['brokenOff']>>({
      axis: oneOf(0, 1, 2),
      shows: oneOf('both ends', 'low end', 'high end'),
      lengthMm: number,
    }),
  ),
});
const place: Check = (value, at) => ((value as PlaceOnPage | null)?.kind === 'page' ? onPage : ofCamera)(value, at);

const viewFields = fields<FileViews>({
  version: count,
  isPart: optional(boolean),
  bytes: byteArray(),
  first: optional(count),
  shapelets: list(fields<FileViews['shapelets'][number]>({ place, size: list(number, 2), isToScale: boolean })),
  numbersMm: list(number),
  extentsMm: list(number),
  layouts: optional(byteArray()),
  inks: optional(byteArray(undefined, MOST_INK_BYTES)),
  pictures: nullable(byteArray()),
});
/** Views of a file, their places and pictures. */
export const views: Check = (value, at) => {
  viewFields(value, at);
  const { bytes, shapelets, first = 0 } = value as FileViews;
  byteArray(shapelets.length * VIEW_BYTES)(bytes, `${at}.bytes`);
  if (first > shapelets.length) throw new TypeError(`${at}.first is above ${shapelets.length}`);
};
