import type { StoredPage } from '../../store/catalog/file-text.js';
import type { Store } from '../../store/store.js';
import type { WordDoor } from '../../words/word-door.js';

/** A whole drawing: what tells whether another one is the same. */
export interface WholeDrawing {
  /** From `packInks`. */
  readonly inks: Uint8Array;
  /** From `packPictures`. */
  readonly pictures: Uint8Array;
  readonly pages: readonly StoredPage[];
  /** Number of its pages, with those that have no text; null: unknown. */
  readonly pageCount: number | null;
}

/** Most UTF-16 units of text that are compared. */
export const MOST_TEXT = 200_000;

/** A stored drawing. Undefined where something of it is not stored. */
export async function storedDrawing(
  store: Store,
  texts: Pick<WordDoor, 'pages'>,
  fileId: number,
): Promise<WholeDrawing | undefined> {
  const [inks, pictures, pages, row] = await Promise.all([
    store.views.inks([fileId]),
    store.views.pictures(fileId),
    texts.pages(fileId, { from: 1, characters: MOST_TEXT }),
    store.files.rowById(fileId),
  ]);
  const own = inks.get(fileId);
  if (own === undefined || pictures === undefined || row === undefined) return undefined;
  return { inks: own, pictures, pages, pageCount: row.page_count };
}
