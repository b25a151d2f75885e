/**
 * Eigenvectors of a symmetric 3 × 3 matrix by cyclic Jacobi rotations (Golub & Van Loan, Matrix Computations, §8.5).
 * m: f64[6] = xx, yy, zz, xy, xz, yz. axes: f64[9], unit rows, eigenvalues falling, right-handed. values: f64[3].
 */
export function eigenSymmetric3(m: usize, axes: usize, values: usize): void {
  let xx = load<f64>(m), yy = load<f64>(m, 8), zz = load<f64>(m, 16);
  let xy = load<f64>(m, 24), xz = load<f64>(m, 32), yz = load<f64>(m, 40);
  // Columns of v are the eigenvectors: v[row + 3 * column] kept as nine locals.
  let v00: f64 = 1, v10: f64 = 0, v20: f64 = 0;
  let v01: f64 = 0, v11: f64 = 1, v21: f64 = 0;
  let v02: f64 = 0, v12: f64 = 0, v22: f64 = 1;
  for (let sweep = 0; sweep < 32; sweep++) {
    const off = xy * xy + xz * xz + yz * yz;
    const diagonal = xx * xx + yy * yy + zz * zz;
    if (off <= 1e-30 * diagonal || off == 0) break;
    if (xy != 0) {
      const theta = (yy - xx) / (2 * xy);
      const t = (theta < 0 ? -1.0 : 1.0) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1), s = t * c;
      xx -= t * xy; yy += t * xy; xy = 0;
      const a = xz, b = yz;
      xz = c * a - s * b; yz = s * a + c * b;
      let p = v00; v00 = c * p - s * v01; v01 = s * p + c * v01;
      p = v10; v10 = c * p - s * v11; v11 = s * p + c * v11;
      p = v20; v20 = c * p - s * v21; v21 = s * p + c * v21;
    }
    if (xz != 0) {
      const theta = (zz - xx) / (2 * xz);
      const t = (theta < 0 ? -1.0 : 1.0) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1), s = t * c;
      xx -= t * xz; zz += t * xz; xz = 0;
      const a = xy, b = yz;
      xy = c * a - s * b; yz = s * a + c * b;
      let p = v00; v00 = c * p - s * v02; v02 = s * p + c * v02;
      p = v10; v10 = c * p - s * v12; v12 = s * p + c * v12;
      p = v20; v20 = c * p - s * v22; v22 = s * p + c * v22;
    }
    if (yz != 0) {
      const theta = (zz - yy) / (2 * yz);
      const t = (theta < 0 ? -1.0 : 1.0) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
      const c = 1 / Math.sqrt(t * t + 1), s = t * c;
      yy -= t * yz; zz += t * yz; yz = 0;
      const a = xy, b = xz;
      xy = c * a - s * b; xz = s * a + c * b;
      let p = v01; v01 = c * p - s * v02; v02 = s * p + c * v02;
      p = v11; v11 = c * p - s * v12; v12 = s * p + c * v12;
      p = v21; v21 = c * p - s * v22; v22 = s * p + c * v22;
    }
  }
  store<f64>(values, xx); store<f64>(values, yy, 8); store<f64>(values, zz, 16);
  putRow(axes, v00, v10, v20);
  putRow(axes + 24, v01, v11, v21);
  putRow(axes + 48, v02, v12, v22);
  if (load<f64>(values) < load<f64>(values, 8)) swapRows(axes, values, 0, 1);
  if (load<f64>(values, 8) < load<f64>(values, 16)) swapRows(axes, values, 1, 2);
  if (load<f64>(values) < load<f64>(values, 8)) swapRows(axes, values, 0, 1);
  // Row 2 = row 0 × row 1: right-handed whatever the signs that the rotations ended with.
  const ax = load<f64>(axes), ay = load<f64>(axes, 8), az = load<f64>(axes, 16);
  const bx = load<f64>(axes, 24), by = load<f64>(axes, 32), bz = load<f64>(axes, 40);
  putRow(axes + 48, ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx);
}

// @ts-ignore: decorator
@inline
function putRow(at: usize, x: f64, y: f64, z: f64): void {
  store<f64>(at, x); store<f64>(at, y, 8); store<f64>(at, z, 16);
}

function swapRows(axes: usize, values: usize, i: usize, j: usize): void {
  for (let k: usize = 0; k < 3; k++) {
    const a = load<f64>(axes + i * 24 + k * 8);
    store<f64>(axes + i * 24 + k * 8, load<f64>(axes + j * 24 + k * 8));
    store<f64>(axes + j * 24 + k * 8, a);
  }
  const a = load<f64>(values + i * 8);
  store<f64>(values + i * 8, load<f64>(values + j * 8));
  store<f64>(values + j * 8, a);
}
