import type { Box, Point } from './geometry.js';

/**
 * The line work of one page of a drawing. Coordinates: x to the right, y downwards, origin in the upper left corner of
 * the page, in the unit of the sheet; the content lies within 0..width, 0..height, lines on the edge of a PDF page up
 * to a thousandth of its longer side beyond. Positions given as shares of the page are shares of {@link shownArea}.
 */
export interface Sheet {
  /** Number of the page of text that belongs to it, from 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /**
   * Millimetres per unit: on paper for PDF, SVG and paper space; of the part itself when `space` is `model`. Null if
   * unknown.
   */
  readonly unitMm: number | null;
  /** A sheet of paper, or a model space in which parts are drawn at their own size. */
  readonly space: 'paper' | 'model';
  readonly styles: readonly StrokeStyle[];
  readonly strokes: Strokes;
  /** Strokes that are circles or parts of circles. */
  readonly arcs: readonly Arc[];
  /** In the order of the file. */
  readonly texts: readonly SheetText[];
  /** Entities of the file that group strokes and texts; empty for formats without such entities (PDF, SVG). */
  readonly annotations: readonly Annotation[];
  /** Raster pictures on the sheet: shaded views, logos, the scan of a whole page. */
  readonly pictures: readonly SheetPicture[];
}

/** How strokes are drawn. */
export interface StrokeStyle {
  /** '' where the format has none. */
  readonly layer: string;
  /** Line width, sheet units; 0: thinnest possible, or unknown. */
  readonly width: number;
  /** Lengths of dashes and gaps in turn, sheet units; empty: solid. */
  readonly dash: readonly number[];
  /** 0xRRGGBB as it looks on white paper. */
  readonly color: number;
  /** Whether the style fills areas; strokes with such a style are not drawn as lines. */
  readonly isFill: boolean;
}

/** Polylines, concatenated; curves are approximated by chords. */
export interface Strokes {
  readonly count: number;
  /** f32[2 × points]: x, y. A closed stroke ends with its first point again. */
  readonly points: Float32Array;
  /** u32[count + 1]: index of the first point of each stroke, then the number of points. */
  readonly starts: Uint32Array;
  /** u16[count]: index into the styles of the sheet. */
  readonly styles: Uint16Array;
  /** u32[count]: number of the drawing operation or entity that made the stroke, ascending in the order of the file. */
  readonly groups: Uint32Array;
  /** i32[count]: index of the annotation to which the stroke belongs; −1: none. */
  readonly annotations: Int32Array;
}

/** Calls `each` with the ends of every straight piece of a stroke, in their order. */
export function eachEdge(
  { points, starts }: Strokes,
  stroke: number,
  each: (x0: number, y0: number, x1: number, y1: number) => void,
): void {
  for (let i = starts[stroke]; i + 1 < starts[stroke + 1]; i++)
    each(points[2 * i], points[2 * i + 1], points[2 * i + 2], points[2 * i + 3]);
}

/** A stroke that is a circle or a part of one. */
export interface Arc {
  /** Index of the stroke. */
  readonly stroke: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Direction from the centre to its start; positive angles turn from x to y, which is clockwise on the page. */
  readonly startRad: number;
  /** Signed; ±2π for a circle. */
  readonly sweepRad: number;
}

/** A run of text with its position. */
export interface SheetText {
  readonly text: string;
  /** Start of its baseline. */
  readonly x: number;
  readonly y: number;
  /** Direction of its baseline; positive angles turn from x to y, which is clockwise on the page. */
  readonly angleRad: number;
  /** Height of capital letters or, if unknown, of the font, sheet units. */
  readonly height: number;
  /** Length along the baseline, sheet units. */
  readonly width: number;
  /** Index of the annotation to which it belongs; −1: none. */
  readonly annotation: number;
  /**
   * How sure its letters are, 0 to 1, where they were read from shapes or pixels; absent where the file holds a text.
   */
  readonly confidence?: number;
}

/** Kinds of entities of a CAD drawing that are not part geometry. */
export type AnnotationKind =
  | 'dimension'
  | 'leader'
  | 'tolerance'
  | 'table'
  | 'hatch'
  | 'note'
  | 'attribute'
  | 'viewport';

/** An entity of a CAD drawing that is not part geometry. */
export interface Annotation {
  readonly kind: AnnotationKind;
  /** Bounding box, sheet units. */
  readonly box: SheetBox;
  /** The text of a dimension, control frame or note, with its codes resolved; '' if there is none. */
  readonly text: string;
  /** Only for dimensions. */
  readonly dimension?: DimensionFacts;
  /**
   * Number of the entity in its file, which the model and layouts that show it have in common; absent inside of blocks
   * and in files without numbers.
   */
  readonly entity?: number;
}

/** What a dimension entity states. */
export interface DimensionFacts {
  readonly type: 'linear' | 'aligned' | 'angular' | 'radius' | 'diameter' | 'ordinate' | 'arcLength';
  /** In units of the model; degrees for angles. */
  readonly measurement: number;
  /** Upper and lower deviation from the nominal size, in the same unit, signed; absent without a tolerance. */
  readonly tolerance?: { readonly upper: number; readonly lower: number; readonly shown: 'deviation' | 'limits' };
  /** A theoretically exact size: its text stands in a frame (DIMGAP below 0). */
  readonly isBasic?: boolean;
  /** Whether its text was typed and has no place for what it measures: it may say something else. */
  readonly isTyped?: boolean;
  /** What it states itself, where its block was drawn with another text. */
  readonly stated?: string;
  /** To which its style rounds what it measures, in the same unit; absent where only its decimals tell it. */
  readonly roundedTo?: number;
  /** Ends of the measured distance and a point of the dimension line, sheet units; their number depends on the type. */
  readonly points: readonly Point[];
}

/** A rectangle on a sheet, sheet units. */
export type SheetBox = Box;

/** A raster picture with its position. */
export interface SheetPicture {
  readonly box: SheetBox;
  readonly picture: Picture;
}

/** The colors of a picture, upright: at most some hundred pixels on a side, by which its object is found. */
export interface PictureColors {
  readonly widthPx: number;
  readonly heightPx: number;
  /** u8[heightPx × widthPx × 3]: red, green and blue, row by row from the top left. */
  readonly rgb: Uint8Array;
}

/** Grey pixels, upright, on white where the picture is transparent. */
export interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** u8[heightPx × widthPx], row by row from the top left; 0 black, 255 white. */
  readonly gray: Uint8Array;
  /** The same picture with more pixels, where the file has them: small letters are read on it. */
  readonly fine?: Omit<Picture, 'fine'>;
  /** Its colors, of pictures that may be photos and are not grey. */
  readonly colors?: PictureColors;
}

/** Margin around a model space, as a share of its longer side. */
const MODEL_MARGIN = 0.02;

/**
 * The area that a picture of the sheet shows, sheet units: the page itself, or for a model space, which has no edges,
 * its content with a margin.
 */
export function shownArea({ width, height, space }: Pick<Sheet, 'width' | 'height' | 'space'>): SheetBox {
  const margin = space === 'model' ? MODEL_MARGIN * Math.max(width, height) : 0;
  return { x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin };
}

/** A box of a sheet as shares of {@link shownArea}, origin upper left. */
export function sharesOf(sheet: Pick<Sheet, 'width' | 'height' | 'space'>, box: SheetBox): SheetBox {
  const area = shownArea(sheet);
  return {
    x: (box.x - area.x) / area.width,
    y: (box.y - area.y) / area.height,
    width: box.width / area.width,
    height: box.height / area.height,
  };
}

/** The inverse of {@link sharesOf}. */
export function boxOfShares(
  sheet: Pick<Sheet, 'width' | 'height' | 'space'>,
  { x, y, width, height }: SheetBox,
): SheetBox {
  const area = shownArea(sheet);
  return {
    x: area.x + x * area.width,
    y: area.y + y * area.height,
    width: width * area.width,
    height: height * area.height,
  };
}
