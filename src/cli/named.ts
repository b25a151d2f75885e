import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { EngineError, type Company, type FileRecord } from '../index.js';
import { UsageError } from './exit.js';

/** Whether a path is a folder that exists. */
export async function isFolder(path: string): Promise<boolean> {
  return (await look(path))?.isDirectory() ?? false;
}

/**
 * Whether opening a library at a path would make one: there is no folder, or nothing in it but empty folders. What it
 * is otherwise, a library or not, opening says.
 */
export async function isUnused(path: string): Promise<boolean> {
  if (!(await isFolder(path))) return true;
  try {
    for (const entry of await readdir(path, { withFileTypes: true }))
      if (!entry.isDirectory() || (await readdir(join(path, entry.name))).length > 0) return false;
    return true;
  } catch {
    return false; // The system refuses to look: opening says so with its code.
  }
}

/** @throws UsageError if a path is no folder, or nothing is there. */
export async function checkFolder(path: string): Promise<void> {
  const found = await look(path);
  if (found === undefined) throw new UsageError(`there is no folder ${path}`);
  if (!found.isDirectory()) throw new UsageError(`${path} is not a folder`);
}

/**
 * The names of folders that are there, which stand before the paths of their files where there are several.
 * @throws UsageError if one is no folder, or two cannot be told apart.
 */
export async function namesOfFolders(folders: readonly string[]): Promise<string[]> {
  for (const folder of folders) await checkFolder(folder);
  return namesApart(folders);
}

/**
 * The same for folders that need not be there. Those of the same name are called by so much more of their paths that
 * they are told apart: `north/parts` and `south/parts`.
 * @throws UsageError if a folder is given twice, or the files of one would have paths as those of another.
 */
export function namesApart(folders: readonly string[]): string[] {
  const paths = folders.map((folder) => resolve(folder).split(sep));
  const ending = (path: readonly string[], length: number): string => path.slice(-length).join('/');
  const names = paths.map((path, at) => {
    let length = 1;
    const isShared = (other: readonly string[], from: number): boolean =>
      from !== at && ending(other, length) === ending(path, length);
    while (length < path.length && paths.some(isShared)) length++;
    return ending(path, length);
  });
  for (const [at, name] of names.entries())
    for (const [from, other] of names.entries())
      if (from !== at && `${other}/`.startsWith(`${name}/`))
        throw new UsageError(
          `${folders[at]} and ${folders[from]} cannot be told apart in the library, where their files would have ` +
            'equal paths; index or watch one at a time, each with a --prefix of its own',
        );
  return names;
}

/**
 * The folders among these that are not there now: shares that come and go.
 * @throws UsageError if one is a file.
 */
export async function missingFolders(folders: readonly string[]): Promise<string[]> {
  const missing: string[] = [];
  for (const folder of folders) {
    const found = await look(folder);
    if (found === undefined) missing.push(folder);
    else if (!found.isDirectory()) throw new UsageError(`${folder} is not a folder`);
  }
  return missing;
}

/** Whether a path is a file that exists. */
export async function isFile(path: string): Promise<boolean> {
  return (await look(path))?.isFile() ?? false;
}

/** Most words of a command line that are put together to find a name with spaces. */
const MOST_WORDS = 20;

/**
 * What to say of a command line that failed because a name with spaces was given without quotes: some of its words, put
 * together, are a file or folder that exists, and the first of them is none. Undefined where that is not so.
 */
export async function unquotedName(words: readonly string[]): Promise<string | undefined> {
  const few = words.slice(0, MOST_WORDS);
  for (let from = 0; from < few.length; from++) {
    if (few[from].startsWith('-') || (await isThere(few[from]))) continue;
    for (let to = from + 2; to <= few.length && !few[to - 1].startsWith('--'); to++) {
      const name = few.slice(from, to).join(' ');
      if (await isThere(name)) return `a name with spaces must stand in quotes: "${name}"`;
    }
  }
  return undefined;
}

/** Whether a library's place is the URL of a database. */
export function isDatabase(library: string): boolean {
  return /^postgres(ql)?:\/\//.test(library);
}

/** Whether something has this name; what cannot be a name, such as a longer one, is nothing. */
async function isThere(name: string): Promise<boolean> {
  return look(name).then(
    (found) => found !== undefined,
    () => false,
  );
}

/** What a path leads to; undefined: nothing. @throws the error of the system. */
export async function look(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether an argument has the form of a UID. */
export function isUid(word: string): boolean {
  return UID.test(word);
}

/**
 * The record that an argument names: by its UID, or by its path in the library.
 * @throws EngineError FILE_UNKNOWN
 */
export async function findRecord(company: Company, word: string): Promise<FileRecord> {
  if (isUid(word)) return company.get(word);
  const record = await company.find(word).catch((cause: unknown) => {
    // No file of a library has such a path, `../plate.step` for instance: the word names a file on disk that is
    // missing.
    if (cause instanceof RangeError) return undefined;
    throw cause;
  });
  if (record !== undefined) return record;
  throw new EngineError('FILE_UNKNOWN', `no file of the library has the path or UID ${word}`);
}

/**
 * Throws when an argument is no file on disk and there is no library that could hold it.
 * @throws EngineError FILE_UNKNOWN
 */
export async function checkNamed(word: string, library: string): Promise<void> {
  if (isUid(word) || (await isFile(word)) || isDatabase(library) || (await isFolder(library))) return;
  throw new EngineError(
    'FILE_UNKNOWN',
    `there is no file ${word}, and no library in ${library} that could hold it (--library names another place)`,
  );
}

/**
 * Throws when a unit is given and no file on disk that it could be of: files of the library have theirs.
 * @throws UsageError
 */
export async function checkUnit(words: readonly string[], unit: string | undefined): Promise<void> {
  if (unit === undefined || (await Promise.all(words.map(isFile))).includes(true)) return;
  const found = words.length === 0 ? 'none is given' : `${words.join(', ')} is none`;
  throw new UsageError(`--unit is the unit of a file on disk, and ${found}; files of the library have been read`);
}

/** Whether a file can be searched with by shape: an indexed model, drawing or image. */
export function hasShape({ state, kind, textOnly }: FileRecord): boolean {
  return state === 'indexed' && kind !== 'Text' && !textOnly;
}

/** The id of the category that an argument names, by name or id; null for `none`. @throws UsageError */
export async function findCategory(company: Company, word: string): Promise<number | null> {
  if (word === 'none') return null;
  const categories = await company.categories.list();
  const found = categories.filter(({ id, name }) => name === word || String(id) === word);
  if (found.length === 1) return found[0].id;
  if (found.length === 0) throw new UsageError(`the company has no category ${JSON.stringify(word)}`);
  throw new UsageError(
    `${JSON.stringify(word)} is the name of several categories; give an id: ${found.map(({ id }) => id).join(', ')}`,
  );
}
