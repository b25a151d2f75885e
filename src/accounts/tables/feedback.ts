import { storedJson } from '../../store/database/stored-json.js';
import { dated, type Sql } from './sql.js';

/** A user's feedback on a search. */
export interface SearchFeedback {
  /** Whether the wanted part was among the results. */
  readonly found?: boolean;
  /** Its rank among the results, from 1. */
  readonly rank?: number;
  /** At most 100 characters. */
  readonly expectation?: string;
  /** 1 to 5. */
  readonly helpfulness?: number;
  /** Author, at most 100 characters. */
  readonly user?: string;
  /** The inputs, as the search's result named them. */
  readonly inputFileUid?: string;
  readonly inputFileName?: string;
  readonly otherInput?: string;
  /** What was found. */
  readonly results: readonly { readonly uid: string; readonly score: number }[];
}

/** A user's feedback on the attributes extracted from a file. */
export interface ExtractedFeedback {
  readonly fileUid: string;
  /** At most 300 characters. */
  readonly feedback: string;
  /** Author, at most 100 characters. */
  readonly user?: string;
  /** As they were extracted, `name=value`. */
  readonly attributes: readonly string[];
}

/** Feedback as it is stored. */
export type Stored<T> = T & {
  /** GUID, lower case. */
  readonly id: string;
  /** The user who sent it; null when an app did. */
  readonly userUid: string | null;
  readonly addedAt: Date;
};

/** Which kind of feedback a row holds. */
export type FeedbackKind = 'search' | 'extracted';

/**
 * Feedback of both kinds.
 * @internal
 */
export class Feedback {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** One of the same id is replaced; of a user with more than `most` the oldest go. */
  async put(
    companyId: number,
    kind: FeedbackKind,
    { id, userUid, body, now, most }: { id: string; userUid: string | null; body: object; now: number; most: number },
  ): Promise<void> {
    await this.#sql.commit(() => {
      this.#sql.run(
        `INSERT INTO feedback (company_id, kind, id, user_uid, body, added_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (company_id, kind, id) DO UPDATE
         SET user_uid = excluded.user_uid, body = excluded.body, added_at = excluded.added_at`,
        [companyId, kind, id, userUid, JSON.stringify(body), now],
      );
      this.#sql.run(
        `DELETE FROM feedback WHERE company_id = @companyId AND user_uid = @userUid AND sequence <=
           (SELECT sequence FROM feedback WHERE company_id = @companyId AND user_uid = @userUid
            ORDER BY sequence DESC LIMIT 1 OFFSET @most)`,
        { companyId, userUid, most },
      );
    });
  }

  /** Newest first; `before`: the last id of the page before. */
  async list<T extends object>(
    companyId: number,
    kind: FeedbackKind,
    { limit, before = null }: { limit: number; before?: string | null },
  ): Promise<Stored<T>[]> {
    return this.#sql
      .all<{ id: string; userUid: string | null; addedAt: number; body: string }>(
        `SELECT id, user_uid AS userUid, added_at AS addedAt, body FROM feedback
         WHERE company_id = @companyId AND kind = @kind AND (@before IS NULL OR sequence <
           (SELECT sequence FROM feedback WHERE company_id = @companyId AND kind = @kind AND id = @before))
         ORDER BY sequence DESC LIMIT @limit`,
        { companyId, kind, limit, before },
      )
      .map(({ body, ...row }) => ({ ...storedJson<T>(body, 'feedback'), ...dated(row) }));
  }
}
