import type { AnnotationKind, DimensionFacts, Sheet } from '../../content/sheet.js';
import { EngineError, checkLimit } from '../../errors.js';
import type { Limits } from '../../options.js';
import { type Affine, type Bounds, IDENTITY, applyTo, mappedBox } from '../geometry/affine.js';
import { SheetBudget, SheetWriter, mappedBaseline } from '../sheet/sheet-writer.js';
import { FARTHEST } from '../sheet/stroke-path.js';
import type { TextPiece } from '../text/text-layout.js';
import { dimensionFacts, drawDimension, statedText, withLostSigns } from './dimensions.js';
import type { DxfAttribute } from './dxf-attributes.js';
import { boundsOfOutlines, outlinesOf, patternOf } from './hatches.js';
import { plainMtext } from './mtext.js';
import { type Pen, Pens, styleOf } from './pen.js';
import { FROM_ABOVE, type Point3, type Projection, axesOf, planeOf, project, viewOf } from './projection.js';
import { drawGeometry, solidCorners } from './strokes.js';
import {
  type AcadTs,
  MIDDLE_CENTER,
  type PlacedText,
  UPPER_LEFT,
  attributeFacts,
  blockOf,
  dimensionTextHeight,
  mtextOf,
  positive,
  quietly,
  textOf,
  toleranceOf,
  toleranceText,
  widthOf,
  wordsOf,
} from './texts.js';
import { shownViewports, viewOfBlock, viewOfViewport } from './viewports.js';
import type {
  AttributeEntity,
  BlockRecord,
  CadDocument,
  Dimension,
  Entity,
  Hatch,
  Insert,
  Leader,
  MultiLeader,
  TableEntity,
} from '@node-projects/acad-ts';

/** A layout or the model, to be drawn. */
export interface CadLayout {
  readonly number: number;
  readonly block: BlockRecord;
  readonly space: Sheet['space'];
  readonly unitMm: number | null;
}

/** The text and line work of one layout. */
export interface CadPage {
  /** Its own text, in the frame of the page. Text of the model that its viewports show belongs to the model's page. */
  readonly pieces: readonly TextPiece[];
  readonly width: number;
  readonly height: number;
  /** Null when nothing is drawn. */
  readonly sheet: Sheet | null;
}

/** An attribute of a block insertion; several of one block are usually a title block. */
export interface BlockAttribute {
  readonly tag: string;
  readonly value: string;
  /** Number of attributes of the same insertion. */
  readonly siblings: number;
}

/** The state of the traversal. */
interface Place {
  readonly view: Projection;
  /** Pen of the enclosing insertion; null outside of blocks. */
  readonly pen: Pen | null;
  readonly depth: number;
  /** On a frozen layer: text is read, but nothing is drawn. */
  readonly isHidden: boolean;
  /** Layer of the outermost insertion that hides it, if `isHidden`. */
  readonly hiddenBy?: string | undefined;
  /** Inside a dimension or annotation that is not shown, which is counted as one. */
  readonly isCounted?: boolean;
}

/** Layers that are named in one warning. */
const MOST_NAMED_LAYERS = 8;
/** Attribute flags (group code 70). */
const HIDDEN = 1;
const CONSTANT = 2;

/**
 * Draws layouts: everything that AutoCAD plots, and some of what it only shows. Text, dimensions (from their own
 * blocks), leaders, control frames, tables, hatches and blocks with visible attributes become annotations. Blocks are
 * drawn at each insertion, and the model in each viewport of a layout. Left out: entities on layers that are frozen,
 * off or not plotted, infinite construction lines (RAY, XLINE), points, masks and shapes. Text is also collected for
 * the page; hidden attributes are kept as values.
 */
export class CadSheets {
  readonly attributes: BlockAttribute[] = [];
  readonly #acad: AcadTs;
  readonly #limits: Limits;
  readonly #pens: Pens;
  readonly #budget: SheetBudget;
  readonly #model: BlockRecord | null;
  /** Whether dashes in viewports have the same length as on paper. */
  readonly #areDashesOfPaper: boolean;
  readonly #dxfAttributes = new Map<string, DxfAttribute>();
  /** Blocks being traversed; a block that contains itself is not entered again. */
  readonly #open = new Set<BlockRecord>();
  readonly #notDrawn = new Map<string, number>();
  #visited = 0;
  #visitedInModel = 0;
  #tooDeep = 0;
  #broken = 0;
  #viewportsLeftOut = 0;
  /** Lines and texts that lie so far outside that the page does not show them. */
  #strays = 0;
  /** Dimensions, annotations and texts with figures that are marked as invisible. */
  #invisible = 0;
  // State of the current layout.
  #writer: SheetWriter;
  #pieces: TextPiece[] = [];
  #unitMm = 1;
  #dashScale = 1;
  /** The writer's current pen; null when its style must be set again. */
  #drawn: Pen | null = null;
  #isFilling = false;
  /** Number of the entity that is drawn, if it is in no block. */
  #entity: number | undefined;
  /** Layers hidden in the current viewport; null outside of viewports. */
  #frozen: ReadonlySet<string> | null = null;
  /** By layer that is not shown: how many dimensions, annotations and texts with figures it holds. */
  readonly #unseen = new Map<string, number>();
  /** Those of the current layout that are counted already: a block counts once, however often it is inserted. */
  readonly #missed = new Set<Entity>();

  /**
   * @param dxfAttributes attributes of an ASCII DXF file with their places; acad-ts returns those of DWG files only.
   * @param model the block that viewports show.
   */
  constructor(
    acad: AcadTs,
    document: CadDocument,
    limits: Limits,
    {
      format,
      model,
      dxfAttributes,
    }: {
      readonly format: string;
      readonly model: BlockRecord | null;
      readonly dxfAttributes: readonly DxfAttribute[];
    },
  ) {
    this.#acad = acad;
    this.#limits = limits;
    this.#pens = new Pens(document);
    this.#budget = new SheetBudget(format, limits);
    this.#writer = new SheetWriter(this.#budget);
    this.#model = model;
    this.#areDashesOfPaper = document.header?.paperSpaceLineTypeScaling !== 0;
    for (const attribute of dxfAttributes) {
      this.#dxfAttributes.set(attribute.handle, attribute);
      this.attributes.push(attribute);
    }
  }

  /** Messages about what was left out. */
  skipped(): string[] {
    const said: string[] = [];
    if (this.#tooDeep > 0)
      said.push(
        `${this.#tooDeep} blocks are nested deeper than limits.depth, ${this.#limits.depth}, or contain themselves`,
      );
    if (this.#broken > 0) said.push(`${this.#broken} entities could not be read`);
    if (this.#viewportsLeftOut > 0)
      said.push(
        `${this.#viewportsLeftOut} viewports were left out: with them the drawing passes limits.entities, ` +
          `${this.#limits.entities}`,
      );
    if (this.#unseen.size > 0) {
      const layers = [...this.#unseen].sort(([, a], [, b]) => b - a);
      const named = layers.slice(0, MOST_NAMED_LAYERS).map(([name, count]) => `${name} (${count})`);
      const more = layers.length - named.length;
      const all = layers.reduce((sum, [, count]) => sum + count, 0);
      said.push(
        `${all} dimensions, annotations and texts with figures on layers ` +
          `that are off, frozen or not plotted are no part of the PMI: ${named.join(', ')}` +
          (more > 0 ? ` and ${more} further layers` : ''),
      );
    }
    if (this.#invisible > 0)
      said.push(
        `${this.#invisible} dimensions, annotations and texts with figures that are marked as invisible are no part ` +
          'of the PMI',
      );
    if (this.#strays > 0) said.push(`${this.#strays} lines and texts far outside the drawing are no part of its page`);
    if (this.#notDrawn.size > 0)
      said.push(
        `entities of unsupported kinds: ${[...this.#notDrawn].map(([kind, count]) => `${kind} (${count})`).join(', ')}`,
      );
    return said;
  }

  /**
   * Draws a layout.
   * @throws EngineError `LIMIT_EXCEEDED` for more entities than `limits.entities`, counting those in blocks at each
   * insertion.
   */
  draw({ number, block, space, unitMm }: CadLayout): CadPage {
    this.#writer = new SheetWriter(this.#budget);
    this.#pieces = [];
    this.#unitMm = unitMm ?? 1;
    this.#dashScale = 1;
    this.#drawn = null;
    this.#missed.clear();
    const before = this.#visited;
    this.#walk(block.entities, { view: FROM_ABOVE, pen: null, depth: 1, isHidden: false });
    if (block === this.#model) this.#visitedInModel = this.#visited - before;
    else this.#drawViewports(block);
    const { minX, minY, maxX, maxY, strays } = this.#writer.bounds();
    this.#strays += strays;
    const isEmpty = minX > maxX;
    const width = isEmpty ? 0 : maxX - minX,
      height = isEmpty ? 0 : maxY - minY;
    // From the layout's frame, y upwards, to the page's.
    const map: Affine = isEmpty ? IDENTITY : [1, 0, 0, -1, -minX, maxY];
    const pieces = this.#pieces.map((piece) => {
      const [x, y] = applyTo(map, piece.x, piece.y);
      return { ...piece, x, y, angleRad: -piece.angleRad };
    });
    return {
      pieces,
      width,
      height,
      sheet: this.#writer.count === 0 ? null : this.#writer.finish({ number, width, height, unitMm, space, map }),
    };
  }

  #walk(entities: Iterable<Entity>, place: Place): void {
    for (const entity of entities) {
      this.#countOne();
      if (entity.isInvisible) {
        if (this.#isMissed(entity, place)) this.#invisible++;
        continue;
      }
      try {
        this.#visit(entity, place);
      } catch (cause) {
        if (cause instanceof EngineError) throw cause;
        // acad-ts leaves fields undefined that the file lacks or that it does not know.
        this.#broken++;
      }
    }
  }

  /** Whether a reader of the drawing would miss it: PMI that the layout has not counted yet. Counts it. */
  #isMissed(entity: Entity, place: Place): boolean {
    if (this.#missed.has(entity) || !this.#isPmi(entity, place)) return false;
    this.#missed.add(entity);
    return true;
  }

  /** A dimension, an annotation or a text with figures. */
  #isPmi(entity: Entity, place: Place): boolean {
    if (this.#frozen !== null || place.isCounted === true) return false;
    const { AttributeDefinition, AttributeEntity, MText, TextEntity } = this.#acad;
    // Values of attributes are kept as such.
    if (entity instanceof AttributeDefinition || entity instanceof AttributeEntity) return false;
    if (entity instanceof TextEntity || entity instanceof MText)
      return /\d/.test(plainMtext(String(entity.value ?? '')));
    return this.#isAnnotation(entity);
  }

  /** Kinds that are PMI by themselves. */
  #isAnnotation(entity: Entity): boolean {
    const { Dimension, MultiLeader, Tolerance } = this.#acad;
    return entity instanceof Dimension || entity instanceof MultiLeader || entity instanceof Tolerance;
  }

  #countOne(): void {
    checkLimit('the drawing', this.#limits, 'entities', ++this.#visited);
  }

  #visit(entity: Entity, place: Place): void {
    const acad = this.#acad;
    if (place.depth === 1) this.#entity = entity.handle > 0 ? entity.handle : undefined;
    else if (this.#writer.annotation < 0) this.#entity = undefined;
    const pen = this.#pens.penOf(entity, place.pen);
    const isFrozen = place.isHidden || pen.layer.isFrozen || this.#frozen?.has(pen.layer.name) === true;
    const isShown = !isFrozen && pen.layer.isOn && pen.layer.isPlotted;
    const hiddenBy = place.isHidden ? place.hiddenBy : isShown ? undefined : pen.layer.name;
    if (hiddenBy !== undefined && this.#isMissed(entity, place))
      this.#unseen.set(hiddenBy, (this.#unseen.get(hiddenBy) ?? 0) + 1);
    const isCounted = place.isCounted === true || !isShown;
    if (entity instanceof acad.TableEntity) this.#table(entity, { ...place, isHidden: !isShown, hiddenBy }, pen);
    else if (entity instanceof acad.Insert) this.#insert(entity, { ...place, isHidden: isFrozen, hiddenBy }, pen);
    else if (entity instanceof acad.Dimension)
      this.#dimension(entity, { ...place, isHidden: !isShown, hiddenBy, isCounted }, pen);
    else if (entity instanceof acad.MultiLeader)
      this.#multiLeader(entity, { ...place, isHidden: !isShown, hiddenBy, isCounted }, pen);
    else if (entity instanceof acad.AttributeDefinition) {
      // Only a constant attribute definition shows its value; an insertion fills in the others.
      if ((entity.flags & CONSTANT) !== 0) this.#text(textOf(entity, place.view), isShown);
    } else if (entity instanceof acad.AttributeEntity) {
      const value = this.#valueOf(entity);
      this.#annotated(isShown && value !== undefined ? 'attribute' : null, value ?? '', () =>
        this.#attribute(entity, place.view, isShown),
      );
    } else if (entity instanceof acad.TextEntity) this.#text(textOf(entity, place.view), isShown);
    else if (entity instanceof acad.MText) {
      const placed = mtextOf(entity, place.view);
      this.#annotated(isShown ? 'note' : null, placed.lines.map(({ text }) => text).join('\n'), () =>
        this.#text(placed, isShown),
      );
    } else if (entity instanceof acad.Tolerance) {
      const text = toleranceText(entity.text);
      this.#annotated(isShown ? 'tolerance' : null, text, () =>
        this.#text(toleranceOf(text, entity, place.view), isShown),
      );
    } else if (isShown) this.#geometry(entity, place.view, pen);
  }

  #geometry(entity: Entity, view: Projection, pen: Pen): void {
    const acad = this.#acad;
    if (entity instanceof acad.Leader) this.#leader(entity, view, pen);
    else if (entity instanceof acad.Hatch) this.#hatch(entity, view, pen);
    else if (entity instanceof acad.Solid) {
      this.#begin(pen, true);
      this.#writer.map = planeOf(view, entity.normal, entity.firstCorner.z);
      this.#writer.polyline(
        solidCorners(entity).map(({ x, y }) => [x, y] as const),
        true,
      );
    } else {
      this.#begin(pen, false);
      if (drawGeometry(acad, entity, view, this.#writer)) return;
      const {
        constructor: { name },
      } = entity;
      // Kinds without finite lines are skipped without a warning.
      if (!LINELESS.has(name)) this.#notDrawn.set(name, (this.#notDrawn.get(name) ?? 0) + 1);
    }
  }

  #begin(pen: Pen, isFill: boolean): void {
    this.#writer.group();
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
    this.#writer.style({ ...styleOf(pen, this.#unitMm, this.#dashScale), isFill });
    this.#drawn = pen;
    this.#isFilling = isFill;
  }

  /** Draws an annotation; an annotation inside another belongs to the outer one. @param kind null: no annotation. */
  #annotated(
    kind: AnnotationKind | null,
    text: string,
    draw: () => void,
    { facts, box }: { readonly facts?: DimensionFacts; readonly box?: Bounds } = {},
  ): void {
    const before = this.#writer.annotation;
    if (kind !== null && before < 0) {
      this.#writer.map = IDENTITY;
      this.#writer.annotate(kind, text, { dimension: facts, box, entity: this.#entity });
    }
    try {
      draw();
    } finally {
      this.#writer.annotation = before;
    }
  }

  #text({ map, lines, drawn }: PlacedText, isShown: boolean): void {
    if (isShown) {
      this.#writer.map = map;
      for (const { length, ...run } of drawn) this.#writer.text({ ...run, width: length });
    }
    // Text that a viewport shows is read in the model.
    if (this.#frozen !== null) return;
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

  #insert(entity: Insert, place: Place, pen: Pen): void {
    const values = [...(entity.attributes ?? [])];
    const isShown = !place.isHidden && pen.layer.isOn && pen.layer.isPlotted;
    const words = values.flatMap((value) => this.#valueOf(value) ?? []);
    this.#annotated(isShown && words.length > 0 ? 'attribute' : null, words.join('\n'), () => {
      for (const attribute of values)
        this.#attribute(attribute, place.view, isShown && this.#isShown(attribute, pen), entity);
      this.#copies(entity, place, pen);
    });
  }

  #isShown(entity: Entity, insertion: Pen): boolean {
    const { layer } = this.#pens.penOf(entity, insertion);
    return !layer.isFrozen && layer.isOn && layer.isPlotted && this.#frozen?.has(layer.name) !== true;
  }

  #copies(entity: Insert, place: Place, pen: Pen): void {
    const { block, insertPoint, rotation, xScale, yScale, zScale } = entity;
    if (block === null) return;
    const columns = count(entity.columnCount),
      rows = count(entity.rowCount);
    checkLimit('the drawing', this.#limits, 'entities', rows * columns);
    const outer = viewOf(place.view, axesOf(entity.normal));
    const cos = Math.cos(rotation || 0),
      sin = Math.sin(rotation || 0);
    const sx = xScale || 1,
      sy = yScale || 1;
    for (let i = 0; i < rows * columns; i++) {
      this.#countOne();
      const along = (i % columns) * (entity.columnSpacing || 0),
        up = Math.floor(i / columns) * (entity.rowSpacing || 0);
      const origin = {
        x: insertPoint.x + along * cos - up * sin,
        y: insertPoint.y + along * sin + up * cos,
        z: insertPoint.z || 0,
      };
      const frame = {
        right: { x: cos * sx, y: sin * sx, z: 0 },
        up: { x: -sin * sy, y: cos * sy, z: 0 },
        out: { x: 0, y: 0, z: zScale || 1 },
        origin,
      };
      this.#enter(block, viewOfBlock(block, outer, frame), place, pen);
    }
  }

  #enter(block: BlockRecord, view: Projection, place: Place, pen: Pen): void {
    if (place.depth >= this.#limits.depth || this.#open.has(block)) {
      this.#tooDeep++;
      return;
    }
    this.#open.add(block);
    this.#walk(block.entities, { ...place, view, pen, depth: place.depth + 1 });
    this.#open.delete(block);
  }

  /** The visible text of an attribute; undefined when it is hidden. */
  #valueOf(attribute: AttributeEntity): string | undefined {
    const stated = this.#statedOf(attribute);
    if (stated !== undefined) return stated.hidden ? undefined : stated.value;
    const value = plainMtext(String((attribute.mText?.value || attribute.value) ?? ''));
    return (attribute.flags & HIDDEN) !== 0 || attribute.isInvisible || value.trim() === '' ? undefined : value;
  }

  #statedOf(attribute: AttributeEntity): DxfAttribute | undefined {
    return this.#dxfAttributes.get((attribute.handle ?? 0).toString(16).toUpperCase());
  }

  #attribute(attribute: AttributeEntity, view: Projection, isShown: boolean, insertion?: Insert): void {
    const stated = this.#statedOf(attribute);
    if (stated !== undefined) {
      if (stated.hidden) return;
      const { value: text, x, y, height, rotation: angleRad } = stated;
      const lines = [{ text, x, y, angleRad, height, length: widthOf(text, height) }];
      this.#text({ map: planeOf(view, attribute.normal, 0), lines, drawn: lines }, isShown);
      return;
    }
    if (attribute.insertPoint === undefined) return;
    // A multi-line attribute contains an MTEXT, whose place may be missing.
    const lines = attribute.mText?.insertPoint === undefined ? undefined : attribute.mText;
    if (this.#frozen === null)
      this.attributes.push({
        tag: attribute.tag ?? '',
        value: plainMtext(String((lines?.value || attribute.value) ?? '')),
        siblings: insertion?.attributes.length ?? 1,
      });
    if ((attribute.flags & HIDDEN) !== 0 || attribute.isInvisible) return;
    this.#text(
      lines?.value
        ? mtextOf(lines, view)
        : textOf(insertion === undefined ? attribute : attributeFacts(attribute, insertion), view),
      isShown,
    );
  }

  /** A dimension's block holds its line work and text; without a block both are derived from its facts. */
  #dimension(entity: Dimension, place: Place, pen: Pen): void {
    const facts = dimensionFacts(this.#acad, entity, place.view);
    const stated = quietly(() => statedText(entity, facts), '');
    const written = entity.block === null ? '' : withLostSigns(wordsOf(this.#acad, entity.block.entities), facts);
    this.#annotated(
      place.isHidden ? null : 'dimension',
      written || stated,
      () => {
        if (entity.block !== null) this.#enter(entity.block, place.view, place, pen);
        if (written !== '') return;
        if (!place.isHidden && (entity.block === null || isEmpty(entity.block.entities))) {
          this.#begin(pen, false);
          this.#writer.map = IDENTITY;
          drawDimension(this.#acad, entity, place.view, this.#writer);
        }
        this.#text(
          blockOf(stated, place.view, {
            at: entity.textMiddlePoint,
            angleRad: entity.textRotation || 0,
            height: dimensionTextHeight(entity.style),
            attachment: MIDDLE_CENTER,
          }),
          !place.isHidden,
        );
      },
      { facts },
    );
  }

  #leader({ vertices, arrowHeadEnabled, associatedAnnotation, style }: Leader, view: Projection, pen: Pen): void {
    const { MText: MTextClass, Tolerance: ToleranceClass } = this.#acad;
    const text =
      associatedAnnotation instanceof MTextClass
        ? plainMtext(String(associatedAnnotation.value ?? ''))
        : associatedAnnotation instanceof ToleranceClass
          ? toleranceText(associatedAnnotation.text)
          : '';
    this.#annotated('leader', text, () =>
      this.#arrowLine(
        vertices,
        arrowHeadEnabled ? quietly(() => style.arrowSize * style.scaleFactor, 0) : 0,
        view,
        pen,
      ),
    );
  }

  #multiLeader(entity: MultiLeader, place: Place, pen: Pen): void {
    const { contextData, blockAttributes } = entity;
    const label = plainMtext(contextData?.textLabel ?? '');
    const values = blockAttributes.map(({ text }) => plainMtext(text ?? ''));
    this.#annotated(
      place.isHidden ? null : 'leader',
      [label, ...values].filter((word) => word.trim() !== '').join('\n'),
      () => {
        for (const { lines, connectionPoint, direction, landingDistance, contentValid } of place.isHidden
          ? []
          : (contextData?.leaderRoots ?? [])) {
          // Some writers omit the point where the leader line meets its text.
          const isStated = contentValid || Math.hypot(direction.x, direction.y) > 0;
          const meets = isStated ? connectionPoint : contextData.contentBasePoint;
          const landing = isStated ? (positive(landingDistance) ?? 0) : 0;
          const end = { x: meets.x + landing * direction.x, y: meets.y + landing * direction.y, z: meets.z };
          for (const { points, arrowheadSize } of lines) {
            const size =
              positive(arrowheadSize) ?? positive(contextData.arrowheadSize) ?? positive(entity.arrowheadSize) ?? 0;
            this.#arrowLine([...points, meets, ...(landing > 0 ? [end] : [])], size, place.view, pen);
          }
        }
        if (label !== '') {
          const { textLocation, textRotation, textHeight, textAttachmentPoint, boundaryWidth } = contextData;
          // Its attachment is top left, top centre or top right.
          const attachment = textAttachmentPoint >= 1 && textAttachmentPoint <= 3 ? textAttachmentPoint : UPPER_LEFT;
          this.#text(
            blockOf(label, place.view, {
              at: textLocation,
              angleRad: textRotation || 0,
              height: positive(textHeight) ?? 2.5,
              attachment,
              width: boundaryWidth,
            }),
            !place.isHidden,
          );
        }
        const content = contextData?.hasContentsBlock ? contextData.blockContent : null;
        if (content === null) return;
        const { x, y, z } = contextData.blockContentLocation;
        const turn = contextData.blockContentRotation || 0,
          cos = Math.cos(turn),
          sin = Math.sin(turn),
          size = positive(contextData.blockContentScale?.x) ?? 1;
        const frame = {
          right: { x: size * cos, y: size * sin, z: 0 },
          up: { x: -size * sin, y: size * cos, z: 0 },
          out: { x: 0, y: 0, z: size },
          origin: { x, y, z },
        };
        this.#enter(content, viewOfBlock(content, place.view, frame), place, pen);
        for (const value of values)
          this.#text(
            blockOf(value, place.view, { at: { x, y, z }, angleRad: 0, height: 2.5, attachment: MIDDLE_CENTER }),
            !place.isHidden,
          );
      },
    );
  }

  /** A line with an arrowhead at its start. */
  #arrowLine(vertices: readonly Point3[], arrowSize: number, view: Projection, pen: Pen): void {
    this.#begin(pen, false);
    this.#writer.map = IDENTITY;
    const points = vertices.map(({ x, y, z }) => project(view, x, y, z ?? 0));
    this.#writer.polyline(points);
    if (points.length < 2 || !(arrowSize > 0)) return;
    const [[x, y], [nextX, nextY]] = points;
    const [ox, oy] = project(view, 0, 0, 0),
      [rx, ry] = project(view, arrowSize, 0, 0);
    const size = Math.hypot(rx - ox, ry - oy),
      length = Math.hypot(nextX - x, nextY - y);
    if (!(size > 0) || length < size) return;
    const ux = ((nextX - x) / length) * size,
      uy = ((nextY - y) / length) * size;
    this.#begin(pen, true);
    const corners = [
      [x, y],
      [x + ux - uy / 6, y + uy + ux / 6],
      [x + ux + uy / 6, y + uy - ux / 6],
    ] as const;
    this.#writer.polyline(corners, true);
  }

  #hatch(entity: Hatch, view: Projection, pen: Pen): void {
    const outlines = outlinesOf(this.#acad, entity, this.#budget);
    if (outlines.length === 0) return;
    const map = planeOf(view, entity.normal, entity.elevation);
    const box = mappedBox(boundsOfOutlines(outlines), map);
    this.#annotated(
      'hatch',
      '',
      () => {
        const pattern = patternOf(entity, outlines);
        if (pattern === null) {
          this.#begin(pen, true);
          this.#writer.map = map;
          for (const outline of outlines) this.#polyline(outline);
          return;
        }
        const [ox, oy] = applyTo(map, 0, 0),
          [rx, ry] = applyTo(map, 1, 0);
        const size = Math.hypot(rx - ox, ry - oy);
        for (const { dash, lines } of pattern) {
          this.#writer.group();
          this.#drawn = null;
          this.#writer.style({
            ...styleOf({ ...pen, dash: [] }, this.#unitMm, 1),
            dash: dash.map((length) => length * size),
          });
          this.#writer.map = map;
          for (let i = 0; i + 3 < lines.length; i += 4) {
            this.#writer.move(lines[i], lines[i + 1]);
            this.#writer.line(lines[i + 2], lines[i + 3]);
          }
        }
      },
      { box },
    );
  }

  #polyline(points: Float64Array): void {
    for (let i = 0; i < points.length; i += 2) {
      if (i === 0) this.#writer.move(points[0], points[1]);
      else this.#writer.line(points[i], points[i + 1]);
    }
    this.#writer.group();
  }

  /**
   * A table is drawn by its own block; when that has no text, the cells are laid out from the table's rows and columns.
   */
  #table(entity: TableEntity, place: Place, pen: Pen): void {
    const cells = entity.rows.map((row) =>
      row.cells.map((cell) =>
        cell.contents
          .map(({ cadValue }) => plainMtext(String(cadValue?.formattedValue || cadValue?.value || '')))
          .join(' ')
          .replaceAll('\n', ' '),
      ),
    );
    this.#annotated(place.isHidden ? null : 'table', cells.map((row) => row.join('\t')).join('\n'), () => {
      const before = this.#pieces.length;
      if (entity.block !== null) this.#copies(entity, place, pen);
      if (this.#pieces.length > before || this.#frozen !== null) return;
      const { x, y, z } = entity.insertPoint;
      let down = 0;
      entity.rows.forEach((row, i) => {
        let right = 0;
        const height = 0.4 * (positive(row.height) ?? 6);
        cells[i].forEach((text, k) => {
          const lines = [
            { text, x: x + right, y: y - down - 2 * height, angleRad: 0, height, length: widthOf(text, height) },
          ];
          this.#text({ map: planeOf(place.view, null, z), lines, drawn: lines }, !place.isHidden);
          right += positive(entity.columns[k]?.width) ?? 20;
        });
        down += positive(row.height) ?? 6;
      });
    });
  }

  /** Draws the part of the model that each viewport of a layout shows. */
  #drawViewports(layout: BlockRecord): void {
    for (const viewport of shownViewports(this.#acad, layout)) {
      const { layer } = this.#pens.penOf(viewport, null);
      if (this.#model === null || layer.isFrozen || !layer.isOn) continue;
      if (this.#visited + this.#visitedInModel > this.#limits.entities) {
        this.#viewportsLeftOut++;
        continue;
      }
      const {
        center: { x, y },
        width,
        height,
      } = viewport;
      const clip = { minX: x - width / 2, minY: y - height / 2, maxX: x + width / 2, maxY: y + height / 2 };
      this.#annotated('viewport', '', () => undefined, { box: clip });
      this.#writer.clip = clip;
      this.#frozen = new Set((viewport.frozenLayers ?? []).flatMap((frozen) => frozen?.name ?? []));
      this.#drawn = null;
      this.#dashScale = this.#areDashesOfPaper ? 1 : height / viewport.viewHeight;
      try {
        this.#walk(this.#model.entities, { view: viewOfViewport(viewport), pen: null, depth: 1, isHidden: false });
      } finally {
        this.#writer.clip = null;
        this.#frozen = null;
        this.#dashScale = 1;
        this.#drawn = null;
      }
    }
  }
}

/** Kinds that draw nothing, or only infinite lines. */
const LINELESS = new Set(['Point', 'Ray', 'XLine', 'Wipeout', 'Seqend', 'Viewport', 'Shape', 'Vertex2D', 'Vertex3D']);

function count(given: number): number {
  return Number.isInteger(given) && given > 1 ? given : 1;
}

function isEmpty(entities: Iterable<Entity>): boolean {
  for (const _ of entities) return false;
  return true;
}
