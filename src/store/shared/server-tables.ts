import { EngineError } from '../../errors.js';
import { CATALOG_VERSION } from '../catalog/migrations.js';
import { LOG_LENGTH, type LogRow } from './change-rows.js';
import type { Link } from './link.js';
import { fromServer, readKey } from './row-values.js';
import { quoted, type RowValue, type TableChange, type TableShape } from './table-shapes.js';
import { indexKey, SCHEMA, tableOf, TYPES, WriteStatements, type BatchName } from './write-statements.js';

/** Rows read at a time while a replica is filled. */
const PAGE_ROWS = 500;

/** Version of a library that is being moved into the database and not whole yet. */
export const UNFINISHED = 0;

/** Number of the lock under which the schema is made. */
export const MAKING = 0x53484458;

/** What libraries of before lack. */
const ADDED = `ALTER TABLE ${SCHEMA}.change ADD COLUMN IF NOT EXISTS rows text`;

/** The library as the database knows it. */
export interface ServerLibrary {
  readonly id: string;
  /** Number of the last change. */
  readonly number: number;
}

/** A library as it is opened. */
export interface FoundLibrary extends ServerLibrary {
  /** Whether the database is a standby, which is read only. */
  readonly isStandby: boolean;
}

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
  async make(): Promise<FoundLibrary> {
    const link = this.#link;
    if (await this.isStandby()) {
      const [{ found }] = await link.query<{ found: boolean }>(
        `SELECT to_regclass('${SCHEMA}.library') IS NOT NULL AS found`,
      );
      if (!found) throw new EngineError('LIBRARY_UNREADABLE', 'there is no library in the database, a standby');
      return { ...(await this.#known()), isStandby: true };
    }
    return link.transaction(`BEGIN; SELECT pg_advisory_xact_lock(${MAKING})`, async () => {
      const [{ found }] = await link.query<{ found: boolean }>(
        `SELECT to_regclass('${SCHEMA}.library') IS NOT NULL AS found`,
      );
      await link.script(found ? ADDED : this.statements().join(';\n'));
      // The tables of the version before are the same.
      await link.query(`UPDATE ${SCHEMA}.library SET version = $1 WHERE version = $1 - 1`, [CATALOG_VERSION]);
      const library = await this.#known();
      await link.query('COMMIT');
      return { ...library, isStandby: false };
    });
  }

  /** The library, if it is of the present version. */
  async #known(): Promise<ServerLibrary> {
    const [{ id, number, version }] = await this.#link.query<{ id: string; number: number; version: number }>(
      `SELECT id, number, version FROM ${SCHEMA}.library`,
    );
    if (version === UNFINISHED)
      throw new EngineError(
        'LIBRARY_UNREADABLE',
        'a library was being moved into this database and is not whole; run `shapedex migrate` again to end it',
      );
    if (version !== CATALOG_VERSION)
      throw new EngineError(
        'LIBRARY_UNREADABLE',
        `the library in PostgreSQL is of version ${version}; this engine reads ${CATALOG_VERSION}`,
        { details: { found: version, known: CATALOG_VERSION } },
      );
    return { id, number };
  }

  /** Whether the database follows another one and takes no writes now. */
  async isStandby(): Promise<boolean> {
    const [{ standby }] = await this.#link.query<{ standby: boolean }>('SELECT pg_is_in_recovery() AS standby');
    return standby;
  }

  /**
   * The script that begins a transaction, waits until no other process writes and holds them off until its end; its last
   * answers are the library and the log after a change. In one turn with the database: each turn is time under the lock.
   */
  lock(after: number): string {
    return `BEGIN; SELECT id, number FROM ${SCHEMA}.library FOR UPDATE; ${logAfter(`${Number(after)}`)}`;
  }

  /** The log after a change, as it is now. */
  log(after: number): Promise<LogRow[]> {
    return this.#link.query<LogRow>(logAfter('$1'), [after], 'log');
  }

  /** The library now. */
  async library(): Promise<ServerLibrary> {
    const [library] = await this.#link.query<{ id: string; number: number }>(
      `SELECT id, number FROM ${SCHEMA}.library`,
      [],
      'library',
    );
    return library;
  }

  /** Whether a batch of writes was committed under this number. */
  async isDone({ number, batch }: BatchName): Promise<boolean> {
    const rows = await this.#link.query(`SELECT 1 FROM ${SCHEMA}.change WHERE number = $1 AND batch = $2`, [
      number,
      batch,
    ]);
    return rows.length > 0;
  }

  /** Inside a transaction under the {@link lock}: writes rows as the change with this number, by one statement. */
  async write(changes: readonly TableChange[], { number, batch }: BatchName): Promise<void> {
    const { text, values, name } = this.#writing.statement(changes, { number, batch });
    await this.#link.query(text, values, name);
  }

  /** Forgets the log of changes that the last {@link LOG_LENGTH} do not belong to: who lags more reads the tables. */
  async trim(): Promise<void> {
    await this.#link.query(
      `DELETE FROM ${SCHEMA}.change WHERE number <= (SELECT number FROM ${SCHEMA}.library) - ${LOG_LENGTH}`,
      [],
      'trim',
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

  /** Inside a transaction that sees one state: the rows of a table that were written after a change, by pages. */
  async *rows(shape: TableShape, after: number): AsyncGenerator<TableChange[]> {
    await this.#link.query(`DECLARE page NO SCROLL CURSOR FOR ${readOf(shape)} WHERE change > ${Number(after)}`);
    for (;;) {
      const rows = await this.#link.query(`FETCH ${PAGE_ROWS} FROM page`);
      if (rows.length > 0) yield changeOf(shape, rows);
      if (rows.length < PAGE_ROWS) break;
    }
    await this.#link.query('CLOSE page');
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
         number bigint NOT NULL, version bigint NOT NULL)`,
      `INSERT INTO ${SCHEMA}.library (id, number, version) VALUES (gen_random_uuid(), 0, ${CATALOG_VERSION})`,
      `CREATE TABLE ${SCHEMA}.change (number bigint PRIMARY KEY, batch uuid NOT NULL, tables text[] NOT NULL,
         at timestamptz NOT NULL DEFAULT now(), rows text)`,
      `CREATE TABLE ${SCHEMA}.gone (of_company bigint NOT NULL, name text NOT NULL, key text NOT NULL,
         change bigint NOT NULL)`,
      `CREATE UNIQUE INDEX gone_by_key ON ${SCHEMA}.gone (of_company, name, md5(key))`,
      `CREATE INDEX gone_by_change ON ${SCHEMA}.gone (change)`,
      `CREATE TABLE ${SCHEMA}.process (id bigint GENERATED ALWAYS AS IDENTITY (START WITH 2) PRIMARY KEY,
         alive_until timestamptz NOT NULL)`,
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

/** The query for the log after a change; after: SQL of its number. */
function logAfter(after: string): string {
  return `SELECT number, rows FROM ${SCHEMA}.change WHERE number > ${after} ORDER BY number LIMIT ${LOG_LENGTH + 1}`;
}
