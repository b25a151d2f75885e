import type { AttributeEntity, BlockRecord, Dimension, Entity, Insert, MText, MultiLeader, TableEntity, TextEntity, Tolerance } from '@node-projects/acad-ts';
import { EngineError } from '../errors.js';
import type { Limits } from '../options.js';
import { applyTo, compose2d, emptyBounds, IDENTITY, include, includeBox, type Affine, type Bounds } from './affine.js';
import type { DxfAttribute } from './dxf-attributes.js';
import { plainMtext } from './mtext.js';
import type { TextPiece } from './text-layout.js';

/** The library; it is loaded when the first drawing is. */
export type AcadTs = typeof import('@node-projects/acad-ts');

/** Width of a letter beside its height, and of a line beside it: fonts are not at hand. */
const LETTER_WIDTH = 0.65;
const LINE_PITCH = 5 / 3;
/** Farther out than this nothing is drawn; writers put 1e20 for "nowhere". */
const FARTHEST = 1e15;

/** What stands in one layout, in its own frame: y upwards. */
export interface LayoutText {
  readonly pieces: readonly TextPiece[];
  readonly bounds: Bounds;
}

/** A value of a block: part of a title block, when there are several. */
export interface BlockAttribute {
  readonly tag: string;
  readonly value: string;
  /** Attributes of the same block. */
  readonly siblings: number;
}

/**
 * Collects the text of layouts: TEXT, MTEXT, attributes, dimensions (from their own blocks), control frames, multileaders, tables, and
 * all these in blocks wherever they are placed. Hidden attributes are kept as values, but not as text.
 */
export class CadTextCollector {
  readonly attributes: BlockAttribute[] = [];
  readonly #acad: AcadTs;
  readonly #limits: Limits;
  readonly #blocks = new Map<BlockRecord, { readonly bounds: Bounds; readonly hasText: boolean }>();
  /** Blocks that are being walked through: one that holds itself is not entered again. */
  readonly #open = new Set<BlockRecord>();
  readonly #dxfAttributes = new Map<string, DxfAttribute>();
  #visited = 0;
  #pieces: TextPiece[] = [];
  #bounds: Bounds = emptyBounds();
  #tooDeep = 0;
  #broken = 0;

  /** @param dxfAttributes values of an ASCII DXF file with their places; the library has those of DWG only. */
  constructor(acad: AcadTs, limits: Limits, dxfAttributes: readonly DxfAttribute[]) {
    this.#acad = acad;
    this.#limits = limits;
    for (const attribute of dxfAttributes) this.#dxfAttributes.set(attribute.handle, attribute);
    this.attributes.push(...dxfAttributes);
  }

  /** Blocks that were left out because they are nested too deep, or in themselves. */
  get tooDeep(): number {
    return this.#tooDeep;
  }

  /** Entities that could not be read. */
  get broken(): number {
    return this.#broken;
  }

  collect(entities: Iterable<Entity>): LayoutText {
    this.#pieces = [];
    this.#bounds = emptyBounds();
    this.#walk(entities, IDENTITY, 1);
    return { pieces: this.#pieces, bounds: this.#bounds };
  }

  #walk(entities: Iterable<Entity>, map: Affine, depth: number): void {
    for (const entity of entities) {
      this.#countOne();
      if (entity.isInvisible) continue;
      try {
        this.#visit(entity, map, depth);
      } catch (cause) {
        if (cause instanceof EngineError) throw cause;
        // The library leaves parts of an entity undefined that the file lacks or that it does not know.
        this.#broken++;
      }
    }
  }

  #countOne(): void {
    if (++this.#visited <= this.#limits.entities) return;
    throw new EngineError('LIMIT_EXCEEDED', `the drawing places more entities than limits.entities, ${this.#limits.entities}`, {
      details: { limit: 'entities', allowed: this.#limits.entities, found: this.#visited },
    });
  }

  #visit(entity: Entity, map: Affine, depth: number): void {
    const { AttributeDefinition, AttributeEntity: AttributeClass, Dimension: DimensionClass, Insert: InsertClass, MText: MTextClass, MultiLeader: MultiLeaderClass, TableEntity: TableClass,
      TextEntity: TextClass, Tolerance: ToleranceClass } = this.#acad;
    if (entity instanceof AttributeDefinition) {
      // Only a constant one shows its value; the others are forms that an insertion fills in.
      if ((entity.flags & CONSTANT) !== 0) this.#text(entity, map);
    } else if (entity instanceof AttributeClass) this.#attribute(entity, map, 1);
    else if (entity instanceof TextClass) this.#text(entity, map);
    else if (entity instanceof MTextClass) this.#mtext(entity, map);
    else if (entity instanceof ToleranceClass) this.#tolerance(entity, map);
    else if (entity instanceof MultiLeaderClass) this.#multiLeader(entity, map, depth);
    else if (entity instanceof TableClass) this.#table(entity, map, depth);
    else if (entity instanceof InsertClass) this.#insert(entity, map, depth);
    else if (entity instanceof DimensionClass) this.#dimension(entity, map, depth);
    else includeBox(this.#bounds, boundsOf(entity), map);
  }

  #text(entity: TextEntity, map: Affine): void {
    const { insertPoint, alignmentPoint, horizontalAlignment: horizontal, verticalAlignment: vertical, height, rotation, widthFactor } = entity;
    const text = plainMtext(String(entity.value ?? ''));
    let length = widthOf(text, height) * (widthFactor > 0 ? widthFactor : 1);
    let angle = rotation;
    let { x, y } = insertPoint;
    const end = alignmentPoint;
    const stretched = horizontal === ALIGNED || horizontal === FIT;
    if (stretched && Math.hypot(end.x - x, end.y - y) > 0) {
      length = Math.hypot(end.x - x, end.y - y);
      angle = Math.atan2(end.y - y, end.x - x);
    } else if ((horizontal !== 0 || vertical !== 0) && (end.x !== 0 || end.y !== 0)) {
      const along = horizontal === 2 ? -length : horizontal === 1 || horizontal === 4 ? -length / 2 : 0;
      const across = vertical === 3 ? -height : vertical === 2 || horizontal === 4 ? -height / 2 : 0;
      x = end.x + along * Math.cos(angle) - across * Math.sin(angle);
      y = end.y + along * Math.sin(angle) + across * Math.cos(angle);
    }
    this.#put(text, x, y, angle, length, height, compose2d(map, extrusion(entity.normal)));
  }

  #mtext(entity: MText, map: Affine, text = String(entity.value ?? '')): void {
    this.#block(plainMtext(text), entity.insertPoint, entity.rotation, entity.height, entity.attachmentPoint, map);
  }

  /** Lines of text that hang from, sit on or stand round a point, by its place among nine: upper left is 1, lower right 9. */
  #block(text: string, at: { readonly x: number; readonly y: number }, angle: number, height: number, attachment: number, map: Affine): void {
    const lines = text.split('\n');
    const column = ((attachment >= 1 && attachment <= 9 ? attachment : 1) - 1) % 3;
    const row = Math.floor(((attachment >= 1 && attachment <= 9 ? attachment : 1) - 1) / 3);
    const total = height * (1 + (lines.length - 1) * LINE_PITCH);
    lines.forEach((line, i) => {
      const length = widthOf(line, height);
      const along = (-length * column) / 2;
      const across = (total * row) / 2 - height - i * height * LINE_PITCH;
      const x = at.x + along * Math.cos(angle) - across * Math.sin(angle);
      const y = at.y + along * Math.sin(angle) + across * Math.cos(angle);
      this.#put(line, x, y, angle, length, height, map);
    });
  }

  #tolerance({ text, insertionPoint, direction, style }: Tolerance, map: Affine): void {
    const height = positive(style?.textHeight) ?? 2.5;
    const lines = plainMtext(text ?? '').split('\n').map((line) => line.trim()).filter((line) => line !== '');
    this.#block(lines.join('\n'), insertionPoint, Math.atan2(direction.y, direction.x), height, MIDDLE_LEFT, map);
  }

  #multiLeader(entity: MultiLeader, map: Affine, depth: number): void {
    const { contextData, blockAttributes } = entity;
    if (contextData?.textLabel) {
      const height = positive(contextData.textHeight) ?? 2.5;
      const { x, y } = contextData.textLocation;
      this.#block(plainMtext(contextData.textLabel), { x, y }, contextData.textRotation || 0, height, 1, map);
    }
    const content = contextData?.hasContentsBlock ? contextData.blockContent : null;
    if (content === null) return;
    const { x, y } = contextData.blockContentLocation;
    const place = compose2d(map, placement(x, y, contextData.blockContentRotation || 0, 1, 1, content));
    this.#enter(content, place, depth);
    for (const { text } of blockAttributes) {
      const value = plainMtext(text ?? '');
      const [px, py] = applyTo(map, x, y);
      this.#put(value, px, py, 0, widthOf(value, 2.5), 2.5, IDENTITY);
    }
  }

  /** A table is drawn by a block of its own; where that has no text, the cells are set out by the table's rows and columns. */
  #table(entity: TableEntity, map: Affine, depth: number): void {
    const before = this.#pieces.length;
    if (entity.block !== null) this.#insert(entity, map, depth);
    if (this.#pieces.length > before) return;
    const { x, y } = entity.insertPoint;
    let down = 0;
    for (const row of entity.rows) {
      let right = 0;
      row.cells.forEach((cell, i) => {
        const text = cell.contents.map(({ cadValue }) => plainMtext(String(cadValue?.formattedValue || cadValue?.value || ''))).join(' ');
        const height = 0.4 * (positive(row.height) ?? 6);
        this.#put(text.replaceAll('\n', ' '), x + right, y - down - 2 * height, 0, widthOf(text, height), height, map);
        right += positive(entity.columns[i]?.width) ?? 20;
      });
      down += positive(row.height) ?? 6;
    }
  }

  #insert(entity: Insert, map: Affine, depth: number): void {
    const values = [...(entity.attributes ?? [])];
    for (const attribute of values) this.#attribute(attribute, map, values.length);
    const { block, insertPoint, rotation, xScale, yScale } = entity;
    if (block === null) return;
    const columns = count(entity.columnCount), rows = count(entity.rowCount);
    const outer = compose2d(map, extrusion(entity.normal));
    // Without text in it a block is only so large: nothing in it needs to be visited again.
    const { bounds, hasText } = this.#look(block, depth);
    for (let i = 0; i < rows * columns; i++) {
      this.#countOne();
      const right = (i % columns) * (entity.columnSpacing || 0), up = Math.floor(i / columns) * (entity.rowSpacing || 0);
      const x = insertPoint.x + right * Math.cos(rotation) - up * Math.sin(rotation);
      const y = insertPoint.y + right * Math.sin(rotation) + up * Math.cos(rotation);
      const place = compose2d(outer, placement(x, y, rotation, xScale, yScale, block));
      includeBox(this.#bounds, bounds, place);
      if (hasText) this.#enter(block, place, depth);
    }
  }

  #attribute(attribute: AttributeEntity, map: Affine, siblings: number): void {
    const stated = this.#dxfAttributes.get((attribute.handle ?? 0).toString(16).toUpperCase());
    if (stated !== undefined) {
      if (!stated.hidden) this.#put(stated.value, stated.x, stated.y, stated.rotation, widthOf(stated.value, stated.height), stated.height, map);
      return;
    }
    if (attribute.insertPoint === undefined) return;
    // Attributes of several lines have an MTEXT in them, whose place may be missing.
    const lines = attribute.mText?.insertPoint === undefined ? undefined : attribute.mText;
    this.attributes.push({ tag: attribute.tag ?? '', value: plainMtext(String((lines?.value || attribute.value) ?? '')), siblings });
    if ((attribute.flags & HIDDEN) !== 0 || attribute.isInvisible) return;
    if (lines !== undefined && lines.value) this.#mtext(lines, map);
    else this.#text(attribute, map);
  }

  /** The block of a dimension holds its text as it is drawn; without one the text is made of the measurement. */
  #dimension(entity: Dimension, map: Affine, depth: number): void {
    const before = this.#pieces.length;
    if (entity.block !== null) this.#enter(entity.block, map, depth);
    if (this.#pieces.length > before) return;
    const measured = quietly(() => entity.getMeasurementText(), '');
    const text = entity.text === ' ' ? '' : entity.text ? entity.text.replaceAll('<>', measured) : measured;
    const height = positive(quietly(() => entity.style.textHeight, 2.5)) ?? 2.5;
    this.#block(plainMtext(text), entity.textMiddlePoint, entity.textRotation || 0, height, MIDDLE_CENTER, map);
  }

  #enter(block: BlockRecord, map: Affine, depth: number): void {
    if (depth >= this.#limits.depth || this.#open.has(block)) {
      this.#tooDeep++;
      return;
    }
    this.#open.add(block);
    this.#walk(block.entities, map, depth + 1);
    this.#open.delete(block);
  }

  /**
   * Size of a block and whether there may be text in it; worked out once. What is not looked into, because it is a block inside itself
   * or nested too deep, may hold text: then the block is walked through, which tells of both.
   */
  #look(block: BlockRecord, depth: number): { readonly bounds: Bounds; readonly hasText: boolean } {
    const known = this.#blocks.get(block);
    if (known !== undefined) return known;
    const bounds = emptyBounds();
    this.#blocks.set(block, { bounds, hasText: true });
    const { Dimension: DimensionClass, Insert: InsertClass, MText: MTextClass, MultiLeader: MultiLeaderClass, TextEntity: TextClass, Tolerance: ToleranceClass } = this.#acad;
    let hasText = false;
    for (const entity of block.entities) {
      if (entity instanceof InsertClass) {
        if (entity.block === null) continue;
        if (depth >= this.#limits.depth) {
          hasText = true;
          continue;
        }
        const inner = this.#look(entity.block, depth + 1);
        const { insertPoint: { x, y }, rotation, xScale, yScale } = entity;
        includeBox(bounds, inner.bounds, compose2d(extrusion(entity.normal), placement(x, y, rotation, xScale, yScale, entity.block)));
        hasText ||= inner.hasText || [...(entity.attributes ?? [])].length > 0;
      } else if (entity instanceof TextClass || entity instanceof MTextClass || entity instanceof DimensionClass || entity instanceof MultiLeaderClass || entity instanceof ToleranceClass) hasText = true;
      else includeBox(bounds, boundsOf(entity), IDENTITY);
    }
    const look = { bounds, hasText };
    this.#blocks.set(block, look);
    return look;
  }

  #put(text: string, x: number, y: number, angle: number, length: number, height: number, map: Affine): void {
    if (text.trim() === '' || !(height > 0)) return;
    const [px, py] = applyTo(map, x, y);
    const [ux, uy] = applyTo(map, x + Math.cos(angle), y + Math.sin(angle));
    const [vx, vy] = applyTo(map, x - Math.sin(angle), y + Math.cos(angle));
    const along = Math.hypot(ux - px, uy - py), across = Math.hypot(vx - px, vy - py);
    if (!(Math.abs(px) < FARTHEST && Math.abs(py) < FARTHEST && along > 0 && across > 0)) return;
    const piece = { text, x: px, y: py, angleRad: Math.atan2(uy - py, ux - px), length: length * along, height: height * across };
    this.#pieces.push(piece);
    const cos = Math.cos(piece.angleRad), sin = Math.sin(piece.angleRad);
    const { length: l, height: h } = piece;
    includeBox(this.#bounds, { minX: 0, minY: -0.2 * h, maxX: l, maxY: h }, [cos, sin, -sin, cos, px, py]);
  }
}

/** Flags of attributes (group code 70). */
const HIDDEN = 1;
const CONSTANT = 2;
/** Horizontal alignments of TEXT (group code 72) that stretch it between two points. */
const ALIGNED = 3;
const FIT = 5;
/** Attachment points (group code 71). */
const MIDDLE_LEFT = 4;
const MIDDLE_CENTER = 5;
/** Copies of a block in one insertion that are looked at along each side. */
const MOST_COPIES = 1_000;

function count(given: number): number {
  return Number.isInteger(given) && given > 1 ? Math.min(MOST_COPIES, given) : 1;
}

function widthOf(text: string, height: number): number {
  return text.length * height * LETTER_WIDTH;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** Entities drawn from behind (normal downwards) are mirrored; tilted ones are taken as they lie. */
function extrusion(normal: { readonly z: number } | null | undefined): Affine {
  return normal != null && normal.z < -0.5 ? [-1, 0, 0, 1, 0, 0] : IDENTITY;
}

/** Where an insertion puts the points of its block. */
function placement(x: number, y: number, rotation: number, xScale: number, yScale: number, block: BlockRecord): Affine {
  const cos = Math.cos(rotation || 0), sin = Math.sin(rotation || 0);
  const sx = xScale || 1, sy = yScale || 1;
  const base = block.blockEntity?.basePoint ?? { x: 0, y: 0 };
  return compose2d([cos * sx, sin * sx, -sin * sy, cos * sy, x, y], [1, 0, 0, 1, -base.x || 0, -base.y || 0]);
}

/**
 * The box of what most drawings are made of, by ends, corners and control points; empty for all else. The library's own boxes of
 * polylines take seconds (LwPolyline.getBoundingBox, 3.2.0).
 */
function boundsOf(entity: Entity): Bounds {
  const bounds = emptyBounds();
  const shape = entity as Entity & Shape;
  const radius = Math.abs(shape.radius ?? 0);
  if (shape.center !== undefined) {
    includeNear(bounds, shape.center.x - radius, shape.center.y - radius);
    includeNear(bounds, shape.center.x + radius, shape.center.y + radius);
  }
  for (const point of [shape.startPoint, shape.endPoint, shape.firstCorner, shape.secondCorner, shape.thirdCorner, shape.fourthCorner]) {
    if (point !== undefined) includeNear(bounds, point.x, point.y);
  }
  for (const point of shape.controlPoints ?? []) includeNear(bounds, point.x, point.y);
  for (const { location } of shape.vertices ?? []) if (location !== undefined) includeNear(bounds, location.x, location.y);
  return bounds;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** Parts of lines, arcs, circles, solids, splines and polylines; each has some of them. */
interface Shape {
  readonly center?: Place;
  readonly radius?: number;
  readonly startPoint?: Place;
  readonly endPoint?: Place;
  readonly firstCorner?: Place;
  readonly secondCorner?: Place;
  readonly thirdCorner?: Place;
  readonly fourthCorner?: Place;
  readonly controlPoints?: readonly Place[];
  readonly vertices?: Iterable<{ readonly location?: Place }>;
}

function includeNear(bounds: Bounds, x: number, y: number): void {
  if (Math.abs(x) < FARTHEST && Math.abs(y) < FARTHEST) include(bounds, x, y);
}

/** What the library answers; `otherwise` where it fails: one bad entity is no reason to lose a drawing. */
function quietly<T>(ask: () => T, otherwise: T): T {
  try {
    return ask() ?? otherwise;
  } catch {
    // The library throws on entities that lack a part.
    return otherwise;
  }
}
