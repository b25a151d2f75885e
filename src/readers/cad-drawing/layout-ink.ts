import type { Hatch } from '@node-projects/acad-ts';
import type { AnnotationKind, DimensionFacts, Sheet } from '../../content/sheet.js';
import { type Affine, type Bounds, IDENTITY, applyTo, mappedBox } from '../geometry/affine.js';
import { type SheetBudget, SheetWriter, mappedBaseline } from '../sheet/sheet-writer.js';
import { FARTHEST } from '../sheet/stroke-path.js';
import type { TextPiece } from '../text/text-layout.js';
import { boundsOfOutlines, outlinesOf, patternOf } from './hatches.js';
import { type Pen, styleOf } from './pen.js';
import { type Point3, type Projection, planeOf, project } from './projection.js';
import type { AcadTs, PlacedText } from './texts.js';

/** The text and line work of one layout. */
export interface CadPage {
  /** Its own text, in the frame of the page. Text of the model that its viewports show belongs to the model's page. */
  readonly pieces: readonly TextPiece[];
  readonly width: number;
  readonly height: number;
  /** Null when nothing is drawn. */
  readonly sheet: Sheet | null;
}

/** What a viewport shows, and how. */
interface Window {
  /** In the frame of the layout. */
  readonly clip: Bounds;
  /** By which dashes are multiplied. */
  readonly dashScale: number;
}

/** Draws lines, texts and annotations of one layout, in its frame (y upwards). */
export class LayoutInk {
  readonly #budget: SheetBudget;
  readonly writer: SheetWriter;
  readonly #pieces: TextPiece[] = [];
  readonly #unitMm: number;
  #dashScale = 1;
  /** The writer's current pen; null when its style must be set again. */
  #drawn: Pen | null = null;
  #isFilling = false;
  #isInWindow = false;
  /** Number of the entity that is drawn, if it is in no block. */
  entity: number | undefined;

  constructor(budget: SheetBudget, unitMm: number | null) {
    this.#budget = budget;
    this.writer = new SheetWriter(budget);
    this.#unitMm = unitMm ?? 1;
  }

  /** Texts that were placed so far. */
  get textCount(): number {
    return this.#pieces.length;
  }

  /** What was drawn, as a page, and the number of lines and texts that lie too far outside for it. */
  finish({ number, space, unitMm }: Pick<Sheet, 'number' | 'space' | 'unitMm'>): { page: CadPage; strays: number } {
    const { minX, minY, maxX, maxY, strays } = this.writer.bounds();
    const isEmpty = minX > maxX;
    const width = isEmpty ? 0 : maxX - minX,
      height = isEmpty ? 0 : maxY - minY;
    // From the layout's frame, y upwards, to the page's.
    const map: Affine = isEmpty ? IDENTITY : [1, 0, 0, -1, -minX, maxY];
    const pieces = this.#pieces.map((piece) => {
      const [x, y] = applyTo(map, piece.x, piece.y);
      return { ...piece, x, y, angleRad: -piece.angleRad };
    });
    const sheet = this.writer.count === 0 ? null : this.writer.finish({ number, width, height, unitMm, space, map });
    return { page: { pieces, width, height, sheet }, strays };
  }

  /** Draws what a viewport shows; its text is that of the model's page and is not placed. */
  inWindow({ clip, dashScale }: Window, draw: () => void): void {
    this.writer.clip = clip;
    this.#isInWindow = true;
    this.#drawn = null;
    this.#dashScale = dashScale;
    try {
      draw();
    } finally {
      this.writer.clip = null;
      this.#isInWindow = false;
      this.#drawn = null;
      this.#dashScale = 1;
    }
  }

  /** Begins a group of strokes with a pen. */
  begin(pen: Pen, isFill: boolean): void {
    this.writer.group();
    const drawn = this.#drawn;
    // Neighbouring entities usually have the same style.
    if (
      drawn !== null &&
      drawn.layer === pen.layer &&
      drawn.color === pen.color &&
      drawn.widthMm === pen.widthMm &&
      drawn.dash === pen.dash &&
      this.#isFilling === isFill
    )
      return;
    this.writer.style({ ...styleOf(pen, this.#unitMm, this.#dashScale), isFill });
    this.#drawn = pen;
    this.#isFilling = isFill;
  }

  /** Draws an annotation; an annotation inside another belongs to the outer one. @param kind null: no annotation. */
  annotated(
    kind: AnnotationKind | null,
    text: string,
    draw: () => void,
    { facts, box }: { readonly facts?: DimensionFacts; readonly box?: Bounds } = {},
  ): void {
    const before = this.writer.annotation;
    if (kind !== null && before < 0) {
      this.writer.map = IDENTITY;
      this.writer.annotate(kind, text, { dimension: facts, box, entity: this.entity });
    }
    try {
      draw();
    } finally {
      this.writer.annotation = before;
    }
  }

  /** Places a text on the page, and draws it where it is shown. */
  text({ map, lines, drawn }: PlacedText, isShown: boolean): void {
    if (isShown) {
      this.writer.map = map;
      for (const { length, ...run } of drawn) this.writer.text({ ...run, width: length });
    }
    if (this.#isInWindow) return;
    for (const line of lines) {
      if (line.text.trim() === '' || !(line.height > 0)) continue;
      const { x, y, angleRad, along, across } = mappedBaseline(map, line);
      if (!(Math.abs(x) < FARTHEST && Math.abs(y) < FARTHEST && along > 0 && across > 0)) continue;
      this.#pieces.push({
        text: line.text,
        x,
        y,
        angleRad,
        length: line.length * along,
        height: line.height * across,
      });
    }
  }

  /** A line with an arrowhead at its start. @param arrowSize drawing units; 0: no arrowhead. */
  arrowLine(vertices: readonly Point3[], arrowSize: number, view: Projection, pen: Pen): void {
    this.begin(pen, false);
    this.writer.map = IDENTITY;
    const points = vertices.map(({ x, y, z }) => project(view, x, y, z ?? 0));
    this.writer.polyline(points);
    if (points.length < 2 || !(arrowSize > 0)) return;
    const [[x, y], [nextX, nextY]] = points;
    const [ox, oy] = project(view, 0, 0, 0),
      [rx, ry] = project(view, arrowSize, 0, 0);
    const size = Math.hypot(rx - ox, ry - oy),
      length = Math.hypot(nextX - x, nextY - y);
    if (!(size > 0) || length < size) return;
    const ux = ((nextX - x) / length) * size,
      uy = ((nextY - y) / length) * size;
    this.begin(pen, true);
    const corners = [
      [x, y],
      [x + ux - uy / 6, y + uy + ux / 6],
      [x + ux + uy / 6, y + uy - ux / 6],
    ] as const;
    this.writer.polyline(corners, true);
  }

  /** Draws a hatch: filled, or the lines of its pattern. */
  hatch(acad: AcadTs, entity: Hatch, view: Projection, pen: Pen): void {
    const outlines = outlinesOf(acad, entity, this.#budget);
    if (outlines.length === 0) return;
    const map = planeOf(view, entity.normal, entity.elevation);
    const box = mappedBox(boundsOfOutlines(outlines), map);
    this.annotated(
      'hatch',
      '',
      () => {
        const pattern = patternOf(entity, outlines);
        if (pattern === null) {
          this.begin(pen, true);
          this.writer.map = map;
          for (const outline of outlines) this.#outline(outline);
          return;
        }
        const [ox, oy] = applyTo(map, 0, 0),
          [rx, ry] = applyTo(map, 1, 0);
        const size = Math.hypot(rx - ox, ry - oy);
        for (const { dash, lines } of pattern) {
          this.writer.group();
          this.#drawn = null;
          this.writer.style({
            ...styleOf({ ...pen, dash: [] }, this.#unitMm, 1),
            dash: dash.map((length) => length * size),
          });
          this.writer.map = map;
          for (let i = 0; i + 3 < lines.length; i += 4) {
            this.writer.move(lines[i], lines[i + 1]);
            this.writer.line(lines[i + 2], lines[i + 3]);
          }
        }
      },
      { box },
    );
  }

  #outline(points: Float64Array): void {
    for (let i = 0; i < points.length; i += 2) {
      if (i === 0) this.writer.move(points[0], points[1]);
      else this.writer.line(points[i], points[i + 1]);
    }
    this.writer.group();
  }
}
