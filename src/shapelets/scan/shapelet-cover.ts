import { bytesOf } from '../../content/bytes-of.js';
import type { Picture } from '../../content/sheet.js';
import { dilate, firstIn, type Bitmap } from '../../bitmap/bitmap.js';
import type { FoundObject } from './object-mask.js';
import { SHAPELET_SIZE, SHAPELET_SPAN } from '../shapelet.js';

/**
 * u8[64²]: coverage of the pixels of a shapelet by a shape, which is centred and scaled so that the longer side of the
 * bitmap takes {@link SHAPELET_SPAN} pixels.
 */
export function coverOf({ width, height, bits }: Bitmap): Uint8Array {
  const scale = SHAPELET_SPAN / Math.max(width, height);
  const left = (SHAPELET_SIZE - width * scale) / 2,
    top = (SHAPELET_SIZE - height * scale) / 2;
  const sums = new Float64Array(SHAPELET_SIZE * SHAPELET_SIZE);
  const columns = sharesOf(width, left, scale),
    rows = sharesOf(height, top, scale);
  for (let y = 0; y < height; y++) {
    const { first: row, share: vertical } = rows[y];
    for (let x = firstIn(bits, y * width, width); x < width; x++) {
      if (bits[y * width + x] === 0) continue;
      const { first: column, share: level } = columns[x];
      for (let v = 0; v < vertical.length; v++)
        for (let u = 0; u < level.length; u++) sums[(row + v) * SHAPELET_SIZE + column + u] += vertical[v] * level[u];
    }
  }
  return bytesOf(sums, (sum) => Math.min(255, Math.round(255 * sum)));
}

/** The same for lines, which are first widened to about one pixel of the shapelet, so that they stay visible. */
export function lineCoverOf(lines: Bitmap, lineWidth: number): Uint8Array {
  const pixel = Math.max(lines.width, lines.height) / SHAPELET_SPAN;
  return coverOf(dilate(lines, Math.max(0, Math.round((pixel - lineWidth) / 2))));
}

/** Samples of brightness along each side of a pixel of the shapelet. */
const READ = 4;

/**
 * u8[64²]: brightness of an object in the frame of its shapelet, 1 to 255 where it covers at least half of a pixel; 0
 * elsewhere.
 */
export function grayOf({ widthPx, heightPx, gray }: Picture, { box, mask, scale }: FoundObject): Uint8Array {
  const step = Math.max(mask.width, mask.height) / SHAPELET_SPAN / READ;
  const left = (mask.width - step * READ * SHAPELET_SIZE) / 2,
    top = (mask.height - step * READ * SHAPELET_SIZE) / 2;
  const sums = new Uint32Array(SHAPELET_SIZE * SHAPELET_SIZE),
    counts = new Uint8Array(sums.length);
  for (let row = 0; row < READ * SHAPELET_SIZE; row++) {
    const y = Math.floor(top + step * (row + 0.5));
    if (y < 0 || y >= mask.height) continue;
    const line = Math.min(heightPx - 1, Math.floor(scale * (box.y0 + top + step * (row + 0.5)))) * widthPx;
    for (let column = 0; column < READ * SHAPELET_SIZE; column++) {
      const x = Math.floor(left + step * (column + 0.5));
      if (x < 0 || x >= mask.width || mask.bits[y * mask.width + x] === 0) continue;
      const to = Math.floor(row / READ) * SHAPELET_SIZE + Math.floor(column / READ);
      sums[to] += gray[line + Math.min(widthPx - 1, Math.floor(scale * (box.x0 + left + step * (column + 0.5))))];
      counts[to]++;
    }
  }
  return bytesOf(sums, (sum, i) => (2 * counts[i] < READ * READ ? 0 : Math.max(1, Math.round(sum / counts[i]))));
}

/**
 * For each row or column of the bitmap: the first pixel of the shapelet that it covers, and its shares of the pixels
 * from there.
 */
function sharesOf(length: number, offset: number, scale: number): { first: number; share: number[] }[] {
  return Array.from({ length }, (_, i) => {
    const from = offset + i * scale,
      to = from + scale;
    const first = Math.min(SHAPELET_SIZE - 1, Math.floor(from));
    const last = Math.min(SHAPELET_SIZE - 1, Math.ceil(to - 1e-9) - 1);
    const share: number[] = [];
    for (let at = first; at <= Math.max(first, last); at++)
      share.push(Math.max(0, Math.min(at + 1, to) - Math.max(at, from)));
    return { first, share };
  });
}
