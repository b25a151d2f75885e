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
  /**
   * True: what `lost+found` held before this check is removed for good, except what the catalogue names again, and an
   * older catalogue is no longer told of. Needs `repair`. Default false.
   */
  readonly purge?: boolean;
  /** Called after each blob. */
  readonly onProgress?: (progress: VerifyProgress) => void;
  readonly signal?: AbortSignal;
}

/** A problem that a check found. */
export interface VerifyProblem {
  /**
   * - `CATALOG_DAMAGED`: SQLite's own check found an inconsistency, or a part of the catalogue cannot be read: the
   *   message says which. Restore `catalog.sqlite` from a copy.
   * - `LIBRARY_UNREADABLE`: a newer version wrote the library, so that this one checked nothing.
   * - `CHECK_FAILED`: the disk refused to read something, so that a part of the check could not be done.
   * - `BLOB_MISSING`, `BLOB_CHANGED`: the bytes of a file are missing or not those that were put. Put the file again.
   * - `BLOB_UNREADABLE`: the system refuses to read the bytes of a file.
   * - `DESCRIPTOR_STALE`: descriptors are missing or unusable; repaired by indexing the file again.
   * - `CONTENT_STALE`: texts or shapelets are of another version, missing or damaged; repaired by indexing the file
   *   again, which stays searchable.
   * - `TERMS_DAMAGED`: the index of a company's texts is broken or does not match its files; it is rebuilt.
   * - `ATTRIBUTES_DAMAGED`: the index of attributes does not match the files' attributes; it is rebuilt.
   * - `BLOB_UNOWNED`: stored bytes belong to no file; repaired by moving them to `lost+found`.
   */
  readonly code:
    | 'CATALOG_DAMAGED'
    | 'LIBRARY_UNREADABLE'
    | 'CHECK_FAILED'
    | 'TERMS_DAMAGED'
    | 'ATTRIBUTES_DAMAGED'
    | 'BLOB_MISSING'
    | 'BLOB_CHANGED'
    | 'BLOB_UNREADABLE'
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
  /**
   * The catalogue counts fewer commits than were made: a copy of it was put back, or its write-ahead log was lost.
   * Files that were put since are not in it; their bytes are in `lost+found`. Told until none of these is left there:
   * put again, taken back, or removed by `purge` or after `lostFoundDays`.
   */
  readonly catalogueIsOlder: boolean;
  readonly lostAndFound: LostAndFoundReport;
  /**
   * Files that were queued again: those whose descriptors are missing or unusable (`DESCRIPTOR_STALE`), which are not
   * found until they are read, then those whose texts, shapelets, PMI or faces are, or are of another version
   * (`CONTENT_STALE`).
   */
  readonly requeued: readonly StaleFile[];
}

/** What is in `lost+found` after a check, and what the check did there. */
export interface LostAndFoundReport {
  /** Byte strings that are there, and their size. */
  readonly count: number;
  readonly byteLength: number;
  /** Moved there by this check, because no row of the catalogue names them. */
  readonly moved: number;
  /** Taken back by this check, because a row names them. */
  readonly takenBack: number;
  /** Removed for good by `purge`. */
  readonly removed: number;
}
