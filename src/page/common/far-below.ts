import type { SEARCH_LIMITS } from '../../index.js';

/**
 * Hits below this similarity come after the divider, and are not called similar. The page takes types alone from the
 * engine, so it is checked.
 */
export const FAR_BELOW: (typeof SEARCH_LIMITS)['lessSimilarBelow'] = 20;
