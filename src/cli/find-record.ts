import { EngineError, type Company, type FileRecord } from '../index.js';
import { isFile, isFolder } from './disk.js';

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a word has the form of a UID. */
export function isUid(word: string): boolean {
  return UID.test(word);
}

/**
 * The record that a word on the command line means: a UID, or the path that the file has in the library.
 * @throws EngineError FILE_UNKNOWN
 */
export async function findRecord(company: Company, word: string): Promise<FileRecord> {
  if (isUid(word)) return company.get(word);
  const record = await company.find(word);
  if (record !== undefined) return record;
  throw new EngineError('FILE_UNKNOWN', `no file of the library has the path or UID ${word}`);
}

/** Refuses a word that is no file on disk where there is no library either in which it could be one. @throws EngineError FILE_UNKNOWN */
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
