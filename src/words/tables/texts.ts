import type { Database, Statement } from 'better-sqlite3';
import { storedJson } from '../../store/database/stored-json.js';
import type { StoredPage, StoredRun } from '../../store/catalog/file-text.js';

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

  constructor(database: Database) {
    this.#remove = database.prepare('DELETE FROM text_page WHERE file_id = ?');
    this.#insert = database.prepare('INSERT INTO text_page (file_id, number, name, text, runs) VALUES (?, ?, ?, ?, ?)');
    this.#pages = database.prepare('SELECT number, name, text, runs FROM text_page WHERE file_id = ? ORDER BY number');
  }

  /** Replaces the stored pages of a file; pages without text are left out. */
  put(fileId: number, pages: readonly StoredPage[]): void {
    this.#remove.run(fileId);
    for (const { number, name, text, runs } of pages) {
      if (text !== '') this.#insert.run(fileId, number, name, text, runs === undefined ? null : encodeRuns(runs));
    }
  }

  /** The pages of a file with text, in page order. */
  pages(fileId: number): StoredPage[] {
    return this.#pages.all(fileId).map(pageOf);
  }

  /** Like {@link pages}, but reads one page at a time. The database must not be written until the iteration ends. */
  *eachPage(fileId: number): Generator<StoredPage, void, void> {
    for (const row of this.#pages.iterate(fileId)) yield pageOf(row);
  }
}

function pageOf({ runs, ...page }: PageRow): StoredPage {
  return runs === null ? page : { ...page, runs: decodeRuns(runs) };
}

/** Positions are stored in ten-thousandths of the page: a fifth of a millimetre on the longest standard sheet. */
const SHARES = 10_000;

function encodeRuns(runs: readonly StoredRun[]): string {
  const share = (value: number): number => Math.round(SHARES * value);
  return JSON.stringify(
    runs.flatMap(({ start, end, box: { x, y, width, height } }) => [
      start,
      end,
      share(x),
      share(y),
      share(width),
      share(height),
    ]),
  );
}

function decodeRuns(text: string): StoredRun[] {
  const numbers = storedJson<number[]>(text, 'the places of words on a page');
  return Array.from({ length: numbers.length / 6 }, (_, i) => {
    const [start, end, x, y, width, height] = numbers.slice(6 * i, 6 * i + 6);
    return { start, end, box: { x: x / SHARES, y: y / SHARES, width: width / SHARES, height: height / SHARES } };
  });
}
