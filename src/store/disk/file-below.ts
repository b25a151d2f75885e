import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EngineError } from '../../errors.js';
import { leadsInside } from './walk.js';

/** What is said of a link that leads out of the folder in which it was found. */
export const LEADS_OUTSIDE = 'it is a link that leads out of the folder; the option followLinks takes it';

/** A file that counts only as long as it lies below a folder: the source of a put from a folder. */
export class FileBelow extends URL {
  readonly folder: string;

  /** folder, file: the operating system's paths. */
  constructor(folder: string, file: string) {
    super(pathToFileURL(file));
    this.folder = folder;
  }
}

/**
 * Opens a file for reading if what is opened lies below the folder. It is checked after the opening, because between
 * the walk that found it and now somebody may have put a link in its place, or in that of a folder above it: the path,
 * over all links, must lead below the folder and to the file that is open.
 * @throws EngineError `NOT_ALLOWED`; what `open` throws.
 */
export async function openBelow(source: FileBelow): Promise<FileHandle> {
  const file = fileURLToPath(source);
  // Without O_NONBLOCK, a pipe in the place of the file would hold up a thread of the host.
  const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const real = await realpath(file);
    const [opened, there] = await Promise.all([handle.stat(), stat(real)]);
    const isSame = opened.isFile() && opened.dev === there.dev && opened.ino === there.ino;
    if (isSame && (await leadsInside(source.folder, real))) return handle;
    throw new EngineError('NOT_ALLOWED', LEADS_OUTSIDE, { details: { source: file } });
  } catch (cause) {
    await handle.close();
    throw cause;
  }
}
