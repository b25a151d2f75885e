/**
 * Linear discriminant analysis (Rao 1948) in plain JavaScript, for tables of some hundred features. Deterministic.
 */

/**
 * Directions along which families lie farthest apart, in units of the scatter within them.
 * @param {Float64Array[]} rows samples: one or several of a part, each f64[width]
 * @param {Float64Array[]} means for each row, the mean of its family, f64[width]
 * @param {Float64Array} centre f64[width], the mean of all
 * @param {number} floor added to the variance within families along every direction
 * @returns {{ values: Float64Array, directions: Float64Array[] }} by falling separation
 */
export function discriminants(rows, means, centre, floor) {
  const n = centre.length;
  const total = scatter(rows, () => centre);
  const within = scatter(rows, (i) => means[i]);
  const between = total.map((value, i) => value - within[i]);
  for (let i = 0; i < n; i++) within[i * n + i] += floor;
  const root = cholesky(within, n);
  // In coordinates where the scatter within families is the unit matrix: L⁻¹ B L⁻ᵀ.
  const half = columns(between, n).map((column) => solveLower(root, column, n));
  const whitened = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = solveLower(
      root,
      Float64Array.from(half, (column) => column[i]),
      n,
    );
    whitened.set(row, i * n);
  }
  const { values, vectors } = eigenSymmetric(whitened, n);
  const order = Array.from(values.keys()).sort((a, b) => values[b] - values[a] || a - b);
  return {
    values: Float64Array.from(order, (k) => values[k]),
    directions: order.map((k) => solveUpper(root, vectors[k], n)),
  };
}

/** Mean variance within families along one direction. */
export function varianceWithin(rows, means) {
  let sum = 0;
  rows.forEach((row, i) => row.forEach((value, k) => (sum += (value - means[i][k]) ** 2)));
  return sum / rows.length;
}

/** f64[n * n]: mean of the outer products of rows less a centre. */
function scatter(rows, centreOf) {
  const n = rows[0].length;
  const sums = new Float64Array(n * n);
  const row = new Float64Array(n);
  rows.forEach((values, r) => {
    const centre = centreOf(r);
    for (let i = 0; i < n; i++) row[i] = values[i] - centre[i];
    for (let i = 0; i < n; i++) {
      const scale = row[i] / rows.length;
      if (scale === 0) continue;
      for (let j = 0, at = i * n; j <= i; j++, at++) sums[at] += scale * row[j];
    }
  });
  for (let i = 0; i < n; i++) for (let j = 0; j < i; j++) sums[j * n + i] = sums[i * n + j];
  return sums;
}

function columns(matrix, n) {
  return Array.from({ length: n }, (_, j) => Float64Array.from({ length: n }, (_v, i) => matrix[i * n + j]));
}

/** Lower triangle L with L Lᵀ = matrix (Golub & Van Loan, 4.2). */
function cholesky(matrix, n) {
  const root = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * n + j];
      for (let k = 0; k < j; k++) sum -= root[i * n + k] * root[j * n + k];
      root[i * n + j] = i === j ? Math.sqrt(sum) : sum / root[j * n + j];
    }
  }
  return root;
}

/** x with L x = b. */
function solveLower(root, b, n) {
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= root[i * n + k] * x[k];
    x[i] /= root[i * n + i];
  }
  return x;
}

/** x with Lᵀ x = b. */
function solveUpper(root, b, n) {
  const x = Float64Array.from(b);
  for (let i = n - 1; i >= 0; i--) {
    x[i] /= root[i * n + i];
    for (let k = 0; k < i; k++) x[k] -= root[i * n + k] * x[i];
  }
  return x;
}

/** Eigenvalues and unit vectors by cyclic Jacobi rotations (Golub & Van Loan, 8.5). */
function eigenSymmetric(matrix, n) {
  const a = Array.from({ length: n }, (_, i) => matrix.slice(i * n, (i + 1) * n));
  const vectors = Array.from({ length: n }, (_, i) => Float64Array.from({ length: n }, (_v, j) => +(i === j)));
  let size = 0;
  for (const value of matrix) size += value * value;
  for (let sweep = 0; sweep < 30; sweep++) {
    let off = 0;
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += a[p][q] ** 2;
    if (off <= 1e-20 * size) break;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) {
        if (a[p][q] ** 2 <= 1e-26 * Math.abs(a[p][p] * a[q][q])) continue;
        const theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1),
          s = t * c;
        turn(a[p], a[q], c, s);
        for (const row of a) {
          const x = row[p],
            y = row[q];
          row[p] = c * x - s * y;
          row[q] = s * x + c * y;
        }
        turn(vectors[p], vectors[q], c, s);
      }
    }
  }
  return { values: Float64Array.from(a, (row, i) => row[i]), vectors };
}

function turn(x, y, c, s) {
  for (let i = 0; i < x.length; i++) {
    const held = x[i];
    x[i] = c * held - s * y[i];
    y[i] = s * held + c * y[i];
  }
}
