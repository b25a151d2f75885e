import { useEffect, useRef, useState } from 'preact/hooks';
import type { Box3, Object3D } from 'three';
import { outlinePoints, Stage } from './stage.js';
import type { Up } from './standard-views.js';

interface Staged {
  readonly root: Object3D;
  readonly box: Box3;
  readonly up: Up;
}

/** Shows a model on a canvas as soon as the canvas exists. up: the axis that points up. */
export function useStage(model: Staged, up: Up = model.up) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stage, setStage] = useState<Stage | undefined>(undefined);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    const made = new Stage(canvas.current, up);
    made.scene.add(model.root);
    made.setContent(model.box, outlinePoints(model.root));
    made.look('Isometric');
    setStage(made);
    return () => {
      made.scene.remove(model.root);
      made.dispose();
    };
  }, [model, up]);
  return { canvas, stage };
}
