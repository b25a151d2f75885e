import { EngineError } from '../../errors.js';
import { CATALOG_VERSION } from '../catalog/migrations.js';
import type { Link } from './link.js';
import {
  keyPlaces,
  quoted,
  type ColumnType,
  type RowValue,
  type TableChange,
  type TableShape,
} from './table-shapes.js';

/** The schema of PostgreSQL that holds everything. */
const SCHEMA = 'shapedex';

/** Name of the notification that something changed. */
export const CHANGED = 'shapedex_changed';

/** Number of the lock under which the schema is made. */
const MAKING = 0x53484458;

/** Rows read at a time while a replica is filled. */
const PAGE_ROWS = 500;

const TYPES: Readonly<Record<ColumnType, string>> = {
  INTEGER: 'bigint',
  REAL: 'double precision',
  TEXT: 'text',
  BLOB: 'bytea',
};

/** The library as the database knows it. */
export interface ServerLibrary {
  readonly id: string;
  /** Number of the last change. */
  readonly number: number;
}

/** What tells a batch of writes from all others. */
export interface BatchName {
  readonly number: number;
  readonly batch: string;
}

/**
 * The tables of a library in PostgreSQL: those of the catalogue, each row with its company first and the number of its
 * last change, and beside them `library` (number of the last change), `change` (which tables each change touched),
 * `gone` (keys of deleted rows) and `process`.
 */
export class ServerTables {
  readonly #link: Link;
  readonly #shapes: readonly TableShape[];

  constructor(link: Link, shapes: readonly TableShape[]) {
    this.#link = link;
    this.#shapes = shapes;
  }

  /** Makes what is missing. @throws EngineError `LIBRARY_UNREADABLE` for a library of another version. */
  make(): Promise<ServerLibrary> {
    const link = this.#link;
    return link.transaction('', async () => {
      await link.query('SELECT pg_advisory_xact_lock($1)', [MAKING]);
      const [{ found }] = await link.query<{ found: boolean }>(
        `SELECT to_regclass('${SCHEMA}.library') IS NOT NULL AS found`,
      );
      if (!found) await link.script(this.#statements().join(';\n'));
      const [library] = await link.query<{ id: string; number: number; version: number }>(
        `SELECT id, number, version FROM ${SCHEMA}.library`,
      );
      if (library.version !== CATALOG_VERSION)
        throw new EngineError(
          'LIBRARY_UNREADABLE',
          `the library in PostgreSQL is of version ${library.version}; this engine reads ${CATALOG_VERSION}`,
          { details: { found: library.version, known: CATALOG_VERSION } },
        );
      await link.query('COMMIT');
      return { id: library.id, number: library.number };
    });
  }

  /** Inside a transaction: waits until no other process writes, and holds them off until its end. */
  async lock(): Promise<ServerLibrary> {
    const [library] = await this.#link.query<{ id: string; number: number }>(
      `SELECT id, number FROM ${SCHEMA}.library FOR UPDATE`,
      [],
      'lock',
    );
    return library;
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

  /** Inside a transaction under the {@link lock}: writes rows as the change with this number. */
  async write(changes: readonly TableChange[], { number, batch }: BatchName): Promise<void> {
    for (const change of changes) {
      if (change.rows.length > 0) await this.#put(change, number);
      if (change.gone.length > 0) await this.#remove(change, number);
    }
    const names = changes.map(({ shape }) => shape.name);
    await this.#link.query(
      `WITH entered AS (INSERT INTO ${SCHEMA}.change (number, batch, tables) VALUES ($1, $2, $3)),
         told AS (SELECT pg_notify('${CHANGED}', ''))
       UPDATE ${SCHEMA}.library SET number = $1 FROM told`,
      [number, batch, names],
      'change',
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
    for (const shape of this.#shapes) yield* this.#pages(shape, after);
  }

  async *#pages(shape: TableShape, after: number): AsyncGenerator<TableChange[]> {
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

  async #put({ shape, rows, companies }: TableChange, number: number): Promise<void> {
    const { name, columns, key } = shape;
    const columnNames = columns.map((column) => quoted(column.name));
    const others = columns.filter((column) => !key.includes(column.name)).map((column) => quoted(column.name));
    await this.#link.query(
      `INSERT INTO ${tableOf(shape)} (of_company, ${columnNames.join(', ')}, change)
       SELECT given.*, $${columns.length + 2}::bigint FROM unnest($1::bigint[], ${columns
         .map(({ type }, at) => `$${at + 2}::${TYPES[type]}[]`)
         .join(', ')}) AS given
       ON CONFLICT (of_company, ${indexKey(shape).join(', ')}) DO UPDATE SET ${[...others, 'change']
         .map((column) => `${column} = excluded.${column}`)
         .join(', ')}`,
      [companies, ...columns.map(({ type }, at) => rows.map((row) => toServer(row[at], type))), number],
      `put ${name}`,
    );
  }

  async #remove({ shape, gone, goneCompanies }: TableChange, number: number): Promise<void> {
    const { name, key, columns } = shape;
    const types = keyPlaces(shape).map((at) => columns[at].type);
    const same = key.map((column, at) =>
      types[at] === 'TEXT'
        ? `md5(t.${quoted(column)}) = md5(given.k${at}) AND t.${quoted(column)} = given.k${at}`
        : `t.${quoted(column)} = given.k${at}`,
    );
    await this.#link.query(
      `DELETE FROM ${tableOf(shape)} AS t
       USING unnest($1::bigint[], ${types.map((type, at) => `$${at + 2}::${TYPES[type]}[]`).join(', ')})
         AS given (company, ${key.map((_, at) => `k${at}`).join(', ')})
       WHERE t.of_company = given.company AND ${same.join(' AND ')}`,
      [goneCompanies, ...types.map((type, at) => gone.map((values) => toServer(values[at], type)))],
      `remove ${name}`,
    );
    await this.#link.query(
      `INSERT INTO ${SCHEMA}.gone (of_company, name, key, change)
       SELECT company, $2, key, $4 FROM unnest($1::bigint[], $3::text[]) AS given (company, key)
       ON CONFLICT (of_company, name, md5(key)) DO UPDATE SET change = excluded.change`,
      [goneCompanies, name, gone.map(writeKey), number],
      'note gone',
    );
  }

  #statements(): string[] {
    return [
      `CREATE SCHEMA IF NOT EXISTS ${SCHEMA}`,
      `CREATE TABLE ${SCHEMA}.library (one boolean PRIMARY KEY DEFAULT true CHECK (one), id uuid NOT NULL,
         number bigint NOT NULL, version bigint NOT NULL)`,
      `INSERT INTO ${SCHEMA}.library (id, number, version) VALUES (gen_random_uuid(), 0, ${CATALOG_VERSION})`,
      `CREATE TABLE ${SCHEMA}.change (number bigint PRIMARY KEY, batch uuid NOT NULL, tables text[] NOT NULL,
         at timestamptz NOT NULL DEFAULT now())`,
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

function tableOf({ name }: TableShape): string {
  return `${SCHEMA}.${quoted(name)}`;
}

/** Texts by their MD5: an index holds at most 2 700 bytes a row, and paths may be longer. */
function indexKey(shape: TableShape): string[] {
  return keyPlaces(shape).map((at) => {
    const { name, type } = shape.columns[at];
    return type === 'TEXT' ? `md5(${quoted(name)})` : quoted(name);
  });
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

/** PostgreSQL's texts hold no U+0000; U+0001 begins what stands for the two. */
function toServer(value: RowValue, type: ColumnType): RowValue {
  if (type !== 'TEXT' || typeof value !== 'string' || !/[\0\u0001]/.test(value)) return value;
  return value.replace(/[\0\u0001]/g, (one) => (one === '\0' ? '\u00010' : '\u00011'));
}

function fromServer(value: RowValue, type: ColumnType): RowValue {
  if (type !== 'TEXT' || typeof value !== 'string' || !value.includes('\u0001')) return value;
  return value.replace(/\u0001([01])/g, (_, one) => (one === '0' ? '\0' : '\u0001'));
}

/** A key as JSON; bytes as an object with their hexadecimal digits. JSON writes control characters as escapes. */
function writeKey(key: readonly RowValue[]): string {
  return JSON.stringify(
    key.map((one) => (one instanceof Uint8Array ? { hex: Buffer.from(one).toString('hex') } : one)),
  );
}

function readKey(text: string): RowValue[] {
  const key = JSON.parse(text) as (string | number | null | { hex: string })[];
  return key.map((one) => (typeof one === 'object' && one !== null ? Buffer.from(one.hex, 'hex') : one));
}
