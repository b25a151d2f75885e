/**
 * A small convolutional network of U shape (Ronneberger et al. 2015) that tells which pixels of a picture are an
 * object; `bench/learn/photos/objects.py` learns it. Sums run in a fixed order, so the same picture gives the same
 * bits.
 *
 * Layers: 3 × 3, each followed by max(0, x); five levels, each half as wide as the one above. On the way up a layer
 * gets the one below, each pixel twice as large, beside the one of its own level from the way down.
 */
import { mark, reserve, reset } from '../arena';
import { DONE, OUT_OF_MEMORY } from '../status';

/** Channels of the levels. */
const A: i32 = 8, B: i32 = 16, C: i32 = 32, D: i32 = 64, E: i32 = 96;
/** Channels of the picture, of which the file knows three; rows of four are read at once. */
const COLORS: i32 = 3;
/** Pixels and channels that are summed at once. */
const BLOCK: i32 = 4;

/** Where the next layer's weights lie in the file. */
let next: usize = 0;

/**
 * picture: f32[height][width][3], -1 black to 1 white; both sides multiples of 16, at least 64. table: the learned
 * file. out: f32[height][width]: above 0 for pixels of the object, the logarithm of the odds. Returns a status.
 */
export function objectOdds(picture: usize, width: i32, height: i32, table: usize, out: usize): i32 {
  const scratch = mark();
  const status = run(picture, width, height, table, out);
  reset(scratch);
  return status;
}

function run(picture: usize, width: i32, height: i32, table: usize, out: usize): i32 {
  next = table;
  const image = framed(width, height, COLORS);
  // On the way up each level is joined with what comes from below, which has the first channels.
  const first = framed(width, height, B + A), second = framed(width / 2, height / 2, C + B);
  const third = framed(width / 4, height / 4, D + C), fourth = framed(width / 8, height / 8, E + D);
  const half = framed(width / 2, height / 2, B), quarter = framed(width / 4, height / 4, C);
  const eighth = framed(width / 8, height / 8, D);
  const low = framed(width / 16, height / 16, E), lower = framed(width / 16, height / 16, E);
  const last = framed(width, height, A);
  const weights = reserve(<u32>(9 * (E + D) * E) << 2);
  if (
    image == 0 || first == 0 || second == 0 || third == 0 || fourth == 0 || half == 0 || quarter == 0 ||
    eighth == 0 || low == 0 || lower == 0 || last == 0 || weights == 0
  ) return OUT_OF_MEMORY;
  const row = <usize>(width * COLORS) << 2;
  for (let y = 0; y < height; y++)
    memory.copy(at(image, width, COLORS, 0, y), picture + <usize>y * row, row);

  layer(image, width, height, COLORS, 0, COLORS, 1, first, B + A, B, A, weights);
  layer(first, width, height, B + A, B, A, 2, half, B, 0, B, weights);
  layer(half, width / 2, height / 2, B, 0, B, 1, second, C + B, C, B, weights);
  layer(second, width / 2, height / 2, C + B, C, B, 2, quarter, C, 0, C, weights);
  layer(quarter, width / 4, height / 4, C, 0, C, 1, third, D + C, D, C, weights);
  layer(third, width / 4, height / 4, D + C, D, C, 2, eighth, D, 0, D, weights);
  layer(eighth, width / 8, height / 8, D, 0, D, 1, fourth, E + D, E, D, weights);
  layer(fourth, width / 8, height / 8, E + D, E, D, 2, low, E, 0, E, weights);
  layer(low, width / 16, height / 16, E, 0, E, 1, lower, E, 0, E, weights);
  layer(lower, width / 16, height / 16, E, 0, E, 1, low, E, 0, E, weights);
  widen(low, width / 16, height / 16, E, fourth, E + D);
  layer(fourth, width / 8, height / 8, E + D, 0, E + D, 1, eighth, D, 0, D, weights);
  widen(eighth, width / 8, height / 8, D, third, D + C);
  layer(third, width / 4, height / 4, D + C, 0, D + C, 1, quarter, C, 0, C, weights);
  widen(quarter, width / 4, height / 4, C, second, C + B);
  layer(second, width / 2, height / 2, C + B, 0, C + B, 1, half, B, 0, B, weights);
  widen(half, width / 2, height / 2, B, first, B + A);
  layer(first, width, height, B + A, 0, B + A, 1, last, A, 0, A, weights);
  weigh(last, width, height, out);
  return DONE;
}

/** f32[height + 2][width + 2][channels] of zeros; 0 when memory is out. */
function framed(width: i32, height: i32, channels: i32): usize {
  const byteLength = <u32>((width + 2) * (height + 2) * channels) << 2;
  const grid = reserve(byteLength);
  if (grid != 0) memory.fill(grid, 0, byteLength);
  return grid;
}

/** Address of a pixel of a framed grid. */
// @ts-ignore: decorator
@inline
function at(grid: usize, width: i32, channels: i32, x: i32, y: i32): usize {
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
function layer(
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

/** Each pixel of the lower level fills two by two of the first channels of the upper one. */
function widen(low: usize, width: i32, height: i32, channels: i32, high: usize, highChannels: i32): void {
  const byteLength = <usize>channels << 2;
  for (let y = 0; y < 2 * height; y++)
    for (let x = 0; x < 2 * width; x++)
      memory.copy(at(high, 2 * width, highChannels, x, y), at(low, width, channels, x >> 1, y >> 1), byteLength);
}

/** The last layer looks at one pixel: a factor, an offset and a weight for each channel. */
function weigh(grid: usize, width: i32, height: i32, out: usize): void {
  const factor = load<f32>(next), offset = load<f32>(next, 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const pixel = at(grid, width, A, x, y);
      let sum: f32 = offset;
      for (let i = 0; i < A; i++)
        sum += load<f32>(pixel + (<usize>i << 2)) * (<f32>load<i8>(next + 8 + <usize>i) * factor);
      store<f32>(out + (<usize>(y * width + x) << 2), sum);
    }
  }
}
