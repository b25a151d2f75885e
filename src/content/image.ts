import type { Warning } from '../errors.js';
import type { Picture } from './sheet.js';
import type { Property, TextPage } from './text.js';

/** File formats of images that the readers know. */
export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'tiff' | 'gif' | 'bmp' | 'avif';

/** The content of an image. */
export interface Image {
  readonly kind: 'image';
  readonly format: ImageFormat;
  /** After the orientation tag is applied. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** The pages of a TIFF file, or the first frame of an animation; large pictures are reduced. */
  readonly pictures: readonly Picture[];
  /** Recognised text, one page per picture of the file; empty when recognition did not run. */
  readonly pages: readonly TextPage[];
  /** Metadata: camera, date, description. */
  readonly properties: readonly Property[];
  readonly warnings: readonly Warning[];
}
