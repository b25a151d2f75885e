import type { Entity, Insert, MText, TextEntity, Tolerance } from '@node-projects/acad-ts';
import type { Affine } from '../geometry/affine.js';
import { plainMtext } from './mtext.js';
import { planeOf, type Point3, type Projection } from './projection.js';
import type { TextPiece } from '../text/text-layout.js';

/** The module acad-ts, which is loaded when the first drawing is read. */
export type AcadTs = typeof import('@node-projects/acad-ts');

/** Estimated letter width and line pitch, as multiples of the text height; fonts are not available. */
const LETTER_WIDTH = 0.65;
const LINE_PITCH = 5 / 3;
/** Letters may be narrower than estimated, so a line is broken only when it exceeds its column by this factor. */
const TOO_WIDE = 1.15;

/** Lines of text of one entity, in the plane that `map` places. */
export interface PlacedText {
  readonly map: Affine;
  /** As the file has them. */
  readonly lines: readonly TextPiece[];
  /** As drawn: broken to the width of their column. */
  readonly drawn: readonly TextPiece[];
}

/** The fields of a TEXT or attribute that are used. */
export interface TextFacts
  extends Pick<
    TextEntity,
    'value' | 'horizontalAlignment' | 'verticalAlignment' | 'height' | 'rotation' | 'widthFactor'
  > {
  readonly insertPoint: Point3;
  readonly alignmentPoint: Point3;
  readonly normal: Point3;
}

/** The line of a TEXT or attribute. */
export function textOf(entity: TextFacts, view: Projection): PlacedText {
  const {
    insertPoint,
    alignmentPoint,
    horizontalAlignment: horizontal,
    verticalAlignment: vertical,
    height,
    rotation,
    widthFactor,
  } = entity;
  const text = plainMtext(String(entity.value ?? ''));
  let length = widthOf(text, height) * (widthFactor > 0 ? widthFactor : 1);
  let angleRad = rotation;
  let { x, y } = insertPoint;
  const end = alignmentPoint;
  const isStretched = horizontal === ALIGNED || horizontal === FIT;
  if (isStretched && Math.hypot(end.x - x, end.y - y) > 0) {
    length = Math.hypot(end.x - x, end.y - y);
    angleRad = Math.atan2(end.y - y, end.x - x);
  } else if ((horizontal !== 0 || vertical !== 0) && (end.x !== 0 || end.y !== 0)) {
    const along = horizontal === 2 ? -length : horizontal === 1 || horizontal === 4 ? -length / 2 : 0;
    const across = vertical === 3 ? -height : vertical === 2 || horizontal === 4 ? -height / 2 : 0;
    x = end.x + along * Math.cos(angleRad) - across * Math.sin(angleRad);
    y = end.y + along * Math.sin(angleRad) + across * Math.cos(angleRad);
  }
  const lines = [{ text, x, y, angleRad, height, length }];
  return { map: planeOf(view, entity.normal, insertPoint.z), lines, drawn: lines };
}

/**
 * An attribute with the placement of the file. acad-ts 3.2.0 transforms it by its insertion, as if it were inside the
 * block, but the file states attributes in the frame of the insertion.
 */
export function attributeFacts(
  attribute: TextFacts,
  { block, insertPoint, rotation, xScale, yScale }: Insert,
): TextFacts {
  const { x, y, z } = attribute.insertPoint;
  const base = block?.blockEntity?.basePoint ?? { x: 0, y: 0 };
  const cos = Math.cos(rotation),
    sin = Math.sin(rotation);
  const sx = xScale || 1,
    sy = yScale || 1;
  const right = (x - insertPoint.x) * cos + (y - insertPoint.y) * sin + sx * base.x,
    up = (y - insertPoint.y) * cos - (x - insertPoint.x) * sin + sy * base.y;
  const { value, alignmentPoint, horizontalAlignment, verticalAlignment, height, widthFactor, normal } = attribute;
  return {
    value,
    alignmentPoint,
    horizontalAlignment,
    verticalAlignment,
    normal,
    insertPoint: { x: right / sx, y: up / sy, z },
    rotation: attribute.rotation - rotation,
    height: height / Math.abs(sy),
    widthFactor: (widthFactor * Math.abs(sy)) / Math.abs(sx),
  };
}

export function mtextOf(
  { value, insertPoint, rotation, height, attachmentPoint, rectangleWidth, lineSpacing }: MText,
  view: Projection,
): PlacedText {
  return blockOf(plainMtext(String(value ?? '')), view, {
    at: insertPoint,
    angleRad: rotation,
    height,
    attachment: attachmentPoint,
    width: rectangleWidth,
    pitch: LINE_PITCH * (positive(lineSpacing) ?? 1),
  });
}

export function toleranceOf(
  text: string,
  { insertionPoint, direction, style }: Tolerance,
  view: Projection,
): PlacedText {
  return blockOf(text, view, {
    at: insertionPoint,
    angleRad: Math.atan2(direction.y, direction.x),
    height: dimensionTextHeight(style),
    attachment: MIDDLE_LEFT,
  });
}

/** The text of a control frame: one line per row of compartments. */
export function toleranceText(text: string | undefined): string {
  return plainMtext(text ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Where a block of text is placed, and how it is set. Lengths in drawing units. */
export interface BlockLayout {
  readonly at: { readonly x: number; readonly y: number; readonly z?: number };
  readonly angleRad: number;
  readonly height: number;
  /** One of nine attachments: 1 top left, 9 bottom right. */
  readonly attachment: number;
  /** Width of the column; undefined or 0: lines are not broken. */
  readonly width?: number;
  /** Line pitch of the drawn text, in text heights. */
  readonly pitch?: number;
}

/** Lines of text placed about a point by one of nine attachments (1 top left, 9 bottom right). */
export function blockOf(
  text: string,
  view: Projection,
  { at, angleRad, height, attachment, width, pitch = LINE_PITCH }: BlockLayout,
): PlacedText {
  const lines = text.split('\n');
  const column = ((attachment >= 1 && attachment <= 9 ? attachment : 1) - 1) % 3;
  const row = Math.floor(((attachment >= 1 && attachment <= 9 ? attachment : 1) - 1) / 3);
  const stacked = (texts: readonly string[], linePitch: number): TextPiece[] => {
    const total = height * (1 + (texts.length - 1) * linePitch);
    return texts.map((whole, i) => {
      const line = whole.trimEnd();
      const length = widthOf(line, height);
      const along = (-length * column) / 2;
      const across = (total * row) / 2 - height - i * height * linePitch;
      return {
        text: line,
        x: at.x + along * Math.cos(angleRad) - across * Math.sin(angleRad),
        y: at.y + along * Math.sin(angleRad) + across * Math.cos(angleRad),
        angleRad,
        height,
        length,
      };
    });
  };
  const broken = lines.flatMap((line) => brokenLines(line, width ?? 0, height));
  return { map: planeOf(view, null, at.z ?? 0), lines: stacked(lines, LINE_PITCH), drawn: stacked(broken, pitch) };
}

/** Text height of dimensions and control frames, drawing units. */
export function dimensionTextHeight(
  style: { readonly textHeight: number; readonly scaleFactor: number } | null | undefined,
): number {
  return quietly(() => (positive(style?.textHeight) ?? 2.5) * (positive(style?.scaleFactor) ?? 1), 2.5);
}

/** The text of a block: its TEXT and MTEXT in sequence. */
export function wordsOf(acad: AcadTs, entities: Iterable<Entity>): string {
  const words: string[] = [];
  for (const entity of entities) {
    if (entity instanceof acad.TextEntity || entity instanceof acad.MText)
      words.push(plainMtext(String(entity.value ?? '')).trim());
  }
  return words.filter((word) => word !== '').join(' ');
}

/** Top left, middle left and middle centre of the nine attachment points (group code 71). */
export const UPPER_LEFT = 1;
const MIDDLE_LEFT = 4;
export const MIDDLE_CENTER = 5;
/** Horizontal alignments of TEXT (group code 72) that stretch it between two points. */
const ALIGNED = 3;
const FIT = 5;

export function widthOf(text: string, height: number): number {
  return text.length * height * LETTER_WIDTH;
}

export function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}

/** The result of `ask`, or `otherwise` when it throws or returns nothing: one bad entity must not fail the drawing. */
export function quietly<T>(ask: () => T, otherwise: T): T {
  try {
    return ask() ?? otherwise;
  } catch {
    // acad-ts throws on entities with missing fields.
    return otherwise;
  }
}

function brokenLines(line: string, width: number, height: number): string[] {
  if (!(width > 0) || widthOf(line, height) <= TOO_WIDE * width) return [line];
  const lines: string[] = [];
  let open = '';
  for (const word of line.split(' ')) {
    if (open !== '' && widthOf(`${open} ${word}`, height) > width) {
      lines.push(open);
      open = word;
    } else open = open === '' ? word : `${open} ${word}`;
  }
  return [...lines, open];
}
