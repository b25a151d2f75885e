import { EngineError } from '../../errors.js';
import { dense, layerByteLength, readLayer, rectify, type Layer } from '../network-layer.js';
import { GLYPH_CLASSES } from './glyph-classes.js';
import { GLYPH_SIDE, normaliseGlyph, type GlyphPicture } from './glyph-picture.js';

/** Sizes of the layers: 3 × 3 convolutions, each followed by 2 × 2 max pooling, then two fully connected layers. */
export const GLYPH_LAYERS = Object.freeze({ first: 8, second: 24, hidden: 96 });

const { first: FIRST, second: SECOND, hidden: HIDDEN } = GLYPH_LAYERS;
const A = GLYPH_SIDE - 2,
  A2 = A / 2,
  B = A2 - 2,
  B2 = B / 2;
/** Rows (outputs) and columns (inputs) of each layer's weights. */
export const GLYPH_SHAPES: readonly (readonly [rows: number, columns: number])[] = [
  [FIRST, 9],
  [SECOND, 9 * FIRST],
  [HIDDEN, B2 * B2 * SECOND],
  [GLYPH_CLASSES.length, HIDDEN],
];
const MAGIC = 0x58594c47; // "GLYX", little endian

/**
 * Classifies letters and signs: a small convolutional network, learned from the lettering of fonts and of strokes
 * (bench/learn/lettering.mjs). Plain arithmetic in a fixed order: the same picture gives the same scores.
 */
export class GlyphNet {
  readonly #layers: readonly Layer[];
  readonly #input = new Float32Array(GLYPH_SIDE * GLYPH_SIDE);
  readonly #one = new Float32Array(A2 * A2 * FIRST);
  readonly #two = new Float32Array(B2 * B2 * SECOND);
  readonly #hidden = new Float32Array(HIDDEN);

  /**
   * @param bytes of picture-glyphs.bin: the magic number, then the layers.
   * @throws EngineError `CORE_FAILED` when the bytes are not a network of this version.
   */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const expected = GLYPH_SHAPES.reduce((sum, [rows, columns]) => sum + layerByteLength(rows, columns), 4);
    if (bytes.length !== expected || view.getUint32(0, true) !== MAGIC)
      throw new EngineError(
        'CORE_FAILED',
        `picture-glyphs.bin does not fit this version: it has ${bytes.length} bytes, ${expected} were expected`,
      );
    let at = 4;
    this.#layers = GLYPH_SHAPES.map(([rows, columns]) => {
      const layer = readLayer(view, at, rows, columns);
      at += layerByteLength(rows, columns);
      return layer;
    });
  }

  /**
   * Logarithms of the probabilities of {@link GLYPH_CLASSES}; undefined for a picture without ink.
   * @returns f32[GLYPH_CLASSES.length], the caller's.
   */
  read(picture: GlyphPicture): Float32Array | undefined {
    return normaliseGlyph(picture, this.#input) ? this.readNormalised(this.#input) : undefined;
  }

  /**
   * The same for a normalised picture.
   * @param input f32[GLYPH_SIDE²].
   */
  readNormalised(input: Float32Array): Float32Array {
    const [one, two, three, four] = this.#layers;
    convolve(input, GLYPH_SIDE, one, this.#one);
    convolve(this.#one, A2, two, this.#two);
    dense(this.#two, three, this.#hidden);
    rectify(this.#hidden);
    const scores = new Float32Array(GLYPH_CLASSES.length);
    dense(this.#hidden, four, scores);
    return logarithms(scores);
  }
}

/** 3 × 3 convolution, rectified, with 2 × 2 max pooling. Channels are stored one after another. */
function convolve(from: Float32Array, side: number, { weights, bias }: Layer, into: Float32Array): void {
  const kernels = bias.length,
    channels = weights.length / (9 * kernels);
  const half = (side - 2) / 2,
    area = side * side;
  const isClear = clearWindows(from, side, channels);
  for (let k = 0; k < kernels; k++) {
    for (let y = 0; y < half; y++) {
      for (let x = 0; x < half; x++) {
        let a = bias[k],
          b = a,
          c = a,
          d = a;
        for (let channel = 0; channel < channels; channel++) {
          // Paper, and units that are rectified to 0, add nothing; most of a glyph's square is that.
          if (isClear[(channel * half + y) * half + x] !== 0) continue;
          const w = (k * channels + channel) * 9;
          for (let j = 0; j < 3; j++) {
            const at = channel * area + (2 * y + j) * side + 2 * x,
              v = w + 3 * j;
            const w0 = weights[v],
              w1 = weights[v + 1],
              w2 = weights[v + 2];
            const p1 = from[at + 1],
              p2 = from[at + 2];
            a += w0 * from[at] + w1 * p1 + w2 * p2;
            b += w0 * p1 + w1 * p2 + w2 * from[at + 3];
            const q = at + side,
              q1 = from[q + 1],
              q2 = from[q + 2];
            c += w0 * from[q] + w1 * q1 + w2 * q2;
            d += w0 * q1 + w1 * q2 + w2 * from[q + 3];
          }
        }
        into[(k * half + y) * half + x] = Math.max(0, a, b, c, d);
      }
    }
  }
}

/** Which 4 × 4 windows of each channel, at steps of 2, are all 0: 1 for these. */
function clearWindows(from: Float32Array, side: number, channels: number): Uint8Array {
  const half = (side - 2) / 2;
  const isClear = new Uint8Array(channels * half * half);
  for (let channel = 0; channel < channels; channel++)
    for (let y = 0; y < half; y++)
      for (let x = 0; x < half; x++) {
        let isZero = true;
        for (let j = 0; j < 4 && isZero; j++) {
          const at = channel * side * side + (2 * y + j) * side + 2 * x;
          isZero = from[at] === 0 && from[at + 1] === 0 && from[at + 2] === 0 && from[at + 3] === 0;
        }
        if (isZero) isClear[(channel * half + y) * half + x] = 1;
      }
  return isClear;
}

/** Log softmax, in place. */
function logarithms(scores: Float32Array): Float32Array {
  let most = -Infinity,
    sum = 0;
  for (const score of scores) most = Math.max(most, score);
  for (const score of scores) sum += Math.exp(score - most);
  const less = most + Math.log(sum);
  for (let i = 0; i < scores.length; i++) scores[i] -= less;
  return scores;
}
