import type { SearchResult } from '../index.js';
import { boxSize, count, pathEnd, plural, volume } from './format.js';
import { paintFor, type Paint } from './output.js';
import { outputWidth, renderTable, type Column } from './table.js';

const COLUMNS: readonly Column[] = [
  { title: '#', align: 'right' },
  { title: 'Similar', align: 'right' },
  { title: 'Match' },
  { title: 'Score', align: 'right' },
  { title: 'File' },
  { title: 'Size, mm', align: 'right' },
  { title: 'Volume', align: 'right' },
];

const FILE_COLUMN = COLUMNS.findIndex(({ title }) => title === 'File');
const GAPS_WIDTH = 2 * (COLUMNS.length - 1);
const LEAST_FILE_WIDTH = 24;

/** A ranked table: the query in the first row, then the hits from the nearest on. */
export function renderHits(result: SearchResult, { name, offset }: { readonly name: string; readonly offset: number }): string {
  const paint = paintFor(process.stdout);
  const input = result.inputs[0];
  const query = ['', '', 'query', '', name, boxSize(input?.bboxSizeMm), volume(input?.volumeMm3)];
  const hits = result.hits.map((hit, index) => [
    count(offset + index + 1), `${hit.similarity.toFixed(1)} %`, hit.matchClass, hit.score.toFixed(4), hit.path,
    boxSize(hit.bboxSizeMm), volume(hit.volumeMm3),
  ]);
  const room = fileColumnWidth([query, ...hits]);
  const [queryRow, ...rows] = [query, ...hits].map((row) => row.with(FILE_COLUMN, pathEnd(row[FILE_COLUMN], room)));
  const table = renderTable(
    COLUMNS.map((column) => ({ ...column, title: paint.dim(column.title) })),
    [queryRow.map(paint.bold), ...rows.map((row) => row.map((cell) => paintMatch(cell, paint)))],
  );
  const shown = hits.length === 0 ? 'No file matches.' : `${offset + 1} to ${offset + hits.length} of ${plural(result.total, 'file')}.`;
  return `${table}\n\n${shown}`;
}

/** What the other columns of the rows leave for the path. */
function fileColumnWidth(rows: readonly (readonly string[])[]): number {
  const others = COLUMNS.map(({ title }, column) =>
    column === FILE_COLUMN ? 0 : Math.max(title.length, ...rows.map((row) => row[column].length)));
  return Math.max(LEAST_FILE_WIDTH, outputWidth() - GAPS_WIDTH - others.reduce((sum, width) => sum + width, 0));
}

function paintMatch(cell: string, paint: Paint): string {
  if (cell === 'identical') return paint.green(cell);
  return cell === 'mirrored' || cell === 'scaled' ? paint.yellow(cell) : cell;
}
