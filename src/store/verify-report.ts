import type { StaleFile } from './catalog/record.js';

/** Progress of a check. */
export interface VerifyProgress {
  readonly done: number;
  readonly total: number;
}

/** Options of a check of the library. */
export interface VerifyOptions {
  /** False: only report. True (default): derived data are repaired. */
  readonly repair: boolean;
  /** Called after each blob. */
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
}

/** A problem that a check found. */
export interface VerifyProblem {
  /**
   * - `CATALOG_DAMAGED`: SQLite's own check found an inconsistency.
   * - `BLOB_MISSING`, `BLOB_CHANGED`: the bytes of a file are missing or not those that were put. Put the file again.
   * - `DESCRIPTOR_STALE`: descriptors are missing or unusable; repaired by indexing the file again.
   * - `CONTENT_STALE`: texts or shapelets are of another version or missing; repaired by indexing the file again, which
   *   stays searchable.
   * - `TERMS_DAMAGED`: the index of a company's texts is broken or does not match its files; it is rebuilt.
   * - `ATTRIBUTES_DAMAGED`: the index of attributes does not match the files' attributes; it is rebuilt.
   * - `BLOB_UNOWNED`: stored bytes belong to no file; repaired by removing them.
   */
  readonly code:
    | 'CATALOG_DAMAGED'
    | 'TERMS_DAMAGED'
    | 'ATTRIBUTES_DAMAGED'
    | 'BLOB_MISSING'
    | 'BLOB_CHANGED'
    | 'DESCRIPTOR_STALE'
    | 'CONTENT_STALE'
    | 'BLOB_UNOWNED';
  readonly message: string;
  readonly company?: string;
  readonly uid?: string;
  readonly path?: string;
  readonly repaired: boolean;
}

/** The result of a check. */
export interface VerifyReport {
  readonly blobsChecked: number;
  readonly bytesChecked: number;
  readonly problems: readonly VerifyProblem[];
  /** Files that were queued again because their descriptors were missing or unusable. */
  readonly requeued: readonly StaleFile[];
}
