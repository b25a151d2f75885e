import { Line3, Raycaster, Vector3, type Box3, type Intersection, type LineSegments, type Plane } from 'three';
import type { ShownModel } from './shown-model.js';
import { isShown, type Stage } from './stage.js';

/** A point picked on a model. */
export interface PickedPoint {
  /** In the model's frame, mm. */
  readonly point: Vector3;
  /** What the point snapped to. */
  readonly on: 'corner' | 'edge' | 'face';
}

/** An edge of a bounding box with its length. */
export interface BoxSide {
  readonly axis: 'x' | 'y' | 'z';
  readonly lengthMm: number;
  readonly from: Vector3;
  readonly to: Vector3;
}

/** Distances within which a point snaps to a corner or an edge, CSS pixels. */
const CORNER_PIXELS = 10;
const EDGE_PIXELS = 8;

/**
 * The point of the model under a place of the canvas, snapped to the nearest corner or edge; undefined beside the
 * model.
 */
export function pickPoint(
  stage: Stage,
  model: ShownModel,
  plane: Plane | undefined,
  x: number,
  y: number,
): PickedPoint | undefined {
  const [hit] = stage.hits(x, y, model.surfaces, plane);
  if (hit === undefined) return undefined;
  const lines = hit.object.parent?.children.find((child): child is LineSegments => child.type === 'LineSegments');
  const near = lines && nearestOnLines(lines, hit.point);
  if (near === undefined) return { point: hit.point, on: 'face' };
  if (near.corner.distanceTo(hit.point) < CORNER_PIXELS * stage.mmPerPixel) return { point: near.corner, on: 'corner' };
  if (near.edge.distanceTo(hit.point) < EDGE_PIXELS * stage.mmPerPixel) return { point: near.edge, on: 'edge' };
  return { point: hit.point, on: 'face' };
}

/** The direction into the material under a place of the canvas, square to the surface; undefined beside the model. */
export function pickNormal(
  stage: Stage,
  model: ShownModel,
  plane: Plane | undefined,
  x: number,
  y: number,
): [number, number, number] | undefined {
  const [hit] = stage.hits(x, y, model.surfaces, plane);
  return hit && inwardOf(stage, hit)?.toArray();
}

/** Square to a surface, away from the side that is seen: that is the outside, however the surface is oriented. */
function inwardOf(stage: Stage, { face, object }: Intersection): Vector3 | undefined {
  const normal = face?.normal.clone().transformDirection(object.matrixWorld);
  return normal !== undefined && normal.dot(stage.viewDirection) < 0 ? normal.negate() : normal;
}

/** A ray into the material begins so far below the surface, as a share of the model's box. */
const SKIN_SHARE = 1e-5;

/**
 * The wall under a place of the canvas: the point there, and that on the other side, square to the surface; undefined
 * beside the model and where the surface has no other side.
 */
export function pickWall(
  stage: Stage,
  model: ShownModel,
  plane: Plane | undefined,
  x: number,
  y: number,
): readonly [PickedPoint, PickedPoint] | undefined {
  const [hit] = stage.hits(x, y, model.surfaces, plane);
  const inward = hit && inwardOf(stage, hit);
  if (inward === undefined) return undefined;
  const skin = SKIN_SHARE * model.box.getSize(new Vector3()).length();
  const caster = new Raycaster(hit.point.clone().addScaledVector(inward, skin), inward);
  const [other] = caster.intersectObjects(model.surfaces.filter(isShown), false);
  if (other === undefined) return undefined;
  return [
    { point: hit.point, on: 'face' },
    { point: other.point, on: 'face' },
  ];
}

const AXES = ['x', 'y', 'z'] as const;

/** The twelve edges of a box. */
export function boxEdges({ min, max }: Box3): BoxSide[] {
  const corner = (i: number): Vector3 =>
    new Vector3(i & 1 ? max.x : min.x, i & 2 ? max.y : min.y, i & 4 ? max.z : min.z);
  return [0, 1, 2, 3, 4, 5, 6, 7].flatMap((i) =>
    AXES.flatMap((axis, k) =>
      i & (1 << k) ? [] : [{ axis, lengthMm: max[axis] - min[axis], from: corner(i), to: corner(i | (1 << k)) }],
    ),
  );
}

/** For each axis, the edge of the box that is farthest out on the screen, so that its dimension is beside the model. */
export function outerSides(box: Box3, stage: Stage): BoxSide[] {
  const middle = stage.project(box.getCenter(new Vector3()));
  const outwards = ({ from, to }: BoxSide): number => {
    const at = stage.project(from.clone().add(to).multiplyScalar(0.5));
    // Prefer below the model to above it.
    return Math.hypot(at.x - middle.x, at.y - middle.y) + (at.y > middle.y ? 1 : 0);
  };
  return AXES.map((axis) =>
    boxEdges(box)
      .filter((edge) => edge.axis === axis)
      .reduce((best, edge) => (outwards(edge) > outwards(best) ? edge : best)),
  );
}

function nearestOnLines(lines: LineSegments, point: Vector3): { corner: Vector3; edge: Vector3 } | undefined {
  const position = lines.geometry.getAttribute('position');
  const { index } = lines.geometry;
  if (index === null || index.count === 0) return undefined;
  const local = lines.worldToLocal(point.clone());
  const line = new Line3(),
    foot = new Vector3(),
    corner = new Vector3(),
    edge = new Vector3();
  let cornerSquare = Infinity,
    edgeSquare = Infinity;
  for (let i = 0; i < index.count; i += 2) {
    line.start.fromBufferAttribute(position, index.getX(i));
    line.end.fromBufferAttribute(position, index.getX(i + 1));
    for (const end of [line.start, line.end]) {
      const square = end.distanceToSquared(local);
      if (square >= cornerSquare) continue;
      cornerSquare = square;
      corner.copy(end);
    }
    const square = line.closestPointToPoint(local, true, foot).distanceToSquared(local);
    if (square >= edgeSquare) continue;
    edgeSquare = square;
    edge.copy(foot);
  }
  return { corner: lines.localToWorld(corner), edge: lines.localToWorld(edge) };
}
