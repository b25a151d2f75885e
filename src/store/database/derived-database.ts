import { closeSync, existsSync, mkdirSync, openSync, readSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type Database from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { withCodedErrors } from './coded-errors.js';
import { storageError } from './storage-errors.js';
import { openDatabase } from './open-database.js';

/** Pages kept in memory, KiB. */
const CACHE_KIB = 1_024;
const DAMAGED = 'SQLITE_CORRUPT';
/**
 * Where the header says who may write, and the highest value that SQLite knows (sqlite.org/fileformat2.html, 1.3.3).
 */
const WRITE_VERSION = { at: 18, highest: 2 };

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
 * @param prepared what to return: prepares the statements, so that a damaged schema is seen here.
 * @throws EngineError `STORAGE_FAILED`: the disk refused, and what is there stays; or, see {@link isDamage}, what was
 * made anew is damaged again.
 */
export function openDerived<T>(path: string, schema: DerivedSchema, prepared: (database: Database.Database) => T): T {
  try {
    return (existsSync(path) ? existing(path, schema.format, prepared) : undefined) ?? made(path, schema, prepared);
  } catch (cause) {
    const failure = storageError(`open ${path}`, cause);
    throw meansDamage(failure) ? damaged(path, failure) : failure;
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
    if (cause instanceof RangeError) throw spoiled(database, cause);
    const failure = storageError(`use ${database.name}`, cause);
    throw meansDamage(failure) ? spoiled(database, failure) : failure;
  }
}

/** Marks such a database as damaged, so that the next opening makes it anew; returns what to throw. */
export function spoiled(database: Database.Database, cause?: unknown): EngineError {
  try {
    database.pragma('user_version = 0');
  } catch {
    // Not even that can be written: an opening finds it damaged.
  }
  return damaged(database.name, cause);
}

function damaged(path: string, cause: unknown): EngineError {
  return new EngineError('STORAGE_FAILED', `${path} is damaged; it is made anew when it is opened next`, {
    details: { errno: DAMAGED, path },
    cause,
  });
}

/** Whether a failure of such a database is damage, which the next opening mends; else the disk refused. */
export function isDamage({ details }: EngineError): boolean {
  return details?.errno === DAMAGED;
}

/** Codes of SQLite that in data of the catalogue would be ours, and here can come of damage alone. */
const ODD = /^SQLITE_(?:CONSTRAINT|MISMATCH|TOOBIG)/;

function meansDamage({ code, details }: EngineError): boolean {
  return code === 'LIBRARY_DAMAGED' || ODD.test(String(details?.errno));
}

/**
 * Checks the types of values of a row: damage makes a NULL or a text of what STRICT let in as bytes or a number.
 * @throws EngineError `LIBRARY_DAMAGED`, as {@link mismatch}.
 */
export function checkTypes(what: string, numbers: readonly unknown[], ...bytes: readonly unknown[]): void {
  if (numbers.every((value) => typeof value === 'number') && bytes.every((value) => value instanceof Uint8Array))
    return;
  throw mismatch(what);
}

/** What a checksum that does not fit says. */
export function mismatch(what: string): EngineError {
  return new EngineError('LIBRARY_DAMAGED', `${what} does not match its checksum`);
}

function existing<T>(path: string, format: number, prepared: (database: Database.Database) => T): T | undefined {
  let database: Database.Database | undefined;
  try {
    if (isReadAlone(path)) return undefined;
    database = connected(path);
    setUp(database);
    if (database.pragma('user_version', { simple: true }) === format) return prepared(database);
  } catch (cause) {
    const failure = storageError(`open ${path}`, cause);
    if (!meansDamage(failure)) {
      database?.close();
      throw failure;
    }
  }
  database?.close();
  return undefined;
}

/** Whether the header keeps SQLite from writing, as one flipped bit of it does; no table of ours says so. */
function isReadAlone(path: string): boolean {
  const file = openSync(path, 'r');
  try {
    const version = Buffer.alloc(1);
    readSync(file, version, 0, 1, WRITE_VERSION.at);
    return version[0] > WRITE_VERSION.highest;
  } finally {
    closeSync(file);
  }
}

function made<T>(
  path: string,
  { format, tables, pageBytes }: DerivedSchema,
  prepared: (database: Database.Database) => T,
): T {
  mkdirSync(dirname(path), { recursive: true });
  for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
  const database = connected(path, { isNew: true });
  try {
    database.pragma(`page_size = ${pageBytes}`);
    setUp(database);
    database.exec(`${tables}; PRAGMA user_version = ${format}`);
    return prepared(database);
  } catch (cause) {
    database.close();
    throw cause;
  }
}

function connected(path: string, { isNew = false } = {}): Database.Database {
  return withCodedErrors(openDatabase(path, { fileMustExist: !isNew }));
}

function setUp(database: Database.Database): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma(`cache_size = -${CACHE_KIB}`);
}
