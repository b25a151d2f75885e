import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import { Section, type SectionPlane } from './section.js';
import type { ShownModel } from './shown-model.js';
import { outlinePoints, Stage } from './stage.js';
import type { Up } from './standard-views.js';

/** A stage that shows a model. */
export interface StagedModel {
  readonly stage: Stage;
  readonly section: Section;
}

/** Shows a model on a canvas as soon as the canvas exists. up: the axis that points up. */
export function useStage(
  model: ShownModel,
  up: Up = model.up,
): { readonly canvas: RefObject<HTMLCanvasElement | null>; readonly staged: StagedModel | undefined } {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [staged, setStaged] = useState<StagedModel | undefined>(undefined);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    const stage = new Stage(canvas.current, up);
    stage.scene.add(model.root);
    stage.setContent(model.box, outlinePoints(model.root));
    stage.look('Isometric');
    const section = new Section(stage, model);
    setStaged({ stage, section });
    return () => {
      section.dispose();
      stage.scene.remove(model.root);
      stage.dispose();
    };
  }, [model, up]);
  return { canvas, staged };
}

/** Applies a section plane; undefined: none. */
export function useSection(staged: StagedModel | undefined, plane: SectionPlane | undefined): void {
  useEffect(() => staged?.section.set(plane), [staged, plane]);
}
