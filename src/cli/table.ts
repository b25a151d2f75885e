import Table from 'cli-table3';
import { oneLine, pathEnd } from './format.js';

/** One column of a table. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** Which end of a shortened cell is kept: 'end' for paths, 'start' for texts. Default 'start'. */
  readonly keep?: 'start' | 'end';
  /** If set, cells may be shortened to this many characters; such columns share the width that the others leave. */
  readonly least?: number;
  /** If set, the column is left out on narrow lines; the highest number goes first. */
  readonly spare?: number;
}

/** Width of a line when stdout is not a terminal and COLUMNS is not set. */
const DEFAULT_WIDTH = 100;
const NARROWEST = 40;
const WIDEST = 160;
const GAP = '  ';
/** The lines that cli-table3 draws around cells: none. */
const NO_LINES = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'top-mid', 'top-left', 'top-right', 'bottom-mid', 'bottom-left']
    .concat(['bottom-right', 'left-mid', 'mid-mid', 'right-mid'])
    .map((line) => [line, '']),
);
/** Fewest characters that a shortened column keeps, however narrow the line. */
const LEAST_CELL = 8;

/** Width of stdout in characters: the terminal's, else COLUMNS, else 100; clamped to 40 to 160. */
export function outputWidth(): number {
  const columns = process.stdout.isTTY ? process.stdout.columns : Number(process.env['COLUMNS']);
  return Math.min(WIDEST, Math.max(NARROWEST, columns || DEFAULT_WIDTH));
}

/**
 * A table without borders that fits the line: optional columns are left out and long cells are shortened. Cells may
 * hold wide characters, which is what cli-table3 is for.
 * paint: colours a cell of a row, counted from 0, once it has its width.
 */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  paint: Painting = { title: plain, cell: plain },
): string {
  const lines = rows.map((row) => row.map(oneLine));
  const shown = shownColumns(columns, lines);
  const fitted = shorten(
    shown.map((at) => columns[at]),
    lines.map((row) => shown.map((at) => row[at])),
  );
  const table = new Table({
    head: shown.map((at) => paint.title(columns[at].title)),
    colAligns: shown.map((at) => columns[at].align ?? 'left'),
    chars: { ...NO_LINES, middle: GAP },
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
  });
  table.push(...fitted.map((row, i) => row.map((cell) => paint.cell(cell, i))));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}

/** Colours of a table. */
export interface Painting {
  readonly title: (text: string) => string;
  readonly cell: (text: string, row: number) => string;
}

function plain(text: string): string {
  return text;
}

/** Names and values in two columns, indented. */
export function renderFacts(facts: readonly (readonly [name: string, value: string])[]): string {
  const width = Math.max(...facts.map(([name]) => name.length));
  return facts.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`).join('\n');
}

function shortened(text: string, width: number, keep: Column['keep']): string {
  const characters = [...text];
  return characters.length <= width
    ? text
    : keep === 'end'
      ? pathEnd(text, width)
      : `${characters.slice(0, width - 1).join('')}…`;
}

function widthOf({ title }: Column, at: number, rows: readonly (readonly string[])[]): number {
  return Math.max([...title].length, ...rows.map((row) => [...row[at]].length));
}

/** Indices of the columns for which the line has room. */
function shownColumns(columns: readonly Column[], rows: readonly (readonly string[])[]): number[] {
  const widths = columns.map((column, at) => Math.min(widthOf(column, at, rows), column.least ?? Infinity));
  let shown = columns.map((_, at) => at);
  const spare = shown
    .filter((at) => columns[at].spare !== undefined)
    .sort((a, b) => columns[a].spare! - columns[b].spare!);
  const needed = (): number => shown.reduce((sum, at) => sum + widths[at], GAP.length * (shown.length - 1));
  while (needed() > outputWidth() && spare.length > 0) {
    const gone = spare.pop();
    shown = shown.filter((at) => at !== gone);
  }
  return shown;
}

/** Shortens cells until the table fits the line. */
function shorten(columns: readonly Column[], rows: readonly (readonly string[])[]): string[][] {
  const widths = columns.map((column, at) => widthOf(column, at, rows));
  const fixed = columns.reduce(
    (sum, { least }, at) => sum + (least === undefined ? widths[at] : 0),
    GAP.length * (columns.length - 1),
  );
  let room = Math.max(0, outputWidth() - fixed);
  let sharing = columns.filter(({ least }) => least !== undefined).length;
  const allowed = columns.map(({ least }, at) => {
    if (least === undefined) return Infinity;
    const width = Math.min(widths[at], Math.max(LEAST_CELL, Math.floor(room / sharing)));
    room -= width;
    sharing--;
    return width;
  });
  return rows.map((row) => row.map((cell, at) => shortened(cell, allowed[at], columns[at].keep)));
}
