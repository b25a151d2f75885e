import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';

/** A search that a user keeps under a name. */
export interface SavedSearch {
  /** GUID, lower case. */
  readonly id: string;
  readonly name: string;
  /** The query as it was given. */
  readonly query: string;
  readonly addedAt: Date;
}

/**
 * Saved searches. Writing methods run inside a transaction of the caller.
 * @internal
 */
export class SavedSearches {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** By name. */
  ofUser(userId: number): SavedSearch[] {
    return this.#database
      .prepare<[number], Omit<SavedSearch, 'addedAt'> & { addedAt: number }>(
        'SELECT id, name, query, added_at AS addedAt FROM saved_search WHERE user_id = ? ORDER BY name',
      )
      .all(userId)
      .map((row) => ({ ...row, addedAt: new Date(row.addedAt) }));
  }

  /** One of the same name is replaced and keeps its id. */
  put(userId: number, { name, query, now }: { name: string; query: string; now: number }): SavedSearch {
    this.#database
      .prepare(
        `INSERT INTO saved_search (id, user_id, name, query, added_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (user_id, name) DO UPDATE SET query = excluded.query, added_at = excluded.added_at`,
      )
      .run(randomUUID(), userId, name, query, now);
    return this.ofUser(userId).find((search) => search.name === name)!;
  }

  /** False: the user has none of this id. */
  remove(userId: number, id: string): boolean {
    return this.#database.prepare('DELETE FROM saved_search WHERE user_id = ? AND id = ?').run(userId, id).changes > 0;
  }
}
