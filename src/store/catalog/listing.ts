import type { Database } from 'better-sqlite3';
import type { CompanyListOptions } from './list-options.js';
import type { CompanySummary, FailureSummary, FolderSummary } from './company-summary.js';
import type { FileKind, FileRow, FileState, KindCounts } from './record.js';

/** {@link CompanyListOptions} with the company. */
export interface ListOptions extends CompanyListOptions {
  readonly companyId: number;
  readonly limit: number;
}

/**
 * Rows of the table `file` in an order. Pages skip and repeat no file when others are added or deleted between them.
 */
export function listRows(database: Database, options: ListOptions): FileRow[] {
  const { companyId, prefix = '', state, kind, category, order = 'path', direction = 'rising', after, limit } = options;
  const column = order === 'path' ? 'path' : 'id';
  const rising = direction === 'rising';
  const where = ['company_id = @companyId'];
  // Paths with the prefix sort between the prefix and the prefix followed by the last code point.
  if (prefix !== '') where.push('path >= @prefix AND path < @end');
  if (after !== undefined) where.push(`${column} ${rising ? '>' : '<'} @after`);
  if (state !== undefined) where.push('state = @state');
  if (kind !== undefined) where.push('kind = @kind');
  if (category !== undefined) where.push('category_id IS @category');
  return database
    .prepare<[object], FileRow>(
      `SELECT * FROM file WHERE ${where.join(' AND ')} ORDER BY ${column} ${rising ? 'ASC' : 'DESC'} LIMIT @limit`,
    )
    .all({ companyId, prefix, end: `${prefix}\u{10FFFF}`, after, state, kind, category, limit });
}

/** How many files of each kind a company has, in whatever state. */
export function countKinds(database: Database, companyId: number): KindCounts {
  const rows = database
    .prepare<[number], { kind: FileKind; files: number }>(
      'SELECT kind, count(*) AS files FROM file WHERE company_id = ? GROUP BY kind',
    )
    .all(companyId);
  const counts = { Text: 0, Image: 0, TwoD: 0, ThreeD: 0, total: 0 };
  for (const { kind, files } of rows) {
    counts[kind] += files;
    counts.total += files;
  }
  return counts;
}

/** How many files of each kind and state a company has, and how many of them wait to be described again. */
export function summarize(database: Database, companyId: number): CompanySummary {
  const rows = database
    .prepare<[number], { kind: FileKind; state: FileState; files: number }>(
      'SELECT kind, state, count(*) AS files FROM file WHERE company_id = ? GROUP BY kind, state',
    )
    .all(companyId);
  const none = (): Record<FileState, number> => ({ queued: 0, indexed: 0, failed: 0 });
  const counts = { Text: none(), Image: none(), TwoD: none(), ThreeD: none() };
  for (const { kind, state, files } of rows) counts[kind][state] += files;
  const describedAgain = database
    .prepare<[number], number>(
      `SELECT count(*) FROM job JOIN file ON file.id = job.file_id WHERE company_id = ? AND state = 'indexed'`,
    )
    .pluck()
    .get(companyId);
  return { files: rows.reduce((sum, { files }) => sum + files, 0), counts, describedAgain: describedAgain ?? 0 };
}

/** Most folders of one folder that are told. */
const MOST_FOLDERS = 2_000;

/** The folders directly in a folder, by name. prefix: its path with a slash at the end, or '' for the uppermost. */
export function foldersIn(database: Database, companyId: number, prefix: string): FolderSummary[] {
  return database
    .prepare<[object], FolderSummary>(`
      SELECT substr(rest, 1, instr(rest, '/') - 1) AS name, count(*) AS files, sum(state = 'failed') AS failed
      FROM (
        SELECT substr(path, length(@prefix) + 1) AS rest, state FROM file
        WHERE company_id = @companyId AND path >= @prefix AND path < @end
      )
      WHERE instr(rest, '/') > 0 GROUP BY name ORDER BY name LIMIT ${MOST_FOLDERS}`)
    .all({ companyId, prefix, end: `${prefix}\u{10FFFF}` });
}

/** How many files could not be read, by the code of the error, the most frequent first. */
export function failuresOf(database: Database, companyId: number): FailureSummary[] {
  return database
    .prepare<[number], FailureSummary>(`
      SELECT error_code AS code, count(*) AS files FROM file
      WHERE company_id = ? AND state = 'failed' GROUP BY error_code ORDER BY files DESC, code`)
    .all(companyId);
}
