import type { Sheet } from '../../content/sheet.js';
import { EngineError, checkLimit } from '../../errors.js';
import type { Limits } from '../../options.js';
import { IDENTITY } from '../geometry/affine.js';
import { SheetBudget } from '../sheet/sheet-writer.js';
import { dimensionFacts, drawDimension, statedText, unlikeBlock, withLostSigns } from './dimensions.js';
import { keyOfDefinition, type DxfAttribute } from './dxf-attributes.js';
import { type CadPage, LayoutInk } from './layout-ink.js';
import { LeftOut } from './left-out.js';
import { plainMtext } from './mtext.js';
import { type Pen, Pens } from './pen.js';
import { FROM_ABOVE, type Projection, axesOf, planeOf, viewOf } from './projection.js';
import { drawGeometry, solidCorners } from './strokes.js';
import {
  type AcadTs,
  MIDDLE_CENTER,
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
  readonly #constants: ReadonlySet<string>;
  readonly #dxfAttributes = new Map<string, DxfAttribute>();
  /** Blocks being traversed; a block that contains itself is not entered again. */
  readonly #open = new Set<BlockRecord>();
  readonly #leftOut = new LeftOut();
  #visited = 0;
  #visitedInModel = 0;
  /** Ink of the current layout. */
  #ink: LayoutInk;
  /** Layers hidden in the current viewport; null outside of viewports. */
  #frozen: ReadonlySet<string> | null = null;

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
      constants,
    }: {
      readonly format: string;
      readonly model: BlockRecord | null;
      readonly dxfAttributes: readonly DxfAttribute[];
      /** Constant definitions of attributes, which are shown: `readConstantDefinitions`. */
      readonly constants: ReadonlySet<string>;
    },
  ) {
    this.#acad = acad;
    this.#limits = limits;
    this.#pens = new Pens(document);
    this.#budget = new SheetBudget(format, limits);
    this.#ink = new LayoutInk(this.#budget, null);
    this.#model = model;
    this.#constants = constants;
    this.#areDashesOfPaper = document.header?.paperSpaceLineTypeScaling !== 0;
    for (const attribute of dxfAttributes) {
      this.#dxfAttributes.set(attribute.handle, attribute);
      this.attributes.push(attribute);
    }
  }

  /** Messages about what was left out. */
  skipped(): string[] {
    return this.#leftOut.messages(this.#limits);
  }

  /**
   * Draws a layout.
   * @throws EngineError `LIMIT_EXCEEDED` for more entities than `limits.entities`, counting those in blocks at each
   * insertion.
   */
  draw({ number, block, space, unitMm }: CadLayout): CadPage {
    this.#ink = new LayoutInk(this.#budget, unitMm);
    this.#leftOut.nextLayout();
    const before = this.#visited;
    this.#walk(block.entities, { view: FROM_ABOVE, pen: null, depth: 1, isHidden: false });
    if (block === this.#model) this.#visitedInModel = this.#visited - before;
    else this.#drawViewports(block);
    const { page, strays } = this.#ink.finish({ number, space, unitMm });
    this.#leftOut.strays += strays;
    return page;
  }

  #walk(entities: Iterable<Entity>, place: Place): void {
    for (const entity of entities) {
      this.#countOne();
      if (entity.isInvisible) {
        if (this.#isPmi(entity, place)) this.#leftOut.missed(entity, null);
        continue;
      }
      try {
        this.#visit(entity, place);
      } catch (cause) {
        if (cause instanceof EngineError) throw cause;
        // acad-ts leaves fields undefined that the file lacks or that it does not know.
        this.#leftOut.broken++;
      }
    }
  }

  /** A dimension, an annotation or a text with figures, which a reader would miss were it not shown. */
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
    if (place.depth === 1) this.#ink.entity = entity.handle > 0 ? entity.handle : undefined;
    else if (this.#ink.writer.annotation < 0) this.#ink.entity = undefined;
    const pen = this.#pens.penOf(entity, place.pen);
    const isFrozen = place.isHidden || pen.layer.isFrozen || this.#frozen?.has(pen.layer.name) === true;
    const isShown = !isFrozen && pen.layer.isOn && pen.layer.isPlotted;
    const hiddenBy = place.isHidden ? place.hiddenBy : isShown ? undefined : pen.layer.name;
    if (hiddenBy !== undefined && this.#isPmi(entity, place)) this.#leftOut.missed(entity, hiddenBy);
    const isCounted = place.isCounted === true || !isShown;
    if (entity instanceof acad.TableEntity) this.#table(entity, { ...place, isHidden: !isShown, hiddenBy }, pen);
    else if (entity instanceof acad.Insert) this.#insert(entity, { ...place, isHidden: isFrozen, hiddenBy }, pen);
    else if (entity instanceof acad.Dimension)
      this.#dimension(entity, { ...place, isHidden: !isShown, hiddenBy, isCounted }, pen);
    else if (entity instanceof acad.MultiLeader)
      this.#multiLeader(entity, { ...place, isHidden: !isShown, hiddenBy, isCounted }, pen);
    else if (entity instanceof acad.AttributeDefinition) {
      // Only a constant attribute definition shows its value; an insertion fills in the others.
      const isConstant =
        (entity.flags & CONSTANT) !== 0 || this.#constants.has(keyOfDefinition(entity.insertPoint, entity.value ?? ''));
      if (isConstant) this.#ink.text(textOf(entity, place.view), isShown);
    } else if (entity instanceof acad.AttributeEntity) {
      const value = this.#valueOf(entity);
      this.#ink.annotated(isShown && value !== undefined ? 'attribute' : null, value ?? '', () =>
        this.#attribute(entity, place.view, isShown),
      );
    } else if (entity instanceof acad.TextEntity) this.#ink.text(textOf(entity, place.view), isShown);
    else if (entity instanceof acad.MText) {
      const placed = mtextOf(entity, place.view);
      this.#ink.annotated(isShown ? 'note' : null, placed.lines.map(({ text }) => text).join('\n'), () =>
        this.#ink.text(placed, isShown),
      );
    } else if (entity instanceof acad.Tolerance) {
      const text = toleranceText(entity.text);
      this.#ink.annotated(isShown ? 'tolerance' : null, text, () =>
        this.#ink.text(toleranceOf(text, entity, place.view), isShown),
      );
    } else if (isShown) this.#geometry(entity, place.view, pen);
  }

  #geometry(entity: Entity, view: Projection, pen: Pen): void {
    const acad = this.#acad;
    if (entity instanceof acad.Leader) this.#leader(entity, view, pen);
    else if (entity instanceof acad.Hatch) this.#ink.hatch(acad, entity, view, pen);
    else if (entity instanceof acad.Solid) {
      this.#ink.begin(pen, true);
      this.#ink.writer.map = planeOf(view, entity.normal, entity.firstCorner.z);
      this.#ink.writer.polyline(
        solidCorners(entity).map(({ x, y }) => [x, y] as const),
        true,
      );
    } else {
      this.#ink.begin(pen, false);
      if (drawGeometry(acad, entity, view, this.#ink.writer)) return;
      this.#leftOut.unsupported(entity);
    }
  }

  #insert(entity: Insert, place: Place, pen: Pen): void {
    const values = [...(entity.attributes ?? [])];
    const isShown = !place.isHidden && pen.layer.isOn && pen.layer.isPlotted;
    const words = values.flatMap((value) => this.#valueOf(value) ?? []);
    this.#ink.annotated(isShown && words.length > 0 ? 'attribute' : null, words.join('\n'), () => {
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
      this.#leftOut.tooDeep++;
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
      this.#ink.text({ map: planeOf(view, attribute.normal, 0), lines, drawn: lines }, isShown);
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
    this.#ink.text(
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
    const other = written === '' ? undefined : unlikeBlock(entity, stated, written);
    this.#ink.annotated(
      place.isHidden ? null : 'dimension',
      written || stated,
      () => {
        if (entity.block !== null) this.#enter(entity.block, place.view, place, pen);
        if (written !== '') return;
        if (!place.isHidden && (entity.block === null || isEmpty(entity.block.entities))) {
          this.#ink.begin(pen, false);
          this.#ink.writer.map = IDENTITY;
          drawDimension(this.#acad, entity, place.view, this.#ink.writer);
        }
        this.#ink.text(
          blockOf(stated, place.view, {
            at: entity.textMiddlePoint,
            angleRad: entity.textRotation || 0,
            height: dimensionTextHeight(entity.style),
            attachment: MIDDLE_CENTER,
          }),
          !place.isHidden,
        );
      },
      { facts: other === undefined ? facts : { ...facts, stated: other } },
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
    this.#ink.annotated('leader', text, () =>
      this.#ink.arrowLine(
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
    this.#ink.annotated(
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
            this.#ink.arrowLine([...points, meets, ...(landing > 0 ? [end] : [])], size, place.view, pen);
          }
        }
        if (label !== '') {
          const { textLocation, textRotation, textHeight, textAttachmentPoint, boundaryWidth } = contextData;
          // Its attachment is top left, top centre or top right.
          const attachment = textAttachmentPoint >= 1 && textAttachmentPoint <= 3 ? textAttachmentPoint : UPPER_LEFT;
          this.#ink.text(
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
          this.#ink.text(
            blockOf(value, place.view, { at: { x, y, z }, angleRad: 0, height: 2.5, attachment: MIDDLE_CENTER }),
            !place.isHidden,
          );
      },
    );
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
    this.#ink.annotated(place.isHidden ? null : 'table', cells.map((row) => row.join('\t')).join('\n'), () => {
      const before = this.#ink.textCount;
      if (entity.block !== null) this.#copies(entity, place, pen);
      if (this.#ink.textCount > before || this.#frozen !== null) return;
      const { x, y, z } = entity.insertPoint;
      let down = 0;
      entity.rows.forEach((row, i) => {
        let right = 0;
        const height = 0.4 * (positive(row.height) ?? 6);
        cells[i].forEach((text, k) => {
          const lines = [
            { text, x: x + right, y: y - down - 2 * height, angleRad: 0, height, length: widthOf(text, height) },
          ];
          this.#ink.text({ map: planeOf(place.view, null, z), lines, drawn: lines }, !place.isHidden);
          right += positive(entity.columns[k]?.width) ?? 20;
        });
        down += positive(row.height) ?? 6;
      });
    });
  }

  /** Draws the part of the model that each viewport of a layout shows. */
  #drawViewports(layout: BlockRecord): void {
    const model = this.#model;
    if (model === null) return;
    for (const viewport of shownViewports(this.#acad, layout)) {
      const { layer } = this.#pens.penOf(viewport, null);
      if (layer.isFrozen || !layer.isOn) continue;
      if (this.#visited + this.#visitedInModel > this.#limits.entities) {
        this.#leftOut.viewports++;
        continue;
      }
      const {
        center: { x, y },
        width,
        height,
      } = viewport;
      const clip = { minX: x - width / 2, minY: y - height / 2, maxX: x + width / 2, maxY: y + height / 2 };
      this.#ink.annotated('viewport', '', () => undefined, { box: clip });
      this.#frozen = new Set((viewport.frozenLayers ?? []).flatMap((frozen) => frozen?.name ?? []));
      const dashScale = this.#areDashesOfPaper ? 1 : height / viewport.viewHeight;
      try {
        this.#ink.inWindow({ clip, dashScale }, () =>
          this.#walk(model.entities, { view: viewOfViewport(viewport), pen: null, depth: 1, isHidden: false }),
        );
      } finally {
        this.#frozen = null;
      }
    }
  }
}

function count(given: number): number {
  return Number.isInteger(given) && given > 1 ? given : 1;
}

function isEmpty(entities: Iterable<Entity>): boolean {
  for (const _ of entities) return false;
  return true;
}
