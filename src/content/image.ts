import type { Warning } from '../errors.js';
import type { Property, TextPage } from './text.js';

/** File formats of images that the readers know. */
export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'tiff' | 'gif' | 'bmp' | 'avif';

/** All that a reader found in an image: so far what it says of itself. */
export interface Image {
  readonly kind: 'image';
  readonly format: ImageFormat;
  /** Upright, after its orientation is applied. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Text that was recognised on it, a page for each picture of the file; empty without recognition. */
  readonly pages: readonly TextPage[];
  /** What it says of itself: camera, date, description. */
  readonly properties: readonly Property[];
  readonly warnings: readonly Warning[];
}
