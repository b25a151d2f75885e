/** A fully connected or convolutional layer of a small neural network. */
export interface Layer {
  /** f32[rows × columns]: a row of weights for each output. */
  readonly weights: Float32Array;
  /** f32[columns × rows]: the same weights, a row for each input. */
  readonly byInput: Float32Array;
  /** f32[rows]. */
  readonly bias: Float32Array;
}

/** Bytes of a stored layer: f32 biases, f32 scales of the rows, i8 weights padded to four bytes; little endian. */
export function layerByteLength(rows: number, columns: number): number {
  return 8 * rows + 4 * Math.ceil((rows * columns) / 4);
}

/** Reads a stored layer (bench/support/write-tables.mjs writes it). */
export function readLayer(view: DataView, at: number, rows: number, columns: number): Layer {
  const bias = Float32Array.from({ length: rows }, (_, i) => view.getFloat32(at + 4 * i, true));
  const scales = Float32Array.from({ length: rows }, (_, i) => view.getFloat32(at + 4 * (rows + i), true));
  const weights = Float32Array.from(
    { length: rows * columns },
    (_, i) => scales[Math.floor(i / columns)] * view.getInt8(at + 8 * rows + i),
  );
  const byInput = Float32Array.from(weights, (_, i) => weights[(i % rows) * columns + Math.floor(i / rows)]);
  return { weights, byInput, bias };
}

/** What a fully connected layer makes of `from`, in a fixed order of additions. */
export function dense(from: Float32Array, { byInput, bias }: Layer, into: Float32Array): void {
  const rows = bias.length;
  const sums = Float64Array.from(bias);
  // Most inputs are 0 (features, rectified units) and add nothing. Four others at once: each sum is fetched once.
  const inputs: number[] = [];
  for (let i = 0; i < from.length; i++) if (from[i] !== 0) inputs.push(i);
  const fours = inputs.length - (inputs.length % 4);
  for (let i = 0; i < fours; i += 4) {
    let a = inputs[i] * rows,
      b = inputs[i + 1] * rows,
      c = inputs[i + 2] * rows,
      d = inputs[i + 3] * rows;
    const [p, q, r, s] = [from[inputs[i]], from[inputs[i + 1]], from[inputs[i + 2]], from[inputs[i + 3]]];
    for (let row = 0; row < rows; row++)
      sums[row] = sums[row] + byInput[a++] * p + byInput[b++] * q + byInput[c++] * r + byInput[d++] * s;
  }
  for (const input of inputs.slice(fours))
    for (let row = 0, at = input * rows; row < rows; row++, at++) sums[row] += byInput[at] * from[input];
  into.set(sums);
}

/** Sets what is below 0 to 0. */
export function rectify(values: Float32Array): void {
  for (let i = 0; i < values.length; i++) if (values[i] < 0) values[i] = 0;
}
