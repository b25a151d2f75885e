import type { Curve, Point, Surface } from '../../content/exact-shape.js';
import { notSupported } from './curves.js';
import type { LoopCurve } from './loops.js';
import { cross, distance, dot, minus, plus, times } from '../geometry/vectors.js';
import { pointIn, vectorIn, type Placement } from './placement.js';
import { isoCurve, pointOfCurve, pointOfSplineSurface } from './splines.js';
import { compose, rotation, translation } from '../geometry/transforms.js';
import type { PlacedSurface } from './surfaces.js';

/** Largest distance between a fitted curve and the curve that it replaces, as a fraction of its size. */
const FIT_SHARE = 1e-6;
/** Most times that a curve is halved to fit it. */
const FIT_DEPTH = 10;

/**
 * The four sides of a surface's parametric rectangle, counter-clockwise seen against the normal of the file's
 * parameterisation.
 * @throws EngineError `FORMAT_UNSUPPORTED` for an unbounded surface.
 */
export function sidesOf({ surface, bounded = surface }: PlacedSurface): LoopCurve[] {
  const around = (bottom: Curve, right: Curve, top: Curve, left: Curve): LoopCurve[] => [
    { curve: bottom, forward: true },
    { curve: right, forward: true },
    { curve: top, forward: false },
    { curve: left, forward: false },
  ];
  if (bounded.kind === 'spline') {
    const [u0, u1, v0, v1] = bounded.range;
    return around(
      isoCurve(bounded, 'v', v0),
      isoCurve(bounded, 'u', u1),
      isoCurve(bounded, 'v', v1),
      isoCurve(bounded, 'u', u0),
    );
  }
  if (bounded.kind === 'extrusion') {
    const { curve, along } = bounded;
    const rise = (share: number): Curve => {
      const from = pointOfCurve(curve, share);
      return { kind: 'line', from, to: plus(from, along) };
    };
    return around(curve, rise(1), movedCurve(curve, rigid(translation(...along))), rise(0));
  }
  if (bounded.kind === 'revolution') {
    const { origin, axis, curve, from, to } = bounded;
    const turned = (angle: number): Curve => movedCurve(curve, turning(origin, axis, angle));
    const arc = (share: number): Curve => arcRound(origin, axis, pointOfCurve(curve, share), from, to);
    return around(turned(from), arc(1), turned(to), arc(0));
  }
  throw notSupported('an unbounded surface without a boundary');
}

/**
 * Maps a curve in the parameter space of a surface (u, v as x, y) into space. Lines of constant parameter on splines
 * are exact; other curves are fitted by cubic pieces to within a millionth of their size.
 * @throws EngineError `FORMAT_UNSUPPORTED` for a surface whose parameterisation is not known.
 */
export function curveOnSurface({ surface, bounded = surface }: PlacedSurface, inParameters: Curve): Curve {
  const [start, end] = [pointOfCurve(inParameters, 0), pointOfCurve(inParameters, 1)];
  if (bounded.kind === 'spline' && inParameters.kind === 'line') {
    const fixed = start[0] === end[0] ? 'u' : start[1] === end[1] ? 'v' : undefined;
    if (fixed !== undefined) {
      const [from, to] = fixed === 'u' ? [start[1], end[1]] : [start[0], end[0]];
      const curve = isoCurve(bounded, fixed, fixed === 'u' ? start[0] : start[1]);
      if (from < to) return { ...curve, from, to };
    }
  }
  const at = (share: number): Point => {
    const [u, v] = pointOfCurve(inParameters, share);
    return pointAt(bounded, u, v);
  };
  return fitted(at);
}

function pointAt(surface: Surface, u: number, v: number): Point {
  if (surface.kind === 'spline') return pointOfSplineSurface(surface, u, v);
  if (surface.kind === 'extrusion') return plus(pointOfCurve(surface.curve, u), times(surface.along, v));
  if (surface.kind === 'revolution') {
    const { curve, origin, axis } = surface;
    // Lines have parameters from 0 to 1.
    const share = curve.kind === 'line' ? u : (u - curve.from) / (curve.to - curve.from);
    return pointIn(turning(origin, axis, v), pointOfCurve(curve, share));
  }
  throw notSupported('a boundary given only in the parameters of an analytic surface');
}

/** Fits cubic Hermite pieces to a curve, halving them until they are near enough. */
function fitted(at: (share: number) => Point): Curve {
  const size = Math.max(...[0.25, 0.5, 0.75, 1].map((share) => distance(at(0), at(share))));
  const points: Point[] = [at(0)];
  const knots = [0, 0, 0, 0];
  const slope = (share: number, step: number): Point => {
    const low = Math.max(0, share - step),
      high = Math.min(1, share + step);
    // One-sided second-order differences at the ends.
    if (share === 0)
      return times(plus(plus(times(at(0), -3), times(at(step), 4)), times(at(2 * step), -1)), 1 / (2 * step));
    if (share === 1)
      return times(plus(plus(times(at(1), 3), times(at(1 - step), -4)), at(1 - 2 * step)), 1 / (2 * step));
    return times(minus(at(high), at(low)), 1 / (high - low));
  };
  const piece = (from: number, to: number, depth: number): void => {
    const length = to - from,
      step = length / 1000;
    const a = at(from),
      d = at(to);
    const b = plus(a, times(slope(from, step), length / 3)),
      c = minus(d, times(slope(to, step), length / 3));
    const isNear = [0.25, 0.5, 0.75].every((s) => {
      const r = 1 - s;
      const own = plus(
        plus(times(a, r * r * r), times(b, 3 * r * r * s)),
        plus(times(c, 3 * r * s * s), times(d, s * s * s)),
      );
      return distance(own, at(from + s * length)) <= FIT_SHARE * size;
    });
    if (!isNear && depth < FIT_DEPTH) {
      piece(from, (from + to) / 2, depth + 1);
      piece((from + to) / 2, to, depth + 1);
      return;
    }
    points.push(b, c, d);
    knots.push(to, to, to);
  };
  piece(0, 1, 0);
  return { kind: 'spline', degree: 3, knots: [...knots, 1], points, from: 0, to: 1 };
}

function rigid(matrix: Float64Array): Placement {
  return { matrix, scale: 1, isMirrored: false };
}

function turning(origin: Point, axis: Point, angleRad: number): Placement {
  return rigid(
    compose(translation(...origin), rotation(...axis, angleRad), translation(-origin[0], -origin[1], -origin[2])),
  );
}

function arcRound(origin: Point, axis: Point, point: Point, from: number, to: number): Curve {
  const centre = plus(origin, times(axis, dot(minus(point, origin), axis)));
  const arm = minus(point, centre),
    radius = Math.hypot(...arm);
  if (!(radius > 0)) return { kind: 'line', from: centre, to: centre };
  const x = times(arm, 1 / radius);
  return {
    kind: 'ellipse',
    frame: { origin: centre, x, y: cross(axis, x), z: axis },
    radiusX: radius,
    radiusY: radius,
    from,
    to,
  };
}

function movedCurve(curve: Curve, placement: Placement): Curve {
  if (curve.kind === 'line')
    return { kind: 'line', from: pointIn(placement, curve.from), to: pointIn(placement, curve.to) };
  if (curve.kind === 'spline') return { ...curve, points: curve.points.map((point) => pointIn(placement, point)) };
  const { origin, x, y, z } = curve.frame;
  return {
    ...curve,
    frame: {
      origin: pointIn(placement, origin),
      x: vectorIn(placement, x),
      y: vectorIn(placement, y),
      z: vectorIn(placement, z),
    },
  };
}
