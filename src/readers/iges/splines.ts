import type { Curve, Point, SplineCurve, SplineSurface, Surface } from '../../content/exact-shape.js';
import { malformed } from './entities.js';
import { cross, distance, dot, minus, plus, times } from '../geometry/vectors.js';
import { unit } from './placement.js';

/**
 * Highest degree that is read. Real files stay below it, evaluation time grows with its square, and OCCT allows no
 * more.
 */
export const HIGHEST_DEGREE = 25;

/**
 * Checks the knots of a spline: finite, non-decreasing, and no inner knot so often repeated that the curve would break.
 * @throws EngineError `FILE_MALFORMED`.
 */
export function checkKnots(knots: readonly number[], degree: number, points: number): void {
  if (!(degree >= 1 && degree <= HIGHEST_DEGREE))
    throw malformed(`a spline has degree ${degree}; expected 1 to ${HIGHEST_DEGREE}`);
  if (points < degree + 1 || knots.length !== points + degree + 1)
    throw malformed(`a spline of degree ${degree} has ${points} points and ${knots.length} knots`);
  if (knots.some((knot, i) => i > 0 && knot < knots[i - 1])) throw malformed('the knots of a spline decrease');
  if (!(knots[points] > knots[degree])) throw malformed('the knots of a spline span an empty range');
  for (let i = 1; i + degree + 1 < knots.length; i++) {
    if (knots[i + degree] === knots[i] && knots[i] > knots[degree] && knots[i] < knots[points])
      throw malformed('a spline breaks apart at a knot');
  }
}

/**
 * B-spline basis functions at a parameter (Cox and de Boor): the `degree + 1` values that may differ from 0, and the
 * index of the first.
 */
export function basisAt(
  knots: readonly number[],
  degree: number,
  parameter: number,
): { first: number; values: number[] } {
  const last = knots.length - degree - 2;
  const t = Math.min(Math.max(parameter, knots[degree]), knots[last + 1]);
  let span = degree;
  while (span < last && t >= knots[span + 1]) span++;
  // The end belongs to the last span that is not empty.
  while (span > degree && knots[span + 1] === knots[span]) span--;
  const values = [1];
  for (let level = 1; level <= degree; level++) {
    let carried = 0;
    for (let i = 0; i < level; i++) {
      const low = knots[span + 1 + i - level],
        high = knots[span + 1 + i];
      const part = high > low ? values[i] / (high - low) : 0;
      values[i] = carried + (high - t) * part;
      carried = (t - low) * part;
    }
    values.push(carried);
  }
  return { first: span - degree, values };
}

function pointOfSpline({ knots, degree, points, weights }: SplineCurve, t: number): Point {
  const { first, values } = basisAt(knots, degree, t);
  return meanOf(values.map((value, i) => [points[first + i], value * (weights?.[first + i] ?? 1)] as const)).point;
}

/** Weighted mean of points, and the sum of the weights. */
function meanOf(parts: readonly (readonly [point: Point, weight: number])[]): { point: Point; weight: number } {
  let x = 0,
    y = 0,
    z = 0,
    sum = 0;
  for (const [point, weight] of parts) {
    x += point[0] * weight;
    y += point[1] * weight;
    z += point[2] * weight;
    sum += weight;
  }
  return { point: [x / sum, y / sum, z / sum], weight: sum };
}

/** A point of a curve. share: 0 at its start, 1 at its end. */
export function pointOfCurve(curve: Curve, share: number): Point {
  if (curve.kind === 'line') return plus(curve.from, times(minus(curve.to, curve.from), share));
  const t = curve.from + (curve.to - curve.from) * share;
  if (curve.kind === 'spline') return pointOfSpline(curve, t);
  const { frame, radiusX, radiusY } = curve;
  return plus(frame.origin, plus(times(frame.x, radiusX * Math.cos(t)), times(frame.y, radiusY * Math.sin(t))));
}

/** A point of a spline surface at its own parameters. */
export function pointOfSplineSurface(
  { degreeU, degreeV, knotsU, knotsV, points, weights }: SplineSurface,
  u: number,
  v: number,
): Point {
  const alongU = basisAt(knotsU, degreeU, u),
    alongV = basisAt(knotsV, degreeV, v);
  return meanOf(
    alongU.values.flatMap((a, i) =>
      alongV.values.map((b, j) => {
        const [k, l] = [alongU.first + i, alongV.first + j];
        return [points[k][l], a * b * (weights?.[k][l] ?? 1)] as const;
      }),
    ),
  ).point;
}

/** The curve of constant u (or v) on a spline surface, itself a spline. */
export function isoCurve(surface: SplineSurface, fixed: 'u' | 'v', value: number): SplineCurve {
  const { degreeU, degreeV, knotsU, knotsV, points, weights, range } = surface;
  const { first, values } = fixed === 'u' ? basisAt(knotsU, degreeU, value) : basisAt(knotsV, degreeV, value);
  const count = fixed === 'u' ? points[0].length : points.length;
  const row = Array.from({ length: count }, (_, j) =>
    meanOf(
      values.map((share, i) => {
        const [k, l] = fixed === 'u' ? [first + i, j] : [j, first + i];
        return [points[k][l], share * (weights?.[k][l] ?? 1)] as const;
      }),
    ),
  );
  return {
    kind: 'spline',
    degree: fixed === 'u' ? degreeV : degreeU,
    knots: fixed === 'u' ? knotsV : knotsU,
    points: row.map(({ point }) => point),
    ...(weights === undefined ? {} : { weights: row.map(({ weight }) => weight) }),
    from: fixed === 'u' ? range[2] : range[0],
    to: fixed === 'u' ? range[3] : range[1],
  };
}

/**
 * The same curve as a spline with knots from 0 to 1. Arcs become rational splines of degree 2 with one piece per third
 * of a turn.
 */
export function asSpline(curve: Curve): SplineCurve {
  if (curve.kind === 'spline') {
    const { knots, degree, points } = curve;
    const low = knots[degree],
      high = knots[points.length];
    if (curve.from !== low || curve.to !== high)
      throw malformed('part of a spline is used where the whole spline is expected');
    return { ...curve, knots: knots.map((knot) => (knot - low) / (high - low)), from: 0, to: 1 };
  }
  if (curve.kind === 'line')
    return { kind: 'spline', degree: 1, knots: [0, 0, 1, 1], points: [curve.from, curve.to], from: 0, to: 1 };
  const { frame, radiusX, radiusY, from, to } = curve;
  const pieces = Math.max(1, Math.ceil((to - from) / (Math.PI / 1.5) - 1e-9));
  const half = (to - from) / pieces / 2;
  const at = (angle: number, stretch: number): Point =>
    plus(
      frame.origin,
      plus(times(frame.x, stretch * radiusX * Math.cos(angle)), times(frame.y, stretch * radiusY * Math.sin(angle))),
    );
  const points = [at(from, 1)],
    weights = [1],
    knots = [0, 0, 0];
  for (let i = 0; i < pieces; i++) {
    points.push(at(from + (2 * i + 1) * half, 1 / Math.cos(half)), at(from + (2 * i + 2) * half, 1));
    weights.push(Math.cos(half), 1);
    knots.push((i + 1) / pieces, (i + 1) / pieces);
  }
  return { kind: 'spline', degree: 2, knots: [...knots, 1], points, weights, from: 0, to: 1 };
}

/** The same curve in the opposite direction. */
export function reversedSpline({ knots, points, weights, from, to, ...rest }: SplineCurve): SplineCurve {
  const sum = knots[0] + knots[knots.length - 1];
  return {
    ...rest,
    knots: knots.map((knot) => sum - knot).reverse(),
    points: [...points].reverse(),
    ...(weights === undefined ? {} : { weights: [...weights].reverse() }),
    from: sum - to,
    to: sum - from,
  };
}

/**
 * The ruled surface between two curves: u along them, v from the first to the second. Undefined when their knots differ
 * and neither is straight.
 */
export function ruledSurface(first: Curve, second: Curve, isReversed: boolean): SplineSurface | undefined {
  const a = asSpline(first);
  const b = isReversed ? reversedSpline(asSpline(second)) : asSpline(second);
  const isAlike =
    a.degree === b.degree &&
    a.knots.length === b.knots.length &&
    a.knots.every((knot, i) => Math.abs(knot - b.knots[i]) < 1e-9);
  const rows = isAlike
    ? [a, b]
    : isStraight(a)
      ? [straightAs(a, b), b]
      : isStraight(b)
        ? [a, straightAs(b, a)]
        : undefined;
  if (rows === undefined) return undefined;
  const [{ knots, degree, points }] = rows;
  const isRational = rows.some(({ weights }) => weights !== undefined);
  return {
    kind: 'spline',
    degreeU: degree,
    degreeV: 1,
    knotsU: knots,
    knotsV: [0, 0, 1, 1],
    points: points.map((point, i) => [point, rows[1].points[i]]),
    ...(isRational ? { weights: points.map((_, i) => rows.map(({ weights }) => weights?.[i] ?? 1)) } : {}),
    range: [0, 1, 0, 1],
  };
}

function isStraight({ degree, points, weights }: SplineCurve): boolean {
  return degree === 1 && points.length === 2 && weights === undefined;
}

/**
 * A straight line with the degree and knots of another spline: its control points are at the Greville abscissae (means
 * of the knots).
 */
function straightAs({ points: [from, to] }: SplineCurve, { degree, knots, points }: SplineCurve): SplineCurve {
  const own = points.map((_, i) => {
    let sum = 0;
    for (let k = 1; k <= degree; k++) sum += knots[i + k];
    return plus(from, times(minus(to, from), sum / degree));
  });
  return { kind: 'spline', degree, knots, points: own, from: 0, to: 1 };
}

/**
 * An arc of a parabola or hyperbola as a rational spline of degree 2 (Piegl and Tiller, The NURBS Book, 7.3). `corner`
 * is the intersection of the end tangents, `onCurve` the point where the line from the corner to the midpoint of the
 * ends crosses the arc.
 */
export function conicSpline(from: Point, corner: Point, to: Point, onCurve: Point): SplineCurve {
  const middle = times(plus(from, to), 0.5);
  const weight = distance(middle, onCurve) / distance(onCurve, corner);
  if (!(weight > 0 && weight < 1e6)) throw malformed('a conic arc is degenerate');
  return {
    kind: 'spline',
    degree: 2,
    knots: [0, 0, 0, 1, 1, 1],
    points: [from, corner, to],
    weights: [1, weight, 1],
    from: 0,
    to: 1,
  };
}

/** Joins cubic pieces, each given by its four coefficients in s = t - breaks[i], into one spline. */
export function piecewiseCubic(
  breaks: readonly number[],
  pieces: readonly (readonly [a: Point, b: Point, c: Point, d: Point])[],
): SplineCurve {
  const points: Point[] = [];
  const knots = [breaks[0]];
  pieces.forEach(([a, b, c, d], i) => {
    const h = breaks[i + 1] - breaks[i];
    const p1 = plus(a, times(b, h / 3)),
      p2 = plus(p1, plus(times(b, h / 3), times(c, (h * h) / 3)));
    const p3 = plus(a, plus(times(b, h), plus(times(c, h * h), times(d, h * h * h))));
    if (i === 0) points.push(a);
    points.push(p1, p2, p3);
    knots.push(breaks[i], breaks[i], breaks[i]);
  });
  const end = breaks[pieces.length];
  return { kind: 'spline', degree: 3, knots: [...knots, end, end, end, end], points, from: breaks[0], to: end };
}

/**
 * The surface of revolution of a line: a cylinder, a cone or a plane; undefined for a hyperboloid or a degenerate line.
 */
export function turnedLine(origin: Point, axis: Point, from: Point, to: Point): Surface | undefined {
  const along = minus(to, from);
  const climb = dot(along, axis);
  const foot = plus(origin, times(axis, dot(minus(from, origin), axis)));
  const arm = minus(from, foot),
    radius = Math.hypot(...arm);
  const endRadius = Math.hypot(...minus(minus(to, origin), times(axis, dot(minus(to, origin), axis))));
  const length = Math.hypot(...along);
  const x =
    radius > 1e-9 * length
      ? unit(arm)
      : endRadius > 1e-9 * length
        ? unit(minus(minus(to, origin), times(axis, dot(minus(to, origin), axis))))
        : undefined;
  // A line that is skew to the axis makes a hyperboloid.
  if (x === undefined || Math.abs(dot(along, cross(axis, x))) > 1e-9 * length) return undefined;
  const widen = dot(along, x);
  if (Math.abs(climb) < 1e-9 * length) return { kind: 'plane', frame: { origin: foot, x, y: cross(axis, x), z: axis } };
  if (Math.abs(widen) < 1e-9 * length)
    return { kind: 'cylinder', frame: { origin: foot, x, y: cross(axis, x), z: axis }, radius };
  const z = widen * climb > 0 ? axis : times(axis, -1);
  return {
    kind: 'cone',
    frame: { origin: foot, x, y: cross(z, x), z },
    radius,
    halfAngleRad: Math.atan(Math.abs(widen / climb)),
  };
}
