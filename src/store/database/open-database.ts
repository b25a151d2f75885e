import Database from 'better-sqlite3';
import { EngineError } from '../../errors.js';

/**
 * Opens a database file of SQLite.
 * @param file path of the file; ':memory:' for a database that is on no disk.
 * @throws EngineError `PACKAGE_MISSING` where the native module of better-sqlite3 was not built or was built for
 * another Node; SQLite's own errors as they are.
 */
export function openDatabase(file: string, options: Database.Options = {}): Database.Database {
  try {
    return new Database(file, options);
  } catch (cause) {
    if (!isModuleMissing(cause)) throw cause;
    throw new EngineError(
      'PACKAGE_MISSING',
      'the catalogue needs the native module of better-sqlite3, which does not load here ' +
        `(${cause.message.split('\n')[0]}). npm 12 and later build a package's native module only when that is ` +
        'allowed: npm install-scripts approve better-sqlite3, then: npm rebuild better-sqlite3',
      { details: { package: 'better-sqlite3' }, cause },
    );
  }
}

/** `bindings`, which better-sqlite3 finds its native module with, gives its error no code. */
function isModuleMissing(cause: unknown): cause is Error {
  if (!(cause instanceof Error)) return false;
  return (cause as NodeJS.ErrnoException).code === 'ERR_DLOPEN_FAILED' || /bindings file/.test(cause.message);
}
