import type { Database, Statement } from 'better-sqlite3';
import type { DescribedPage, StoredPage } from '../../store/catalog/file-text.js';
import { decodePlaces } from '../text-places.js';

interface PageRow {
  number: number;
  name: string;
  text: string;
  runs: string | null;
}

/** The texts of files, page by page. Writing methods run inside a transaction of the caller. */
export class Texts {
  readonly #remove: Statement<[number]>;
  readonly #insert: Statement<[number, number, string, string, string | null]>;
  readonly #pages: Statement<[number], PageRow>;
  readonly #starts: Statement<[number, number], string>;

  constructor(database: Database) {
    this.#remove = database.prepare('DELETE FROM text_page WHERE file_id = ?');
    this.#insert = database.prepare('INSERT INTO text_page (file_id, number, name, text, runs) VALUES (?, ?, ?, ?, ?)');
    this.#pages = database.prepare('SELECT number, name, text, runs FROM text_page WHERE file_id = ? ORDER BY number');
    this.#starts = database
      .prepare<[number, number], string>('SELECT substr(text, 1, ?) FROM text_page WHERE file_id = ? ORDER BY number')
      .pluck();
  }

  /** Replaces the stored pages of a file; pages without text are left out. */
  put(fileId: number, pages: readonly DescribedPage[]): void {
    this.#remove.run(fileId);
    for (const { number, name, text, places = null } of pages) {
      if (text !== '') this.#insert.run(fileId, number, name, text, places);
    }
  }

  /** The pages of a file with text, in page order. */
  pages(fileId: number): StoredPage[] {
    return this.#pages.all(fileId).map(pageOf);
  }

  /** So many characters of the pages of a file, about; no more than that are read of a page, and no page behind. */
  beginning(fileId: number, characters: number): { readonly text: string }[] {
    const pages: { text: string }[] = [];
    let left = characters;
    for (const text of this.#starts.iterate(characters, fileId)) {
      if (left <= 0) break;
      pages.push({ text: text.slice(0, left) });
      left -= Math.max(1, text.length);
    }
    return pages;
  }

  /** Like {@link pages}, but reads one page at a time. The database must not be written until the iteration ends. */
  *eachPage(fileId: number): Generator<StoredPage, void, void> {
    for (const row of this.#pages.iterate(fileId)) yield pageOf(row);
  }
}

function pageOf({ runs, ...page }: PageRow): StoredPage {
  return runs === null ? page : { ...page, runs: decodePlaces(runs) };
}
