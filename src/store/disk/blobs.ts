import { createHash, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EngineError, systemWords } from '../../errors.js';
import {
  blobFile,
  CHUNK_BYTES,
  chunksOf,
  NO_FILE,
  openBlob,
  readBlob,
  streamBlob,
  type BlobFault,
} from './blob-file.js';
import { FileBelow, openBelow } from './file-below.js';
import { Slots } from './slots.js';
import { codeOf, storageError } from '../database/storage-errors.js';

/** Source of a file's bytes: memory, a stream (also a web stream), or the path or `file:` URL of a file on disk. */
export type ByteSource = Uint8Array | ArrayBuffer | AsyncIterable<Uint8Array> | string | URL;

/** Whether the source is a stream. */
export function isStream(source: unknown): source is AsyncIterable<Uint8Array> {
  return typeof source === 'object' && source !== null && Symbol.asyncIterator in source;
}

/** Bytes in a temporary file on disk that is not renamed to their hash yet. */
export interface BlobDraft {
  readonly temporary: string;
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  readonly byteLength: number;
  /**
   * Modification time of the source file, ms since 1970; absent for bytes in memory, and when the file changed while it
   * was read.
   */
  readonly sourceMtimeMs?: number;
}

/** Wraps an error that a stream threw, to tell it from errors of the disk. */
class StreamFailure {
  constructor(readonly reason: unknown) {}
}

/** Drafts written at a time: each keeps files open, and a process may open few. */
const DRAFTS_LIMIT = 32;

/**
 * Immutable byte strings under the SHA-256 of their content: `ab/cdef…`. A blob appears under its name by a rename
 * after its bytes are on disk, so a name that exists has all its bytes, whenever the process or the machine stops.
 */
export class BlobStore {
  readonly folder: string;
  readonly #fileBytesLimit: number;
  readonly #drafts = new Slots(DRAFTS_LIMIT);
  /** Folders `ab` that are known to be on disk. */
  readonly #folders = new Set<string>();
  /** Folders `ab` of which a blob was removed since they were last synced. */
  readonly #removedFrom = new Set<string>();
  /** False: drafts that could not be removed may be on disk. */
  isTidy = true;

  constructor(folder: string, options: { fileBytesLimit: number }) {
    this.folder = folder;
    this.#fileBytesLimit = options.fileBytesLimit;
  }

  /**
   * Writes a source to a temporary file on disk and hashes exactly the written bytes, even if the caller changes the
   * source meanwhile.
   * @throws EngineError `LIMIT_EXCEEDED`, `ABORTED`, `STORAGE_FAILED` (with `details.source` when the source cannot be
   * read).
   */
  draft(source: ByteSource, signal?: AbortSignal): Promise<BlobDraft> {
    return isStream(source) ? this.#draft(source, signal) : this.#drafts.run(() => this.#draft(source, signal));
  }

  /**
   * Renames a draft to its hash, durably, or drops it when the blob exists; one that was damaged on disk is replaced.
   * When this rejects, the blob may be there all the same. Call under a lock of its hash.
   */
  async keep(draft: BlobDraft): Promise<void> {
    const { hash } = draft;
    try {
      if ((await sizeOf(this.fileOf(hash))) === draft.byteLength) {
        if ((await this.check(hash, draft.byteLength)) === undefined) return await this.drop(draft);
      }
      const folder = await this.folderOf(hash);
      await rename(draft.temporary, this.fileOf(hash));
      await syncFolder(folder);
    } catch (cause) {
      await this.drop(draft);
      throw storageError('store the bytes', cause);
    }
  }

  /** Whether something has the place of a blob; true also when the system does not tell. */
  async isThere(hash: string): Promise<boolean> {
    return (await sizeOf(this.fileOf(hash)).catch(() => 0)) !== undefined;
  }

  /** Removes a draft that will not be kept. One that the system refuses to remove is left to the next opening. */
  async drop({ temporary }: Pick<BlobDraft, 'temporary'>): Promise<void> {
    try {
      await rm(temporary, { force: true });
    } catch {
      this.isTidy = false;
    }
  }

  /** Removes a blob; one that is not there is no error. Call under a lock of its hash. */
  async remove(hash: string): Promise<void> {
    try {
      this.#removedFrom.add(hash.slice(0, 2));
      await rm(this.fileOf(hash), { force: true });
    } catch (cause) {
      throw storageError('remove the bytes of a file', cause);
    }
  }

  /** Makes removals durable: without this, a power cut may bring removed blobs back. */
  syncRemovals(): void {
    for (const name of this.#removedFrom) syncFolderNow(join(this.folder, name));
    this.#removedFrom.clear();
  }

  /** @throws EngineError `LIBRARY_DAMAGED` when the blob is missing or its bytes have changed. */
  read(hash: string): Promise<Uint8Array> {
    return readBlob(this.folder, hash);
  }

  /** The same in pieces, as {@link streamBlob}. */
  stream(hash: string, byteLength: number): AsyncGenerator<Uint8Array> {
    return streamBlob(this.folder, hash, byteLength);
  }

  /**
   * Brings a blob to the folder of this machine, for a process that reads files there. In a folder it is there.
   * @throws EngineError `STORAGE_FAILED`, `LIBRARY_DAMAGED`.
   */
  bring(_hash: string): Promise<void> {
    return Promise.resolve();
  }

  /** Ends connections. No call may follow. */
  close(): void {}

  /** Makes the folder of the blobs where it is missing. @throws EngineError `LIBRARY_DAMAGED` when it is no folder. */
  async make(): Promise<void> {
    try {
      await mkdir(this.folder, { recursive: true });
    } catch (cause) {
      if (!['EEXIST', 'ENOTDIR', 'ELOOP'].includes(codeOf(cause))) throw cause;
      const message = `${this.folder}, which holds the bytes of all files, is no folder; put it back from a copy`;
      throw new EngineError('LIBRARY_DAMAGED', message, { details: { folder: this.folder }, cause });
    }
  }

  /** Removes the drafts that a dead process left. olderMs: those alone to which nothing was written for so long. */
  async removeDrafts(olderMs = 0): Promise<void> {
    for (const entry of await readdir(this.folder, { withFileTypes: true })) {
      if (!entry.isFile() || !entry.name.startsWith('draft-')) continue;
      const temporary = join(this.folder, entry.name);
      if (olderMs === 0 || (await isOlder(temporary, olderMs))) await this.drop({ temporary });
    }
  }

  /** Hashes of all blobs on disk and the drafts that a dead process left. */
  async list(
    refused: (folder: string, cause: unknown) => void = (_, cause) => {
      throw cause;
    },
  ): Promise<{ hashes: string[]; drafts: string[] }> {
    const hashes: string[] = [];
    const drafts: string[] = [];
    for (const entry of await readdir(this.folder, { withFileTypes: true })) {
      if (entry.isFile() && entry.name.startsWith('draft-')) drafts.push(join(this.folder, entry.name));
      if (!entry.isDirectory() || !/^[0-9a-f]{2}$/.test(entry.name)) continue;
      const folder = join(this.folder, entry.name);
      const names = await readdir(folder).catch((cause: unknown) => {
        refused(folder, cause);
        return [];
      });
      for (const rest of names) {
        if (/^[0-9a-f]{62}$/.test(rest)) hashes.push(entry.name + rest);
      }
    }
    return { hashes: hashes.sort(), drafts };
  }

  /** Hashes a blob piece by piece. Returns what is wrong with it, or undefined. `file`: where it is, if elsewhere. */
  async check(hash: string, byteLength?: number, file = this.fileOf(hash)): Promise<BlobFault | undefined> {
    try {
      const found = createHash('sha256');
      let length = 0;
      for await (const chunk of chunksOf(file, openBlob)) {
        found.update(chunk);
        length += chunk.length;
      }
      return length === (byteLength ?? length) && found.digest('hex') === hash ? undefined : 'changed';
    } catch (cause) {
      const code = codeOf(cause);
      if (code === 'ENOENT') return 'missing';
      if (NO_FILE.has(code)) return 'changed';
      if (code === '') throw cause;
      return 'unreadable';
    }
  }

  async #draft(source: ByteSource, signal: AbortSignal | undefined): Promise<BlobDraft> {
    const temporary = join(this.folder, `draft-${randomBytes(12).toString('hex')}`);
    let written: FileHandle | undefined;
    try {
      written = await open(temporary, 'wx');
      const facts =
        typeof source === 'string' || source instanceof URL
          ? await this.#copyFile(source, written, signal)
          : isStream(source)
            ? await this.#copyStream(source, written, signal)
            : await this.#copyBytes(source, written, signal);
      await written.sync();
      await written.close();
      return { temporary, ...facts };
    } catch (cause) {
      await written?.close().catch(() => undefined); // Its bytes are not kept.
      await this.drop({ temporary });
      if (cause instanceof StreamFailure) throw cause.reason;
      throw storageError('store the bytes', cause);
    }
  }

  async #copyBytes(
    source: Uint8Array | ArrayBuffer,
    to: FileHandle,
    signal: AbortSignal | undefined,
  ): Promise<{ hash: string; byteLength: number }> {
    const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source;
    this.#checkLength(bytes.length);
    const hash = createHash('sha256');
    for (let start = 0; start < bytes.length; start += CHUNK_BYTES) {
      throwIfAborted(signal);
      // A copy, so that the hashed bytes are the written ones even if the caller reuses the array.
      const chunk = new Uint8Array(bytes.subarray(start, start + CHUNK_BYTES));
      hash.update(chunk);
      await to.writeFile(chunk);
    }
    return { hash: hash.digest('hex'), byteLength: bytes.length };
  }

  /** Errors of the stream itself pass through unchanged. */
  async #copyStream(
    source: AsyncIterable<Uint8Array>,
    to: FileHandle,
    signal: AbortSignal | undefined,
  ): Promise<{ hash: string; byteLength: number }> {
    const hash = createHash('sha256');
    let byteLength = 0;
    const chunks = source[Symbol.asyncIterator]();
    const next = (): Promise<IteratorResult<Uint8Array>> =>
      chunks.next().catch((cause: unknown) => {
        throw new StreamFailure(cause);
      });
    try {
      for (let read = await next(); !read.done; read = await next()) {
        const chunk = read.value;
        throwIfAborted(signal);
        byteLength += chunk.length;
        this.#checkLength(byteLength);
        hash.update(chunk);
        await to.writeFile(chunk);
      }
    } catch (cause) {
      // Tells the stream that no more is read; an error of its own in answer is ignored.
      if (!(cause instanceof StreamFailure)) await chunks.return?.().catch(() => undefined);
      throw cause;
    }
    throwIfAborted(signal);
    return { hash: hash.digest('hex'), byteLength };
  }

  async #copyFile(
    source: string | URL,
    to: FileHandle,
    signal: AbortSignal | undefined,
  ): Promise<Omit<BlobDraft, 'temporary'>> {
    const hash = createHash('sha256');
    let byteLength = 0;
    const before = await ofSource(source, stat(source));
    this.#checkLength(before.size);
    const chunks = source instanceof FileBelow ? chunksOf(source, () => openBelow(source)) : chunksOf(source);
    try {
      for (let next = await ofSource(source, chunks.next()); !next.done; next = await ofSource(source, chunks.next())) {
        throwIfAborted(signal);
        byteLength += next.value.length;
        this.#checkLength(byteLength);
        hash.update(next.value);
        await to.writeFile(next.value);
      }
    } finally {
      await chunks.return(undefined);
    }
    const unchanged = (await ofSource(source, stat(source))).mtimeMs === before.mtimeMs && before.size === byteLength;
    return { hash: hash.digest('hex'), byteLength, ...(unchanged ? { sourceMtimeMs: before.mtimeMs } : {}) };
  }

  #checkLength(found: number): void {
    const allowed = this.#fileBytesLimit;
    if (found <= allowed) return;
    throw new EngineError('LIMIT_EXCEEDED', `the file has ${found} bytes, allowed are ${allowed} (limits.fileBytes)`, {
      details: { limit: 'fileBytes', allowed, found },
    });
  }

  /** The file of a blob. */
  fileOf(hash: string): string {
    return blobFile(this.folder, hash);
  }

  /** The folder of a hash, made durably on first use. */
  async folderOf(hash: string): Promise<string> {
    const name = hash.slice(0, 2);
    const folder = join(this.folder, name);
    if (!this.#folders.has(name)) {
      await mkdir(folder, { recursive: true });
      await syncFolder(this.folder);
      this.#folders.add(name);
    }
    return folder;
  }
}

/** Whether a file is there to which nothing was written for so long. */
async function isOlder(file: string, ms: number): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  return found !== undefined && found.mtimeMs <= Date.now() - ms;
}

/** Makes renames and new entries of a folder durable. Windows cannot open folders and journals such changes itself. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } catch (cause) {
    // Some file systems cannot sync a folder and report these codes; nothing more can be done there.
    if (codeOf(cause) !== 'EINVAL' && codeOf(cause) !== 'ENOTSUP') throw cause;
  } finally {
    await handle.close();
  }
}

/** Reports a source that cannot be read with `details.source`, unlike a library that cannot be written. */
async function ofSource<T>(source: string | URL, reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (cause) {
    if (cause instanceof EngineError) throw cause;
    const errno = codeOf(cause);
    const name = source instanceof FileBelow ? fileURLToPath(source) : String(source);
    const words = systemWords(cause);
    throw new EngineError(
      'STORAGE_FAILED',
      `could not read ${name}: ${errno}${words === undefined ? '' : ` (${words})`}`,
      {
        details: { errno, source: name },
        cause,
      },
    );
  }
}

function syncFolderNow(folder: string): void {
  if (process.platform === 'win32') return;
  const file = openSync(folder, 'r');
  try {
    fsyncSync(file);
  } catch (cause) {
    if (codeOf(cause) !== 'EINVAL' && codeOf(cause) !== 'ENOTSUP') throw cause;
  } finally {
    closeSync(file);
  }
}

async function sizeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).size;
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return undefined;
    throw cause;
  }
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new EngineError('ABORTED', 'the caller ended the work', { cause: signal.reason });
}
