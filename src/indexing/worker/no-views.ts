import type { FileViews } from '../../descriptors/file-views.js';
import { VIEWS_VERSION } from '../../descriptors/views.js';

/** Stored for a file whose shapelets could not be found. */
export const NO_VIEWS: FileViews = Object.freeze({
  version: VIEWS_VERSION,
  bytes: new Uint8Array(),
  shapelets: [],
  numbersMm: [],
  extentsMm: [],
  pictures: null,
});
