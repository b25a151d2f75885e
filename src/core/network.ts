import type { Core } from './core.js';

/** A convolution of a network: sizes of its kernel, and how it goes over its source. */
export interface ConvolutionShape {
  readonly inputs: number;
  /** A multiple of 8. */
  readonly outputs: number;
  readonly rows: number;
  readonly columns: number;
  readonly down: number;
  readonly along: number;
  /** Distance of the kernel's columns. */
  readonly apart: number;
  /** Rows of zeros above and below the source, columns before and behind it. */
  readonly marginY: number;
  readonly marginX: number;
  /** Whether the source is added to the result, and whether what is below 0 becomes 0. */
  readonly isAdded: boolean;
  readonly isRectified: boolean;
}

/** A layer whose weights are in the memory of a core. */
interface KeptLayer extends ConvolutionShape {
  readonly weightsAt: number;
  readonly biasAt: number;
}

/** Outputs that the kernel makes at once. */
const BLOCK = 8;

/**
 * A network of convolutions, one after another, in a core of its own. Sums are taken in a fixed order: the same picture
 * gives the same bits on every machine.
 */
export class ConvolutionNetwork {
  readonly #core: Core;
  readonly #layers: readonly KeptLayer[];

  /**
   * @param core with no other owner: the weights stay in its memory.
   * @param layers weights f32[outputs × rows × columns × inputs] and biases f32[outputs].
   */
  constructor(
    core: Core,
    layers: readonly (ConvolutionShape & { readonly weights: Float32Array; readonly bias: Float32Array })[],
  ) {
    this.#core = core;
    this.#layers = core.keep((arena) =>
      layers.map(({ weights, bias, ...shape }) => ({
        ...shape,
        weightsAt: arena.copyIn(inBlocks(weights, shape)),
        biasAt: arena.copyIn(bias),
      })),
    );
  }

  /**
   * What the network makes of a picture.
   * @param picture f32[height × width × inputs of the first layer].
   * @returns f32[rows × columns × outputs of the last layer], and its rows and columns.
   */
  run(
    picture: Float32Array,
    width: number,
    height: number,
  ): { readonly values: Float32Array; readonly columns: number } {
    return this.#core.call((arena) => {
      let [rows, columns] = [height, width];
      const sizes = this.#layers.map((layer) => {
        const size = { rows, columns, row: columns + 2 * layer.marginX, high: rows + 2 * layer.marginY };
        rows = Math.floor((size.high - layer.rows) / layer.down) + 1;
        columns = Math.floor((size.row - layer.apart * (layer.columns - 1) - 1) / layer.along) + 1;
        return size;
      });
      const last = this.#layers[this.#layers.length - 1];
      const places = this.#layers.map((layer, i) => {
        const values = new Float32Array(sizes[i].row * sizes[i].high * layer.inputs);
        if (i === 0)
          for (let y = 0; y < height; y++)
            values.set(
              picture.subarray(y * width * layer.inputs, (y + 1) * width * layer.inputs),
              ((y + layer.marginY) * sizes[0].row + layer.marginX) * layer.inputs,
            );
        return arena.copyIn(values);
      });
      const end = arena.reserve(4 * rows * columns * last.outputs);
      this.#layers.forEach((layer, i) => {
        const next = this.#layers[i + 1];
        const to = next === undefined ? { rows, columns, row: columns } : sizes[i + 1];
        const shape = arena.copyIn(
          Int32Array.of(
            to.rows,
            to.columns,
            layer.outputs,
            layer.inputs,
            layer.rows,
            layer.columns,
            layer.down,
            layer.along,
            layer.apart,
            sizes[i].row,
            to.row,
            layer.isRectified ? 1 : 0,
          ),
        );
        const own = places[i] + 4 * layer.inputs * (layer.marginY * sizes[i].row + layer.marginX);
        const place =
          next === undefined ? end : places[i + 1] + 4 * next.inputs * (next.marginY * to.row + next.marginX);
        arena.kernels.convolve(shape, places[i], layer.weightsAt, layer.biasAt, layer.isAdded ? own : 0, place);
      });
      return { values: arena.f32(end, rows * columns * last.outputs), columns };
    });
  }
}

/** The weights in the order in which the kernel reads them. */
function inBlocks(weights: Float32Array, { outputs, rows, columns, inputs }: ConvolutionShape): Float32Array {
  const each = rows * columns * inputs;
  return Float32Array.from({ length: outputs * each }, (_, i) => {
    const lane = i % BLOCK,
      at = Math.floor(i / BLOCK) % each,
      block = Math.floor(i / (BLOCK * each));
    return weights[(block * BLOCK + lane) * each + at];
  });
}
