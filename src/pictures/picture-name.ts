import { createHash } from 'node:crypto';
import { DESCRIPTORS } from '../descriptors/description.js';
import { VIEWS_VERSION } from '../descriptors/views.js';
import { plainExtensionOf } from '../store/catalog/file-path.js';

/** A picture of a file, with sizes that are checked. `page` absent: the page that shows the file best. */
export type DrawnPicture =
  | { readonly kind: 'thumbnail'; readonly size: number; readonly page?: number }
  | { readonly kind: 'page'; readonly width: number; readonly page?: number }
  /** A model with some of its faces in another color. faces: their numbers. */
  | { readonly kind: 'faces'; readonly size: number; readonly faces: readonly number[]; readonly page?: undefined };

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
  return `${picture.kind}-${pixels}-${whichOf(picture)}-${plainExtensionOf(path)}`;
}

/** Raised when the same faces are drawn otherwise. */
const FACES_VERSION = 2;

/** Another version may find other shapelets, or number other faces of a mesh. */
function whichOf(picture: DrawnPicture | DrawnShapelet): string {
  if (picture.kind === 'shapelet') return `${VIEWS_VERSION}-${picture.index}`;
  if (picture.kind !== 'faces') return String(picture.page ?? 'face');
  const faces = [...new Set(picture.faces)].sort((a, b) => a - b).join();
  return `${DESCRIPTORS.faces}-${FACES_VERSION}-${createHash('sha256').update(faces).digest('hex').slice(0, 24)}`;
}
