import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { withCodedErrors } from './coded-errors.js';
import { storageError } from './storage-errors.js';

/** Pages kept in memory, KiB. */
const CACHE_KIB = 1_024;
const DAMAGED = 'SQLITE_CORRUPT';

/** What a database of derived data below `cache/` is opened with. */
export interface DerivedSchema {
  /** Raised when a table or the meaning of its bytes changes. */
  readonly format: number;
  /** `CREATE TABLE …`, run where it is made. */
  readonly tables: string;
  /** Bytes of a page: a power of two from 512 to 65 536. Long rows are read faster in large ones. */
  readonly pageBytes: number;
}

/**
 * Opens a database of derived data below `cache/`: one that is missing, damaged or of another format is made anew. A
 * process that is killed leaves it as it was after one of its transactions; a power cut may cost the last ones.
 * @throws EngineError `STORAGE_FAILED`: the disk refused. What is there then stays.
 */
export function openDerived(path: string, schema: DerivedSchema): Database.Database {
  try {
    const found = existsSync(path) ? existing(path, schema.format) : undefined;
    return found ?? made(path, schema);
  } catch (cause) {
    throw storageError(`open ${path}`, cause);
  }
}

/**
 * Runs what reads or writes such a database. One that proves damaged is marked, so that the next opening makes it anew.
 * @throws EngineError `STORAGE_FAILED`, see {@link isDamage}: nothing of the library is lost.
 */
export function withDerived<T>(database: Database.Database, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    // Bytes of another length than the rest of their row says are damage that SQLite does not see.
    if (!(cause instanceof RangeError || (cause instanceof EngineError && cause.code === 'LIBRARY_DAMAGED')))
      throw cause;
    throw spoiled(database, cause);
  }
}

/** Marks such a database as damaged, so that the next opening makes it anew; returns what to throw. */
export function spoiled(database: Database.Database, cause?: unknown): EngineError {
  try {
    database.pragma('user_version = 0');
  } catch {
    // Not even that can be written: an opening finds it damaged.
  }
  return new EngineError('STORAGE_FAILED', `${database.name} is damaged; it is made anew when it is opened next`, {
    details: { errno: DAMAGED },
    cause,
  });
}

/** Whether a failure of such a database is damage, which the next opening mends; else the disk refused. */
export function isDamage({ details }: EngineError): boolean {
  return details?.errno === DAMAGED;
}

/** What a checksum that does not fit says. */
export function mismatch(what: string): EngineError {
  return new EngineError('LIBRARY_DAMAGED', `${what} does not match its checksum`);
}

function existing(path: string, format: number): Database.Database | undefined {
  let database: Database.Database | undefined;
  try {
    database = opened(path);
    if (database.pragma('user_version', { simple: true }) === format) return database;
  } catch (cause) {
    const failure = storageError(`open ${path}`, cause);
    if (failure.code !== 'LIBRARY_DAMAGED') {
      database?.close();
      throw failure;
    }
  }
  database?.close();
  return undefined;
}

function made(path: string, { format, tables, pageBytes }: DerivedSchema): Database.Database {
  mkdirSync(dirname(path), { recursive: true });
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  const database = opened(path, pageBytes);
  database.exec(`${tables}; PRAGMA user_version = ${format}`);
  return database;
}

/** pageBytes: of one that is made. */
function opened(path: string, pageBytes?: number): Database.Database {
  const database = withCodedErrors(new Database(path, { fileMustExist: pageBytes === undefined }));
  if (pageBytes !== undefined) database.pragma(`page_size = ${pageBytes}`);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma(`cache_size = -${CACHE_KIB}`);
  return database;
}
