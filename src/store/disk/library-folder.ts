import { accessSync, constants, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../errors.js';
import { codeOf, storageError } from '../database/storage-errors.js';

/** All that a library folder may hold, and what file managers leave everywhere; another name means that the folder is somebody else's. */
const LIBRARY_NAMES =
  /^(?:catalog\.sqlite(?:-wal|-shm|-journal)?|lock\.sqlite(?:-journal)?|holder\.json(?:\.\d+)?|blobs|cache|\.DS_Store|Thumbs\.db|desktop\.ini)$/;

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

/**
 * Refuses a folder that holds something else, before anything is written to it.
 * @throws EngineError `LIBRARY_UNREADABLE`.
 */
export function checkFolder(folder: string): void {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch (cause) {
    throw storageError(`open the library ${folder}`, cause);
  }
  const foreign = names.find((name) => !LIBRARY_NAMES.test(name));
  if (foreign !== undefined && !names.includes('catalog.sqlite')) {
    throw new EngineError(
      'LIBRARY_UNREADABLE',
      `${folder} is not a library: it holds ${JSON.stringify(foreign)} and no catalog.sqlite`,
      {
        details: { folder },
      },
    );
  }
}

/** Whether the folder holds a catalogue. */
export function hasCatalog(folder: string): boolean {
  return existsSync(join(folder, 'catalog.sqlite'));
}

/** Whether the folder holds the bytes of any file. */
export function hasBlobs(folder: string): boolean {
  const blobs = join(folder, 'blobs');
  return existsSync(blobs) && readdirSync(blobs).some((name) => /^[0-9a-f]{2}$/.test(name));
}

/** The folder for derived data of a name, made where it is missing. */
export function makeCacheFolder(folder: string, name: string): string {
  const path = join(folder, 'cache', name);
  mkdirSync(path, { recursive: true });
  return path;
}

/** Bytes of the catalogue on disk, with what is not checkpointed yet. */
export async function catalogBytes(folder: string): Promise<number> {
  return (await sizeOf(join(folder, 'catalog.sqlite'))) + (await sizeOf(join(folder, 'catalog.sqlite-wal')));
}

/** Bytes of all derived data on disk. */
export function cacheBytes(folder: string): Promise<number> {
  return folderBytes(join(folder, 'cache'));
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

async function folderBytes(folder: string): Promise<number> {
  try {
    let sum = 0;
    for (const name of await readdir(folder, { recursive: true })) {
      const { size } = await stat(join(folder, name));
      sum += size;
    }
    return sum;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return 0;
    throw cause;
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return 0;
    throw cause;
  }
}
