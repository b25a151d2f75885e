import type { Picture } from '../content/sheet.js';
import type { Ink } from './binarise.js';

/** Largest skew that is looked for, and below which a page is left as it is, degrees. */
const MOST_DEG = 7;
const LEAST_DEG = 0.2;
/** How much sharper the profile of rows and columns must be than that of the page as it is. */
const SHARPER = 1.2;
/** Pixels of ink that are looked at. */
const SAMPLES = 30_000;

/**
 * How far a page is turned, degrees, positive clockwise; 0 when it is straight or shows no direction. Ink is projected on the page's
 * sides; the profiles are sharpest (largest sum of squares) where lines of the drawing run along them.
 */
export function skewOf({ width, height, ink: { bits } }: Ink): number {
  let inked = 0;
  for (let i = 0; i < bits.length; i++) inked += bits[i];
  if (inked < 200) return 0;
  const step = Math.max(1, Math.floor(inked / SAMPLES));
  const points = new Float32Array(2 * Math.ceil(inked / step));
  let kept = 0, seen = 0;
  for (let i = bits.indexOf(1); i >= 0; i = bits.indexOf(1, i + 1)) {
    if (seen++ % step !== 0) continue;
    const y = Math.floor(i / width);
    points[kept++] = i - y * width - width / 2;
    points[kept++] = y - height / 2;
  }
  const used = points.subarray(0, kept);
  const cell = Math.max(width, height) / 1200;
  const straight = sharpness(used, 0, cell, width, height);
  let best = 0, most = straight;
  for (const [range, stride] of [[MOST_DEG, 0.4], [0.4, 0.1], [0.1, 0.05]] as const) {
    const middle = best;
    for (let turn = -range; turn <= range + 1e-9; turn += stride) {
      const found = sharpness(used, middle + turn, cell, width, height);
      if (found > most) [best, most] = [middle + turn, found];
    }
  }
  return Math.abs(best) < LEAST_DEG || most < SHARPER * straight ? 0 : best;
}

/** Sum of squared counts of both profiles when the page is turned back by `deg`. */
function sharpness(points: Float32Array, deg: number, cell: number, width: number, height: number): number {
  const cos = Math.cos((deg * Math.PI) / 180) / cell, sin = Math.sin((deg * Math.PI) / 180) / cell;
  const half = Math.ceil((width + height) / 2 / cell) + 2;
  const rows = new Uint32Array(2 * half), columns = new Uint32Array(2 * half);
  for (let i = 0; i < points.length; i += 2) {
    columns[Math.floor(points[i] * cos + points[i + 1] * sin) + half]++;
    rows[Math.floor(points[i + 1] * cos - points[i] * sin) + half]++;
  }
  let sum = 0;
  for (let i = 0; i < rows.length; i++) sum += rows[i] * rows[i] + columns[i] * columns[i];
  return sum;
}

/** The page turned back by `deg` about its centre, on white, in a picture of the same size. */
export function turnBack({ widthPx, heightPx, gray }: Picture, deg: number): Picture {
  const cos = Math.cos((deg * Math.PI) / 180), sin = Math.sin((deg * Math.PI) / 180);
  const turned = new Uint8Array(gray.length).fill(255);
  const middleX = (widthPx - 1) / 2, middleY = (heightPx - 1) / 2;
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const fromX = (x - middleX) * cos - (y - middleY) * sin + middleX;
      const fromY = (x - middleX) * sin + (y - middleY) * cos + middleY;
      const left = Math.floor(fromX), top = Math.floor(fromY);
      if (left < 0 || top < 0 || left + 1 >= widthPx || top + 1 >= heightPx) continue;
      const at = top * widthPx + left, dx = fromX - left, dy = fromY - top;
      const upper = gray[at] + dx * (gray[at + 1] - gray[at]);
      const lower = gray[at + widthPx] + dx * (gray[at + widthPx + 1] - gray[at + widthPx]);
      turned[y * widthPx + x] = upper + dy * (lower - upper) + 0.5;
    }
  }
  return { widthPx, heightPx, gray: turned };
}
