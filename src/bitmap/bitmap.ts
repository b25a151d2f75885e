import type { Corners } from '../content/geometry.js';

/** Runs of up to this many pixels are set one by one. */
const SHORT_RUN = 24;

/** A binary picture, one byte per pixel. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** u8[height × width], row by row: 0 or 1. */
  readonly bits: Uint8Array;
}

/** A rectangle of whole pixels; `x1` and `y1` are the first ones outside. */
export type PixelBox = Corners;

/** A set of connected pixels. */
export interface Component {
  readonly box: PixelBox;
  /** Number of pixels. */
  readonly area: number;
}

/** The connected components of a bitmap. */
export interface Components {
  /** i32[height × width]: number of the component from 1; 0 where no pixel is set. */
  readonly labels: Int32Array;
  /** Components by number; number 0 is a placeholder for clear pixels. */
  readonly list: readonly Component[];
}

/** Components with the runs of pixels that they consist of: most of a page is clear, so these are soon gone through. */
export interface FoundComponents extends Components {
  /** Runs of set pixels in rows, in order: first pixel, the one behind the last, number of the component. */
  readonly runs: {
    readonly count: number;
    readonly starts: Int32Array;
    readonly ends: Int32Array;
    readonly numbers: Int32Array;
  };
}

/** A bitmap with the given pixels; by default none is set. */
export function bitmapOf(width: number, height: number, bits: Uint8Array = new Uint8Array(width * height)): Bitmap {
  return { width, height, bits };
}

/** Dilation by a square of 2 × radius + 1 pixels. */
export function dilate(map: Bitmap, radius: number): Bitmap {
  return radius <= 0 ? map : grown(map, radius);
}

/** Erosion by a square of 2 × radius + 1 pixels; pixels outside the picture count as set. */
export function erode(map: Bitmap, radius: number): Bitmap {
  return radius <= 0 ? map : worn(map, radius);
}

/** Opening by a square of 2 × radius + 1 pixels: keeps only areas into which the square fits. */
export function open(map: Bitmap, radius: number): Bitmap {
  return dilate(erode(map, radius), radius);
}

/** Four set pixels. */
const ALL_SET = 0x01010101;

/** Pixels four at a time, but for up to three at the end. */
function wordsOf(bits: Uint8Array): Int32Array {
  const aligned = bits.byteOffset % 4 === 0 ? bits : bits.slice();
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length >> 2);
}

/** Pixels set in the first and not in the second. */
export function without(map: Bitmap, { bits: other }: Bitmap): Bitmap {
  const left = map.bits.slice();
  const words = wordsOf(left),
    others = wordsOf(other);
  for (let i = 0; i < words.length; i++) words[i] &= others[i] ^ ALL_SET;
  for (let i = 4 * words.length; i < left.length; i++) left[i] &= other[i] ^ 1;
  return bitmapOf(map.width, map.height, left);
}

/** Pixels set in both. */
export function both(map: Bitmap, { bits: other }: Bitmap): Bitmap {
  const common = map.bits.slice();
  const words = wordsOf(common),
    others = wordsOf(other);
  for (let i = 0; i < words.length; i++) words[i] &= others[i];
  for (let i = 4 * words.length; i < common.length; i++) common[i] &= other[i];
  return bitmapOf(map.width, map.height, common);
}

/** Pixels set in either. */
export function either(map: Bitmap, { bits: other }: Bitmap): Bitmap {
  const all = map.bits.slice();
  for (let i = 0; i < all.length; i++) all[i] |= other[i];
  return bitmapOf(map.width, map.height, all);
}

/** Pixels that are not set. */
export function inverse(map: Bitmap): Bitmap {
  const clear = map.bits.slice();
  for (let i = 0; i < clear.length; i++) clear[i] ^= 1;
  return bitmapOf(map.width, map.height, clear);
}

/** Number of set pixels. */
export function count({ bits }: Bitmap): number {
  let sum = 0;
  for (let i = 0; i < bits.length; i++) sum += bits[i];
  return sum;
}

/** Bounding box of all set pixels; undefined when none is set. */
export function boxOf({ width, height, bits }: Bitmap): PixelBox | undefined {
  let x0 = width,
    y0 = -1,
    x1 = 0,
    y1 = 0;
  for (let y = 0; y < height; y++) {
    const row = bits.subarray(y * width, (y + 1) * width);
    const first = row.indexOf(1);
    if (first < 0) continue;
    if (y0 < 0) y0 = y;
    y1 = y + 1;
    if (first < x0) x0 = first;
    const last = row.lastIndexOf(1);
    if (last >= x1) x1 = last + 1;
  }
  return y0 < 0 ? undefined : { x0, y0, x1, y1 };
}

/** The pixels of a box, with a margin of clear pixels on each side; the box may extend beyond the picture. */
export function crop({ width, height, bits }: Bitmap, box: PixelBox, margin: number): Bitmap {
  const part = bitmapOf(box.x1 - box.x0 + 2 * margin, box.y1 - box.y0 + 2 * margin);
  const from = Math.max(0, box.x0),
    to = Math.min(width, box.x1);
  for (let y = Math.max(0, box.y0); y < Math.min(height, box.y1) && to > from; y++) {
    part.bits.set(
      bits.subarray(y * width + from, y * width + to),
      (y - box.y0 + margin) * part.width + from - box.x0 + margin,
    );
  }
  return part;
}

/** Reduces a bitmap: a pixel is set when any of its factor² pixels is set. */
export function shrink({ width, height, bits }: Bitmap, factor: number): Bitmap {
  const small = bitmapOf(Math.ceil(width / factor), Math.ceil(height / factor));
  for (let y = 0; y < height; y++) {
    const to = Math.floor(y / factor) * small.width;
    const row = y * width;
    for (let x = firstIn(bits, row, width); x < width; x++)
      if (bits[row + x] !== 0) small.bits[to + Math.floor(x / factor)] = 1;
  }
  return small;
}

/** Column of the first set pixel of the row that begins at `start`; `width` when none is set. */
export function firstIn(bits: Uint8Array, start: number, width: number): number {
  const first = bits.subarray(start, start + width).indexOf(1);
  return first < 0 ? width : first;
}

/**
 * Components of set pixels that touch at sides or corners (8), or at sides only (4). They are numbered in the order of
 * their first pixels, row by row.
 */
export function componentsOf({ width, height, bits }: Bitmap, neighbours: 4 | 8): FoundComponents {
  const words = wordsOf(bits);
  const list: { box: { x0: number; y0: number; x1: number; y1: number }; area: number }[] = [
    { box: { x0: 0, y0: 0, x1: 0, y1: 0 }, area: 0 },
  ];
  // Runs of set pixels in a row, in order: first pixel, the one behind the last, a run before it of the same component.
  let starts = new Int32Array(4096),
    ends = new Int32Array(4096),
    parents = new Int32Array(4096);
  let count = 0;
  const rootOf = (run: number): number => {
    let root = run;
    while (parents[root] !== root) root = parents[root] = parents[parents[root]];
    return root;
  };
  const reach = neighbours === 8 ? 1 : 0;
  let above = 0,
    aboveEnd = 0;
  for (let y = 0; y < height; y++) {
    const row = y * width,
      rowEnd = row + width;
    const first = count;
    let other = above;
    for (let at = row + firstIn(bits, row, width); at < rowEnd; ) {
      const start = at;
      while (at < rowEnd && bits[at] !== 0) at++;
      if (count === starts.length) [starts, ends, parents] = [longer(starts), longer(ends), longer(parents)];
      starts[count] = start;
      ends[count] = at;
      parents[count] = count;
      // Runs of the row above that touch it; the last one may touch the next run too.
      while (other < aboveEnd && ends[other] + width <= start - reach) other++;
      for (let k = other; k < aboveEnd && starts[k] + width < at + reach; k++) {
        const a = rootOf(k),
          b = rootOf(count);
        if (a < b) parents[b] = a;
        else parents[a] = b;
      }
      count++;
      // Most of a page is clear.
      while (at < rowEnd && bits[at] === 0) at += (at & 3) === 0 && at + 4 <= rowEnd && words[at >> 2] === 0 ? 4 : 1;
    }
    [above, aboveEnd] = [first, count];
  }
  const numbers = new Int32Array(count);
  for (let run = 0; run < count; run++) {
    const root = rootOf(run),
      start = starts[run],
      end = ends[run];
    const y = Math.floor(start / width),
      x0 = start - y * width,
      x1 = end - y * width;
    if (root === run) numbers[run] = list.push({ box: { x0, y0: y, x1, y1: y + 1 }, area: 0 }) - 1;
    const number = (numbers[run] = numbers[root]);
    const own = list[number];
    if (x0 < own.box.x0) own.box.x0 = x0;
    if (x1 > own.box.x1) own.box.x1 = x1;
    own.box.y1 = y + 1;
    own.area += x1 - x0;
  }
  let labels: Int32Array | undefined;
  return {
    list,
    runs: { count, starts, ends, numbers },
    // Four bytes a pixel, which many callers do not need.
    get labels() {
      labels ??= labelsOf(width * height, this.runs);
      return labels;
    },
  };
}

function labelsOf(pixels: number, { count, starts, ends, numbers }: FoundComponents['runs']): Int32Array {
  const labels = new Int32Array(pixels);
  for (let run = 0; run < count; run++) {
    const start = starts[run],
      end = ends[run],
      number = numbers[run];
    // Noise has short runs, for which a call costs more than the pixels.
    if (end - start > SHORT_RUN) labels.fill(number, start, end);
    else for (let at = start; at < end; at++) labels[at] = number;
  }
  return labels;
}

function longer(values: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const all = new Int32Array(2 * values.length);
  all.set(values);
  return all;
}

/** The pixels of those components that `keep` accepts. */
export function componentBits(
  { width, height }: Bitmap,
  { runs: { count, starts, ends, numbers }, list }: FoundComponents,
  keep: (component: Component, number: number) => boolean,
): Bitmap {
  const kept = Uint8Array.from(list, (component, number) => (number > 0 && keep(component, number) ? 1 : 0));
  const bits = new Uint8Array(width * height);
  for (let run = 0; run < count; run++) {
    if (kept[numbers[run]] === 0) continue;
    const start = starts[run],
      end = ends[run];
    if (end - start > SHORT_RUN) bits.fill(1, start, end);
    else for (let at = start; at < end; at++) bits[at] = 1;
  }
  return bitmapOf(width, height, bits);
}

/** Sets all pixels that cannot be reached from the border through clear pixels that touch at sides. */
export function fillHoles(map: Bitmap): Bitmap {
  return inverse(reachedFromBorder(inverse(map)));
}

/** Set pixels that are connected with the border through sides of pixels. */
export function reachedFromBorder({ width, height, bits }: Bitmap): Bitmap {
  const reached = new Uint8Array(width * height);
  const pending = new Int32Array(width * height);
  let depth = 0;
  const reach = (at: number): void => {
    if (bits[at] === 0 || reached[at] === 1) return;
    reached[at] = 1;
    pending[depth++] = at;
  };
  for (let x = 0; x < width; x++) {
    reach(x);
    reach((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    reach(y * width);
    reach(y * width + width - 1);
  }
  while (depth > 0) {
    const at = pending[--depth];
    const x = at % width;
    if (x > 0) reach(at - 1);
    if (x < width - 1) reach(at + 1);
    if (at >= width) reach(at - width);
    if (at < (height - 1) * width) reach(at + width);
  }
  return bitmapOf(width, height, reached);
}

/** Sets the pixels of a straight line; parts outside the picture are ignored. */
export function drawLine({ width, height, bits }: Bitmap, x0: number, y0: number, x1: number, y1: number): void {
  const steps = Math.min(1 << 16, Math.ceil(Math.max(Math.abs(x1 - x0), Math.abs(y1 - y0))));
  const stepX = steps === 0 ? 0 : (x1 - x0) / steps,
    stepY = steps === 0 ? 0 : (y1 - y0) / steps;
  for (let i = 0, x = x0, y = y0; i <= steps; i++, x += stepX, y += stepY) {
    const column = Math.floor(x),
      row = Math.floor(y);
    if (column >= 0 && row >= 0 && column < width && row < height) bits[row * width + column] = 1;
  }
}

/**
 * Sets each pixel that has a set one in the square window about it: each row's runs, longer, and in the rows about it.
 */
function grown({ width, height, bits }: Bitmap, radius: number): Bitmap {
  const all = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const top = Math.max(0, y - radius) * width,
      bottom = Math.min(height - 1, y + radius) * width;
    for (let x = firstIn(bits, row, width); x < width; ) {
      const from = Math.max(0, x - radius);
      // Runs that meet once they are longer are one.
      let to = x;
      while (x < width && x <= to + 2 * radius) {
        if (bits[row + x] !== 0) to = x;
        x++;
      }
      const end = Math.min(width, to + radius + 1);
      for (let above = top; above <= bottom; above += width) all.fill(1, above + from, above + end);
      while (x < width && bits[row + x] === 0) x++;
    }
  }
  return bitmapOf(width, height, all);
}

/**
 * Keeps each pixel whose square window is set as far as it is in the picture: rows by their runs, columns by counts.
 */
function worn({ width, height, bits }: Bitmap, radius: number): Bitmap {
  const rows = new Uint8Array(width * height);
  const isFull = new Uint8Array(height);
  for (let y = 0; y < height; y++) {
    const row = y * width;
    for (let x = firstIn(bits, row, width); x < width; ) {
      const start = x;
      while (x < width && bits[row + x] !== 0) x++;
      const from = start === 0 ? 0 : start + radius,
        to = x === width ? width : x - radius;
      if (to > from) {
        rows.fill(1, row + from, row + to);
        isFull[y] = 1;
      }
      while (x < width && bits[row + x] === 0) x++;
    }
  }
  const kept = new Uint8Array(width * height);
  const sums = new Int32Array(width);
  // Clear rows add nothing, and a window with one of them is not full: most windows, where areas are sought.
  let full = 0;
  const enter = (y: number): void => {
    if (isFull[y] === 0) return;
    full++;
    for (let x = 0, at = y * width; x < width; x++, at++) sums[x] += rows[at];
  };
  for (let y = 0; y < Math.min(radius, height); y++) enter(y);
  for (let y = 0; y < height; y++) {
    const high = Math.min(height, y + radius + 1) - Math.max(0, y - radius);
    if (y + radius < height) enter(y + radius);
    if (full === high) for (let x = 0; x < width; x++) if (sums[x] === high) kept[y * width + x] = 1;
    if (y >= radius && isFull[y - radius] !== 0) {
      full--;
      for (let x = 0, at = (y - radius) * width; x < width; x++, at++) sums[x] -= rows[at];
    }
  }
  return bitmapOf(width, height, kept);
}
