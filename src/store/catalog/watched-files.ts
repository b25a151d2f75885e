import type { Database } from 'better-sqlite3';
import { prepared } from '../database/prepared.js';
import type { WatchedFile } from './watched-file.js';

/** The migration step that adds watched folders. */
export const WATCHED_STEP = `
  -- Which files of a folder were seen last, so that a later watching knows what came, went and moved meanwhile.
  CREATE TABLE watched_file (
    company_id INTEGER NOT NULL REFERENCES company (id),
    folder TEXT NOT NULL,
    path TEXT NOT NULL,
    uid TEXT NOT NULL,
    byte_length INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (company_id, folder, path)
  ) STRICT, WITHOUT ROWID;
`;

/** The files of watched folders. Writing methods run inside a transaction of the caller. */
export class WatchedFiles {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** In the order of paths. folder: as the caller names it. after: only paths greater than this. */
  list(
    companyId: number,
    folder: string,
    { after = '', limit }: { readonly after?: string; readonly limit: number },
  ): WatchedFile[] {
    return prepared<[number, string, string, number], WatchedFile>(
      this.#database,
      `
      SELECT path, uid, byte_length AS byteLength, mtime_ms AS mtimeMs, sha256 FROM watched_file
        WHERE company_id = ? AND folder = ? AND path > ? ORDER BY path LIMIT ?`,
    ).all(companyId, folder, after, limit);
  }

  /** Stores a file; one at the same path is replaced. */
  put(companyId: number, folder: string, file: WatchedFile): void {
    prepared<[object], unknown>(
      this.#database,
      `
      INSERT OR REPLACE INTO watched_file (company_id, folder, path, uid, byte_length, mtime_ms, sha256)
      VALUES (@companyId, @folder, @path, @uid, @byteLength, @mtimeMs, @sha256)`,
    ).run({ ...file, companyId, folder });
  }

  remove(companyId: number, folder: string, path: string): void {
    prepared<[number, string, string], unknown>(
      this.#database,
      'DELETE FROM watched_file WHERE company_id = ? AND folder = ? AND path = ?',
    ).run(companyId, folder, path);
  }
}
