import type { Curve, Point, SplineCurve } from '../../content/exact-shape.js';
import { EngineError, limitExceeded } from '../../errors.js';
import { countAt, malformed, numberAt, numbersAt, pointAt, type IgesEntity, type IgesFile } from './entities.js';
import { cross } from '../geometry/vectors.js';
import { placedBy, pointIn, unit, vectorIn, type Placement } from './placement.js';
import { checkKnots, conicSpline, piecewiseCubic } from './splines.js';

/**
 * Most curves, surfaces and faces that are made from one file, counted once per instance: a short file may ask for a
 * huge number of them.
 */
export const MOST_EXACT_PARTS = 200_000;
/** Deepest nesting of composite curves and of instances. */
const MOST_DEPTH = 16;

/** Counts the parts that one read makes against {@link MOST_EXACT_PARTS}, and bounds nesting. */
export class PartBudget {
  #left = MOST_EXACT_PARTS;

  take(count = 1): void {
    this.#left -= count;
    if (this.#left < 0) throw limitExceeded('the IGES file', 'exactParts', MOST_EXACT_PARTS);
  }

  enter(depth: number): void {
    if (depth > MOST_DEPTH)
      throw malformed(`composite curves or instances are nested deeper than ${MOST_DEPTH}, or contain themselves`);
  }
}

/** The error for a file whose exact shape cannot be read. */
export function notSupported(what: string): EngineError {
  return new EngineError('FORMAT_UNSUPPORTED', `the IGES file has ${what}, which is not supported`);
}

/**
 * The curves that an entity consists of, in sequence, placed, mm. Types 100 (arc), 102 (composite), 104 (conic), 106
 * (polyline), 110 (line), 112 (cubic pieces) and 126 (B-spline).
 * @throws EngineError `FORMAT_UNSUPPORTED` for another type, `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export function curvesOf(file: IgesFile, sequence: number, outer: Placement, budget: PartBudget, depth = 0): Curve[] {
  budget.enter(depth);
  const entity = file.entity(sequence);
  const placement = placedBy(file, entity.transform, outer);
  if (entity.type === 102) {
    return numbersAt(entity, 1, countAt(entity, 0))
      .filter((member) => file.typeOf(member) !== 116)
      .flatMap((member) => curvesOf(file, member, placement, budget, depth + 1));
  }
  const curves = simpleCurves(entity, placement);
  budget.take(curves.length);
  return curves;
}

/** The curve of an entity that consists of exactly one. */
export function curveOf(file: IgesFile, sequence: number, outer: Placement, budget: PartBudget): Curve {
  const curves = curvesOf(file, sequence, outer, budget);
  if (curves.length !== 1) throw notSupported(`a surface swept from ${curves.length} curves (entity ${sequence})`);
  return curves[0];
}

function simpleCurves(entity: IgesEntity, placement: Placement): Curve[] {
  const at = (index: number, byDefault?: number): number => numberAt(entity, index, byDefault);
  const point = (index: number): Point => pointIn(placement, pointAt(entity, index));
  if (entity.type === 110 && entity.form === 0) return [{ kind: 'line', from: point(0), to: point(3) }];
  if (entity.type === 126) return [splineOf(entity, placement)];
  if (entity.type === 100) {
    const [height, x, y] = [at(0), at(1), at(2)];
    const [startX, startY, endX, endY] = [at(3) - x, at(4) - y, at(5) - x, at(6) - y];
    const radius = Math.hypot(startX, startY);
    if (!(radius > 0)) throw malformed(`the arc at ${entity.sequence} has no radius`);
    return [ellipse(placement, [x, y, height], [radius, radius], Math.atan2(startY, startX), Math.atan2(endY, endX))];
  }
  if (entity.type === 104) return [conicOf(entity, placement)];
  if (entity.type === 106) return polylineOf(entity, placement);
  if (entity.type === 112) return [cubicsOf(entity, placement)];
  throw notSupported(`a curve of type ${entity.type}${entity.type === 110 ? `, form ${entity.form}` : ''}`);
}

/**
 * Elliptic arc, counter-clockwise from one angle to the other, rad, in the plane of the definition; a full turn when
 * the angles are equal.
 */
function ellipse(
  placement: Placement,
  centre: Point,
  [radiusX, radiusY]: readonly [number, number],
  from: number,
  end: number,
): Curve {
  const turn = end - from - 2 * Math.PI * Math.floor((end - from) / (2 * Math.PI));
  const x = unit(vectorIn(placement, [1, 0, 0])),
    y = unit(vectorIn(placement, [0, 1, 0]));
  const { scale } = placement;
  return {
    kind: 'ellipse',
    frame: { origin: pointIn(placement, centre), x, y, z: cross(x, y) },
    radiusX: radiusX * scale,
    radiusY: radiusY * scale,
    from,
    to: from + (turn < 1e-9 || turn > 2 * Math.PI - 1e-9 ? 2 * Math.PI : turn),
  };
}

function splineOf(entity: IgesEntity, placement: Placement): SplineCurve {
  const last = countAt(entity, 0),
    degree = countAt(entity, 1);
  const count = last + 1;
  const knots = numbersAt(entity, 6, count + degree + 1);
  checkKnots(knots, degree, count);
  const weights = numbersAt(entity, 6 + knots.length, count);
  const firstPoint = 6 + knots.length + count;
  const points = Array.from({ length: count }, (_, i) => pointIn(placement, pointAt(entity, firstPoint + 3 * i)));
  const ends = firstPoint + 3 * count;
  const low = knots[degree],
    high = knots[count];
  const [from, to] = within(numberAt(entity, ends, low), numberAt(entity, ends + 1, high), low, high);
  return { kind: 'spline', degree, knots, points, ...(isEven(checkedWeights(weights)) ? {} : { weights }), from, to };
}

/** Clamps a parameter range to the range of the knots: writers round. */
export function within(from: number, to: number, low: number, high: number): readonly [from: number, to: number] {
  const near = 1e-6 * (high - low);
  const ends = [from, to].map((value) => (value < low + near ? low : value > high - near ? high : value));
  if (!(ends[1] > ends[0])) throw malformed(`a spline is used from ${from} to ${to}, it goes from ${low} to ${high}`);
  return [ends[0], ends[1]];
}

export function checkedWeights(weights: readonly number[]): readonly number[] {
  if (weights.some((weight) => !(weight > 0))) throw malformed('a weight of a spline is not above 0');
  return weights;
}

/** Whether all weights are equal: the spline is not rational. */
export function isEven(weights: readonly number[]): boolean {
  return weights.every((weight) => Math.abs(weight - weights[0]) <= 1e-12 * weights[0]);
}

/** A conic arc. IGES 5.3, 4.5: conics lie in standard position, A x² + C y² (+ D x or E y) + F = 0. */
function conicOf(entity: IgesEntity, placement: Placement): Curve {
  const [a, b, c, d, e, f, height, x1, y1, x2, y2] = numbersAt(entity, 0, 11);
  const largest = Math.max(Math.abs(a), Math.abs(b), Math.abs(c));
  const isZero = (value: number): boolean => Math.abs(value) <= 1e-9 * largest;
  if (!isZero(b)) throw notSupported('a conic arc (type 104) that is not in standard position');
  const isCentred = isZero(d) && isZero(e);
  if (isCentred && a * c > 0 && a * f < 0) {
    const radiusX = Math.sqrt(-f / a),
      radiusY = Math.sqrt(-f / c);
    return ellipse(
      placement,
      [0, 0, height],
      [radiusX, radiusY],
      Math.atan2(y1 / radiusY, x1 / radiusX),
      Math.atan2(y2 / radiusY, x2 / radiusX),
    );
  }
  const isParabola = (isZero(a) || isZero(c)) && !(isZero(a) && isZero(c));
  if (!isParabola && !(isCentred && a * c < 0))
    throw notSupported('a conic arc (type 104) that is not in standard position');
  // The gradients at the ends are perpendicular to the tangents.
  const g1 = [2 * a * x1 + d, 2 * c * y1 + e],
    g2 = [2 * a * x2 + d, 2 * c * y2 + e];
  const r1 = g1[0] * x1 + g1[1] * y1,
    r2 = g2[0] * x2 + g2[1] * y2;
  const area = g1[0] * g2[1] - g1[1] * g2[0];
  if (area === 0) throw malformed(`the conic arc at ${entity.sequence} has parallel tangents at its ends`);
  const corner = [(r1 * g2[1] - r2 * g1[1]) / area, (g1[0] * r2 - g2[0] * r1) / area];
  const middle = [(x1 + x2) / 2, (y1 + y2) / 2];
  const way = [corner[0] - middle[0], corner[1] - middle[1]];
  const share = crossing(
    a * way[0] ** 2 + c * way[1] ** 2,
    2 * a * middle[0] * way[0] + 2 * c * middle[1] * way[1] + d * way[0] + e * way[1],
    a * middle[0] ** 2 + c * middle[1] ** 2 + d * middle[0] + e * middle[1] + f,
  );
  if (share === undefined) throw malformed(`the conic arc at ${entity.sequence} does not pass through its end points`);
  const place = (x: number, y: number): Point => pointIn(placement, [x, y, height]);
  return conicSpline(
    place(x1, y1),
    place(corner[0], corner[1]),
    place(x2, y2),
    place(middle[0] + share * way[0], middle[1] + share * way[1]),
  );
}

/** The root of p s² + q s + r between 0 and 1; undefined when there is none. */
function crossing(p: number, q: number, r: number): number | undefined {
  const root = Math.sqrt(q * q - 4 * p * r);
  const half = -0.5 * (q + Math.sign(q || 1) * root);
  return [half / p, r / half].find((share) => share > 0 && share < 1);
}

/** Numbers per point of a polyline, by form. */
const TUPLES: Readonly<Record<number, number>> = { 1: 2, 2: 3, 3: 6, 11: 2, 12: 3, 13: 6, 63: 2 };

function polylineOf(entity: IgesEntity, placement: Placement): Curve[] {
  const { form } = entity;
  const tuple = TUPLES[form];
  if (tuple === undefined) throw notSupported(`a curve of type 106, form ${form}`);
  const count = countAt(entity, 1);
  const first = tuple === 2 ? 3 : 2;
  const points = Array.from({ length: count }, (_, i) => {
    const from = first + tuple * i;
    return pointIn(placement, [
      numberAt(entity, from),
      numberAt(entity, from + 1),
      numberAt(entity, tuple === 2 ? 2 : from + 2),
    ]);
  });
  return points.slice(1).map((to, i) => ({ kind: 'line' as const, from: points[i], to }));
}

function cubicsOf(entity: IgesEntity, placement: Placement): Curve {
  const count = countAt(entity, 3);
  if (count < 1) throw malformed(`the spline at ${entity.sequence} has no pieces`);
  const breaks = numbersAt(entity, 4, count + 1);
  if (breaks.some((value, i) => i > 0 && !(value > breaks[i - 1])))
    throw malformed('the break points of a spline do not increase');
  const first = 5 + count;
  const pieces = Array.from({ length: count }, (_, piece) => {
    const coefficient = (power: number): Point =>
      [0, 1, 2].map((axis) => numberAt(entity, first + 12 * piece + 4 * axis + power)) as [number, number, number];
    return [
      pointIn(placement, coefficient(0)),
      ...[1, 2, 3].map((power) => vectorIn(placement, coefficient(power))),
    ] as [Point, Point, Point, Point];
  });
  return piecewiseCubic(breaks, pieces);
}
