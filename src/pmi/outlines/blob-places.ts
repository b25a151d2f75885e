import type { Extent, Slant } from './blob-picture.js';
import type { Blob } from './blobs.js';

/** Blobs on one baseline, in reading order. */
export interface BlobLine {
  readonly blobs: readonly Blob[];
  readonly slant: Slant;
}

/** A blob with its extent along and across a line. */
export interface Placed extends Extent {
  readonly blob: Blob;
}

/** Extent across the line. */
export function heightOf({ minH, maxH }: Extent): number {
  return maxH - minH;
}

/** The longer side of a blob's box. */
export function sizeOf({ box: { width, height } }: Blob): number {
  return Math.max(width, height);
}

/** Distance between the boxes of two blobs; 0 where they meet. */
export function gapOf({ box: a }: Blob, { box: b }: Blob): number {
  return Math.hypot(
    Math.max(0, a.x - b.x - b.width, b.x - a.x - a.width),
    Math.max(0, a.y - b.y - b.height, b.y - a.y - a.height),
  );
}
