import { Vector3, type Box3, type LineSegments, type Plane } from 'three';
import type { ShownModel } from './shown-model.js';
import type { Stage } from './stage.js';

/** A point picked on a model. */
export interface PickedPoint {
  /** In the model's frame, mm. */
  readonly point: Vector3;
  /** What the point snapped to. */
  readonly on: 'corner' | 'edge' | 'face';
}

/** An edge of a bounding box with its length, drawn as a dimension. */
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

/** For each axis, the edge of the box that is farthest out on the screen, so that its dimension is beside the model. */
export function outerSides(box: Box3, stage: Stage): BoxSide[] {
  const middle = stage.project(box.getCenter(new Vector3()));
  return (['x', 'y', 'z'] as const).map((axis) => {
    const others = (['x', 'y', 'z'] as const).filter((other) => other !== axis);
    let best: (BoxSide & { outwards: number }) | undefined;
    for (let corner = 0; corner < 4; corner++) {
      const from = box.min.clone(),
        to = box.min.clone();
      others.forEach((other, i) => {
        const value = (corner & (1 << i) ? box.max : box.min)[other];
        from[other] = value;
        to[other] = value;
      });
      to[axis] = box.max[axis];
      const at = stage.project(from.clone().add(to).multiplyScalar(0.5));
      // Prefer below the model to above it.
      const outwards = Math.hypot(at.x - middle.x, at.y - middle.y) + (at.y > middle.y ? 1 : 0);
      if (best === undefined || outwards > best.outwards)
        best = { axis, lengthMm: box.max[axis] - box.min[axis], from, to, outwards };
    }
    return best!;
  });
}

function nearestOnLines(lines: LineSegments, point: Vector3): { corner: Vector3; edge: Vector3 } | undefined {
  const position = lines.geometry.getAttribute('position');
  const { index } = lines.geometry;
  if (index === null || index.count === 0) return undefined;
  const local = lines.worldToLocal(point.clone());
  const a = new Vector3(),
    b = new Vector3(),
    foot = new Vector3();
  const corner = new Vector3(),
    edge = new Vector3();
  let cornerSquare = Infinity,
    edgeSquare = Infinity;
  for (let i = 0; i < index.count; i += 2) {
    a.fromBufferAttribute(position, index.getX(i));
    b.fromBufferAttribute(position, index.getX(i + 1));
    for (const end of [a, b]) {
      const square = end.distanceToSquared(local);
      if (square < cornerSquare) {
        cornerSquare = square;
        corner.copy(end);
      }
    }
    const along = b.clone().sub(a);
    const length = along.lengthSq();
    const share = length === 0 ? 0 : Math.min(1, Math.max(0, local.clone().sub(a).dot(along) / length));
    foot.copy(a).addScaledVector(along, share);
    const square = foot.distanceToSquared(local);
    if (square < edgeSquare) {
      edgeSquare = square;
      edge.copy(foot);
    }
  }
  return { corner: lines.localToWorld(corner), edge: lines.localToWorld(edge) };
}
