import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Vector3 } from 'three';
import { boxText, figure, lengthFigure, lengthText } from '../common/figures.js';
import { units } from '../common/units.js';
import { drawComponentPictures } from './component-pictures.js';
import { Arrangement } from './arrangement.js';
import { Marks } from './marks.js';
import { pickNormal, pickPoint, pickWall, type PickedPoint } from './measure.js';
import { pickEdge, type MeasuredEdge } from './measure-edge.js';
import type { PickBox } from './pick-faces.js';
import { growLit, PickBar } from './pick-bar.js';
import { litSide } from './lit-side.js';
import { hide, isolate, PartsTools, showAll } from './parts-tools.js';
import { Section } from './section.js';
import { chosenFaces, componentFaces, hiddenOf, light, litFaces, selection, shownFaces } from './selection.js';
import type { ShownModel } from './shown-model.js';
import { StageCanvas } from './stage-parts.js';
import { usePicking } from './use-picking.js';
import { useStage } from './use-stage.js';
import { inwards, SectionTools } from './section-tools.js';
import { takesClicks, ViewerTools, type Tools } from './viewer-tools.js';

interface ViewerDeskProps {
  readonly uid: string;
  readonly name: string;
  readonly model: ShownModel;
}

/** A pointer that moves farther than this between press and release drags, CSS pixels. */
const DRAG_PIXELS = 4;

/** The canvas of a loaded model with its tools. */
export function ViewerDesk({ uid, name, model }: ViewerDeskProps) {
  const { canvas, stage } = useStage(model);
  const cut = useMemo(() => stage && new Section(stage, model), [stage, model]);
  const arrangement = useMemo(() => stage && new Arrangement(stage, model), [stage, model]);
  const [spread, setSpread] = useState(0);
  const [tools, setTools] = useState<Tools>(() => ({
    showsLines: true,
    section: undefined,
    measuring: 'nothing',
    // Of a single part a click can select nothing else.
    picking: model.hasFaces && (model.components.size < 2 || litFaces.peek()?.uid === uid) ? 'faces' : 'parts',
  }));
  const { showsLines, section, measuring } = tools;
  const picking = takesClicks(measuring) ? 'parts' : tools.picking;
  const faces = usePicking({ uid, stage, model, plane: () => cut?.plane, byBox: picking === 'box' });
  const [points, setPoints] = useState<readonly PickedPoint[]>([]);
  const [edge, setEdge] = useState<MeasuredEdge | undefined>(undefined);
  const forget = (): void => {
    setPoints([]);
    setEdge(undefined);
  };
  const press = useRef<{ x: number; y: number } | undefined>(undefined);
  const chosen = selection.value?.uid === uid ? selection.value.path : undefined;
  const hidden = hiddenOf(uid);
  useEffect(() => arrangement?.hide(hidden), [arrangement, hidden]);
  useEffect(() => arrangement?.spread(spread), [arrangement, spread]);
  useEffect(() => cut?.set(section), [cut, section]);
  useEffect(() => () => cut?.dispose(), [cut]);
  useEffect(() => {
    model.showLines(showsLines);
    stage?.invalidate();
  }, [model, stage, showsLines]);
  const annotated = chosenFaces.value?.uid === uid ? chosenFaces.value.faces : undefined;
  const lit = litFaces.value?.uid === uid ? litFaces.value : undefined;
  useEffect(() => {
    model.highlight({
      component: chosen,
      annotated,
      lit: lit && { faces: lit.faces, fades: lit.how !== 'picked' },
    });
    stage?.invalidate();
  }, [model, stage, chosen, annotated, lit]);
  // Until the user turns it, the model shows what a search has found in it, as the picture of the result does.
  const isTurned = useRef(false);
  useEffect(() => {
    if (stage === undefined || lit?.how !== 'match' || isTurned.current) return;
    const side = litSide(stage, model, lit.faces);
    if (side !== undefined) stage.look(side);
  }, [stage, model, lit]);
  useEffect(() => {
    if (chosen !== undefined) chosenFaces.value = undefined;
    if (chosen !== undefined || annotated !== undefined) litFaces.value = undefined;
  }, [chosen, annotated]);
  useEffect(() => {
    shownFaces.value = { uid, faces: new Set(model.faces.keys()) };
    componentFaces.value = { uid, of: (path) => model.facesOf(path) };
    return () => {
      shownFaces.value = undefined;
      componentFaces.value = undefined;
    };
  }, [uid, model]);
  // The small pictures for the tree are drawn after the model itself is on the screen.
  useEffect(() => {
    if (stage === undefined) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => void drawComponentPictures(uid, model, controller.signal), 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [uid, model, stage]);

  const pick = (x: number, y: number, more: boolean): void => {
    if (stage === undefined) return;
    if (picking !== 'parts') return faces.one({ x, y }, more);
    if (measuring === 'distance') {
      const point = pickPoint(stage, model, cut?.plane, x, y);
      if (point !== undefined) setPoints((before) => (before.length === 1 ? [before[0], point] : [point]));
      return;
    }
    if (measuring === 'cut') {
      const face = pickNormal(stage, model, cut?.plane, x, y);
      if (face === undefined) return;
      return change({ section: inwards({ across: 'face', direction: face }), measuring: 'nothing' });
    }
    if (measuring === 'edge') return setEdge(pickEdge(stage, model, cut?.plane, x, y));
    if (measuring === 'wall') return setPoints(pickWall(stage, model, cut?.plane, x, y) ?? []);
    const [hit] = stage.hits(x, y, model.surfaces, cut?.plane);
    const path = hit === undefined ? undefined : model.pathOf(hit.object);
    chosenFaces.value = undefined;
    litFaces.value = undefined;
    selection.value = path === undefined || path === '' || path === chosen ? undefined : { uid, path };
  };
  const onKey = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) return false;
    isTurned.current = true;
    if (key === 'Enter' && (takesClicks(measuring) || picking !== 'parts') && canvas.current !== null)
      pick(canvas.current.clientWidth / 2, canvas.current.clientHeight / 2, shiftKey);
    else if (model.components.size > 1 && (key === 'h' || key === 'H')) hide(uid, chosen);
    else if (model.components.size > 1 && (key === 'i' || key === 'I')) isolate(uid, model, chosen);
    else if (model.components.size > 1 && (key === 'a' || key === 'A')) showAll(uid);
    else if ((key === 'g' || key === 'G') && picking !== 'parts') void growLit(uid);
    else if (key === 'Escape') {
      forget();
      faces.dropBox();
      light({ uid, faces: [], how: 'picked' });
    } else return false;
    return true;
  };
  const change = (changes: Partial<Tools>): void => {
    setTools({ ...tools, ...changes });
    if (changes.measuring !== undefined) forget();
  };
  const measuredBox = measuring === 'box' ? model.boxOf(chosen) : undefined;
  return (
    <div class="viewer">
      <ViewerTools
        stage={stage}
        tools={{ ...tools, picking }}
        hasFaces={model.hasFaces}
        onChange={change}
        onView={(view) => {
          isTurned.current = true;
          stage?.look(view);
        }}
      >
        {model.components.size > 1 && (
          <PartsTools
            uid={uid}
            model={model}
            chosen={chosen}
            spread={spread}
            onSpread={(share) => {
              setSpread(share);
              forget();
            }}
          />
        )}
      </ViewerTools>
      {section !== undefined && cut !== undefined && (
        <SectionTools
          section={section}
          positionMm={cut.positionMm(section)}
          onSection={(next) => change({ section: next, ...(measuring === 'cut' && { measuring: 'nothing' }) })}
          viewDirection={() => stage?.viewDirection.toArray() ?? [0, 1, 0]}
          picksFace={measuring === 'cut'}
          onPickFace={() => change({ measuring: measuring === 'cut' ? 'nothing' : 'cut' })}
        />
      )}
      <StageCanvas
        canvas={canvas}
        stage={stage}
        label={`${name} in three dimensions`}
        onKey={onKey}
        class={takesClicks(measuring) || picking === 'box' ? 'viewer-picking' : ''}
        onPointerDown={({ offsetX, offsetY, button, pointerId, currentTarget }) => {
          press.current = { x: offsetX, y: offsetY };
          isTurned.current = true;
          if (picking !== 'box' || button !== 0) return;
          currentTarget.setPointerCapture(pointerId);
          faces.startBox({ x: offsetX, y: offsetY });
        }}
        onPointerMove={({ offsetX, offsetY }) => {
          if (faces.box !== undefined) faces.moveBox({ x: offsetX, y: offsetY });
        }}
        onPointerUp={({ offsetX, offsetY, button, shiftKey }) => {
          const from = press.current;
          press.current = undefined;
          if (from === undefined || button !== 0) return;
          const isClick = Math.hypot(offsetX - from.x, offsetY - from.y) < DRAG_PIXELS;
          if (isClick) pick(offsetX, offsetY, shiftKey);
          else if (faces.box !== undefined) return faces.endBox(shiftKey);
          faces.dropBox();
        }}
        onPointerCancel={faces.dropBox}
        onDblClick={({ offsetX, offsetY }) => {
          if (picking !== 'parts') faces.grow({ x: offsetX, y: offsetY });
        }}
      >
        {stage !== undefined && <Marks stage={stage} box={measuredBox} points={points} edge={edge?.points} />}
        {faces.box !== undefined && <span class="viewer-box" aria-hidden="true" style={pixelsOf(faces.box)} />}
        {(takesClicks(measuring) || picking !== 'parts') && <span class="viewer-cross" aria-hidden="true" />}
      </StageCanvas>
      <PickBar
        uid={uid}
        isPicking={picking !== 'parts'}
        isPart={model.components.size < 2}
        said={saidOf(measuring, { points, edge, sizeMm: measuredBox?.getSize(new Vector3()).toArray() })}
        adds={faces.adds}
        onAdds={faces.setAdds}
        hiddenToo={picking === 'box' ? faces.hiddenToo : undefined}
        onHiddenToo={faces.setHiddenToo}
      />
    </div>
  );
}

function pixelsOf(box: PickBox): Record<keyof PickBox, string> {
  const { left, top, width, height } = box;
  return { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` };
}

interface MeasuredThings {
  readonly points: readonly PickedPoint[];
  readonly edge: MeasuredEdge | undefined;
  readonly sizeMm: readonly number[] | undefined;
}

function edgeText({ kind, lengthMm, radiusMm = 0, angleRad = 0 }: MeasuredEdge): string {
  if (kind === 'straight') return `Straight edge, ${lengthText(lengthMm)} long`;
  if (kind === 'curve') return `Curved edge, ${lengthText(lengthMm)} long`;
  const round = `⌀ ${lengthText(2 * radiusMm)}, radius ${lengthText(radiusMm)}`;
  if (kind === 'circle') return `Circle ${round}, ${lengthText(lengthMm)} around`;
  return `Arc ${round}, ${figure((180 * angleRad) / Math.PI)}°, ${lengthText(lengthMm)} long`;
}

/** The result of measuring as text, or what to do next. */
function saidOf(measuring: Tools['measuring'], { points, edge, sizeMm }: MeasuredThings): string {
  if (sizeMm !== undefined) return `Box along the axes: ${boxText(sizeMm)}`;
  if (measuring === 'cut') return 'Pick a face. The model is cut parallel to it.';
  if (measuring === 'edge') return edge === undefined ? 'Pick an edge.' : edgeText(edge);
  if (measuring === 'wall')
    return points.length < 2
      ? 'Pick a point of the surface. The wall is measured square to it.'
      : `Wall ${lengthText(points[0].point.distanceTo(points[1].point))}, square to the surface`;
  if (measuring !== 'distance') return '';
  if (points.length === 0) return 'Pick the first point. It snaps to corners and edges.';
  if (points.length === 1) return `First point on a ${points[0].on}. Pick the second.`;
  const [from, to] = points.map(({ point }) => point);
  const [x, y, z] = to
    .clone()
    .sub(from)
    .toArray()
    .map((value) => lengthFigure(Math.abs(value)));
  const ends = `from ${points[0].on} to ${points[1].on}`;
  return `Distance ${lengthText(from.distanceTo(to))}, ${ends}; along X ${x}, Y ${y}, Z ${z} ${units.value}`;
}
