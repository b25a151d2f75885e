import { dirname, join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import { EngineError, type ErrorCode } from '../errors.js';
import type { CompanySettings } from '../options.js';
import type {
  AssemblyDoor,
  CategoryDoor,
  ComponentDoor,
  DuplicateDoor,
  FileDoor,
  PmiDoor,
  SearchInputDoor,
  ViewDoor,
  WatchedFileDoor,
} from './catalogue.js';
import { categoryDoor, duplicateDoor, fileDoor, searchInputDoor, watchedFileDoor } from './sqlite-doors.js';
import { Assemblies } from './catalog/assemblies.js';
import { Components } from './catalog/components.js';
import type { Attribute } from './catalog/attribute.js';
import { BlobStore, isStream, syncFolder, type ByteSource } from './disk/blobs.js';
import { ChangeLog } from './database/change-log.js';
import { Categories } from './catalog/categories.js';
import { readSettings, writeSettings } from './catalog/company-settings.js';
import { Duplicates } from './catalog/duplicate-records.js';
import { Files, type EnteredFile, type NewFile, type RemovedFile } from './catalog/files.js';
import { GroupCommit } from './database/group-commit.js';
import { Jobs, type Job } from './catalog/jobs.js';
import { KeyedLock } from './database/keyed-lock.js';
import { checkFolder, makeCacheFolder, makeLibraryFolder } from './disk/library-folder.js';
import { LibraryLock } from './disk/lock.js';
import { openCatalog } from './database/open-catalog.js';
import type { FileRecord, FileRow, StaleFile } from './catalog/record.js';
import { Pictures } from './disk/pictures.js';
import { SearchInputs } from './catalog/search-inputs.js';
import { Searchable } from './catalog/searchable.js';
import { Shapes } from './catalog/shapes.js';
import { libraryStats, type LibraryStats } from './catalog/stats.js';
import { storageError } from './database/storage-errors.js';
import { RoomEvents, type Rooms, type RoomTablesOf } from './rooms.js';
import { Settings } from './database/settings.js';
import { PmiTable } from './catalog/pmi-table.js';
import { Views } from './catalog/views.js';
import { WatchedFiles } from './catalog/watched-files.js';
import { verifyLibrary } from './verify.js';
import type { ComponentRow } from './catalog/assembly-component.js';
import type { DescriptorRules, IndexedFile } from './catalog/indexed-file.js';
import type { VerifyOptions, VerifyReport } from './verify-report.js';

/** How a store is opened. */
export interface StoreOptions<R extends Rooms = Rooms> {
  /** Largest file accepted, bytes. */
  readonly fileBytesLimit: number;
  /** A file fails after this many processes died while they read it. */
  readonly crashLimit: number;
  /** The tables of other rooms. */
  readonly rooms: RoomTablesOf<R>;
  /** Version of the kept pictures; those of another version are drawn again. Default 1. */
  readonly picturesVersion?: number;
}

/** Expired search inputs read at a time. */
const EXPIRED_AT_A_TIME = 100;

/** The arguments of {@link Store.put}. */
export type PutFile = Omit<NewFile, 'hash' | 'byteLength' | 'sourceMtimeMs'> & {
  readonly source: ByteSource;
  readonly signal?: AbortSignal;
  /** Present: a callback with this text is due when the file is indexed or failed. */
  readonly callbackParam?: string;
};

/**
 * One library folder; all access to its disk goes through this class: `catalog.sqlite`, `blobs/`, `cache/` (derived,
 * may be deleted while no engine is open), `lock.sqlite` and `holder.json`. The promise of a write resolves when a
 * crash of the process or the machine can no longer undo it.
 *
 * A put writes the bytes to a temporary file, syncs it, renames it to their hash and syncs the folder; then one
 * transaction enters the file's row, attributes and job. A crash before the commit leaves at most a blob without owner,
 * which the next opening removes.
 */
export class Store<R extends Rooms = Rooms> {
  readonly folder: string;
  readonly blobs: BlobStore;
  readonly files: FileDoor;
  /** Which files' names, attributes or texts changed since the library was opened. */
  readonly changes = new ChangeLog();
  /** Which files are searchable. */
  readonly searchable: Searchable;
  readonly categories: CategoryDoor;
  /** Reading access to descriptors. */
  readonly shapes: Shapes;
  readonly views: ViewDoor;
  readonly assemblies: AssemblyDoor;
  readonly components: ComponentDoor;
  readonly pmi: PmiDoor;
  readonly duplicates: DuplicateDoor;
  readonly watched: WatchedFileDoor;
  readonly inputs: SearchInputDoor;
  /** The tables of other rooms; their writing methods run inside {@link commit}. */
  readonly rooms: R;
  /** Pictures that were drawn of files. */
  readonly pictures: Pictures;
  readonly #database: Database;
  readonly #files: Files;
  readonly #inputs: SearchInputs;
  readonly #components: Components;
  readonly #lock: LibraryLock;
  readonly #jobs: Jobs;
  readonly #writes: GroupCommit;
  readonly #settings: Settings;
  readonly #events: RoomEvents;
  /**
   * One writer at a time per path, so that the last call wins, and per blob, so that none is removed while it is put.
   */
  readonly #turns = new KeyedLock();
  #sequence: number;
  /** False: blobs without owner may be on disk, so the next opening looks for them. */
  #tidy = true;

  private constructor(folder: string, lock: LibraryLock, database: Database, options: StoreOptions<R>) {
    this.folder = folder;
    this.blobs = new BlobStore(join(folder, 'blobs'), options);
    this.pictures = new Pictures(join(folder, 'cache', 'pictures'), options.picturesVersion ?? 1);
    this.#inputs = new SearchInputs(database);
    this.inputs = searchInputDoor(this.#inputs);
    this.#writes = new GroupCommit(database, () => this.#events.undone());
    this.rooms = options.rooms.open({ database, writes: this.#writes, changes: this.changes });
    this.#events = new RoomEvents(this.rooms, this.changes);
    this.#files = new Files(database, this.rooms, this.#events);
    this.files = fileDoor(this.#files);
    this.categories = categoryDoor(new Categories(database), this.#files, this.#writes);
    this.searchable = new Searchable(database);
    this.shapes = new Shapes(database);
    const views = new Views(database);
    this.views = views;
    this.assemblies = new Assemblies(database);
    this.#components = new Components(database);
    this.components = this.#components;
    const pmi = new PmiTable(database);
    this.pmi = pmi;
    this.duplicates = duplicateDoor(new Duplicates(database), this.#files, this.#writes);
    this.watched = watchedFileDoor(new WatchedFiles(database), this.#writes);
    this.#settings = new Settings(database);
    this.#database = database;
    this.#lock = lock;
    this.#jobs = new Jobs(database, this.#events, views, pmi);
    this.#sequence = this.#jobs.nextSequence();
  }

  /**
   * Opens a library, or makes it in a folder that is missing or empty.
   * @throws EngineError `LIBRARY_LOCKED`, `LIBRARY_UNREADABLE`, `LIBRARY_DAMAGED`, `STORAGE_FAILED`.
   */
  static async open<R extends Rooms>(path: string, options: StoreOptions<R>): Promise<Store<R>> {
    const folder = resolve(path);
    const made = makeLibraryFolder(folder);
    checkFolder(folder);
    const lock = LibraryLock.take(folder);
    let database: Database | undefined;
    try {
      database = openCatalog(folder, options.rooms.steps);
      const store = new Store(folder, lock, database, options);
      // A new folder is durable only when the folder above it is synced.
      for (let child = folder; made !== undefined && child.length >= made.length; child = dirname(child))
        await syncFolder(dirname(child));
      await store.#recover(options);
      return store;
    } catch (cause) {
      database?.close();
      lock.release();
      throw storageError(`open the library ${folder}`, cause);
    }
  }

  /** A folder for derived data of this name; made on first use. */
  cacheFolder(name: string): string {
    return makeCacheFolder(this.folder, name);
  }

  /** The place of a put in the queue. Take it when the call arrives, not when its bytes are written. */
  nextSequence(): number {
    return this.#sequence++;
  }

  /** The id of a company, made on first use. */
  company(name: string): Promise<number> {
    return this.#writes.run(() => this.#files.company(name));
  }

  /** The id of the company that holds a company's search inputs, made on first use. */
  async companyOfInputs(companyId: number): Promise<number> {
    return this.#inputs.companyOf(companyId) ?? this.#writes.run(() => this.#inputs.makeCompany(companyId));
  }

  /** The file of a company with this UID, or else its search input. @throws EngineError `FILE_UNKNOWN`. */
  async fileOrInput(companyId: number, uid: string): Promise<FileRow> {
    return this.#inputs.row(companyId, uid) ?? this.#files.row(companyId, uid);
  }

  /** The component with this UID, of an assembly of the company or of a search input. */
  async componentWith(companyId: number, uid: string): Promise<ComponentRow | undefined> {
    const inputs = this.#inputs.companyOf(companyId);
    return (
      (await this.#components.byUid(companyId, uid)) ??
      (inputs === undefined ? undefined : this.#components.byUid(inputs, uid))
    );
  }

  /** Queues a file again to index its components too; it stays searchable meanwhile. */
  async wantComponents(fileId: number): Promise<void> {
    await this.#writes.run(() => this.#jobs.wantComponents(fileId, this.#sequence++));
  }

  /** Removes the search inputs that have expired. */
  async removeExpired(now: number): Promise<RemovedFile[]> {
    const removed: RemovedFile[] = [];
    for (;;) {
      const expired = this.#inputs.expired(now, EXPIRED_AT_A_TIME);
      for (const { companyId, uid } of expired) removed.push(await this.remove(companyId, uid));
      if (expired.length < EXPIRED_AT_A_TIME) return removed;
    }
  }

  /** Stores a file's bytes, then its row, attributes and job. See {@link Files.enter} for what is replaced. */
  async put({ source, signal, callbackParam, ...file }: PutFile): Promise<EnteredFile> {
    // A stream may be slow, so it is written before the lock of its path is taken: other puts do not wait for it.
    const early = isStream(source) ? await this.blobs.draft(source, signal) : undefined;
    return this.#turns.run(`path ${file.companyId} ${file.path}`, async () => {
      const draft = early ?? (await this.blobs.draft(source, signal));
      const { hash } = draft;
      const entered = await this.#turns.run(`blob ${hash}`, async () => {
        if (signal?.aborted) {
          await this.blobs.drop(draft);
          throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
        }
        await this.blobs.keep(draft);
        try {
          const { byteLength, sourceMtimeMs } = draft;
          return await this.#writes.run(() => {
            const row = this.#files.enter({ ...file, hash, byteLength, sourceMtimeMs });
            if (row.wordsChanged) this.#events.relabelled(row.fileId);
            if (callbackParam !== undefined) this.rooms.accounts.awaitCallback(row.fileId, callbackParam);
            return row;
          });
        } catch (cause) {
          await this.#removeIfUnowned(hash);
          throw cause;
        }
      });
      await this.#collect(entered.removed);
      return entered;
    });
  }

  /** Runs work that only touches the tables of {@link rooms}: atomic, and durable when the promise resolves. */
  commit<T>(work: () => T): Promise<T> {
    return this.#writes.run(work);
  }

  /** The id of a company, made on first use. Only for work inside {@link commit}; other callers use {@link company}. */
  enterCompany(name: string): number {
    return this.#files.company(name);
  }

  /** Stores bytes that belong to no file, then runs `enter`, which gives them an owner in the accounts. */
  async putOwned<T>(bytes: Uint8Array, enter: (blob: { hash: string; byteLength: number }) => T): Promise<T> {
    const draft = await this.blobs.draft(bytes);
    const { hash, byteLength } = draft;
    return this.#turns.run(`blob ${hash}`, async () => {
      await this.blobs.keep(draft);
      try {
        return await this.#writes.run(() => enter({ hash, byteLength }));
      } catch (cause) {
        await this.#removeIfUnowned(hash);
        throw cause;
      }
    });
  }

  /** Removes the given blobs that have no owner any more. */
  async removeUnowned(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) await this.#turns.run(`blob ${hash}`, () => this.#removeIfUnowned(hash));
  }

  /** Removes a file: row, attributes, job and descriptors at once; then its bytes, unless another file has the same. */
  async remove(companyId: number, uid: string): Promise<RemovedFile> {
    const removed = await this.#writes.run(() => this.#files.remove(companyId, uid));
    await this.#collect([removed]);
    return removed;
  }

  /**
   * Gives a file another path without reading it again. Returns its new record.
   * @throws EngineError `FILE_UNKNOWN`; `CONFLICT` when another file has the path.
   */
  rename(companyId: number, uid: string, path: string): Promise<FileRecord> {
    return this.#turns.run(`path ${companyId} ${path}`, () =>
      this.#writes.run(() => {
        const row = this.#files.rename(companyId, uid, path);
        this.#events.relabelled(row.id);
        return this.#files.record(row);
      }),
    );
  }

  /**
   * Gives a file attributes: replacing all it had or, without `replace`, adding to them. Returns its new record.
   * @throws EngineError `FILE_UNKNOWN`; RangeError when it would have too many.
   */
  setAttributes(
    companyId: number,
    uid: string,
    attributes: readonly Attribute[],
    { replace }: { replace: boolean },
  ): Promise<FileRecord> {
    return this.#writes.run(() => {
      const row = this.#files.row(companyId, uid);
      const changed = replace
        ? this.rooms.attributes.put(companyId, row.id, attributes)
        : this.rooms.attributes.add(companyId, row.id, attributes);
      if (changed) this.#events.relabelled(row.id);
      return this.#files.record(row);
    });
  }

  /** The settings of a company. */
  async settings(companyId: number): Promise<CompanySettings> {
    return readSettings(this.#database, companyId);
  }

  /** Changes the given settings, keeps the others and returns all. */
  setSettings(companyId: number, changes: Partial<CompanySettings>): Promise<CompanySettings> {
    return this.#writes.run(() => writeSettings(this.#database, companyId, changes));
  }

  /** Marks the next jobs as running; see {@link Jobs.claim}. Not durable: after a power cut these jobs run again. */
  claim(count: number, options: { idle: boolean }): Promise<Job[]> {
    return this.#writes.runDerived(() => this.#jobs.claim(count, options));
  }

  /**
   * Stores the result of indexing. A power cut may undo it; then the file is indexed again. False: the file was
   * deleted.
   */
  complete(fileId: number, file: IndexedFile): Promise<boolean> {
    return this.#writes.runDerived(() => this.#jobs.complete(fileId, file));
  }

  /** Marks a file as failed. False: the file was deleted or replaced. */
  fail(fileId: number, code: ErrorCode, message: string): Promise<boolean> {
    return this.#writes.run(() => this.#jobs.fail(fileId, code, message));
  }

  /** Returns a running job to its place in the queue. */
  release(fileId: number, options: { attempted: boolean }): Promise<void> {
    return this.#writes.run(() => this.#jobs.release(fileId, options));
  }

  /** Queues all files (of a company) again. Returns how many. */
  reindexAll(companyId?: number): Promise<number> {
    return this.#writes.run(() => {
      const count = this.#jobs.again(this.#sequence, companyId);
      this.#sequence += count;
      return count;
    });
  }

  /** Queues failed files of a company again; uid: this one alone. Returns how many. */
  retryFailed(companyId: number, uid?: string): Promise<number> {
    return this.#writes.run(() => {
      const count = this.#jobs.againFailed(this.#sequence, companyId, uid);
      this.#sequence += count;
      return count;
    });
  }

  /** Indexed files whose descriptors are missing or of another version or length. */
  staleFiles(rules: DescriptorRules): StaleFile[] {
    return this.#jobs.stale(rules);
  }

  /** Indexed files whose texts or shapelets are of another version or missing. */
  outdatedFiles(rules: DescriptorRules): StaleFile[] {
    return this.#jobs.outdated(rules);
  }

  /** Queues {@link staleFiles} again and returns them; they are not searchable until they are indexed. */
  reindexStale(rules: DescriptorRules, companyId?: number): Promise<StaleFile[]> {
    return this.#writes.run(() => this.#queueStale(rules, companyId));
  }

  /** {@link reindexStale}, unless it was already done for these versions: examining every file is slow. */
  async reindexAfterUpgrade(rules: DescriptorRules): Promise<void> {
    const wanted = JSON.stringify({
      ...rules.versions,
      content: rules.contentVersion,
      views: rules.views?.version,
      pmi: rules.pmiVersion,
    });
    if (this.#settings.get('descriptors') === wanted) return;
    await this.#writes.run(() => {
      this.#queueStale(rules);
      this.#settings.set('descriptors', wanted);
    });
  }

  /** Number of jobs that wait or run. */
  async queueLength(): Promise<number> {
    return this.#jobs.length();
  }

  /** The bytes of a file. @throws EngineError `LIBRARY_DAMAGED` when they are not what was put. */
  bytes(row: FileRow): Promise<Uint8Array> {
    return this.blobs.read(row.blob_hash);
  }

  /** Counts and sizes. */
  stats(): Promise<LibraryStats> {
    return libraryStats(this.#database, this.folder, this.#files.blobBytes());
  }

  /** Checks catalogue, blobs and descriptors; repairs derived data. */
  verify(rules: DescriptorRules, options: VerifyOptions): Promise<VerifyReport> {
    return verifyLibrary(
      {
        catalog: { database: this.#database, writes: this.#writes, changes: this.changes },
        files: this.#files,
        store: this,
        rules,
      },
      options,
    );
  }

  /** Counts blobs without owner; with `remove` they are removed. */
  async sweep({ remove }: { remove: boolean }): Promise<number> {
    let unowned = 0;
    if (remove) await this.pictures.sweep((hash) => this.#files.refers(hash));
    for (const hash of (await this.blobs.list()).hashes) {
      if (this.#files.refers(hash)) continue;
      // A put may have stored its blob but not its row yet; under the blob's lock it has both or neither.
      await this.#turns.run(`blob ${hash}`, async () => {
        if (this.#files.refers(hash)) return;
        unowned++;
        if (remove) await this.#removeIfUnowned(hash);
      });
    }
    return unowned;
  }

  /** Commits waiting writes and releases the lock. No call may follow. */
  close(): void {
    this.#writes.flush();
    try {
      if (this.#tidy) this.#settings.set('tidy', 'yes');
    } catch (cause) {
      // Throws unless the disk failed. Without the mark, the next opening sweeps.
      storageError('close the library', cause);
    } finally {
      this.#database.close();
      this.#lock.release();
    }
  }

  /** Repairs, at opening, what a process that died left behind. */
  async #recover({ crashLimit }: StoreOptions<R>): Promise<void> {
    try {
      await this.blobs.make();
      await syncFolder(this.folder);
      const tidy = this.#settings.get('tidy') === 'yes';
      await this.#writes.run(() => {
        this.#events.opened(this.#settings);
        this.#jobs.recover(crashLimit);
        this.#settings.set('tidy', 'no');
      });
      await this.pictures.removeOtherVersions();
      if (tidy) return;
      await this.blobs.removeDrafts();
      await this.sweep({ remove: true });
    } catch (cause) {
      throw storageError('mend the library after a crash', cause);
    }
  }

  #queueStale(rules: DescriptorRules, companyId?: number): StaleFile[] {
    const stale = this.#jobs.againStale(this.#sequence, rules, companyId);
    this.#sequence += stale.length;
    this.#sequence += this.#jobs.againOutdated(this.#sequence, rules, companyId).length;
    return stale;
  }

  async #collect(removed: readonly RemovedFile[]): Promise<void> {
    await this.removeUnowned(removed.map(({ hash }) => hash));
  }

  /** Call under the blob's lock. A blob that the system refuses to remove is left to the next sweep. */
  async #removeIfUnowned(hash: string): Promise<void> {
    if (this.#files.refers(hash)) return;
    await this.pictures.remove(hash);
    try {
      await this.blobs.remove(hash);
    } catch (cause) {
      if (!(cause instanceof EngineError)) throw cause;
      this.#tidy = false;
    }
  }
}
