import { useEffect, useRef, useState } from 'preact/hooks';
import type { Box3, Object3D } from 'three';
import { outlinePoints, Stage } from './stage.js';
import type { Attitude } from './standard-views.js';

interface Staged {
  readonly root: Object3D;
  readonly box: Box3;
  readonly attitude: Attitude;
}

/** Shows a model on a canvas as soon as the canvas exists, as its picture does. attitude: instead of its own. */
export function useStage(model: Staged, attitude: Attitude = model.attitude) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [stage, setStage] = useState<Stage | undefined>(undefined);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    const made = new Stage(canvas.current, attitude);
    made.scene.add(model.root);
    made.setContent(model.box, outlinePoints(model.root));
    made.look('Picture');
    setStage(made);
    return () => {
      made.scene.remove(model.root);
      made.dispose();
    };
  }, [model, attitude]);
  return { canvas, stage };
}
