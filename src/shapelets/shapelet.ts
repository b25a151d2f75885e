import type { Vector3 } from '../core/mass.js';
import type { PageBox } from '../content/text.js';

/** Pixels per side of the pictures of a shapelet, and pixels that the longest side of the shape takes. */
export const SHAPELET_SIZE = 64;
export const SHAPELET_SPAN = 60;

/**
 * One shape that can be matched by itself: a view of a model, a view on a page of a drawing, the object in an image.
 */
export interface Shapelet {
  readonly place: ShapeletPlace;
  /**
   * u8[64²], rows from the top: coverage of each pixel by the shape, 0 to 255; known holes are clear. The box of the
   * shape is centred, and its longest side takes {@link SHAPELET_SPAN} pixels.
   */
  readonly mask: Uint8Array;
  /** u8[64²] in the same frame: coverage of each pixel by lines: outlines and visible edges. */
  readonly lines: Uint8Array;
  /** The same for hidden lines; empty (length 0) when they are not distinguished. */
  readonly hiddenLines: Uint8Array;
  /**
   * Width and height of the shape's box: mm of the part, or shares of the page's longer side when `isToScale` is false.
   */
  readonly size: readonly [width: number, height: number];
  readonly isToScale: boolean;
  /**
   * Whether the picture may be turned by any angle, as in photos; absent: by quarter turns only. Models have views of
   * both kinds.
   */
  readonly isFree?: boolean;
  /** Found on a page with a break, of the length that {@link brokenLength} gives it. */
  readonly isBroken?: boolean;
  /**
   * The body alone of the view before it, from which strands go off that a model may lack, as leads of a motor. Either
   * of the two is compared, not both.
   */
  readonly isBare?: boolean;
  /** All that a picture shows, with strokes that a program drew: it is no sketch. */
  readonly isExact?: boolean;
  /** Cut off by the edge of its picture or of a crop, so that its outline is not all of it. */
  readonly isCut?: boolean;
  /**
   * u8[64²] in the same frame, for the object in a photo: brightness of its pixels, 1 to 255; 0 outside. Absent:
   * unknown.
   */
  readonly gray?: Uint8Array;
}

/** Where a shapelet was found. */
export type ShapeletPlace = PagePlace | CameraPlace;

/** On a page of a drawing or an image. */
export interface PagePlace {
  readonly kind: 'page';
  /** From 1. */
  readonly page: number;
  readonly box: PageBox;
}

/**
 * Rendered from a model: orthographic, or in perspective if the view `isFree`; the scale is then that at the part's
 * centre.
 */
export interface CameraPlace {
  readonly kind: 'camera';
  /** Unit vector from the model towards the camera, in the model's frame. */
  readonly direction: Vector3;
  /** Unit vector that points upwards in the picture. */
  readonly up: Vector3;
  readonly scaleMmPerPixel: number;
  /** How the part is shortened in this view; absent: all of it is shown. */
  readonly brokenOff?: BrokenOff;
}

/** How a drawing shows a part that is too long for the paper: with a break where its section is constant. */
export interface BrokenOff {
  /** Axis of the model along which it is shortened: 0 x, 1 y, 2 z. */
  readonly axis: 0 | 1 | 2;
  /** Both ends, moved together, or only one end. */
  readonly shows: 'both ends' | 'low end' | 'high end';
  /** Length of what is shown along the axis, mm. */
  readonly lengthMm: number;
}
