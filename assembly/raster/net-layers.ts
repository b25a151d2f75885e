/**
 * Layers of small convolutional networks: 3 × 3, each followed by max(0, x), over grids with a frame of zeros. Sums run
 * in a fixed order, so the same picture gives the same bits.
 */
import { reserve } from '../arena';

/** Pixels and channels that are summed at once. */
const BLOCK: i32 = 4;

/** Where the next layer's weights lie in the file. */
let next: usize = 0;

/** The next layer is the first of this file. */
export function openTable(table: usize): void {
  next = table;
}

/** What follows the layers that were read. */
export function restOfTable(): usize {
  return next;
}

/** f32[height + 2][width + 2][channels] of zeros; 0 when memory is out. */
export function framed(width: i32, height: i32, channels: i32): usize {
  const byteLength = <u32>((width + 2) * (height + 2) * channels) << 2;
  const grid = reserve(byteLength);
  if (grid != 0) memory.fill(grid, 0, byteLength);
  return grid;
}

/** Address of a pixel of a framed grid. */
// @ts-ignore: decorator
@inline
export function at(grid: usize, width: i32, channels: i32, x: i32, y: i32): usize {
  return grid + ((<usize>((y + 1) * (width + 2) + x + 1) * channels) << 2);
}

/**
 * The weights of a layer by place, then input, then output: f32[9][inputs][outputs]; their factors are f32[outputs].
 */
function unpack(inputs: i32, outputs: i32, factors: usize, whole: usize, out: usize): void {
  for (let input = 0; input < inputs; input++)
    for (let place = 0; place < 9; place++) {
      const from = whole + <usize>((input * 9 + place) * outputs);
      const to = out + (<usize>((place * inputs + input) * outputs) << 2);
      for (let o = 0; o < outputs; o++) {
        const value = <f32>load<i8>(from + <usize>o) * load<f32>(factors + (<usize>o << 2));
        store<f32>(to + (<usize>o << 2), value);
      }
    }
}

/**
 * One layer: reads `inputs` channels of a grid of `channels` from channel `from` on, and writes `outputs` channels from
 * `toFrom` on into a grid of `toChannels` that is `stride` times smaller.
 */
export function layer(
  grid: usize,
  width: i32,
  height: i32,
  channels: i32,
  from: i32,
  inputs: i32,
  stride: i32,
  to: usize,
  toChannels: i32,
  toFrom: i32,
  outputs: i32,
  weights: usize,
): void {
  const factors = next, biases = next + (<usize>outputs << 2), whole = next + (<usize>outputs << 3);
  next = whole + <usize>(9 * inputs * outputs);
  unpack(inputs, outputs, factors, whole, weights);
  const right = width / stride, down = height / stride;
  const step = <usize>(stride * channels) << 2, line = <usize>outputs << 2;
  for (let y = 0; y < down; y++) {
    for (let block = 0; block < right; block += BLOCK) {
      // The last block of a row ends at its end.
      const x = min(block, right - BLOCK);
      for (let o = 0; o < outputs; o += 8) {
        const bias = biases + (<usize>o << 2);
        const biasA = v128.load(bias), biasB = v128.load(bias, 16);
        let a0 = biasA, a1 = biasA, a2 = biasA, a3 = biasA, b0 = biasB, b1 = biasB, b2 = biasB, b3 = biasB;
        for (let place = 0; place < 9; place++) {
          let pixel = at(grid, width, channels, stride * x + (place % 3) - 1, stride * y + place / 3 - 1);
          pixel += <usize>from << 2;
          let weight = weights + (<usize>(place * inputs * outputs + o) << 2);
          for (let input = 0; input < inputs; input++) {
            const wA = v128.load(weight), wB = v128.load(weight, 16);
            const p0 = v128.load32_splat(pixel), p1 = v128.load32_splat(pixel + step);
            const p2 = v128.load32_splat(pixel + 2 * step), p3 = v128.load32_splat(pixel + 3 * step);
            a0 = f32x4.add(a0, f32x4.mul(p0, wA));
            b0 = f32x4.add(b0, f32x4.mul(p0, wB));
            a1 = f32x4.add(a1, f32x4.mul(p1, wA));
            b1 = f32x4.add(b1, f32x4.mul(p1, wB));
            a2 = f32x4.add(a2, f32x4.mul(p2, wA));
            b2 = f32x4.add(b2, f32x4.mul(p2, wB));
            a3 = f32x4.add(a3, f32x4.mul(p3, wA));
            b3 = f32x4.add(b3, f32x4.mul(p3, wB));
            pixel += 4;
            weight += line;
          }
        }
        const target = at(to, right, toChannels, x, y) + (<usize>(toFrom + o) << 2);
        const over = <usize>toChannels << 2;
        put(target, a0, b0);
        put(target + over, a1, b1);
        put(target + 2 * over, a2, b2);
        put(target + 3 * over, a3, b3);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function put(target: usize, a: v128, b: v128): void {
  const none = f32x4.splat(0);
  v128.store(target, f32x4.max(a, none));
  v128.store(target, f32x4.max(b, none), 16);
}
