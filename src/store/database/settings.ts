import type { Database } from 'better-sqlite3';
import { prepared } from './prepared.js';

/** Texts that the catalogue keeps by name, for the whole library. Writing runs inside a transaction of the caller. */
export class Settings {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  get(name: string): string | undefined {
    return prepared<[string], { value: string }>(this.#database, 'SELECT value FROM setting WHERE name = ?').get(name)
      ?.value;
  }

  set(name: string, value: string): void {
    prepared<[string, string], unknown>(
      this.#database,
      // A value that it has is no change: a standby takes none, and other processes need not read it.
      `INSERT INTO setting (name, value) VALUES (?, ?)
       ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE value <> excluded.value`,
    ).run(name, value);
  }

  remove(name: string): void {
    prepared<[string], unknown>(this.#database, 'DELETE FROM setting WHERE name = ?').run(name);
  }
}
