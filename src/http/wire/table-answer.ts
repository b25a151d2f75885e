import { Answer } from '../server/endpoint.js';

const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Media types of a table: CSV, or a workbook. */
export const TABLE_TYPES: readonly string[] = ['text/csv', XLSX_TYPE];
/** Those, and pages to be printed. */
export const SHEET_TYPES: readonly string[] = [...TABLE_TYPES, 'application/pdf'];

const TYPES = Object.freeze({ csv: 'text/csv; charset=utf-8', xlsx: XLSX_TYPE, pdf: 'application/pdf' });

/** A table as a file to save. name: without extension, of letters alone. */
export function tableAnswer(
  bytes: Uint8Array,
  { name, format }: { readonly name: string; readonly format: keyof typeof TYPES },
): Answer {
  return new Answer(200, bytes, {
    'Content-Type': TYPES[format],
    'Content-Disposition': `attachment; filename="${name}.${format}"; filename*=UTF-8''${name}.${format}`,
  });
}
