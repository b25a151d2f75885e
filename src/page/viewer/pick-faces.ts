import { Matrix4, Vector3, type BufferGeometry, type Mesh, type Plane } from 'three';
import type { FaceRuns } from './face-runs.js';
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

/**
 * The faces that are whole within a rectangle of the canvas, hidden ones too: those of a hole seen along its axis. What
 * a section plane has cut off need not be within.
 */
export function facesInBox(stage: Stage, model: ShownModel, plane: Plane | undefined, box: PickBox): number[] {
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
  const isWithin = (mesh: Mesh<BufferGeometry>, from: number, to: number): boolean => {
    const position = mesh.geometry.getAttribute('position');
    const { index } = mesh.geometry;
    let isSeen = false;
    for (let i = from; i < to; i++) {
      at.fromBufferAttribute(position, index === null ? i : index.getX(i)).applyMatrix4(mesh.matrixWorld);
      if (plane !== undefined && plane.distanceToPoint(at) < 0) continue;
      isSeen = true;
      at.applyMatrix4(onScreen);
      if (at.x < bounds.left || at.x > bounds.right || at.y < bounds.low || at.y > bounds.high) return false;
    }
    return isSeen;
  };
  const found = new Set<number>();
  for (const mesh of model.surfaces.filter(isShown)) {
    const runs: FaceRuns | undefined = model.runsOf(mesh);
    for (const { number, first, count } of runs?.all ?? [])
      if (number >= 0 && !found.has(number) && isWithin(mesh, 3 * first, 3 * (first + count))) found.add(number);
  }
  return [...found];
}
