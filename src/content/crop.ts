/**
 * A rectangular part of a page or picture, in pixels: of an image its own pixels, upright; of a drawing the pixels of
 * its page rendered with {@link CROP_SIDE} pixels on the longer side.
 */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels on the longer side of a drawing's page in which a {@link Crop} is expressed. */
export const CROP_SIDE = 1024;
