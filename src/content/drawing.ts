import type { Warning } from '../errors.js';
import type { Sheet } from './sheet.js';
import type { Property, TextPage } from './text.js';

/** File formats of drawings that the readers know. */
export type DrawingFormat = 'dxf' | 'dwg' | 'pdf' | 'svg';

/** The content of a drawing. */
export interface Drawing {
  readonly kind: 'drawing';
  readonly format: DrawingFormat;
  /** Layouts or pages, in the order of the file. */
  readonly pages: readonly TextPage[];
  /** Line work of the pages that have any, by ascending number. */
  readonly sheets: readonly Sheet[];
  /** Values of its title block and its header. */
  readonly properties: readonly Property[];
  readonly warnings: readonly Warning[];
}
