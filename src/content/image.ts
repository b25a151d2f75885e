import type { Warning } from '../errors.js';
import type { Picture } from './sheet.js';
import type { Property, TextPage } from './text.js';

/** File formats of images that the readers know. */
export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'tiff' | 'gif' | 'bmp' | 'avif';

/** All that a reader found in an image. */
export interface Image {
  readonly kind: 'image';
  readonly format: ImageFormat;
  /** Upright, after its orientation is applied. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Its pictures, made smaller where they are large: the pages of a TIFF file, the first frame of a moving picture. */
  readonly pictures: readonly Picture[];
  /** Text that was recognised on it, a page for each picture of the file; empty without recognition. */
  readonly pages: readonly TextPage[];
  /** What it says of itself: camera, date, description. */
  readonly properties: readonly Property[];
  readonly warnings: readonly Warning[];
}
