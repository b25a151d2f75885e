import { join, without, type Cluster } from './clusters.js';
import type { Ink } from '../../bitmap/page-raster.js';
import type { SheetMeasures } from '../sheet-measures.js';

/** Points: the widest gap of a break; the same where both ends have break lines that match; by how much ends of pieces differ. */
const GAP = 36;
const LINED_GAP = 144;
/** Points: how deep a break line is, the first of these that fits, and how much of the piece behind it is compared. */
const BREAKS = [14, 28];
const BODY = 14;
const UNEVEN = 3;
const UNEVEN_SHARE = 0.12;
/** A piece is so many times longer than it is wide at its end. */
const SLENDER = 1.5;
/** Break lines stand out of the piece by so many points. */
const OUT = 1;

/** Sides of boxes along a direction: 0 across the page, 1 down. */
type Axis = 0 | 1;
interface Extent {
  readonly from: number;
  readonly to: number;
}

/**
 * Joins the pieces of views that are broken off and go on: two ends of one width and height face each other. The lines that show the
 * break are no part of the view where they stand out of it.
 */
export function joinBrokenViews(clusters: readonly Cluster[], ink: Ink, measures: SheetMeasures): Cluster[] {
  const left = [...clusters];
  for (let i = 0; i < left.length; i++) {
    for (let k = 0; k < left.length; k++) {
      const joined = i === k ? undefined : joinEither(left[i], left[k], ink, measures);
      if (joined === undefined) continue;
      left[Math.min(i, k)] = joined;
      left.splice(Math.max(i, k), 1);
      i = -1;
      break;
    }
  }
  return left;
}

function joinEither(a: Cluster, b: Cluster, ink: Ink, measures: SheetMeasures): Cluster | undefined {
  for (const deep of BREAKS) {
    const joined = joinAlong(a, b, 0, deep, ink, measures) ?? joinAlong(a, b, 1, deep, ink, measures);
    if (joined !== undefined) return joined;
  }
  return undefined;
}

/** The two as one when `b` goes on where `a` ends. */
function joinAlong(
  a: Cluster,
  b: Cluster,
  axis: Axis,
  deep: number,
  ink: Ink,
  measures: SheetMeasures,
): Cluster | undefined {
  const { point } = measures;
  const [first, second] = [extentOf(a, axis), extentOf(b, axis)];
  const gap = second.from - first.to;
  if (gap < 0 || gap > LINED_GAP * point) return undefined;
  const one = inkedAcross(ink, a, axis, first.to - (deep + BODY) * point, first.to - deep * point);
  const other = inkedAcross(ink, b, axis, second.from + deep * point, second.from + (deep + BODY) * point);
  if (one === undefined || other === undefined) return undefined;
  const width = Math.max(one.to - one.from, other.to - other.from);
  const most = Math.max(UNEVEN * point, UNEVEN_SHARE * width);
  if (!areAlike(one, other, most)) return undefined;
  const left = breakLines(a, axis, one, { from: first.to - deep * point, to: first.to }, measures);
  const right = breakLines(b, axis, other, { from: second.from, to: second.from + deep * point }, measures);
  const areLined =
    left.length > 0 &&
    right.length > 0 &&
    areAlike(reachOf(left, axis, measures), reachOf(right, axis, measures), most);
  const isSlender = Math.min(first.to - first.from, second.to - second.from) >= SLENDER * width;
  if (!areLined && !(isSlender && gap <= GAP * point)) return undefined;
  return without(join(a, b), new Set([...left, ...right]), measures);
}

function areAlike(one: Extent, other: Extent, most: number): boolean {
  return Math.abs(one.from - other.from) <= most && Math.abs(one.to - other.to) <= most;
}

/** From where to where strokes reach across a direction. */
function reachOf(strokes: readonly number[], axis: Axis, { boxes }: SheetMeasures): Extent {
  const across = 1 - axis;
  return {
    from: Math.min(...strokes.map((i) => boxes[4 * i + across])),
    to: Math.max(...strokes.map((i) => boxes[4 * i + 2 + across])),
  };
}

/** Strokes at the end of a piece, when some of them stand out of it. */
function breakLines(
  { strokes }: Cluster,
  axis: Axis,
  body: Extent,
  end: Extent,
  { boxes, point }: SheetMeasures,
): number[] {
  const lies = (i: number): boolean =>
    boxes[4 * i + axis] >= end.from - point && boxes[4 * i + 2 + axis] <= end.to + point;
  const across = 1 - axis;
  const standsOut = (i: number): boolean =>
    boxes[4 * i + across] < body.from - OUT * point || boxes[4 * i + 2 + across] > body.to + OUT * point;
  const lines = strokes.filter(lies);
  return lines.some(standsOut) ? lines : [];
}

function extentOf({ minX, maxX, minY, maxY }: Cluster, axis: Axis): Extent {
  return axis === 0 ? { from: minX, to: maxX } : { from: minY, to: maxY };
}

/** From where to where, across a direction, a cluster is drawn between two places along it. */
function inkedAcross(
  { width, height, bits, scale }: Ink,
  cluster: Cluster,
  axis: Axis,
  along: number,
  end: number,
): Extent | undefined {
  const own = extentOf(cluster, axis === 0 ? 1 : 0);
  const [x, y] = axis === 0 ? [{ from: along, to: end }, own] : [own, { from: along, to: end }];
  let from = Infinity,
    to = -Infinity;
  for (
    let row = Math.max(0, Math.floor(y.from * scale));
    row <= Math.min(height - 1, Math.floor(y.to * scale));
    row++
  ) {
    for (
      let column = Math.max(0, Math.floor(x.from * scale));
      column <= Math.min(width - 1, Math.floor(x.to * scale));
      column++
    ) {
      if (bits[row * width + column] === 0) continue;
      const at = axis === 0 ? row : column;
      if (at < from) from = at;
      if (at > to) to = at;
    }
  }
  return from > to ? undefined : { from: from / scale, to: (to + 1) / scale };
}
