import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { EngineError } from '../../errors.js';
import { checkCatalogFiles, hasBlobs, hasCatalog } from '../disk/library-folder.js';
import { APPLICATION_ID, CATALOG_VERSION, migrate, type Steps } from './migrations.js';
import { withCodedErrors } from '../database/coded-errors.js';
import { OPENING_REMEDY, storageError } from '../database/storage-errors.js';
import { openDatabase } from '../database/open-database.js';

/** Pages of the catalogue kept in memory, KiB. */
const CACHE_KIB = 64 * 1024;

/** How long to wait for another program that reads the catalogue (a backup), ms. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens or makes the catalogue and brings it to the present version. Call with the library's lock held: before it,
 * opening files here could break the locks of another engine in this process.
 * @throws EngineError `LIBRARY_UNREADABLE` for another program's or a newer database, `LIBRARY_DAMAGED`,
 * `STORAGE_FAILED`.
 */
export function openCatalog(folder: string, stepsOfRooms: readonly Steps[]): Database.Database {
  const file = join(folder, 'catalog.sqlite');
  let database: Database.Database | undefined;
  try {
    if (!hasCatalog(folder)) refuseBlobs(folder, 'missing');
    checkCatalogFiles(folder);
    database = withCodedErrors(openDatabase(file, { timeout: BUSY_TIMEOUT_MS }));
    checkIdentity(database, folder);
    // WAL first, while nobody else has the file open. Full sync: a step of the schema is on disk when its commit
    // returns; `GroupCommit` then syncs the log itself.
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('fullfsync = ON');
    database.pragma('checkpoint_fullfsync = ON');
    database.pragma('foreign_keys = ON');
    database.pragma('temp_store = MEMORY');
    database.pragma(`cache_size = -${CACHE_KIB}`);
    migrate(database, stepsOfRooms);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof EngineError && cause.details['errno'] === 'SQLITE_NOTADB') {
      throw new EngineError(
        'LIBRARY_UNREADABLE',
        `${file} is not a catalogue (or its beginning was overwritten); ${OPENING_REMEDY}`,
        {
          details: { folder },
          cause,
        },
      );
    }
    throw storageError(`open the library ${folder}`, cause);
  }
}

function checkIdentity(database: Database.Database, folder: string): void {
  const version = database.pragma('user_version', { simple: true }) as number;
  const application = database.pragma('application_id', { simple: true }) as number;
  const tables = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
  if (version === 0 && application === 0 && tables === 0) {
    refuseBlobs(folder, 'empty');
    return;
  }
  if (application !== APPLICATION_ID) {
    throw new EngineError(
      'LIBRARY_UNREADABLE',
      `${join(folder, 'catalog.sqlite')} is another program's database (application_id ${application})`,
      {
        details: { folder },
      },
    );
  }
  if (version > CATALOG_VERSION) {
    throw new EngineError(
      'LIBRARY_UNREADABLE',
      `the library ${folder} is of version ${version}, written by a newer engine; ` +
        `this one knows up to ${CATALOG_VERSION}`,
      { details: { folder, found: version, known: CATALOG_VERSION } },
    );
  }
}

/** A new catalogue is never made beside blobs: theirs must have been lost, and its owner may still find it. */
function refuseBlobs(folder: string, found: 'missing' | 'empty'): void {
  if (!hasBlobs(folder)) return;
  throw new EngineError(
    'LIBRARY_DAMAGED',
    `the catalogue of ${folder} is ${found}, but \`blobs/\` holds files; ${OPENING_REMEDY}`,
    {
      details: { folder },
    },
  );
}
