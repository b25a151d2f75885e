/** The form of the layouts of pages, for those who compare them. */
export { LAYOUT_BYTES, LAYOUT_SIDE } from '../shapelets/page-layout.js';
