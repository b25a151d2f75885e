import type { Point, SplineSurface, Surface } from '../../content/exact-shape.js';
import { countAt, malformed, numberAt, numbersAt, pointAt, type IgesEntity, type IgesFile } from './entities.js';
import { checkedWeights, curveOf, isEven, notSupported, within, type PartBudget } from './curves.js';
import { cross, dot, minus, times } from '../geometry/vectors.js';
import { frameOf, placedBy, pointIn, unit, vectorIn, type Placement } from './placement.js';
import { checkKnots, pointOfCurve, ruledSurface, turnedLine } from './splines.js';

/** A surface with its orientation and extent in the file. */
export interface PlacedSurface {
  readonly surface: Surface;
  /** Whether its normal is that of the file's parameterisation (first parameter × second). */
  readonly sameSense: boolean;
  /** The bounded surface that the file describes, when `surface` itself is unbounded. */
  readonly bounded?: Surface;
}

/**
 * The surface of an entity, placed, mm. Types 108 (plane), 118 (ruled), 120 (of revolution), 122 (tabulated cylinder),
 * 128 (B-spline) and 190 to 198 (plane, cylinder, cone, sphere, torus).
 * @throws EngineError `FORMAT_UNSUPPORTED` for another type, `FILE_MALFORMED`, `LIMIT_EXCEEDED`.
 */
export function surfaceOf(file: IgesFile, sequence: number, outer: Placement, budget: PartBudget): PlacedSurface {
  budget.take();
  const entity = file.entity(sequence);
  const placement = placedBy(file, entity.transform, outer);
  const at = (index: number): number => numberAt(entity, index);
  switch (entity.type) {
    case 108:
      return { surface: planeOf(pointAt(entity, 0), at(3), placement), sameSense: true };
    case 118: {
      const ruled = ruledSurface(
        curveOf(file, at(0), placement, budget),
        curveOf(file, at(1), placement, budget),
        numberAt(entity, 2, 0) === 1,
      );
      if (ruled === undefined) throw notSupported('a ruled surface (type 118) between curves of different pieces');
      return { surface: ruled, sameSense: true };
    }
    case 120:
      return turnedOf(file, entity, placement, budget);
    case 122: {
      const curve = curveOf(file, at(0), placement, budget);
      const along = minus(pointIn(placement, pointAt(entity, 1)), pointOfCurve(curve, 0));
      if (!(Math.hypot(...along) > 0)) throw malformed(`the tabulated cylinder at ${sequence} has no length`);
      return { surface: { kind: 'extrusion', curve, along }, sameSense: true };
    }
    case 128:
      return { surface: splineSurfaceOf(entity, placement), sameSense: true };
    case 190:
    case 192:
    case 194:
    case 196:
    case 198:
      return { surface: analyticOf(file, entity, placement), sameSense: true };
    default:
      throw notSupported(`a surface of type ${entity.type}`);
  }
}

/** The plane of a x + b y + c z = d. */
function planeOf(normal: Point, d: number, placement: Placement): Surface {
  const foot = times(normal, d / dot(normal, normal));
  if (foot.some((value) => !Number.isFinite(value))) throw malformed('a plane has no normal');
  return { kind: 'plane', frame: frameOf(pointIn(placement, foot), vectorIn(placement, normal)) };
}

function turnedOf(file: IgesFile, entity: IgesEntity, placement: Placement, budget: PartBudget): PlacedSurface {
  const line = curveOf(file, numberAt(entity, 0), placement, budget);
  if (line.kind !== 'line')
    throw malformed(`the axis of the surface of revolution at ${entity.sequence} is not a line`);
  const curve = curveOf(file, numberAt(entity, 1), placement, budget);
  // A reflection reverses the direction of rotation.
  const axis = times(unit(minus(line.to, line.from)), placement.isMirrored ? -1 : 1);
  const from = numberAt(entity, 2, 0),
    to = numberAt(entity, 3, 2 * Math.PI);
  if (!(to > from)) throw malformed(`the surface of revolution at ${entity.sequence} turns from ${from} to ${to}`);
  const bounded: Surface = {
    kind: 'revolution',
    origin: line.from,
    axis,
    curve,
    from,
    to: Math.min(to, from + 2 * Math.PI),
  };
  const simple = curve.kind === 'line' ? turnedLine(line.from, axis, curve.from, curve.to) : undefined;
  // The file's first parameter runs along the curve; here it is the angle.
  if (simple === undefined) return { surface: bounded, sameSense: false, bounded };
  const start = pointOfCurve(curve, 0.5);
  const across = cross(minus(pointOfCurve(curve, 1), pointOfCurve(curve, 0)), cross(axis, minus(start, line.from)));
  const arm = minus(minus(start, line.from), times(axis, dot(minus(start, line.from), axis)));
  return { surface: simple, sameSense: dot(across, simple.kind === 'plane' ? axis : arm) > 0, bounded };
}

function splineSurfaceOf(entity: IgesEntity, placement: Placement): SplineSurface {
  const countU = countAt(entity, 0) + 1,
    countV = countAt(entity, 1) + 1,
    degreeU = countAt(entity, 2),
    degreeV = countAt(entity, 3);
  const total = countU * countV;
  // This bounds the loops below by the parameters that exist.
  if (4 * total > entity.parameters.length)
    throw malformed(
      `the surface at ${entity.sequence} with ${countU} x ${countV} points has ${entity.parameters.length} parameters`,
    );
  const knotsU = numbersAt(entity, 9, countU + degreeU + 1),
    knotsV = numbersAt(entity, 9 + knotsU.length, countV + degreeV + 1);
  checkKnots(knotsU, degreeU, countU);
  checkKnots(knotsV, degreeV, countV);
  const firstWeight = 9 + knotsU.length + knotsV.length;
  const flat = checkedWeights(numbersAt(entity, firstWeight, total));
  const points = Array.from({ length: countU }, (_, i) =>
    Array.from({ length: countV }, (_, j) => {
      const from = firstWeight + total + 3 * (j * countU + i);
      return pointIn(placement, pointAt(entity, from));
    }),
  );
  const ends = firstWeight + 4 * total;
  const range = (index: number, knots: readonly number[], degree: number, count: number): readonly [number, number] =>
    within(
      numberAt(entity, index, knots[degree]),
      numberAt(entity, index + 1, knots[count]),
      knots[degree],
      knots[count],
    );
  return {
    kind: 'spline',
    degreeU,
    degreeV,
    knotsU,
    knotsV,
    points,
    ...(isEven(flat) ? {} : { weights: points.map((row, i) => row.map((_, j) => flat[j * countU + i])) }),
    range: [...range(ends, knotsU, degreeU, countU), ...range(ends + 2, knotsV, degreeV, countV)],
  };
}

/** Types 190 to 198: a point (type 116), directions (type 123) and sizes. */
function analyticOf(file: IgesFile, entity: IgesEntity, placement: Placement): Surface {
  const place = (index: number): Point => {
    const point = file.expect(numberAt(entity, index), 116, `the surface at ${entity.sequence} is placed by an entity`);
    return pointIn(placedBy(file, point.transform, placement), pointAt(point, 0));
  };
  const direction = (index: number): Point | undefined => {
    const pointer = numberAt(entity, index, 0);
    if (pointer === 0) return undefined;
    const found = file.expect(pointer, 123, `the surface at ${entity.sequence} has a direction`);
    return vectorIn(placedBy(file, found.transform, placement), [
      numberAt(found, 0),
      numberAt(found, 1),
      numberAt(found, 2, 0),
    ]);
  };
  const size = (index: number): number => {
    const value = numberAt(entity, index) * placement.scale;
    if (!(value > 0)) throw malformed(`the surface at ${entity.sequence} has a size of ${value}`);
    return value;
  };
  const frame = (axis: number, x: number): ReturnType<typeof frameOf> =>
    frameOf(place(0), direction(axis) ?? vectorIn(placement, [0, 0, 1]), direction(x));
  if (entity.type === 190) return { kind: 'plane', frame: frame(1, 2) };
  if (entity.type === 192) return { kind: 'cylinder', frame: frame(1, 3), radius: size(2) };
  if (entity.type === 196) return { kind: 'sphere', frame: frame(2, 3), radius: size(1) };
  if (entity.type === 198) return { kind: 'torus', frame: frame(1, 4), major: size(2), minor: size(3) };
  const degrees = numberAt(entity, 3),
    radius = numberAt(entity, 2, 0) * placement.scale;
  if (!(degrees > 0 && degrees < 90 && radius >= 0))
    throw malformed(`the cone at ${entity.sequence} has a half angle of ${degrees} degrees and a radius of ${radius}`);
  return { kind: 'cone', frame: frame(1, 4), radius, halfAngleRad: (degrees * Math.PI) / 180 };
}
