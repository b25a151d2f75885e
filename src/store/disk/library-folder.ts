import { accessSync, constants, mkdirSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../../errors.js';
import { codeOf, OPENING_REMEDY, storageError } from '../database/storage-errors.js';

/** Names that a library folder may contain, with those that file managers leave; any other: it is no library. */
const LIBRARY_NAMES =
  /^(?:catalog\.sqlite(?:-wal|-shm|-journal)?|lock\.sqlite(?:-journal)?|holder\.json(?:\.\d+)?|catalog\.mark|service|blobs|cache|lost\+found|\.DS_Store|Thumbs\.db|desktop\.ini)$/;

/** The same in the folder of bytes. */
const BLOB_NAMES = /^(?:[0-9a-f]{2}|draft-.*|\.DS_Store|Thumbs\.db|desktop\.ini)$/;

/** The catalogue, and what SQLite keeps beside it. */
const CATALOG_FILES = ['', '-wal', '-shm', '-journal'].map((end) => `catalog.sqlite${end}`);

/** The catalogue of a backup that is not whole yet. */
export const UNFINISHED_BACKUP = 'catalog.unfinished';

/**
 * Makes a library's folder and its parents where they are missing, and checks that it is writable. It is made for its
 * owner alone: it holds the files of all companies, and accounts. Returns the uppermost folder that was made; undefined
 * when none was.
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
  const errno = writeRefusal(folder);
  if (errno === undefined) return made;
  throw new EngineError(
    'STORAGE_FAILED',
    `could not open the library ${folder}: ${errno} ` +
      '(its folder must be writable; searching also needs write access, for the lock file)',
    { details: { errno } },
  );
}

/**
 * Refuses what stands in the place of the catalogue, or of a file that SQLite keeps beside it, and is no file: opening
 * a pipe would wait for ever for somebody who writes to it.
 * @throws EngineError `LIBRARY_DAMAGED`; an error of the system other than that nothing is there.
 */
export function checkCatalogFiles(folder: string): void {
  for (const name of CATALOG_FILES) {
    const file = join(folder, name);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== false) continue;
    throw new EngineError('LIBRARY_DAMAGED', `${file} is no file; ${OPENING_REMEDY}`, { details: { folder } });
  }
}

/** Why the folder cannot be written to, `EROFS` or `EACCES` for instance; undefined where it can. */
export function writeRefusal(folder: string): string | undefined {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return undefined;
  } catch (cause) {
    return codeOf(cause);
  }
}

/**
 * Refuses a folder that contains something other than a library, before anything is written to it.
 * @throws EngineError `LIBRARY_UNREADABLE`.
 */
export function checkFolder(folder: string): void {
  let names: string[];
  let foreign: string | undefined;
  try {
    names = readdirSync(folder);
    foreign = names.includes('catalog.sqlite') ? undefined : foreignName(folder, names);
  } catch (cause) {
    throw storageError(`open the library ${folder}`, cause);
  }
  if (names.includes(UNFINISHED_BACKUP) && !names.includes('catalog.sqlite')) {
    throw new EngineError(
      'LIBRARY_UNREADABLE',
      `${folder} is a backup that was cut short: it holds ${UNFINISHED_BACKUP}; delete it and make another`,
      { details: { folder } },
    );
  }
  if (foreign !== undefined) {
    throw new EngineError(
      'LIBRARY_UNREADABLE',
      `${folder} is not a library: it holds ${JSON.stringify(foreign)} and no catalog.sqlite`,
      {
        details: { folder },
      },
    );
  }
}

/** Something that no library has, in the folder or in its `blobs`, which other programs make too. */
function foreignName(folder: string, names: readonly string[]): string | undefined {
  const foreign = names.find((name) => !LIBRARY_NAMES.test(name));
  const blobs = join(folder, 'blobs');
  if (foreign !== undefined || statSync(blobs, { throwIfNoEntry: false })?.isDirectory() !== true) return foreign;
  const among = readdirSync(blobs).find((name) => !BLOB_NAMES.test(name));
  return among === undefined ? undefined : `blobs/${among}`;
}

/** Whether the folder holds a catalogue. */
export function hasCatalog(folder: string): boolean {
  // Not existsSync: a file that the disk refuses to look at is not missing.
  return statSync(join(folder, 'catalog.sqlite'), { throwIfNoEntry: false }) !== undefined;
}

/** Whether the folder holds the bytes of any file. */
export function hasBlobs(folder: string): boolean {
  const blobs = join(folder, 'blobs');
  return (
    statSync(blobs, { throwIfNoEntry: false }) !== undefined &&
    readdirSync(blobs).some((name) => /^[0-9a-f]{2}$/.test(name))
  );
}

/** Where derived data of this name lie. */
export function cacheFolderOf(folder: string, name: string): string {
  return join(folder, 'cache', name);
}

/** The folder for derived data of this name, made if missing. @throws EngineError `STORAGE_FAILED`. */
export function makeCacheFolder(folder: string, name: string): string {
  const path = cacheFolderOf(folder, name);
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw storageError(`make the folder ${path}`, cause);
  }
  return path;
}

/** Bytes of the catalogue on disk, including its write-ahead log. @throws EngineError `STORAGE_FAILED`. */
export async function catalogBytes(folder: string): Promise<number> {
  return (await sizeOf(join(folder, 'catalog.sqlite'))) + (await sizeOf(join(folder, 'catalog.sqlite-wal')));
}

/** Bytes of all derived data on disk. @throws EngineError `STORAGE_FAILED`. */
export function cacheBytes(folder: string): Promise<number> {
  return folderBytes(join(folder, 'cache'));
}

/**
 * Makes a folder, for its owner alone, and its parents, one after another: `mkdir` with `recursive` never returns where
 * an existing parent refuses a folder with ENOENT, as /proc does. Returns the uppermost folder that was made.
 */
export function makeFolders(folder: string): string | undefined {
  const missing: string[] = [];
  for (let at = folder; statSync(at, { throwIfNoEntry: false }) === undefined && dirname(at) !== at; at = dirname(at))
    missing.push(at);
  for (const path of missing.reverse()) {
    try {
      mkdirSync(path, path === folder ? { mode: 0o700 } : undefined);
    } catch (cause) {
      if (codeOf(cause) !== 'EEXIST') throw cause; // Another process made it meanwhile.
    }
  }
  return missing[0];
}

/** Where a path lies that need not exist: links of what exists of it are followed. */
export function placeOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    if (codeOf(cause) !== 'ENOENT' || dirname(path) === path) throw cause;
    return join(placeOf(dirname(path)), basename(path));
  }
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
    throw storageError(`measure the folder ${folder}`, cause);
  }
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return 0;
    throw storageError(`measure the file ${file}`, cause);
  }
}
