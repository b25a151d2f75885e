import type { Vector3 } from '../core/mass.js';
import type { PageBox } from '../content/text.js';
import type { BrokenOff } from './broken-off.js';

/** Pixels a side of the pictures of a shapelet, and how many of them the longest side of the shape takes. */
export const SHAPELET_SIZE = 64;
export const SHAPELET_SPAN = 60;

/** One shape occurrence that can be matched by itself: a view of a model, a view on a drawing's page, the object in an image. */
export interface Shapelet {
  readonly place: ShapeletPlace;
  /**
   * u8[64²], row by row from the top left: how much of each pixel the shape covers, 0 to 255, its holes left free where they are known. The
   * longest side of the shape's box takes {@link SHAPELET_SPAN} pixels; the box is centred.
   */
  readonly mask: Uint8Array;
  /** u8[64²] in the same frame: how much of each pixel lines cover: outlines, edges that are seen. */
  readonly lines: Uint8Array;
  /** The same of hidden lines; empty (length 0) where they are not told apart. */
  readonly hiddenLines: Uint8Array;
  /** Width and height of the shape's box, mm of the part or, where `isToScale` is false, shares of the page's longer side. */
  readonly size: readonly [width: number, height: number];
  readonly isToScale: boolean;
  /** Whether the picture may be turned by any angle, as photos are; absent: by quarters only. Views of models have both sorts. */
  readonly isFree?: boolean;
  /** u8[64²] in the same frame: of the object in a photo, how bright each of its pixels is, 1 to 255; 0 where it is not. Absent: not known. */
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

/** Seen by a camera: an orthographic one, or, where the view `isFree`, in perspective; the scale is then that of the part's middle. */
export interface CameraPlace {
  readonly kind: 'camera';
  /** Unit vector from the model towards the camera, in the model's frame. */
  readonly direction: Vector3;
  /** Unit vector that points upwards in the picture. */
  readonly up: Vector3;
  readonly scaleMmPerPixel: number;
  /** How the part is broken off in this view; absent: all of it is seen. */
  readonly brokenOff?: BrokenOff;
}
