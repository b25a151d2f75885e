import { readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import type Database from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { codeOf, storageError } from '../database/storage-errors.js';
import { openDatabase } from '../database/open-database.js';

/** Who has a library open; `details.holder` of a `LIBRARY_LOCKED` error. */
export interface LibraryHolder {
  readonly pid: number;
  readonly host: string;
  /** Name of the program's main script. */
  readonly program: string;
  /** When it opened the library, ISO 8601. */
  readonly since: string;
}

/**
 * The library's exclusive lock: an open exclusive transaction on an empty database file. SQLite uses the operating
 * system's file lock on every platform, so the lock ends with its process, however that ends, and it also excludes a
 * second opener in the same process. `holder.json` beside it is information for people: it may be stale, the lock
 * never.
 *
 * Nothing else may open the lock file: closing any descriptor of it would drop POSIX locks of the whole process.
 */
export class LibraryLock {
  readonly #database: Database.Database;
  readonly #holderFile: string;

  private constructor(database: Database.Database, holderFile: string) {
    this.#database = database;
    this.#holderFile = holderFile;
  }

  /** @throws EngineError `LIBRARY_LOCKED` with `details.holder`; `STORAGE_FAILED`. */
  static take(folder: string): LibraryLock {
    const holderFile = join(folder, 'holder.json');
    let database: Database.Database | undefined;
    try {
      database = lockedFile(join(folder, 'lock.sqlite'));
      writeHolder(holderFile);
      return new LibraryLock(database, holderFile);
    } catch (cause) {
      database?.close();
      if (codeOf(cause).startsWith('SQLITE_BUSY')) throw locked(folder, readHolder(holderFile), cause);
      throw storageError(`lock the library ${folder}`, cause);
    }
  }

  /** Ends the lock. `holder.json` is removed first, so that this cannot remove the next holder's. */
  release(): void {
    removeFile(this.#holderFile);
    this.#database.close();
  }
}

/** Removes a file that is for people. What cannot be removed stays: the next holder writes its own. */
function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch (cause) {
    if (codeOf(cause) === '') throw cause;
  }
}

/**
 * A lock file that something else overwrote is emptied: it holds nothing. Whoever had it locked would have been met
 * before its content, and emptying it takes nobody's lock.
 */
function lockedFile(file: string, isSecondTry = false): Database.Database {
  const database = openDatabase(file, { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (cause) {
    database.close();
    if (isSecondTry || !/^SQLITE_(NOTADB|CORRUPT)/.test(codeOf(cause))) throw cause;
    truncateSync(file);
    return lockedFile(file, true);
  }
}

function locked(folder: string, holder: LibraryHolder | undefined, cause: unknown): EngineError {
  const who =
    holder === undefined
      ? 'another program'
      : `${holder.program} (process ${holder.pid} on ${holder.host}, since ${holder.since})`;
  return new EngineError(
    'LIBRARY_LOCKED',
    `the library ${folder} is open in ${who}; only one program at a time can have it open: stop that one, or do this through it`,
    {
      details: { folder, holder },
      cause,
    },
  );
}

/** The file is for people: a disk that refuses it, or something else in its place, keeps nobody out. */
function writeHolder(file: string): void {
  const holder: LibraryHolder = {
    pid: process.pid,
    host: hostname(),
    program: basename(process.argv[1] ?? process.execPath),
    since: new Date().toISOString(),
  };
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, JSON.stringify(holder));
    renameSync(draft, file);
  } catch (cause) {
    if (codeOf(cause) === '') throw cause;
    removeFile(draft);
  }
}

function readHolder(file: string): LibraryHolder | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as LibraryHolder;
  } catch {
    return undefined; // Not written yet, or just removed; only the lock itself decides.
  }
}
