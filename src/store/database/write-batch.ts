import type { Database } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { storageError } from './storage-errors.js';

/** Most writes in one transaction, so that the event loop is never held for long. */
export const BATCH_LIMIT = 64;

/** A write that waits for its transaction. */
export interface Write {
  /** Whether the disk is waited for. */
  readonly isDurable: boolean;
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Runs one write inside the transaction of its batch; a failing one is undone alone. Returns what to tell its caller
 * after the commit.
 */
export function attempt(database: Database, write: Write): () => void {
  database.exec('SAVEPOINT one');
  try {
    const value = write.run();
    if (value instanceof Promise) {
      value.catch(() => undefined); // The caller gets the error below.
      throw new TypeError('a write to the catalogue must not be asynchronous: it returned a promise');
    }
    database.exec('RELEASE one');
    return () => write.resolve(value);
  } catch (cause) {
    if (!database.inTransaction) throw cause; // A full disk has rolled back the whole transaction.
    database.exec('ROLLBACK TO one');
    database.exec('RELEASE one');
    return () => reject(write, cause);
  }
}

/**
 * A commit that the disk refused may be found done by a process that opens the library after this one died. Readers
 * here see it where SQLite took it and the sync after it was refused; where `COMMIT` was refused it is undone here,
 * though its bytes may be in the log. `details.outcome` 'unknown' says all this.
 */
export function outcomeUnknown(cause: unknown): EngineError {
  const { code, message, details } = storageError('write to the catalogue', cause);
  return new EngineError(code, message, { details: { ...details, outcome: 'unknown' }, cause });
}

/** Whether the write that failed with this may be visible, or be found done after a crash. */
export function isOutcomeUnknown(cause: unknown): boolean {
  return cause instanceof EngineError && cause.details['outcome'] === 'unknown';
}

/** Rejects a write with a coded error, or with a programming error as it is. */
export function reject(write: Write, cause: unknown): void {
  try {
    write.reject(storageError('write to the catalogue', cause));
  } catch (mistake) {
    write.reject(mistake);
  }
}
