import { Matrix4, Triangle, Vector3, type Plane } from 'three';
import type { FaceRun, FaceRuns } from './face-runs.js';
import { SeenDepth } from './seen-depth.js';
import type { ShownModel } from './shown-model.js';
import { isShown, type Stage } from './stage.js';

/** A rectangle on the canvas, CSS pixels from the upper left. */
export interface PickBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The number of the face under a place of the canvas; undefined beside the model, -1 where it is unknown. */
export function faceUnder(
  stage: Stage,
  model: ShownModel,
  plane: Plane | undefined,
  { x, y }: { readonly x: number; readonly y: number },
): number | undefined {
  const [hit] = stage.hits(x, y, model.surfaces, plane);
  return hit?.faceIndex == null ? undefined : (model.runsOf(hit.object)?.at(hit.faceIndex) ?? -1);
}

/** What a box picks. */
export interface BoxPick {
  readonly box: PickBox;
  /** Also the faces that others cover. */
  readonly hiddenToo: boolean;
}

/** A triangle whose normal is more square to the view than this is seen as a line: cosine of the angle to the view. */
const EDGE_ON = 0.02;
/** Most triangles of a face at which it is looked for. */
const MOST_TRIED = 400;

/**
 * The faces that are whole within a rectangle of the canvas: those of which something is seen, or with `hiddenToo` all.
 * A face that is seen as a line, such as the wall of a hole along its axis, is seen where one of its corners is. What a
 * section plane has cut off need not be within.
 */
export function facesInBox(
  stage: Stage,
  model: ShownModel,
  plane: Plane | undefined,
  { box, hiddenToo }: BoxPick,
): number[] {
  const { clientWidth, clientHeight } = stage.canvas;
  const bounds = {
    left: (2 * box.left) / clientWidth - 1,
    right: (2 * (box.left + box.width)) / clientWidth - 1,
    low: 1 - (2 * (box.top + box.height)) / clientHeight,
    high: 1 - (2 * box.top) / clientHeight,
  };
  const { camera } = stage;
  const onScreen = new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse);
  const at = new Vector3();
  const isCut = (point: Vector3): boolean => plane !== undefined && plane.distanceToPoint(point) < 0;
  const isWithin = (mesh: Surface, { first, count }: FaceRun): boolean => {
    let isThere = false;
    for (let i = 3 * first; i < 3 * (first + count); i++) {
      if (isCut(cornerOf(mesh, i, at))) continue;
      isThere = true;
      at.applyMatrix4(onScreen);
      if (at.x < bounds.left || at.x > bounds.right || at.y < bounds.low || at.y > bounds.high) return false;
    }
    return isThere;
  };
  const found = new Set<number>();
  let depth: SeenDepth | undefined;
  for (const mesh of model.surfaces.filter(isShown)) {
    const runs: FaceRuns | undefined = model.runsOf(mesh);
    for (const run of runs?.all ?? []) {
      if (run.number < 0 || found.has(run.number) || !isWithin(mesh, run)) continue;
      if (!hiddenToo) depth ??= new SeenDepth(stage, plane);
      if (depth === undefined || isSeen(mesh, run, { depth, view: stage.viewDirection, isCut })) found.add(run.number);
    }
  }
  return [...found];
}

type Surface = ShownModel['surfaces'][number];

interface Looking {
  readonly depth: SeenDepth;
  readonly view: Vector3;
  readonly isCut: (point: Vector3) => boolean;
}

/** Whether something of a face is seen. */
function isSeen(mesh: Surface, { first, count }: FaceRun, { depth, view, isCut }: Looking): boolean {
  const [a, b, c, middle, normal] = Array.from({ length: 5 }, () => new Vector3());
  const triangle = new Triangle(a, b, c);
  const step = Math.max(1, Math.floor(count / MOST_TRIED));
  let isLine = true;
  for (let t = first; t < first + count; t += step) {
    [a, b, c].forEach((corner, k) => cornerOf(mesh, 3 * t + k, corner));
    const facing = Math.abs(triangle.getNormal(normal).dot(view));
    if (facing < EDGE_ON) continue;
    isLine = false;
    triangle.getMidpoint(middle);
    // The middle of a long triangle may be covered where its ends are not.
    for (const point of [middle, ...[a, b, c].map((corner) => corner.clone().lerp(middle, 0.25))])
      if (!isCut(point) && depth.shows(point, facing)) return true;
  }
  if (!isLine) return false;
  for (let i = 3 * first; i < 3 * (first + count); i += step)
    if (!isCut(cornerOf(mesh, i, a)) && depth.shows(a, 1)) return true;
  return false;
}

/** A corner of a surface in the frame of the scene. */
function cornerOf(mesh: Surface, i: number, out: Vector3): Vector3 {
  const { index } = mesh.geometry;
  return out
    .fromBufferAttribute(mesh.geometry.getAttribute('position'), index === null ? i : index.getX(i))
    .applyMatrix4(mesh.matrixWorld);
}
