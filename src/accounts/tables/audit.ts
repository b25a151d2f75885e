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
/** Actors, and companies, of whom it is remembered when to look next. */
const REMEMBERED = 10_000;
/** So large a part of a bound is made free at once, so that not each look has to remove. */
const SPARE = 20;
/** Action of the entry that counts what went beyond a share; its object is the actor or company. */
const SHORTENED = 'log shortened';

/** How long entries are kept, and how many in all, of one actor and of one company. */
export interface AuditBounds {
  readonly keptMs: number;
  readonly entries: number;
  readonly actor: number;
  readonly company: number;
}

/** What a bound is of. */
type Scope = 'all' | 'actor' | 'company';

const WHERE: Readonly<Record<Scope, string>> = {
  all: `action <> '${SHORTENED}'`,
  actor: `actor = @who AND action <> '${SHORTENED}'`,
  company: `company = @who AND action <> '${SHORTENED}'`,
};
/** Changes of one kind by one actor within one hour. */
const GROUP = 'company, actor, action, at / 3600000';

const countOf = (scope: Scope): string => `SELECT count(*) AS held FROM audit WHERE ${WHERE[scope]}`;

/**
 * Numbers of the groups' entries, and the removal below: some seconds of processor time for a million entries, once in
 * a twentieth of the bound. The indexes are by company and by object: an actor's entries take a scan.
 */
const groupsOf = (scope: Scope): string => `SELECT count(*) AS held FROM audit WHERE ${WHERE[scope]} GROUP BY ${GROUP}`;

/** Takes from the middle of each group what is more than `first` and `last`. */
const thinned = (scope: Scope): string => `DELETE FROM audit WHERE id IN (
  SELECT id FROM (
    SELECT id, row_number() OVER (PARTITION BY ${GROUP} ORDER BY id) AS place,
      count(*) OVER (PARTITION BY ${GROUP}) AS held
    FROM audit WHERE ${WHERE[scope]}) AS placed
  WHERE place > @first AND place <= held - @last)`;

/** Where there are more groups than entries may be held. */
const oldestOf = (scope: Scope): string => `DELETE FROM audit WHERE ${WHERE[scope]} AND id <=
  (SELECT id FROM audit WHERE ${WHERE[scope]} ORDER BY id DESC LIMIT 1 OFFSET @most)`;

const STATEMENTS = Object.freeze({
  all: { count: countOf('all'), groups: groupsOf('all'), thin: thinned('all'), oldest: oldestOf('all') },
  actor: { count: countOf('actor'), groups: groupsOf('actor'), thin: thinned('actor'), oldest: oldestOf('actor') },
  company: {
    count: countOf('company'),
    groups: groupsOf('company'),
    thin: thinned('company'),
    oldest: oldestOf('company'),
  },
});

/**
 * The log of changes.
 * @internal
 */
export class Audit {
  readonly #sql: Sql;
  /** Entries that may be added before the next look, by what has a bound. */
  readonly #untilLook = {
    all: new Map<string, number>(),
    actor: new Map<string, number>(),
    company: new Map<string, number>(),
  };

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /**
   * Adds an entry. From time to time, removes entries that are too old; and of an actor or a company that has more than
   * its share, or of all, those of the kinds and hours that have the most, from their middle. So a flood takes the room
   * of itself alone: what else the same actor did, what others did, and how the flood began and ended stays. What went
   * is counted.
   */
  add(entry: NewAuditEntry, now: number, bounds: AuditBounds): Promise<void> {
    return this.#sql.commit(() => {
      const { id } = this.#sql.get<{ id: number }>(
        `INSERT INTO audit (at, company, actor, source, action, object, outcome)
         VALUES (@now, @company, @actor, @source, @action, @object, @outcome) RETURNING id`,
        { ...entry, now },
      )!;
      if (id % sweepEvery(bounds.entries) === 0) this.#sql.run('DELETE FROM audit WHERE at < ?', [now - bounds.keptMs]);
      this.#keepBound('actor', entry.actor, { most: bounds.actor, now, company: entry.company });
      this.#keepBound('company', entry.company, { most: bounds.company, now, company: entry.company });
      this.#keepBound('all', 'all entries', { most: bounds.entries, now, company: null });
    });
  }

  #keepBound(
    scope: Scope,
    who: string | null,
    { most, now, company }: { most: number; now: number; company: string | null },
  ): void {
    if (who === null) return;
    const left = (this.#untilLook[scope].get(who) ?? sweepEvery(most)) - 1;
    this.#lookAfter(scope, who, left);
    if (left > 0) return;
    const { count, groups, thin, oldest } = STATEMENTS[scope];
    const held = this.#sql.get<{ held: number }>(count, { who })!.held;
    // Other processes may add as well, so not all of the room is used before the next look.
    this.#lookAfter(scope, who, Math.max(sweepEvery(most), Math.floor((most - held) / 4)));
    if (held <= most) return;
    const sizes = this.#sql.all<{ held: number }>(groups, { who }).map(({ held }) => held);
    const level = levelFor(sizes, most - Math.floor(most / SPARE));
    let removed = this.#sql.run(thin, { who, first: Math.ceil(level / 2), last: Math.floor(level / 2) });
    if (held - removed > most) removed += this.#sql.run(oldest, { who, most });
    this.#noteShortened(who, removed, { now, company });
  }

  /** Remembers it of those who had an entry last: whoever floods is among them. */
  #lookAfter(scope: Scope, who: string, entries: number): void {
    const looks = this.#untilLook[scope];
    looks.delete(who);
    looks.set(who, entries);
    if (looks.size > REMEMBERED) looks.delete(looks.keys().next().value!);
  }

  #noteShortened(who: string, removed: number, { now, company }: { now: number; company: string | null }): void {
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

/** The most entries that each group may have so that all together have at most `most`; at least 1. */
function levelFor(sizes: readonly number[], most: number): number {
  let [low, high] = [1, sizes.reduce((most, size) => Math.max(most, size), 1)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sum(sizes.map((size) => Math.min(size, middle))) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
