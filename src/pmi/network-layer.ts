/** A fully connected or convolutional layer of a small neural network. */
export interface Layer {
  /** f32[rows × columns]: a row of weights for each output. */
  readonly weights: Float32Array;
  /** f32[rows]. */
  readonly bias: Float32Array;
}

/** Bytes of a stored layer: f32 biases, f32 scales of the rows, i8 weights padded to four bytes; little endian. */
export function layerByteLength(rows: number, columns: number): number {
  return 8 * rows + 4 * Math.ceil((rows * columns) / 4);
}

/** Reads a layer that {@link writeLayer} wrote. */
export function readLayer(view: DataView, at: number, rows: number, columns: number): Layer {
  const bias = Float32Array.from({ length: rows }, (_, i) => view.getFloat32(at + 4 * i, true));
  const scales = Float32Array.from({ length: rows }, (_, i) => view.getFloat32(at + 4 * (rows + i), true));
  const weights = Float32Array.from(
    { length: rows * columns },
    (_, i) => scales[Math.floor(i / columns)] * view.getInt8(at + 8 * rows + i),
  );
  return { weights, bias };
}

/** Writes a layer with 8 bits a weight; the largest weight of each row becomes ±127. */
export function writeLayer(
  view: DataView,
  at: number,
  { weights, bias }: { readonly weights: ArrayLike<number>; readonly bias: ArrayLike<number> },
): void {
  const rows = bias.length,
    columns = weights.length / rows;
  for (let row = 0; row < rows; row++) {
    let most = 1e-9;
    for (let i = row * columns; i < (row + 1) * columns; i++) most = Math.max(most, Math.abs(weights[i]));
    const scale = most / 127;
    view.setFloat32(at + 4 * row, bias[row], true);
    view.setFloat32(at + 4 * (rows + row), scale, true);
    for (let i = row * columns; i < (row + 1) * columns; i++)
      view.setInt8(at + 8 * rows + i, Math.round(weights[i] / scale));
  }
}

/** What a fully connected layer makes of `from`, in a fixed order of additions. */
export function dense(from: Float32Array, { weights, bias }: Layer, into: Float32Array): void {
  const columns = from.length;
  // Most inputs are 0 (features, rectified units) and add nothing.
  const places: number[] = [];
  for (let i = 0; i < columns; i++) if (from[i] !== 0) places.push(i);
  for (let row = 0; row < bias.length; row++) {
    let sum = bias[row];
    const start = row * columns;
    for (const i of places) sum += weights[start + i] * from[i];
    into[row] = sum;
  }
}

/** Sets what is below 0 to 0. */
export function rectify(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) if (values[i] < 0) values[i] = 0;
}
