import { EngineError } from '../../errors.js';
import { CATALOG_VERSION } from '../catalog/migrations.js';
import { LOG_LENGTH, type LogRow } from './change-rows.js';
import type { Link } from './link.js';
import { ATTEMPT_TABLE } from './shared-attempts.js';
import { fromServer, readKey } from './row-values.js';
import { INDEX_OF_ATTRIBUTES, quoted, type RowValue, type TableChange, type TableShape } from './table-shapes.js';
import {
  indexKey,
  SCHEMA,
  tableOf,
  TYPES,
  WriteStatements,
  type BatchName,
  type WrittenBatch,
} from './write-statements.js';

/** Rows read at a time while a replica is filled. */
const PAGE_ROWS = 500;

/**
 * Version of a library in PostgreSQL: that of the catalogue, and 1 000 for the form in which it is shared. Libraries
 * without it share the index of attributes too.
 */
export const SHARED_VERSION = 1_000 + CATALOG_VERSION;

/** Version of a library that is being moved into the database and not whole yet. */
export const UNFINISHED = 0;

/** Number of the lock under which the schema is made. */
export const MAKING = 0x53484458;

/** Time for which the log keeps a change at least, s: longer than a write waits for the end of an outage, mostly. */
const LOG_SECONDS = 120;

/** What libraries of before lack. */
const ADDED = `ALTER TABLE ${SCHEMA}.change ADD COLUMN IF NOT EXISTS rows text; ${ATTEMPT_TABLE};
  ALTER TABLE ${SCHEMA}.process ADD COLUMN IF NOT EXISTS held bigint NOT NULL DEFAULT 0;
  ALTER TABLE ${SCHEMA}.gone ADD COLUMN IF NOT EXISTS at timestamptz NOT NULL DEFAULT now();
  ALTER TABLE ${SCHEMA}.library ADD COLUMN IF NOT EXISTS forgotten bigint NOT NULL DEFAULT 0`;

/**
 * Versions of before that are raised in place: 20 and 21 in the form before, 20 to 22 in the present one. Since 21 the
 * tables got these columns, which are null in the rows that are there; since 22 views are packed otherwise.
 */
const RAISED: readonly number[] = [20, 21, 1_020, 1_021, 1_022];
const NEW_COLUMNS = `ALTER TABLE ${SCHEMA}.search_input ADD COLUMN IF NOT EXISTS kept_by text;
  ALTER TABLE ${SCHEMA}.category ADD COLUMN IF NOT EXISTS made_by text`;

/** Time for which keys of deleted rows are kept at least, days: a replica that lags more is made anew. */
const GONE_DAYS = 7;

/** Keys that are forgotten at a time. */
const GONE_AT_A_TIME = 10_000;

/** The library as the database knows it. */
export interface ServerLibrary {
  readonly id: string;
  /** Number of the last change. */
  readonly number: number;
  /** Up to this change, keys of deleted rows were forgotten. */
  readonly forgotten: number;
  /** Whether the database is a standby, which is read only and may lag. */
  readonly isStandby: boolean;
}

/** Columns of a {@link ServerLibrary}. */
const LIBRARY = 'id, number, forgotten, pg_is_in_recovery() AS "isStandby"';

/**
 * The tables of a library in PostgreSQL: those of the catalogue, each row with its company first and the number of its
 * last change, and beside them `library` (number of the last change), `change` (which tables each change touched),
 * `gone` (keys of deleted rows) and `process`.
 */
export class ServerTables {
  readonly #link: Link;
  readonly #shapes: readonly TableShape[];
  readonly #writing = new WriteStatements();

  constructor(link: Link, shapes: readonly TableShape[]) {
    this.#link = link;
    this.#shapes = shapes;
  }

  /**
   * Makes what is missing; of a standby, reads what is there.
   * @throws EngineError `LIBRARY_UNREADABLE` for a library of another version, or none on a standby.
   */
  async make(): Promise<ServerLibrary> {
    const link = this.#link;
    if (await this.isStandby()) {
      const [{ found }] = await link.query<{ found: boolean }>(
        `SELECT to_regclass('${SCHEMA}.library') IS NOT NULL AS found`,
      );
      if (!found) throw new EngineError('LIBRARY_UNREADABLE', 'there is no library in the database, a standby');
      return this.#known();
    }
    return link.transaction(`BEGIN; SELECT pg_advisory_xact_lock(${MAKING})`, async () => {
      const [{ found, added }] = await link.query<{ found: boolean; added: boolean }>(
        `SELECT to_regclass('${SCHEMA}.library') IS NOT NULL AS found, EXISTS (SELECT 1 FROM pg_attribute
           WHERE attrelid = to_regclass('${SCHEMA}.library') AND attname = 'forgotten') AS added`,
      );
      if (!found) await link.script(this.statements().join(';\n'));
      // Only where it is missing: it waits for whoever writes, who may wait for it.
      else if (!added) await link.script(ADDED);
      await this.#raise();
      const library = await this.#known();
      await link.query('COMMIT');
      return library;
    });
  }

  /** Inside the transaction that makes tables: brings a library of a form or version before to the present one. */
  async #raise(): Promise<void> {
    const [{ version }] = await this.#link.query<{ version: number }>(`SELECT version FROM ${SCHEMA}.library`);
    if (!RAISED.includes(version)) return;
    await this.#link.script(NEW_COLUMNS);
    // Every replica makes this index of its own.
    for (const name of INDEX_OF_ATTRIBUTES) await this.#link.query(`DROP TABLE IF EXISTS ${SCHEMA}.${quoted(name)}`);
    await this.#link.query(`DELETE FROM ${SCHEMA}.gone WHERE name = ANY($1)`, [INDEX_OF_ATTRIBUTES]);
    await this.#link.query(`UPDATE ${SCHEMA}.library SET version = $1`, [SHARED_VERSION]);
  }

  /** The library, if it is of the present version. */
  async #known(): Promise<ServerLibrary> {
    const [{ version, ...library }] = await this.#link.query<ServerLibrary & Readonly<Record<string, unknown>>>(
      `SELECT ${LIBRARY}, version FROM ${SCHEMA}.library`,
    );
    if (version === UNFINISHED)
      throw new EngineError(
        'LIBRARY_UNREADABLE',
        'a library was being moved into this database and is not whole; run `shapedex migrate` again to end it',
      );
    if (version !== SHARED_VERSION)
      throw new EngineError(
        'LIBRARY_UNREADABLE',
        `the library in PostgreSQL is of version ${version}; this engine reads ${SHARED_VERSION}`,
        { details: { found: version, known: SHARED_VERSION } },
      );
    return library;
  }

  /** Whether the database follows another one and takes no writes now. */
  async isStandby(): Promise<boolean> {
    const [{ standby }] = await this.#link.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
    return standby;
  }

  /**
   * The script that begins a transaction, waits until no other process writes and holds them off until its end; its
   * last answers are the library and the log from a change on. In one turn with the database: each is time under the
   * lock.
   */
  lock(held: number): string {
    return `BEGIN; SELECT ${LIBRARY} FROM ${SCHEMA}.library FOR UPDATE; ${logFrom(`${Number(held)}`)}`;
  }

  /** The log from a change on, as it is now. */
  log(held: number): Promise<LogRow[]> {
    return this.#link.query<LogRow>(logFrom('$1'), [held], 'log');
  }

  /** The batch of a change; undefined: the log does not reach back so far. */
  async batchOf(number: number): Promise<string | undefined> {
    const [found] = await this.#link.query<{ batch: string }>(`SELECT batch FROM ${SCHEMA}.change WHERE number = $1`, [
      number,
    ]);
    return found?.batch;
  }

  /** The library now. */
  async library(): Promise<ServerLibrary> {
    const [library] = await this.#link.query<ServerLibrary & Readonly<Record<string, unknown>>>(
      `SELECT ${LIBRARY} FROM ${SCHEMA}.library`,
      [],
      'library',
    );
    return library;
  }

  /** Whether a batch of writes was committed under this number; undefined: the log does not reach back so far. */
  async isDone({ number, batch }: BatchName): Promise<boolean | undefined> {
    const [{ done, first }] = await this.#link.query<{ done: boolean; first: number | null }>(
      `SELECT EXISTS (SELECT 1 FROM ${SCHEMA}.change WHERE number = $1 AND batch = $2) AS done,
         (SELECT min(number) FROM ${SCHEMA}.change) AS first`,
      [number, batch],
    );
    return !done && first !== null && first > number ? undefined : done;
  }

  /** Inside a transaction under the {@link lock}: writes rows as the change with this number, by one statement. */
  async write(changes: readonly TableChange[], batch: WrittenBatch): Promise<void> {
    const { text, values, name } = this.#writing.statement(changes, batch);
    await this.#link.query(text, values, name);
  }

  /**
   * Forgets the log of changes that the last {@link LOG_LENGTH} do not belong to, once they are old: who lags more
   * reads the tables, and who lost a connection at a commit asks for it soon after.
   */
  async trim(): Promise<void> {
    await this.#link.query(
      `DELETE FROM ${SCHEMA}.change WHERE number <= (SELECT number FROM ${SCHEMA}.library) - ${LOG_LENGTH}
         AND at < now() - interval '${LOG_SECONDS} seconds'`,
      [],
      'trim',
    );
  }

  /** Forgets old keys of deleted rows that the replicas of all living processes have lost. */
  async forgetGone(): Promise<void> {
    await this.#link.query(
      `WITH old AS (DELETE FROM ${SCHEMA}.gone WHERE ctid IN (SELECT ctid FROM ${SCHEMA}.gone
           WHERE at < now() - interval '${GONE_DAYS} days'
             AND change <= (SELECT min(held) FROM ${SCHEMA}.process WHERE alive_until > now())
           ORDER BY change LIMIT ${GONE_AT_A_TIME}) RETURNING change)
       UPDATE ${SCHEMA}.library SET forgotten = greatest(forgotten, (SELECT max(change) FROM old))
       WHERE EXISTS (SELECT 1 FROM old)`,
      [],
      'forget gone',
    );
  }

  /** Inside a transaction that sees one state: everything after the change `after`, a part at a time. */
  async *since(after: number): AsyncGenerator<TableChange[]> {
    const [{ first }] = await this.#link.query<{ first: number | null }>(
      `SELECT min(number) AS first FROM ${SCHEMA}.change`,
      [],
      'first change',
    );
    if (after > 0 && first !== null && first <= after + 1) {
      const touched = await this.#link.query<{ name: string }>(
        `SELECT DISTINCT unnest(tables) AS name FROM ${SCHEMA}.change WHERE number > $1`,
        [after],
        'touched',
      );
      const names = new Set(touched.map(({ name }) => name));
      const changes: TableChange[] = [];
      for (const shape of this.#shapes.filter(({ name }) => names.has(name))) {
        const rows = await this.#link.query(`${readOf(shape)} WHERE change > $1`, [after], `read ${shape.name}`);
        changes.push(...changeOf(shape, rows));
      }
      yield [...(await this.#gone(after, names)), ...changes];
      return;
    }
    if (after > 0) yield this.#gone(after, new Set(this.#shapes.map(({ name }) => name)));
    for (const shape of this.#shapes) yield* this.rows(shape, after);
  }

  /**
   * Inside a transaction that sees one state, once a table: its rows that were written after a change, by pages. One of
   * a page takes one turn with the database; the cursor ends with the transaction.
   */
  async *rows(shape: TableShape, after: number): AsyncGenerator<TableChange[]> {
    const cursor = quoted(`page of ${shape.name}`);
    const next = `FETCH ${PAGE_ROWS} FROM ${cursor}`;
    const wanted = `${readOf(shape)} WHERE change > ${Number(after)}`;
    let [, rows] = await this.#link.script(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${wanted}; ${next}`);
    for (;;) {
      if (rows.length > 0) yield changeOf(shape, rows);
      if (rows.length < PAGE_ROWS) return;
      rows = await this.#link.query(next);
    }
  }

  async #gone(after: number, names: ReadonlySet<string>): Promise<TableChange[]> {
    const rows = await this.#link.query<{ name: string; of_company: number; key: string }>(
      `SELECT name, of_company, key FROM ${SCHEMA}.gone WHERE change > $1`,
      [after],
      'gone',
    );
    return this.#shapes
      .filter(({ name }) => names.has(name))
      .flatMap((shape) => {
        const own = rows.filter(({ name }) => name === shape.name);
        if (own.length === 0) return [];
        const gone = own.map(({ key }) => readKey(key));
        return [{ shape, rows: [], companies: [], gone, goneCompanies: own.map((row) => row.of_company) }];
      });
  }

  /** What makes the tables of an empty library. */
  statements(): string[] {
    return [
      `CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`,
      `CREATE TABLE ${SCHEMA}.library (one boolean PRIMARY KEY DEFAULT true CHECK (one), id uuid NOT NULL,
         number bigint NOT NULL, version bigint NOT NULL, forgotten bigint NOT NULL DEFAULT 0)`,
      `INSERT INTO ${SCHEMA}.library (id, number, version) VALUES (gen_random_uuid(), 0, ${SHARED_VERSION})`,
      `CREATE TABLE ${SCHEMA}.change (number bigint PRIMARY KEY, batch uuid NOT NULL, tables text[] NOT NULL,
         at timestamptz NOT NULL DEFAULT now(), rows text)`,
      `CREATE TABLE ${SCHEMA}.gone (of_company bigint NOT NULL, name text NOT NULL, key text NOT NULL,
         change bigint NOT NULL, at timestamptz NOT NULL DEFAULT now())`,
      `CREATE UNIQUE INDEX gone_by_key ON ${SCHEMA}.gone (of_company, name, md5(key))`,
      `CREATE INDEX gone_by_change ON ${SCHEMA}.gone (change)`,
      `CREATE TABLE ${SCHEMA}.process (id bigint GENERATED ALWAYS AS IDENTITY (START WITH 2) PRIMARY KEY,
         alive_until timestamptz NOT NULL, held bigint NOT NULL DEFAULT 0)`,
      ATTEMPT_TABLE,
      `CREATE TABLE ${SCHEMA}.unowned (hash text PRIMARY KEY, since timestamptz NOT NULL)`,
      ...this.#shapes.flatMap((shape) => [
        `CREATE TABLE ${tableOf(shape)} (of_company bigint NOT NULL, ${shape.columns
          .map(({ name, type }) => `${quoted(name)} ${TYPES[type]}`)
          .join(', ')}, change bigint NOT NULL)`,
        `CREATE UNIQUE INDEX ${quoted(`${shape.name}_by_key`)} ON ${tableOf(shape)}
           (of_company, ${indexKey(shape).join(', ')})`,
        `CREATE INDEX ${quoted(`${shape.name}_by_change`)} ON ${tableOf(shape)} (change)`,
      ]),
    ];
  }
}

function readOf(shape: TableShape): string {
  return `SELECT of_company, ${shape.columns.map(({ name }, at) => `${quoted(name)} AS v${at}`).join(', ')}
    FROM ${tableOf(shape)}`;
}

function changeOf(shape: TableShape, rows: readonly Readonly<Record<string, unknown>>[]): TableChange[] {
  if (rows.length === 0) return [];
  return [
    {
      shape,
      rows: rows.map((row) => shape.columns.map(({ type }, at) => fromServer(row[`v${at}`] as RowValue, type))),
      companies: rows.map((row) => row['of_company'] as number),
      gone: [],
      goneCompanies: [],
    },
  ];
}

/** The query for the log from a change on, of which it has the name alone; held: SQL of its number. */
function logFrom(held: string): string {
  return `SELECT number, batch, CASE WHEN number > ${held} THEN rows END AS rows FROM ${SCHEMA}.change
    WHERE number >= ${held} ORDER BY number LIMIT ${LOG_LENGTH + 2}`;
}
