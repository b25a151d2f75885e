import { packedInks } from '../../../descriptors/page-inks.js';
import { viewFacts } from '../../../descriptors/views.js';

/** Width and height of the pictures of lines, and the longer side of what they show, pixels. */
const SIDE = 64;
const SPAN = 60;
/** Largest ratio of the shorter to the longer side of a view that is slender, and least one as it is magnified. */
const SLENDER = 0.25;
/** Slopes of a sketch that are levelled, either way, and steps to the largest: magnified, they would be a shear. */
const MOST_SLOPE = 0.08;
const SLOPES = 32;

/** A slender drawn view, magnified across. */
export interface SlenderView {
  /** u8[64²]: its lines, the shorter side so many times as large: a quarter to a half of the longer one. */
  readonly lines: Uint8Array;
  /** 2, 4, 8 and so on. */
  readonly across: number;
}

/**
 * The only view of a picture, magnified across where it is slender: 64 pixels show three to eight across such a view,
 * the ink of the picture several times as many. Undefined for other views.
 * @param view from `describeViews`. @param inks from `packInks`
 */
export function slenderView(view: Uint8Array, inks: Uint8Array): SlenderView | undefined {
  const { width, height } = viewFacts(view, 0);
  const ratio = Math.min(width, height) / Math.max(width, height);
  const [ink] = packedInks(inks);
  if (!(ratio > 0 && ratio <= SLENDER) || ink === undefined || ink.boxes.length === 0) return undefined;
  let across = 2;
  while (2 * ratio * across <= 2 * SLENDER) across *= 2;
  const points = pointsOf(ink);
  const isWide = width >= height;
  const along = points.map(([x, y]) => (isWide ? x : y)),
    beside = points.map(([x, y]) => (isWide ? y : x));
  const straight = straightened(along, beside);
  if (straight === undefined) return undefined;
  const lines = new Uint8Array(SIDE * SIDE);
  const unit = SPAN / Math.max(straight.length, 1),
    tall = unit * across;
  const middle = (SIDE - 1) / 2;
  for (const [u, v] of straight.places) {
    const at = Math.round(unit * u + middle);
    // A cell is so many pixels tall.
    const from = Math.round(tall * v + middle - (tall - 1) / 2),
      to = Math.max(from, Math.round(tall * v + middle + (tall - 1) / 2));
    for (let row = Math.max(0, from); row <= Math.min(SIDE - 1, to); row++)
      if (at >= 0 && at < SIDE) lines[isWide ? SIDE * row + at : SIDE * at + row] = 255;
  }
  return { lines, across };
}

/** Cells with ink in the box of the only view of a picture. */
function pointsOf({ packed, width, boxes: [box] }: NonNullable<ReturnType<typeof packedInks>[number]>): Point[] {
  const points: Point[] = [];
  for (let y = Math.floor(box.y); y < box.y + box.height; y++)
    for (let x = Math.floor(box.x); x < box.x + box.width; x++) {
      const cell = width * y + x;
      if (((packed[cell >> 3] >> (cell & 7)) & 1) === 1) points.push([x, y]);
    }
  return points;
}

type Point = readonly [x: number, y: number];

/** Places along a view and across it, from the middle of their box, as level as they get, and their length. */
function straightened(
  along: readonly number[],
  beside: readonly number[],
): { readonly places: readonly Point[]; readonly length: number } | undefined {
  if (along.length === 0) return undefined;
  const [left, right] = rangeOf(along),
    [top, bottom] = rangeOf(beside);
  const middle = (left + right) / 2;
  const rise = (right - left) * MOST_SLOPE;
  const rows = new Uint32Array(Math.ceil(bottom - top + 2 * rise) + 3);
  let best = { slope: 0, level: -1 };
  for (let step = 0; step <= 2 * SLOPES; step++) {
    // The least slopes first, so that of equal ones the drawn one stays.
    const slope = (step % 2 === 0 ? 1 : -1) * Math.ceil(step / 2) * (MOST_SLOPE / SLOPES);
    rows.fill(0);
    for (const [i, u] of along.entries()) rows[Math.round(beside[i] - slope * (u - middle) - top + rise)]++;
    const level = rows.reduce((sum, count) => sum + count * count, 0);
    if (level > best.level) best = { slope, level };
  }
  const level = beside.map((v, i) => v - best.slope * (along[i] - middle));
  const [upper, lower] = rangeOf(level);
  const places = along.map((u, i): Point => [u - middle, level[i] - (upper + lower) / 2]);
  return { places, length: right - left };
}

function rangeOf(values: readonly number[]): readonly [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return [low, high];
}
