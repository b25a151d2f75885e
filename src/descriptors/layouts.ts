/** The format of page layouts, re-exported for `search`, which may not import `shapelets`. */
export { LAYOUT_BYTES, LAYOUT_SIDE } from '../shapelets/page-layout.js';
