import type { Core } from '../../../core/core.js';
import { layLines } from '../../../core/laid-lines.js';
import { compareTurned, turnedViews } from '../../../core/views.js';
import { unpackPicture } from '../../../descriptors/pack-pictures.js';
import { VIEW_BYTES, VIEW_FLAG, viewAt, viewFacts } from '../../../descriptors/views.js';
import { linesAcross, linesAgain } from '../../../descriptors/views-again.js';
import type { ViewsInput } from '../../query/inputs.js';
import { joined } from '../match-views.js';
import type { ModelMesh, ModelMeshes, ModelViews } from '../model-meshes.js';
import type { ReadRows } from '../search-rows.js';
import { LINE, ModelLines, type KeptLines } from './model-lines.js';
import { pictorialFit, pictorialSketch, pictorialStart } from './pictorial-fits.js';
import { slenderView } from './slender-view.js';
import { stretchedViews } from './stretched-views.js';
import { toldApart } from './told-apart.js';

/** Width and height of the pictures, pixels. */
const SIDE = 64;
/** Views of each model, the most similar ones, that are laid over one drawn view, or over each of several. */
const VIEWS_OF_ONE = 2;
const VIEWS_OF_SEVERAL = 1;
/** The same over a slender one: each view of a model is magnified and rendered by itself. */
const VIEWS_OF_SLENDER = 1;
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
/**
 * What other proportions than the drawn ones cost for each log unit: of the dissimilarity of descriptors, by which the
 * models to be laid over are chosen, and px of what is left after laying.
 */
const STRETCH_UNLIKE = 0.1;
const STRETCH_APART = 1;
/** Factor of what similarity is told by for a view that is cut off: it is not known what the rest is like. */
const CUT_APART = 1.6;

/**
 * What is left on every model at least, px, where no upright view fits a sketch, so that pictorial ones are laid: more
 * is left on the best model for 6 of 40 sketches from the front or a side, and for 25 of 28 in cabinet projection.
 */
const NOTHING_FITS = 1;
/** Models, the most like a sketch by their free views, that are rendered pictorially: all some 110 found no more. */
const LAID_PICTORIAL = 48;
/** Models rendered pictorially, some 10 ms each, between two turns of the event loop. */
const PICTORIAL_TURN = 2;

/** One view that was drawn, prepared to be compared with models. */
export interface DrawnView {
  /** Its number among the views of the input. */
  readonly number: number;
  /** As it was drawn, then in other proportions, if it is compared in these too. */
  readonly shapes: readonly DrawnShape[];
}

/** A drawn view in some proportions. */
interface DrawnShape {
  /** From `describeViews`. */
  readonly view: Uint8Array;
  /** u8[64²] each: its lines in four quarter turns, clockwise. */
  readonly turned: readonly Uint8Array[];
  /** Log units by which its proportions are others than the drawn ones. */
  readonly stretch: number;
}

/** An input whose lines are laid over models. */
export interface DrawnInput {
  readonly drawn: readonly DrawnView[];
  /** Whether the drawn view is all that the input shows. */
  readonly isAlone: boolean;
  /** Whether a view is cut off at the edge of its picture. */
  readonly isCut: boolean;
  /** How many times as large its lines are across, see {@link slenderView}; 1 as they were drawn. */
  readonly across: number;
}

/** How a model explains a drawn view. */
export interface DrawnFit {
  /**
   * Mean distance of the lines from those of the nearest view, px of 64, both ways added: 0 to 10, and what other
   * proportions cost.
   */
  readonly apart: number;
  /** For a view that is alone, the same beside what is left on a plain outline, see {@link toldApart}. */
  readonly told: number;
  /** The same as `apart` and the dissimilarity of the descriptors, on the scale of the latter. */
  readonly distance: number;
  /** Number of the drawn view, and of the view of the model. */
  readonly number: number;
  readonly view: number;
}

/** Of each file how each input lies on it: a fit for each of its views. */
export type LaidInputs = ReadonlyMap<number, readonly (readonly DrawnFit[])[]>;

/**
 * The only view of an input that is a sketch or a cut-out, or the largest views of a page in a picture. Undefined for
 * other inputs: lines that a file states, or that a program drew as all of a picture, are compared well by their
 * descriptors, and numbers count as well.
 * isOne: it is the only input, so that its only view may be stretched.
 */
export function drawnInputOf(
  core: Core,
  { bytes, pictures, inks }: ViewsInput,
  isOne: boolean,
): DrawnInput | undefined {
  const count = bytes.length / VIEW_BYTES;
  if (count === 0 || pictures === null || inks === undefined) return undefined;
  const { flags } = viewFacts(bytes, 0);
  if ((flags & (VIEW_FLAG.CAMERA | VIEW_FLAG.FREE | VIEW_FLAG.EXACT)) !== 0) return undefined;
  const areaOf = (view: number): number => viewFacts(bytes, view).width * viewFacts(bytes, view).height;
  const largest = Array.from({ length: count }, (_, i) => i).sort((a, b) => areaOf(b) - areaOf(a) || a - b);
  const slender = isOne && count === 1 ? slenderView(viewAt(bytes, 0), inks) : undefined;
  const drawn = largest.slice(0, MOST_DRAWN).flatMap((number): DrawnView[] => {
    const lines = unpackPicture(pictures, number);
    if (lines === undefined || !lines.some((coverage) => coverage >= LINE)) return [];
    const view = viewAt(bytes, number);
    const shapes =
      isOne && count === 1 ? stretchedViews(core, view, lines, slender?.lines) : [{ view, lines, stretch: 0 }];
    return [{ number, shapes: shapes.map(({ lines: own, ...shape }) => ({ ...shape, turned: quarterTurns(own) })) }];
  });
  if (drawn.length === 0) return undefined;
  return { drawn, isAlone: count === 1, isCut: (flags & VIEW_FLAG.CUT) !== 0, across: slender?.across ?? 1 };
}

/** Lays drawn inputs over the most similar views of models, which are rendered for the first input that needs them. */
export class DrawnSearch {
  readonly #core: Core;
  readonly #meshes: ModelMeshes;
  readonly #lines = new ModelLines();

  constructor(core: Core, meshes: ModelMeshes) {
    this.#core = core;
    this.#meshes = meshes;
  }

  /** Memory of what is kept of models, bytes. */
  get bytes(): number {
    return this.#lines.bytes;
  }

  /** Must be called when a file was changed or removed. */
  forget(fileId: number): void {
    this.#lines.forget(fileId);
  }

  /**
   * How each input lies on each file. Without files that are not models or have no surface to render; for an input that
   * is undefined there are no fits. read: of upright views. turn: lets the event loop run.
   */
  async fits(
    inputs: readonly (DrawnInput | undefined)[],
    fileIds: readonly number[],
    { read, turn }: { readonly read: ReadRows; readonly turn: () => Promise<void> },
  ): Promise<LaidInputs> {
    const drawn = inputs.flatMap((input) => input?.drawn ?? []);
    const across = inputs.length === 1 ? (inputs[0]?.across ?? 1) : 1;
    const turned = turnedShapes(this.#core, drawn);
    const ofOne = across === 1 ? VIEWS_OF_ONE : VIEWS_OF_SLENDER;
    const most = drawn.length === 1 ? ofOne : VIEWS_OF_SEVERAL;
    const asked = new Map<number, { readonly pairs: readonly Pair[]; readonly kept: KeptLines | undefined }>();
    const { mark } = this.#lines;
    const models = await this.#meshes.unless(fileIds, await read(fileIds), (model) => {
      const pairs = this.#likeliest(drawn, turned, model, most);
      const kept = this.#lines.of(model.fileId, viewsOf(pairs), across);
      asked.set(model.fileId, { pairs, kept });
      return kept?.triangles;
    });
    const fits = new Map<number, readonly (readonly DrawnFit[])[]>();
    for (let first = 0; first < models.length; first += TURN) {
      await turn();
      const shown = models.slice(first, first + TURN).flatMap((model): ShownModel[] => {
        if (model === undefined) return [];
        const { pairs, kept } = asked.get(model.fileId)!;
        const lines = kept?.lines() ?? this.#render(model, viewsOf(pairs), { across, mark });
        return lines === undefined ? [] : [{ fileId: model.fileId, pairs, lines }];
      });
      for (const [fileId, found] of this.#lay(drawn, shown)) {
        const each = found.values();
        fits.set(
          fileId,
          inputs.map((input) => (input?.drawn ?? []).map(() => each.next().value!)),
        );
      }
    }
    const [input] = inputs;
    if (inputs.length === 1 && input?.isAlone === true && across === 1)
      await this.#layPictorial(input.drawn[0], fits, turn);
    return this.#told(inputs, fits);
  }

  /**
   * Where no upright view fits a single drawn view, sets the fits of models to those of their pictorial views that lie
   * better, see {@link pictorialFit}.
   */
  async #layPictorial(
    { number, shapes: [{ view, turned }] }: DrawnView,
    fits: Map<number, readonly (readonly DrawnFit[])[]>,
    turn: () => Promise<void>,
  ): Promise<void> {
    if (fits.size === 0) return;
    for (const [[{ apart }]] of fits.values()) if (apart < NOTHING_FITS) return;
    const sketch = pictorialSketch(this.#core, view, turned);
    const models = (await this.#meshes.of([...fits.keys()])).flatMap((model) => model ?? []);
    const likeliest = models
      .map((model) => ({ model, start: pictorialStart(this.#core, sketch, model) }))
      .sort((a, b) => b.start.likeness - a.start.likeness)
      .slice(0, LAID_PICTORIAL);
    for (const [i, { model, start }] of likeliest.entries()) {
      if (i % PICTORIAL_TURN === 0) await turn();
      const fit = pictorialFit(this.#core, sketch, model, start);
      if (fit === undefined) continue;
      const [[upright]] = fits.get(model.fileId)!;
      if (fit.apart >= upright.apart) continue;
      const distance = upright.distance + (fit.apart - upright.apart) / PIXELS / 2;
      fits.set(model.fileId, [[{ ...fit, told: fit.apart, distance, number }]]);
    }
  }

  /** The fits with what similarity is told by; those of pages stay as they are. */
  #told(inputs: readonly (DrawnInput | undefined)[], fits: LaidInputs): LaidInputs {
    const told = inputs.map((input, k) => {
      if (input?.isAlone !== true) return undefined;
      const apart = Array.from(fits.values(), (own) => own[k][0].apart);
      const told = toldApart(this.#core, apart, input.drawn[0].shapes[0].turned[0]);
      return input.isCut ? told.map((own) => CUT_APART * own) : told;
    });
    return new Map(
      Array.from(fits, ([fileId, own], at) => [
        fileId,
        own.map((views, k) => views.map((fit) => ({ ...fit, told: told[k]?.[at] ?? fit.told }))),
      ]),
    );
  }

  /**
   * Models by the dissimilarity of the nearest of their views to the only drawn one, in any of its proportions.
   * @param read reads upright views
   */
  async byShape({ drawn: [{ shapes }] }: DrawnInput, fileIds: readonly number[], read: ReadRows): Promise<number[]> {
    const models = await read(fileIds);
    const { likeness } = compareTurned(
      this.#core,
      turnedShapes(this.#core, [{ shapes }]),
      models.map(({ bytes }) => bytes),
      VIEW_BYTES,
    );
    const unlike = new Map(
      models.map(({ fileId }, i) => [
        fileId,
        Math.min(...shapes.map(({ stretch }, k) => 1 - likeness[k * models.length + i] + STRETCH_UNLIKE * stretch)),
      ]),
    );
    return fileIds.toSorted((a, b) => (unlike.get(a) ?? Infinity) - (unlike.get(b) ?? Infinity));
  }

  /** So many views of a model, the most similar ones, of each drawn view as it is and in the best other proportions. */
  #likeliest(drawn: readonly DrawnView[], turned: Uint8Array, { views }: ModelViews, most: number): Pair[] {
    const all = Array.from({ length: views.length / VIEW_BYTES }, (_, i) => i);
    const upright = all.filter((i) => (viewFacts(views, i).flags & VIEW_FLAG.FREE) === 0);
    const shapes = drawn.flatMap((view, asked) => view.shapes.map((shape, number) => ({ ...shape, asked, number })));
    const { likeness, turns } = compareTurned(
      this.#core,
      turned,
      upright.map((i) => viewAt(views, i)),
      VIEW_BYTES,
    );
    const nearest = shapes.map(({ asked, number, stretch }, k) => {
      const pairs = upright
        .map((view, i): Pair => {
          const at = k * upright.length + i;
          return { asked, shape: number, stretch, view, likeness: likeness[at], turns: turns[at] };
        })
        .sort((a, b) => b.likeness - a.likeness || a.view - b.view)
        .slice(0, most);
      return { asked, pairs, unlike: 1 - (pairs[0]?.likeness ?? 0) + STRETCH_UNLIKE * stretch };
    });
    return drawn.flatMap((_, asked) => {
      const [own, ...others] = nearest.filter((shape) => shape.asked === asked);
      const best = others.reduce((least, other) => (other.unlike < least.unlike ? other : least), own);
      return best === own ? own.pairs : [...own.pairs, ...best.pairs];
    });
  }

  /** The lines of some views, which are kept from then on. Undefined where a view cannot be rendered again. */
  #render(
    { fileId, mesh, cameras, views: described }: ModelViews & Partial<ModelMesh>,
    views: readonly number[],
    { across, mark }: { readonly across: number; readonly mark: number },
  ): readonly Uint8Array[] | undefined {
    if (mesh === undefined || cameras === undefined) return undefined;
    const places = views.map((view) => {
      const { width, height } = viewFacts(described, view);
      return { ...cameras[view], isWide: width >= height };
    });
    const lines = across === 1 ? linesAgain(this.#core, mesh, places) : linesAcross(this.#core, mesh, places, across);
    if (lines.length < views.length) return undefined;
    this.#lines.keep(fileId, mesh, views, { lines, across, mark });
    return lines;
  }

  /** A fit of each drawn view on each model; without models on which one of them has none. */
  #lay(drawn: readonly DrawnView[], models: readonly ShownModel[]): Map<number, readonly DrawnFit[]> {
    const turned = drawn.flatMap(({ shapes }) => shapes.flatMap((shape) => shape.turned));
    let shapesBefore = 0;
    const firstShape = drawn.map(({ shapes }) => (shapesBefore += shapes.length) - shapes.length);
    const pictures = models.flatMap(({ lines }) => lines);
    const laid: (readonly [drawn: number, model: number])[] = [];
    let before = 0;
    for (const { pairs, lines } of models) {
      const views = viewsOf(pairs);
      for (const { asked, shape, turns, view } of pairs)
        laid.push([4 * (firstShape[asked] + shape) + turns, before + views.indexOf(view)]);
      before += lines.length;
    }
    const measured = layLines(this.#core, turned, pictures, laid).values();
    const fits = new Map<number, readonly DrawnFit[]>();
    for (const { fileId, pairs } of models) {
      const best = drawn.map((): DrawnFit | undefined => undefined);
      for (const { asked, view, likeness, stretch } of pairs) {
        const left = measured.next().value;
        if (left === undefined) continue;
        const apart = left + STRETCH_APART * stretch;
        if (apart >= (best[asked]?.apart ?? Infinity)) continue;
        const distance = (1 - likeness + apart / PIXELS) / 2;
        best[asked] = { apart, told: apart, distance, number: drawn[asked].number, view };
      }
      const found = best.flatMap((fit) => fit ?? []);
      if (found.length === drawn.length) fits.set(fileId, found);
    }
    return fits;
  }
}

/** The descriptions of all shapes of some drawn views in four quarter turns, see `turnedViews`. */
function turnedShapes(core: Core, drawn: readonly Pick<DrawnView, 'shapes'>[]): Uint8Array {
  return turnedViews(core, joined(drawn.flatMap(({ shapes }) => shapes.map(({ view }) => view))), VIEW_BYTES);
}

/** A drawn view and a view of a model over which it is laid. */
interface Pair {
  /** Place of the drawn view among those of all inputs, number of its shape, and of the view of the model. */
  readonly asked: number;
  readonly shape: number;
  readonly view: number;
  /** See {@link DrawnShape}. */
  readonly stretch: number;
  /** By their descriptors, and the quarter turns of the drawn view with which they are so similar. */
  readonly likeness: number;
  readonly turns: number;
}

/** A model with the lines of the views of its pairs. */
interface ShownModel {
  readonly fileId: number;
  readonly pairs: readonly Pair[];
  /** u8[64²] each, of {@link viewsOf} the pairs. */
  readonly lines: readonly Uint8Array[];
}

/** The different views of some pairs. */
function viewsOf(pairs: readonly Pair[]): number[] {
  return [...new Set(pairs.map(({ view }) => view))];
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
