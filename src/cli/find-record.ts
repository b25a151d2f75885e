import { EngineError, type Company, type FileRecord } from '../index.js';
import { isFile, isFolder } from './disk.js';

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
  const record = await company.find(word);
  if (record !== undefined) return record;
  throw new EngineError('FILE_UNKNOWN', `no file of the library has the path or UID ${word}`);
}

/**
 * Throws when an argument is no file on disk and there is no library that could hold it.
 * @throws EngineError FILE_UNKNOWN
 */
export async function checkNamed(word: string, library: string): Promise<void> {
  if (isUid(word) || (await isFile(word)) || (await isFolder(library))) return;
  throw new EngineError(
    'FILE_UNKNOWN',
    `there is no file ${word}, and no library in ${library} that could hold it (--library names another place)`,
  );
}

/** Whether a file can be searched with by shape: an indexed model, drawing or image. */
export function hasShape({ state, kind, textOnly }: FileRecord): boolean {
  return state === 'indexed' && kind !== 'Text' && !textOnly;
}
