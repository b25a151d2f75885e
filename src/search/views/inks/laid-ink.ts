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
  const found = new Float32Array(width * height).fill(MOST_DISTANCE);
  for (let at = bits.indexOf(1); at >= 0; at = bits.indexOf(1, at + 1)) found[at] = 0;
  const outside = new Float32Array(width).fill(MOST_DISTANCE);
  let behind: Float32Array = outside;
  for (let y = 0; y < height; y++) behind = stepAlong(found.subarray(y * width, (y + 1) * width), behind, 1);
  behind = outside;
  for (let y = height - 1; y >= 0; y--) behind = stepAlong(found.subarray(y * width, (y + 1) * width), behind, -1);
  return found;
}

/** Lowers the distances of a row, in a direction, by those of the row behind it and its own; returns the row. */
function stepAlong(row: Float32Array, behind: Float32Array, step: 1 | -1): Float32Array {
  const { length } = row;
  const first = step === 1 ? 0 : length - 1;
  // The neighbours move along, so that each cell is read once.
  let before = MOST_DISTANCE,
    left = MOST_DISTANCE,
    middle = behind[first];
  for (let at = first, count = 0; count < length; at += step, count++) {
    const right = count + 1 < length ? behind[at + step] : MOST_DISTANCE;
    let least = row[at];
    if (least > 0) {
      if (before + 1 < least) least = before + 1;
      if (middle + 1 < least) least = middle + 1;
      if (left + DIAGONAL < least) least = left + DIAGONAL;
      if (right + DIAGONAL < least) least = right + DIAGONAL;
      least = Math.fround(least);
      row[at] = least;
    }
    before = least;
    left = middle;
    middle = right;
  }
  return row;
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
