import type { Warning } from '../errors.js';
import type { Property, TextPage } from './text.js';

/** File formats of documents that the readers know. */
export type DocumentFormat =
  | 'txt'
  | 'markdown'
  | 'csv'
  | 'html'
  | 'pdf'
  | 'docx'
  | 'xlsx'
  | 'pptx'
  | 'odt'
  | 'ods'
  | 'odp'
  | 'rtf'
  | 'eml';

/** The content of a document. */
export interface Document {
  readonly kind: 'document';
  readonly format: DocumentFormat;
  /** In the order of the file, empty pages included. */
  readonly pages: readonly TextPage[];
  readonly properties: readonly Property[];
  readonly warnings: readonly Warning[];
}
