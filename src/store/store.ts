import { dirname, join, resolve } from 'node:path';
import type { Database } from 'better-sqlite3';
import type { EngineError } from '../errors.js';
import type { CompanySettings } from '../options.js';
import type {
  AssemblyDoor,
  AttemptDoor,
  CategoryDoor,
  ChangeDoor,
  ComponentDoor,
  DuplicateDoor,
  FileDoor,
  JobDoor,
  PmiDoor,
  SearchInputDoor,
  SearchableDoor,
  ShapeDoor,
  ViewDoor,
  WatchedFileDoor,
} from './catalogue.js';
import { categoryDoor, duplicateDoor, fileDoor, searchInputDoor, watchedFileDoor } from './sqlite-doors.js';
import { Assemblies } from './catalog/assemblies.js';
import { Components } from './catalog/components.js';
import type { Attribute } from './catalog/attribute.js';
import { isBucket } from './disk/s3-bucket.js';
import { S3Blobs } from './disk/s3-blobs.js';
import { BlobStore, isStream, syncFolder, type ByteSource } from './disk/blobs.js';
import { ChangeLog } from './database/change-log.js';
import { Categories } from './catalog/categories.js';
import { readSettings, writeSettings } from './catalog/company-settings.js';
import { Duplicates } from './catalog/duplicate-records.js';
import { Files, type EnteredFile, type NewFile, type RemovedFile } from './catalog/files.js';
import { CommitCount } from './database/commit-count.js';
import { GroupCommit } from './database/group-commit.js';
import type { Writes } from './database/writes.js';
import { Jobs } from './catalog/jobs.js';
import { Results } from './catalog/results.js';
import { OwnedBlobs } from './owned-blobs.js';
import { KeyedLock } from './database/keyed-lock.js';
import { checkFolder, cacheFolderOf, makeCacheFolder, makeLibraryFolder } from './disk/library-folder.js';
import { ChangeMark } from './disk/change-mark.js';
import { LostAndFound } from './disk/lost-and-found.js';
import { LibraryLock } from './disk/lock.js';
import { openCatalog } from './catalog/open-catalog.js';
import type { FileRecord, FileRow } from './catalog/record.js';
import { Pictures } from './disk/pictures.js';
import { SearchInputs, type KeptBounds } from './catalog/search-inputs.js';
import { AttemptsInMemory } from './attempt-counts.js';
import type { SeenInputs } from './catalog/seen-inputs.js';
import { Searchable } from './catalog/searchable.js';
import { Shapes } from './catalog/shapes.js';
import { libraryStats, type LibraryStats } from './catalog/stats.js';
import { OPENING_REMEDY, storageError, withRemedy } from './database/storage-errors.js';
import { RoomEvents, type OpenCatalog, type Rooms, type RoomTables, type RoomTablesOf } from './rooms.js';
import { SharedLibrary, type ForeignChanges, type SharedOptions } from './shared/shared-library.js';
import { withoutPassword } from './shared/link.js';
import { Settings } from './database/settings.js';
import { PmiTable } from './catalog/pmi-table.js';
import { Views, type FirstOf } from './catalog/views.js';
import { WatchedFiles } from './catalog/watched-files.js';
import { verifyLibrary } from './verify.js';
import type { ComponentRow } from './catalog/assembly-component.js';
import type { DescriptorRules } from './catalog/indexed-file.js';
import { unownedReason, type LibraryWarning } from './library-warning.js';
import { OlderCatalogue } from './older-catalogue.js';
import type { VerifyOptions, VerifyReport } from './verify-report.js';

/** How a store is opened. */
export interface StoreOptions<R extends Rooms = Rooms> {
  /** Largest file accepted, bytes. */
  readonly fileBytesLimit: number;
  /** A file fails after this many processes died while they read it. */
  readonly crashLimit: number;
  /** The tables of other rooms. */
  readonly rooms: RoomTablesOf<R>;
  /** Bytes that no row names are removed after so many days in `lost+found`. Default {@link LOST_FOUND_DAYS}. */
  readonly lostFoundDays?: number;
  /** Version of the kept pictures; those of another version are drawn again. Default 1. */
  readonly picturesVersion?: number;
}

/** Default of `lostFoundDays`. */
const LOST_FOUND_DAYS = 30;

/**
 * Time without a byte after which a draft in a folder that processes share is a dead one's, ms; their clocks differ.
 */
const DRAFT_MS = 24 * 60 * 60_000;

/** Expired search inputs read at a time. */
const EXPIRED_AT_A_TIME = 100;

/** The arguments of {@link Store.put}. */
export type PutFile = Omit<NewFile, 'hash' | 'byteLength' | 'sourceMtimeMs' | 'sequence'> & {
  readonly source: ByteSource;
  readonly signal?: AbortSignal;
  /** Present: a callback with this text is due when the file is indexed or failed. */
  readonly callbackParam?: string;
};

/** Where the bytes of a shared library are. */
export interface BlobPlace {
  /** A folder that every process sees, or `s3://bucket/prefix?endpoint=…&region=…`. */
  readonly blobs: string;
  /** Most of this machine's disk for bytes of a bucket, MiB. */
  readonly blobsCacheMiB: number;
}

/** What a store keeps open. */
interface OpenFiles {
  readonly lock: LibraryLock;
  readonly database: Database;
  /** Undefined: the catalogue is a replica. */
  readonly mark: ChangeMark | undefined;
  readonly shared: SharedLibrary | undefined;
  readonly blobs: BlobStore;
}

/** The setting that remembers that all views are packed. */
const VIEWS_PACKED = 'views packed once';

/**
 * One library folder; all access to its disk goes through this class: `catalog.sqlite` and `catalog.mark`, `blobs/`,
 * `lost+found/`, `cache/` (derived, may be deleted while no engine is open), `lock.sqlite` and `holder.json`. The
 * promise of a write resolves when a crash of the process or the machine can no longer undo it.
 *
 * A put writes the bytes to a temporary file, syncs it, renames it to their hash and syncs the folder; then one
 * transaction enters the file's row, attributes and job. A crash before the commit leaves at most a blob without owner,
 * which the next opening moves to `lost+found`.
 */
export class Store<R extends Rooms = Rooms> {
  readonly folder: string;
  readonly blobs: BlobStore;
  /** Blobs together with the rows that refer to them. */
  readonly owned: OwnedBlobs;
  /** The durable queue. */
  readonly jobs: JobDoor;
  readonly files: FileDoor;
  readonly changes: ChangeDoor;
  /** Which files are searchable. */
  readonly searchable: SearchableDoor;
  readonly categories: CategoryDoor;
  readonly shapes: ShapeDoor;
  readonly views: ViewDoor;
  readonly assemblies: AssemblyDoor;
  readonly components: ComponentDoor;
  readonly pmi: PmiDoor;
  readonly duplicates: DuplicateDoor;
  readonly watched: WatchedFileDoor;
  readonly inputs: SearchInputDoor;
  readonly attempts: AttemptDoor;
  /** The tables of other rooms. Only the rooms themselves use them; to others they show doors. */
  readonly rooms: R;
  /** Pictures that were drawn of files. */
  readonly pictures: Pictures;
  readonly #database: Database;
  readonly #files: Files;
  readonly #inputs: SearchInputs;
  readonly #components: Components;
  readonly #lock: LibraryLock;
  readonly #lost: LostAndFound;
  readonly #mark: ChangeMark | undefined;
  readonly #commits: CommitCount | undefined;
  readonly #shared: SharedLibrary | undefined;
  readonly #jobs: Jobs;
  readonly #writes: Writes;
  readonly #settings: Settings;
  readonly #views: Views;
  readonly #older: OlderCatalogue | undefined;
  readonly #events: RoomEvents;
  readonly #changes: ChangeLog;
  readonly #catalog: OpenCatalog;
  /** One writer at a time per path, so that the last call wins. */
  readonly #turns = new KeyedLock();

  private constructor(folder: string, opened: OpenFiles, options: StoreOptions<R>) {
    const { lock, database, mark, shared } = opened;
    this.folder = folder;
    this.#mark = mark;
    this.#shared = shared;
    this.attempts = shared?.attempts ?? new AttemptsInMemory();
    this.#lost = new LostAndFound(folder);
    this.blobs = opened.blobs;
    this.pictures = new Pictures(join(folder, 'cache', 'pictures'), options.picturesVersion ?? 1);
    const changes = new ChangeLog();
    this.changes = changes;
    this.#changes = changes;
    this.#inputs = new SearchInputs(database);
    this.inputs = searchInputDoor(this.#inputs);
    this.#commits = mark === undefined ? undefined : new CommitCount(database, mark);
    this.#writes = shared?.writes ?? new GroupCommit(database, this.#commits!, { refused: () => this.owned.leave() });
    this.#catalog = {
      database,
      writes: this.#writes,
      changes,
      isReplica: shared !== undefined,
      enterCompany: (name) => this.#files.company(name),
      cacheFolder: (name) => cacheFolderOf(folder, name),
      state: () => shared?.state ?? this.#commits?.state,
    };
    shared?.attach({
      changes,
      rooms: (replica) => Object.values(options.rooms.open({ ...this.#catalog, database: replica })),
    });
    this.rooms = options.rooms.open(this.#catalog);
    this.#events = new RoomEvents(this.rooms, changes);
    this.#files = new Files(database, this.rooms, this.#events);
    this.files = fileDoor(this.#files, changes);
    this.categories = categoryDoor(new Categories(database), this.#files, { writes: this.#writes, changes });
    this.searchable = new Searchable(database);
    this.shapes = new Shapes(database);
    const views = new Views(database);
    this.#views = views;
    this.views = views;
    this.assemblies = new Assemblies(database);
    this.#components = new Components(database);
    this.components = this.#components;
    const pmi = new PmiTable(database);
    this.pmi = pmi;
    this.duplicates = duplicateDoor(new Duplicates(database), this.#files, this.#writes);
    this.watched = watchedFileDoor(new WatchedFiles(database), this.#writes);
    this.#settings = new Settings(database);
    this.#older =
      this.#commits && new OlderCatalogue({ settings: this.#settings, lost: this.#lost, commits: this.#commits });
    this.#database = database;
    this.#lock = lock;
    this.#jobs = new Jobs({
      ...this.#catalog,
      settings: this.#settings,
      results: new Results(database, this.#events, views, pmi),
      owner: () => shared?.processes.id ?? 1,
      crashLimit: options.crashLimit,
      byClock: shared !== undefined,
    });
    this.jobs = this.#jobs;
    this.owned = new OwnedBlobs({
      blobs: this.blobs,
      pictures: this.pictures,
      files: this.#files,
      writes: this.#writes,
      lost: this.#lost,
      unowned: shared?.unowned,
      isOlder: () => this.#older?.isNoted ?? false,
    });
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
    let mark: ChangeMark | undefined;
    try {
      database = openCatalog(folder, options.rooms.steps);
      mark = new ChangeMark(folder);
      const blobs = new BlobStore(join(folder, 'blobs'), options);
      const opened = { lock, database, mark, shared: undefined, blobs };
      const store = new Store(folder, opened, options);
      // A new folder is durable only when the folder above it is synced.
      for (let child = folder; made !== undefined && child.length >= made.length; child = dirname(child))
        await syncFolder(dirname(child));
      await store.#recover(options);
      return store;
    } catch (cause) {
      mark?.close();
      database?.close();
      lock.release();
      throw withRemedy(storageError(`open the library ${folder}`, cause), OPENING_REMEDY);
    }
  }

  /**
   * Opens a library that many processes share: the catalogue in PostgreSQL, the blobs in a folder that all of them see,
   * or in a bucket of S3. folder: of the replica, which this process alone uses.
   * @throws EngineError `LIBRARY_LOCKED` when another process uses the replica, `LIBRARY_UNREADABLE`,
   *   `LIBRARY_DAMAGED`, `STORAGE_FAILED`, `PACKAGE_MISSING`.
   */
  static async openShared<R extends Rooms>(
    path: string,
    options: StoreOptions<R>,
    { blobs: place, blobsCacheMiB, ...how }: SharedOptions & BlobPlace,
  ): Promise<Store<R>> {
    const folder = resolve(path);
    makeLibraryFolder(folder);
    checkFolder(folder);
    const lock = LibraryLock.take(folder);
    let shared: SharedLibrary | undefined;
    let blobs: BlobStore | undefined;
    try {
      blobs = isBucket(place)
        ? new S3Blobs(place, makeCacheFolder(folder, 'bytes'), {
            fileBytesLimit: options.fileBytesLimit,
            cacheBytes: blobsCacheMiB * 2 ** 20,
            outageMs: how.outageMs,
            connectMs: how.connectMs,
          })
        : new BlobStore(resolve(place), options);
      shared = await SharedLibrary.open(folder, options.rooms.steps, how);
      const { database } = shared;
      const opened = { lock, database, mark: undefined, shared, blobs };
      const store = new Store(folder, opened, options);
      await store.#begin(shared);
      return store;
    } catch (cause) {
      blobs?.close();
      await shared?.close();
      shared?.database.close();
      lock.release();
      throw storageError(`open the library ${withoutPassword(how.url)}`, cause);
    }
  }

  /**
   * Of a shared library: follows what other processes change, from now on. In a folder there are none. running: the
   * files that this process reads.
   */
  watch({ changed, running }: { changed: (changes: ForeignChanges) => void; running: () => readonly number[] }): void {
    this.#shared?.watch({
      changed,
      owners: () => this.#jobs.owners(),
      bytes: { refers: (hash) => this.#files.refers(hash), remove: (hash) => this.blobs.remove(hash) },
      died: async (owners) => {
        await this.#writes.run(() => this.#jobs.recover(owners));
        changed({ files: [], ended: [], hasJobs: true });
      },
      returned: async () => {
        const fileIds = running();
        if (fileIds.length > 0) await this.#writes.run(() => this.#jobs.forgive(fileIds));
      },
    });
  }

  /** A folder for derived data of this name; made on first use. */
  cacheFolder(name: string): string {
    return makeCacheFolder(this.folder, name);
  }

  /** The id of a company, made on first use. */
  company(name: string): Promise<number> {
    return this.#writes.run(() => this.#files.company(name));
  }

  /** The id of the company that holds a company's search inputs, made on first use. */
  async companyOfInputs(companyId: number): Promise<number> {
    return this.#inputs.companyOf(companyId) ?? this.#writes.run(() => this.#inputs.makeCompany(companyId));
  }

  /**
   * The file of a company with this UID, or else its search input if the caller sees it.
   * @throws EngineError `FILE_UNKNOWN`.
   */
  async fileOrInput(companyId: number, uid: string, seen: SeenInputs = 'all'): Promise<FileRow> {
    return this.#inputs.row(companyId, uid, seen) ?? this.#files.row(companyId, uid);
  }

  /** The component with this UID, of an assembly of the company or of a search input that the caller sees. */
  async componentWith(companyId: number, uid: string, seen: SeenInputs = 'all'): Promise<ComponentRow | undefined> {
    const own = await this.#components.byUid(companyId, uid);
    const inputs = this.#inputs.companyOf(companyId);
    if (own !== undefined || inputs === undefined) return own;
    const found = await this.#components.byUid(inputs, uid);
    if (found === undefined || seen === 'all') return found;
    const { assemblyUid } = (await this.#components.one(found.fileId))!;
    return this.#inputs.row(companyId, assemblyUid, seen) === undefined ? undefined : found;
  }

  /**
   * Packs some of the views that an engine of before stored unpacked, if there are such behind a file.
   * @returns the file to go on behind; undefined when all are packed, which is remembered.
   */
  async packViews(after: number, firstOf: FirstOf): Promise<number | undefined> {
    if (this.#settings.get(VIEWS_PACKED) !== undefined) return undefined;
    return this.#writes.runDerived(() => {
      const last = this.#views.packNext(after, firstOf);
      if (last === undefined) this.#settings.set(VIEWS_PACKED, 'yes');
      return last;
    });
  }

  /** Keeps a search input at least until a time, ms since 1970, for everybody of the company. */
  async keepInput(row: FileRow, expiresAt: number, bounds: KeptBounds): Promise<void> {
    await this.#writes.run(() => this.#inputs.keep(row, expiresAt, bounds));
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
    const sequence = this.#jobs.nextSequence(); // Its place in the queue is that of the call.
    // A stream may be slow, so it is written before the lock of its path is taken: other puts do not wait for it.
    const early = isStream(source) ? await this.blobs.draft(source, signal) : undefined;
    return this.#turns.run(`path ${file.companyId} ${file.path}`, async () => {
      const draft = early ?? (await this.blobs.draft(source, signal));
      const entered = await this.owned.keep(
        draft,
        ({ hash, byteLength, sourceMtimeMs }) => {
          const row = this.#files.enter({ ...file, sequence, hash, byteLength, sourceMtimeMs });
          this.#changes.note(row.fileId);
          if (row.wordsChanged) this.#events.relabelled(row.fileId);
          if (callbackParam !== undefined) this.rooms.accounts.awaitCallback(row.fileId, callbackParam);
          return row;
        },
        signal,
      );
      await this.owned.removeUnowned(entered.removed.map(({ hash }) => hash));
      return entered;
    });
  }

  /** Removes a file: row, attributes, job and descriptors at once; then its bytes, unless another file has the same. */
  async remove(companyId: number, uid: string): Promise<RemovedFile> {
    const removed = await this.#writes.run(() => this.#files.remove(companyId, uid));
    await this.owned.removeUnowned([removed.hash]);
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

  /** The bytes of a file. @throws EngineError `LIBRARY_DAMAGED` when they are not what was put. */
  bytes(row: FileRow): Promise<Uint8Array> {
    return this.blobs.read(row.blob_hash);
  }

  /** The same in pieces. */
  stream(row: FileRow): AsyncGenerator<Uint8Array> {
    return this.blobs.stream(row.blob_hash, row.byte_length);
  }

  /** Counts and sizes. */
  stats(): Promise<LibraryStats> {
    return libraryStats(this.#database, this.folder, this.#files.blobBytes());
  }

  /** What was found at opening that its owner should know; empty: nothing. */
  get warnings(): readonly LibraryWarning[] {
    return this.#older?.warnings ?? [];
  }

  /** Why nothing may be read now: the replica of a shared library is older than its owner allows. */
  get tooOld(): EngineError | undefined {
    return this.#shared?.tooOld;
  }

  /** Checks catalogue, blobs and descriptors; repairs derived data. */
  verify(rules: DescriptorRules, options: VerifyOptions): Promise<VerifyReport> {
    return verifyLibrary(
      {
        catalog: this.#catalog,
        files: this.#files,
        views: this.#views,
        store: this,
        lost: this.#lost,
        rules,
        isOlder: () => this.warnings.length > 0,
        forgetOlder: () => this.#writes.run(() => this.#older?.forget()),
      },
      options,
    );
  }

  /** Commits waiting writes and releases the lock. No call may follow. */
  async close(): Promise<void> {
    if (this.#shared !== undefined) {
      await this.#shared.close();
      await this.#keepDerived();
      this.blobs.close();
      this.#database.close();
      this.#lock.release();
      return;
    }
    try {
      await this.#writes.flush();
      await this.#keepDerived();
      if (this.owned.tidyUp()) this.#settings.set('tidy', 'yes');
    } catch (cause) {
      // Throws unless the disk failed. Without the mark, the next opening sweeps.
      storageError('close the library', cause);
    } finally {
      this.#mark?.close();
      this.#database.close();
      this.#lock.release();
    }
  }

  async #keepDerived(): Promise<void> {
    const { attributes, words, accounts } = this.rooms;
    for (const room of [attributes, words, accounts] as RoomTables[]) await room.closing?.();
  }

  /** At opening of a shared library: reads what others wrote. */
  async #begin(shared: SharedLibrary): Promise<void> {
    // First: filling a replica may take hours, and without the bytes it is no use.
    await this.blobs.make();
    await this.blobs.removeDrafts(DRAFT_MS).catch(() => undefined); // Then the next opening does.
    await shared.begin();
    await this.#writes.run(() => this.#events.opened(this.#settings));
    const { attributes, words, accounts } = this.rooms;
    for (const room of [attributes, words, accounts] as RoomTables[]) await room.makeOwn?.();
  }

  /** Repairs, at opening, what a process that died left behind. */
  async #recover({ lostFoundDays = LOST_FOUND_DAYS }: StoreOptions<R>): Promise<void> {
    try {
      await this.blobs.make();
      await syncFolder(this.folder);
      const tidy = this.#settings.get('tidy') === 'yes';
      this.#commits?.settle();
      await this.#writes.run(() => {
        this.#events.opened(this.#settings);
        this.#jobs.recover();
        this.#settings.set('tidy', 'no');
        this.#older?.opened(lostFoundDays);
      });
      await this.pictures.removeOtherVersions();
      const isOlder = this.#commits?.isOlder ?? false;
      await this.owned.recover({ isTidy: tidy && !isOlder, days: lostFoundDays, why: unownedReason(isOlder) });
      const older = this.#older;
      if (older?.isNoted) await this.#writes.run(() => older.recovered());
    } catch (cause) {
      throw storageError('repair the library after a crash', cause);
    }
  }
}
