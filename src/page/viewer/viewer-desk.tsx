import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { boxText, figure } from '../common/figures.js';
import { drawComponentPictures } from './component-pictures.js';
import { Marks } from './marks.js';
import { pickPoint, type PickedPoint } from './measure.js';
import type { SectionPlane } from './section.js';
import { chosenFaces, selection, shownFaces } from './selection.js';
import type { ShownModel } from './shown-model.js';
import { useSection, useStage, type StagedModel } from './use-stage.js';
import { KEYS_TEXT, pressKey } from './viewer-keys.js';
import { SectionTools, ViewerTools, type Measuring } from './viewer-tools.js';
import { Vector3 } from 'three';

interface ViewerDeskProps {
  readonly uid: string;
  readonly name: string;
  readonly model: ShownModel;
}

/** A pointer that moves farther than this between press and release drags, CSS pixels. */
const DRAG_PIXELS = 4;

/** The canvas of a loaded model with its tools. */
export function ViewerDesk({ uid, name, model }: ViewerDeskProps) {
  const { canvas, staged } = useStage(model);
  const [showsLines, setShowsLines] = useState(true);
  const [section, setSection] = useState<SectionPlane | undefined>(undefined);
  const [measuring, setMeasuring] = useState<Measuring>('nothing');
  const [points, setPoints] = useState<readonly PickedPoint[]>([]);
  const press = useRef<{ x: number; y: number } | undefined>(undefined);
  const keys = useId();
  const chosen = selection.value?.uid === uid ? selection.value.path : undefined;
  useSection(staged, section);
  useEffect(() => {
    model.showLines(showsLines);
    staged?.stage.invalidate();
  }, [model, staged, showsLines]);
  const faces = chosenFaces.value?.uid === uid ? chosenFaces.value.faces : undefined;
  useEffect(() => {
    model.choose(chosen, faces);
    staged?.stage.invalidate();
  }, [model, staged, chosen, faces]);
  useEffect(() => {
    if (chosen !== undefined) chosenFaces.value = undefined;
  }, [chosen]);
  useEffect(() => {
    shownFaces.value = { uid, faces: new Set(model.faces.keys()) };
    return () => {
      shownFaces.value = undefined;
    };
  }, [uid, model]);
  useComponentPictures(uid, model, staged);

  const pick = (x: number, y: number): void => {
    if (staged === undefined) return;
    const { stage, section: cut } = staged;
    if (measuring === 'distance') {
      const point = pickPoint(stage, model, cut.plane, x, y);
      if (point !== undefined) setPoints((before) => (before.length === 1 ? [before[0], point] : [point]));
      return;
    }
    const [hit] = stage.hits(x, y, model.surfaces, cut.plane);
    const path = hit === undefined ? undefined : model.pathOf(hit.object);
    chosenFaces.value = undefined;
    selection.value = path === undefined || path === '' || path === chosen ? undefined : { uid, path };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (staged === undefined) return;
    const { clientWidth, clientHeight } = staged.stage.canvas;
    if (event.key === 'Enter' && measuring === 'distance') pick(clientWidth / 2, clientHeight / 2);
    else if (event.key === 'Escape') {
      setPoints([]);
      selection.value = undefined;
      chosenFaces.value = undefined;
    } else if (!pressKey(staged.stage, event)) return;
    event.preventDefault();
  };
  const measuredBox = measuring === 'box' ? model.boxOf(chosen) : undefined;
  return (
    <div class="viewer">
      <ViewerTools
        stage={staged?.stage}
        showsLines={showsLines}
        onLines={setShowsLines}
        section={section}
        onSection={setSection}
        measuring={measuring}
        onMeasuring={(next) => {
          setMeasuring(next);
          setPoints([]);
        }}
      />
      {section !== undefined && staged !== undefined && (
        <SectionTools section={section} positionMm={staged.section.positionMm(section)} onSection={setSection} />
      )}
      <div class="viewer-frame">
        <canvas
          ref={canvas}
          tabIndex={0}
          role="application"
          aria-label={`${name} in three dimensions`}
          aria-describedby={keys}
          onKeyDown={onKeyDown}
          class={measuring === 'distance' ? 'viewer-picking' : ''}
          onPointerDown={({ offsetX, offsetY }) => {
            press.current = { x: offsetX, y: offsetY };
          }}
          onPointerUp={({ offsetX, offsetY, button }) => {
            const from = press.current;
            press.current = undefined;
            if (from !== undefined && button === 0 && Math.hypot(offsetX - from.x, offsetY - from.y) < DRAG_PIXELS)
              pick(offsetX, offsetY);
          }}
        />
        {staged !== undefined && <Marks stage={staged.stage} box={measuredBox} points={points} />}
        {measuring === 'distance' && <span class="viewer-cross" aria-hidden="true" />}
      </div>
      <p class="hidden" id={keys}>
        {KEYS_TEXT}
      </p>
      <p class="viewer-said" role="status">
        {saidOf(
          measuring,
          points,
          measuredBox === undefined ? undefined : measuredBox.getSize(new Vector3()).toArray(),
        )}
      </p>
    </div>
  );
}

/** The result of measuring as text, or what to do next. */
function saidOf(measuring: Measuring, points: readonly PickedPoint[], sizeMm: readonly number[] | undefined): string {
  if (sizeMm !== undefined) return `Box along the axes: ${boxText(sizeMm)}`;
  if (measuring !== 'distance') return '';
  if (points.length === 0) return 'Pick the first point. It snaps to corners and edges.';
  if (points.length === 1) return `First point on a ${points[0].on}. Pick the second.`;
  const [from, to] = points.map(({ point }) => point);
  const [x, y, z] = to
    .clone()
    .sub(from)
    .toArray()
    .map((value) => figure(Math.abs(value)));
  const ends = `from ${points[0].on} to ${points[1].on}`;
  return `Distance ${figure(from.distanceTo(to))} mm, ${ends}; along X ${x}, Y ${y}, Z ${z} mm`;
}

/** Draws the small pictures for the tree after the model itself is on the screen. */
function useComponentPictures(uid: string, model: ShownModel, staged: StagedModel | undefined): void {
  useEffect(() => {
    if (staged === undefined) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => void drawComponentPictures(uid, model, controller.signal), 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [uid, model, staged]);
}
