import { Answer } from '../server/endpoint.js';

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Media types of a table: CSV, or a workbook. */
export const TABLE_TYPES: readonly string[] = ['text/csv', XLSX_TYPE];

/** A table as a file to save. name: without extension, of letters alone. */
export function tableAnswer(
  bytes: Uint8Array,
  { name, format }: { readonly name: string; readonly format: 'csv' | 'xlsx' },
): Answer {
  return new Answer(200, bytes, {
    'Content-Type': format === 'csv' ? 'text/csv; charset=utf-8' : XLSX_TYPE,
    'Content-Disposition': `attachment; filename="${name}.${format}"; filename*=UTF-8''${name}.${format}`,
  });
}
