import type { Database } from 'better-sqlite3';
import { storageError } from './storage-errors.js';

/** Most writes in one transaction, so that the event loop is never held for long. */
const BATCH_LIMIT = 64;

interface Write {
  /** Whether the disk is waited for. */
  readonly isDurable: boolean;
  readonly run: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Collects the writes of one turn of the event loop into one transaction, because a commit waits for the disk and
 * writes do not. Each write is all-or-nothing by itself; its promise resolves only when the transaction that holds it
 * is on disk, or with {@link runDerived} when it is written.
 * Writes run in the order of the calls. A transaction never spans turns, so readers on this connection see only
 * commits.
 */
export class GroupCommit {
  readonly #database: Database;
  readonly #onUndone: () => void;
  #waiting: Write[] = [];
  #scheduled = false;

  /** onUndone: called after a write or a whole transaction was rolled back. */
  constructor(database: Database, onUndone: () => void = () => undefined) {
    this.#database = database;
    this.#onUndone = onUndone;
  }

  /** Runs `write` (synchronous, only touching the database) and resolves with its value once committed. */
  run<T>(write: () => T): Promise<T> {
    return this.#enter(write, { isDurable: true });
  }

  /**
   * The same for what can be derived again: it survives the end of this process, but a power cut may undo it, back to
   * the last durable write. It does not wait for the disk, unless a durable write of the same turn does.
   */
  runDerived<T>(write: () => T): Promise<T> {
    return this.#enter(write, { isDurable: false });
  }

  #enter<T>(write: () => T, { isDurable }: Pick<Write, 'isDurable'>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ isDurable, run: write, resolve: resolve as (value: unknown) => void, reject });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.flush();
      });
    });
  }

  /** Commits all waiting writes now. */
  flush(): void {
    while (this.#waiting.length > 0) this.#commit(this.#waiting.splice(0, BATCH_LIMIT));
  }

  #commit(batch: readonly Write[]): void {
    const answers: (() => void)[] = [];
    const isDurable = batch.some((write) => write.isDurable);
    try {
      if (!isDurable) this.#waitForDisk(false);
      this.#database.exec('BEGIN IMMEDIATE');
      for (const write of batch) answers.push(this.#attempt(write));
      this.#database.exec('COMMIT');
    } catch (cause) {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
      this.#onUndone();
      for (const write of batch) reject(write, cause);
      return;
    } finally {
      if (!isDurable) this.#waitForDisk(true);
    }
    for (const answer of answers) answer();
  }

  /** Call it outside of transactions: SQLite does not change the setting inside one. */
  #waitForDisk(isDurable: boolean): void {
    this.#database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
  }

  /**
   * Runs one write inside the transaction; a failing one is undone alone. Returns what to tell its caller after the
   * commit.
   */
  #attempt(write: Write): () => void {
    this.#database.exec('SAVEPOINT one');
    try {
      const value = write.run();
      this.#database.exec('RELEASE one');
      return () => write.resolve(value);
    } catch (cause) {
      if (!this.#database.inTransaction) throw cause; // A full disk has rolled back the whole transaction.
      this.#database.exec('ROLLBACK TO one');
      this.#database.exec('RELEASE one');
      this.#onUndone();
      return () => reject(write, cause);
    }
  }
}

function reject(write: Write, cause: unknown): void {
  try {
    write.reject(storageError('write to the catalogue', cause));
  } catch (mistake) {
    write.reject(mistake);
  }
}
