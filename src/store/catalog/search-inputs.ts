import type { Database, Statement } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { onRowsChanged } from '../database/caches.js';
import type { FileRow } from './record.js';
import type { SeenInputs } from './seen-inputs.js';

/** What the catalogue stores about a search input besides its file. */
export interface SearchInputFacts {
  /** Who put it, as the caller named them; null when the caller named nobody. */
  readonly owner: string | null;
  /** ms since 1970. */
  readonly expiresAt: number;
  /** Whether the components of an assembly are to be indexed too. */
  readonly components: boolean;
}

/**
 * The migration step that adds search inputs. They belong to a separate company beside the one that put them, so that
 * no query for a company's files can list, count or find them.
 */
export const SEARCH_INPUT_STEP = `
  ALTER TABLE company ADD COLUMN inputs_of INTEGER REFERENCES company (id);

  CREATE TABLE search_input (
    file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
    owner TEXT,
    expires_at INTEGER NOT NULL,
    components INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX search_input_by_expiry ON search_input (expires_at);
`;

/** The migration step that adds who made what a company has: nobody has a larger share of it than the own. */
export const MAKERS_STEP = `
  -- Who keeps it for everybody: its owner until then.
  ALTER TABLE search_input ADD COLUMN kept_by TEXT;
  ALTER TABLE category ADD COLUMN made_by TEXT;
`;

/** A search input that has expired. */
export interface ExpiredInput {
  /** The company that holds the inputs, not the one that put them. */
  readonly companyId: number;
  readonly uid: string;
}

/** What somebody's search inputs take: those that have not expired, and those that wait to be read all the same. */
export interface InputUsage {
  readonly count: number;
  readonly bytes: number;
  /** When the first of them expires, ms since 1970; null: there are none. */
  readonly freeAt: number | null;
}

/** Most search inputs of an owner, and most bytes of them together. */
export interface InputBounds {
  readonly count: number;
  readonly bytes: number;
}

/** How many search inputs may be everybody's. */
export interface KeptBounds {
  /** Of all. Default: no limit. */
  readonly most?: number;
  /** Of those that one user kept. Default: no limit. */
  readonly mostOfOwner?: number;
}

/** Files that are kept only as inputs of searches. Writing methods run inside a transaction of the caller. */
export class SearchInputs {
  readonly #companyOf: Statement<[number], number>;
  readonly #ownerOf: Statement<[number], number | null>;
  readonly #insertCompany: Statement<[string, number, number]>;
  readonly #row: Statement<[number, string], FileRow>;
  readonly #put: Statement<[number, string | null, number, number]>;
  readonly #keep: Statement<[number, number]>;
  readonly #facts: Statement<[number], { owner: string | null; expiresAt: number; components: number }>;
  readonly #expired: Statement<[number, number], ExpiredInput>;
  readonly #usage: Statement<[number, number, string | null, number, number], InputUsage>;
  readonly #keptBy: Statement<[number, number, string, number], InputUsage>;
  /** Company ids never change, so they are looked up once. */
  readonly #companies = new Map<number, number>();

  constructor(database: Database) {
    onRowsChanged(database, () => this.#companies.clear()); // One that was just made may be undone.
    this.#companyOf = database
      .prepare<[number], number>('SELECT id FROM company WHERE inputs_of = ? AND name = char(1) || inputs_of')
      .pluck();
    this.#ownerOf = database.prepare<[number], number | null>('SELECT inputs_of FROM company WHERE id = ?').pluck();
    this.#insertCompany = database.prepare('INSERT INTO company (name, added_at, inputs_of) VALUES (?, ?, ?)');
    this.#row = database.prepare(
      'SELECT file.* FROM file JOIN search_input ON file_id = file.id WHERE company_id = ? AND uid = ?',
    );
    this.#put = database.prepare(
      'INSERT OR REPLACE INTO search_input (file_id, owner, expires_at, components) VALUES (?, ?, ?, ?)',
    );
    this.#keep = database.prepare(
      `UPDATE search_input SET kept_by = coalesce(owner, kept_by), owner = NULL, expires_at = max(expires_at, ?)
       WHERE file_id = ?`,
    );
    this.#facts = database.prepare(
      'SELECT owner, expires_at AS expiresAt, components FROM search_input WHERE file_id = ?',
    );
    // One that has expired is removed only when it has been read, so until then it takes room.
    const taken = (whose: string): string => `
      SELECT count(*) AS count, coalesce(sum(byte_length), 0) AS bytes,
        min(CASE WHEN expires_at > ? THEN expires_at END) AS freeAt
      FROM search_input JOIN file ON file.id = file_id
      WHERE company_id = ? AND ${whose} AND (expires_at > ? OR state = 'queued')`;
    this.#usage = database.prepare(`${taken('owner IS ?')} AND file_id <> ?`);
    this.#keptBy = database.prepare(taken('owner IS NULL AND kept_by = ?'));
    this.#expired = database.prepare(`
      SELECT company_id AS companyId, uid FROM search_input JOIN file ON file.id = file_id
      WHERE expires_at <= ? AND state <> 'queued' ORDER BY expires_at LIMIT ?`);
  }

  /** The company that holds the inputs of a company; undefined until the first input. */
  companyOf(companyId: number): number | undefined {
    const known = this.#companies.get(companyId) ?? this.#companyOf.get(companyId);
    if (known !== undefined) this.#companies.set(companyId, known);
    return known;
  }

  /** The company whose inputs this one holds; for an ordinary company its own id. */
  ownerOf(companyId: number): number {
    return this.#ownerOf.get(companyId) ?? companyId;
  }

  /** {@link companyOf}, made on first use. */
  makeCompany(companyId: number): number {
    // Callers cannot name a company so: a name of theirs holds no control character.
    return (
      this.companyOf(companyId) ??
      Number(this.#insertCompany.run(`\u0001${companyId}`, Date.now(), companyId).lastInsertRowid)
    );
  }

  /** The input of a company with this UID, if there is one that the caller sees. */
  row(companyId: number, uid: string, seen: SeenInputs): FileRow | undefined {
    const inputs = this.companyOf(companyId);
    const row = inputs === undefined ? undefined : this.#row.get(inputs, uid);
    if (row === undefined || seen === 'all') return row;
    const owner = this.facts(row.id)?.owner ?? undefined;
    return seen !== 'none' && (owner === undefined || owner === seen.of) ? row : undefined;
  }

  /** Stores the facts of an input whose file was entered. */
  put(fileId: number, { owner, expiresAt, components }: SearchInputFacts): void {
    this.#put.run(fileId, owner, expiresAt, components ? 1 : 0);
  }

  /**
   * Keeps an input at least until a time, for everybody of the company. One that is everybody's already is kept
   * whatever the bounds.
   * @throws EngineError `NOT_ALLOWED`.
   */
  keep({ id, company_id: inputs }: FileRow, expiresAt: number, bounds: KeptBounds = {}): void {
    const owner = this.facts(id)?.owner;
    if (owner !== null && owner !== undefined) {
      const { most = Infinity, mostOfOwner = Infinity } = bounds;
      checkKeptRoom(this.#keptByIn(inputs, owner), { most: mostOfOwner, limit: 'keptInputsPerUser' });
      checkKeptRoom(this.#usageIn(inputs, null), { most, limit: 'keptInputs' });
    }
    this.#keep.run(expiresAt, id);
  }

  /**
   * Whether an owner has room for one more input of so many bytes. `replaced`: id of the input that it replaces, if
   * any. An owner of null is the host itself, which has no bounds.
   * @throws EngineError `NOT_ALLOWED`.
   */
  checkRoom(
    {
      companyId,
      owner,
      bytes,
      replaced,
    }: { companyId: number; owner: string | null; bytes: number; replaced?: number },
    most: InputBounds,
  ): void {
    if (owner !== null) checkInputRoom(this.#usageIn(companyId, owner, replaced), bytes, most);
  }

  /** The facts of an input; undefined when the file is none. */
  facts(fileId: number): SearchInputFacts | undefined {
    const row = this.#facts.get(fileId);
    return row === undefined ? undefined : { ...row, components: row.components === 1 };
  }

  /** What the inputs of an owner take; null: those that are everybody's. */
  usage(companyId: number, owner: string | null): InputUsage {
    const inputs = this.companyOf(companyId);
    return inputs === undefined ? NOTHING : this.#usageIn(inputs, owner);
  }

  /** At most `limit` inputs that expire at or before a time, oldest first, without those that are being indexed. */
  expired(now: number, limit: number): ExpiredInput[] {
    return this.#expired.all(now, limit);
  }

  /** inputs: the company that holds them. without: id of one that does not count. */
  #usageIn(inputs: number, owner: string | null, without = 0): InputUsage {
    const now = Date.now();
    return this.#usage.get(now, inputs, owner, now, without) ?? NOTHING;
  }

  #keptByIn(inputs: number, owner: string): InputUsage {
    const now = Date.now();
    return this.#keptBy.get(now, inputs, owner, now) ?? NOTHING;
  }
}

const NOTHING: InputUsage = Object.freeze({ count: 0, bytes: 0, freeAt: null });

/** Whether somebody has room for one more input of so many bytes. @throws EngineError `NOT_ALLOWED`. */
export function checkInputRoom({ count, bytes, freeAt }: InputUsage, more: number, most: InputBounds): void {
  if (count >= most.count)
    throw inputsFull('inputsPerUser', `${count} search inputs of the user are stored`, {
      allowed: most.count,
      found: count,
      freeAt,
    });
  if (bytes + more > most.bytes)
    throw inputsFull('inputBytesPerUser', `search inputs of the user would have ${bytes + more} bytes`, {
      allowed: most.bytes,
      found: bytes + more,
      freeAt,
    });
}

/** Whether one more input may be everybody's. @throws EngineError `NOT_ALLOWED`. */
function checkKeptRoom(
  { count, freeAt }: InputUsage,
  { most, limit }: { readonly most: number; readonly limit: 'keptInputs' | 'keptInputsPerUser' },
): void {
  const whose = limit === 'keptInputs' ? '' : ' by the user';
  if (count >= most)
    throw inputsFull(limit, `${count} search inputs are kept${whose} for everybody of the company`, {
      allowed: most,
      found: count,
      freeAt,
    });
}

/** Says how room is made, and when the first one expires, which makes some by itself. */
function inputsFull(
  limit: string,
  what: string,
  { freeAt, ...facts }: { readonly allowed: number; readonly found: number; readonly freeAt: number | null },
): EngineError {
  const at = freeAt === null ? undefined : new Date(freeAt).toISOString();
  const who = limit.startsWith('keptInputs') ? 'an admin deletes some' : 'delete some';
  const how = at === undefined ? '' : `: ${who}, or wait until they expire, the first at ${at}`;
  return new EngineError('NOT_ALLOWED', `${what}${how} (allowed are ${facts.allowed}, accounts.${limit})`, {
    details: { limit, ...facts, ...(at === undefined ? {} : { freeAt: at }) },
  });
}
