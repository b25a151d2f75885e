import type { Tool } from '../tool.js';
import { ADD_FILE } from './add-file.js';
import { COMPARE_PARTS } from './compare-parts.js';
import { DUPLICATES_REPORT } from './duplicates-report.js';
import { FIND_BY_DRAWING } from './find-by-drawing.js';
import { FIND_SIMILAR } from './find-similar.js';
import { GET_PART } from './get-part.js';
import { GET_PMI } from './get-pmi.js';
import { LIST_ATTRIBUTES } from './list-attributes.js';
import { SEARCH_PARTS } from './search-parts.js';
import { SET_ATTRIBUTES } from './set-attributes.js';
import { SHARED_PARTS } from './shared-parts.js';
import { WHERE_USED } from './where-used.js';

/** Every tool, those that change the library last. */
export const TOOLS: readonly Tool[] = [
  SEARCH_PARTS,
  FIND_SIMILAR,
  FIND_BY_DRAWING,
  COMPARE_PARTS,
  GET_PART,
  GET_PMI,
  WHERE_USED,
  SHARED_PARTS,
  DUPLICATES_REPORT,
  LIST_ATTRIBUTES,
  ADD_FILE,
  SET_ATTRIBUTES,
];
