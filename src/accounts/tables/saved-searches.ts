import { randomUUID } from 'node:crypto';
import { EngineError } from '../../errors.js';
import { dated, type Row, type Sql } from './sql.js';

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
 * Saved searches.
 * @internal
 */
export class SavedSearches {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** By name. */
  async ofUser(userId: number): Promise<SavedSearch[]> {
    return this.#ofUser(userId);
  }

  /**
   * One of the same name is replaced and keeps its id.
   * @throws EngineError `LIMIT_EXCEEDED` when the user has `allowed` others already.
   */
  put(
    userId: number,
    { name, query, now }: { name: string; query: string; now: number },
    allowed: number,
  ): Promise<SavedSearch> {
    return this.#sql.commit(() => {
      const known = this.#ofUser(userId);
      if (known.length >= allowed && !known.some((saved) => saved.name === name))
        throw new EngineError(
          'LIMIT_EXCEEDED',
          `the user has ${known.length} saved searches, allowed are ${allowed} (accounts.savedSearches)`,
          { details: { limit: 'savedSearches', allowed, found: known.length + 1 } },
        );
      this.#sql.run(
        `INSERT INTO saved_search (id, user_id, name, query, added_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (user_id, name) DO UPDATE SET query = excluded.query, added_at = excluded.added_at`,
        [randomUUID(), userId, name, query, now],
      );
      return this.#ofUser(userId).find((search) => search.name === name)!;
    });
  }

  /** False: the user has none of this id. */
  remove(userId: number, id: string): Promise<boolean> {
    return this.#sql.change('DELETE FROM saved_search WHERE user_id = ? AND id = ?', [userId, id]);
  }

  #ofUser(userId: number): SavedSearch[] {
    return this.#sql
      .all<Row<SavedSearch>>(
        'SELECT id, name, query, added_at AS addedAt FROM saved_search WHERE user_id = ? ORDER BY name',
        userId,
      )
      .map(dated);
  }
}
