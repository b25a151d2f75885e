import type { Sheet, StrokeStyle } from '../../content/sheet.js';
import { MILLIMETRES } from '../../content/units.js';
import {
  commonBounds,
  compose2d,
  emptyBounds,
  IDENTITY,
  mappedBox,
  type Affine,
  type Bounds,
} from '../geometry/affine.js';
import { colorOf, onWhite } from '../sheet/ink-colors.js';
import { grayOf, grayOfStencil, type PdfjsPicture } from './drawn-pictures.js';
import type { OperatorList, PDFPageProxy, Pdfjs } from '../pdf-file/pdfjs.js';
import { placePicture } from '../sheet/placed-picture.js';
import { linesOnWhite } from '../pixels/dark-ground.js';
import { SheetWriter, type SheetBudget } from '../sheet/sheet-writer.js';
import { findArcs } from '../sheet/stroke-arcs.js';
import type { TextPiece } from '../text/text-layout.js';
import { boundsOf, CLOSE, COORDINATES, CURVE, LINE, MOVE, QUADRATIC, type PathArguments } from './path-segments.js';

/** Length that a line of no length gets, in units of the path: strokes of one point are none. */
const DOT = 1e-3;
const PT_MM = MILLIMETRES.in / 72;
/**
 * How far beyond the page a line may lie, as a share of its longer side, some half of a thick line: of one on the very
 * edge, as a border along which the paper is cut, half is seen, and rounding must not decide whether it is there.
 */
const EDGE = 1e-3;
/** Patterns and shadings are drawn as medium grey areas. */
const PATTERN_COLOR = 0x808080;
/** Deepest nesting of saved graphics states; sound files have a few dozen. */
const DEEPEST = 1_000;
/** Most pixels of all pictures of a page after reduction; further pictures are left out. */
const PICTURE_PIXELS = 50_000_000;

/** The graphics state: operators change it, `save` and `restore` stack it. */
interface State {
  readonly map: Affine;
  readonly clip: Bounds;
  readonly width: number;
  readonly dash: readonly number[];
  readonly stroke: number;
  readonly fill: number;
  /** Opacity, 0 to 1. */
  readonly strokeAlpha: number;
  readonly fillAlpha: number;
}

/** Number of straight and curved segments in the paths of a page. */
export function countPieces({ fnArray, argsArray }: OperatorList, { OPS }: Pdfjs): number {
  let pieces = 0;
  for (let i = 0; i < fnArray.length; i++) {
    const data = fnArray[i] === OPS.constructPath ? (argsArray[i] as PathArguments)[1][0] : null;
    for (let at = 0; data != null && at < data.length; at += 1 + (COORDINATES[data[at]] ?? 0))
      if (data[at] >= LINE && data[at] <= QUADRATIC) pieces++;
  }
  return pieces;
}

/** Tells whether a group of optional content (a layer) is visible. */
interface ShownLayers {
  isVisible(group: unknown): boolean;
}

/**
 * The line work of a page in its upright frame, from its operators (ISO 32000-1, 8 and 9). A clip path is approximated
 * by its bounding box. Text comes from `pieces`; outlined text is strokes like any other. `page.cleanup()` must not
 * have been called yet, because pictures are fetched from the page.
 * @throws EngineError `LIMIT_EXCEEDED`.
 */
export async function sheetOf(page: PDFPageProxy, inputs: SheetInputs): Promise<Sheet> {
  const { operators, pieces } = inputs;
  const viewport = page.getViewport({ scale: 1 });
  const { width, height } = viewport;
  const margin = EDGE * Math.max(width, height);
  const clip = { minX: -margin, minY: -margin, maxX: width + margin, maxY: height + margin };
  const drawing = new PageDrawing(page, viewport.transform as unknown as Affine, clip, inputs);
  await drawing.draw(operators);
  return drawing.finish(pieces, { number: page.pageNumber, width, height, unitMm: PT_MM, space: 'paper', margin });
}

/** What a sheet is made from. */
interface SheetInputs {
  /** The operators of the page. */
  readonly operators: OperatorList;
  readonly pieces: readonly TextPiece[];
  readonly layers: ShownLayers;
  readonly pdfjs: Pdfjs;
  readonly budget: SheetBudget;
  /** Takes the areas that shadings paint: they are none of the line work. */
  readonly shaded: Bounds[];
}

class PageDrawing {
  readonly #page: PDFPageProxy;
  readonly #layers: ShownLayers;
  readonly #ops: Pdfjs['OPS'];
  readonly #writer: SheetWriter;
  readonly #shaded: Bounds[];
  readonly #initial: State;
  readonly #saved: State[] = [];
  #state: State;
  /** Whether the next path becomes the clip. */
  #clips = false;
  /** For each open piece of marked content, whether it is visible. */
  readonly #marked: boolean[] = [];
  #hidden = 0;
  /** Number of open groups that serve as soft masks, and of groups inside them. */
  #masks = 0;
  #picturePixels = 0;

  constructor(page: PDFPageProxy, map: Affine, clip: Bounds, { layers, pdfjs, budget, shaded }: SheetInputs) {
    this.#page = page;
    this.#layers = layers;
    this.#ops = pdfjs.OPS;
    this.#writer = new SheetWriter(budget);
    this.#shaded = shaded;
    this.#initial = { map, clip, width: 1, dash: [], stroke: 0, fill: 0, strokeAlpha: 1, fillAlpha: 1 };
    this.#state = this.#initial;
  }

  async draw({ fnArray, argsArray }: OperatorList): Promise<void> {
    const changes = this.#changesOf(this.#ops);
    for (let i = 0; i < fnArray.length; i++) {
      const args = (argsArray[i] ?? []) as readonly unknown[];
      const change = changes.get(fnArray[i]);
      if (change !== undefined) change(args);
      else if (fnArray[i] === this.#ops.constructPath) this.#path(args as PathArguments);
      else await this.#paintPicture(fnArray[i], args);
    }
  }

  finish(pieces: readonly TextPiece[], frame: Parameters<SheetWriter['finish']>[0]): Sheet {
    const writer = this.#writer;
    writer.map = IDENTITY;
    writer.clip = null;
    for (const { length, ...run } of pieces) writer.text({ ...run, width: length });
    const sheet = writer.finish(frame);
    return { ...sheet, arcs: findArcs(sheet) };
  }

  get #isShown(): boolean {
    return this.#hidden === 0 && this.#masks === 0;
  }

  /** What the operators that change the state do. */
  #changesOf(ops: Pdfjs['OPS']): ReadonlyMap<number, (args: readonly unknown[]) => void> {
    return new Map<number, (args: readonly unknown[]) => void>([
      [ops.save, () => this.#save()],
      [ops.restore, () => this.#restore()],
      [ops.transform, (args) => this.#change({ map: compose2d(this.#state.map, args as unknown as Affine) })],
      [ops.setLineWidth, ([width]) => this.#change({ width: numberOf(width) })],
      [ops.setDash, ([dash]) => this.#change({ dash: dashOf(dash) })],
      [ops.setStrokeRGBColor, ([color]) => this.#change({ stroke: colorOf(color) })],
      [ops.setFillRGBColor, ([color]) => this.#change({ fill: colorOf(color) })],
      [ops.setStrokeColorN, () => this.#change({ stroke: PATTERN_COLOR })],
      [ops.setFillColorN, () => this.#change({ fill: PATTERN_COLOR })],
      [ops.setStrokeTransparent, () => this.#change({ stroke: 0xffffff })],
      [ops.setFillTransparent, () => this.#change({ fill: 0xffffff })],
      [ops.setGState, ([entries]) => this.#setMany(entries)],
      [ops.clip, () => (this.#clips = true)],
      [ops.shadingFill, () => this.#isShown && !isEmpty(this.#state.clip) && this.#shaded.push(this.#state.clip)],
      [ops.eoClip, () => (this.#clips = true)],
      [ops.paintFormXObjectBegin, (args) => this.#beginForm(args)],
      [ops.paintFormXObjectEnd, () => this.#restore()],
      [ops.beginGroup, ([group]) => this.#beginGroup(group)],
      [ops.endGroup, () => this.#endGroup()],
      [ops.beginAnnotation, (args) => this.#beginAnnotation(args)],
      [ops.endAnnotation, () => this.#restore()],
      [ops.beginMarkedContent, () => this.#mark(true)],
      [ops.beginMarkedContentProps, ([tag, group]) => this.#mark(tag !== 'OC' || this.#layers.isVisible(group))],
      [ops.endMarkedContent, () => this.#marked.pop() === false && this.#hidden--],
    ]);
  }

  #change(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
  }

  #save(): void {
    if (this.#saved.length < DEEPEST) this.#saved.push(this.#state);
  }

  #restore(): void {
    this.#state = this.#saved.pop() ?? this.#state;
  }

  #mark(shown: boolean): void {
    this.#marked.push(shown);
    if (!shown) this.#hidden++;
  }

  #setMany(entries: unknown): void {
    for (const [key, value] of (Array.isArray(entries) ? entries : []) as readonly (readonly [string, unknown])[]) {
      if (key === 'LW') this.#change({ width: numberOf(value) });
      else if (key === 'D') this.#change({ dash: dashOf(Array.isArray(value) ? value[0] : undefined) });
      else if (key === 'CA') this.#change({ strokeAlpha: numberOf(value) });
      else if (key === 'ca') this.#change({ fillAlpha: numberOf(value) });
    }
  }

  #beginForm([matrix, box]: readonly unknown[]): void {
    this.#save();
    if (matrix != null) this.#change({ map: compose2d(this.#state.map, matrix as Affine) });
    this.#clipTo(box, this.#state.map);
  }

  #beginGroup(group: unknown): void {
    const { matrix, bbox, smask } = group as { matrix: Affine | null; bbox: Float32Array | null; smask: unknown };
    this.#save();
    this.#clipTo(bbox, matrix == null ? this.#state.map : compose2d(this.#state.map, matrix));
    if (smask != null || this.#masks > 0) this.#masks++;
  }

  #endGroup(): void {
    this.#restore();
    if (this.#masks > 0) this.#masks--;
  }

  /** Annotations follow the page's content; each starts from the initial state. */
  #beginAnnotation([, box, transform, matrix]: readonly unknown[]): void {
    this.#save();
    this.#state = this.#initial;
    this.#clipTo(box, this.#state.map);
    for (const map of [transform, matrix])
      if (map != null) this.#change({ map: compose2d(this.#state.map, map as Affine) });
  }

  #clipTo(box: unknown, map: Affine): void {
    if (box == null) return;
    const [x0, y0, x1, y1] = box as ArrayLike<number> & Iterable<number>;
    const upright = { minX: Math.min(x0, x1), minY: Math.min(y0, y1), maxX: Math.max(x0, x1), maxY: Math.max(y0, y1) };
    this.#clipBy(mappedBox(upright, map));
  }

  #path([operation, [data]]: PathArguments): void {
    const ops = this.#ops;
    if (data != null && this.#isShown && !isEmpty(this.#state.clip)) {
      const { map, width, dash, stroke, fill, strokeAlpha, fillAlpha } = this.#state;
      const filled = operation !== ops.stroke && operation !== ops.closeStroke && operation !== ops.endPath;
      const stroked =
        operation !== ops.fill &&
        operation !== ops.eoFill &&
        operation !== ops.rawFillPath &&
        operation !== ops.endPath;
      const scale = Math.sqrt(Math.abs(map[0] * map[3] - map[1] * map[2]));
      this.#writer.group();
      if (filled) this.#trace(data, { layer: '', width: 0, dash: [], color: onWhite(fill, fillAlpha), isFill: true });
      if (stroked)
        this.#trace(data, {
          layer: '',
          width: rounded(width * scale),
          dash: dash.map((length) => rounded(length * scale)),
          color: onWhite(stroke, strokeAlpha),
          isFill: false,
        });
    }
    if (!this.#clips) return;
    this.#clips = false;
    this.#clipBy(data == null ? emptyBounds() : boundsOf(data, this.#state.map));
  }

  /** A clip that reaches the edge of the page shows what stands on the edge as well. */
  #clipBy({ minX, minY, maxX, maxY }: Bounds): void {
    const page = this.#initial.clip,
      reach = -2 * page.minX;
    const box = {
      minX: minX <= page.minX + reach ? -Infinity : minX,
      minY: minY <= page.minY + reach ? -Infinity : minY,
      maxX: maxX >= page.maxX - reach ? Infinity : maxX,
      maxY: maxY >= page.maxY - reach ? Infinity : maxY,
    };
    const isNone = !(minX <= maxX && minY <= maxY);
    this.#change({ clip: isNone ? emptyBounds() : commonBounds(this.#state.clip, box) });
  }

  #trace(data: Float32Array, style: StrokeStyle): void {
    const writer = this.#writer;
    writer.map = this.#state.map;
    writer.clip = this.#state.clip;
    writer.style(style);
    let x = 0,
      y = 0,
      firstX = 0,
      firstY = 0,
      isOpen = false;
    // Filled areas are closed implicitly.
    const end = (): void => {
      if (isOpen && style.isFill) writer.close();
      isOpen = false;
    };
    for (let at = 0; at < data.length; at += 1 + (COORDINATES[data[at]] ?? 0)) {
      const command = data[at];
      if (command === CLOSE) {
        writer.close();
        [x, y, isOpen] = [firstX, firstY, false];
        continue;
      }
      if (command === MOVE) {
        end();
        writer.move(data[at + 1], data[at + 2]);
        [firstX, firstY] = [data[at + 1], data[at + 2]];
      } else if (!isOpen) {
        writer.move(x, y);
      }
      isOpen = true;
      if (command === LINE) {
        // A line of no length is the dot of a round pen.
        const isDot = !style.isFill && data[at + 1] === x && data[at + 2] === y;
        writer.line(data[at + 1] + (isDot ? DOT : 0), data[at + 2]);
      } else if (command === CURVE)
        writer.curve([data[at + 1], data[at + 2]], [data[at + 3], data[at + 4]], [data[at + 5], data[at + 6]]);
      else if (command === QUADRATIC) {
        const [cx, cy, ex, ey] = data.subarray(at + 1, at + 5);
        writer.curve(
          [x + (2 / 3) * (cx - x), y + (2 / 3) * (cy - y)],
          [ex + (2 / 3) * (cx - ex), ey + (2 / 3) * (cy - ey)],
          [ex, ey],
        );
      }
      const last = at + (COORDINATES[command] ?? 0);
      [x, y] = [data[last - 1], data[last]];
    }
    end();
    // Finishes the last stroke before the style changes.
    writer.style(style);
  }

  async #paintPicture(operator: number, args: readonly unknown[]): Promise<void> {
    const ops = this.#ops;
    if (!this.#isShown || isEmpty(this.#state.clip)) return;
    if (operator === ops.paintImageXObject) {
      const picture = await this.#object(args[0]);
      if (picture !== undefined) this.#place(grayOf(picture));
    } else if (operator === ops.paintInlineImageXObject) {
      this.#place(grayOf(args[0] as PdfjsPicture));
    } else if (operator === ops.paintImageMaskXObject) {
      const stencil = args[0] as PdfjsPicture & { readonly data: unknown };
      const picture = typeof stencil.data === 'string' ? await this.#object(stencil.data) : stencil;
      if (picture !== undefined)
        this.#place(
          grayOfStencil(
            { ...picture, width: stencil.width, height: stencil.height },
            onWhite(this.#state.fill, this.#state.fillAlpha),
          ),
        );
    }
  }

  /** A decoded picture of the page; undefined when it could not be decoded. */
  async #object(id: unknown): Promise<PdfjsPicture | undefined> {
    if (typeof id !== 'string') return undefined;
    const objects = id.startsWith('g_') ? this.#page.commonObjs : this.#page.objs;
    return (
      (await new Promise<PdfjsPicture | null>((resolve) => {
        objects.get(id, resolve);
      })) ?? undefined
    );
  }

  #place(picture: ReturnType<typeof grayOf>): void {
    if (picture === undefined) return;
    // A picture fills the unit square, its first row at the top.
    const placed = placePicture(picture, compose2d(this.#state.map, [1, 0, 0, -1, 0, 1]), this.#state.clip);
    if (placed === undefined) return;
    this.#picturePixels += placed.picture.gray.length;
    if (this.#picturePixels > PICTURE_PIXELS) return;
    const { x, y, width, height } = placed.box;
    this.#writer.map = IDENTITY;
    this.#writer.picture({ minX: x, minY: y, maxX: x + width, maxY: y + height }, linesOnWhite(placed.picture));
  }
}

function isEmpty({ minX, minY, maxX, maxY }: Bounds): boolean {
  return !(minX <= maxX && minY <= maxY);
}

function numberOf(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) ? Math.abs(value) : 0;
}

function dashOf(value: unknown): number[] {
  const lengths = Array.isArray(value) ? value.map(numberOf) : [];
  return lengths.some((length) => length > 0) ? lengths : [];
}

/** Rounds to 1/1000 pt, so that widths which differ by the rounding of a file's numbers are equal. */
function rounded(length: number): number {
  return Math.round(length * 1_000) / 1_000;
}
