import { expect, test } from 'vitest';
import { ConvolutionNetwork, type ConvolutionShape } from '../../dist/core/network.js';
import { Core } from './api.js';
import { randomOf } from './shapes.js';

type Layer = ConvolutionShape & { readonly weights: Float32Array; readonly bias: Float32Array };

const PLAIN = { down: 1, along: 1, apart: 1, isAdded: false, isRectified: true };
const SHAPES: readonly ConvolutionShape[] = [
  { ...PLAIN, inputs: 1, outputs: 8, rows: 3, columns: 3, down: 2, along: 2, marginY: 1, marginX: 1 },
  { ...PLAIN, inputs: 8, outputs: 8, rows: 3, columns: 3, marginY: 1, marginX: 1, isAdded: true },
  { ...PLAIN, inputs: 8, outputs: 16, rows: 4, columns: 3, down: 4, marginY: 0, marginX: 1 },
  { ...PLAIN, inputs: 16, outputs: 16, rows: 1, columns: 3, apart: 2, marginY: 0, marginX: 2, isAdded: true },
  { ...PLAIN, inputs: 16, outputs: 8, rows: 1, columns: 1, marginY: 0, marginX: 0, isRectified: false },
];

/** Values of a picture: [y][x][channel]. */
type Values = readonly (readonly (readonly number[])[])[];

function plainly(from: Values, layer: Layer): Values {
  const { rows, columns, down, along, apart, marginY, marginX, inputs } = layer;
  const high = Math.floor((from.length + 2 * marginY - rows) / down) + 1,
    wide = Math.floor((from[0].length + 2 * marginX - apart * (columns - 1) - 1) / along) + 1;
  return Array.from({ length: high }, (_, y) =>
    Array.from({ length: wide }, (_, x) =>
      Array.from({ length: layer.outputs }, (_, k) => {
        let sum = layer.bias[k];
        for (let j = 0; j < rows; j++)
          for (let i = 0; i < columns; i++)
            for (let c = 0; c < inputs; c++)
              sum +=
                (from[y * down + j - marginY]?.[x * along + i * apart - marginX]?.[c] ?? 0) *
                layer.weights[((k * rows + j) * columns + i) * inputs + c];
        if (layer.isAdded) sum += from[y][x][k];
        return layer.isRectified ? Math.max(0, sum) : sum;
      }),
    ),
  );
}

test('a network of convolutions gives what plain loops give, whatever the width', async () => {
  const random = randomOf(5);
  const layers: Layer[] = SHAPES.map((shape) => {
    const count = shape.outputs * shape.rows * shape.columns * shape.inputs;
    return {
      ...shape,
      weights: Float32Array.from({ length: count }, () => random() - 0.5),
      bias: Float32Array.from({ length: shape.outputs }, () => random() - 0.5),
    };
  });
  const network = new ConvolutionNetwork(await Core.load(), layers);
  for (const width of [2, 7, 12, 30, 7]) {
    const picture = Float32Array.from({ length: 8 * width }, () => random());
    let expected: Values = Array.from({ length: 8 }, (_, y) =>
      Array.from({ length: width }, (_, x) => [picture[y * width + x]]),
    );
    for (const layer of layers) expected = plainly(expected, layer);
    const { values, columns } = network.run(picture, width, 8);
    expect(columns).toBe(expected[0].length);
    const flat = expected.flat(2);
    expect(values.length).toBe(flat.length);
    expect(Math.max(...flat.map((value, i) => Math.abs(value - values[i])))).toBeLessThan(1e-4);
  }
});
