import type { Curve, Edge, EdgeUse, Point, Vertex } from '../../content/exact-shape.js';
import { notSupported } from './curves.js';
import { distance } from '../geometry/vectors.js';
import { pointOfCurve } from './splines.js';

/** Curves shorter than this count as a single point, mm: the degenerate sides of surfaces. */
const SHORTEST_MM = 1e-6;
/**
 * Largest gap between neighbouring curves of a loop: as a fraction of its size, and in multiples of the file's
 * resolution.
 */
const GAP_SHARE = 0.01;
const GAP_RESOLUTIONS = 10;
/** Loops with more edges are not searched for seams, because the time grows with the square of the number. */
const MOST_FOR_SEAMS = 2_000;

/** A curve of a loop; `forward` is its direction where the file states it. */
export interface LoopCurve {
  readonly curve: Curve;
  readonly forward?: boolean;
}

/**
 * Builds the loops of one face from curves that lie end to end. Corners at the same point become one vertex; a seam
 * that is used in both directions becomes one edge.
 */
export class FaceLoops {
  readonly #resolutionMm: number;
  readonly #vertices: Vertex[] = [];
  readonly #edges: { readonly edge: Edge; readonly middle: Point }[] = [];

  constructor(resolutionMm: number) {
    this.#resolutionMm = resolutionMm;
  }

  /**
   * The edges of a loop; empty for a loop that degenerates to a point.
   * @throws EngineError `FORMAT_UNSUPPORTED` when the curves do not meet.
   */
  loop(given: readonly LoopCurve[]): EdgeUse[] {
    const curves = given.filter(({ curve }) => !isPlace(curve));
    if (curves.length === 0) return [];
    const gap = Math.max(GAP_RESOLUTIONS * this.#resolutionMm, GAP_SHARE * sizeOf(curves));
    const first = curves[0];
    let at = pointOfCurve(first.curve, firstForward(curves) ? 0 : 1);
    const begin = at,
      beginning = this.#vertex(at);
    let corner = beginning;
    return curves.map(({ curve, forward: stated }, i) => {
      const start = pointOfCurve(curve, 0),
        end = pointOfCurve(curve, 1);
      const forward = stated ?? (distance(at, start) <= gap || distance(at, start) <= distance(at, end));
      const found = distance(at, forward ? start : end);
      if (found > gap) throw notSupported(`a boundary with a gap of ${found.toPrecision(3)} mm`);
      at = forward ? end : start;
      const isLast = i === curves.length - 1;
      if (isLast && distance(at, begin) > gap)
        throw notSupported(`a boundary that is open by ${distance(at, begin).toPrecision(3)} mm`);
      // Neighbours share the vertex between them, even when their ends are apart.
      const next = isLast ? beginning : this.#vertex(at);
      const use = this.#use(curve, forward, forward ? [corner, next] : [next, corner]);
      corner = next;
      return use;
    });
  }

  #use(curve: Curve, forward: boolean, [start, end]: readonly [start: Vertex, end: Vertex]): EdgeUse {
    const middle = pointOfCurve(curve, 0.5);
    const near = Math.max(this.#resolutionMm, SHORTEST_MM);
    const twin =
      this.#edges.length > MOST_FOR_SEAMS
        ? undefined
        : this.#edges.find(
            (other) =>
              distance(other.middle, middle) <= near &&
              (other.edge.start === start
                ? other.edge.end === end
                : other.edge.start === end && other.edge.end === start),
          );
    if (twin !== undefined) {
      const isAlong = isSameWay(twin.edge.curve, curve);
      return { edge: twin.edge, forward: isAlong ? forward : !forward };
    }
    const edge: Edge = { curve, start, end };
    this.#edges.push({ edge, middle });
    return { edge, forward };
  }

  #vertex(point: Point): Vertex {
    const near = Math.max(this.#resolutionMm, SHORTEST_MM);
    let vertex = this.#vertices.find((other) => distance(other.point, point) <= near);
    if (vertex === undefined) this.#vertices.push((vertex = { point }));
    return vertex;
  }
}

/** Whether a curve has no length. */
export function isPlace(curve: Curve): boolean {
  const start = pointOfCurve(curve, 0);
  return [0.21, 0.5, 0.77, 1].every((share) => distance(start, pointOfCurve(curve, share)) <= SHORTEST_MM);
}

function isSameWay(a: Curve, b: Curve): boolean {
  const early = pointOfCurve(a, 0.25);
  return distance(early, pointOfCurve(b, 0.25)) <= distance(early, pointOfCurve(b, 0.75));
}

/** The first curve runs forward unless only its start meets the second. */
function firstForward([{ curve, forward }, second]: readonly LoopCurve[]): boolean {
  if (forward !== undefined || second === undefined) return forward ?? true;
  const ends = [pointOfCurve(second.curve, 0), pointOfCurve(second.curve, 1)];
  const nearest = (point: Point): number => Math.min(...ends.map((end) => distance(point, end)));
  return nearest(pointOfCurve(curve, 1)) <= nearest(pointOfCurve(curve, 0)) + SHORTEST_MM;
}

function sizeOf(curves: readonly LoopCurve[]): number {
  const low = [Infinity, Infinity, Infinity],
    high = [-Infinity, -Infinity, -Infinity];
  for (const { curve } of curves) {
    for (const share of [0, 0.5, 1]) {
      pointOfCurve(curve, share).forEach((value, axis) => {
        low[axis] = Math.min(low[axis], value);
        high[axis] = Math.max(high[axis], value);
      });
    }
  }
  return Math.hypot(...high.map((value, axis) => value - low[axis]));
}
