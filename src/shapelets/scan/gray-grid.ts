import { bitmapOf, componentBits, componentsOf, type Bitmap } from '../../bitmap/bitmap.js';
import type { Picture } from '../../content/sheet.js';

/** Brightness or another measure of the pixels of a reduced picture. */
export interface GrayGrid {
  readonly values: Float32Array;
  readonly width: number;
  readonly height: number;
}

/** Mean brightness in a picture whose longer side is at most `side` pixels. */
export function reduce({ widthPx, heightPx, gray }: Picture, side: number): GrayGrid & { readonly scale: number } {
  const scale = Math.max(1, Math.max(widthPx, heightPx) / side);
  const width = Math.max(1, Math.round(widthPx / scale)),
    height = Math.max(1, Math.round(heightPx / scale));
  const sums = new Float64Array(width * height),
    counts = new Uint32Array(width * height);
  for (let y = 0; y < heightPx; y++) {
    const row = Math.min(height - 1, Math.floor(y / scale)) * width;
    for (let x = 0; x < widthPx; x++) {
      const to = row + Math.min(width - 1, Math.floor(x / scale));
      sums[to] += gray[y * widthPx + x];
      counts[to]++;
    }
  }
  const values = new Float32Array(sums.length);
  for (let i = 0; i < values.length; i++) values[i] = sums[i] / Math.max(1, counts[i]);
  return { values, width, height, scale };
}

/** Smooths with the weights 1 2 1 in both directions. */
export function blur(values: Float32Array, width: number, height: number): Float32Array {
  const rows = new Float32Array(values.length),
    blurred = new Float32Array(values.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      rows[at] = (values[x > 0 ? at - 1 : at] + 2 * values[at] + values[x < width - 1 ? at + 1 : at]) / 4;
    }
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      blurred[at] = (rows[y > 0 ? at - width : at] + 2 * rows[at] + rows[y < height - 1 ? at + width : at]) / 4;
    }
  }
  return blurred;
}

/** Magnitude of the gradient, grey levels per pixel (Sobel). */
export function gradient(values: Float32Array, width: number, height: number): Float32Array {
  const steps = new Float32Array(values.length);
  for (let y = 1; y + 1 < height; y++) {
    for (let x = 1; x + 1 < width; x++) {
      const { dx, dy } = slopeAt(values, y * width + x, width);
      steps[y * width + x] = Math.hypot(dx, dy);
    }
  }
  return steps;
}

function slopeAt(v: Float32Array, at: number, width: number): { dx: number; dy: number } {
  const up = at - width,
    down = at + width;
  return {
    dx: (v[up + 1] + 2 * v[at + 1] + v[down + 1] - v[up - 1] - 2 * v[at - 1] - v[down - 1]) / 8,
    dy: (v[down - 1] + 2 * v[down] + v[down + 1] - v[up - 1] - 2 * v[up] - v[up + 1]) / 8,
  };
}

/**
 * Edges: local maxima of the gradient above `high`, and those above half of it that are connected to them (Canny 1986).
 */
export function edges(values: Float32Array, steps: Float32Array, width: number, height: number, high: number): Bitmap {
  const ridge = bitmapOf(width, height);
  for (let y = 1; y + 1 < height; y++) {
    for (let x = 1; x + 1 < width; x++) {
      const at = y * width + x;
      if (steps[at] < high / 2) continue;
      const { dx, dy } = slopeAt(values, at, width);
      const flat = Math.abs(dx) > 2.414 * Math.abs(dy),
        upright = Math.abs(dy) > 2.414 * Math.abs(dx);
      const offset = flat ? 1 : upright ? width : dx * dy > 0 ? width + 1 : width - 1;
      if (steps[at] >= steps[at - offset] && steps[at] > steps[at + offset]) ridge.bits[at] = 1;
    }
  }
  const found = componentsOf(ridge, 8);
  const isStrong = new Uint8Array(found.list.length);
  for (let i = 0; i < steps.length; i++) if (ridge.bits[i] === 1 && steps[i] >= high) isStrong[found.labels[i]] = 1;
  return componentBits(ridge, found, ({ area }, number) => isStrong[number] === 1 && area > 5);
}

/** Difference between the 95th and the 5th percentile within the mask. */
export function range(values: Float32Array, { bits }: Bitmap): number {
  const inside = values.filter((_, i) => bits[i] === 1).sort();
  return inside.length === 0
    ? 0
    : inside[Math.floor(0.95 * (inside.length - 1))] - inside[Math.floor(0.05 * (inside.length - 1))];
}
