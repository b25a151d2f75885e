import type { Corners } from '../../content/geometry.js';
import { MILLIMETRES } from '../../content/units.js';
import { medianOf } from '../../content/groups.js';
import type { Sheet } from '../../content/sheet.js';

/** Measures of the strokes of a sheet that several steps use. */
export interface SheetMeasures {
  /**
   * About one point (1/72 inch) on paper, in the sheet's unit; estimated from the size of letters if the unit is not
   * one of paper.
   */
  readonly point: number;
  /** f32[4 × count]: least x, least y, largest x, largest y of each stroke. */
  readonly boxes: Float32Array;
  /** f32[count]: length of each stroke. */
  readonly lengths: Float32Array;
}

const PT_MM = MILLIMETRES.in / 72;
/** Usual height of the letters of dimensions, points. */
const LETTER_POINTS = 9;
/** Letters outside this range of heights, points, show that the sheet was scaled for another size of paper. */
const SMALL_LETTER_POINTS = 7;
const LARGE_LETTER_POINTS = 16;
/** Assumed length of a sheet without a known unit: that of A4. */
const SHEET_POINTS = 842;
/** Bounds of the longer side of a sheet, points: a card, and twice the longest standard sheet. */
const SHORTEST_POINTS = 200;
const LONGEST_POINTS = 7_000;
/** Fewest texts from which the size of letters is taken. */
const TEXTS = 5;

/** The box of a stroke. */
export function boxAt({ boxes }: Pick<SheetMeasures, 'boxes'>, stroke: number): Corners {
  return { x0: boxes[4 * stroke], y0: boxes[4 * stroke + 1], x1: boxes[4 * stroke + 2], y1: boxes[4 * stroke + 3] };
}

export function measureSheet(sheet: Sheet): SheetMeasures {
  const { count, points, starts } = sheet.strokes;
  const boxes = new Float32Array(4 * count);
  const lengths = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    let minX = Infinity,
      minY = Infinity,
      maxX = -Infinity,
      maxY = -Infinity,
      length = 0;
    for (let p = starts[i]; p < starts[i + 1]; p++) {
      const x = points[2 * p],
        y = points[2 * p + 1];
      if (x < minX) minX = x;
      if (x > maxX) maxX = x;
      if (y < minY) minY = y;
      if (y > maxY) maxY = y;
      if (p > starts[i]) length += Math.hypot(x - points[2 * p - 2], y - points[2 * p - 1]);
    }
    boxes.set([minX, minY, maxX, maxY], 4 * i);
    lengths[i] = length;
  }
  return { point: pointOf(sheet), boxes, lengths };
}

function pointOf({ width, height, unitMm, space, texts }: Sheet): number {
  const side = Math.max(width, height);
  const within = (point: number): number => Math.min(side / SHORTEST_POINTS, Math.max(side / LONGEST_POINTS, point));
  const letters = texts.length < TEXTS ? undefined : medianOf(texts.map(({ height: letter }) => letter));
  if (space === 'paper' && unitMm !== null) {
    const point = PT_MM / unitMm;
    return within(
      letters === undefined
        ? point
        : Math.min(Math.max(point, letters / LARGE_LETTER_POINTS), letters / SMALL_LETTER_POINTS),
    );
  }
  return letters === undefined ? side / SHEET_POINTS : within(letters / LETTER_POINTS);
}
