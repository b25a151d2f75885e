import { readFileSync } from 'node:fs';
import { EngineError } from '../../errors.js';
import { GLYPH_FEATURES } from './glyph-features.js';

/** What the network tells apart: a string each, '' for what is no glyph. */
export interface GlyphNetwork {
  readonly classes: readonly string[];
  readonly hiddenCount: number;
  /** f32[hiddenCount][GLYPH_FEATURES] */
  readonly hidden: Float32Array;
  readonly hiddenBias: Float32Array;
  /** f32[classes][hiddenCount] */
  readonly output: Float32Array;
  readonly outputBias: Float32Array;
}

const MAGIC = 0x59_4c_47_53; // "SGLY", little endian
const FORMAT = 1;
const HEADER_BYTES = 20;

let loaded: GlyphNetwork | undefined;

/** The network that came with the package (`npm run bench -- learn/glyphs`); read from disk at the first call. */
export function glyphNetwork(): GlyphNetwork {
  return (loaded ??= decodeGlyphNetwork(readFileSync(new URL('./glyphs.bin', import.meta.url))));
}

/**
 * Layout: header of u32 (magic, format, features, hidden units, bytes of the class names), the names as JSON padded to four bytes, then of
 * each layer f32 biases, f32 scales of the rows, i8 weights padded to four bytes.
 * @throws EngineError `CORE_FAILED` when the bytes are not a network of this version.
 */
export function decodeGlyphNetwork(bytes: Uint8Array): GlyphNetwork {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [magic, format, features, hiddenCount, nameBytes] = [0, 4, 8, 12, 16].map((at) =>
    at + 4 <= bytes.length ? view.getUint32(at, true) : 0,
  );
  if (magic !== MAGIC || format !== FORMAT || features !== GLYPH_FEATURES)
    throw new EngineError(
      'CORE_FAILED',
      `glyphs.bin is not that of this version: ${bytes.length} bytes, ${features} features, expected ${GLYPH_FEATURES}`,
    );
  const classes = JSON.parse(
    new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + nameBytes)),
  ) as readonly string[];
  let at = HEADER_BYTES + padded(nameBytes);
  const layer = (rows: number, columns: number): readonly [weights: Float32Array, bias: Float32Array] => {
    const bias = Float32Array.from({ length: rows }, (_, i) => view.getFloat32(at + 4 * i, true));
    const weights = new Float32Array(rows * columns);
    for (let row = 0; row < rows; row++) {
      const scale = view.getFloat32(at + 4 * (rows + row), true);
      for (let column = 0; column < columns; column++)
        weights[row * columns + column] = scale * view.getInt8(at + 8 * rows + row * columns + column);
    }
    at += 8 * rows + padded(rows * columns);
    return [weights, bias];
  };
  const [hidden, hiddenBias] = layer(hiddenCount, features);
  const [output, outputBias] = layer(classes.length, hiddenCount);
  return { classes, hiddenCount, hidden, hiddenBias, output, outputBias };
}

/** The bytes of `glyphs.bin`: weights as eighths of a byte's range, row by row. */
export function encodeGlyphNetwork({
  classes,
  hiddenCount,
  hidden,
  hiddenBias,
  output,
  outputBias,
}: GlyphNetwork): Uint8Array {
  const names = new TextEncoder().encode(JSON.stringify(classes));
  const layerBytes = (rows: number, columns: number): number => 8 * rows + padded(rows * columns);
  const bytes = new Uint8Array(
    HEADER_BYTES +
      padded(names.length) +
      layerBytes(hiddenCount, GLYPH_FEATURES) +
      layerBytes(classes.length, hiddenCount),
  );
  const view = new DataView(bytes.buffer);
  [MAGIC, FORMAT, GLYPH_FEATURES, hiddenCount, names.length].forEach((value, i) => view.setUint32(4 * i, value, true));
  bytes.set(names, HEADER_BYTES);
  let at = HEADER_BYTES + padded(names.length);
  for (const [weights, bias, columns] of [
    [hidden, hiddenBias, GLYPH_FEATURES],
    [output, outputBias, hiddenCount],
  ] as const) {
    const rows = bias.length;
    for (let row = 0; row < rows; row++) {
      const values = weights.subarray(row * columns, (row + 1) * columns);
      const scale =
        Math.max(
          1e-9,
          values.reduce((most, value) => Math.max(most, Math.abs(value)), 0),
        ) / 127;
      view.setFloat32(at + 4 * row, bias[row], true);
      view.setFloat32(at + 4 * (rows + row), scale, true);
      values.forEach((value, column) =>
        view.setInt8(at + 8 * rows + row * columns + column, Math.round(value / scale)),
      );
    }
    at += layerBytes(rows, columns);
  }
  return bytes;
}

/** Shares of the classes that add up to 1. @param features of {@link import('./glyph-features.js').glyphFeatures}. */
export function classify(
  { classes, hiddenCount, hidden, hiddenBias, output, outputBias }: GlyphNetwork,
  features: Float32Array,
): Float32Array {
  // Most features are 0: only the others are gone through.
  const places: number[] = [];
  for (let i = 0; i < GLYPH_FEATURES; i++) if (features[i] !== 0) places.push(i);
  const units = new Float32Array(hiddenCount);
  for (let unit = 0; unit < hiddenCount; unit++) {
    let sum = hiddenBias[unit];
    const row = unit * GLYPH_FEATURES;
    for (const i of places) sum += hidden[row + i] * features[i];
    units[unit] = Math.max(0, sum);
  }
  const shares = new Float32Array(classes.length);
  let most = -Infinity;
  for (let each = 0; each < classes.length; each++) {
    let sum = outputBias[each];
    for (let unit = 0; unit < hiddenCount; unit++) sum += output[each * hiddenCount + unit] * units[unit];
    shares[each] = sum;
    most = Math.max(most, sum);
  }
  let total = 0;
  for (let each = 0; each < classes.length; each++) total += shares[each] = Math.exp(shares[each] - most);
  for (let each = 0; each < classes.length; each++) shares[each] /= total;
  return shares;
}

function padded(length: number): number {
  return 4 * Math.ceil(length / 4);
}
