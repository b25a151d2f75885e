import { longerSide, type Point } from '../../content/geometry.js';
import type { Sheet } from '../../content/sheet.js';
import { boxAt, type SheetMeasures } from './sheet-measures.js';

/** The head of an arrow; its place is that of the tip. */
export interface Arrowhead extends Point {
  readonly strokes: readonly number[];
  /** Unit vector from its base to its tip. */
  readonly dx: number;
  readonly dy: number;
  readonly length: number;
}

/** Lengths of heads in points, and their ratios of length to width. */
const SHORTEST = 2.5;
const LONGEST = 24;
const SLIMMEST = 9;
const BROADEST = 1.2;
/** The filled triangle of a datum symbol is about as high as wide. */
const BROADEST_FILLED = 0.75;
/** Largest number of heads of a sheet; hatchings made of triangles have more. */
const MOST = 20_000;

/** Finds slim triangles, filled or outlined, and pairs of equal strokes that meet at a sharp angle. */
export function findArrowheads(sheet: Sheet, measures: SheetMeasures): Arrowhead[] {
  const {
    strokes: { count, points, starts, styles },
    styles: all,
  } = sheet;
  const { point } = measures;
  const heads: Arrowhead[] = [];
  const corners: number[] = [];
  for (let i = 0; i < count && heads.length < MOST; i++) {
    const pointCount = starts[i + 1] - starts[i];
    const side = longerSide(boxAt(measures, i));
    if (pointCount < 3 || pointCount > 6 || side < 0.6 * SHORTEST * point || side > LONGEST * point) continue;
    corners.length = 0;
    for (let p = starts[i]; p < starts[i + 1]; p++) {
      const x = points[2 * p],
        y = points[2 * p + 1];
      const isNew = corners.every(
        (_, c) => c % 2 === 1 || Math.hypot(x - corners[c], y - corners[c + 1]) > 0.02 * side,
      );
      if (isNew) corners.push(x, y);
    }
    const isClosed =
      all[styles[i]].isFill ||
      (points[2 * starts[i]] === points[2 * starts[i + 1] - 2] &&
        points[2 * starts[i] + 1] === points[2 * starts[i + 1] - 1]);
    const broadest = all[styles[i]].isFill ? BROADEST_FILLED : BROADEST;
    const head =
      corners.length === 6
        ? headOf(corners, isClosed, broadest)
        : corners.length === 8 && isClosed
          ? headOfFour(corners)
          : undefined;
    if (head === undefined || head.length < SHORTEST * point || head.length > LONGEST * point) continue;
    heads.push({ strokes: [i], ...head });
  }
  return [...heads, ...findOpenHeads(sheet, measures)];
}

/** A head with three corners: the tip is opposite the shortest side; in an open head it is the middle corner. */
function headOf(
  corners: readonly number[],
  isClosed: boolean,
  broadest: number,
): Omit<Arrowhead, 'strokes'> | undefined {
  const side = (a: number, b: number): number =>
    Math.hypot(corners[2 * a] - corners[2 * b], corners[2 * a + 1] - corners[2 * b + 1]);
  const sides = [side(1, 2), side(2, 0), side(0, 1)];
  const tip = isClosed ? sides.indexOf(Math.min(...sides)) : 1;
  const [a, b] = [(tip + 1) % 3, (tip + 2) % 3];
  // Both flanks must be equally long.
  if (Math.abs(sides[a] - sides[b]) > 0.12 * Math.max(sides[a], sides[b])) return undefined;
  return headAt(corners, { tip, a, b }, sides[tip], broadest);
}

/** A head with four corners: with a notch in its base, or a very slim trapezium. */
function headOfFour(corners: readonly number[]): Omit<Arrowhead, 'strokes'> | undefined {
  for (let tip = 0; tip < 4; tip++) {
    const a = (tip + 1) % 4,
      notch = (tip + 2) % 4,
      b = (tip + 3) % 4;
    const left = Math.hypot(corners[2 * a] - corners[2 * tip], corners[2 * a + 1] - corners[2 * tip + 1]);
    const right = Math.hypot(corners[2 * b] - corners[2 * tip], corners[2 * b + 1] - corners[2 * tip + 1]);
    const deep = Math.hypot(corners[2 * notch] - corners[2 * tip], corners[2 * notch + 1] - corners[2 * tip + 1]);
    const base = Math.hypot(corners[2 * a] - corners[2 * b], corners[2 * a + 1] - corners[2 * b + 1]);
    if (Math.abs(left - right) > 0.12 * Math.max(left, right) || base > left || deep > 1.02 * left || deep < 0.5 * left)
      continue;
    const head = headAt(corners, { tip, a, b }, base, BROADEST);
    if (head !== undefined) return head;
  }
  return undefined;
}

/**
 * The head with its tip at one corner and its base between corners `a` and `b`; undefined if it is too broad or too
 * slim.
 */
function headAt(
  corners: readonly number[],
  { tip, a, b }: Record<'tip' | 'a' | 'b', number>,
  width: number,
  broadest: number,
): Omit<Arrowhead, 'strokes'> | undefined {
  const x = corners[2 * tip],
    y = corners[2 * tip + 1];
  const baseX = (corners[2 * a] + corners[2 * b]) / 2,
    baseY = (corners[2 * a + 1] + corners[2 * b + 1]) / 2;
  const length = Math.hypot(x - baseX, y - baseY);
  if (length < broadest * width || length > SLIMMEST * width) return undefined;
  return { x, y, dx: (x - baseX) / length, dy: (y - baseY) / length, length };
}

/** Finds heads whose flanks are two separate straight strokes of equal length that start at one point. */
function findOpenHeads(
  { strokes: { count, points, starts, styles }, styles: all }: Sheet,
  { lengths, point }: SheetMeasures,
): Arrowhead[] {
  const grain = 0.25 * point;
  const ends = new Map<string, { stroke: number; x: number; y: number; toX: number; toY: number }[]>();
  let entries = 0;
  for (let i = 0; i < count && entries < 10 * MOST; i++) {
    if (
      starts[i + 1] - starts[i] !== 2 ||
      lengths[i] < SHORTEST * point ||
      lengths[i] > LONGEST * point ||
      all[styles[i]].isFill
    )
      continue;
    const [x0, y0, x1, y1] = points.subarray(2 * starts[i], 2 * starts[i] + 4);
    for (const [x, y, toX, toY] of [
      [x0, y0, x1, y1],
      [x1, y1, x0, y0],
    ]) {
      entries++;
      const key = `${Math.round(x / grain)} ${Math.round(y / grain)}`;
      const list = ends.get(key);
      if (list === undefined) ends.set(key, [{ stroke: i, x, y, toX, toY }]);
      else if (list.length < 8) list.push({ stroke: i, x, y, toX, toY });
    }
  }
  const heads: Arrowhead[] = [];
  for (const list of ends.values()) {
    for (let a = 0; a < list.length && heads.length < MOST; a++) {
      for (let b = a + 1; b < list.length; b++) {
        const { x, y } = list[a];
        const head = headOf([list[a].toX, list[a].toY, x, y, list[b].toX, list[b].toY], false, BROADEST);
        if (head === undefined) continue;
        // The stroke that closes its base, if there is one.
        const base = ends
          .get(`${Math.round(list[a].toX / grain)} ${Math.round(list[a].toY / grain)}`)
          ?.find(({ toX, toY }) => Math.hypot(toX - list[b].toX, toY - list[b].toY) < grain);
        heads.push({
          strokes: [list[a].stroke, list[b].stroke, ...(base === undefined ? [] : [base.stroke])],
          ...head,
        });
      }
    }
  }
  return heads;
}
