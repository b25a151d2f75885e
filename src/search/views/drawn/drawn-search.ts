import type { Core } from '../../../core/core.js';
import { layLines } from '../../../core/laid-lines.js';
import { compareViews } from '../../../core/views.js';
import { unpackPicture } from '../../../descriptors/pack-pictures.js';
import { VIEW_BYTES, VIEW_FLAG, viewAt, viewFacts } from '../../../descriptors/views.js';
import { linesAgain } from '../../../descriptors/views-again.js';
import type { ViewsInput } from '../../query/inputs.js';
import { joined } from '../match-views.js';
import type { ModelMesh, ModelMeshes } from '../model-meshes.js';

/** Width and height of the pictures, pixels, and the least coverage of a pixel that counts as line. */
const SIDE = 64;
const LINE = 100;
/** Views of each model, the most similar ones, that are laid over one drawn view, or over each of several. */
const VIEWS_OF_ONE = 2;
const VIEWS_OF_SEVERAL = 1;
/** Views of a page, the largest ones, that are laid over models. */
const MOST_DRAWN = 3;
/** Models between two turns of the event loop. */
const TURN = 16;
/**
 * The distance of a view of a page: half that of the descriptors, half that of its lines over so many pixels. Of 36
 * pages drawn by hand and scanned, made by code, the lines alone find 23 models first, both halves 24, descriptors 19;
 * of 36 scans of shaded views 29, 30 and 30.
 */
const PIXELS = 8;

/** One view that was drawn, prepared to be compared with models. */
export interface DrawnView {
  /** Its number among the views of the input. */
  readonly number: number;
  /** From `describeViews`. */
  readonly view: Uint8Array;
  /** u8[64²] each: its lines in four quarter turns, clockwise. */
  readonly turned: readonly Uint8Array[];
}

/** An input whose lines are laid over models. */
export interface DrawnInput {
  readonly drawn: readonly DrawnView[];
  /** Whether the drawn view is all that the input shows. */
  readonly isAlone: boolean;
}

/** How a model explains a drawn view. */
export interface DrawnFit {
  /** Mean distance of the lines from those of the nearest view, px of 64, both ways added: 0 to 10. */
  readonly apart: number;
  /** The same and the dissimilarity of the descriptors, on the scale of the latter. */
  readonly distance: number;
  /** Number of the drawn view, and of the view of the model. */
  readonly number: number;
  readonly view: number;
}

/** Of each file how each input lies on it: a fit for each of its views. */
export type LaidInputs = ReadonlyMap<number, readonly (readonly DrawnFit[])[]>;

/**
 * The only view of an input that is a sketch, a cut-out or a drawing with one view, or the largest views of a page in a
 * picture. Undefined for other inputs: lines that a file states are compared well by their descriptors.
 */
export function drawnInputOf({ bytes, pictures, inks }: ViewsInput): DrawnInput | undefined {
  const count = bytes.length / VIEW_BYTES;
  if (count === 0 || pictures === null || (count > 1 && inks === undefined)) return undefined;
  if ((viewFacts(bytes, 0).flags & (VIEW_FLAG.CAMERA | VIEW_FLAG.FREE)) !== 0) return undefined;
  const areaOf = (view: number): number => viewFacts(bytes, view).width * viewFacts(bytes, view).height;
  const largest = Array.from({ length: count }, (_, i) => i).sort((a, b) => areaOf(b) - areaOf(a) || a - b);
  const drawn = largest.slice(0, MOST_DRAWN).flatMap((number): DrawnView[] => {
    const lines = unpackPicture(pictures, number);
    if (lines === undefined || !lines.some((coverage) => coverage >= LINE)) return [];
    return [{ number, view: viewAt(bytes, number), turned: quarterTurns(lines) }];
  });
  return drawn.length === 0 ? undefined : { drawn, isAlone: count === 1 };
}

/**
 * Lays drawn inputs over the most similar views of models, which are rendered again. Without files that are not models
 * or have no surface to render; for an input that is undefined there are no fits. turn: lets the event loop run.
 */
export async function fitDrawn(
  core: Core,
  meshes: ModelMeshes,
  inputs: readonly (DrawnInput | undefined)[],
  fileIds: readonly number[],
  turn: () => Promise<void>,
): Promise<LaidInputs> {
  const models = await meshes.of(fileIds);
  const drawn = inputs.flatMap((input) => input?.drawn ?? []);
  const fits = new Map<number, readonly (readonly DrawnFit[])[]>();
  for (const [i, model] of models.entries()) {
    if (i % TURN === 0) await turn();
    const own = (model && fitsOf(core, drawn, model))?.values();
    if (own !== undefined)
      fits.set(
        fileIds[i],
        inputs.map((input) => (input?.drawn ?? []).map(() => own.next().value!)),
      );
  }
  return fits;
}

/** A fit of each drawn view. Undefined where a view of the model cannot be rendered again. */
function fitsOf(
  core: Core,
  drawn: readonly DrawnView[],
  { mesh, views, cameras }: ModelMesh,
): readonly DrawnFit[] | undefined {
  const upright = [...cameras.keys()].filter((i) => (viewFacts(views, i).flags & VIEW_FLAG.FREE) === 0);
  const { likeness, turns } = compareViews(
    core,
    joined(drawn.map(({ view }) => view)),
    upright.map((i) => viewAt(views, i)),
    VIEW_BYTES,
  );
  const count = drawn.length === 1 ? VIEWS_OF_ONE : VIEWS_OF_SEVERAL;
  const pairs = drawn.flatMap((_, asked) =>
    Array.from(upright, (view, i) => ({ asked, view, at: asked * upright.length + i }))
      .sort((a, b) => likeness[b.at] - likeness[a.at] || a.view - b.view)
      .slice(0, count),
  );
  const shown = [...new Set(pairs.map(({ view }) => view))];
  const lines = linesAgain(
    core,
    mesh,
    shown.map((view) => cameras[view]),
  );
  if (lines.length < shown.length) return undefined;
  const measured = layLines(
    core,
    pairs.map(({ asked, at }) => drawn[asked].turned[turns[at]]),
    lines,
    pairs.map(({ view }, i) => [i, shown.indexOf(view)]),
  );
  const fits = drawn.map((): DrawnFit | undefined => undefined);
  for (const [i, { asked, view, at }] of pairs.entries()) {
    const apart = measured[i];
    if (apart === undefined) continue;
    const distance = (1 - likeness[at] + apart / PIXELS) / 2;
    const best = fits[asked];
    if (best === undefined || apart < best.apart) fits[asked] = { apart, distance, number: drawn[asked].number, view };
  }
  return fits.every((fit) => fit !== undefined) ? fits : undefined;
}

/** lines: u8[64²]. Unturned, then turned clockwise by one, two and three quarters. */
function quarterTurns(lines: Uint8Array): Uint8Array[] {
  const turns = [lines];
  while (turns.length < 4) {
    const from = turns[turns.length - 1],
      turned = new Uint8Array(from.length);
    for (let y = 0; y < SIDE; y++) for (let x = 0; x < SIDE; x++) turned[x * SIDE + SIDE - 1 - y] = from[y * SIDE + x];
    turns.push(turned);
  }
  return turns;
}
