import { shownArea, type Arc, type Sheet } from '../../content/sheet.js';

/** Most loops of a page that are kept: of one with more nothing is told. */
export const MOST_LOOPS = 128;
/** Least corners of a closed line that is a circle, and how far they may be off it, as a share of its radius. */
const LEAST_CORNERS = 8;
const ROUND = 0.01;
/** Corners all around a circle have its radius as their root mean square distance from their middle, but for this. */
const AROUND = 0.25;
/** Ends that are nearer, as a share of the radius, close a line. */
const CLOSED = 0.02;
/** Least part of a turn that is a whole one. */
const TURN = 2 * Math.PI * (1 - 1e-3);

/**
 * The circles that are drawn as one line each, whether as arcs or as corners on them: x, y (from the upper left corner
 * of what is shown) and radius of each, in units of the longer side of that, in the order of the lines; f32[3 ×
 * count]. Sums of lines do not show that a small one came or was moved by little. Filled areas are left out. Undefined
 * for more than {@link MOST_LOOPS}.
 */
export function roundLoops(sheet: Sheet): Float32Array | undefined {
  const area = shownArea(sheet);
  const longer = Math.max(area.width, area.height);
  const arcs = new Map(sheet.arcs.map((arc) => [arc.stroke, arc]));
  const { strokes, styles } = sheet;
  const found: number[] = [];
  for (let stroke = 0; stroke < strokes.count; stroke++) {
    if (styles[strokes.styles[stroke]].isFill) continue;
    const arc = arcs.get(stroke);
    const loop = arc === undefined ? loopOf(sheet, stroke) : wholeTurn(arc);
    if (loop === undefined) continue;
    const own = [(loop.x - area.x) / longer, (loop.y - area.y) / longer, loop.radius / longer];
    // What lies outside of the paper is not shown.
    if (own.every((value) => value >= 0)) found.push(...own);
    if (found.length > 3 * MOST_LOOPS) return undefined;
  }
  return Float32Array.from(found);
}

interface Loop {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

function wholeTurn({ x, y, radius, sweepRad }: Arc): Loop | undefined {
  return Math.abs(sweepRad) >= TURN ? { x, y, radius } : undefined;
}

/** The circle on which the corners of a closed line lie: least squares, which does not mind how they are spread. */
function loopOf({ strokes }: Sheet, stroke: number): Loop | undefined {
  const { points, starts } = strokes;
  const first = starts[stroke],
    last = starts[stroke + 1] - 1;
  const count = last - first;
  if (count < LEAST_CORNERS) return undefined;
  let middleX = 0,
    middleY = 0;
  for (let i = first; i < last; i++) {
    middleX += points[2 * i] / count;
    middleY += points[2 * i + 1] / count;
  }
  let uu = 0,
    uv = 0,
    vv = 0,
    uCubed = 0,
    vCubed = 0;
  for (let i = first; i < last; i++) {
    const u = points[2 * i] - middleX,
      v = points[2 * i + 1] - middleY;
    const square = u * u + v * v;
    uu += u * u;
    uv += u * v;
    vv += v * v;
    uCubed += u * square;
    vCubed += v * square;
  }
  const determinant = 2 * (uu * vv - uv * uv);
  if (!(determinant > 0)) return undefined;
  const u = (uCubed * vv - vCubed * uv) / determinant,
    v = (vCubed * uu - uCubed * uv) / determinant;
  const radius = Math.sqrt(u * u + v * v + (uu + vv) / count);
  // All around it: the corners of a line that goes to and fro lie on a circle that is far larger.
  const spread = (uu + vv) / count / (radius * radius);
  if (!(spread >= 1 - AROUND)) return undefined;
  const x = middleX + u,
    y = middleY + v;
  const isOn = (i: number): boolean => {
    const [across, down] = [points[2 * i] - x, points[2 * i + 1] - y];
    return Math.abs(Math.sqrt(across * across + down * down) - radius) <= ROUND * radius;
  };
  const [gapX, gapY] = [points[2 * last] - points[2 * first], points[2 * last + 1] - points[2 * first + 1]];
  if (Math.sqrt(gapX * gapX + gapY * gapY) > CLOSED * radius) return undefined;
  for (let i = first; i <= last; i++) if (!isOn(i)) return undefined;
  return { x, y, radius };
}
