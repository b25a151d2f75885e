import type { Sheet } from '../../content/sheet.js';
import { boxAt, type SheetMeasures } from './sheet-measures.js';

/**
 * Points: least radius of the border of a detail, by how much it may differ from a circle, and by how much an edge may
 * miss it.
 */
const LEAST_RADIUS = 10;
const ROUND = 0.6;
const MISS = 1;
/** Fewest points of an arc. */
const FEWEST_POINTS = 8;
/** Fewest ends of edges on a border. */
const FEWEST_ENDS = 2;
/** Sheets with more circles are not examined further. */
const MOST_CIRCLES = 300;

/** A circle, sheet units, and the strokes that lie on it. */
export interface Circle {
  readonly x: number;
  readonly y: number;
  readonly r: number;
  readonly strokes: number[];
}

/**
 * Finds the borders of details: thin circles, or arcs of them, at which edges end twice or more that come from within,
 * and which no edge crosses. A circle that only marks on another view what a detail shows is crossed by edges.
 * @param isThin whether a stroke is thin, so that it may be a border.
 * @param isEdge whether it is an edge of a part.
 * @returns the strokes of the borders.
 */
export function detailBorders(
  sheet: Sheet,
  measures: SheetMeasures,
  isThin: (stroke: number) => boolean,
  isEdge: (stroke: number) => boolean,
): number[] {
  const circles = circlesOf(sheet, measures, isThin);
  if (circles.length === 0) return [];
  const edges = Array.from({ length: sheet.strokes.count }, (_, i) => i).filter(isEdge);
  return circles.filter((circle) => isBorder(sheet, measures, circle, edges)).flatMap(({ strokes }) => strokes);
}

/** The circles of thin arcs; arcs of one circle are one. */
function circlesOf(sheet: Sheet, measures: SheetMeasures, isThin: (stroke: number) => boolean): Circle[] {
  const { count, starts } = sheet.strokes;
  const { point } = measures;
  const circles: Circle[] = [];
  for (let i = 0; i < count && circles.length < MOST_CIRCLES; i++) {
    if (starts[i + 1] - starts[i] < FEWEST_POINTS || !isThin(i)) continue;
    const circle = circleOf(sheet, i, ROUND * point);
    if (circle === undefined || circle.r < LEAST_RADIUS * point) continue;
    const same = circles.find(
      ({ x, y, r }) => Math.hypot(x - circle.x, y - circle.y) + Math.abs(r - circle.r) < 2 * ROUND * point,
    );
    if (same === undefined) circles.push({ ...circle, strokes: [i] });
    else same.strokes.push(i);
  }
  return circles;
}

/**
 * The circle through three points of a stroke, if all of its points lie on it.
 * @param off sheet units: by how much they may be off.
 * @param first the first point that counts, and the one after the last.
 */
export function circleOf(
  { strokes: { points, starts } }: Sheet,
  stroke: number,
  off: number,
  first = starts[stroke],
  end = starts[stroke + 1],
): { readonly x: number; readonly y: number; readonly r: number } | undefined {
  const count = end - first;
  const [a, b, c] = [0, Math.floor(count / 3), Math.floor((2 * count) / 3)].map((k) => first + k);
  const ax = points[2 * a],
    ay = points[2 * a + 1];
  const bx = points[2 * b] - ax,
    by = points[2 * b + 1] - ay,
    cx = points[2 * c] - ax,
    cy = points[2 * c + 1] - ay;
  const twice = 2 * (bx * cy - by * cx);
  if (twice === 0) return undefined;
  const ux = (cy * (bx * bx + by * by) - by * (cx * cx + cy * cy)) / twice,
    uy = (bx * (cx * cx + cy * cy) - cx * (bx * bx + by * by)) / twice;
  const r = Math.hypot(ux, uy);
  for (let p = first; p < first + count; p++)
    if (Math.abs(Math.hypot(points[2 * p] - ax - ux, points[2 * p + 1] - ay - uy) - r) > off) return undefined;
  return { x: ax + ux, y: ay + uy, r };
}

function isBorder(
  { strokes: { points, starts } }: Sheet,
  measures: SheetMeasures,
  { x, y, r }: Circle,
  edges: readonly number[],
): boolean {
  const miss = MISS * measures.point;
  let ends = 0;
  for (const i of edges) {
    const box = boxAt(measures, i);
    if (box.x0 > x + r || box.x1 < x - r || box.y0 > y + r || box.y1 < y - r) continue;
    // Most strokes of a page lie inside with all of their box.
    if (Math.hypot(Math.max(x - box.x0, box.x1 - x), Math.max(y - box.y0, box.y1 - y)) < r - miss) continue;
    let isInside = false,
      isOutside = false;
    for (let p = starts[i]; p < starts[i + 1] && !(isInside && isOutside); p++) {
      const away = Math.hypot(points[2 * p] - x, points[2 * p + 1] - y);
      if (away > r + miss) isOutside = true;
      else if (away < r - miss) isInside = true;
    }
    if (isInside && isOutside) return false;
    if (!isInside || isOutside) continue;
    const isOn = (p: number): boolean => Math.abs(Math.hypot(points[2 * p] - x, points[2 * p + 1] - y) - r) <= miss;
    for (const p of [starts[i], starts[i + 1] - 1]) if (isOn(p)) ends++;
  }
  return ends >= FEWEST_ENDS;
}
