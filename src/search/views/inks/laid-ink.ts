import type { PageInk } from '../../../descriptors/page-inks.js';
import { Similarity } from './similarity.js';

/** A box on an ink, cells. */
export type CellBox = PageInk['boxes'][number];

/** Distances beyond this count as this, cells. */
export const MOST_DISTANCE = 12;
const DIAGONAL = Math.SQRT2;
const MOST_POINTS = 2_000;

/** An ink that is prepared for laying another one over it. */
export interface LaidInk {
  readonly width: number;
  readonly height: number;
  /** f32[2 × count]: x, y of the middles of the cells with ink, {@link MOST_POINTS} at most. */
  readonly points: Float32Array;
  /** f32[height × width]: distance of each cell to the nearest one with ink, cells, at most {@link MOST_DISTANCE}. */
  readonly distances: Float32Array;
  /** Box of all ink, then those of its views and pieces. */
  readonly boxes: readonly CellBox[];
  /** Middle of the ink, and the root mean square distance from it. */
  readonly middle: { readonly x: number; readonly y: number; readonly spread: number };
  /** From places on the page, in units of its longer side, to cells. */
  readonly ofPage: Similarity;
}

/** Prepares an ink. */
export function layInk({ area, skewRad, width, height, bits, boxes }: PageInk): LaidInk {
  const points: number[] = [];
  let x0 = width,
    y0 = height,
    x1 = 0,
    y1 = 0,
    sumX = 0,
    sumY = 0,
    squares = 0;
  for (let i = bits.indexOf(1); i >= 0; i = bits.indexOf(1, i + 1)) {
    const y = Math.floor(i / width),
      x = i - y * width;
    points.push(x + 0.5, y + 0.5);
    x0 = Math.min(x0, x);
    y0 = Math.min(y0, y);
    x1 = Math.max(x1, x + 1);
    y1 = Math.max(y1, y + 1);
    sumX += x + 0.5;
    sumY += y + 0.5;
    squares += (x + 0.5) ** 2 + (y + 0.5) ** 2;
  }
  const count = Math.max(1, points.length / 2);
  const x = sumX / count,
    y = sumY / count;
  // The longer side of the area takes whole cells.
  const unit = Math.max(width, height) / Math.max(area.width, area.height);
  const turn = Similarity.of({ scale: 1, rotationRad: -skewRad, x: 0, y: 0 });
  const middle = { x: area.x + area.width / 2, y: area.y + area.height / 2 };
  const ofPage = Similarity.shift(-middle.x, -middle.y)
    .followedBy(turn)
    .followedBy(Similarity.shift(area.width / 2, area.height / 2))
    .followedBy(Similarity.of({ scale: unit, rotationRad: 0, x: 0, y: 0 }));
  return {
    width,
    height,
    points: thinned(Float32Array.from(points), MOST_POINTS),
    distances: distancesTo(bits, width, height),
    boxes: [{ x: x0, y: y0, width: Math.max(1, x1 - x0), height: Math.max(1, y1 - y0) }, ...boxes],
    middle: { x, y, spread: Math.sqrt(Math.max(squares / count - x * x - y * y, 1)) },
    ofPage,
  };
}

/** Distances by steps to the eight neighbours (Borgefors 1986), at most 8 % too long. */
function distancesTo(bits: Uint8Array, width: number, height: number): Float32Array {
  // A border of one cell makes every cell have eight neighbours.
  const stride = width + 2;
  const grid = new Float32Array(stride * (height + 2)).fill(MOST_DISTANCE);
  for (let y = 0, from = 0; y < height; y++)
    for (let x = 0, at = (y + 1) * stride + 1; x < width; x++, from++, at++) if (bits[from] === 1) grid[at] = 0;
  const pass = (first: number, last: number, step: number): void => {
    for (let at = first; at !== last; at += step) {
      let least = grid[at];
      if (least === 0) continue;
      const beside = grid[at - step] + 1,
        before = grid[at - step * stride] + 1,
        left = grid[at - step * (stride + 1)] + DIAGONAL,
        right = grid[at - step * (stride - 1)] + DIAGONAL;
      if (beside < least) least = beside;
      if (before < least) least = before;
      if (left < least) least = left;
      if (right < least) least = right;
      grid[at] = least;
    }
  };
  for (let y = 1; y <= height; y++) pass(y * stride + 1, (y + 1) * stride - 1, 1);
  for (let y = height; y >= 1; y--) pass((y + 1) * stride - 2, y * stride, -1);
  const found = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (y + 1) * stride + 1;
    found.set(grid.subarray(from, from + width), y * width);
  }
  return found;
}

/** At most this many of some points (x, y each), evenly chosen. */
export function thinned(points: Float32Array, most: number): Float32Array {
  const count = points.length / 2;
  if (count <= most) return points;
  const kept = new Float32Array(2 * most);
  for (let i = 0; i < most; i++) {
    const from = 2 * Math.floor((i * count) / most);
    kept[2 * i] = points[from];
    kept[2 * i + 1] = points[from + 1];
  }
  return kept;
}
