import type { Picture } from '../../content/sheet.js';
import { dilate, firstIn, type Bitmap } from '../../bitmap/bitmap.js';
import type { FoundObject } from './object-mask.js';
import { SHAPELET_SIZE, SHAPELET_SPAN } from '../shapelet.js';

/**
 * A shape as it stands in a shapelet, u8[64²]: how much of each pixel it covers, the longest side of the bitmap as long as
 * {@link SHAPELET_SPAN} pixels, centred.
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
  return Uint8Array.from(sums, (sum) => Math.min(255, Math.round(255 * sum)));
}

/** The same of lines, which are first made as wide as they must be to be seen: at least {@link SHAPELET_SPAN} pixels in all. */
export function lineCoverOf(lines: Bitmap, lineWidth: number): Uint8Array {
  const pixel = Math.max(lines.width, lines.height) / SHAPELET_SPAN;
  return coverOf(dilate(lines, Math.max(0, Math.round((pixel - lineWidth) / 2))));
}

/** Places at which brightness is read, along a side of a pixel of the shapelet. */
const READ = 4;

/** How bright an object is, as its mask stands in a shapelet: u8[64²], 1 to 255 where it covers half of a pixel; 0 elsewhere. */
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
  return Uint8Array.from(sums, (sum, i) =>
    2 * counts[i] < READ * READ ? 0 : Math.max(1, Math.round(sum / counts[i])),
  );
}

/** Which pixels of the shapelet a row or column covers, and how much of each. */
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
