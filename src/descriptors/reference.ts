import { FINE_BYTES, FINE_TERMS, type FineTerm } from '../core/compare.js';
import { loadBytes, type BytesSource } from '../core/load-bytes.js';
import { SHAPE_LENGTHS } from '../core/shape.js';
import { EngineError } from '../errors.js';
import { COMPACT_DIMENSION } from './description.js';

/**
 * Tables learned from parts that this project generates by code (`npm run bench -- learn/reference`). No
 * user's file and no class label went into them.
 */
export interface Reference {
  /** Mean distance of two unrelated reference parts, by term: the unit of each term of the finer comparison. */
  readonly termMeans: Readonly<Record<FineTerm, number>>;
  /** Mean of exp(z / 2) over unrelated pairs, z being the normalised distance: the unit of a comparison. */
  readonly unit: number;
  /** f32[FEATURE_LENGTH]: subtracted before the projection. */
  readonly mean: Float32Array;
  /** f32[COMPACT_DIMENSION][FEATURE_LENGTH]: principal axes, multiplied by the weights of the features. */
  readonly projection: Float32Array;
  /** u8[FINE_BYTES * cohortCount]: reference parts with which each part is compared once (see `shape-distance.ts`). */
  readonly cohort: Uint8Array;
  readonly cohortCount: number;
}

/** Length of the feature vector that is projected to the compact vector: orbits, pairs, shares, angles. */
export const FEATURE_LENGTH = SHAPE_LENGTHS.orbits + SHAPE_LENGTHS.pairs + SHAPE_LENGTHS.shares + SHAPE_LENGTHS.angles;

const MAGIC = 0x58444853; // "SHDX", little endian
const FORMAT = 2;
const HEADER_BYTES = 48;

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
  const [magic, format, dimension, features, cohortCount] = [0, 4, 8, 12, 16].map((at) =>
    at + 4 <= bytes.length ? view.getUint32(at, true) : 0,
  );
  const tables = 4 * features * (1 + dimension);
  const expected = HEADER_BYTES + tables + cohortCount * FINE_BYTES;
  if (
    magic !== MAGIC ||
    format !== FORMAT ||
    dimension !== COMPACT_DIMENSION ||
    features !== FEATURE_LENGTH ||
    bytes.length !== expected
  ) {
    throw new EngineError(
      'CORE_FAILED',
      `reference.bin is not of this version: ${bytes.length} bytes, expected ${expected}`,
    );
  }
  const float = (at: number): number => view.getFloat32(at, true);
  const floats = (at: number, length: number): Float32Array =>
    Float32Array.from({ length }, (_, i) => float(at + 4 * i));
  return {
    termMeans: Object.fromEntries(FINE_TERMS.map((term, i) => [term, float(20 + 4 * i)])) as Reference['termMeans'],
    unit: float(44),
    mean: floats(HEADER_BYTES, features),
    projection: floats(HEADER_BYTES + 4 * features, dimension * features),
    cohort: bytes.slice(HEADER_BYTES + tables),
    cohortCount,
  };
}
