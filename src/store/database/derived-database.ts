import { rmSync } from 'node:fs';
import Database from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { withCodedErrors } from './coded-errors.js';
import { storageError } from './storage-errors.js';

/** Pages kept in memory, KiB. */
const CACHE_KIB = 1_024;

/**
 * Opens a database of derived data below `cache/`: one that is missing, damaged or of another format is made anew. A
 * process that is killed leaves it as it was after one of its transactions; a power cut may cost the last ones.
 * @param schema `CREATE TABLE …`, run where it is made.
 * @throws EngineError `STORAGE_FAILED`.
 */
export function openDerived(path: string, format: number, schema: string): Database.Database {
  const found = existing(path, format);
  if (found !== undefined) return found;
  try {
    for (const end of ['', '-wal', '-shm']) rmSync(`${path}${end}`, { force: true });
    const database = opened(path, false);
    database.exec(`${schema}; PRAGMA user_version = ${format}`);
    return database;
  } catch (cause) {
    throw storageError(`make ${path}`, cause);
  }
}

/**
 * Runs what reads or writes such a database. One that proves damaged is marked, so that the next opening makes it anew.
 * @param onDamaged called then, so that somebody opens it anew.
 * @throws EngineError `STORAGE_FAILED`: nothing of the library is lost.
 */
export function withDerived<T>(database: Database.Database, onDamaged: (() => void) | undefined, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    // Bytes of another length than the rest of their row says are damage that SQLite does not see.
    const isDamage = cause instanceof RangeError || (cause instanceof EngineError && cause.code === 'LIBRARY_DAMAGED');
    if (!isDamage) throw cause;
    try {
      database.pragma('user_version = 0');
    } catch {
      // Not even that can be written: an opening finds it damaged.
    }
    onDamaged?.();
    throw new EngineError('STORAGE_FAILED', `${database.name} is damaged; it is made anew when it is opened next`, {
      details: { errno: 'SQLITE_CORRUPT' },
      cause,
    });
  }
}

function existing(path: string, format: number): Database.Database | undefined {
  let database: Database.Database | undefined;
  try {
    database = opened(path, true);
    if (database.pragma('user_version', { simple: true }) === format) return database;
  } catch {
    // Missing or damaged: it is made anew.
  }
  database?.close();
  return undefined;
}

function opened(path: string, fileMustExist: boolean): Database.Database {
  const database = withCodedErrors(new Database(path, { fileMustExist }));
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma(`cache_size = -${CACHE_KIB}`);
  return database;
}
