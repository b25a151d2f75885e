import { boxOf, type Bitmap, type PixelBox } from '../../bitmap/bitmap.js';

/** A shape found in a picture. */
export interface FoundShape {
  readonly box: PixelBox;
  /** The filled outline, in a bitmap of the size of the box. */
  readonly mask: Bitmap;
  /** Outlines and edges, in a bitmap of the size of the box. */
  readonly lines: Bitmap;
  /** Width of the lines, pixels. */
  readonly lineWidth: number;
}

/** Bounding box of the mask of a shape, page pixels; undefined when no pixel is set. */
export function tightBox({ box, mask }: Pick<FoundShape, 'box' | 'mask'>): PixelBox | undefined {
  const tight = boxOf(mask);
  return tight && { x0: box.x0 + tight.x0, y0: box.y0 + tight.y0, x1: box.x0 + tight.x1, y1: box.y0 + tight.y1 };
}
