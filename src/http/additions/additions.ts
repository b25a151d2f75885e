import type { Endpoint } from '../server/endpoint.js';
import { COMPONENTS } from './components.js';
import { DOWNLOAD } from './download.js';
import { DUPLICATES } from './duplicates-report.js';
import { FILE_CATEGORIES } from './file-categories.js';
import { ENGINE_SEARCH } from './engine-search.js';
import { SEARCH_INPUT } from './search-input.js';
import { MODELS } from './models.js';
import { OVERLAY } from './overlay.js';
import { PAGE_IMAGE } from './page-image.js';
import { RECORDS } from './records.js';
import { RETRY } from './retry.js';
import { FILE_COUNTS } from './file-counts.js';
import { TEXT } from './text.js';

/** Endpoints beyond the documented interface, with the engine's own names: for the page and other clients. */
export const ADDITIONS: readonly Endpoint[] = [
  ...ENGINE_SEARCH,
  ...RECORDS,
  ...SEARCH_INPUT,
  ...FILE_COUNTS,
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
