import type { Core } from '../../../core/core.js';
import { layLines } from '../../../core/laid-lines.js';
import { compareTurned, turnedViews } from '../../../core/views.js';
import { axisOfBetween, renderPictorialViews } from '../../../descriptors/pictorial-views.js';
import { VIEW_BYTES, VIEW_FLAG, describeViews, viewAt, viewFacts } from '../../../descriptors/views.js';
import type { ModelMesh } from '../model-meshes.js';
import { maskOf } from './stretched-views.js';

/** Free views of a model, the most similar ones, about which it is rendered as a person draws it pictorially. */
const DIRECTIONS = 4;
/** Rendered views of each kind, turned and oblique, that are laid. */
const LAID_EACH = 2;

/** A sketch that is compared with pictorial views of models. */
export interface PictorialSketch {
  /** The sketch as it is, in four quarter turns: descriptions, and lines, u8[64²] each. */
  readonly turned: Uint8Array;
  readonly lines: readonly Uint8Array[];
  /** Descriptions of the sketch laid along its longest axis as photos are, in four quarter turns. */
  readonly laid: Uint8Array;
}

/** How a pictorial view of a model lies on a sketch. */
export interface PictorialFit {
  /** What is left between the lines of both, px of 64, both ways added: 0 to 10. */
  readonly apart: number;
  /** Number of the free view of the model that is nearest to it. */
  readonly view: number;
}

/** @param view from `describeViews`. @param lines u8[64²], in four quarter turns */
export function pictorialSketch(core: Core, view: Uint8Array, lines: readonly Uint8Array[]): PictorialSketch {
  const { width, height, page } = viewFacts(view, 0);
  const laid = describeViews(core, [
    {
      place: { kind: 'page', page, box: { x: 0, y: 0, width: 1, height: 1 } },
      mask: maskOf(view),
      lines: lines[0],
      hiddenLines: new Uint8Array(),
      size: [width, height],
      isToScale: false,
      isFree: true,
    },
  ]);
  return { turned: turnedViews(core, view, VIEW_BYTES), lines, laid: turnedViews(core, laid, VIEW_BYTES) };
}

/** The free views of a model, between its faces and corners, that are most like a sketch. */
export interface PictorialStart {
  /** That of the most similar one, from -1 to 1; -Infinity where the model has no such views. */
  readonly likeness: number;
  /** Their numbers, the most similar one first. */
  readonly nearest: readonly number[];
}

/** About which of its free views a model is rendered as a person draws it pictorially. */
export function pictorialStart(
  core: Core,
  { laid }: PictorialSketch,
  { views, cameras }: Pick<ModelMesh, 'views' | 'cameras'>,
): PictorialStart {
  const between = Array.from(cameras.keys()).filter(
    (i) => (viewFacts(views, i).flags & VIEW_FLAG.FREE) !== 0 && axisOfBetween(cameras[i].direction) !== undefined,
  );
  const near = likeliest(
    core,
    laid,
    between.map((i) => viewAt(views, i)),
    DIRECTIONS,
  );
  return { likeness: near[0]?.likeness ?? -Infinity, nearest: near.map(({ at }) => between[at]) };
}

/**
 * Lays a sketch over pictorial views of a model: turned and raised about one axis, and in cabinet projection. They are
 * rendered about some of its free views. Undefined where none has lines.
 */
export function pictorialFit(
  core: Core,
  { turned, lines }: PictorialSketch,
  { mesh, cameras }: Pick<ModelMesh, 'mesh' | 'cameras'>,
  { nearest }: PictorialStart,
): PictorialFit | undefined {
  const rendered = nearest.map((view) => renderPictorialViews(core, mesh, cameras[view].direction));
  let best: PictorialFit | undefined;
  for (const name of ['turned', 'oblique'] as const) {
    const kind = rendered.flatMap((own, i) => own[name].map((shown) => ({ shown, view: nearest[i] })));
    const described = describeViews(
      core,
      kind.map(({ shown }) => shown),
    );
    const near = likeliest(
      core,
      turned,
      kind.map((_, i) => viewAt(described, i)),
      LAID_EACH,
    );
    const left = layLines(
      core,
      lines,
      near.map(({ at }) => kind[at].shown.lines),
      near.map(({ turns }, i) => [turns, i] as const),
    );
    for (const [i, apart] of left.entries())
      if (apart !== undefined && apart < (best?.apart ?? Infinity)) best = { apart, view: kind[near[i].at].view };
  }
  return best;
}

/** The most similar of some views: their places, and the quarter turns of the sketch with which they are so similar. */
function likeliest(
  core: Core,
  turned: Uint8Array,
  views: readonly Uint8Array[],
  most: number,
): { readonly at: number; readonly turns: number; readonly likeness: number }[] {
  const { likeness, turns } = compareTurned(core, turned, views, VIEW_BYTES);
  return [...views.keys()]
    .sort((a, b) => likeness[b] - likeness[a] || a - b)
    .slice(0, most)
    .map((at) => ({ at, turns: turns[at], likeness: likeness[at] }));
}
