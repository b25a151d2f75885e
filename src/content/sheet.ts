/**
 * The line work of one page of a drawing. Its frame: x to the right, y downwards, origin in the upper left corner of the page, in the sheet's own
 * unit; what is drawn lies in 0..width, 0..height. Places that are told as shares of the page are shares of {@link shownArea}.
 */
export interface Sheet {
  /** Of the page of text that belongs to it, from 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  /** Millimetres of a unit: on paper for PDF, SVG and paper space; of the part itself where `space` is `model`. Null when the file does not say. */
  readonly unitMm: number | null;
  /** Whether the sheet is a sheet of paper or a model space, in which parts are drawn at their own size. */
  readonly space: 'paper' | 'model';
  readonly styles: readonly StrokeStyle[];
  readonly strokes: Strokes;
  /** Strokes that are circles or parts of circles. */
  readonly arcs: readonly Arc[];
  /** In the order of the file. */
  readonly texts: readonly SheetText[];
  /** What the file itself says of groups of strokes and texts; empty for formats that have no such entities (PDF, SVG). */
  readonly annotations: readonly Annotation[];
  /** Pixel pictures that are placed on it: shaded views, logos, the scan of a whole page. */
  readonly pictures: readonly SheetPicture[];
}

/** How strokes are drawn. */
export interface StrokeStyle {
  /** '' where the format has none. */
  readonly layer: string;
  /** Line width, sheet units; 0: as thin as can be, or unknown. */
  readonly width: number;
  /** Lengths of dashes and gaps in turn, sheet units; empty: solid. */
  readonly dash: readonly number[];
  /** 0xRRGGBB as it looks on white paper. */
  readonly color: number;
  /** Areas are filled with it; strokes with a filled style are not drawn as lines. */
  readonly isFill: boolean;
}

/** Polylines, one after another; curves are replaced by chords. */
export interface Strokes {
  readonly count: number;
  /** f32[2 × points]: x, y. A closed stroke ends with its first point again. */
  readonly points: Float32Array;
  /** u32[count + 1]: the first point of each stroke, and the number of points. */
  readonly starts: Uint32Array;
  /** u16[count]: which of the sheet's styles. */
  readonly styles: Uint16Array;
  /** u32[count]: strokes that one drawing operation or entity made have one number, rising in the order of the file. */
  readonly groups: Uint32Array;
  /** i32[count]: which of the sheet's annotations a stroke belongs to; -1: none. */
  readonly annotations: Int32Array;
}

/** A stroke that is a circle or a part of one. */
export interface Arc {
  /** Which stroke. */
  readonly stroke: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Direction from the centre to its beginning; positive angles turn from x to y, clockwise on the page. */
  readonly startRad: number;
  /** Signed; ±2π for a circle. */
  readonly sweepRad: number;
}

/** A run of text where it stands. */
export interface SheetText {
  readonly text: string;
  /** Beginning of its baseline. */
  readonly x: number;
  readonly y: number;
  /** Direction of its baseline; positive angles turn from x to y, clockwise on the page. */
  readonly angleRad: number;
  /** Height of its capital letters or, where only that is known, of the font: sheet units. */
  readonly height: number;
  /** Along the baseline. */
  readonly width: number;
  /** Which of the sheet's annotations it belongs to; -1: none. */
  readonly annotation: number;
}

/** What an entity of a CAD drawing is, besides part geometry. */
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
  /** Smallest rectangle about all of it, sheet units. */
  readonly box: SheetBox;
  /** As the entity states it: the text of a dimension, control frame or note with its codes resolved; '' when there is none. */
  readonly text: string;
  /** Of dimensions alone. */
  readonly dimension?: DimensionFacts;
}

/** What a dimension entity states. */
export interface DimensionFacts {
  readonly type: 'linear' | 'aligned' | 'angular' | 'radius' | 'diameter' | 'ordinate' | 'arcLength';
  /** In units of the model; degrees for angles. */
  readonly measurement: number;
  /** Upper and lower limits of size beside the nominal one, in the same unit, both signed; absent without tolerance. */
  readonly tolerance?: { readonly upper: number; readonly lower: number; readonly shown: 'deviation' | 'limits' };
  /** Ends of what is measured and where the dimension line stands, sheet units; as many as the type has. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** A rectangle on a sheet, sheet units. */
export interface SheetBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A pixel picture where it stands. */
export interface SheetPicture {
  readonly box: SheetBox;
  readonly picture: Picture;
}

/** Grey pixels, upright, on white where the picture is transparent. */
export interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  /** u8[heightPx × widthPx], row by row from the top left; 0 black, 255 white. */
  readonly gray: Uint8Array;
}

/** Room about parts that are drawn in model space, share of the longer side. */
const MODEL_MARGIN = 0.02;

/** The part of a sheet's plane that its picture shows, in its unit: a page of paper itself; a model space has no edges, so there is some room about what is drawn. */
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

/** The contrary of {@link sharesOf}. */
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
