import type { Core } from '../../core/core.js';
import { ConvolutionNetwork } from '../../core/network.js';
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
  readonly #first: ConvolutionNetwork;
  readonly #second: ConvolutionNetwork;
  readonly #input = new Float32Array(GLYPH_SIDE * GLYPH_SIDE);
  readonly #one = new Float32Array(A2 * A2 * FIRST);
  readonly #two = new Float32Array(B2 * B2 * SECOND);
  readonly #hidden = new Float32Array(HIDDEN);

  /**
   * @param bytes of picture-glyphs.bin: the magic number, then the layers.
   * @param core with no other owner.
   * @throws EngineError `CORE_FAILED` when the bytes are not a network of this version.
   */
  constructor(bytes: Uint8Array, core: Core) {
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
    this.#first = convolution(this.#layers[0], core);
    this.#second = convolution(this.#layers[1], core);
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
    const [, , three, four] = this.#layers;
    pool(this.#first.run(input, GLYPH_SIDE, GLYPH_SIDE).values, A, this.#one, false);
    pool(this.#second.run(this.#one, A2, A2).values, B, this.#two, true);
    dense(this.#two, three, this.#hidden);
    rectify(this.#hidden);
    const scores = new Float32Array(GLYPH_CLASSES.length);
    dense(this.#hidden, four, scores);
    return logarithms(scores);
  }
}

/** A 3 × 3 convolution, rectified, whose weights stand as [output][input][row][column]. */
function convolution({ weights, bias }: Layer, core: Core): ConvolutionNetwork {
  const outputs = bias.length,
    inputs = weights.length / (9 * outputs);
  const byPlace = Float32Array.from(weights, (_, i) => {
    const input = i % inputs,
      place = Math.floor(i / inputs) % 9,
      output = Math.floor(i / (9 * inputs));
    return weights[(output * inputs + input) * 9 + place];
  });
  const shape = { inputs, outputs, rows: 3, columns: 3, down: 1, along: 1, apart: 1, marginY: 0, marginX: 0 };
  return new ConvolutionNetwork(core, [{ ...shape, isAdded: false, isRectified: true, weights: byPlace, bias }]);
}

/**
 * 2 × 2 max pooling of values with their channels next to each other.
 * @param side of `from`, a multiple of two.
 * @param isApart whether channels are stored one after another in `into`.
 */
function pool(from: Float32Array, side: number, into: Float32Array, isApart: boolean): void {
  const half = side / 2;
  const channels = into.length / (half * half);
  const row = side * channels;
  const [perPixel, perChannel] = isApart ? [1, half * half] : [channels, 1];
  for (let y = 0; y < half; y++)
    for (let x = 0; x < half; x++) {
      const at = 2 * (y * row + x * channels),
        to = (y * half + x) * perPixel;
      for (let k = 0; k < channels; k++) {
        const a = at + k;
        const upper = from[a] > from[a + channels] ? from[a] : from[a + channels],
          lower = from[a + row] > from[a + row + channels] ? from[a + row] : from[a + row + channels];
        into[to + k * perChannel] = upper > lower ? upper : lower;
      }
    }
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
