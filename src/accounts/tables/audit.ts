import type { Sql } from './sql.js';

/** Something that somebody changed, or was refused to change. */
export interface AuditEntry {
  /** Rises with time. */
  readonly id: number;
  readonly at: Date;
  /** Name of the company that it was about; null: of none. */
  readonly company: string | null;
  /** Address of the user or id of the program; `command line`; null: nobody who signed in. */
  readonly actor: string | null;
  /** Network address of the sender; null where it is not known. */
  readonly source: string | null;
  /** Such as `PUT FileAttributes` or `user add`. */
  readonly action: string;
  /** What it was done to: a UID, path or address; null where the action says it. */
  readonly object: string | null;
  /** How it ended: `done`, or the status of the refusal, such as `403`. */
  readonly outcome: string;
}

/** An entry to be added. */
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'at'>;

/** Which entries are asked for. */
export interface AuditFilter {
  readonly company?: string;
  readonly actor?: string;
  readonly action?: string;
  readonly object?: string;
  /** Entries older than this one. */
  readonly before?: number;
  readonly limit: number;
}

type EntryRow = Omit<AuditEntry, 'at'> & { readonly at: number };

/** Entries beyond the newest so many go, so that the log never fills a disk. */
const MOST_ENTRIES = 1_000_000;
/** Entries between two looks for old ones. */
const SWEEP_EVERY = 500;

/**
 * The log of changes.
 * @internal
 */
export class Audit {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Adds an entry, and removes entries older than `keptMs` from time to time. */
  add(entry: NewAuditEntry, { now, keptMs }: { readonly now: number; readonly keptMs: number }): Promise<void> {
    return this.#sql.commit(() => {
      const { id } = this.#sql.get<{ id: number }>(
        `INSERT INTO audit (at, company, actor, source, action, object, outcome)
         VALUES (@now, @company, @actor, @source, @action, @object, @outcome) RETURNING id`,
        { ...entry, now },
      )!;
      if (id % SWEEP_EVERY === 0)
        this.#sql.run('DELETE FROM audit WHERE at < ? OR id <= ?', [now - keptMs, id - MOST_ENTRIES]);
    });
  }

  /** Newest first. */
  async list({ company, actor, action, object, before, limit }: AuditFilter): Promise<AuditEntry[]> {
    const rows = this.#sql.all<EntryRow>(
      `SELECT id, at, company, actor, source, action, object, outcome FROM audit
       WHERE (@company IS NULL OR company = @company) AND (@actor IS NULL OR actor = @actor)
         AND (@action IS NULL OR action = @action) AND (@object IS NULL OR object = @object)
         AND (@before IS NULL OR id < @before)
       ORDER BY id DESC LIMIT @limit`,
      {
        company: company ?? null,
        actor: actor ?? null,
        action: action ?? null,
        object: object ?? null,
        before: before ?? null,
        limit,
      },
    );
    return rows.map((row) => ({ ...row, at: new Date(row.at) }));
  }
}
