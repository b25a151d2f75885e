/**
 * A pose of one part on another: q = L p + t. f64[12]: L row-major (9), t (3). L is a rotation, times −1 in one
 * direction if it mirrors, times a scale.
 */
export type Pose = Float64Array;

/** The pose with the given linear part and no translation. */
export function poseOf(linear: ArrayLike<number>): Pose {
  const pose = new Float64Array(12);
  for (let i = 0; i < 9; i++) pose[i] = linear[i];
  return pose;
}

/** The inverse pose; L must be a rotation or reflection times a scale. */
export function inversePose(pose: Pose): Pose {
  const squaredScale = pose[0] * pose[0] + pose[1] * pose[1] + pose[2] * pose[2];
  const inverse = new Float64Array(12);
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) inverse[3 * i + j] = pose[3 * j + i] / squaredScale;
  for (let i = 0; i < 3; i++) {
    inverse[9 + i] = -(inverse[3 * i] * pose[9] + inverse[3 * i + 1] * pose[10] + inverse[3 * i + 2] * pose[11]);
  }
  return inverse;
}

/** First `inner`, then `outer`. */
export function composePoses(outer: Pose, inner: Pose): Pose {
  const pose = poseOf(multiply3(outer, inner));
  for (let i = 0; i < 3; i++) {
    pose[9 + i] = outer[9 + i] + outer[3 * i] * inner[9] + outer[3 * i + 1] * inner[10] + outer[3 * i + 2] * inner[11];
  }
  return pose;
}

/** The scale of a pose. */
export function scaleOf(pose: Pose): number {
  return Math.sqrt(pose[0] * pose[0] + pose[1] * pose[1] + pose[2] * pose[2]);
}

/** The pose as f64[16], column-major, between model frames whose centroids are `from` and `to`. */
export function matrixOf(pose: Pose, from: readonly number[], to: readonly number[]): Float64Array {
  const matrix = new Float64Array(16);
  matrix[15] = 1;
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) matrix[4 * j + i] = pose[3 * i + j];
    matrix[12 + i] =
      pose[9 + i] + to[i] - (pose[3 * i] * from[0] + pose[3 * i + 1] * from[1] + pose[3 * i + 2] * from[2]);
  }
  return matrix;
}

/** a × b of row-major 3 × 3 matrices. */
export function multiply3(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const product = new Float64Array(9);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++)
      product[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
  }
  return product;
}

/** The transpose of a row-major 3 × 3 matrix. */
export function transpose3(m: ArrayLike<number>): Float64Array {
  return Float64Array.of(m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]);
}
