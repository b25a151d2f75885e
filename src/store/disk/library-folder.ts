import { accessSync, constants, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { EngineError } from '../../errors.js';
import { codeOf, storageError } from '../database/storage-errors.js';

/**
 * Makes a library's folder, with those above it, where it is missing, and sees that it can be written to. Returns the
 * uppermost folder that was made; undefined when none was.
 * folder: absolute.
 * @throws EngineError `STORAGE_FAILED`.
 */
export function makeLibraryFolder(folder: string): string | undefined {
  let made: string | undefined;
  try {
    made = makeFolders(folder);
  } catch (cause) {
    throw storageError(`make the library ${folder}`, cause);
  }
  if (!statSync(folder).isDirectory()) {
    throw new EngineError(
      'STORAGE_FAILED',
      `could not open the library ${folder}: ENOTDIR (it is a file; a library is a folder)`,
      { details: { errno: 'ENOTDIR' } },
    );
  }
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    const errno = codeOf(cause);
    throw new EngineError(
      'STORAGE_FAILED',
      `could not open the library ${folder}: ${errno} (its folder must be writable, also for searching alone: the lock is kept there)`,
      {
        details: { errno },
        cause,
      },
    );
  }
  return made;
}

/** One after the other: `mkdirSync` with `recursive` never ends where a folder's parent is there and yet refuses it with ENOENT, as /proc does. */
function makeFolders(folder: string): string | undefined {
  const missing: string[] = [];
  for (let at = folder; statSync(at, { throwIfNoEntry: false }) === undefined && dirname(at) !== at; at = dirname(at))
    missing.push(at);
  for (const path of missing.reverse()) {
    try {
      mkdirSync(path);
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') throw cause; // Made by somebody else meanwhile.
    }
  }
  return missing[0];
}
