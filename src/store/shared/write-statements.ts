import { createHash } from 'node:crypto';
import { writeRows } from './change-rows.js';
import type { Statement } from './link.js';
import { toServer, writeKey } from './row-values.js';
import { keyPlaces, quoted, type ColumnType, type TableChange, type TableShape } from './table-shapes.js';

/** The schema of PostgreSQL that holds everything. */
export const SCHEMA = 'shapedex';

/** Name of the notification that something changed. */
export const CHANGED = 'shapedex_changed';

/** Types of PostgreSQL for those of SQLite. */
export const TYPES: Readonly<Record<ColumnType, string>> = {
  INTEGER: 'bigint',
  REAL: 'double precision',
  TEXT: 'text',
  BLOB: 'bytea',
};

/** What tells a batch of writes from all others. */
export interface BatchName {
  readonly number: number;
  readonly batch: string;
}

/** A batch as it is written. */
export interface WrittenBatch extends BatchName {
  /**
   * Hashes of bytes that its rows name no more, in order: they are noted as unowned by the same statement, so that none
   * is forgotten whatever ends the process or the connection then.
   */
  readonly unnamed: readonly string[];
}

/** Texts of statements that are kept: there is one for each set of tables that a batch changes. */
const KEPT_TEXTS = 256;

/**
 * Statements that write the rows of a batch: one for the whole batch, because each turn with the database is time in
 * which no other process can write.
 */
export class WriteStatements {
  readonly #texts = new Map<string, { readonly text: string; readonly name: string }>();

  statement(changes: readonly TableChange[], { number, batch, unnamed }: WrittenBatch): Required<Statement> {
    const parts = changes.map(({ shape, rows, gone }) => ({ shape, put: rows.length > 0, remove: gone.length > 0 }));
    const notes = unnamed.length > 0;
    const key = `${notes} ${parts.map(({ shape, put, remove }) => `${shape.name} ${put} ${remove}`).join()}`;
    let kept = this.#texts.get(key);
    if (kept === undefined) {
      if (this.#texts.size === KEPT_TEXTS) this.#texts.clear();
      const text = textOf(parts, notes);
      kept = { text, name: createHash('sha256').update(text).digest('hex').slice(0, 32) };
      this.#texts.set(key, kept);
    }
    const values: unknown[] = [number, batch, changes.map(({ shape }) => shape.name), writeRows(changes)];
    if (notes) values.push(unnamed);
    for (const { shape, rows, companies, gone, goneCompanies } of changes) {
      if (rows.length > 0)
        values.push(companies, ...shape.columns.map(({ type }, at) => rows.map((row) => toServer(row[at], type))));
      if (gone.length === 0) continue;
      const types = keyPlaces(shape).map((at) => shape.columns[at].type);
      values.push(goneCompanies, ...types.map((type, at) => gone.map((one) => toServer(one[at], type))));
      values.push(gone.map(writeKey));
    }
    return { ...kept, values };
  }
}

/** A statement that writes the rows of one table as the change with this number, and nothing beside. */
export function putStatement({ shape, rows, companies }: TableChange, number: number): Statement {
  let next = 2;
  return {
    text: putOf(shape, (type) => `$${next++}::${type}`),
    values: [number, companies, ...shape.columns.map(({ type }, at) => rows.map((row) => toServer(row[at], type)))],
    name: `put ${shape.name}`,
  };
}

/** A table with its schema. */
export function tableOf({ name }: TableShape): string {
  return `${SCHEMA}.${quoted(name)}`;
}

/** Texts by their MD5: an index holds at most 2 700 bytes a row, and paths may be longer. */
export function indexKey(shape: TableShape): string[] {
  return keyPlaces(shape).map((at) => {
    const { name, type } = shape.columns[at];
    return type === 'TEXT' ? `md5(${quoted(name)})` : quoted(name);
  });
}

function textOf(parts: readonly { shape: TableShape; put: boolean; remove: boolean }[], notes: boolean): string {
  let next = 5;
  const parameter = (type: string): string => `$${next++}::${type}`;
  const steps: string[] = notes ? [noteOf(parameter('text[]'))] : [];
  for (const { shape, put, remove } of parts) {
    if (put) steps.push(putOf(shape, parameter));
    if (remove) steps.push(...removalOf(shape, parameter));
  }
  return `WITH ${steps.map((step, at) => `s${at} AS (${step})`).join(',\n')},
    entered AS (INSERT INTO ${SCHEMA}.change (number, batch, tables, rows)
      VALUES ($1::bigint, $2::uuid, $3::text[], $4::text)),
    told AS (SELECT pg_notify('${CHANGED}', $1::bigint::text))
    UPDATE ${SCHEMA}.library SET number = $1 FROM told`;
}

/**
 * Begins the grace time of bytes, which `Unowned` looks at when it is over; hashes: SQL of their list, in an order, so
 * that two processes which note the same ones do not wait for each other.
 */
export function noteOf(hashes: string): string {
  return `INSERT INTO ${SCHEMA}.unowned (hash, since) SELECT hash, now() FROM unnest(${hashes}) AS given (hash)
    ON CONFLICT (hash) DO UPDATE SET since = excluded.since`;
}

function putOf(shape: TableShape, parameter: (type: string) => string): string {
  const { columns, key } = shape;
  const names = columns.map(({ name }) => quoted(name));
  const others = columns.filter(({ name }) => !key.includes(name)).map(({ name }) => quoted(name));
  const given = [parameter('bigint[]'), ...columns.map(({ type }) => parameter(`${TYPES[type]}[]`))];
  return `INSERT INTO ${tableOf(shape)} (of_company, ${names.join(', ')}, change)
    SELECT given.*, $1::bigint FROM unnest(${given.join(', ')}) AS given
    ON CONFLICT (of_company, ${indexKey(shape).join(', ')}) DO UPDATE SET ${[...others, 'change']
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`;
}

/** The rows go, and their keys are noted for replicas that lag. */
function removalOf(shape: TableShape, parameter: (type: string) => string): string[] {
  const { key, columns, name } = shape;
  const types = keyPlaces(shape).map((at) => columns[at].type);
  const companies = parameter('bigint[]');
  const keys = types.map((type) => parameter(`${TYPES[type]}[]`));
  const same = key.map((column, at) =>
    types[at] === 'TEXT'
      ? `md5(t.${quoted(column)}) = md5(given.k${at}) AND t.${quoted(column)} = given.k${at}`
      : `t.${quoted(column)} = given.k${at}`,
  );
  return [
    `DELETE FROM ${tableOf(shape)} AS t
     USING unnest(${[companies, ...keys].join(', ')}) AS given (company, ${key.map((_, at) => `k${at}`).join(', ')})
     WHERE t.of_company = given.company AND ${same.join(' AND ')}`,
    `INSERT INTO ${SCHEMA}.gone (of_company, name, key, change)
     SELECT company, '${name.replaceAll("'", "''")}', key, $1::bigint
     FROM unnest(${companies}, ${parameter('text[]')}) AS given (company, key)
     ON CONFLICT (of_company, name, md5(key)) DO UPDATE SET change = excluded.change, at = excluded.at`,
  ];
}
