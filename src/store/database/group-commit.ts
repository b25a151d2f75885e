import type { Database } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import type { CommitCount } from './commit-count.js';
import { attempt, BATCH_LIMIT, outcomeUnknown, reject, type Write } from './write-batch.js';
import type { Writes } from './writes.js';

/**
 * Time after which a transaction takes up no more writes, ms: the others wait for the next turn of the event loop, so
 * that a search waits for no more than one of them. Storing what was read of a file takes 1 to 3 ms.
 */
const TURN_MS = 6;

/**
 * Collects the writes of one turn of the event loop into one transaction, because a commit waits for the disk and
 * writes do not. Each write is all-or-nothing by itself; its promise resolves only when the transaction that holds it
 * is on disk, or with {@link runDerived} when it is written.
 * Writes run in the order of the calls. A transaction never spans turns, so readers on this connection see only
 * commits; writes that take long are spread over several transactions, one a turn.
 */
export class GroupCommit implements Writes {
  /** All tables of a folder are its own. */
  readonly own = this;
  readonly #database: Database;
  readonly #commits: Pick<CommitCount, 'count' | 'committed'>;
  #waiting: Write[] = [];
  /** Whether the connection waits for the disk. */
  #waits = true;
  #scheduled = false;

  constructor(database: Database, commits: Pick<CommitCount, 'count' | 'committed'>) {
    this.#database = database;
    this.#commits = commits;
  }

  /**
   * Runs `write` (synchronous, only touching the database) and resolves with its value once committed. Rejects with a
   * TypeError when it returns a promise: its work would continue after the transaction; what it did is undone.
   */
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
      this.#schedule();
    });
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      // None: `flush` has committed them.
      if (this.#waiting.length > 0) this.#commit(performance.now() + TURN_MS);
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  /** Commits all waiting writes now. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) this.#commit(Infinity);
  }

  /** Commits the next writes; after the time `until` it takes up no more of them. */
  #commit(until: number): void {
    // The disk is waited for by the transaction as a whole, which is said before it begins.
    const next = this.#waiting.slice(0, BATCH_LIMIT);
    const isDurable = next.some((write) => write.isDurable);
    const batch: Write[] = [];
    const answers: (() => void)[] = [];
    let isCommitting = false;
    try {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK'); // Refused after an earlier batch.
      this.#waitForDisk(isDurable);
      this.#database.exec('BEGIN IMMEDIATE');
      for (const write of next) {
        if (batch.length > 0 && performance.now() > until) break;
        batch.push(write);
        answers.push(attempt(this.#database, write));
      }
      if (isDurable) this.#commits.count();
      isCommitting = true;
      this.#database.exec('COMMIT');
      if (isDurable) this.#commits.committed();
    } catch (cause) {
      this.#rollBack();
      // Before any was taken up, all of them would be refused alike.
      const refused = batch.length === 0 ? next : batch;
      this.#waiting.splice(0, refused.length);
      for (const write of refused) reject(write, isCommitting ? outcomeUnknown(cause) : cause);
      return;
    }
    this.#waiting.splice(0, batch.length);
    for (const answer of answers) answer();
  }

  /** Of a transaction that a failing disk has not ended already. What it refuses here, the next `BEGIN` reports. */
  #rollBack(): void {
    try {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    } catch (cause) {
      if (!(cause instanceof EngineError)) throw cause;
    }
  }

  /** Call it outside of transactions: SQLite does not change the setting inside one. */
  #waitForDisk(isDurable: boolean): void {
    if (this.#waits === isDurable) return;
    this.#database.exec(`PRAGMA synchronous = ${isDurable ? 'FULL' : 'NORMAL'}`);
    this.#waits = isDurable;
  }
}
