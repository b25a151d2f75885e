import type { Picture } from '../content/sheet.js';
import type { Ink } from './binarise.js';

/** Largest angle that is searched, and the angle below which a page counts as straight, degrees. */
const MOST_DEG = 7;
const LEAST_DEG = 0.2;
/** Least ratio of the sharpness of the profiles to that of the unrotated page; for skewed pages it is 10 to 150. */
const SHARPER = 1.5;
/** Largest number of outline pixels that are used. */
const SAMPLES = 30_000;
/**
 * Cells of a profile along the longer side of the page, and cells on each side of one over which the local mean is
 * taken.
 */
const CELLS = 1_200;
const AROUND = 4;
/**
 * The search for the angle: range about the last result, stride, and size of the cells. Wide cells come first, because
 * with fine ones the peak is only 0.1 degrees wide.
 */
const STEPS = [
  { rangeDeg: MOST_DEG, strideDeg: 0.4, cells: 4 },
  { rangeDeg: 0.4, strideDeg: 0.1, cells: 2 },
  { rangeDeg: 0.15, strideDeg: 0.05, cells: 1 },
] as const;

/**
 * Skew of a page, degrees, positive clockwise; 0 when it is straight or has no dominant direction. The outlines of the
 * ink are projected onto the sides of the page. The profiles are sharpest (largest sum of squared differences from the
 * local mean) when lines of the drawing are parallel to the sides. Filled and shaded areas have no long straight
 * outlines and contribute little.
 */
export function skewOf({ width, height, ink: { bits } }: Ink): number {
  const points = outlinesOf(bits, width, height);
  if (points.length < 400) return 0;
  const cell = Math.max(1, Math.round(Math.max(width, height) / CELLS));
  let best = 0;
  for (const { rangeDeg, strideDeg, cells } of STEPS) {
    const middle = best;
    let most = sharpness(points, middle, cells * cell, width, height);
    for (let turn = -rangeDeg; turn <= rangeDeg + 1e-9; turn += strideDeg) {
      const found = sharpness(points, middle + turn, cells * cell, width, height);
      if (found > most) [best, most] = [middle + turn, found];
    }
  }
  const isSharper = sharpness(points, best, cell, width, height) > SHARPER * sharpness(points, 0, cell, width, height);
  return Math.abs(best) < LEAST_DEG || !isSharper ? 0 : best;
}

/**
 * f32[2 × count]: x, y of ink pixels beside paper, relative to the centre of the page; an even subset if there are
 * many.
 */
function outlinesOf(bits: Uint8Array, width: number, height: number): Float32Array {
  const found: number[] = [];
  for (let i = bits.indexOf(1); i >= 0; i = bits.indexOf(1, i + 1)) {
    if (bits[i - 1] !== 1 || bits[i + 1] !== 1 || bits[i - width] !== 1 || bits[i + width] !== 1) found.push(i);
  }
  const step = Math.max(1, Math.ceil(found.length / SAMPLES));
  const points = new Float32Array(2 * Math.ceil(found.length / step));
  for (let i = 0, at = 0; i < found.length; i += step) {
    const y = Math.floor(found[i] / width);
    points[at++] = found[i] - y * width - width / 2;
    points[at++] = y - height / 2;
  }
  return points;
}

/**
 * Sharpness of both profiles after rotating the page back by `deg`. Each point is divided between two cells; otherwise
 * the pixel rows of a straight page would fall unevenly into cells.
 */
function sharpness(points: Float32Array, deg: number, cell: number, width: number, height: number): number {
  const cos = Math.cos((deg * Math.PI) / 180) / cell,
    sin = Math.sin((deg * Math.PI) / 180) / cell;
  const half = Math.ceil((width + height) / 2 / cell) + 2;
  const rows = new Float32Array(2 * half),
    columns = new Float32Array(2 * half);
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i] * cos + points[i + 1] * sin + half,
      y = points[i + 1] * cos - points[i] * sin + half;
    const column = Math.floor(x),
      row = Math.floor(y);
    columns[column] += 1 - (x - column);
    columns[column + 1] += x - column;
    rows[row] += 1 - (y - row);
    rows[row + 1] += y - row;
  }
  return contrast(rows) + contrast(columns);
}

/** Sum of squared differences from the local mean. */
function contrast(profile: Float32Array): number {
  const window = 2 * AROUND + 1;
  let squares = 0,
    sum = 0;
  for (let i = 0; i < profile.length; i++) {
    sum += profile[i] - (i < window ? 0 : profile[i - window]);
    if (i >= window - 1) squares += (profile[i - AROUND] - sum / window) ** 2;
  }
  return squares;
}

/** The page rotated back by `deg` about its centre, on white, in a picture of the same size. */
export function turnBack({ widthPx, heightPx, gray }: Picture, deg: number): Picture {
  const cos = Math.cos((deg * Math.PI) / 180),
    sin = Math.sin((deg * Math.PI) / 180);
  const turned = new Uint8Array(gray.length).fill(255);
  const middleX = (widthPx - 1) / 2,
    middleY = (heightPx - 1) / 2;
  for (let y = 0; y < heightPx; y++) {
    for (let x = 0; x < widthPx; x++) {
      const fromX = (x - middleX) * cos - (y - middleY) * sin + middleX;
      const fromY = (x - middleX) * sin + (y - middleY) * cos + middleY;
      const left = Math.floor(fromX),
        top = Math.floor(fromY);
      if (left < 0 || top < 0 || left + 1 >= widthPx || top + 1 >= heightPx) continue;
      const at = top * widthPx + left,
        dx = fromX - left,
        dy = fromY - top;
      const upper = gray[at] + dx * (gray[at + 1] - gray[at]);
      const lower = gray[at + widthPx] + dx * (gray[at + widthPx + 1] - gray[at + widthPx]);
      turned[y * widthPx + x] = upper + dy * (lower - upper) + 0.5;
    }
  }
  return { widthPx, heightPx, gray: turned };
}
