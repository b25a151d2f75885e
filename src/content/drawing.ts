import type { Warning } from '../errors.js';
import type { Sheet } from './sheet.js';
import type { Property, TextPage } from './text.js';

/** File formats of drawings that the readers know. */
export type DrawingFormat = 'dxf' | 'dwg' | 'pdf' | 'svg';

/** All that a reader found in a drawing. */
export interface Drawing {
  readonly kind: 'drawing';
  readonly format: DrawingFormat;
  /** Layouts or pages, in the order of the file. */
  readonly pages: readonly TextPage[];
  /** Line work of those pages that have any, by rising number. */
  readonly sheets: readonly Sheet[];
  /** What its title block and its header say. */
  readonly properties: readonly Property[];
  readonly warnings: readonly Warning[];
}
