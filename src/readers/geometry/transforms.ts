import { multiply } from '../../content/matrix.js';
import type { Vector } from './vectors.js';

/**
 * Affine placements as f64[16], column-major, points as columns: the layout of `Component.transform`. Angles are in
 * radians.
 */

export function identity(): Float64Array {
  return new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
}

export function translation(x: number, y: number, z: number): Float64Array {
  return new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]);
}

export function scaling(x: number, y: number, z: number): Float64Array {
  return new Float64Array([x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]);
}

/** The placement with these axes and origin. */
export function ofColumns(x: Vector, y: Vector, z: Vector, origin: Vector): Float64Array {
  return new Float64Array([...x, 0, ...y, 0, ...z, 0, ...origin, 1]);
}

/** Rotation by `angleRad` about the axis, right-handed (Rodrigues); the identity for an axis of length 0. */
export function rotation(x: number, y: number, z: number, angleRad: number): Float64Array {
  const length = Math.hypot(x, y, z);
  if (!(length > 0)) return identity();
  const [a, b, c] = [x / length, y / length, z / length];
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad),
    rest = 1 - cos;
  return ofColumns(
    [a * a * rest + cos, b * a * rest + c * sin, c * a * rest - b * sin],
    [a * b * rest - c * sin, b * b * rest + cos, c * b * rest + a * sin],
    [a * c * rest + b * sin, b * c * rest - a * sin, c * c * rest + cos],
    [0, 0, 0],
  );
}

/** The product in the given order: the last factor is applied first. */
export function compose(...factors: readonly Float64Array[]): Float64Array {
  return factors.reduce((left, right) => multiply(left, right), identity());
}

export function isIdentity(matrix: Float64Array): boolean {
  return matrix.every((value, i) => value === (i % 5 === 0 ? 1 : 0));
}

/** Whether every element is finite and at most `farthest` in magnitude. */
export function isUsable(matrix: Float64Array, farthest: number): boolean {
  return matrix.every((value) => Math.abs(value) <= farthest);
}
