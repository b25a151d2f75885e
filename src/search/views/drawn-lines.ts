import type { PageInk } from '../../descriptors/page-inks.js';

/** The lines of the pages of a drawing: what is compared of its inks. */
export type DrawnLines = readonly (Pick<PageInk, 'lines'> | undefined)[];
