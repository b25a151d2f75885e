import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
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

/** What lies below a folder and is no file: it is passed over. */
export interface PassedOver {
  /** Links to folders, which are not followed. */
  readonly folderLinks: number;
  /** Links to what is not there, or in a circle, whose own names are of no accepted kind. */
  readonly brokenLinks: number;
  /** Devices, pipes, sockets, and links to them. */
  readonly special: number;
}

/** What lies below a folder. */
export interface WalkedFolder {
  readonly files: FoundFile[];
  readonly unreadable: UnreadableEntry[];
  /** Folders that were listed, that in which the walk began among them. */
  readonly folders: string[];
  /** Hidden ones (`.name`) are not counted. */
  readonly passedOver: PassedOver;
}

/** How a folder is walked. */
export interface WalkOptions {
  readonly accepts: (name: string) => boolean;
  /** Told the name of every file that is not accepted. */
  readonly onOther?: (name: string) => void;
  readonly signal?: AbortSignal;
  /** Where to begin, from the folder. Default '': the folder itself. */
  readonly below?: string;
}

/**
 * All accepted files of a folder and below, in the order of their paths' UTF-16 units, folder by folder. Links to files are
 * followed, links to folders are not (they may lead in circles).
 * @throws EngineError `STORAGE_FAILED` when the folder in which it begins cannot be listed; `ABORTED`.
 */
export async function walkFolder(folder: string, { accepts, onOther, signal, below: first = '' }: WalkOptions): Promise<WalkedFolder> {
  const files: FoundFile[] = [];
  const unreadable: UnreadableEntry[] = [];
  const folders: string[] = [];
  const passedOver = { folderLinks: 0, brokenLinks: 0, special: 0 };
  const pending = [first];
  for (let below = pending.pop(); below !== undefined; below = pending.pop()) {
    if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
    try {
      const entries = await readdir(join(folder, below), { withFileTypes: true });
      folders.push(below);
      for (const entry of entries) {
        const path = below === '' ? entry.name : `${below}/${entry.name}`;
        if (entry.isDirectory()) pending.push(path);
        else if (entry.isFile() && !accepts(entry.name)) onOther?.(entry.name);
        else if (entry.isFile() || entry.isSymbolicLink()) await look(path, entry.name);
        else passOver('special', entry.name);
      }
    } catch (cause) {
      if (below === first) throw storageError(`list the folder ${join(folder, below)}`, cause);
      unreadable.push({ path: below, message: await isUnspeakable(join(folder, below), cause) ? UNSPEAKABLE : storageError(`list the folder ${below}`, cause).message });
    }
  }
  const byPath = (a: { path: string }, b: { path: string }): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
  return { files: files.sort(byPath), unreadable: unreadable.sort(byPath), folders, passedOver };

  async function look(path: string, name: string): Promise<void> {
    const file = join(folder, path);
    try {
      const facts = await stat(file);
      if (!facts.isFile()) passOver(facts.isDirectory() ? 'folderLinks' : 'special', name);
      else if (accepts(name)) files.push({ path, file, byteLength: facts.size, mtimeMs: facts.mtimeMs });
      else onOther?.(name);
    } catch (cause) {
      if (await isUnspeakable(file, cause)) unreadable.push({ path, message: UNSPEAKABLE });
      else if (accepts(name)) unreadable.push({ path, message: `could not look at the file: ${codeOf(cause)}` });
      else passOver('brokenLinks', name);
    }
  }

  function passOver(what: keyof PassedOver, name: string): void {
    if (!name.startsWith('.')) passedOver[what]++;
  }
}

const UNSPEAKABLE = 'its name is not UTF-8, so that it cannot be opened: it must be renamed';

/** Bytes of a name that are no UTF-8 come as U+FFFD from the listing; under that name there is nothing. */
async function isUnspeakable(file: string, cause: unknown): Promise<boolean> {
  if (codeOf(cause) !== 'ENOENT' || !file.includes('\uFFFD')) return false;
  // A link of such a name that leads nowhere is there itself.
  return lstat(file).then(() => false, (own: unknown) => codeOf(own) === 'ENOENT');
}

/** What is at a path below a folder: a file, a folder, nothing, something else (a device, a link to a folder), or what cannot be looked at. */
export type SeenEntry =
  | { readonly kind: 'file'; readonly file: FoundFile }
  | { readonly kind: 'folder' | 'missing' | 'other' }
  | { readonly kind: 'unreadable'; readonly message: string };

/** Looks at one path as {@link walkFolder} would. */
export async function lookAt(folder: string, path: string): Promise<SeenEntry> {
  const file = join(folder, path);
  try {
    const own = await lstat(file);
    // The folder itself may be a link.
    if (own.isDirectory()) return { kind: 'folder' };
    const facts = own.isSymbolicLink() ? await stat(file) : own;
    if (facts.isFile()) return { kind: 'file', file: { path, file, byteLength: facts.size, mtimeMs: facts.mtimeMs } };
    return { kind: path === '' && facts.isDirectory() ? 'folder' : 'other' };
  } catch (cause) {
    const code = codeOf(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'unreadable', message: storageError(`look at ${path === '' ? folder : path}`, cause).message };
  }
}

/** SHA-256 of a file on disk, lower-case hex. @throws EngineError `STORAGE_FAILED` with `details.source`; `ABORTED`. */
export async function hashOfFile(file: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(file, { signal })) hash.update(chunk as Uint8Array);
  } catch (cause) {
    if (signal.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
    const { code, message, details } = storageError('read the file', cause);
    throw new EngineError(code, message, { details: { ...details, source: file }, cause });
  }
  return hash.digest('hex');
}
