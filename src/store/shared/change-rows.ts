import type { RowValue, TableChange, TableShape } from './table-shapes.js';

/** Changes that the log keeps: a replica that lags more reads the tables. */
export const LOG_LENGTH = 1_024;

/** Largest batch whose rows stand in the log too, UTF-16 units: the others are read from the tables. */
const LONGEST_ROWS = 2 ** 18;

/** A change in the log. */
export type LogRow = {
  readonly number: number;
  /** What {@link writeRows} wrote; null: too long. */
  readonly rows: string | null;
};

/** A change with its rows. */
export interface LoggedChange {
  readonly number: number;
  readonly changes: TableChange[];
}

type StoredValue = string | number | null | { readonly b: string };
type StoredChange = readonly [
  table: string,
  rows: readonly (readonly StoredValue[])[],
  companies: readonly number[],
  gone: readonly (readonly StoredValue[])[],
  goneCompanies: readonly number[],
];

/**
 * The rows of a batch as one text, so that other processes read a change by one query instead of one for each table;
 * null when that would be too long.
 */
export function writeRows(changes: readonly TableChange[]): string | null {
  let bytes = 0;
  for (const { rows } of changes)
    for (const row of rows) for (const value of row) if (typeof value === 'object') bytes += value?.length ?? 0;
  if (bytes > LONGEST_ROWS) return null;
  const stored: StoredChange[] = changes.map(({ shape, rows, companies, gone, goneCompanies }) => [
    shape.name,
    rows.map((row) => row.map(toStored)),
    companies,
    gone.map((key) => key.map(toStored)),
    goneCompanies,
  ]);
  const text = JSON.stringify(stored);
  return text.length > LONGEST_ROWS ? null : text;
}

/**
 * The changes after the one with the number `after`, oldest first. Undefined: the log does not hold all of them, or not
 * their rows.
 */
export function readLog(
  log: readonly LogRow[],
  { after, shapes }: { readonly after: number; readonly shapes: ReadonlyMap<string, TableShape> },
): LoggedChange[] | undefined {
  if (log.length > LOG_LENGTH || log.some(({ number, rows }, at) => number !== after + 1 + at || rows === null))
    return undefined;
  return log.map(({ number, rows }) => ({
    number,
    changes: (JSON.parse(rows!) as StoredChange[]).flatMap(([name, found, companies, gone, goneCompanies]) => {
      const shape = shapes.get(name);
      if (shape === undefined) return []; // A table that engines of before shared.
      return [
        {
          shape,
          rows: found.map((row) => row.map(fromStored)),
          companies,
          gone: gone.map((key) => key.map(fromStored)),
          goneCompanies,
        },
      ];
    }),
  }));
}

function toStored(value: RowValue): StoredValue {
  return value instanceof Uint8Array
    ? { b: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') }
    : value;
}

function fromStored(value: StoredValue): RowValue {
  return typeof value === 'object' && value !== null ? Buffer.from(value.b, 'base64') : value;
}
