import type { Database, Statement } from 'better-sqlite3';
import type { PmiDoor } from '../catalogue.js';
import type { StoredPmi } from './indexed-file.js';

/** The migration step that adds PMI. */
export const PMI_STEP = `
  CREATE TABLE pmi (
    file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
    version INTEGER NOT NULL,
    json TEXT NOT NULL
  ) STRICT;
`;

/** Dimensions, tolerances and annotations of drawings. Writing methods run inside a transaction of the caller. */
export class PmiTable implements PmiDoor {
  readonly #one: Statement<[number], string>;
  readonly #put: Statement<[number, number, string]>;
  readonly #remove: Statement<[number]>;

  constructor(database: Database) {
    this.#one = database.prepare<[number], string>('SELECT json FROM pmi WHERE file_id = ?').pluck();
    this.#put = database.prepare('INSERT OR REPLACE INTO pmi (file_id, version, json) VALUES (?, ?, ?)');
    this.#remove = database.prepare('DELETE FROM pmi WHERE file_id = ?');
  }

  async one(fileId: number): Promise<string | undefined> {
    return this.#one.get(fileId);
  }

  put(fileId: number, { version, json }: StoredPmi): void {
    this.#put.run(fileId, version, json);
  }

  remove(fileId: number): void {
    this.#remove.run(fileId);
  }
}
