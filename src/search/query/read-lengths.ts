import type { FileViews } from '../../descriptors/file-views.js';
import { statedLengths } from '../../descriptors/stated-lengths.js';
import type { FileKind } from '../../store/catalog/record.js';
import { MOST_TEXT } from './whole-drawing.js';

/** Whether texts of a file were read in its picture: it is an image, or a drawing that states nothing by itself. */
export function isReadIn(kind: FileKind, { numbersMm }: Pick<FileViews, 'numbersMm'>): boolean {
  return kind === 'Image' || (kind === 'TwoD' && numbersMm.length === 0);
}

/** Lengths in the texts that were read in a picture, those of the first pages; empty where there are none. */
export function readLengths(pages: readonly { readonly text: string }[]): { readonly readMm?: readonly number[] } {
  let left = MOST_TEXT;
  const read = pages.filter(({ text }) => (left -= text.length) >= 0);
  const readMm = statedLengths({ sheets: [], pages: read });
  return readMm.length === 0 ? {} : { readMm };
}
