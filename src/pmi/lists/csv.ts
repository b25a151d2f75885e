/** A cell of a table: a text, a number, or undefined for empty. */
export type Cell = string | number | undefined;

/**
 * Rows as CSV (RFC 4180) with a byte order mark, so that spreadsheets take the signs for what they are. A text that
 * begins like a formula gets an apostrophe before it.
 */
export function csv(rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell): string => {
    // A text that begins like a formula is one for spreadsheets.
    const said = typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value ?? '');
    return /[",\r\n]/.test(said) ? `"${said.replaceAll('"', '""')}"` : said;
  };
  return `\ufeff${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}
