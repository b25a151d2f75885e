import type { Database, Statement } from 'better-sqlite3';

/** A fact that a file states about itself. */
export interface ExtractedAttribute {
  readonly name: string;
  /** '' when there is none. */
  readonly unit: string;
  readonly value: string;
}

/** What files say of themselves. Writing runs inside a transaction of the caller. */
export class Extracted {
  readonly #remove: Statement<[number]>;
  readonly #insert: Statement<[number, number, string, string, string]>;

  constructor(database: Database) {
    this.#remove = database.prepare('DELETE FROM extracted WHERE file_id = ?');
    this.#insert = database.prepare('INSERT INTO extracted (file_id, position, name, unit, value) VALUES (?, ?, ?, ?, ?)');
  }

  /** Replaces what is stored of a file. */
  put(fileId: number, attributes: readonly ExtractedAttribute[]): void {
    this.#remove.run(fileId);
    attributes.forEach(({ name, unit, value }, position) => this.#insert.run(fileId, position, name, unit, value));
  }
}
