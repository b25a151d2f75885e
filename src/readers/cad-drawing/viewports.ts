import { type Placement, type Projection, axesOf, project, viewOf } from './projection.js';
import type { AcadTs } from './texts.js';
import type { BlockRecord, Viewport } from '@node-projects/acad-ts';

/** Most viewports of a layout that are drawn; AutoCAD shows 64. */
const MOST_VIEWPORTS = 256;
const VIEWPORT_OFF = 0x20000;

/** The viewports of a layout that show the model; without the one that represents the paper. */
export function shownViewports(acad: AcadTs, layout: BlockRecord): Viewport[] {
  const shown: Viewport[] = [];
  for (const entity of layout.entities) {
    if (!(entity instanceof acad.Viewport) || shown.length >= MOST_VIEWPORTS) continue;
    const { width, height, viewHeight, status, activeStatus } = entity;
    const isSound =
      [width, height, viewHeight, entity.center.x, entity.center.y].every(Number.isFinite) &&
      width > 0 &&
      height > 0 &&
      viewHeight > 0;
    if (isSound && activeStatus !== 0 && (status & VIEWPORT_OFF) === 0 && !entity.representsPaper) shown.push(entity);
  }
  return shown;
}

/** A viewport's projection of the model onto paper (parallel, without clipping planes). */
export function viewOfViewport({
  center,
  height,
  viewCenter,
  viewHeight,
  viewTarget,
  viewDirection,
  twistAngle,
}: Viewport): Projection {
  const { right, up } = axesOf(viewDirection);
  const scale = height / viewHeight;
  const cos = scale * Math.cos(twistAngle || 0),
    sin = scale * Math.sin(twistAngle || 0);
  const a = cos * right.x - sin * up.x,
    b = cos * right.y - sin * up.y,
    c = cos * right.z - sin * up.z;
  const e = sin * right.x + cos * up.x,
    f = sin * right.y + cos * up.y,
    g = sin * right.z + cos * up.z;
  const { x, y, z } = viewTarget;
  return [
    a,
    b,
    c,
    center.x - scale * viewCenter.x - (a * x + b * y + c * z),
    e,
    f,
    g,
    center.y - scale * viewCenter.y - (e * x + f * y + g * z),
  ];
}

/** The view of a block whose base point lies at the origin of a frame. */
export function viewOfBlock({ blockEntity }: BlockRecord, view: Projection, frame: Placement): Projection {
  const placed = viewOf(view, frame);
  const { x, y, z } = blockEntity?.basePoint ?? { x: 0, y: 0, z: 0 };
  const [baseX, baseY] = project(placed, -x || 0, -y || 0, -z || 0);
  return placed.with(3, baseX).with(7, baseY) as unknown as Projection;
}
