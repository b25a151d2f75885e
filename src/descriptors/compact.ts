import type { ShapeFeatures } from '../core/shape.js';
import { COMPACT_DIMENSION } from './description.js';
import { FEATURE_LENGTH, type Reference } from './reference.js';

/** f32[FEATURE_LENGTH]: the features that do not depend on how the frame is rotated: orbits, pairs, shares, angles. */
export function invariantFeatures(features: ShapeFeatures): Float32Array {
  const joined = new Float32Array(FEATURE_LENGTH);
  let at = 0;
  for (const part of [features.orbits, features.pairs, features.shares, features.angles]) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/**
 * f32[COMPACT_DIMENSION]: a short vector whose Euclidean distance finds candidates for the finer comparison. Sums are
 * in double precision and in a fixed order, so the bits are equal on every machine.
 */
export function compactVector(features: ShapeFeatures, reference: Reference): Float32Array {
  const values = invariantFeatures(features);
  const { mean, projection } = reference;
  const vector = new Float32Array(COMPACT_DIMENSION);
  for (let row = 0; row < COMPACT_DIMENSION; row++) {
    let sum = 0;
    for (let i = 0; i < FEATURE_LENGTH; i++) sum += projection[row * FEATURE_LENGTH + i] * (values[i] - mean[i]);
    vector[row] = sum;
  }
  return vector;
}
