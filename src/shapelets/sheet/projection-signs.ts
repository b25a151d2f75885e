import { areaOf } from '../../content/geometry.js';
import type { Sheet } from '../../content/sheet.js';
import type { Cluster } from './clusters.js';
import { circleOf, type Circle } from './detail-borders.js';
import type { SheetMeasures } from './sheet-measures.js';

/** Most strokes of a cone and of its circles: four edges or arcs each, their halves, and centre lines. */
const MOST_STROKES = 16;
/** Largest area as a share of the largest view: a conical part drawn in two views is as large as its other views. */
const MOST_SHARE = 0.25;
/** Points: by how much corners and circles may be off. */
const OFF = 0.6;
/** How far circles and cone may be from one axis, and how much their sizes may differ, as shares of the radius. */
const ASIDE = 0.15;
const UNLIKE = 0.25;
/** Corners of arcs, at least. */
const ARC_POINTS = 8;

/** The outline of a truncated cone: the middles of its two parallel sides and half their lengths. */
interface Cone {
  readonly ends: readonly { readonly x: number; readonly y: number; readonly half: number }[];
}

/**
 * Leaves out the sign of the projection method (ISO 5456-2), a truncated cone beside two concentric circles, each of
 * which looks like a small view. A cone that is about as large as the other views is a part.
 */
export function withoutProjectionSigns<T extends Cluster>(sheet: Sheet, measures: SheetMeasures, views: T[]): T[] {
  const largest = Math.max(...views.map(areaOf));
  const small = views
    .filter((view) => view.pictures.size === 0 && view.strokes.length <= MOST_STROKES)
    .filter((view) => areaOf(view) <= MOST_SHARE * largest)
    .map((view) => ({ view, cone: coneOf(sheet, measures, view), rings: ringsOf(sheet, measures, view) }));
  const signs = new Set<T>();
  for (const { view, cone } of small) {
    const beside = small.find(({ rings }) => cone !== undefined && rings !== undefined && isShownBy(cone, rings));
    if (beside !== undefined) signs.add(view).add(beside.view);
  }
  return views.filter((view) => !signs.has(view));
}

/** Whether two circles show a cone along its axis: they lie on it, and have the diameters of its ends. */
function isShownBy({ ends }: Cone, [inner, outer]: readonly [Circle, Circle]): boolean {
  const [small, large] = ends[0].half < ends[1].half ? ends : [ends[1], ends[0]];
  const [dx, dy] = [large.x - small.x, large.y - small.y];
  const aside = Math.abs((outer.x - small.x) * dy - (outer.y - small.y) * dx) / Math.hypot(dx, dy);
  return (
    aside < ASIDE * outer.r &&
    Math.abs(large.half - outer.r) < UNLIKE * outer.r &&
    Math.abs(small.half - inner.r) < UNLIKE * outer.r
  );
}

/** The two concentric circles of a cluster of which all curves lie on them. */
function ringsOf(sheet: Sheet, { point }: SheetMeasures, { strokes }: Cluster): [Circle, Circle] | undefined {
  const { starts } = sheet.strokes;
  const circles: Circle[] = [];
  for (const i of strokes) {
    if (starts[i + 1] - starts[i] < ARC_POINTS) continue;
    const circle = circleOf(sheet, i, OFF * point);
    if (circle === undefined) return undefined;
    const isKnown = circles.some(
      ({ x, y, r }) => Math.hypot(x - circle.x, y - circle.y) + Math.abs(r - circle.r) < 2 * OFF * point,
    );
    if (!isKnown) circles.push({ ...circle, strokes: [i] });
  }
  if (circles.length !== 2) return undefined;
  const [inner, outer] = circles.sort((a, b) => a.r - b.r);
  return Math.hypot(inner.x - outer.x, inner.y - outer.y) < OFF * point && inner.r < outer.r
    ? [inner, outer]
    : undefined;
}

/** The cone of a cluster whose straight edges are four sides of a trapezoid that is alike on both sides of its axis. */
function coneOf({ strokes: { points, starts } }: Sheet, { point }: SheetMeasures, cluster: Cluster): Cone | undefined {
  const near = OFF * point;
  const corners: { x: number; y: number }[] = [];
  const edges: (readonly [number, number])[] = [];
  const cornerAt = (p: number): number => {
    const [x, y] = [points[2 * p], points[2 * p + 1]];
    const known = corners.findIndex((corner) => Math.hypot(corner.x - x, corner.y - y) <= near);
    return known >= 0 ? known : corners.push({ x, y }) - 1;
  };
  for (const i of cluster.strokes) {
    if (starts[i + 1] - starts[i] >= ARC_POINTS) continue;
    for (let p = starts[i]; p + 1 < starts[i + 1]; p++) {
      const ends = [cornerAt(p), cornerAt(p + 1)].sort((a, b) => a - b);
      if (ends[0] !== ends[1] && !edges.some(([a, b]) => a === ends[0] && b === ends[1]))
        edges.push([ends[0], ends[1]]);
    }
  }
  // Lines that pass through an edge are centre lines.
  const sides = edges.filter(([a, b]) =>
    [a, b].every((corner) => edges.filter((edge) => edge.includes(corner)).length === 2),
  );
  if (sides.length !== 4) return undefined;
  for (const [a, b] of sides) {
    const other = sides.find((side) => !side.includes(a) && !side.includes(b));
    if (other === undefined) return undefined;
    const ends = [[a, b] as const, other].map(([from, to]) => ({
      x: (corners[from].x + corners[to].x) / 2,
      y: (corners[from].y + corners[to].y) / 2,
      half: Math.hypot(corners[from].x - corners[to].x, corners[from].y - corners[to].y) / 2,
    }));
    const axis = [ends[1].x - ends[0].x, ends[1].y - ends[0].y];
    const isAcross = [[a, b] as const, other].every(
      ([from, to]) =>
        Math.abs((corners[to].x - corners[from].x) * axis[0] + (corners[to].y - corners[from].y) * axis[1]) <
        near * Math.hypot(axis[0], axis[1]),
    );
    if (isAcross && Math.abs(ends[0].half - ends[1].half) > near) return { ends };
  }
  return undefined;
}
