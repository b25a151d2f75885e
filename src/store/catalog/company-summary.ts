import type { FileKind, FileState } from './record.js';

/** How many files of a company there are. */
export interface CompanySummary {
  readonly files: number;
  /** By kind, then by state. */
  readonly counts: Readonly<Record<FileKind, Readonly<Record<FileState, number>>>>;
}
