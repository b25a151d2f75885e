import type { InspectionRow } from '../index.js';

/** Columns of an inspector's list. */
const COLUMNS: readonly (readonly [title: string, of: (row: InspectionRow) => string | number | undefined])[] = [
  ['No.', ({ number }) => number],
  ['Page', ({ page }) => page],
  ['Kind', ({ kind }) => kind],
  ['Reading', ({ reading }) => reading],
  ['Count', ({ count }) => count],
  ['Nominal', ({ nominal }) => nominal],
  ['Unit', ({ unit }) => unit],
  ['Upper deviation', ({ upper }) => upper],
  ['Lower deviation', ({ lower }) => lower],
  ['Largest', ({ nominal, upper }) => sum(nominal, upper)],
  ['Smallest', ({ nominal, lower }) => sum(nominal, lower)],
  ['Tolerance from', ({ from }) => from],
  ['Measured', () => undefined],
];

/** The list as rows of cells, titles first; empty cells are undefined. The last column is for what is measured. */
export function inspectionCells(rows: readonly InspectionRow[]): (string | number | undefined)[][] {
  return [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, of]) => of(row)))];
}

/** The list as CSV (RFC 4180): a byte order mark, so that spreadsheets take the signs for what they are. */
export function inspectionCsv(rows: readonly InspectionRow[]): string {
  const cell = (value: string | number | undefined): string => {
    // A text that begins like a formula is one for spreadsheets.
    const said = typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value ?? '');
    return /[",\r\n]/.test(said) ? `"${said.replaceAll('"', '""')}"` : said;
  };
  return `\ufeff${inspectionCells(rows)
    .map((row) => `${row.map(cell).join(',')}\r\n`)
    .join('')}`;
}

/** Without the noise of binary fractions. */
function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.round((a + b) * 1e6) / 1e6;
}
