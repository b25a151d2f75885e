import type { FileRecord } from '../index.js';

/** Why a file has no PMI at all, and what can be done about it. */
export function noDimensions({ kind, path }: Pick<FileRecord, 'kind' | 'path'>, name = 'the file'): string {
  if (kind === 'Text' && /\.pdf$/i.test(path))
    return (
      `${name === 'the file' ? 'this PDF' : name} was taken for a document, no drawing: its pages have too few ` +
      'lines beside their text, and its pictures show none; with --pdf-drawings it is read as a drawing'
    );
  return `${name} carries no dimensions: it is no drawing, and no model with annotations as data (AP242)`;
}
