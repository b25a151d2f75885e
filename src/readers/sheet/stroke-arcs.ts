import type { Arc, Sheet } from '../../content/sheet.js';

/** Polylines with fewer chords, or with a larger turn between two, rad, may be polygons and are not arcs. */
const FEWEST_CHORDS = 4;
const WIDEST_TURN = Math.PI / 5;
/** Largest distance of the points from the circle, and least depth of an arc, as fractions of the radius. */
const OFF = 0.015;
const DEPTH = 0.03;

/**
 * Finds the strokes that are circles or arcs, for formats that have only curves or polylines. Fills are not examined.
 */
export function findArcs({ strokes: { count, points, starts, styles }, styles: all }: Sheet): Arc[] {
  const arcs: Arc[] = [];
  for (let i = 0; i < count; i++) {
    if (starts[i + 1] - starts[i] > FEWEST_CHORDS && !all[styles[i]].isFill) {
      const arc = arcOf(points.subarray(2 * starts[i], 2 * starts[i + 1]));
      if (arc !== undefined) arcs.push({ stroke: i, ...arc });
    }
  }
  return arcs;
}

function arcOf(points: Float32Array): Omit<Arc, 'stroke'> | undefined {
  const last = points.length / 2 - 1;
  const isClosed =
    Math.hypot(points[2 * last] - points[0], points[2 * last + 1] - points[1]) <
    1e-3 * Math.hypot(points[0] - points[2], points[1] - points[3]);
  const [a, b, c] = isClosed ? [0, Math.round(last / 3), Math.round((2 * last) / 3)] : [0, Math.round(last / 2), last];
  const center = circumcenter(points, a, b, c);
  if (center === undefined) return undefined;
  const { x, y } = center;
  const radius = Math.hypot(points[0] - x, points[1] - y);
  let sweep = 0;
  let before = Math.atan2(points[1] - y, points[0] - x);
  for (let p = 1; p <= last; p++) {
    const dx = points[2 * p] - x,
      dy = points[2 * p + 1] - y;
    if (Math.abs(Math.hypot(dx, dy) - radius) > OFF * radius) return undefined;
    const angle = Math.atan2(dy, dx);
    const turn = Math.atan2(Math.sin(angle - before), Math.cos(angle - before));
    if (Math.abs(turn) > WIDEST_TURN || turn * sweep < 0) return undefined;
    sweep += turn;
    before = angle;
  }
  if (Math.abs(sweep) > 2 * Math.PI + 0.01 || 1 - Math.cos(Math.min(Math.PI, Math.abs(sweep) / 2)) < DEPTH)
    return undefined;
  return {
    x,
    y,
    radius,
    startRad: Math.atan2(points[1] - y, points[0] - x),
    sweepRad: isClosed ? 2 * Math.PI * Math.sign(sweep) : sweep,
  };
}

function circumcenter(points: Float32Array, a: number, b: number, c: number): { x: number; y: number } | undefined {
  const bx = points[2 * b] - points[2 * a],
    by = points[2 * b + 1] - points[2 * a + 1];
  const cx = points[2 * c] - points[2 * a],
    cy = points[2 * c + 1] - points[2 * a + 1];
  const twice = 2 * (bx * cy - by * cx);
  const b2 = bx * bx + by * by,
    c2 = cx * cx + cy * cy;
  if (!(Math.abs(twice) > 1e-6 * Math.max(b2, c2))) return undefined;
  return { x: points[2 * a] + (cy * b2 - by * c2) / twice, y: points[2 * a + 1] + (bx * c2 - cx * b2) / twice };
}
