import { EngineError } from '../../errors.js';
import type { RowValue, TableChange, TableShape } from './table-shapes.js';

/** Changes that the log keeps: a replica that lags more reads the tables. */
export const LOG_LENGTH = 1_024;

/** Largest batch whose rows stand in the log too, UTF-16 units: the others are read from the tables. */
const LONGEST_ROWS = 2 ** 18;

/** A change in the log. */
export type LogRow = {
  readonly number: number;
  readonly batch: string;
  /** What {@link writeRows} wrote; null: too long. */
  readonly rows: string | null;
};

/** What tells a change from all others: two histories may have one of the same number. */
export interface ChangeName {
  readonly number: number;
  /** Undefined: not known. */
  readonly batch: string | undefined;
}

/** A change with its rows. */
export interface LoggedChange extends ChangeName {
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
 * The changes after the one that a replica holds, oldest first. log: from that one on, if it is still there. Undefined:
 * the log does not hold all of them, or not their rows.
 * @throws EngineError `STORAGE_FAILED` with `details.diverged` where the log has another change of that number.
 */
export function readLog(
  log: readonly LogRow[],
  { held, shapes }: { readonly held: ChangeName; readonly shapes: ReadonlyMap<string, TableShape> },
): LoggedChange[] | undefined {
  const isThere = log[0]?.number === held.number;
  if (isThere && held.batch !== undefined && log[0].batch !== held.batch) throw diverged();
  const later = isThere ? log.slice(1) : log;
  const isGap = ({ number, rows }: LogRow, at: number): boolean => number !== held.number + 1 + at || rows === null;
  if (later.length > LOG_LENGTH || later.some(isGap)) return undefined;
  return later.map(({ number, batch, rows }) => ({
    number,
    batch,
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

/** Of a process whose replica holds changes that the database does not have. */
export function diverged(): EngineError {
  return new EngineError(
    'STORAGE_FAILED',
    'the database of the library lacks changes that this process holds: a standby that lagged took over, or an older ' +
      'copy was restored; open the library again, which fills the replica anew',
    { details: { diverged: true } },
  );
}

function toStored(value: RowValue): StoredValue {
  return value instanceof Uint8Array
    ? { b: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') }
    : value;
}

function fromStored(value: StoredValue): RowValue {
  return typeof value === 'object' && value !== null ? Buffer.from(value.b, 'base64') : value;
}
