import type {
  Annotation,
  AnnotationKind,
  Arc,
  Picture,
  Sheet,
  SheetBox,
  SheetText,
  StrokeStyle,
} from '../../content/sheet.js';
import {
  applyTo,
  emptyBounds,
  IDENTITY,
  include,
  includeBox,
  mappedBox,
  type Affine,
  type Bounds,
} from '../geometry/affine.js';
import { clippedArea, clippedLine } from './clip.js';
import { GrowableF64, GrowableU32 } from '../geometry/growable.js';
import { boxOfMost, type Placed } from './strays.js';
import { FARTHEST, similarityOf, StrokePath } from './stroke-path.js';

export { SheetBudget } from './stroke-path.js';

/** Style numbers are stored in 16 bits. */
const MOST_STYLES = 0xffff;

/** The page's place in the frame of the drawing, and its metadata. */
export interface SheetFrame {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly unitMm: number | null;
  readonly space: Sheet['space'];
  /**
   * From the drawn frame to the sheet; a similarity (translation, rotation, mirroring, uniform scale). Default:
   * identity.
   */
  readonly map?: Affine;
  /** What lies so far beyond the page is kept, units of the sheet; default: what rounding adds. */
  readonly margin?: number;
}

/** What is known of an annotation beside its text. */
export interface AnnotationFacts extends Pick<Annotation, 'dimension' | 'entity'> {
  readonly box?: Bounds;
}

/**
 * Collects the line work of one sheet. What is drawn goes through `map`, then through `clip`, and belongs to the style,
 * group and annotation set last. A stroke ends when the next one begins, or at a coordinate that is not finite.
 */
export class SheetWriter extends StrokePath {
  readonly #points = new GrowableF64();
  readonly #starts = new GrowableU32();
  readonly #strokeStyles = new GrowableU32();
  readonly #groups = new GrowableU32();
  readonly #owners: number[] = [];
  readonly #styles: StrokeStyle[] = [];
  readonly #styleNumbers = new Map<string, number>();
  readonly #arcs: Arc[] = [];
  readonly #texts: SheetText[] = [];
  readonly #annotations: (Omit<Annotation, 'box'> & { readonly box?: Bounds })[] = [];
  readonly #pictures: { box: Bounds; picture: Picture }[] = [];
  #clip: Bounds | null = null;
  #annotation = -1;
  #style = -1;
  #group = 0;

  /** Number of strokes that have ended. */
  get count(): number {
    return this.#starts.length;
  }

  /** The clip box in the frame of the sheet; null for none. It applies to what is drawn after it is set. */
  get clip(): Bounds | null {
    return this.#clip;
  }

  set clip(clip: Bounds | null) {
    this.end();
    this.#clip = clip;
  }

  /** Number of the annotation that new strokes and texts belong to; -1 for none. */
  get annotation(): number {
    return this.#annotation;
  }

  set annotation(annotation: number) {
    this.end();
    this.#annotation = annotation;
  }

  /** Sets the style of new strokes. Widths and dashes are in the sheet's unit. */
  style(style: StrokeStyle): void {
    this.end();
    const key = `${style.layer}\n${style.width}\n${style.color}\n${style.isFill}\n${style.dash.join()}`;
    let number = this.#styleNumbers.get(key);
    if (number === undefined) {
      // Beyond the limit, further styles share the last number.
      number = Math.min(this.#styles.length, MOST_STYLES);
      if (number === this.#styles.length) this.#styles.push({ ...style, dash: [...style.dash] });
      this.#styleNumbers.set(key, number);
    }
    this.#style = number;
  }

  /** Starts the group of a new entity or drawing operation. */
  group(): void {
    this.end();
    this.#group++;
  }

  /**
   * Adds a run of text: x, y is the start of its baseline, `angleRad` turns from x to y; all in the frame of the calls.
   */
  text(run: Omit<SheetText, 'annotation'>): void {
    if (run.text.trim() === '' || !(run.height > 0)) return;
    const { x, y, angleRad, along, across } = mappedBaseline(this.map, run);
    const isUsable = Math.abs(x) < FARTHEST && Math.abs(y) < FARTHEST && along > 0 && across > 0;
    if (!isUsable || !(along < FARTHEST && across < FARTHEST)) return;
    if (this.clip !== null && !isInside(this.clip, x, y)) return;
    this.budget.count(0, 1);
    this.#texts.push({
      text: run.text,
      x,
      y,
      angleRad,
      height: run.height * across,
      width: Math.max(0, run.width) * along,
      annotation: this.annotation,
    });
  }

  /**
   * Starts an annotation, which strokes and texts belong to until `annotation` is set again. Its box encloses them. The
   * points of a dimension are in the frame of the calls.
   * @param facts.box of an annotation without strokes or texts, in the frame of the calls.
   * @returns its number.
   */
  annotate(kind: AnnotationKind, text: string, { dimension, box, entity }: AnnotationFacts = {}): number {
    this.end();
    this.budget.count(0, 1);
    const points = dimension?.points
      .map(({ x, y }) => placeOf(applyTo(this.map, x, y)))
      .filter(({ x, y }) => Math.abs(x) < FARTHEST && Math.abs(y) < FARTHEST);
    this.annotation =
      this.#annotations.push({
        kind,
        text,
        ...(dimension !== undefined && points !== undefined && { dimension: { ...dimension, points } }),
        ...(box !== undefined && { box: mappedBox(box, this.map) }),
        ...(entity !== undefined && { entity }),
      }) - 1;
    return this.annotation;
  }

  /** Adds a picture. @param box in the frame of the calls. */
  picture(box: Bounds, picture: Picture): void {
    const mapped = mappedBox(box, this.map);
    if (mapped.minX < mapped.maxX && mapped.minY < mapped.maxY) this.#pictures.push({ box: mapped, picture });
  }

  /**
   * The bounding box of everything drawn, y upwards, without strays (see {@link boxOfMost}), and how many there are.
   * {@link finish} clips strays like everything else off the page.
   */
  bounds(): Bounds & { readonly strays: number } {
    this.end();
    const items: Placed[] = this.#texts.map((text) => ({
      ...boxOfText(text, 1),
      isStated: this.#isStated(text.annotation),
    }));
    const { values } = this.#points;
    for (let i = 0; i < this.#starts.length; i++) {
      const box = emptyBounds();
      for (let at = 2 * this.#starts.values[i]; at < this.#endOf(i); at += 2) include(box, values[at], values[at + 1]);
      items.push({ ...box, isStated: this.#isStated(this.#owners[i]) });
    }
    for (const { box } of this.#pictures) items.push({ ...box, isStated: false });
    const near = boxOfMost(items);
    const all = emptyBounds();
    let strays = 0;
    for (const box of items)
      if (isInside(near, box.minX, box.minY) && isInside(near, box.maxX, box.maxY)) includeBox(all, box, IDENTITY);
      else strays++;
    return { ...all, strays };
  }

  #isStated(annotation: number): boolean {
    return annotation >= 0 && STATED.has(this.#annotations[annotation].kind);
  }

  /** Returns the sheet, clipped to the page. */
  finish({ number, width, height, unitMm, space, map = IDENTITY, margin: about = 0 }: SheetFrame): Sheet {
    this.end();
    const size = similarityOf(map);
    if (size === 0) throw new RangeError(`a sheet must be scaled equally in x and y, got [${map.join(', ')}]`);
    const margin = Math.max(about, 1e-6 * Math.max(width, height));
    const page = { minX: -margin, minY: -margin, maxX: width + margin, maxY: height + margin };
    const points = new GrowableF64();
    const starts: number[] = [];
    const kept: number[] = [];
    const boxes: Bounds[] = this.#annotations.map(({ box }) =>
      box === undefined ? emptyBounds() : mappedBox(box, map),
    );
    // New numbers of strokes that lie entirely on the page.
    const numbers = new Map<number, number>();
    for (let i = 0; i < this.#starts.length; i++) {
      const stroke = mappedPoints(this.#points.values.subarray(2 * this.#starts.values[i], this.#endOf(i)), map);
      const isWhole = isWithin(page, stroke);
      if (isWhole) numbers.set(i, kept.length);
      for (const piece of isWhole
        ? [stroke]
        : clipped(stroke, page, this.#styles[this.#strokeStyles.values[i]].isFill)) {
        starts.push(points.length / 2);
        kept.push(i);
        for (let at = 0; at < piece.length; at += 2) {
          points.push(piece[at]);
          points.push(piece[at + 1]);
          if (this.#owners[i] >= 0) include(boxes[this.#owners[i]], piece[at], piece[at + 1]);
        }
      }
    }
    starts.push(points.length / 2);
    const texts = this.#texts.map((text) => mappedText(text, map)).filter(({ x, y }) => isInside(page, x, y));
    for (const text of texts)
      if (text.annotation >= 0) includeBox(boxes[text.annotation], boxOfText(text, -1), IDENTITY);
    return {
      number,
      width,
      height,
      unitMm,
      space,
      styles: this.#styles.map((style) => ({
        ...style,
        width: style.width * Math.abs(size),
        dash: style.dash.map((length) => length * Math.abs(size)),
      })),
      strokes: {
        count: kept.length,
        points: Float32Array.from(points.view()),
        starts: Uint32Array.from(starts),
        styles: Uint16Array.from(kept, (i) => this.#strokeStyles.values[i]),
        groups: Uint32Array.from(kept, (i) => this.#groups.values[i]),
        annotations: Int32Array.from(kept, (i) => this.#owners[i]),
      },
      arcs: this.#arcs.flatMap((arc) => {
        const stroke = numbers.get(arc.stroke);
        return stroke === undefined ? [] : [{ ...mappedArc(arc, map, size), stroke }];
      }),
      texts,
      annotations: this.#annotations.map(
        ({ kind, text, dimension, entity }, i): Annotation => ({
          kind,
          text,
          box: sheetBox(boxes[i]),
          ...(entity !== undefined && { entity }),
          ...(dimension !== undefined && {
            dimension: { ...dimension, points: dimension.points.map(({ x, y }) => placeOf(applyTo(map, x, y))) },
          }),
        }),
      ),
      pictures: this.#pictures.map(({ box, picture }) => ({ box: sheetBox(mappedBox(box, map)), picture })),
    };
  }

  #endOf(stroke: number): number {
    return stroke + 1 < this.#starts.length ? 2 * this.#starts.values[stroke + 1] : this.#points.length;
  }

  /** Adds the visible parts of a stroke. */
  protected override put(points: Float64Array, arc: Omit<Arc, 'stroke'> | undefined): void {
    if (this.#style < 0) throw new TypeError('a sheet needs a style before its first stroke');
    if (this.clip === null || isWithin(this.clip, points)) {
      if (arc !== undefined) this.#arcs.push({ stroke: this.count, ...arc });
      this.#put(points);
    } else for (const piece of clipped(points, this.clip, this.#styles[this.#style].isFill)) this.#put(piece);
  }

  #put(points: ArrayLike<number>): void {
    this.budget.count(1, 0);
    this.#starts.push(this.#points.length / 2);
    this.#strokeStyles.push(this.#style);
    this.#groups.push(this.#group);
    this.#owners.push(this.annotation);
    for (let i = 0; i < points.length; i++) this.#points.push(points[i]);
  }
}

/**
 * A baseline after `map`: its start, its angle, and the scale along it and across it. The angle turns from x to y.
 */
export function mappedBaseline(
  map: Affine,
  { x, y, angleRad }: Pick<SheetText, 'x' | 'y' | 'angleRad'>,
): { x: number; y: number; angleRad: number; along: number; across: number } {
  const [px, py] = applyTo(map, x, y);
  const [ux, uy] = applyTo(map, x + Math.cos(angleRad), y + Math.sin(angleRad));
  const [vx, vy] = applyTo(map, x - Math.sin(angleRad), y + Math.cos(angleRad));
  return {
    x: px,
    y: py,
    angleRad: Math.atan2(uy - py, ux - px),
    along: Math.hypot(ux - px, uy - py),
    across: Math.hypot(vx - px, vy - py),
  };
}

/** Kinds of annotations that state sizes. */
const STATED: ReadonlySet<AnnotationKind> = new Set<AnnotationKind>(['dimension', 'tolerance', 'leader', 'table']);

function isInside({ minX, minY, maxX, maxY }: Bounds, x: number, y: number): boolean {
  return x >= minX && x <= maxX && y >= minY && y <= maxY;
}

function isWithin(box: Bounds, points: ArrayLike<number>): boolean {
  for (let i = 0; i < points.length; i += 2) if (!isInside(box, points[i], points[i + 1])) return false;
  return true;
}

function clipped(points: ArrayLike<number>, box: Bounds, isFill: boolean): number[][] {
  if (!isFill) return clippedLine(points, box);
  const area = clippedArea(points, box);
  return area.length >= 6 ? [area] : [];
}

function mappedPoints(points: ArrayLike<number>, map: Affine): Float64Array {
  const mapped = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 2) [mapped[i], mapped[i + 1]] = applyTo(map, points[i], points[i + 1]);
  return mapped;
}

/**
 * The box of a text; letters reach a fifth of their height below the baseline. @param up 1 when y points up, -1 when
 * down.
 */
function boxOfText({ x, y, angleRad, height, width }: SheetText, up: 1 | -1): Bounds {
  const cos = Math.cos(angleRad),
    sin = Math.sin(angleRad);
  const upright = {
    minX: 0,
    minY: Math.min(up * height, -0.2 * up * height),
    maxX: width,
    maxY: Math.max(up * height, -0.2 * up * height),
  };
  return mappedBox(upright, [cos, sin, -sin, cos, x, y]);
}

function mappedText(text: SheetText, map: Affine): SheetText {
  const { x, y, angleRad, along } = mappedBaseline(map, text);
  return { ...text, x, y, angleRad, height: text.height * along, width: text.width * along };
}

function mappedArc(arc: Arc, map: Affine, size: number): Arc {
  const [x, y] = applyTo(map, arc.x, arc.y);
  const [sx, sy] = applyTo(map, arc.x + Math.cos(arc.startRad), arc.y + Math.sin(arc.startRad));
  return {
    stroke: arc.stroke,
    x,
    y,
    radius: arc.radius * Math.abs(size),
    startRad: Math.atan2(sy - y, sx - x),
    sweepRad: size < 0 ? -arc.sweepRad : arc.sweepRad,
  };
}

function placeOf([x, y]: readonly [number, number]): { readonly x: number; readonly y: number } {
  return { x, y };
}

function sheetBox({ minX, minY, maxX, maxY }: Bounds): SheetBox {
  return minX > maxX
    ? { x: 0, y: 0, width: 0, height: 0 }
    : { x: minX, y: minY, width: maxX - minX, height: maxY - minY };
}
