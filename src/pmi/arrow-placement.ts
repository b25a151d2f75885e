import { edgeAt, type Point, type Segment } from '../content/geometry.js';
import type { DimensionFacts, Sheet, SheetText } from '../content/sheet.js';
import { PMI_TYPE, type PmiTypeId } from './pmi.js';

/** A filled shape near an end of a dimension line is its arrow up to this distance, in letter heights. */
const NEAR = 2.5;
/** An arrow is broader than this share of the letters' height. */
const BROAD = 0.08;

/**
 * Where the arrows and the value of a linear dimension stand (types 0 and 6 to 10): arrows between the measured points
 * or outside them, value between or outside, line between drawn or left out. Type 6 for other dimensions and where no
 * arrows are recognised.
 */
export function arrowPlacement(
  sheet: Sheet,
  annotation: number,
  strokes: readonly number[],
  texts: readonly SheetText[],
): PmiTypeId {
  const { dimension } = sheet.annotations[annotation];
  const axis = dimension && axisOf(dimension, sheet, strokes);
  if (axis === undefined || texts.length === 0) return PMI_TYPE.arrows;
  const height = Math.max(...texts.map((text) => text.height));
  const isValueInside = middleOf(texts, axis) > 0 && middleOf(texts, axis) < axis.length;
  const arrows = [signAt(sheet, strokes, axis, 0, height), signAt(sheet, strokes, axis, axis.length, height)].filter(
    (side) => side !== 0,
  );
  if (arrows.length === 0) return PMI_TYPE.arrows;
  if (arrows.every((side) => side > 0))
    return isValueInside ? PMI_TYPE.arrowsInsideValueInside : PMI_TYPE.arrowsInsideValueOutside;
  if (!arrows.every((side) => side < 0)) return PMI_TYPE.arrows;
  if (isValueInside) return PMI_TYPE.gapValueInside;
  return isLineBetween(sheet, strokes, axis) ? PMI_TYPE.arrowsOutsideValueOutside : PMI_TYPE.gapValueOutside;
}

/** The axis on which the arrows lie. */
interface Axis extends Point {
  readonly ux: number;
  readonly uy: number;
  readonly length: number;
}

/** The axis runs through the definition point along the dimension line, from one extension line to the other. */
function axisOf({ type, points }: DimensionFacts, sheet: Sheet, strokes: readonly number[]): Axis | undefined {
  if ((type !== 'linear' && type !== 'aligned') || points.length < 3) return undefined;
  const [first, second, through] = points;
  // The dimension line ends at `through`, which lies on the second extension line: its direction is that of a line
  // through it.
  const candidates: [number, number][] =
    type === 'aligned'
      ? [[second.x - first.x, second.y - first.y]]
      : [[1, 0], [0, 1], ...directionsThrough(sheet, strokes, through)];
  for (const [dx, dy] of candidates) {
    const size = Math.hypot(dx, dy);
    if (!(size > 0)) continue;
    const ux = dx / size,
      uy = dy / size;
    const along = ({ x, y }: Point): number => (x - through.x) * ux + (y - through.y) * uy;
    const [a, b] = [along(first), along(second)];
    const length = Math.abs(b - a);
    // The second end is the definition point.
    if (!(length > 0) || Math.min(Math.abs(a), Math.abs(b)) > 0.01 * length) continue;
    const start = Math.min(a, b);
    const axis = { x: through.x + start * ux, y: through.y + start * uy, ux, uy, length };
    if (type === 'aligned' || onAxis(sheet, strokes, axis)) return axis;
  }
  return undefined;
}

function* edges({ strokes: { points, starts } }: Sheet, strokes: readonly number[]): Generator<Segment> {
  for (const stroke of strokes) for (let i = starts[stroke]; i + 1 < starts[stroke + 1]; i++) yield edgeAt(points, i);
}

/** The edges in the frame of an axis: s along it from its start, t across. */
function* edgesOn(
  sheet: Sheet,
  strokes: readonly number[],
  axis: Axis,
): Generator<Record<'s0' | 't0' | 's1' | 't1', number>> {
  for (const { x0, y0, x1, y1 } of edges(sheet, strokes)) {
    const [s0, t0] = placeOn(axis, x0, y0),
      [s1, t1] = placeOn(axis, x1, y1);
    yield { s0, t0, s1, t1 };
  }
}

function directionsThrough(sheet: Sheet, strokes: readonly number[], { x, y }: Point): [number, number][] {
  const found: [number, number][] = [];
  for (const { x0, y0, x1, y1 } of edges(sheet, strokes)) {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length > 0 && Math.abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) < 0.01 * length * length)
      found.push([x1 - x0, y1 - y0]);
  }
  return found.slice(0, 16);
}

function placeOn(axis: Axis, x: number, y: number): readonly [s: number, t: number] {
  const dx = x - axis.x,
    dy = y - axis.y;
  return [dx * axis.ux + dy * axis.uy, dy * axis.ux - dx * axis.uy];
}

/** Whether a line of the dimension lies on the axis. */
function onAxis(sheet: Sheet, strokes: readonly number[], axis: Axis): boolean {
  for (const { s0, t0, s1, t1 } of edgesOn(sheet, strokes, axis)) {
    if (Math.abs(t0) + Math.abs(t1) < 0.005 * axis.length && Math.abs(s1 - s0) > 0.02 * axis.length) return true;
  }
  return false;
}

function middleOf(texts: readonly SheetText[], axis: Axis): number {
  const middles = texts.map(
    ({ x, y, angleRad, width }) =>
      placeOn(axis, x + (width / 2) * Math.cos(angleRad), y + (width / 2) * Math.sin(angleRad))[0],
  );
  return middles.reduce((sum, s) => sum + s, 0) / middles.length;
}

/** 1: the arrow at this end stands between the ends; -1: outside; 0: no arrow points either way. */
function signAt(sheet: Sheet, strokes: readonly number[], axis: Axis, end: number, height: number): number {
  let sum = 0,
    breadth = 0;
  for (const { s0, t0, s1, t1 } of edgesOn(sheet, strokes, axis)) {
    const far = Math.max(Math.hypot(s0 - end, t0), Math.hypot(s1 - end, t1));
    if (far > NEAR * height || far > 0.6 * axis.length + NEAR * height * 0.2) continue;
    // Only edges across the axis are arrows: edges on it are the dimension line, perpendicular ones at the ends are
    // extension lines.
    const isOnLine = Math.abs(t0) + Math.abs(t1) < BROAD * height,
      isExtension = Math.abs(s0 - s1) < 0.05 * Math.abs(t0 - t1) && Math.abs(s0 - end) < BROAD * height;
    if (isOnLine || isExtension) continue;
    breadth = Math.max(breadth, Math.abs(t0), Math.abs(t1));
    sum += (s0 + s1) / 2 - end;
  }
  if (breadth < BROAD * height || Math.abs(sum) < BROAD * height) return 0;
  return Math.sign(end === 0 ? sum : -sum);
}

function isLineBetween(sheet: Sheet, strokes: readonly number[], axis: Axis): boolean {
  let covered = 0;
  for (const { s0, t0, s1, t1 } of edgesOn(sheet, strokes, axis)) {
    if (Math.abs(t0) + Math.abs(t1) > 0.01 * axis.length) continue;
    covered += Math.max(0, Math.min(axis.length, Math.max(s0, s1)) - Math.max(0, Math.min(s0, s1)));
  }
  return covered > 0.5 * axis.length;
}
