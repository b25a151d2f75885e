import { Box3, Mesh, type Object3D } from 'three';
import { componentPictures, pictureKey } from './selection.js';
import type { ShownModel } from './shown-model.js';
import { outlinePoints, Stage } from './stage.js';

/** Width and height of a picture, pixels, and the most different pictures that are drawn. */
const SIZE = 64;
const MOST_PICTURES = 300;
/** Longest work without a pause, ms, so that the page stays responsive. */
const SLICE_MS = 12;

/**
 * Draws a picture of every component of a model (equal components share one) and stores them in {@link
 * componentPictures} for the tree.
 */
export async function drawComponentPictures(uid: string, model: ShownModel, signal: AbortSignal): Promise<void> {
  if (model.components.size < 2 || componentPictures.value.has(pictureKey(uid, ''))) return;
  const frame = document.createElement('div');
  const canvas = document.createElement('canvas');
  frame.append(canvas);
  const stage = new Stage(canvas, model.attitude);
  stage.renderer.setPixelRatio(1);
  stage.renderer.setSize(SIZE, SIZE, false);
  const pictures = new Map<string, string>();
  const drawn = new Map<string, string>();
  let startedAt = performance.now();
  try {
    for (const [path, component] of model.components) {
      if (performance.now() - startedAt > SLICE_MS) {
        await new Promise((resolve) => setTimeout(resolve, 4));
        startedAt = performance.now();
      }
      if (signal.aborted) return;
      const looks = looksOf(component);
      const known = drawn.get(looks);
      if (known === undefined && drawn.size >= MOST_PICTURES) continue;
      const address = known ?? draw(stage, component);
      drawn.set(looks, address);
      pictures.set(pictureKey(uid, path), address);
    }
  } finally {
    stage.dispose();
  }
  componentPictures.value = new Map([...componentPictures.value, ...pictures]);
}

function draw(stage: Stage, component: Object3D): string {
  const copy = component.clone(true);
  // Without its placement, so that equal components look the same.
  copy.position.set(0, 0, 0);
  copy.quaternion.identity();
  stage.scene.add(copy);
  copy.updateMatrixWorld(true);
  stage.setContent(new Box3().setFromObject(copy), outlinePoints(copy));
  stage.look('Picture');
  stage.draw();
  stage.scene.remove(copy);
  return stage.canvas.toDataURL('image/png');
}

/** A key that is equal for components with the same bodies in the same places. */
function looksOf(component: Object3D): string {
  const parts: string[] = [];
  const inverse = component.matrixWorld.clone().invert();
  component.traverse((object) => {
    if (object instanceof Mesh)
      parts.push(
        `${object.geometry.uuid} ${inverse
          .clone()
          .multiply(object.matrixWorld)
          .elements.map((value) => value.toFixed(3))
          .join()}`,
      );
  });
  return parts.join('\n');
}
