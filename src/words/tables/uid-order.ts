import type { Database, Statement } from 'better-sqlite3';

/** The walk for the first files in an order is bounded by this multiple of its expected length. */
const WALKED_MORE = 3;

/** The order of files by UID. */
export class UidOrder {
  readonly #sorted: Statement<[string], number>;
  readonly #walk: Statement<[number, number], number>;

  constructor(database: Database) {
    this.#sorted = database
      .prepare<[string], number>('SELECT id FROM file WHERE id IN (SELECT value FROM json_each(?)) ORDER BY uid')
      .pluck();
    this.#walk = database
      .prepare<[number, number], number>(
        'SELECT id FROM file INDEXED BY file_by_uid WHERE company_id = ? ORDER BY uid LIMIT ?',
      )
      .pluck();
  }

  /** The first `count` of these files of a company by UID. files: about how many files the company has. */
  first(companyId: number, fileIds: readonly number[], count: number, files: number): number[] {
    // When most of a company's files are given, walking all in order of UID soon meets the first of them:
    // sorting takes 2 µs per given file, walking 0.3 µs per file.
    const steps = WALKED_MORE * Math.ceil((count * files) / fileIds.length);
    if (steps < fileIds.length) {
      const wanted = new Set(fileIds);
      const found = this.#walk.all(companyId, steps).filter((fileId) => wanted.has(fileId));
      if (found.length >= count) return found.slice(0, count);
    }
    return this.#sorted.all(`[${fileIds.join()}]`).slice(0, count);
  }
}
