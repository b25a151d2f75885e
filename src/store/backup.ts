import { link, lstat, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type Database from 'better-sqlite3';
import { EngineError } from '../errors.js';
import { withDefaults } from '../options.js';
import { APPLICATION_ID, CATALOG_VERSION } from './catalog/migrations.js';
import { namedBytes, type NamedBytes } from './catalog/named-bytes.js';
import { codeOf, storageError } from './database/storage-errors.js';
import { blobFile, type BlobFault } from './disk/blob-file.js';
import { BlobStore, syncFolder } from './disk/blobs.js';
import { checkCatalogFiles, hasCatalog, makeFolders, placeOf, UNFINISHED_BACKUP } from './disk/library-folder.js';
import { LostAndFound } from './disk/lost-and-found.js';
import { readOnlyError } from './read-only.js';
import { isDatabaseUrl } from './shared/link.js';
import { openDatabase } from './database/open-database.js';

/** Progress of a backup. */
export interface BackupProgress {
  /** Byte strings that are in the copy, each once however many files have it. */
  readonly done: number;
  readonly total: number;
  /** Their bytes. */
  readonly bytes: number;
  readonly bytesTotal: number;
  readonly bytesPerS: number;
  /** Estimated by bytes; null until something is copied. */
  readonly remainingS: number | null;
}

/** Options of a backup. */
export interface BackupOptions {
  /**
   * True: the bytes of files are hard links where the file system allows it, which takes no room and little time; a
   * disk that fails then takes both. Default false: copies.
   */
  readonly link: boolean;
  /** Called after each byte string. */
  readonly onProgress: ((progress: BackupProgress) => void) | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What a backup holds. */
export interface BackupReport {
  /** Absolute path of the copy. */
  readonly folder: string;
  /** Byte strings that were copied or linked, all checked against their SHA-256. */
  readonly blobs: number;
  /** Bytes of these and of the catalogue. */
  readonly bytes: number;
  /** How many of them are hard links. */
  readonly linked: number;
  /**
   * Byte strings that the library itself has no longer whole: the copy lacks them. Empty: the copy is whole.
   */
  readonly damaged: readonly { readonly hash: string; readonly fault: BlobFault }[];
}

/** Defaults of {@link BackupOptions}. */
export const BACKUP_DEFAULTS: BackupOptions = Object.freeze({ link: false, onProgress: undefined, signal: undefined });

/** Codes of the system for what this process or machine has none of just now. */
const SHORTAGES: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM']);

/** Byte strings that are copied at a time. */
const AT_A_TIME = 8;
/** With so few byte strings to copy, the state of the catalogue is held until they are in the copy. */
const HELD_LIMIT = 256;
/** States of the catalogue that are tried before the backup gives up. */
const ROUNDS = 100;
/** States in a row that name bytes which are not there, after which they are missing and not just deleted. */
const MISSED = 3;
/** Pages of the catalogue that are copied at a time, so that the event loop is not held for long. */
const PAGES_AT_A_TIME = 256;
/** Wait for the catalogue while another program recovers it, ms. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Copies a library to an empty folder while it is open and written to, by this or another process, or while it is
 * closed. The copy holds one state of the catalogue with all bytes that it names; it has no caches and no `lost+found`.
 * The catalogue gets its name last, so that a copy that was cut short does not open. One that fails or is aborted is
 * removed.
 * @param folder a folder that is missing or empty; it is made for its owner alone, for it holds secrets.
 * @throws EngineError `CONFLICT` when the folder holds something or files are deleted faster than they can be copied,
 * `LIBRARY_UNREADABLE`, `LIBRARY_DAMAGED`, `STORAGE_FAILED`, `ABORTED`.
 */
export async function backupLibrary(
  library: string,
  folder: string,
  options?: Partial<BackupOptions>,
): Promise<BackupReport> {
  for (const [name, value] of Object.entries({ library, folder }))
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${name} must be a path, received ${String(value)}`);
  const checked: BackupOptions = withDefaults('backup options', options, BACKUP_DEFAULTS);
  if (typeof checked.link !== 'boolean')
    throw new TypeError(`backup options.link must be true or false, received ${String(checked.link)}`);
  if (isDatabaseUrl(library)) throw backupOfDatabase();
  const [from, to] = [resolve(library), resolve(folder)];
  try {
    const source = openSource(from);
    try {
      return await new Backup(source, { from, to }, checked).run();
    } finally {
      source.close();
    }
  } catch (cause) {
    const remedy = 'while no program has the library open, a copy of the whole folder is a backup';
    throw readOnlyError(from, cause, remedy) ?? storageError(`back up the library ${from}`, cause);
  }
}

/**
 * A connection of its own: nothing is written by it, and none of the catalogue's files is opened but by SQLite, because
 * closing any other descriptor would drop the locks of an engine in this process.
 */
function openSource(folder: string): Database.Database {
  const file = join(folder, 'catalog.sqlite');
  let database: Database.Database | undefined;
  try {
    if (!hasCatalog(folder))
      throw new EngineError('LIBRARY_UNREADABLE', `${folder} is not a library: it has no catalog.sqlite`, {
        details: { folder },
      });
    checkCatalogFiles(folder);
    database = openDatabase(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    const application = database.pragma('application_id', { simple: true }) as number;
    const version = database.pragma('user_version', { simple: true }) as number;
    if (application === APPLICATION_ID && version <= CATALOG_VERSION) return database;
    const found =
      application === APPLICATION_ID ? `of version ${version}, up to ${CATALOG_VERSION} are known` : 'of no library';
    throw new EngineError('LIBRARY_UNREADABLE', `${file} is a catalogue ${found}`, { details: { folder } });
  } catch (cause) {
    database?.close();
    throw cause;
  }
}

class Backup {
  readonly #source: Database.Database;
  readonly #from: string;
  readonly #to: string;
  readonly #options: BackupOptions;
  readonly #blobs: BlobStore;
  readonly #lost: LostAndFound;
  readonly #startedMs = performance.now();
  readonly #copied = new Map<string, number>();
  readonly #linked = new Set<string>();
  readonly #damaged = new Map<string, BlobFault>();
  /** In how many states in a row bytes were named and not there. */
  readonly #missed = new Map<string, number>();
  #bytes = 0;

  constructor(source: Database.Database, { from, to }: { from: string; to: string }, options: BackupOptions) {
    this.#source = source;
    this.#from = from;
    this.#to = to;
    this.#options = options;
    this.#blobs = new BlobStore(join(to, 'blobs'), { fileBytesLimit: Infinity });
    this.#lost = new LostAndFound(from);
  }

  async run(): Promise<BackupReport> {
    const made = await this.#begin();
    try {
      await this.#blobs.make();
      await this.#copyState();
      return await this.#finish();
    } catch (cause) {
      await this.#undo(made);
      throw cause;
    }
  }

  /** Takes the folder; returns the uppermost folder that was made for it. */
  async #begin(): Promise<string | undefined> {
    this.#checkSignal();
    if (`${placeOf(this.#to)}${sep}`.startsWith(`${placeOf(this.#from)}${sep}`))
      throw new EngineError('CONFLICT', `a library is backed up to a folder outside of it; ${this.#to} is inside`);
    const made = makeFolders(this.#to);
    if ((await readdir(this.#to)).length > 0)
      throw new EngineError('CONFLICT', `a library is backed up to an empty folder; ${this.#to} holds something`);
    await (await open(this.#draft, 'wx', 0o600)).close();
    return made;
  }

  /** The catalogue under the name that says that the copy is not whole yet. */
  get #draft(): string {
    return join(this.#to, UNFINISHED_BACKUP);
  }

  /** Copies bytes until one state of the catalogue names none that is not in the copy, and then that state itself. */
  async #copyState(): Promise<void> {
    for (let round = 1; round <= ROUNDS; round++) {
      // While a state is held, the log of the catalogue grows: many bytes are copied without it.
      this.#source.exec('BEGIN');
      try {
        const named = namedBytes(this.#source);
        const missing = named.filter(({ hash }) => !this.#copied.has(hash) && !this.#damaged.has(hash));
        if (missing.length > HELD_LIMIT && round < ROUNDS / 2) this.#source.exec('COMMIT');
        const isComplete = (await this.#copyAll(missing, named)) && this.#source.inTransaction;
        if (!isComplete) continue;
        await this.#source.backup(this.#draft, {
          progress: () => {
            this.#checkSignal();
            return PAGES_AT_A_TIME;
          },
        });
        await this.#removeOthers(new Set(named.map(({ hash }) => hash)));
        return;
      } finally {
        if (this.#source.inTransaction) this.#source.exec('COMMIT');
      }
    }
    throw new EngineError('CONFLICT', 'files were deleted faster than they could be copied; try again when it is calm');
  }

  /** Whether all of them are in the copy or known to be damaged. */
  async #copyAll(missing: readonly NamedBytes[], named: readonly NamedBytes[]): Promise<boolean> {
    const bytesTotal = named.reduce((sum, { byteLength }) => sum + byteLength, 0);
    let complete = true;
    const left = missing.values();
    const work = async (): Promise<void> => {
      for (const blob of left) {
        this.#checkSignal();
        if (!(await this.#copy(blob))) complete = false;
        this.#report(named.length, bytesTotal);
      }
    };
    const results = await Promise.allSettled(Array.from({ length: AT_A_TIME }, work));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
    return complete;
  }

  /** False: the bytes are not there, perhaps because their file was just deleted. */
  async #copy({ hash, byteLength }: NamedBytes): Promise<boolean> {
    for (const file of [blobFile(join(this.#from, 'blobs'), hash), this.#lost.fileOf(hash)]) {
      const fault = await this.#copyFile(hash, file);
      if (fault === 'missing') continue;
      if (fault === undefined) {
        this.#copied.set(hash, byteLength);
        this.#bytes += byteLength;
      } else this.#damaged.set(hash, fault);
      return true;
    }
    const missed = (this.#missed.get(hash) ?? 0) + 1;
    this.#missed.set(hash, missed);
    if (missed === MISSED) this.#damaged.set(hash, 'missing');
    return missed === MISSED;
  }

  /** Links or copies bytes that are whole; returns what is wrong with others. */
  async #copyFile(hash: string, file: string): Promise<BlobFault | undefined> {
    const { signal, link: isLinked } = this.#options;
    try {
      if (!(await lstat(file)).isFile()) return 'changed';
      if (isLinked && (await this.#link(hash, file))) {
        const fault = await this.#blobs.check(hash);
        if (fault === undefined) this.#linked.add(hash);
        else await this.#blobs.remove(hash);
        return fault;
      }
      const draft = await this.#blobs.draft(file, signal);
      if (draft.hash === hash) await this.#blobs.keep(draft);
      else await this.#blobs.drop(draft);
      return draft.hash === hash ? undefined : 'changed';
    } catch (cause) {
      const isOfSource = cause instanceof EngineError && cause.details['source'] === file;
      if (codeOf(cause) === 'ENOENT' || (isOfSource && cause.details['errno'] === 'ENOENT')) return 'missing';
      // Nothing is wrong with the bytes: a backup that lacked them would be worse than none.
      if (isOfSource && SHORTAGES.has(String(cause.details['errno']))) throw cause;
      if (isOfSource) return 'unreadable';
      throw cause;
    }
  }

  /** False: the file system has no hard link for it. @throws the system's `ENOENT`. */
  async #link(hash: string, file: string): Promise<boolean> {
    await this.#blobs.folderOf(hash);
    try {
      await link(file, this.#blobs.fileOf(hash));
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT' || codeOf(cause) === '') throw cause;
      return false;
    }
    return true;
  }

  /** Removes the bytes that an earlier state named and the one that was copied does not. */
  async #removeOthers(named: ReadonlySet<string>): Promise<void> {
    for (const [hash, byteLength] of this.#copied) {
      if (named.has(hash)) continue;
      await this.#blobs.remove(hash);
      this.#copied.delete(hash);
      this.#linked.delete(hash);
      this.#bytes -= byteLength;
    }
    for (const hash of this.#damaged.keys()) if (!named.has(hash)) this.#damaged.delete(hash);
  }

  /** Gives the catalogue its name, once all else is on disk. */
  async #finish(): Promise<BackupReport> {
    for (const start of new Set([...this.#copied.keys()].map((hash) => hash.slice(0, 2))))
      await syncFolder(join(this.#blobs.folder, start));
    const catalogue = await open(this.#draft, 'r+');
    let byteLength: number;
    try {
      await catalogue.sync();
      byteLength = (await catalogue.stat()).size;
    } finally {
      await catalogue.close();
    }
    await syncFolder(this.#to);
    await rename(this.#draft, join(this.#to, 'catalog.sqlite'));
    await syncFolder(this.#to);
    await syncFolder(dirname(this.#to));
    return {
      folder: this.#to,
      blobs: this.#copied.size,
      bytes: this.#bytes + byteLength,
      linked: this.#linked.size,
      damaged: [...this.#damaged].map(([hash, fault]) => ({ hash, fault })),
    };
  }

  /** Removes what was made. What the disk refuses to remove stays, without the catalogue's name. */
  async #undo(made: string | undefined): Promise<void> {
    const places = made === undefined ? [this.#blobs.folder, `${this.#draft}-journal`, this.#draft] : [made];
    for (const place of places) await rm(place, { recursive: true, force: true }).catch(() => undefined);
  }

  #report(total: number, bytesTotal: number): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined) return;
    const elapsedS = (performance.now() - this.#startedMs) / 1_000;
    const bytes = this.#bytes;
    onProgress({
      done: this.#copied.size,
      total,
      bytes,
      bytesTotal,
      bytesPerS: elapsedS > 0 ? bytes / elapsedS : 0,
      remainingS: bytes > 0 ? (Math.max(0, bytesTotal - bytes) * elapsedS) / bytes : null,
    });
  }

  #checkSignal(): void {
    const { signal } = this.#options;
    if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
  }
}

/** Why a library in PostgreSQL is not copied, and what to copy instead. */
export function backupOfDatabase(): EngineError {
  return new EngineError(
    'NOT_ALLOWED',
    'a library in PostgreSQL is backed up with the database: first the database (pg_dump), then the folder or bucket of the bytes',
  );
}
