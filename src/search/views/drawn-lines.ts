import type { PageInk } from '../../descriptors/page-inks.js';

/** The lines of the pages of a drawing, f32 sums as `lineSums` gives them; undefined for a page without ink. */
export type DrawnLines = readonly (Pick<PageInk, 'lines'> | undefined)[];
