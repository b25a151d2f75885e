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

/** Entries between two looks for those that must go, at most; fewer where the bounds are low. */
const SWEEP_EVERY = 500;
/** Action of the entry that counts what went beyond a share; its object is the actor or company. */
const SHORTENED = 'log shortened';

/** How long entries are kept, and how many in all, of one actor and of one company. */
export interface AuditBounds {
  readonly keptMs: number;
  readonly entries: number;
  readonly actor: number;
  readonly company: number;
}

/** The indexes are by company and by object; an actor's entries are found by a scan, once in 500 entries. */
const REMOVE_BEYOND = {
  actor: `DELETE FROM audit WHERE actor = @who AND id <=
    (SELECT id FROM audit WHERE actor = @who ORDER BY id DESC LIMIT 1 OFFSET @most) AND action <> @shortened`,
  company: `DELETE FROM audit WHERE company = @who AND id <=
    (SELECT id FROM audit WHERE company = @who ORDER BY id DESC LIMIT 1 OFFSET @most) AND action <> @shortened`,
} as const;

/**
 * The log of changes.
 * @internal
 */
export class Audit {
  readonly #sql: Sql;
  /** Entries that this process added since it looked last, by actor and by company. */
  readonly #added = { actor: new Map<string, number>(), company: new Map<string, number>() };

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Adds an entry. From time to time, removes entries that are too old, and the oldest of an actor or a company that has
   * more than its share: nobody pushes out what is noted of others, and what went is counted.
   */
  add(entry: NewAuditEntry, now: number, bounds: AuditBounds): Promise<void> {
    return this.#sql.commit(() => {
      const { id } = this.#sql.get<{ id: number }>(
        `INSERT INTO audit (at, company, actor, source, action, object, outcome)
         VALUES (@now, @company, @actor, @source, @action, @object, @outcome) RETURNING id`,
        { ...entry, now },
      )!;
      if (id % sweepEvery(bounds.entries) === 0)
        this.#sql.run('DELETE FROM audit WHERE at < ? OR id <= ?', [now - bounds.keptMs, id - bounds.entries]);
      this.#keepShare('actor', entry, now, bounds);
      this.#keepShare('company', entry, now, bounds);
    });
  }

  #keepShare(of: 'actor' | 'company', entry: NewAuditEntry, now: number, bounds: AuditBounds): void {
    const { company, [of]: who } = entry;
    if (who === null) return;
    const every = sweepEvery(bounds[of]);
    const added = (this.#added[of].get(who) ?? 0) + 1;
    this.#added[of].set(who, added % every);
    if (added < every) return;
    const removed = this.#sql.run(REMOVE_BEYOND[of], { who, most: bounds[of], shortened: SHORTENED });
    if (removed === 0) return;
    const known = { who, shortened: SHORTENED };
    const before = this.#sql.get<{ id: number; outcome: string }>(
      'SELECT id, outcome FROM audit WHERE object = @who AND action = @shortened ORDER BY id DESC LIMIT 1',
      known,
    );
    if (before !== undefined) this.#sql.run('DELETE FROM audit WHERE id = ?', [before.id]);
    const outcome = `${removed + Number.parseInt(before?.outcome ?? '0', 10)} removed`;
    this.#sql.run(
      `INSERT INTO audit (at, company, actor, source, action, object, outcome)
       VALUES (@now, @company, NULL, NULL, @shortened, @who, @outcome)`,
      { ...known, now, company, outcome },
    );
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

function sweepEvery(bound: number): number {
  return Math.max(1, Math.min(SWEEP_EVERY, Math.floor(bound / 4)));
}
