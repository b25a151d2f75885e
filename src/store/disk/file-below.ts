import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath, stat, type FileHandle } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { EngineError } from '../../errors.js';
import { storageError } from '../database/storage-errors.js';
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
  const handle = await openNow(file);
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

/** Without O_NONBLOCK, a pipe in the place of the file would hold up a thread of the host. */
function openNow(file: string): Promise<FileHandle> {
  return open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

/**
 * SHA-256 of a file on disk of this length, lower-case hex; undefined when it has another length by now, or is no file
 * any more. No more than its length is read: somebody may write to it for ever.
 * @throws EngineError `STORAGE_FAILED` with `details.source`; `NOT_ALLOWED` as {@link openBelow}; `ABORTED`.
 */
export async function hashOfFile(
  source: FileBelow | string,
  { byteLength, signal }: { readonly byteLength: number; readonly signal: AbortSignal },
): Promise<string | undefined> {
  const file = typeof source === 'string' ? source : fileURLToPath(source);
  const hash = createHash('sha256');
  let length = 0;
  try {
    const handle = typeof source === 'string' ? await openNow(file) : await openBelow(source);
    try {
      const facts = await handle.stat();
      if (!facts.isFile() || facts.size !== byteLength) return undefined;
      const buffer = Buffer.allocUnsafe(PIECE_BYTES);
      while (length <= byteLength) {
        signal.throwIfAborted();
        const { bytesRead } = await handle.read(buffer, 0, PIECE_BYTES);
        if (bytesRead === 0) break;
        length += bytesRead;
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await handle.close();
    }
  } catch (cause) {
    if (signal.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
    if (cause instanceof EngineError) throw cause;
    const { code, message, details } = storageError('read the file', cause);
    throw new EngineError(code, message, { details: { ...details, source: file }, cause });
  }
  return length === byteLength ? hash.digest('hex') : undefined;
}

/** Read at a time. */
const PIECE_BYTES = 2 ** 18;
