import { distanceTo, edgeAt } from '../../content/geometry.js';
import type { Sheet } from '../../content/sheet.js';
import { without, type Cluster } from './clusters.js';
import { boxAt, type SheetMeasures } from './sheet-measures.js';

/** Largest distance from the end of a stroke to a stroke that it meets, points. */
const MEET = 1;
/** The same to what goes on behind a break. */
const AT_BREAK = 2;
/** Clusters with more strokes are not examined. */
const MOST_STROKES = 400;
/**
 * Outlines meet at their ends; a cluster with a larger share of loose ends consists of marks, leaders and single lines.
 */
const LOOSE_SHARE = 0.3;
/** A cluster is a view in any case if edges that meet others at both ends have at least this share of its length. */
const HELD_SHARE = 0.6;
/** Points: the widest gap between dashes of one line, and their largest offset from it. */
const DASH_GAP = 9;
const DASH_OFF = 0.5;
/** Most rounds of removing protruding lines, and their largest share of the length of all lines. */
const TURNS = 4;
const MOST_TAKEN = 0.35;
/** Least distance by which a line protrudes from the rest, points. */
const OUT = 2;

/**
 * Number of ends (0 to 2) of each stroke that meet no other stroke and do not continue as a dash or behind a break;
 * closed strokes have no ends.
 */
function looseEnds(
  { strokes: { points, starts } }: Sheet,
  { boxes, point }: SheetMeasures,
  { strokes, bridges = [] }: Pick<Cluster, 'strokes' | 'bridges'>,
): { readonly loose: Uint8Array; readonly ends: number } {
  const near = MEET * point;
  const meets = (own: number, x: number, y: number): boolean =>
    bridges.some((bridge) => distanceTo(bridge, x, y) <= AT_BREAK * point) ||
    strokes.some((i) => {
      if (
        i === own ||
        x < boxes[4 * i] - near ||
        y < boxes[4 * i + 1] - near ||
        x > boxes[4 * i + 2] + near ||
        y > boxes[4 * i + 3] + near
      )
        return false;
      for (let p = starts[i]; p + 1 < starts[i + 1]; p++) if (distanceTo(edgeAt(points, p), x, y) <= near) return true;
      return false;
    });
  const straight = strokes.filter((i) => starts[i + 1] - starts[i] === 2);
  /** Whether a straight stroke continues after a gap, from `x`, `y` along the unit vector `ux`, `uy`. */
  const goesOn = (own: number, x: number, y: number, ux: number, uy: number): boolean =>
    straight.some((i) => {
      if (i === own) return false;
      const [fromX, fromY, toX, toY] = points.subarray(2 * starts[i], 2 * starts[i] + 4);
      const isAhead = (ex: number, ey: number): boolean => {
        const along = (ex - x) * ux + (ey - y) * uy;
        return along > 0 && along <= DASH_GAP * point;
      };
      const off = Math.max(Math.abs((fromX - x) * uy - (fromY - y) * ux), Math.abs((toX - x) * uy - (toY - y) * ux));
      return off <= DASH_OFF * point && (isAhead(fromX, fromY) || isAhead(toX, toY));
    });
  const loose = new Uint8Array(strokes.length);
  let ends = 0;
  strokes.forEach((i, n) => {
    const first = starts[i],
      last = starts[i + 1] - 1;
    if (Math.hypot(points[2 * first] - points[2 * last], points[2 * first + 1] - points[2 * last + 1]) <= near) return;
    for (const [p, other] of [
      [first, last],
      [last, first],
    ]) {
      ends++;
      const x = points[2 * p],
        y = points[2 * p + 1];
      if (meets(i, x, y)) continue;
      const dx = x - points[2 * other],
        dy = y - points[2 * other + 1],
        length = Math.hypot(dx, dy);
      if (last - first > 1 || !goesOn(i, x, y, dx / length, dy / length)) loose[n]++;
    }
  });
  return { loose, ends };
}

/**
 * Whether many ends of the visible edges of a cluster are loose, so that it consists of marks and lines, not of
 * outlines.
 */
export function isLoose(
  sheet: Sheet,
  measures: SheetMeasures,
  { strokes, bridges }: Pick<Cluster, 'strokes' | 'bridges'>,
): boolean {
  if (strokes.length > MOST_STROKES) return false;
  const { loose, ends } = looseEnds(sheet, measures, { strokes, bridges });
  const held = lengthOf(
    strokes.filter((_, n) => loose[n] === 0),
    measures,
  );
  return (
    loose.reduce((sum, count) => sum + count, 0) > LOOSE_SHARE * ends && held < HELD_SHARE * lengthOf(strokes, measures)
  );
}

/**
 * Removes from a cluster the lines that start in it and end outside its outlines: centre lines, leaders and extension
 * lines that nothing else distinguishes from edges. If too little would be left the cluster is returned unchanged,
 * because the edges of a half view end like this too.
 */
export function takeOffLoose(cluster: Cluster, sheet: Sheet, measures: SheetMeasures): Cluster {
  if (cluster.pictures.size > 0 || cluster.strokes.length > MOST_STROKES) return cluster;
  const { point } = measures;
  let left = cluster;
  for (let turn = 0; turn < TURNS; turn++) {
    const { strokes } = left;
    const { loose } = looseEnds(sheet, measures, left);
    const held = without(left, new Set(strokes.filter((_, n) => loose[n] > 0)), measures);
    const out = OUT * point;
    const isOut = (i: number): boolean => {
      const { x0, y0, x1, y1 } = boxAt(measures, i);
      return x0 < held.x0 - out || y0 < held.y0 - out || x1 > held.x1 + out || y1 > held.y1 + out;
    };
    const taken = strokes.filter((i, n) => loose[n] > 0 && isOut(i));
    if (taken.length === 0) break;
    left = without(left, new Set(taken), measures);
  }
  return lengthOf(left.strokes, measures) >= (1 - MOST_TAKEN) * lengthOf(cluster.strokes, measures) ? left : cluster;
}

function lengthOf(strokes: readonly number[], { lengths }: SheetMeasures): number {
  return strokes.reduce((sum, i) => sum + lengths[i], 0);
}
