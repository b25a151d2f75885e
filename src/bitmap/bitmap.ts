import type { Corners } from '../content/geometry.js';

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

/** A bitmap with the given pixels; by default none is set. */
export function bitmapOf(width: number, height: number, bits: Uint8Array = new Uint8Array(width * height)): Bitmap {
  return { width, height, bits };
}

/** Dilation by a square of 2 × radius + 1 pixels. */
export function dilate(map: Bitmap, radius: number): Bitmap {
  return radius <= 0 ? map : slide(map, radius, 'any');
}

/** Erosion by a square of 2 × radius + 1 pixels; pixels outside the picture count as set. */
export function erode(map: Bitmap, radius: number): Bitmap {
  return radius <= 0 ? map : slide(map, radius, 'all');
}

/** Opening by a square of 2 × radius + 1 pixels: keeps only areas into which the square fits. */
export function open(map: Bitmap, radius: number): Bitmap {
  return dilate(erode(map, radius), radius);
}

/** Pixels set in the first and not in the second. */
export function without(map: Bitmap, { bits: other }: Bitmap): Bitmap {
  const left = map.bits.slice();
  for (let i = 0; i < left.length; i++) left[i] &= other[i] ^ 1;
  return bitmapOf(map.width, map.height, left);
}

/** Pixels set in both. */
export function both(map: Bitmap, { bits: other }: Bitmap): Bitmap {
  const common = map.bits.slice();
  for (let i = 0; i < common.length; i++) common[i] &= other[i];
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
export function componentsOf({ width, height, bits }: Bitmap, neighbours: 4 | 8): Components {
  const labels = new Int32Array(width * height);
  const list: Component[] = [{ box: { x0: 0, y0: 0, x1: 0, y1: 0 }, area: 0 }];
  let stack = new Int32Array(1024);
  const steps = Int32Array.of(-1, 1, -width, width, -width - 1, -width + 1, width - 1, width + 1);
  for (let seed = bits.indexOf(1); seed >= 0; seed = bits.indexOf(1, seed + 1)) {
    if (labels[seed] !== 0) continue;
    const label = list.length;
    let x0 = width,
      y0 = height,
      x1 = 0,
      y1 = 0,
      area = 0,
      depth = 0;
    stack[depth++] = seed;
    labels[seed] = label;
    while (depth > 0) {
      const at = stack[--depth];
      const y = Math.floor(at / width),
        x = at - y * width;
      area++;
      if (x < x0) x0 = x;
      if (x >= x1) x1 = x + 1;
      if (y < y0) y0 = y;
      if (y >= y1) y1 = y + 1;
      if (depth + 8 > stack.length) {
        const longer = new Int32Array(2 * stack.length);
        longer.set(stack);
        stack = longer;
      }
      // Most pixels are away from the border: their neighbours need no bounds.
      if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
        for (let i = 0; i < neighbours; i++) {
          const next = at + steps[i];
          if (bits[next] === 0 || labels[next] !== 0) continue;
          labels[next] = label;
          stack[depth++] = next;
        }
        continue;
      }
      for (let dy = -1; dy <= 1; dy++) {
        if (y + dy < 0 || y + dy >= height) continue;
        for (let dx = -1; dx <= 1; dx++) {
          if (x + dx < 0 || x + dx >= width || (neighbours === 4 && dx !== 0 && dy !== 0)) continue;
          const next = at + dy * width + dx;
          if (bits[next] === 0 || labels[next] !== 0) continue;
          labels[next] = label;
          stack[depth++] = next;
        }
      }
    }
    list.push({ box: { x0, y0, x1, y1 }, area });
  }
  return { labels, list };
}

/** The pixels of those components that `keep` accepts. */
export function componentBits(
  { width, height }: Bitmap,
  { labels, list }: Components,
  keep: (component: Component, number: number) => boolean,
): Bitmap {
  const kept = Uint8Array.from(list, (component, number) => (number > 0 && keep(component, number) ? 1 : 0));
  const bits = new Uint8Array(labels.length);
  for (let i = 0; i < labels.length; i++) if (labels[i] !== 0) bits[i] = kept[labels[i]];
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
 * Applies a square window to the picture, first to rows, then to columns, with running counts: a pixel is set where
 * any, or all, of its window are.
 */
function slide({ width, height, bits }: Bitmap, radius: number, wanted: 'any' | 'all'): Bitmap {
  const rows = new Uint8Array(width * height);
  const isAll = wanted === 'all';
  for (let y = 0; y < height; y++) {
    const row = y * width;
    const first = firstIn(bits, row, width);
    if (first === width) continue; // Most rows of a drawing's parts are clear, and stay so.
    let sum = 0;
    for (let x = 0; x < Math.min(radius, width); x++) sum += bits[row + x];
    for (let x = 0; x < width; x++) {
      if (x + radius < width) sum += bits[row + x + radius];
      const least = isAll ? Math.min(width, x + radius + 1) - Math.max(0, x - radius) : 1;
      if (sum >= least) rows[row + x] = 1;
      if (x >= radius) sum -= bits[row + x - radius];
    }
  }
  const slid = new Uint8Array(width * height);
  const sums = new Int32Array(width);
  for (let y = 0; y < Math.min(radius, height); y++) for (let x = 0; x < width; x++) sums[x] += rows[y * width + x];
  for (let y = 0; y < height; y++) {
    const least = isAll ? Math.min(height, y + radius + 1) - Math.max(0, y - radius) : 1;
    const row = y * width;
    if (y + radius < height) {
      const enters = row + radius * width;
      for (let x = 0; x < width; x++) sums[x] += rows[enters + x];
    }
    for (let x = 0; x < width; x++) if (sums[x] >= least) slid[row + x] = 1;
    if (y >= radius) {
      const leaves = row - radius * width;
      for (let x = 0; x < width; x++) sums[x] -= rows[leaves + x];
    }
  }
  return bitmapOf(width, height, slid);
}
