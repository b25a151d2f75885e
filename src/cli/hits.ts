import type { SearchResult } from '../index.js';
import { boxSize, count, pathEnd, plural, volume } from './format.js';
import { paintFor } from './output.js';
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

/** Characters of a row that the path does not get: the other columns and the gaps between them. */
const OTHER_COLUMNS = 4 + 7 + 9 + 6 + 20 + 11 + 12;

/** A ranked table: the query in the first row, then the hits from the nearest on. */
export function renderHits(result: SearchResult, { name, offset }: { readonly name: string; readonly offset: number }): string {
  const paint = paintFor(process.stdout);
  const room = outputWidth() - OTHER_COLUMNS;
  const input = result.inputs[0];
  const query = [
    '', '', paint.bold('query'), '', paint.bold(pathEnd(name, room)),
    boxSize(input?.bboxSizeMm), volume(input?.volumeMm3),
  ];
  const rows = result.hits.map((hit, index) => [
    count(offset + index + 1),
    `${hit.similarity.toFixed(1)} %`,
    hit.matchClass === 'identical' ? paint.green(hit.matchClass) : hit.matchClass === 'similar' ? hit.matchClass : paint.yellow(hit.matchClass),
    hit.score.toFixed(4),
    pathEnd(hit.path, room),
    boxSize(hit.bboxSizeMm),
    volume(hit.volumeMm3),
  ]);
  const table = renderTable(COLUMNS.map((column) => ({ ...column, title: paint.dim(column.title) })), [query, ...rows]);
  const shown = rows.length === 0 ? 'No file matches.' : `${offset + 1} to ${offset + rows.length} of ${plural(result.total, 'file')}.`;
  return `${table}\n\n${shown}`;
}
