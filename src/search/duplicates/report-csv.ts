import { csvCell } from '../../content/csv-cell.js';
import type { DuplicateGroup, DuplicateMember } from './duplicates-report.js';

/** A column of the table. */
interface Column {
  readonly title: string;
  readonly cell: (member: DuplicateMember, group: DuplicateGroup, place: number) => string | number | boolean | null;
}

const COLUMNS: readonly Column[] = [
  { title: 'group', cell: (_member, _group, place) => place },
  { title: 'group_class', cell: (_member, { matchClass }) => matchClass },
  { title: 'path', cell: ({ path }) => path },
  { title: 'uid', cell: ({ uid }) => uid },
  { title: 'kind', cell: ({ kind }) => kind },
  { title: 'match_class', cell: ({ matchClass }) => matchClass ?? 'first' },
  { title: 'score', cell: ({ score }) => score },
  { title: 'scale', cell: ({ scale }) => scale },
  { title: 'max_deviation_mm', cell: ({ maxDeviationMm }) => maxDeviationMm },
  { title: 'mean_deviation_mm', cell: ({ meanDeviationMm }) => meanDeviationMm },
  { title: 'volume_mm3', cell: ({ volumeMm3 }) => volumeMm3 },
  { title: 'surface_area_mm2', cell: ({ surfaceAreaMm2 }) => surfaceAreaMm2 },
  { title: 'length_mm', cell: ({ bboxSizeMm }) => bboxSizeMm?.[0] ?? null },
  { title: 'width_mm', cell: ({ bboxSizeMm }) => bboxSizeMm?.[1] ?? null },
  { title: 'height_mm', cell: ({ bboxSizeMm }) => bboxSizeMm?.[2] ?? null },
  { title: 'bytes', cell: ({ byteLength }) => byteLength },
  { title: 'sha256', cell: ({ sha256 }) => sha256 },
  { title: 'added_at', cell: ({ addedAt }) => addedAt.toISOString() },
  { title: 'copies', cell: ({ copies }) => copies },
  { title: 'keep', cell: ({ uid }, { keep }) => uid === keep },
  { title: 'drawn', cell: ({ drawn }) => drawn?.text ?? '' },
  { title: 'transform', cell: ({ transform }) => transform && JSON.stringify(transform) },
];

/**
 * Groups of duplicates as CSV (RFC 4180, UTF-8 with a byte order mark, so that spreadsheets read it): one line per
 * file, files of a group together, groups numbered from 1. Numbers have a decimal point and all their digits; unknown
 * values are empty. No text is a formula to a spreadsheet (see {@link csvCell}).
 */
export function duplicatesCsv(groups: readonly DuplicateGroup[]): string {
  const lines = groups.flatMap((group, i) =>
    group.members.map((member) => COLUMNS.map(({ cell }) => quoted(cell(member, group, i + 1))).join()),
  );
  return `\uFEFF${[COLUMNS.map(({ title }) => title).join(), ...lines].join('\r\n')}\r\n`;
}

function quoted(value: string | number | boolean | null): string {
  return typeof value === 'string' ? csvCell(value) : String(value ?? '');
}
