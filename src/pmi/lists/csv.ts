import { csvCell } from '../../content/csv-cell.js';

/** A cell of a table: a text, a number, or undefined for empty. */
export type Cell = string | number | undefined;

/**
 * Rows as CSV (RFC 4180) with a byte order mark, so that spreadsheets take the signs for what they are. No text is a
 * formula to them (see {@link csvCell}).
 */
export function csv(rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell): string => (typeof value === 'string' ? csvCell(value) : String(value ?? ''));
  return `\ufeff${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}
