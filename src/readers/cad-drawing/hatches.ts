import type { Hatch, HatchBoundaryPathEdge } from '@node-projects/acad-ts';
import { compose2d, emptyBounds, include, type Bounds } from '../geometry/affine.js';
import { drawBulged } from './strokes.js';
import type { AcadTs } from './texts.js';
import { drawSpline } from './splines.js';
import { StrokeList, type SheetBudget, type StrokePath } from '../sheet/stroke-path.js';

/** Patterns with more lines across one area are drawn as a solid fill; on paper they would look grey. */
const MOST_LINES = 2_000;
/** Most crossing tests per hatch: lines of the pattern times edges of the boundary. */
const MOST_CROSSINGS = 20_000_000;

/** Closed outlines of a hatch in its own plane, each as x, y pairs. */
export type Outlines = readonly Float64Array[];

/** The boundaries of a hatch as closed outlines. */
export function outlinesOf(acad: AcadTs, hatch: Hatch, budget: SheetBudget): Outlines {
  const outlines: Float64Array[] = [];
  for (const path of hatch.paths) {
    const chain = new StrokeList(budget);
    for (const edge of path.edges) drawEdge(acad, edge, chain);
    const outline = joined(chain.strokes());
    if (outline.length >= 6) outlines.push(outline);
  }
  return outlines;
}

export function boundsOfOutlines(outlines: Outlines): Bounds {
  const bounds = emptyBounds();
  for (const outline of outlines)
    for (let i = 0; i < outline.length; i += 2) include(bounds, outline[i], outline[i + 1]);
  return bounds;
}

/** Pattern lines clipped to the outlines. */
export interface PatternLines {
  readonly dash: readonly number[];
  /** Segments, four numbers each: x, y of both ends. */
  readonly lines: readonly number[];
}

/**
 * The lines of a hatch's pattern inside its outlines (even-odd rule); null for a solid fill, or a pattern too fine to
 * draw.
 */
export function patternOf(hatch: Hatch, outlines: Outlines): readonly PatternLines[] | null {
  const families = hatch.pattern?.lines ?? [];
  if (hatch.isSolid || families.length === 0) return null;
  const edges = outlines.reduce((sum, outline) => sum + outline.length / 2, 0);
  const found: PatternLines[] = [];
  let lines = 0;
  for (const { angle, basePoint, offset, dashLengths } of families) {
    const cos = Math.cos(angle),
      sin = Math.sin(angle);
    // Computed in a rotated frame in which the lines are horizontal.
    const step = offset.y * cos - offset.x * sin;
    const base = basePoint.y * cos - basePoint.x * sin;
    const turned = outlines.map((outline) =>
      outline.map((_, i) =>
        i % 2 === 0 ? outline[i] * cos + outline[i + 1] * sin : outline[i] * cos - outline[i - 1] * sin,
      ),
    );
    const { minY, maxY } = boundsOfOutlines(turned);
    const first = Math.ceil(Math.min((minY - base) / step, (maxY - base) / step)),
      last = Math.floor(Math.max((minY - base) / step, (maxY - base) / step));
    lines += last - first + 1;
    if (!Number.isFinite(step) || step === 0 || !(lines <= MOST_LINES) || lines * edges > MOST_CROSSINGS) return null;
    const pieces: number[] = [];
    for (let i = first; i <= last; i++) {
      const y = base + i * step;
      const crossings = crossingsAt(turned, y);
      for (let k = 0; k + 1 < crossings.length; k += 2) {
        const [from, to] = [crossings[k], crossings[k + 1]];
        pieces.push(from * cos - y * sin, from * sin + y * cos, to * cos - y * sin, to * sin + y * cos);
      }
    }
    const dash = dashLengths.map(Math.abs);
    found.push({
      dash: dash.length % 2 === 0 && dash.every(Number.isFinite) && dash.some((length) => length > 0) ? dash : [],
      lines: pieces,
    });
  }
  return found;
}

function crossingsAt(outlines: Outlines, y: number): number[] {
  const crossings: number[] = [];
  for (const outline of outlines) {
    for (let i = 0; i + 3 < outline.length; i += 2) {
      const y0 = outline[i + 1],
        y1 = outline[i + 3];
      if (y0 > y !== y1 > y) crossings.push(outline[i] + ((y - y0) / (y1 - y0)) * (outline[i + 2] - outline[i]));
    }
  }
  return crossings.sort((a, b) => a - b);
}

function drawEdge(acad: AcadTs, edge: HatchBoundaryPathEdge, chain: StrokePath): void {
  if (edge instanceof acad.HatchBoundaryPathLine) {
    chain.move(edge.start.x, edge.start.y);
    chain.line(edge.end.x, edge.end.y);
  } else if (edge instanceof acad.HatchBoundaryPathPolyline)
    drawBulged(
      edge.vertices.map(({ x, y, z }) => ({ x, y, bulge: z })),
      edge.isClosed,
      chain,
    );
  else if (edge instanceof acad.HatchBoundaryPathArc) {
    const [start, sweep] = edgeAngles(edge);
    chain.arc(edge.center.x, edge.center.y, edge.radius, start, sweep);
  } else if (edge instanceof acad.HatchBoundaryPathEllipse) {
    const { center, majorAxisEndPoint: major, minorToMajorRatio: ratio } = edge;
    const [start, sweep] = edgeAngles(edge);
    const outer = chain.map;
    chain.map = compose2d(outer, [major.x, major.y, -ratio * major.y, ratio * major.x, center.x, center.y]);
    chain.arc(0, 0, 1, start, sweep);
    chain.map = outer;
  } else if (edge instanceof acad.HatchBoundaryPathSpline)
    drawSpline(
      edge.controlPoints.map(({ x, y }) => [x, y] as const),
      edge.degree,
      edge.knots,
      edge.isRational ? edge.weights : [],
      chain,
    );
}

/** Clockwise edges measure their angles clockwise. */
function edgeAngles({
  startAngle,
  endAngle,
  counterClockWise,
}: {
  readonly startAngle: number;
  readonly endAngle: number;
  readonly counterClockWise: boolean;
}): [start: number, sweep: number] {
  const sweep = endAngle - startAngle;
  const turn = Math.abs(sweep) < 1e-9 ? 2 * Math.PI : sweep < 0 ? sweep + 2 * Math.PI : sweep;
  return counterClockWise ? [startAngle, turn] : [-startAngle, -turn];
}

/** Joins edges into one closed outline, reversing an edge when its end is nearer than its start. */
function joined(lines: readonly Float64Array[]): Float64Array {
  const points: number[] = [];
  lines.forEach((line, i) => {
    const turned: number[] = [];
    for (let k = line.length - 2; k >= 0; k -= 2) turned.push(line[k], line[k + 1]);
    const distance = (x: number, y: number, to: ArrayLike<number>): number => Math.hypot(to[0] - x, to[1] - y);
    let isTurned: boolean;
    if (i === 0) {
      // The first edge is oriented so that its end meets the second.
      const next = lines.at(1);
      const gap = (ends: ArrayLike<number>): number =>
        next === undefined
          ? 0
          : Math.min(
              distance(ends[ends.length - 2], ends[ends.length - 1], next),
              distance(ends[ends.length - 2], ends[ends.length - 1], next.subarray(next.length - 2)),
            );
      isTurned = gap(turned) < gap(line);
    } else
      isTurned =
        distance(points[points.length - 2], points[points.length - 1], turned) <
        distance(points[points.length - 2], points[points.length - 1], line);
    for (const value of isTurned ? turned : line) points.push(value);
  });
  if (points.length >= 4) points.push(points[0], points[1]);
  return Float64Array.from(points);
}
