import type { Bounds } from '../geometry/affine.js';

/** The parts of a polyline inside a box, each as x, y pairs (Liang and Barsky, 1984, on each segment). */
export function clippedLine(points: ArrayLike<number>, box: Bounds): number[][] {
  const pieces: number[][] = [];
  let open: number[] | undefined;
  for (let i = 0; i + 3 < points.length; i += 2) {
    const x0 = points[i],
      y0 = points[i + 1],
      dx = points[i + 2] - x0,
      dy = points[i + 3] - y0;
    let from = 0;
    let to = 1;
    for (const [step, room] of [
      [-dx, x0 - box.minX],
      [dx, box.maxX - x0],
      [-dy, y0 - box.minY],
      [dy, box.maxY - y0],
    ]) {
      if (step < 0) from = Math.max(from, room / step);
      else if (step > 0) to = Math.min(to, room / step);
      else if (room < 0) to = -1;
    }
    if (from > to || (from === to && dx === 0 && dy === 0)) {
      open = undefined;
      continue;
    }
    if (open === undefined || from > 0) {
      open = [x0 + from * dx, y0 + from * dy];
      pieces.push(open);
    }
    open.push(x0 + to * dx, y0 + to * dy);
    if (to < 1) open = undefined;
  }
  return pieces;
}

/**
 * The part of a polygon inside a box, closed, as x, y pairs (Sutherland and Hodgman, 1974); empty when there is none.
 */
export function clippedArea(points: ArrayLike<number>, { minX, minY, maxX, maxY }: Bounds): number[] {
  let polygon: number[] = Array.from(points);
  for (const [axis, limit, sign] of [
    [0, minX, 1],
    [0, maxX, -1],
    [1, minY, 1],
    [1, maxY, -1],
  ]) {
    const kept: number[] = [];
    for (let i = 0; i < polygon.length; i += 2) {
      const j = (i + 2) % polygon.length;
      const here = sign * (polygon[i + axis] - limit),
        next = sign * (polygon[j + axis] - limit);
      if (here >= 0) kept.push(polygon[i], polygon[i + 1]);
      if (here >= 0 !== next >= 0) {
        const t = here / (here - next);
        kept.push(polygon[i] + t * (polygon[j] - polygon[i]), polygon[i + 1] + t * (polygon[j + 1] - polygon[i + 1]));
      }
    }
    polygon = kept;
  }
  if (polygon.length >= 6 && (polygon[0] !== polygon[polygon.length - 2] || polygon[1] !== polygon[polygon.length - 1]))
    polygon.push(polygon[0], polygon[1]);
  return polygon;
}
