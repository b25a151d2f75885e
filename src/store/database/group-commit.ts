import type { Database } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { CatalogLog } from './catalog-log.js';
import type { CommitCount } from './commit-count.js';
import { attempt, BATCH_LIMIT, outcomeUnknown, reject, type Write } from './write-batch.js';
import type { Writes } from './writes.js';

/**
 * Time after which a transaction takes up no more writes, ms: the others wait for the next turn of the event loop, so
 * that a search waits for no more than one of them. Storing what was read of a file takes 1 to 3 ms.
 */
const TURN_MS = 6;

/** A transaction that is committed and visible; whoever asked for it has not been told yet. */
interface Committed {
  readonly writes: readonly Write[];
  readonly answers: readonly (() => void)[];
  /** The number of a durable commit, which waits for the disk; undefined: it does not. */
  readonly number: number | undefined;
}

/**
 * Collects the writes of one turn of the event loop into one transaction, and tells of it when it is on disk. SQLite
 * writes the log without a sync; the log is then synced on another thread, one sync for all commits that came before
 * it began. Meanwhile this thread searches and commits on.
 *
 * Each write is all-or-nothing by itself. Its promise resolves only when its transaction is on disk, or with
 * {@link runDerived} when it is written and all before it is on disk, so answers come in the order of the calls. A
 * transaction never spans turns, so readers on this connection see only commits, some of them milliseconds before they
 * are on disk: who destroys what a commit no longer needs asks {@link settled} first. The catalogue is in WAL mode.
 */
export class GroupCommit implements Writes {
  /** All tables of a folder are its own. */
  readonly own = this;
  readonly #database: Database;
  readonly #commits: Pick<CommitCount, 'count' | 'committed' | 'synced'>;
  readonly #log: CatalogLog;
  readonly #refused: () => void;
  #waiting: Write[] = [];
  #committed: Committed[] = [];
  #isScheduled = false;
  #syncing: Promise<void> | undefined;
  /** Whether a sync of the log was refused: nothing is written until the log is on disk after all. */
  #isBroken = false;

  /** refused: called when the disk refused what is committed and visible, so that its outcome is unknown. */
  constructor(
    database: Database,
    commits: Pick<CommitCount, 'count' | 'committed' | 'synced'>,
    { refused = () => undefined }: { refused?: () => void } = {},
  ) {
    this.#database = database;
    this.#commits = commits;
    this.#refused = refused;
    // A checkpoint syncs log and catalogue also then, in this order.
    database.exec('PRAGMA synchronous = NORMAL');
    this.#log = new CatalogLog(database);
  }

  /**
   * Runs `write` (synchronous, only touching the database) and resolves with its value once it is on disk. Rejects with
   * a TypeError when it returns a promise: its work would continue after the transaction; what it did is undone.
   */
  run<T>(write: () => T): Promise<T> {
    return this.#enter(write, { isDurable: true });
  }

  /**
   * The same for what can be derived again: it survives the end of this process, but a power cut may undo it, back to
   * the last durable write. It does not wait for the disk, unless a durable write before it or of the same turn does.
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
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      if (this.#isBroken) this.#sync();
      // None: `flush` has committed them.
      else if (this.#waiting.length > 0) this.#commit(performance.now() + TURN_MS);
      if (this.#waiting.length > 0 && !this.#isBroken) this.#schedule();
    });
  }

  /** Commits all waiting writes now, and resolves when they are on disk or refused. */
  async flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      if (!this.#isBroken) this.#commit(Infinity);
      else {
        this.#sync();
        await this.#syncing;
      }
    }
    await this.settled();
  }

  /** Whether all durable writes that readers see now are on disk, once that is known. */
  async settled(): Promise<boolean> {
    if (this.#syncing === undefined) return !this.#isBroken;
    return new Promise((resolve) => {
      const told: Write = {
        isDurable: false,
        run: () => true,
        resolve: () => resolve(true),
        reject: () => resolve(false),
      };
      this.#committed.push({ writes: [told], answers: [() => resolve(true)], number: undefined });
    });
  }

  /** Commits the next writes; after the time `until` it takes up no more of them. */
  #commit(until: number): void {
    const next = this.#waiting.slice(0, BATCH_LIMIT);
    const batch: Write[] = [];
    const answers: (() => void)[] = [];
    let number: number | undefined;
    let isCommitting = false;
    try {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK'); // Refused after an earlier batch.
      this.#database.exec('BEGIN IMMEDIATE');
      for (const write of next) {
        if (batch.length > 0 && performance.now() > until) break;
        batch.push(write);
        answers.push(attempt(this.#database, write));
      }
      if (batch.some(({ isDurable }) => isDurable)) number = this.#commits.count();
      isCommitting = true;
      this.#database.exec('COMMIT');
      if (number !== undefined) this.#commits.committed(number);
    } catch (cause) {
      this.#rollBack();
      // Before any was taken up, all of them would be refused alike.
      const refused = batch.length === 0 ? next : batch;
      this.#waiting.splice(0, refused.length);
      for (const write of refused) reject(write, isCommitting ? outcomeUnknown(cause) : cause);
      return;
    }
    this.#waiting.splice(0, batch.length);
    if (number === undefined && this.#syncing === undefined) {
      for (const answer of answers) answer();
      return;
    }
    this.#committed.push({ writes: batch, answers, number });
    this.#sync();
  }

  #sync(): void {
    this.#syncing ??= this.#syncAll().finally(() => {
      this.#syncing = undefined;
      if (this.#committed.length > 0) this.#sync();
      if (this.#waiting.length > 0) this.#schedule();
    });
  }

  /** Syncs the log until all commits are on disk, and tells of each. */
  async #syncAll(): Promise<void> {
    let refusal: unknown;
    if (this.#isBroken) {
      refusal = await this.#mend();
      if (refusal !== undefined) for (const write of this.#waiting.splice(0)) reject(write, refusal);
    }
    while (this.#committed.length > 0) {
      const batch = this.#committed.splice(0);
      const number = batch.findLast((one) => one.number !== undefined)?.number;
      if (refusal === undefined && number !== undefined) {
        refusal = await this.#log.sync().then(
          () => undefined,
          () => this.#mend(),
        );
        if (refusal === undefined) this.#commits.synced(number);
        else this.#refused();
      }
      // What was committed meanwhile lies behind it in the log.
      if (refusal !== undefined) batch.push(...this.#committed.splice(0));
      for (const { writes, answers } of batch) {
        if (refusal === undefined) for (const answer of answers) answer();
        else for (const write of writes) reject(write, outcomeUnknown(refusal));
      }
    }
  }

  /** After a sync that was refused: writes the log again. Returns why that is refused too; undefined: it is on disk. */
  async #mend(): Promise<unknown> {
    this.#isBroken = true; // Nothing may write to the log meanwhile.
    try {
      await this.#log.rewrite();
      this.#isBroken = false;
      return undefined;
    } catch (cause) {
      return cause;
    }
  }

  /** Of a transaction that a failing disk has not ended already. What it refuses here, the next `BEGIN` reports. */
  #rollBack(): void {
    try {
      if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
    } catch (cause) {
      if (!(cause instanceof EngineError)) throw cause;
    }
  }
}
