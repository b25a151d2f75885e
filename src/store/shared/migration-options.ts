import type { BlobFault } from '../disk/blob-file.js';

/** Progress of moving a library. */
export interface MigrationProgress {
  /** What is being copied: bytes of files (each once), rows, or rows read back and compared. */
  readonly what: 'bytes' | 'rows' | 'check';
  readonly done: number;
  readonly total: number;
}

/** Options of moving a library. */
export interface MigrationOptions {
  /** Where the bytes of the library in PostgreSQL are, as `blobs` of `Engine.open`. */
  readonly blobs: string;
  /** Longest time for connecting to the database, ms. Default 10 000. */
  readonly connectTimeoutMs: number;
  readonly onProgress: ((progress: MigrationProgress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Defaults of {@link MigrationOptions}. */
export const MIGRATION_DEFAULTS: Omit<MigrationOptions, 'blobs'> = Object.freeze({
  connectTimeoutMs: 10_000,
  onProgress: undefined,
  signal: undefined,
});

/** What was moved. */
export interface MigrationReport {
  /** Rows of each table, by its name; both libraries have the same, by count and digest. */
  readonly tables: Readonly<Record<string, number>>;
  /** Byte strings that the new library holds, all checked against their SHA-256. */
  readonly blobs: number;
  /** Their bytes. */
  readonly bytes: number;
  /** How many of them an earlier run had copied. */
  readonly kept: number;
  /** Byte strings that the old library itself has no longer whole: the new one lacks them. Empty: it is whole. */
  readonly damaged: readonly { readonly hash: string; readonly fault: BlobFault }[];
}
