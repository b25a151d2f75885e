import { dilate, firstIn, type Bitmap } from './bitmap.js';
import { SHAPELET_SIZE, SHAPELET_SPAN } from './shapelet.js';

/**
 * A shape as it stands in a shapelet, u8[64²]: how much of each pixel it covers, the longest side of the bitmap as long as
 * {@link SHAPELET_SPAN} pixels, centred.
 */
export function coverOf({ width, height, bits }: Bitmap): Uint8Array {
  const scale = SHAPELET_SPAN / Math.max(width, height);
  const left = (SHAPELET_SIZE - width * scale) / 2, top = (SHAPELET_SIZE - height * scale) / 2;
  const sums = new Float64Array(SHAPELET_SIZE * SHAPELET_SIZE);
  const columns = sharesOf(width, left, scale), rows = sharesOf(height, top, scale);
  for (let y = 0; y < height; y++) {
    const { first: row, share: vertical } = rows[y];
    for (let x = firstIn(bits, y * width, width); x < width; x++) {
      if (bits[y * width + x] === 0) continue;
      const { first: column, share: level } = columns[x];
      for (let v = 0; v < vertical.length; v++) for (let u = 0; u < level.length; u++) sums[(row + v) * SHAPELET_SIZE + column + u] += vertical[v] * level[u];
    }
  }
  return Uint8Array.from(sums, (sum) => Math.min(255, Math.round(255 * sum)));
}

/** The same of lines, which are first made as wide as they must be to be seen: at least {@link SHAPELET_SPAN} pixels in all. */
export function lineCoverOf(lines: Bitmap, lineWidth: number): Uint8Array {
  const pixel = Math.max(lines.width, lines.height) / SHAPELET_SPAN;
  return coverOf(dilate(lines, Math.max(0, Math.round((pixel - lineWidth) / 2))));
}

/** Which pixels of the shapelet a row or column covers, and how much of each. */
function sharesOf(length: number, offset: number, scale: number): { first: number; share: number[] }[] {
  return Array.from({ length }, (_, i) => {
    const from = offset + i * scale, to = from + scale;
    const first = Math.min(SHAPELET_SIZE - 1, Math.floor(from));
    const last = Math.min(SHAPELET_SIZE - 1, Math.ceil(to - 1e-9) - 1);
    const share: number[] = [];
    for (let at = first; at <= Math.max(first, last); at++) share.push(Math.max(0, Math.min(at + 1, to) - Math.max(at, from)));
    return { first, share };
  });
}
