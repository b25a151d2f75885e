/**
 * Eigenvalues of a symmetric 3 × 3 matrix, descending, and their unit vectors as the rows of a rotation (right-handed).
 */
export interface Eigen3 {
  readonly values: readonly [number, number, number];
  /** f64[9], row-major: row i is the vector of `values[i]`. */
  readonly vectors: Float64Array;
}

/**
 * Cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, 8.5). Uses only + − × ÷ and square roots, so the
 * bits are equal on every machine.
 * @param m f64[9], row-major; only the upper triangle is read.
 */
export function eigenSymmetric3(m: ArrayLike<number>): Eigen3 {
  const a = [
    [m[0], m[1], m[2]],
    [m[1], m[4], m[5]],
    [m[2], m[5], m[8]],
  ];
  const v = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const scale = Math.abs(m[0]) + Math.abs(m[4]) + Math.abs(m[8]);
  for (let sweep = 0; sweep < 32; sweep++) {
    const off = Math.abs(a[0][1]) + Math.abs(a[0][2]) + Math.abs(a[1][2]);
    if (off <= 1e-17 * scale) break;
    for (let p = 0; p < 2; p++) {
      for (let q = p + 1; q < 3; q++) {
        if (a[p][q] === 0) continue;
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < 3; k++) {
          const kp = a[k][p],
            kq = a[k][q];
          a[k][p] = c * kp - s * kq;
          a[k][q] = s * kp + c * kq;
        }
        for (let k = 0; k < 3; k++) {
          const pk = a[p][k],
            qk = a[q][k];
          a[p][k] = c * pk - s * qk;
          a[q][k] = s * pk + c * qk;
          const vp = v[k][p],
            vq = v[k][q];
          v[k][p] = c * vp - s * vq;
          v[k][q] = s * vp + c * vq;
        }
      }
    }
  }
  const order = [0, 1, 2].sort((i, j) => a[j][j] - a[i][i] || i - j);
  const [i, j, k] = order;
  const vectors = new Float64Array(9);
  for (let axis = 0; axis < 3; axis++) {
    vectors[axis] = v[axis][i];
    vectors[3 + axis] = v[axis][j];
  }
  vectors[6] = vectors[1] * vectors[5] - vectors[2] * vectors[4];
  vectors[7] = vectors[2] * vectors[3] - vectors[0] * vectors[5];
  vectors[8] = vectors[0] * vectors[4] - vectors[1] * vectors[3];
  return { values: [a[i][i], a[j][j], a[k][k]], vectors };
}
