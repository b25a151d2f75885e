import { readFileSync } from 'node:fs';
import { Core } from '../../core/core.js';
import { ConvolutionNetwork, type ConvolutionShape } from '../../core/network.js';
import { EngineError } from '../../errors.js';
import { LINE_CHARACTERS } from './line-characters.js';

/** Rows of a line's picture, the baseline on it, and the height of capitals. */
export const LINE_HIGH = 32;
export const LINE_BASE = 26;
export const LINE_CAPITAL = 20;
/**
 * Outputs of a place: no character, or one of {@link LINE_CHARACTERS}. Each column of the last layer has two places.
 */
export const LINE_OUTPUTS = LINE_CHARACTERS.length + 1;

const MAGIC = 0x454e494c; // "LINE", little endian
/** Kernel, steps, distance of its columns, and whether the source is added: rows, columns, down, along, apart. */
const SHAPES: readonly (readonly [from: number, to: number, ...numbers: number[]])[] = [
  [1, 16, 3, 3, 2, 2, 1, 0],
  [16, 32, 3, 3, 2, 1, 1, 0],
  [32, 64, 3, 3, 2, 2, 1, 0],
  [64, 64, 3, 3, 1, 1, 1, 1],
  [64, 160, 4, 3, 4, 1, 1, 0],
  [160, 160, 1, 3, 1, 1, 1, 1],
  [160, 160, 1, 3, 1, 1, 2, 1],
  [160, 160, 1, 3, 1, 1, 4, 1],
  [160, 2 * LINE_OUTPUTS, 1, 1, 1, 1, 1, 0],
];
const BLOCK = 8;

/** What a line's picture shows, place by place. */
export interface LineScores {
  /** Logarithms of probabilities: f32[places × LINE_OUTPUTS]. */
  readonly values: Float32Array;
  /** Two columns of the picture each. */
  readonly places: number;
}

/**
 * Reads the picture of a whole line of text: a convolutional network that was learned by connectionist temporal
 * classification (Graves et al. 2006) from lines that code draws (bench/learn/line-reader.py).
 */
export class LineNet {
  readonly #network: ConvolutionNetwork;

  /**
   * @param bytes of line-reader.bin: the magic number, then for each layer f32 biases, f32 scales, i8 weights
   * [output][row][column][input].
   * @throws EngineError `CORE_FAILED` when the bytes are not a network of this version.
   */
  constructor(bytes: Uint8Array, core: Core) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const expected = SHAPES.reduce((sum, shape) => sum + 8 * shape[1] + weightsOf(shape), 4);
    if (bytes.length !== expected || view.getUint32(0, true) !== MAGIC)
      throw new EngineError(
        'CORE_FAILED',
        `line-reader.bin does not fit this version: it has ${bytes.length} bytes, ${expected} were expected`,
      );
    let at = 4;
    this.#network = new ConvolutionNetwork(
      core,
      SHAPES.map((shape, i) => {
        const [inputs, outputs, rows, columns, down, along, apart, isAdded] = shape;
        const each = rows * columns * inputs;
        const padded = BLOCK * Math.ceil(outputs / BLOCK);
        const weights = new Float32Array(padded * each),
          bias = new Float32Array(padded);
        for (let k = 0; k < outputs; k++) {
          bias[k] = view.getFloat32(at + 4 * k, true);
          const scale = view.getFloat32(at + 4 * (outputs + k), true);
          for (let j = 0; j < each; j++) weights[k * each + j] = scale * view.getInt8(at + 8 * outputs + k * each + j);
        }
        at += 8 * outputs + weightsOf(shape);
        const margins = { marginY: rows === 3 ? 1 : 0, marginX: apart * ((columns - 1) / 2) };
        const layer: ConvolutionShape = {
          ...{ inputs, outputs: padded, rows, columns, down, along, apart, ...margins },
          isAdded: isAdded === 1,
          isRectified: i < SHAPES.length - 1,
        };
        return { ...layer, weights, bias };
      }),
    );
  }

  /**
   * @param picture f32[LINE_HIGH × width]: 0 paper, 1 the darkest ink.
   * @param width a multiple of 4.
   */
  read(picture: Float32Array, width: number): LineScores {
    const { values, columns } = this.#network.run(picture, width, LINE_HIGH);
    const row = values.length / columns;
    const scores = new Float32Array(2 * columns * LINE_OUTPUTS);
    for (let place = 0; place < 2 * columns; place++) {
      const from = (place >> 1) * row + (place & 1) * LINE_OUTPUTS;
      let most = -Infinity,
        sum = 0;
      for (let k = 0; k < LINE_OUTPUTS; k++) most = Math.max(most, values[from + k]);
      for (let k = 0; k < LINE_OUTPUTS; k++) sum += Math.exp(values[from + k] - most);
      const less = most + Math.log(sum);
      for (let k = 0; k < LINE_OUTPUTS; k++) scores[place * LINE_OUTPUTS + k] = values[from + k] - less;
    }
    return { values: scores, places: 2 * columns };
  }
}

function weightsOf([inputs, outputs, rows, columns]: (typeof SHAPES)[number]): number {
  return inputs * outputs * rows * columns;
}

let loaded: LineNet | undefined;

/** The network of this package; loaded at the first use. */
export function lineNet(): LineNet {
  loaded ??= new LineNet(
    readFileSync(new URL('../../tables/line-reader.bin', import.meta.url)),
    Core.loadNow(readFileSync(new URL('../../core/shapedex.wasm', import.meta.url))),
  );
  return loaded;
}
