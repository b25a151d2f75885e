import { lengthOf, type Segment } from '../content/geometry.js';
import { addTo } from '../content/groups.js';
import type { LineIndex } from './line-index.js';

/** Radius of a circle around a number and largest side of a flag, as shares of the letters' height. */
const RADIUS = [0.6, 2.2] as const;
const LARGEST_FLAG = 4;
/**
 * Corners of a triangle, a flag (a square with a point) and a hexagon. Four corners are a box, which marks a basic
 * dimension.
 */
const CORNERS: ReadonlySet<number> = new Set([3, 5, 6]);

/**
 * Whether a number stands in a circle, triangle, flag or hexagon of its own: it then refers to a note or a parts list
 * and is no dimension.
 */
export function isBallooned(index: LineIndex, x: number, y: number, height: number): boolean {
  if (
    index.rings.some(
      (ring) =>
        ring.radius > RADIUS[0] * height &&
        ring.radius < RADIUS[1] * height &&
        Math.abs(ring.x - x) < ring.radius &&
        Math.hypot(ring.x - x, ring.y - y) < 0.5 * ring.radius,
    )
  )
    return true;
  const strokes = new Map<number, Segment[]>();
  for (const edge of index.near(x, y, 2 * height)) addTo(strokes, edge.stroke, edge);
  return [...strokes.values()].some(
    (edges) =>
      CORNERS.has(edges.length) &&
      isClosed(edges) &&
      isAbout(edges, x, y) &&
      edges.every(({ x0, y0 }) => Math.hypot(x0 - x, y0 - y) < LARGEST_FLAG * height),
  );
}

/** Whether each edge begins where the one before it ends: a stroke may have others, farther away. */
function isClosed(edges: readonly Segment[]): boolean {
  const slack = 0.05 * lengthOf(edges[0]);
  return edges.every(({ x0, y0 }, i) => {
    const before = edges.at(i - 1)!;
    return Math.hypot(x0 - before.x1, y0 - before.y1) < slack;
  });
}

function isAbout(edges: readonly Segment[], x: number, y: number): boolean {
  return edges.reduce(
    (inside, { x0, y0, x1, y1 }) =>
      y0 > y !== y1 > y && x < x0 + ((x1 - x0) * (y - y0)) / (y1 - y0) ? !inside : inside,
    false,
  );
}
