import { MODEL_VERSION } from '../convert/model-options.js';
import { VIEWS_VERSION } from '../descriptors/views.js';
import { extensionOf } from '../store/catalog/file-path.js';

/** A picture of a file. Whoever asks has checked the sizes. page: absent, the page that shows the file best. */
export type DrawnPicture =
  | { readonly kind: 'thumbnail'; readonly size: number; readonly page?: number }
  | { readonly kind: 'page'; readonly width: number; readonly page?: number };

/** A picture of a shapelet. */
interface DrawnShapelet {
  readonly kind: 'shapelet';
  readonly size: number;
  readonly index: number;
}

/**
 * What a kept picture of a file's bytes is called. The extension of the file's name is part of it, because it may decide how the same bytes
 * are read.
 */
export function pictureName(path: string, picture: DrawnPicture | DrawnShapelet): string {
  const extension = extensionOf(path)
    .replace(/[^a-z\d]/gi, '')
    .slice(0, 16)
    .toLowerCase();
  const pixels = picture.kind === 'page' ? picture.width : picture.size;
  // Another version may find other shapelets.
  const which = picture.kind === 'shapelet' ? `${VIEWS_VERSION}-${picture.index}` : (picture.page ?? 'face');
  return `${picture.kind}-${pixels}-${which}-${extension}`;
}

/** What the kept GLB of a file's bytes is called. unit: in which formats without one were read; another gives another size. */
export function modelName(path: string, unit: string): string {
  const extension = extensionOf(path)
    .replace(/[^a-z\d]/gi, '')
    .slice(0, 16)
    .toLowerCase();
  return `model-${MODEL_VERSION}-${unit}-${extension}`;
}
