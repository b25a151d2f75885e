import type { ShapeFeatures } from '../core/shape.js';
import { products } from './cube-harmonics.js';
import { COMPACT_DIMENSION } from './description.js';
import { FAMILY_DIMENSION, FEATURE_LENGTH, type Reference } from './reference.js';

/**
 * Weight of the statistics of faces beside the other features. Of 0, 0.5 and 1, chosen on families left out of the
 * training.
 */
const FACES_WEIGHT = 1;

/**
 * f32[FEATURE_LENGTH]: the features that do not depend on how the frame is rotated: orbits, pairs, shares, angles, then
 * what the faces are.
 * @param faces from `faceStatistics`
 */
export function invariantFeatures(features: ShapeFeatures, faces: Float32Array): Float32Array {
  const joined = new Float32Array(FEATURE_LENGTH);
  let at = 0;
  for (const part of [features.orbits, features.pairs, features.shares, features.angles]) {
    joined.set(part, at);
    at += part.length;
  }
  faces.forEach((value, i) => (joined[at + i] = FACES_WEIGHT * value));
  return joined;
}

/**
 * f64[FAMILY_DIMENSION], the direction that tells families of parts most apart first (linear discriminant analysis: Rao
 * 1948). Sums are in double precision and in a fixed order, so the bits are equal on every machine.
 */
export function familyVector(
  features: ShapeFeatures,
  faces: Float32Array,
  { family }: Pick<Reference, 'family'>,
): Float64Array {
  const values = invariantFeatures(features, faces);
  const { mean, weights } = family;
  const rows = Array.from({ length: FAMILY_DIMENSION }, (_, row) =>
    weights.subarray(row * FEATURE_LENGTH, (row + 1) * FEATURE_LENGTH),
  );
  return products(
    rows,
    Float64Array.from(values, (value, i) => value - mean[i]),
  );
}

/**
 * f32[COMPACT_DIMENSION]: the first numbers of the family vector, brought to length 1. Its Euclidean distance finds
 * candidates for the finer comparison.
 */
export function compactVector(family: Float64Array): Float32Array {
  const vector = family.subarray(0, COMPACT_DIMENSION);
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Float32Array.from(vector, (value) => (squares > 0 ? value / Math.sqrt(squares) : 0));
}
