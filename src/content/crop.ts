/**
 * A part of a page or picture, pixels: of an image its own, upright; of a drawing those of its page drawn with {@link CROP_SIDE} pixels on its
 * longer side.
 */
export interface Crop {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Pixels on the longer side of a drawing's page that a {@link Crop} is measured on. */
export const CROP_SIDE = 1024;
