import Table from 'cli-table3';

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
}

/** Columns on a line when the output is no terminal. */
const DEFAULT_WIDTH = 100;
const GAP = '  ';

/** The columns that stdout has: a terminal's own width between 80 and 160, else 100. */
export function outputWidth(): number {
  const columns = process.stdout.isTTY ? process.stdout.columns : DEFAULT_WIDTH;
  return Math.min(160, Math.max(80, columns || DEFAULT_WIDTH));
}

/** A table without borders; cells may hold colours and wide characters, which is what cli-table3 is for. */
export function renderTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const table = new Table({
    head: columns.map((column) => column.title),
    colAligns: columns.map((column) => column.align ?? 'left'),
    chars: {
      top: '', 'top-mid': '', 'top-left': '', 'top-right': '', bottom: '', 'bottom-mid': '', 'bottom-left': '',
      'bottom-right': '', left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '', middle: GAP,
    },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString().split('\n').map((line) => line.trimEnd()).join('\n');
}

/** Names and values in two columns, indented. */
export function renderFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}
