import type { FileKind, FileState } from './record.js';

/** How many files of a company there are. */
export interface CompanySummary {
  readonly files: number;
  /** By kind, then by state. */
  readonly counts: Readonly<Record<FileKind, Readonly<Record<FileState, number>>>>;
  /** Files that wait to be described again, as after an update; they are found meanwhile by what was kept of them. */
  readonly describedAgain: number;
}

/** A folder of a company, with all files in and below it. */
export interface FolderSummary {
  /** Its own name. */
  readonly name: string;
  readonly files: number;
  readonly failed: number;
}

/** How many files of a company could not be read for one reason. */
export interface FailureSummary {
  /** Code of the error. */
  readonly code: string;
  readonly files: number;
}
