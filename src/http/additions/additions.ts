import type { Endpoint } from '../endpoint.js';
import { COMPONENTS } from './components.js';
import { DOWNLOAD } from './download.js';
import { DUPLICATES } from './duplicates.js';
import { FILE_CATEGORIES } from './file-categories.js';
import { FIND } from './find.js';
import { INPUT } from './input.js';
import { MODELS } from './models.js';
import { OVERLAY } from './overlay.js';
import { PAGE_IMAGE } from './page-image.js';
import { RECORDS } from './records.js';
import { RETRY } from './retry.js';
import { STATUS } from './status.js';
import { TEXT } from './text.js';

/** What this adapter offers beside the interface, for the page and for programs that speak the engine's own words. */
export const ADDITIONS: readonly Endpoint[] = [
  ...FIND,
  ...RECORDS,
  ...INPUT,
  ...STATUS,
  ...RETRY,
  ...TEXT,
  ...PAGE_IMAGE,
  ...OVERLAY,
  ...MODELS,
  ...DOWNLOAD,
  ...FILE_CATEGORIES,
  ...DUPLICATES,
  ...COMPONENTS,
];
