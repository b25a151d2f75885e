import type { InspectionRow } from '../inspection.js';
import type { PmiComparison } from './compare-pmi.js';
import { csv, type Cell } from './csv.js';
import { xlsx } from './xlsx.js';

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
  ['Tolerance from', ({ from, why }) => (why === undefined ? from : `none: ${why}`)],
  ['Confidence', ({ confidence }) => confidence],
  ['Measured', () => undefined],
];

/** The list as rows of cells, titles first; empty cells are undefined. The last column is for what is measured. */
function inspectionCells(rows: readonly InspectionRow[]): Cell[][] {
  return [COLUMNS.map(([title]) => title), ...rows.map((row) => COLUMNS.map(([, of]) => of(row)))];
}

/**
 * An inspector's list as CSV (RFC 4180) with a byte order mark, so that spreadsheets take the signs for what they are.
 * The last column, `Measured`, is empty.
 */
export function inspectionCsv(rows: readonly InspectionRow[]): string {
  return csv(inspectionCells(rows));
}

/** The same list as a workbook (XLSX). */
export function inspectionXlsx(rows: readonly InspectionRow[]): Uint8Array {
  return xlsx('Inspection', inspectionCells(rows));
}

/** A comparison as CSV, a row for each line; several differences stand in one cell. */
export function pmiComparisonCsv({ rows }: Pick<PmiComparison, 'rows'>): string {
  const titles = ['Status', 'Kind', 'First', 'First page', 'Second', 'Second page', 'Differences'];
  return csv([
    titles,
    ...rows.map(({ status, first, second, differences, oneOf }): Cell[] => [
      status,
      (first ?? second)?.kind,
      first?.reading,
      first?.page,
      second?.reading,
      second?.page,
      [
        ...differences.map((each) => `${each.what}: ${each.first} / ${each.second}`),
        ...(oneOf === undefined ? [] : [`one of ${oneOf} alike`]),
      ].join('; '),
    ]),
  ]);
}

/** Without the noise of binary fractions. */
function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : Math.round((a + b) * 1e6) / 1e6;
}
