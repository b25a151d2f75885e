import type { Warning } from '../errors.js';
import type { Property, TextPage } from './text.js';

/** File formats of drawings that the readers know. */
export type DrawingFormat = 'dxf' | 'dwg' | 'pdf' | 'svg';

/** All that a reader found in a drawing: so far its text. */
export interface Drawing {
  readonly kind: 'drawing';
  readonly format: DrawingFormat;
  /** Layouts or pages, in the order of the file. */
  readonly pages: readonly TextPage[];
  /** What its title block and its header say. */
  readonly properties: readonly Property[];
  readonly warnings: readonly Warning[];
}
