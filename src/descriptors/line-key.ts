import { LINE_DIRECTIONS, LINE_SUMS } from '../shapelets/sheet/line-sums.js';
import type { PageInk } from './page-inks.js';
import { LAYOUT_BYTES } from './layouts.js';

/** Numbers of a key: lengths by direction, with chords of arcs and then with arcs, in the order of `lineSums`. */
export const KEY_NUMBERS = 2 * LINE_DIRECTIONS;
const KEY_BYTES = 4 * KEY_NUMBERS;

/**
 * What tells quickly whether drawings may have the same lines, wherever and in whatever size they stand; u8[64], f32
 * each, little endian: of the first page with lines the lengths by direction in mean distances from their middle. Empty
 * without lines.
 */
export function lineKeyOf(inks: readonly (PageInk | undefined)[]): Uint8Array {
  const sums = inks.find((ink) => ink?.lines !== undefined)?.lines;
  if (sums === undefined) return new Uint8Array();
  const bytes = new Uint8Array(KEY_BYTES),
    view = new DataView(bytes.buffer);
  for (let i = 0; i < KEY_NUMBERS; i++) {
    const half = (Math.floor(i / LINE_DIRECTIONS) * LINE_SUMS) / 2;
    view.setFloat32(4 * i, sums[half + (i % LINE_DIRECTIONS)] / sums[half + LINE_DIRECTIONS], true);
  }
  return bytes;
}

/** The numbers of the key that stands behind the layouts of a file; undefined where there is none. */
export function keyBehind(layouts: Uint8Array): Float32Array | undefined {
  if (layouts.length % LAYOUT_BYTES !== KEY_BYTES) return undefined;
  return keyNumbers(layouts.subarray(layouts.length - KEY_BYTES));
}

/** f32[{@link KEY_NUMBERS}] of a key; undefined for bytes that are none. */
export function keyNumbers(key: Uint8Array): Float32Array | undefined {
  if (key.length !== KEY_BYTES) return undefined;
  const view = new DataView(key.buffer, key.byteOffset);
  const numbers = Float32Array.from({ length: KEY_NUMBERS }, (_, i) => view.getFloat32(4 * i, true));
  return numbers.every((number) => number >= 0 && number < Infinity) ? numbers : undefined;
}
