import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { EngineError } from '../errors.js';
import { codeOf } from './database/storage-errors.js';
import { writeRefusal } from './disk/library-folder.js';
import { openDatabase } from './database/open-database.js';

/**
 * SQLite reads a catalogue only where it can write beside it, and what it says of a folder that takes no writes names
 * neither the folder nor the reason.
 * @param remedy what to do instead.
 * @returns undefined when `cause` is something else.
 */
export function readOnlyError(folder: string, cause: unknown, remedy: string): EngineError | undefined {
  const errno = isRefusedByFolder(cause) ? writeRefusal(folder) : undefined;
  if (errno === undefined) return undefined;
  const message =
    `could not read the catalogue of ${folder}: ${errno} (its folder can only be read, and SQLite needs to write beside ` +
    `the catalogue; ${remedy})`;
  return new EngineError('STORAGE_FAILED', message, { details: { errno }, cause });
}

/**
 * Opens a catalogue to read it. In a folder that takes no writes it is a copy, in the folder for temporary files: of a
 * library that another program writes to meanwhile the copy may be damaged, so this is for what copes with damage.
 * @throws the errors of the system and of SQLite, as they are.
 */
export function openToRead(folder: string): Database.Database {
  try {
    return opened(join(folder, 'catalog.sqlite'));
  } catch (cause) {
    if (!isRefusedByFolder(cause) || writeRefusal(folder) === undefined) throw cause;
  }
  const copy = mkdtempSync(join(tmpdir(), 'shapedex-catalogue-'));
  const remove = (): void => rmSync(copy, { recursive: true, force: true });
  try {
    for (const name of ['catalog.sqlite', 'catalog.sqlite-wal']) copyWhereThere(join(folder, name), join(copy, name));
    const database = opened(join(copy, 'catalog.sqlite'));
    const close = database.close.bind(database);
    return Object.assign(database, {
      close: () => {
        close();
        remove();
        return database;
      },
    });
  } catch (cause) {
    remove();
    throw cause;
  }
}

function opened(file: string): Database.Database {
  const database = openDatabase(file, { readonly: true, fileMustExist: true });
  try {
    database.pragma('user_version'); // The first read tells whether SQLite can read there.
    return database;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

function copyWhereThere(from: string, to: string): void {
  try {
    copyFileSync(from, to);
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT') throw cause;
  }
}

function isRefusedByFolder(cause: unknown): boolean {
  return /^SQLITE_(?:READONLY|CANTOPEN)/.test(codeOf(cause));
}
