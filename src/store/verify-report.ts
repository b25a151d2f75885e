import type { StaleFile } from './catalog/record.js';

/** How far a check has come. */
export interface VerifyProgress {
  readonly done: number;
  readonly total: number;
}

/** How a library is checked. */
export interface VerifyOptions {
  /** False: only report. Default true: what is derived is mended. */
  readonly repair: boolean;
  /** Called after each blob. */
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
}

/** Something that is not as it should be. */
export interface VerifyProblem {
  /**
   * - `CATALOG_DAMAGED`: SQLite's own check found an inconsistency.
   * - `BLOB_MISSING`, `BLOB_CHANGED`: the bytes of a file are gone or not what was put. Put them again.
   * - `DESCRIPTOR_STALE`: descriptors are missing or unfit; mended by indexing the file again.
   * - `CONTENT_STALE`: texts or shapelets are of another version or missing; mended by indexing the file again, which stays searchable.
   * - `TERMS_DAMAGED`: the index of a company's texts is broken or not that of its files; mended by making it again.
   * - `ATTRIBUTES_DAMAGED`: the index of attributes is not that of the files' attributes; mended by making it again.
   * - `BLOB_UNOWNED`: bytes of no file; mended by removing them.
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

/** What a check found. */
export interface VerifyReport {
  readonly blobsChecked: number;
  readonly bytesChecked: number;
  readonly problems: readonly VerifyProblem[];
  /** Files whose descriptors were found unfit and that were queued again. */
  readonly requeued: readonly StaleFile[];
}
