import { VIEWS_VERSION } from '../descriptors/views.js';
import { plainExtensionOf } from '../store/catalog/file-path.js';

/** A picture of a file, with sizes that are checked. `page` absent: the page that shows the file best. */
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
 * The name under which a picture of a file's bytes is kept. It holds the extension of the file's name, because the
 * extension may decide how the bytes are read.
 */
export function pictureName(path: string, picture: DrawnPicture | DrawnShapelet): string {
  const pixels = picture.kind === 'page' ? picture.width : picture.size;
  // Another version may find other shapelets.
  const which = picture.kind === 'shapelet' ? `${VIEWS_VERSION}-${picture.index}` : (picture.page ?? 'face');
  return `${picture.kind}-${pixels}-${which}-${plainExtensionOf(path)}`;
}
