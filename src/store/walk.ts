import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../errors.js';
import { codeOf, storageError } from './storage-errors.js';

/** A file below a folder. */
export interface FoundFile {
  /** From the folder, with forward slashes. */
  readonly path: string;
  /** For the operating system. */
  readonly file: string;
  readonly byteLength: number;
  readonly mtimeMs: number;
}

/** A folder or file that could not be looked at. */
export interface UnreadableEntry {
  readonly path: string;
  readonly message: string;
}

/**
 * All accepted files of a folder and below, in the order of their paths' UTF-16 units, folder by folder. Links to files are
 * followed, links to folders are not (they may lead in circles).
 * @throws EngineError `STORAGE_FAILED` when the folder itself cannot be listed; `ABORTED`.
 */
export async function walkFolder(
  folder: string,
  { accepts, signal }: { accepts: (name: string) => boolean; signal?: AbortSignal },
): Promise<{ files: FoundFile[]; unreadable: UnreadableEntry[] }> {
  const files: FoundFile[] = [];
  const unreadable: UnreadableEntry[] = [];
  const pending = [''];
  for (let below = pending.pop(); below !== undefined; below = pending.pop()) {
    if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
    try {
      const entries = await readdir(join(folder, below), { withFileTypes: true });
      for (const entry of entries) {
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory()) pending.push(path);
        else if ((entry.isFile() || entry.isSymbolicLink()) && accepts(entry.name)) await look(path);
      }
    } catch (cause) {
      if (below === '') throw storageError(`list the folder ${folder}`, cause);
      unreadable.push({ path: below, message: storageError(`list the folder ${below}`, cause).message });
    }
  }
  const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return { files: files.sort(byPath), unreadable: unreadable.sort(byPath) };

  async function look(path: string): Promise<void> {
    const file = join(folder, path);
    try {
      const facts = await stat(file);
      if (facts.isFile()) files.push({ path, file, byteLength: facts.size, mtimeMs: facts.mtimeMs });
    } catch (cause) {
      unreadable.push({ path, message: `could not look at the file: ${codeOf(cause)}` });
    }
  }
}
