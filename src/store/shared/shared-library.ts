import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { openCatalog } from '../catalog/open-catalog.js';
import { CATALOG_VERSION, type Steps } from '../catalog/migrations.js';
import type { ChangeLog } from '../database/change-log.js';
import { rowsChanged } from '../database/caches.js';
import { prepared } from '../database/prepared.js';
import type { ArrivedRows, FileKey, RoomTables } from '../rooms.js';
import type { ChangeName } from './change-rows.js';
import { Link } from './link.js';
import { Processes } from './processes.js';
import { openAsReplica, Replica } from './replica.js';
import { RowNotes } from './row-notes.js';
import { ServerTables, type ServerLibrary } from './server-tables.js';
import { SharedCommit } from './shared-commit.js';
import { SharedAttempts } from './shared-attempts.js';
import { Unowned } from './unowned.js';
import { CHANGED } from './write-statements.js';
import { keyPlaces, tableShapes, type RowValue, type TableChange, type TableShape } from './table-shapes.js';

/** Time between two looks at the number of changes, ms, so that a notification that was missed costs no more. */
const POLL_MS = 1_000;

/** The same after a look that failed, ms: leases must be renewed before they end. */
const RETRY_MS = 200;

/** Least time for a statement of a look, ms. */
const LEAST_STATEMENT_MS = 2_000;

/** How a library in PostgreSQL is opened. */
export interface SharedOptions {
  readonly url: string;
  /** Longest time for connecting, ms. */
  readonly connectMs: number;
  /** Time without a sign of life after which a process counts as dead, ms. */
  readonly leaseMs: number;
  /** Time for which a write waits for a database that cannot be reached, ms. */
  readonly outageMs: number;
  /** How old the replica may be, ms; undefined: as old as it is. */
  readonly ageMs: number | undefined;
}

/** What other processes changed. */
export interface ForeignChanges {
  /** Files that came, changed or went. */
  readonly files: readonly { readonly companyId: number; readonly fileId: number }[];
  /** Files whose job ended. */
  readonly ended: readonly number[];
  /** Whether jobs came or were put back. */
  readonly hasJobs: boolean;
}

/** What a process does with its library besides reading and writing. */
export interface SharedEvents {
  readonly changed: (changes: ForeignChanges) => void;
  /** Processes that held these numbers of owners died: their jobs wait again. */
  readonly died: (owners: readonly number[]) => Promise<void>;
  /** This process was silent for longer than a lease: others may have taken its jobs for those of a dead one. */
  readonly returned: () => Promise<void>;
  /** Numbers of the processes that have jobs. */
  readonly owners: () => readonly number[];
  /** The bytes of files, for removing what no row names. */
  readonly bytes: Parameters<Unowned['look']>[1];
}

/** What the store gives to its shared library when it has opened its tables. */
interface Attached {
  readonly changes: ChangeLog;
  /** The rooms on the connection that applies changes. */
  readonly rooms: (replica: Database) => readonly RoomTables[];
}

/**
 * The part of a library that lives in PostgreSQL: its replica in a folder, the connections, and this process among the
 * others. See README.md, "Many machines".
 */
export class SharedLibrary {
  readonly database: Database;
  readonly writes: SharedCommit;
  readonly processes: Processes;
  readonly unowned: Unowned;
  readonly attempts: SharedAttempts;
  readonly #library: ServerLibrary;
  readonly #replica: Replica;
  readonly #work: Link;
  readonly #watch: Link;
  readonly #puts: Link;
  readonly #signIns: Link;
  readonly #watched: ServerTables;
  readonly #leaseMs: number;
  readonly #ageMs: number | undefined;
  #attached: Attached | undefined;
  #rooms: readonly RoomTables[] | undefined;
  #events: SharedEvents | undefined;
  /** The replica is being filled: what rooms derive from its rows is made afterwards. */
  #isFilling = false;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> | undefined;
  #renewedAt = -Infinity;
  /** When the last look ended that reached the database. */
  #lookedAt: number | undefined;
  /**
   * Until when nobody is judged dead: others may have missed the look that this process missed. Infinity: it misses
   * them.
   */
  #waitsUntil: number | undefined;
  #listensOn = false;
  /** The database is a standby: this process reads, until it is promoted. */
  #isStandby: boolean;
  #isClosed = false;

  private constructor(
    { url, connectMs, leaseMs, outageMs, ageMs }: SharedOptions,
    opened: { database: Database; replica: Replica; shapes: readonly TableShape[]; library: ServerLibrary; work: Link },
  ) {
    const { database, replica, shapes, library, work } = opened;
    this.database = database;
    this.#replica = replica;
    this.#library = library;
    this.#isStandby = library.isStandby;
    this.#work = work;
    this.#leaseMs = leaseMs;
    this.#ageMs = ageMs;
    // A silent network must be noticed, and the lease renewed on another connection, before the lease ends.
    this.#watch = new Link({ url, connectMs, statementMs: Math.max(LEAST_STATEMENT_MS, leaseMs / 3) });
    this.#watch.onNotice = (number) => this.writes.follow(Number(number) || undefined);
    this.#watched = new ServerTables(this.#watch, shapes);
    this.#puts = new Link({ url, connectMs });
    this.unowned = new Unowned({ puts: this.#puts, outageMs, isStandby: () => this.#isStandby });
    this.#signIns = new Link({ url, connectMs });
    this.attempts = new SharedAttempts(this.#signIns);
    this.processes = new Processes(this.#watch, leaseMs);
    this.writes = new SharedCommit({
      database,
      notes: new RowNotes(database, shapes),
      link: work,
      tables: new ServerTables(work, shapes),
      shapes: new Map(shapes.map((shape) => [shape.name, shape])),
      held: () => replica.held,
      apply: (changes, of) => this.#apply(changes, of),
      outageMs,
      isStandby: () => this.#isStandby,
    });
  }

  /**
   * Connects, makes the library where there is none, and opens the replica in a folder whose lock the caller holds; one
   * of another library or version is made anew.
   * @throws EngineError `STORAGE_FAILED`, `LIBRARY_UNREADABLE`, `PACKAGE_MISSING`.
   */
  static async open(folder: string, steps: readonly Steps[], options: SharedOptions): Promise<SharedLibrary> {
    const work = new Link(options);
    let opened = openReplica(folder, steps);
    try {
      const shapes = tableShapes(opened.database);
      const library = await new ServerTables(work, shapes).make();
      const { facts } = opened.replica;
      if (
        facts === undefined ||
        facts.library !== library.id ||
        facts.number === 0 ||
        facts.number > library.number ||
        facts.number < library.forgotten ||
        (await isOther(facts, new ServerTables(work, shapes)))
      ) {
        closeReplica(opened);
        removeReplica(folder);
        opened = openReplica(folder, steps);
      }
      // What the steps themselves entered is the same everywhere.
      return new SharedLibrary(options, { ...opened, shapes: tableShapes(opened.database), library, work });
    } catch (cause) {
      closeReplica(opened);
      await work.close();
      throw cause;
    }
  }

  /** See `OpenCatalog.state`; also of a library that was closed. */
  get state(): string | undefined {
    const sql = 'SELECT library, number FROM replica';
    const found = prepared<[], { library: string; number: number }>(this.database, sql).get();
    return found && `replica ${CATALOG_VERSION} of ${found.library}, change ${found.number}`;
  }

  /** Call it once, when the store has opened its tables; before it nothing is read or written. */
  attach(attached: Attached): void {
    this.#attached = attached;
  }

  /** Fills the replica or brings it up to date, and enters this process. */
  async begin(): Promise<void> {
    this.#isFilling = this.#replica.facts === undefined;
    await this.writes.catchUp();
    this.#isFilling = false;
    if (!this.#isStandby) await this.processes.enter();
  }

  /** From now on follows the changes of others and looks after dead processes. */
  watch(events: SharedEvents): void {
    this.#events = events;
    const next = (): void => {
      if (this.#isClosed) return;
      this.#looking = this.#look().then((reached) => {
        this.#looking = undefined;
        if (!this.#isClosed) this.#timer = setTimeout(next, reached ? POLL_MS : RETRY_MS).unref();
      });
    };
    next();
  }

  /** `STORAGE_FAILED` once the database lacks what the replica holds, or was not reached for `replicaAgeMs`. */
  get tooOld(): EngineError | undefined {
    if (this.writes.diverged !== undefined) return this.writes.diverged;
    if (this.#ageMs === undefined || this.#lookedAt === undefined) return undefined;
    const ageMs = Math.round(performance.now() - this.#lookedAt);
    if (ageMs <= this.#ageMs) return undefined;
    return new EngineError(
      'STORAGE_FAILED',
      `the database of the library was last reached ${ageMs} ms ago; the replica answers for up to ${this.#ageMs} ms (replicaAgeMs)`,
      { details: { outage: true, ageMs } },
    );
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.unowned.end();
    clearTimeout(this.#timer);
    await this.writes.close();
    await this.#looking;
    await this.processes.leave().catch(() => undefined); // Then its lease ends.
    await Promise.all([this.#work.close(), this.#watch.close(), this.#puts.close(), this.#signIns.close()]);
    this.#replica.close();
  }

  /** One look at the database. False: it could not be reached; the next look tries again. */
  async #look(): Promise<boolean> {
    // Its lease ends, so that others take what it was reading.
    if (this.writes.diverged !== undefined) return true;
    try {
      if (this.#isStandby) this.#isStandby = await this.#watched.isStandby();
      if (!this.#isStandby && (!this.#watch.isUp || !this.#listensOn)) {
        this.#listensOn = false;
        await this.#watch.query(`LISTEN ${CHANGED}`);
        this.#listensOn = true;
      }
      const held = this.#replica.number;
      const library = await this.#watched.library();
      this.writes.seen(library, held);
      const { number } = library;
      if (number > this.#replica.number) this.writes.follow(number);
      if (!this.#isStandby && performance.now() - this.#renewedAt >= this.#leaseMs / 3) {
        await this.#renew();
        if (number === this.#replica.number && this.#events !== undefined)
          await this.unowned.look(this.#watch, this.#events.bytes);
      }
      this.#lookedAt = performance.now();
      return true;
    } catch {
      // An outage: whoever writes is told.
      this.#listensOn = false;
      this.#renewedAt = -Infinity;
      this.#waitsUntil = Infinity;
      return false;
    }
  }

  /** Says that this process lives, and looks after those that do not. */
  async #renew(): Promise<void> {
    if (this.processes.id === 0) await this.processes.enter();
    else if (!(await this.processes.renew(this.#replica.number))) await this.#events?.returned();
    const now = performance.now();
    this.#renewedAt = now;
    if (this.#isJudge(now)) {
      const dead = await this.processes.dead(this.#events?.owners() ?? []);
      if (dead.length > 0) await this.#events?.died(dead);
    }
    await this.processes.forget();
    await this.attempts.forget(this.#watch);
    await this.#watched.trim();
    await this.#watched.forgetGone();
  }

  /**
   * Whether this process may tell who is dead. After an outage, or when it slept, others may not have renewed their
   * leases either: they get a lease's time. Then it tells even if it slept once more, so that a slow one tells at all.
   */
  #isJudge(now: number): boolean {
    if (this.#waitsUntil === Infinity) this.#waitsUntil = now + this.#leaseMs;
    else if (this.#waitsUntil === undefined) {
      const slept = this.#lookedAt !== undefined && now - this.#lookedAt > this.#leaseMs / 2 + POLL_MS;
      if (slept) this.#waitsUntil = now + this.#leaseMs;
    } else if (now >= this.#waitsUntil) this.#waitsUntil = undefined;
    return this.#waitsUntil === undefined;
  }

  #apply(changes: readonly TableChange[], { isOwn, change }: { isOwn: boolean; change: ChangeName | undefined }): void {
    const { changes: log, rooms: openRooms } = this.#attached!;
    const touched = touchedBy(changes);
    try {
      this.#replica.begin();
      const rooms = this.#isFilling ? [] : (this.#rooms ??= openRooms(this.#replica.database));
      for (const room of rooms) room.rowsArriving?.(touched);
      this.#replica.put(changes);
      for (const room of rooms) room.rowsArrived?.(touched);
      this.#replica.commit({ library: this.#library.id, ...(change ?? this.#replica.held) });
    } catch (cause) {
      this.#replica.rollBack();
      this.#rooms = undefined; // They may remember tables that were not made.
      throw cause;
    } finally {
      rowsChanged(this.database);
    }
    for (const fileId of touched.noted) log.note(fileId);
    if (!isOwn) this.#events?.changed(foreign(changes));
  }
}

/** Tables that words are made of. */
const OF_WORDS: ReadonlySet<string> = new Set(['file', 'attribute', 'extracted', 'text_page']);

/** Tables of attributes. */
const OF_ATTRIBUTES: ReadonlySet<string> = new Set(['attribute', 'extracted']);

/** Tables of files that no search reads. */
const UNNOTED: ReadonlySet<string> = new Set(['job', 'delivery']);

function touchedBy(changes: readonly TableChange[]): ArrivedRows & { readonly noted: ReadonlySet<number> } {
  const files = new Set<number>();
  const noted = new Set<number>();
  const companies: number[] = [];
  const attributed = new Map<number, FileKey>();
  for (const change of changes) {
    const { name, columns } = change.shape;
    if (OF_ATTRIBUTES.has(name)) for (const file of filesOf(change)) attributed.set(file.fileId, file);
    if (name === 'company') companies.push(...idsOf(change, 'id'));
    const column = name === 'file' ? 'id' : 'file_id';
    if (UNNOTED.has(name) || !columns.some((one) => one.name === column)) continue;
    for (const fileId of idsOf(change, column)) {
      noted.add(fileId);
      if (OF_WORDS.has(name)) files.add(fileId);
    }
  }
  return { companies, files: [...files].sort((a, b) => a - b), attributed: [...attributed.values()], noted };
}

/** The numbers in a column of changed rows, and of gone ones where it is a part of the key. */
function idsOf({ shape, rows, gone }: TableChange, column: string): number[] {
  const at = shape.columns.findIndex(({ name }) => name === column);
  const inKey = shape.key.indexOf(column);
  const found: RowValue[] = rows.map((row) => row[at]);
  if (inKey >= 0) found.push(...gone.map((key) => key[inKey]));
  return found.filter((one) => typeof one === 'number');
}

/** The files of rows whose key begins with theirs. */
function filesOf({ shape, rows, companies, gone, goneCompanies }: TableChange): FileKey[] {
  const [at] = keyPlaces(shape);
  return [
    ...rows.map((row, i) => ({ companyId: companies[i], fileId: row[at] as number })),
    ...gone.map((key, i) => ({ companyId: goneCompanies[i], fileId: key[0] as number })),
  ];
}

function foreign(changes: readonly TableChange[]): ForeignChanges {
  const files = changes.filter(({ shape }) => shape.name === 'file').flatMap(filesOf);
  const jobs = changes.filter(({ shape }) => shape.name === 'job');
  return {
    files,
    ended: jobs.flatMap(({ gone }) => gone.map(([fileId]) => fileId as number)),
    hasJobs: jobs.some(({ rows }) => rows.length > 0),
  };
}

function openReplica(folder: string, steps: readonly Steps[]): { database: Database; replica: Replica } {
  let database: Database;
  try {
    database = openCatalog(folder, steps);
  } catch {
    // Derived: one that does not open is made again.
    removeReplica(folder);
    database = openCatalog(folder, steps);
  }
  try {
    openAsReplica(database);
    return { database, replica: new Replica(folder) };
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/** Whether the database has another change of the number of the last one that a replica holds. */
async function isOther({ number, batch }: ChangeName, tables: ServerTables): Promise<boolean> {
  const found = batch === undefined ? undefined : await tables.batchOf(number);
  return found !== undefined && found !== batch;
}

function closeReplica({ database, replica }: { database: Database; replica: Replica }): void {
  replica.close();
  database.close();
}

function removeReplica(folder: string): void {
  for (const name of ['catalog.sqlite', 'catalog.sqlite-wal', 'catalog.sqlite-shm'])
    rmSync(join(folder, name), { force: true });
}
