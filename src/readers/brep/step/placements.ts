import { determinant } from '../../../content/matrix.js';
import { idOf, isList, numberOf, wordOf, type Part21Instances, type Part21Value } from './part21-instances.js';
import { ofColumns } from '../../geometry/transforms.js';
import { cross, dot, times, type Vector } from '../../geometry/vectors.js';

/** Longest chain of units that are defined by other units. */
const UNIT_DEPTH = 4;

const SI_PREFIXES: Readonly<Record<string, number>> = {
  KILO: 1e6,
  HECTO: 1e5,
  DECA: 1e4,
  '': 1e3,
  DECI: 100,
  CENTI: 10,
  MILLI: 1,
  MICRO: 1e-3,
  NANO: 1e-6,
};

/** Millimetres per length unit of a representation context; 1 when it names no known unit. */
export function millimetresOf(instances: Part21Instances, contextId: number | undefined): number {
  const [units] = instances.arguments(contextId, 'GLOBAL_UNIT_ASSIGNED_CONTEXT');
  for (const unit of isList(units) ? units.slice(0, 16) : []) {
    const millimetres = lengthUnit(instances, unit, 0);
    if (millimetres !== undefined) return millimetres;
  }
  return 1;
}

function lengthUnit(instances: Part21Instances, unit: Part21Value, depth: number): number | undefined {
  const id = idOf(unit);
  const types = id === undefined || depth > UNIT_DEPTH ? undefined : instances.read(id);
  if (types === undefined || !(types.has('LENGTH_UNIT') || depth > 0)) return undefined;
  const si = types.get('SI_UNIT');
  if (si !== undefined) {
    const [prefix, name] = si.slice(-2);
    return wordOf(name) === 'METRE' ? SI_PREFIXES[wordOf(prefix)] : undefined;
  }
  const of = instances.read(idOf(types.get('CONVERSION_BASED_UNIT')?.[1]));
  const [value, inner] = of?.get('LENGTH_MEASURE_WITH_UNIT') ?? of?.get('MEASURE_WITH_UNIT') ?? [];
  const factor = numberOf(value);
  const base = lengthUnit(instances, inner ?? null, depth + 1);
  return factor === undefined || base === undefined || !(factor > 0) ? undefined : factor * base;
}

/**
 * The frame of an AXIS2_PLACEMENT_3D or CARTESIAN_TRANSFORMATION_OPERATOR_3D as f64[16], column-major, from the frame
 * to its parent, mm; undefined when the instance is neither. Missing or parallel directions are completed in the way of
 * Open CASCADE, because its meshes are compared with this frame.
 */
export function readFrame(instances: Part21Instances, id: number, millimetres: number): Float64Array | undefined {
  const types = instances.read(id);
  const placement = types?.get('AXIS2_PLACEMENT_3D');
  if (placement !== undefined) {
    const [, location, axis, reference] = placement;
    const z = unit(vector(instances, axis)) ?? [0, 0, 1];
    const x = across(z, vector(instances, reference));
    return ofColumns(x, cross(z, x), z, times(vector(instances, location) ?? [0, 0, 0], millimetres));
  }
  const operator = types?.get('CARTESIAN_TRANSFORMATION_OPERATOR_3D');
  if (types === undefined || operator === undefined) return undefined;
  const base = types.get('CARTESIAN_TRANSFORMATION_OPERATOR');
  const [axis1, axis2, origin, scale, axis3] =
    base === undefined ? operator.slice(-5) : [...base.slice(-4), operator.at(-1)];
  const z =
    unit(vector(instances, axis3)) ??
    cross(unit(vector(instances, axis1)) ?? [1, 0, 0], unit(vector(instances, axis2)) ?? [0, 1, 0]);
  if (Math.hypot(...z) < 1e-9) return undefined;
  const x = across(z, vector(instances, axis1));
  const y = cross(z, x);
  // The second axis decides the sign of y: an operator may mirror.
  const wanted = vector(instances, axis2);
  const side = wanted !== undefined && dot(wanted, y) < 0 ? -1 : 1;
  const size = numberOf(scale) ?? 1;
  return ofColumns(
    times(x, size),
    times(times(y, side), size),
    times(z, size),
    times(vector(instances, origin) ?? [0, 0, 0], millimetres),
  );
}

/** The inverse of an affine placement, f64[16]; undefined when it is singular. */
export function inverse(m: Float64Array): Float64Array | undefined {
  const [a, b, c, , d, e, f, , g, h, i] = m;
  const det = determinant(m);
  if (!(Math.abs(det) > 1e-30)) return undefined;
  const column = (p: number, q: number, r: number): Vector => [p / det, q / det, r / det];
  const x = column(e * i - f * h, c * h - b * i, b * f - c * e),
    y = column(f * g - d * i, a * i - c * g, c * d - a * f),
    z = column(d * h - e * g, b * g - a * h, a * e - b * d);
  const moved = (row: number): number => -(x[row] * m[12] + y[row] * m[13] + z[row] * m[14]);
  return ofColumns(x, y, z, [moved(0), moved(1), moved(2)]);
}

/** Transforms points, f64[3 * n], into new ones. */
export function placed(points: ArrayLike<number>, m: Float64Array): Float64Array {
  const moved = new Float64Array(points.length);
  for (let i = 0; i + 2 < points.length; i += 3) {
    const x = points[i],
      y = points[i + 1],
      z = points[i + 2];
    for (let axis = 0; axis < 3; axis++)
      moved[i + axis] = m[axis] * x + m[4 + axis] * y + m[8 + axis] * z + m[12 + axis];
  }
  return moved;
}

/** The coordinates of a CARTESIAN_POINT or DIRECTION; undefined when there are not three. */
export function vector(instances: Part21Instances, value: Part21Value | undefined): Vector | undefined {
  const types = instances.read(idOf(value));
  const numbers = (types?.get('CARTESIAN_POINT') ?? types?.get('DIRECTION'))?.[1];
  if (!isList(numbers) || numbers.length !== 3) return undefined;
  const [x, y, z] = numbers;
  return typeof x === 'number' && typeof y === 'number' && typeof z === 'number' ? [x, y, z] : undefined;
}

/**
 * The unit vector perpendicular to z that is nearest to `wanted`; a fixed choice when `wanted` is missing or parallel
 * to z.
 */
function across(z: Vector, wanted: Vector | undefined): Vector {
  const way = unit(wanted);
  const side = way === undefined || Math.hypot(...cross(z, way)) < 1e-12 ? undefined : unit(cross(cross(z, way), z));
  if (side !== undefined) return side;
  const [a, b, c] = z.map(Math.abs);
  if (b <= a && b <= c) return unit(a > c ? [-z[2], 0, z[0]] : [z[2], 0, -z[0]])!;
  if (a <= b && a <= c) return unit(b > c ? [0, -z[2], z[1]] : [0, z[2], -z[1]])!;
  return unit(a > b ? [-z[1], z[0], 0] : [z[1], -z[0], 0])!;
}

function unit(way: Vector | undefined): Vector | undefined {
  const length = way === undefined ? 0 : Math.hypot(...way);
  return way === undefined || !(length > 1e-12 && length < 1e300) ? undefined : times(way, 1 / length);
}
