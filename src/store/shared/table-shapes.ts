import type { Database } from 'better-sqlite3';

/** A value of a row, as SQLite hands it over. */
export type RowValue = string | number | Uint8Array | null;

/** The storage classes of our tables, which are all STRICT. */
export type ColumnType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB';

/** A table of the catalogue that the database shares. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  /** The columns of the primary key, at most {@link KEY_COLUMNS}. */
  readonly key: readonly string[];
  /** SQL: the company of a row `t`; 0 when it belongs to the whole library. It never changes. */
  readonly company: string;
}

/** What changed in one table. Rows are in the order of the columns, keys in that of the key. */
export interface TableChange {
  readonly shape: TableShape;
  readonly rows: readonly (readonly RowValue[])[];
  /** The company of each row. */
  readonly companies: readonly number[];
  /** Keys of rows that are gone. */
  readonly gone: readonly (readonly RowValue[])[];
  readonly goneCompanies: readonly number[];
}

/** Most columns of a primary key. */
export const KEY_COLUMNS = 3;

/** The index of attributes. Libraries of before shared it. */
export const INDEX_OF_ATTRIBUTES = [
  'attribute_name',
  'attribute_pairs',
  'attribute_term',
  'attribute_use',
  'attribute_value',
] as const;

/**
 * Tables that every process keeps for itself, because they are made of the others: the words of files (their full-text
 * tables are virtual ones and left out as such), the index of attributes, and what a replica knows of itself.
 */
const OWN_TABLES: ReadonlySet<string> = new Set([
  'term_row',
  'term_total',
  ...INDEX_OF_ATTRIBUTES,
  'replica',
  'replica_batch',
  'replica_trigger',
]);

/** SQLite's table of the last ids; it has no primary key and no triggers. */
export const SEQUENCES = 'sqlite_sequence';

/** Companies of rows that tell theirs neither by `company_id` nor by `file_id`, or that may change it. */
const COMPANIES: Readonly<Record<string, string>> = {
  company: 't.id',
  user: '0',
  client: '0',
  email_domain: '0',
  token_family: '0',
  token: '0',
  saved_search: '0',
  known_source: '0',
  api_key: '0',
  audit: '0',
  setting: '0',
  [SEQUENCES]: '0',
  compared_pair: '(SELECT company_id FROM file WHERE id = t.first_id)',
  rfq_chunk: '(SELECT company_id FROM rfq WHERE number = t.rfq_number)',
};

/** The shared tables of an open catalogue, by name. @throws TypeError for a table whose rows tell no company. */
export function tableShapes(database: Database): TableShape[] {
  const tables = database.pragma('table_list') as { schema: string; name: string; type: string }[];
  const names = tables
    .filter(({ schema, name, type }) => schema === 'main' && type === 'table' && !name.startsWith('sqlite_'))
    .map(({ name }) => name)
    .filter((name) => !OWN_TABLES.has(name))
    .sort();
  return [...names.map((name) => shapeOf(database, name)), SEQUENCE_SHAPE];
}

/** A name in SQL, of SQLite and of PostgreSQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Positions of the key's columns in a row. */
export function keyPlaces({ columns, key }: TableShape): number[] {
  return key.map((name) => columns.findIndex((column) => column.name === name));
}

const SEQUENCE_SHAPE: TableShape = {
  name: SEQUENCES,
  columns: [
    { name: 'name', type: 'TEXT' },
    { name: 'seq', type: 'INTEGER' },
  ],
  key: ['name'],
  company: '0',
};

function shapeOf(database: Database, name: string): TableShape {
  const info = database.pragma(`table_info(${quoted(name)})`) as { name: string; type: ColumnType; pk: number }[];
  const key = info.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const company = COMPANIES[name] ?? companyBy(info.map((column) => column.name));
  if (key.length === 0 || key.length > KEY_COLUMNS || company === undefined)
    throw new TypeError(`the table ${name} cannot be shared: its key or its company is not known`);
  return {
    name,
    columns: info.map((column) => ({ name: column.name, type: column.type })),
    key: key.map((column) => column.name),
    company: `coalesce(${company}, 0)`,
  };
}

function companyBy(columns: readonly string[]): string | undefined {
  if (columns.includes('company_id')) return 't.company_id';
  return columns.includes('file_id') ? '(SELECT company_id FROM file WHERE id = t.file_id)' : undefined;
}
