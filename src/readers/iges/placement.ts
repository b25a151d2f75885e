import type { Frame, Point } from '../../content/exact-shape.js';
import { compose, identity } from '../geometry/transforms.js';
import { cross, dot, minus, times } from '../geometry/vectors.js';
import { malformed, numberAt, type IgesFile } from './entities.js';

/** Longest chain of transformation matrices. */
const TRANSFORM_DEPTH = 16;
/** Tolerance for axis lengths and angles of a matrix. */
const SKEW = 1e-4;

/** A similarity transform: rotation or reflection, uniform scale, translation. */
export interface Placement {
  /** f64[16], column-major, points as columns. */
  readonly matrix: Float64Array;
  readonly scale: number;
  readonly isMirrored: boolean;
}

export function scaledPlacement(
  scale: number,
  { x, y, z }: { x: number; y: number; z: number } = { x: 0, y: 0, z: 0 },
): Placement {
  return {
    matrix: new Float64Array([scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x, y, z, 1]),
    scale,
    isMirrored: false,
  };
}

/** The product of two placements; `inner` is applied first. */
export function composed(outer: Placement, inner: Placement): Placement {
  return {
    matrix: compose(outer.matrix, inner.matrix),
    scale: outer.scale * inner.scale,
    isMirrored: outer.isMirrored !== inner.isMirrored,
  };
}

/** `outer` combined with an entity's own matrix (type 124); `transform` is a pointer to it, 0 for none. */
export function placedBy(file: IgesFile, transform: number, outer: Placement, depth = 0): Placement {
  if (transform === 0) return outer;
  const entity = file.expect(Math.abs(transform), 124, 'an entity is placed by an entity');
  if (depth >= TRANSFORM_DEPTH) throw malformed(`more than ${TRANSFORM_DEPTH} transformations are chained`);
  const [a, b, c, x, d, e, f, y, g, h, i, z] = Array.from({ length: 12 }, (_, n) =>
    numberAt(entity, n, n % 5 === 0 ? 1 : 0),
  );
  const columns: Point[] = [
    [a, d, g],
    [b, e, h],
    [c, f, i],
  ];
  const isRigid = columns.every(
    (column, n) => Math.abs(Math.hypot(...column) - 1) < SKEW && Math.abs(dot(column, columns[(n + 1) % 3])) < SKEW,
  );
  if (!isRigid) throw malformed(`the transformation at ${entity.sequence} is not rigid`);
  const own: Placement = {
    matrix: new Float64Array([a, d, g, 0, b, e, h, 0, c, f, i, 0, x, y, z, 1]),
    scale: 1,
    isMirrored: dot(cross(columns[0], columns[1]), columns[2]) < 0,
  };
  return composed(placedBy(file, entity.transform, outer, depth + 1), own);
}

export function pointIn({ matrix: m }: Placement, [x, y, z]: Point): Point {
  return [
    m[0] * x + m[4] * y + m[8] * z + m[12],
    m[1] * x + m[5] * y + m[9] * z + m[13],
    m[2] * x + m[6] * y + m[10] * z + m[14],
  ];
}

export function vectorIn({ matrix: m }: Placement, [x, y, z]: Point): Point {
  return [m[0] * x + m[4] * y + m[8] * z, m[1] * x + m[5] * y + m[9] * z, m[2] * x + m[6] * y + m[10] * z];
}

/**
 * A frame with z along `axis`, and x along `x` as far as that is perpendicular to it; any perpendicular x otherwise.
 */
export function frameOf(origin: Point, axis: Point, x?: Point): Frame {
  const z = unit(axis);
  const across = x === undefined ? undefined : minus(x, times(z, dot(x, z)));
  const chosen =
    across !== undefined && Math.hypot(...across) > 1e-9 * Math.hypot(...x!) ? unit(across) : someAcross(z);
  return { origin, x: chosen, y: cross(z, chosen), z };
}

export const PLACED_AS_WRITTEN: Placement = Object.freeze({ matrix: identity(), scale: 1, isMirrored: false });

/**
 * The unit vector in a direction.
 * @throws EngineError `FILE_MALFORMED` for a direction of length 0.
 */
export function unit(a: Point): Point {
  const length = Math.hypot(...a);
  if (!(length > 0)) throw malformed('a direction has no length');
  return times(a, 1 / length);
}

function someAcross(z: Point): Point {
  const least =
    Math.abs(z[0]) <= Math.abs(z[1]) && Math.abs(z[0]) <= Math.abs(z[2])
      ? ([1, 0, 0] as const)
      : Math.abs(z[1]) <= Math.abs(z[2])
        ? ([0, 1, 0] as const)
        : ([0, 0, 1] as const);
  return unit(cross(z, least));
}
