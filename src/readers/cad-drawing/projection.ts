import type { Affine } from '../geometry/affine.js';

/** A point or direction in space. */
export interface Point3 {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** A projection from space to a plane: x' = a x + b y + c z + d, y' = e x + f y + g z + h. */
export type Projection = readonly [
  a: number,
  b: number,
  c: number,
  d: number,
  e: number,
  f: number,
  g: number,
  h: number,
];

/** A frame in space: its axes and origin in the enclosing frame. */
export interface Placement {
  readonly right: Point3;
  readonly up: Point3;
  readonly out: Point3;
  readonly origin: Point3;
}

/** The view from above: drops z. */
export const FROM_ABOVE: Projection = Object.freeze([1, 0, 0, 0, 0, 1, 0, 0]);

const UP: Point3 = Object.freeze({ x: 0, y: 0, z: 1 });
const ORIGIN: Point3 = Object.freeze({ x: 0, y: 0, z: 0 });
/**
 * A normal nearer to the z axis than this takes its x axis from y instead of z (DXF reference, "Arbitrary axis
 * algorithm").
 */
const NEAR_Z = 1 / 64;

export function project([a, b, c, d, e, f, g, h]: Projection, x: number, y: number, z: number): [x: number, y: number] {
  return [a * x + b * y + c * z + d, e * x + f * y + g * z + h];
}

/** The projection of points in a frame: first `placement`, then `view`. */
export function viewOf(view: Projection, { right, up, out, origin }: Placement): Projection {
  const [a, b, c, , e, f, g] = view;
  const [x, y] = project(view, origin.x, origin.y, origin.z);
  return [
    a * right.x + b * right.y + c * right.z,
    a * up.x + b * up.y + c * up.z,
    a * out.x + b * out.y + c * out.z,
    x,
    e * right.x + f * right.y + g * right.z,
    e * up.x + f * up.y + g * up.z,
    e * out.x + f * out.y + g * out.z,
    y,
  ];
}

/** The map from an entity's plane to the view. elevation: distance of the plane from the origin along its normal. */
export function planeOf(view: Projection, normal: Point3 | null | undefined, elevation: number): Affine {
  const [a, b, c, d, e, f, g, h] = view;
  const z = elevation || 0;
  if (isUp(normal)) return [a, e, b, f, c * z + d, g * z + h];
  const axes = axesOf(normal);
  const { x: outX, y: outY, z: outZ } = axes.out;
  const [rightX, upX, , x, rightY, upY, , y] = viewOf(view, {
    ...axes,
    origin: { x: z * outX, y: z * outY, z: z * outZ },
  });
  return [rightX, rightY, upX, upY, x, y];
}

/** The frame that DXF derives from an entity's normal ("Object coordinate system"). */
export function axesOf(normal: Point3 | null | undefined): Placement {
  if (isUp(normal)) return { right: { x: 1, y: 0, z: 0 }, up: { x: 0, y: 1, z: 0 }, out: UP, origin: ORIGIN };
  const out = unit(normal);
  const right = unit(
    Math.abs(out.x) < NEAR_Z && Math.abs(out.y) < NEAR_Z ? cross({ x: 0, y: 1, z: 0 }, out) : cross(UP, out),
  );
  return { right, up: cross(out, right), out, origin: ORIGIN };
}

/** Whether the normal points up; a missing or zero one counts as up. */
function isUp(normal: Point3 | null | undefined): normal is null | undefined {
  if (normal == null) return true;
  const length = Math.hypot(normal.x, normal.y, normal.z);
  return !(length > 0) || !Number.isFinite(length) || normal.z / length > 1 - 1e-12;
}

function unit({ x, y, z }: Point3): Point3 {
  const length = Math.hypot(x, y, z);
  return { x: x / length, y: y / length, z: z / length };
}

function cross(a: Point3, b: Point3): Point3 {
  return { x: a.y * b.z - a.z * b.y, y: a.z * b.x - a.x * b.z, z: a.x * b.y - a.y * b.x };
}
