import { FINE_BYTES, FINE_LENGTHS, FINE_TERMS, type FineTerm } from '../core/compare.js';
import { loadBytes, type BytesSource } from '../core/load-bytes.js';
import { ARRANGEMENTS, SHAPE_LENGTHS } from '../core/shape.js';
import { EngineError } from '../errors.js';
import { SPREAD_PLANES, VIEW_PLANES, weightsLength, type LearnedPlanes } from './cube-harmonics.js';
import { FACE_STATISTICS } from './faces/face-statistics.js';

/**
 * Tables learned from parts that this project generates by code (`npm run bench -- learn/reference`), and from which
 * generator made which part. No user's file and nobody's label went into them.
 */
export interface Reference {
  /** Mean distance of two unrelated reference parts, by term: the unit of each term of the finer comparison. */
  readonly termMeans: Readonly<Record<FineTerm, number>>;
  /** Mean of exp(z / 2) over unrelated pairs, z being the normalised distance: the unit of a comparison. */
  readonly unit: number;
  /** Projections of the views along the frame of face normals and along the axes of inertia. */
  readonly views: LearnedPlanes;
  readonly spread: LearnedPlanes;
  /** f32[FEATURE_LENGTH], subtracted before the projection, and f32[FAMILY_DIMENSION][FEATURE_LENGTH]. */
  readonly family: { readonly mean: Float32Array; readonly weights: Float32Array };
  /** u8[FINE_BYTES * cohortCount]: reference parts with which each part is compared once (see `shape-distance.ts`). */
  readonly cohort: Uint8Array;
  readonly cohortCount: number;
}

/** Length of the features that do not depend on the arrangement: orbits, pairs, shares, angles, statistics of faces. */
export const FEATURE_LENGTH =
  SHAPE_LENGTHS.orbits + SHAPE_LENGTHS.pairs + SHAPE_LENGTHS.shares + SHAPE_LENGTHS.angles + FACE_STATISTICS;
/** Length of the vector to which they are projected. */
export const FAMILY_DIMENSION = FINE_LENGTHS.family;

const MAGIC = 0x58444853; // "SHDX", little endian
const FORMAT = 4;
const HEADER_BYTES = 36;
/**
 * Lengths of the tables of f32 in their order: views, spread, mean and units of family. The weights of family follow as
 * i16[FAMILY_DIMENSION][FEATURE_LENGTH], each row in its unit.
 */
const LENGTHS = [
  weightsLength(VIEW_PLANES, SHAPE_LENGTHS.hog / ARRANGEMENTS),
  VIEW_PLANES[0],
  weightsLength(SPREAD_PLANES, SHAPE_LENGTHS.images / ARRANGEMENTS),
  SPREAD_PLANES[0],
  FEATURE_LENGTH,
  FAMILY_DIMENSION,
];
const FAMILY_BYTES = 2 * FAMILY_DIMENSION * FEATURE_LENGTH;

/** The file of this package that holds the tables; bundlers for browsers copy it, as they understand `new URL`. */
const REFERENCE_URL = new URL('../tables/reference.bin', import.meta.url);

/**
 * Loads the tables.
 * @param source where they come from; by default the file of this package.
 * @throws EngineError `CORE_FAILED` when they cannot be loaded or are not those of this version.
 */
export async function loadReference(source: BytesSource = REFERENCE_URL): Promise<Reference> {
  try {
    return decodeReference(await loadBytes(source));
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    const from = source instanceof URL ? source.href : 'the given bytes';
    throw new EngineError('CORE_FAILED', `the tables of descriptors could not be loaded from ${from}`, { cause });
  }
}

/** @throws EngineError `CORE_FAILED` when the bytes are not the tables of this version. */
export function decodeReference(bytes: Uint8Array): Reference {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic, format, features, cohortCount] = [0, 4, 8, 12].map((at) =>
    at + 4 <= bytes.length ? view.getUint32(at, true) : 0,
  );
  const tables = 4 * LENGTHS.reduce((sum, length) => sum + length, 0);
  const expected = HEADER_BYTES + tables + FAMILY_BYTES + cohortCount * FINE_BYTES;
  if (magic !== MAGIC || format !== FORMAT || features !== FEATURE_LENGTH || bytes.length !== expected) {
    throw new EngineError(
      'CORE_FAILED',
      `reference.bin is not of this version: ${bytes.length} bytes, expected ${expected}`,
    );
  }
  const float = (at: number): number => view.getFloat32(at, true);
  let next = HEADER_BYTES;
  const [views, viewOffsets, spread, spreadOffsets, mean, units] = LENGTHS.map((length) => {
    const from = next;
    next += 4 * length;
    return Float32Array.from({ length }, (_, i) => float(from + 4 * i));
  });
  const weights = Float32Array.from(
    { length: FAMILY_DIMENSION * FEATURE_LENGTH },
    (_, i) => units[Math.floor(i / FEATURE_LENGTH)] * view.getInt16(next + 2 * i, true),
  );
  next += FAMILY_BYTES;
  return {
    termMeans: Object.fromEntries(FINE_TERMS.map((term, i) => [term, float(16 + 4 * i)])) as Reference['termMeans'],
    unit: float(32),
    views: { weights: views, offsets: viewOffsets },
    spread: { weights: spread, offsets: spreadOffsets },
    family: { mean, weights },
    cohort: bytes.slice(next),
    cohortCount,
  };
}
