import { randomUUID } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { rowsChanged } from '../database/caches.js';
import { GroupCommit } from '../database/group-commit.js';
import { attempt, BATCH_LIMIT, outcomeUnknown, reject, type Write } from '../database/write-batch.js';
import type { Writer, Writes } from '../database/writes.js';
import { isOutage, standbyRefuses, type Link } from './link.js';
import type { RowNotes } from './row-notes.js';
import { diverged, readLog, type ChangeName, type LogRow } from './change-rows.js';
import type { ServerLibrary, ServerTables } from './server-tables.js';
import type { TableChange, TableShape } from './table-shapes.js';

/** Pause before a write that the database could not take is tried again, ms. */
const RETRY_MS = 250;

/** What {@link SharedCommit} works with. */
interface SharedCommitParts {
  /** The connection on which writes run, to find out what they change; what they did is rolled back. */
  readonly database: Database;
  readonly notes: RowNotes;
  readonly link: Link;
  readonly tables: ServerTables;
  readonly shapes: ReadonlyMap<string, TableShape>;
  /** The last change that the replica holds. */
  readonly held: () => ChangeName;
  /** Brings rows into the replica. isOwn: this process wrote them. change: undefined while more of it follows. */
  readonly apply: (changes: readonly TableChange[], of: { isOwn: boolean; change: ChangeName | undefined }) => void;
  /** Time for which a write waits for a database that cannot be reached, ms. */
  readonly outageMs: number;
  /** Whether the database takes no writes now, because it is a standby. */
  readonly isStandby: () => boolean;
}

/** A batch whose commit was sent to the database. */
interface Sent {
  readonly number: number;
  readonly batch: string;
  readonly answers: readonly (() => void)[];
}

/**
 * Commits the writes of a process to the database that all processes of a library share. A batch takes the lock of the
 * library, reads what others changed, runs its writes on the replica to learn which rows they change, undoes them
 * there, and writes these rows to the database; after its commit the replica gets the same rows. So writes of all
 * processes run one after the other, each on the state that the one before left, and a process that dies leaves all of
 * a batch or nothing.
 */
export class SharedCommit implements Writes {
  /** Tables that every process has for itself are written to the replica alone. */
  readonly own: Writer;
  readonly #parts: SharedCommitParts;
  #waiting: Write[] = [];
  /** Number of a change that is known to be there, so that the replica is read up to it; 0: of none. */
  #known = 0;
  #working: Promise<void> | undefined;
  #failure: unknown;
  #diverged: EngineError | undefined;
  #isClosed = false;

  constructor(parts: SharedCommitParts) {
    this.#parts = parts;
    this.own = new GroupCommit(parts.database, { count: () => 0, committed: () => undefined, synced: () => undefined });
  }

  /** Why this process can go on no more: the database lacks changes that the replica holds. */
  get diverged(): EngineError | undefined {
    return this.#diverged;
  }

  /**
   * The library as it is now. held: number of the last change that the replica held before it was asked for.
   * @throws EngineError `STORAGE_FAILED` with `details.diverged` where it lacks that change.
   */
  seen({ number, isStandby }: ServerLibrary, held = this.#parts.held().number): void {
    if (isStandby || number >= held) return; // A standby lags.
    throw (this.#diverged ??= diverged());
  }

  run<T>(write: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ isDurable: true, run: write, resolve: resolve as (value: unknown) => void, reject });
      this.#work();
    });
  }

  /** The database decides how durable a commit is. */
  runDerived<T>(write: () => T): Promise<T> {
    return this.run(write);
  }

  async flush(): Promise<void> {
    while (this.#working !== undefined) await this.#working;
  }

  /** The replica shows what the database has committed. */
  async settled(): Promise<boolean> {
    return true;
  }

  /** A change with this number is there: reads up to it soon, unless the replica has it. Default: whatever is there. */
  follow(number = Infinity): void {
    this.#known = Math.max(this.#known, number);
    this.#work();
  }

  /** Reads everything that was changed before this call. @throws EngineError `STORAGE_FAILED`. */
  async catchUp(): Promise<void> {
    this.#failure = undefined;
    this.follow();
    await this.flush();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Writes that wait for an outage to end are rejected soon. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.flush();
  }

  #work(): void {
    this.#working ??= this.#loop().finally(() => {
      this.#working = undefined;
      if (this.#waiting.length > 0 || this.#known > 0) this.#work();
    });
  }

  async #loop(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve)); // The writes of one turn share a transaction.
    for (;;) {
      if (this.#waiting.length > 0) await this.#commit(this.#waiting.splice(0, BATCH_LIMIT));
      else if (this.#known > 0) {
        const isThere = this.#known <= this.#parts.held().number; // Our own change, mostly.
        this.#known = 0;
        if (isThere) continue;
        await this.#read().catch((cause: unknown) => {
          this.#failure = cause; // Whoever polls comes again.
        });
      } else return;
    }
  }

  /** Reads what others changed: from the log, or from the tables where the log does not reach back so far. */
  async #read(): Promise<void> {
    const { link, tables, held } = this.#parts;
    const { number } = held();
    if (number > 0 && (await this.#takeLogged(await tables.log(number)))) return;
    await link.transaction('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async () => {
      await this.#take(await tables.library());
      await link.query('COMMIT');
    });
  }

  /** Brings the replica up to the state of the library that the transaction sees. */
  async #take(library: ServerLibrary): Promise<void> {
    const { tables, held, apply } = this.#parts;
    const { number, forgotten } = library;
    const after = held().number;
    this.seen(library);
    if (number <= after) return;
    if (after > 0 && after < forgotten) throw tooOld();
    let last: readonly TableChange[] = [];
    for await (const part of tables.since(after)) {
      if (last.length > 0) apply(last, { isOwn: false, change: undefined });
      last = part;
    }
    apply(last, { isOwn: false, change: { number, batch: await tables.batchOf(number) } });
  }

  /** Brings in the changes of the log. False: it does not hold all that the replica lacks. */
  async #takeLogged(log: readonly LogRow[]): Promise<boolean> {
    const { shapes, held, apply } = this.#parts;
    let logged: ReturnType<typeof readLog>;
    try {
      logged = readLog(log, { held: held(), shapes });
    } catch (cause) {
      this.#diverged ??= cause as EngineError;
      throw cause;
    }
    for (const [at, { number, batch, changes }] of (logged ?? []).entries()) {
      if (at > 0) await new Promise((resolve) => setImmediate(resolve)); // Others use the event loop too.
      apply(changes, { isOwn: false, change: { number, batch } });
    }
    return logged !== undefined;
  }

  /** Of a standby: what changes nothing, such as the id of a company that is there, is answered; the rest refused. */
  async #refuse(batch: readonly Write[]): Promise<void> {
    await this.#read().catch(() => undefined); // Then the replica answers as it is.
    for (const write of batch) {
      const { answers, changes } = this.#run([write]);
      if (changes.length > 0) reject(write, standbyRefuses());
      else for (const answer of answers) answer();
    }
  }

  async #commit(batch: readonly Write[]): Promise<void> {
    if (this.#parts.isStandby()) return this.#refuse(batch);
    const until = performance.now() + this.#parts.outageMs;
    const state: { sent: Sent | undefined } = { sent: undefined };
    for (;;) {
      try {
        for (const answer of await this.#try(batch, state)) answer();
        return;
      } catch (cause) {
        if (isOutage(cause) && !this.#isClosed && performance.now() < until) {
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
          continue;
        }
        for (const write of batch)
          reject(write, state.sent !== undefined && cause instanceof EngineError ? outcomeUnknown(cause) : cause);
        return;
      }
    }
  }

  /** One attempt at a batch. Returns the answers to its callers. */
  #try(batch: readonly Write[], state: { sent: Sent | undefined }): Promise<readonly (() => void)[]> {
    const { link, tables, held, apply } = this.#parts;
    // The lock also waits for the end of an earlier attempt that the database may still be committing.
    return link.transaction(tables.lock(held().number), async (begun) => {
      const [[library], log] = begun.slice(-2) as [ServerLibrary[], LogRow[]];
      const isDone = state.sent === undefined ? false : await tables.isDone(state.sent);
      if (isDone === undefined) throw forgotten();
      this.seen(library);
      if (held().number === 0 || !(await this.#takeLogged(log))) await this.#take(library);
      if (isDone) {
        await link.query('ROLLBACK');
        return state.sent!.answers;
      }
      state.sent = undefined;
      const { answers, changes, unnamed } = this.#run(batch);
      if (changes.length === 0) {
        await link.query('ROLLBACK');
        return answers;
      }
      const name = { number: library.number + 1, batch: randomUUID() };
      await tables.write(changes, { ...name, unnamed });
      state.sent = { ...name, answers };
      await link.query('COMMIT');
      apply(changes, { isOwn: true, change: name });
      return answers;
    });
  }

  /** Runs the writes on the replica, notes what they change and undoes it, all in one turn of the event loop. */
  #run(batch: readonly Write[]): { answers: (() => void)[]; changes: TableChange[]; unnamed: readonly string[] } {
    const { database, notes } = this.#parts;
    let changes: TableChange[];
    const answers: (() => void)[] = [];
    database.exec('BEGIN IMMEDIATE');
    try {
      notes.begin();
      for (const write of batch) answers.push(attempt(database, write));
      changes = notes.changes();
    } finally {
      if (database.inTransaction) database.exec('ROLLBACK');
      rowsChanged(database);
    }
    return { answers, changes: notes.withCompanies(changes), unnamed: notes.unnamed(changes) };
  }
}

/** Of a batch that may have been committed so long ago that nothing tells any more. */
function forgotten(): EngineError {
  return new EngineError(
    'STORAGE_FAILED',
    'the connection to the database broke at a commit, and when it was back the log of changes began after it',
  );
}

function tooOld(): EngineError {
  return new EngineError(
    'STORAGE_FAILED',
    'the replica lags so far that the database has forgotten what was deleted since; open the library again, which fills it anew',
  );
}
